/*
 * listen.h - the sockets that clients connect to. They are opened once, before the loops run.
 */
#ifndef PLYD_API_NET_LISTEN_H
#define PLYD_API_NET_LISTEN_H

#include <stdbool.h>
#include <stddef.h>

enum { LISTEN_ADDRESS = 80 }; /* bytes of an address as text */

/* Opens `n` sockets that listen at HOST:PORT, one for each loop, and writes the address that they
 * have in the end: port 0 is any free one. The caller closes the sockets. False if one cannot be
 * opened, for example because another daemon has the port; errno says why. */
bool listen_all(const char *where, int *sockets, size_t n, char address[LISTEN_ADDRESS]);

#endif
