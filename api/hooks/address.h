/*
 * address.h - which addresses webhooks may be sent to: public ones.
 *
 * Anybody may name any URL, and the daemon may stand beside machines that only it can reach. So
 * only addresses of the public internet are allowed, unless the operator allows all
 * (--webhooks-private). The address that is connected to is what is looked at, and not the name,
 * which may lead elsewhere at any time. Pure.
 */
#ifndef PLYD_API_HOOKS_ADDRESS_H
#define PLYD_API_HOOKS_ADDRESS_H

#include <stdbool.h>

struct sockaddr;

/* Whether an address is one of a machine on the public internet. It is not if it is private,
 * shared (100.64.0.0/10), loopback, link-local, multicast, reserved, or meant for documents, or
 * if it is neither IPv4 nor IPv6. IPv6 addresses that stand for one of IPv4 are judged by that one.
 */
bool address_is_public(const struct sockaddr *address);

/* The same for the text of an address, with or without the brackets of a URL. A text that is no
 * address is a name, about which nothing can be said yet: true, but for those of this machine. */
bool address_text_is_public(const char *text);

#endif
