/* listen.h - the sockets that clients connect to. */
#ifndef PLYD_API_HTTP_LISTEN_H
#define PLYD_API_HTTP_LISTEN_H

#include <stdbool.h>
#include <stddef.h>

enum { LISTEN_ADDRESS = 80 };

/* Listens at HOST:PORT with `n` sockets that share the port, one for each loop, and tells the
 * address that it became. The first is bound alone, so that a port that another daemon serves is
 * refused, which sharing the port would hide. False: errno says why. */
bool listen_all(const char *where, int *sockets, size_t n, char address[LISTEN_ADDRESS]);

#endif
