/*
 * clients.h - the HTTP connections of a loop, in the order in which the loop loses patience with
 * them.
 *
 * libmicrohttpd closes a connection that is silent. A client that sends a byte now and then is
 * never silent, and could hold a connection open for ever with a request that never ends. So each
 * connection has a time in which it must reach its next stage: the first line of a request, and
 * from there the end of the answer. The list and its clients belong to the loop's thread.
 */
#ifndef PLYD_API_HTTP_CLIENTS_H
#define PLYD_API_HTTP_CLIENTS_H

#include <stddef.h>
#include <stdint.h>

struct request;

struct client {
    struct client *earlier, *later;
    int fd;                  /* of its connection */
    int64_t since;           /* when its present stage began */
    struct request *request; /* under way, or NULL */
};

struct clients {
    struct client *first, *last; /* by `since` */
    size_t count;
};

/* Adds a client, whose first stage begins now, or takes it off the list. The caller owns it. */
void clients_add(struct clients *clients, struct client *client, int64_t now);
void clients_remove(struct clients *clients, struct client *client);

/* Its next stage begins now. */
void clients_touch(struct clients *clients, struct client *client, int64_t now);

/* Cuts the clients whose stage began before `since`: shuts their sockets down, which libmicrohttpd
 * then finds and closes. A client that waits for our answer is not to blame, and its stage begins
 * anew. */
void clients_cut(struct clients *clients, int64_t since, int64_t now);

#endif
