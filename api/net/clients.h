/*
 * clients.h - the connections of a loop, by the time at which each is cut for being too slow.
 *
 * A client that sends a byte now and then is never silent, and could hold a connection open for
 * ever with a request that never ends. So each connection has a time in which it must reach its
 * next stage: the first line of a request, and from there the end of the answer.
 *
 * A connection is inside libmicrohttpd while a request is read and answered. Outside, it costs a
 * descriptor and this struct: before the first byte has come, after a short rest, and while a
 * request waits for long (outside.c). The lists and their clients belong to the loop's thread.
 */
#ifndef PLYD_API_NET_CLIENTS_H
#define PLYD_API_NET_CLIENTS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "api/net/framing.h"

struct MHD_Connection;
struct address_count;
struct request;

enum client_place { CLIENT_IDLE, CLIENT_BUSY, CLIENT_RESTING };

struct client {
    struct client *earlier, *later;
    struct client *next_ready;         /* outside.c */
    int fd;                            /* of its connection */
    enum client_place place;           /* the list that it is in */
    struct address_count *from;        /* its address; NULL: that is not counted */
    TAILQ_ENTRY(client) of_address;    /* in the list of that (addresses.h) */
    bool watched, ready, leaving;      /* outside.c */
    bool cut;                          /* it gives way to another, and is about to end */
    bool head_again;                   /* mhd.c */
    int64_t since;                     /* when its present stage began */
    struct MHD_Connection *connection; /* NULL: it is outside */
    struct request *request;           /* under way, or NULL */
    struct framing framing;            /* of what it has sent */
    uint64_t begun;                    /* requests of which libmicrohttpd has read the first line */
    uint64_t answered;                 /* requests that are over */
    struct outside_request *outside;   /* of a request that is outside (exchange.c) */
    size_t sent;                       /* bytes of its answer; once it leaves, those dropped */
    struct sockaddr_in6 address;       /* or a sockaddr_in, which is shorter */
};

struct client_list {
    struct client *first, *last; /* by `since` */
    size_t count;
};

/* All zero is a loop without clients. Those that are idle have sent no head of a request to its
 * end. Those that rest are inside libmicrohttpd, and have answered requests behind them, and
 * nothing to do. */
struct clients {
    struct client_list idle, busy, resting;
};

/* Adds a client, which is idle, and whose first stage begins now, or takes it off its list. The
 * caller owns it. */
void clients_add(struct clients *clients, struct client *client, int64_t now);
void clients_remove(struct clients *clients, struct client *client);

/* Its next stage begins now. It is idle, is busy, or rests. */
void clients_idle(struct clients *clients, struct client *client, int64_t now);
void clients_touch(struct clients *clients, struct client *client, int64_t now);
void clients_rest(struct clients *clients, struct client *client, int64_t now);

/* The client that has been at its stage for longest, if that began before `since`, and is to
 * blame for it; NULL: there is none. A client that waits for our answer is not to blame, and its
 * stage begins anew. */
struct client *clients_late(struct clients *clients, int64_t since, int64_t now);

/* Clients that are looked at to find one that gives way. */
enum { CLIENTS_LOOKED_AT = 64 };

/* Which of two clients gives way to a new one. One that is idle does before one that rests, that
 * before one that sends a body, and that before one that does not take its answer; among these the
 * one whose stage began first. Who waits for our answer does not, nor who has just sent the first
 * bytes of a request. `one` may be NULL. NULL: neither does. */
struct client *clients_of_two(struct client *one, struct client *other);

/* The client that gives way to a new one, of some that are looked at. Those that wait for our
 * answers are passed over, and begin their stage anew, so that others are looked at the next time.
 * NULL: none was found. */
struct client *clients_least(struct clients *clients, int64_t now);

size_t clients_count(const struct clients *clients);

/* Whether it has sent what was not read from the socket yet. */
bool clients_has_unread(const struct client *client);

/* Whether nothing that it has sent is left to be answered, or to be completed. */
bool clients_is_quiet(const struct client *client);

/* Whether a client has sent another request, or a part of one, behind the one that is under way,
 * whether it was read from the socket or not. */
bool clients_has_more(const struct client *client);

/* Whether a client waits for an answer, still sends a request, or has not acknowledged the last
 * byte that was sent. */
bool clients_any_busy(const struct clients *clients);

#endif
