/*
 * clients.h - the HTTP connections of a loop, in the order in which the loop loses patience with
 * them.
 *
 * libmicrohttpd closes a connection that is silent. A client that sends a byte now and then is
 * never silent, and could hold a connection open for ever with a request that never ends. So each
 * connection has a time in which it must reach its next stage: the first line of a request, and
 * from there the end of the answer. The list and its clients belong to the loop's thread.
 */
#ifndef PLYD_API_NET_CLIENTS_H
#define PLYD_API_NET_CLIENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/net/framing.h"

struct request;

struct client {
    struct client *earlier, *later;
    int fd;                  /* of its connection */
    int64_t since;           /* when its present stage began */
    struct request *request; /* under way, or NULL */
    struct framing framing;  /* of what it has sent */
    uint64_t begun;          /* requests of which libmicrohttpd has read the first line */
    uint64_t answered;       /* requests that are over */
    bool parked;             /* its connection has left libmicrohttpd (parking.h) */
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

/* Whether a client has sent another request, or a part of one, behind the one that is under way,
 * whether it was read from the socket or not. */
bool clients_has_more(const struct client *client);

/* Whether a client waits for an answer, still sends a request, or has not acknowledged the last
 * byte that was sent. */
bool clients_any_busy(const struct clients *clients);

#endif
