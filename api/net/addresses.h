/*
 * addresses.h - which connections each address has, so that none has so many that others find no
 * place.
 *
 * An address is what one household gets: IPv4, or 64 bits of IPv6 (quota.h). Those of the machine
 * itself are not counted, nor is any where proxies are trusted: the other end of a connection is a
 * proxy then, and carries many clients. A table belongs to one loop.
 */
#ifndef PLYD_API_NET_ADDRESSES_H
#define PLYD_API_NET_ADDRESSES_H

#include <stddef.h>

#include "api/loop/quota.h"
#include "api/net/clients.h"

enum { ADDRESSES_ROWS = 1024, ADDRESSES_KEY = 16 };

struct address_count {
    struct address_count *next;
    struct quota_address address;
    size_t connections;
    TAILQ_HEAD(, client) clients;
};

/* The key is random: otherwise a client could choose addresses that share a row. */
struct addresses {
    unsigned char key[ADDRESSES_KEY];
    struct address_count *row[ADDRESSES_ROWS];
};

void addresses_open(struct addresses *addresses);

/* How many connections an address has. */
size_t addresses_count(const struct addresses *addresses, const struct quota_address *address);

/* A client comes from an address, which becomes its `from`; and it goes, if it has one. */
void addresses_add(struct addresses *addresses, const struct quota_address *address,
                   struct client *client);
void addresses_remove(struct addresses *addresses, struct client *client);

/* The client of an address that gives way to a new one of the same (clients_of_two()), of some that
 * are looked at in turn. NULL: none was found. */
struct client *addresses_least(struct addresses *addresses, const struct quota_address *address);

#endif
