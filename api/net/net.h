/*
 * net.h - the HTTP side of a loop.
 *
 * It accepts clients, reads requests, asks whether they are admitted, hands them to a service and
 * sends the answers. A request that is not answered at once is suspended: it holds its connection,
 * and neither a thread nor a descriptor that is watched, until it is answered. A connection that
 * has nothing to do, or whose request waits for long (request_park()), costs little more than its
 * descriptor. One struct net belongs to one loop, and only the loop's thread calls these functions.
 *
 * Requests are read, and most answers sent, by libmicrohttpd, which mhd.c alone knows. habits.h
 * says what it has to do for that.
 */
#ifndef PLYD_API_NET_NET_H
#define PLYD_API_NET_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct config;
struct net;
struct loop;
struct request;

/* What requests are handed to (routes.c). */
struct net_service {
    /* How many bytes of a body are taken at this address. */
    size_t (*body_max)(const struct loop *loop, const char *url);

    /* A request with a large body is admitted by its head: calls `go_on` if it may be read, now or
     * later, or answers the request. */
    void (*welcome)(struct request *request, void (*go_on)(struct request *request, void *args));

    /* Answers a complete request now or later, exactly once. */
    void (*handle)(struct request *request);
};

/* ---- opening and closing ---- */

/* Serves what comes in at a listening socket, for a loop whose `net` this becomes. The socket
 * stays the caller's; -1: there is none. NULL: it could not be started. */
struct net *net_open(struct loop *loop, int listener, const struct net_service *service);

/* Accepts those who have connected, and nobody else. Connections that are open go on; the caller
 * may close the listening socket. */
void net_quiesce(struct net *net);

/* Sends the answers that are complete, closes all connections and frees everything. Every request
 * must have been answered. */
void net_close(struct net *net);

/* ---- running ---- */

enum { NET_WATCHED_MAX = 32 };

/* Has net_wait() tell when a descriptor is readable, by a number below NET_WATCHED_MAX. It stays
 * open as long as the loop waits. */
void net_watch(struct net *net, int fd, unsigned number);

/* The one place where a loop waits: until something comes from a client, or a descriptor of
 * net_watch() is readable, or for so many milliseconds (-1: any time). Accepts clients; notices
 * those that send something after a rest, and those that have closed their side while their
 * requests wait for long. Returns which of the others are readable, as bits. net_run() follows. */
uint32_t net_wait(struct net *net, int timeout_ms);

/* How long it may wait before net_run() has to do, in milliseconds; -1: any time. */
int net_timeout_ms(const struct net *net);

/* One pass: reads, hands over complete requests, sends answers. */
void net_run(struct net *net);

/* Whether requests go on, or were answered, since the last net_run() began. Another one works on
 * them and sends their answers. */
bool net_has_answers(const struct net *net);

/* Cuts the clients that take too long to send a request or to take its answer (clients.h). */
void net_cut_idle(struct net *net);

/* ---- looking ---- */

/* Whether every request that has begun to come is answered, and every client has its answer to the
 * last byte. It is asked while the daemon drains, and looks at every connection. */
bool net_idle(struct net *net);

/* Why a connection was cut for want of room: it was idle, or slow, and gave way to a new one; its
 * address had as many as one may have, and another one came; or it was new, and nobody could give
 * way. */
enum net_cut { NET_CUT_IDLE, NET_CUT_ADDRESS, NET_CUT_FULL, NET_CUTS };
const char *net_cut_name(enum net_cut why);

/* How many connections are open. */
size_t net_connections(const struct net *net);

/* How many connections a loop takes: what the settings say, or fewer if the process may have so few
 * descriptors. */
size_t net_places(const struct config *config);

#endif
