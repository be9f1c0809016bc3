/*
 * clients.h - the HTTP connections of a loop, in the order in which the loop's patience with them
 * ends.
 *
 * libmicrohttpd closes a connection that is silent. One that says a byte now and then is never
 * silent, and could be held open with a request that never ends; so each has a time to get on to
 * its next stage: to the first line of a request, and from there to the end of its answer.
 */
#ifndef PLYD_API_HTTP_CLIENTS_H
#define PLYD_API_HTTP_CLIENTS_H

#include <stddef.h>
#include <stdint.h>

struct request;

struct client {
    struct client *earlier, *later;
    int fd;
    int64_t since;           /* when its present stage began */
    struct request *request; /* under way, or NULL */
};

struct clients {
    struct client *first, *last;
    size_t count;
};

void clients_add(struct clients *clients, struct client *client, int64_t now);
void clients_remove(struct clients *clients, struct client *client);

/* Its next stage began. */
void clients_touch(struct clients *clients, struct client *client, int64_t now);

/* Cuts those whose stage began before `since`: their sockets end, and libmicrohttpd finds them so.
 * Who waits for the daemon is not to blame and begins anew. */
void clients_cut(struct clients *clients, int64_t since, int64_t now);

#endif
