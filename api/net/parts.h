/*
 * parts.h - what the files of a loop's HTTP side (net.h) share. It is theirs alone. What others ask
 * of a connection, they ask by struct request_source (request.h).
 *
 *   mhd.c       libmicrohttpd, in which a connection is while a request is read and answered
 *   headers.c   the headers of a request, wherever its connection is
 *   answer.c    the head of an answer
 *   outside.c   the connections that have left it, or have not come to it yet
 *   exchange.c  what becomes of a request
 *   net.c       all of it
 *
 * Each calls only those above it. What happens on a connection is told by struct net_events.
 */
#ifndef PLYD_API_NET_PARTS_H
#define PLYD_API_NET_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "api/http/large_queue.h"
#include "api/http/request.h"
#include "api/loop/loop.h"
#include "api/net/addresses.h"
#include "api/net/clients.h"
#include "api/net/linger.h"
#include "api/net/net.h"
#include "api/text/out.h"
#include "api/text/problem.h"

struct MHD_Daemon;

struct net {
    struct loop *loop;
    const struct net_service *service;
    const struct net_events *events;
    struct MHD_Daemon *daemon;
    int epoll;                    /* all that the loop waits for (net_wait()) */
    int listener;                 /* -1: no client is accepted any more */
    int64_t deaf_until;           /* when clients are accepted again; 0: they are */
    struct client *ready, **last; /* outside, and their requests go on */
    size_t places;                /* for connections, streams included */
    struct clients clients;
    struct addresses addresses;   /* of those */
    struct linger_list lingering; /* connections that were closed since the daemon drains */
    int64_t patience;             /* with a client that does not get on, microseconds */
    uint64_t last_id;             /* of a request; counts up from a random number */
    struct request_pool pool;
    struct large_queue large_queue;
    bool has_work; /* a request goes on, or was answered, since net_run() last began */
};

/* What a request has that is outside, in its arena. */
struct outside_request {
    struct reply_header *header; /* what libmicrohttpd told of it */
    size_t count;
    struct out head; /* of its answer */
};

/* A request of ours has its client as its connection. */
static inline struct client *client_of(const struct request *request)
{
    return request->connection;
}

static inline bool client_is_outside(const struct request *request)
{
    return client_of(request)->connection == NULL;
}

static inline struct net *net_of(const struct request *request)
{
    return request->loop->net;
}

/* ---- what connections tell of (exchange.c) ---- */

enum net_head { NET_HEAD_TAKEN, NET_HEAD_LATER, NET_HEAD_REFUSED };
enum net_body { NET_BODY_TAKEN, NET_BODY_LATER, NET_BODY_CUT };

struct net_events {
    /* The first line of a request has come. NULL: there is no memory, and the connection must be
     * closed. */
    struct request *(*line)(struct net *net, struct client *client, const char *url);

    /* The headers are complete. Later: nothing is read until the connection was resumed. Refused:
     * the body must not even be sent; the request was answered, or has left with its client. */
    enum net_head (*head)(struct request *request, const char *method);

    /* A piece of the body. Later: it is to be offered again once the connection was resumed. */
    enum net_body (*body)(struct request *request, const char *data, size_t len);

    /* The body is complete: the request is worked on. */
    void (*complete)(struct request *request);

    /* What has come is no HTTP, and everything before it is answered. The client leaves
     * libmicrohttpd, if it can, and is refused. */
    void (*malformed)(struct net *net, struct client *client);

    /* A request that waited outside for long goes on. */
    void (*go_on)(struct request *request);

    /* An answer is about to be sent: settles what it costs and completes its headers. False: its
     * end is not known. A stream has the connection now, or the head of one was sent, and the
     * connection is to be closed. */
    bool (*answer)(struct request *request);

    /* The answer was sent, or the connection broke. */
    void (*over)(struct net *net, struct client *client);

    /* The connection ends. */
    void (*end)(struct net *net, struct client *client);
};

extern const struct net_events exchange_events;

/* Refuses a request whose body still comes (request->body_to_come). */
void exchange_break_off(struct request *request, enum problem problem);

/* ---- headers.c ---- */

const char *headers_get(const struct request *request, const char *name);

/* The values of all headers of a name, as one list. */
const char *headers_list(struct request *request, const char *name);

/* For a request that leaves libmicrohttpd. */
struct outside_request *headers_copy(struct request *request);

/* Whether the headers are such that the request may be answered; else it was refused. */
bool headers_ok(struct request *request);

/* ---- answer.c ---- */

/* Settles what an answer costs, and adds the headers that every answer has. */
void answer_finish(struct request *request);

/* The first bytes of an answer, up to the empty line. */
struct out answer_head(struct request *request);

/* ---- mhd.c ---- */

/* Opens libmicrohttpd for net->loop. False: it could not be started. */
bool mhd_open(struct net *net);
void mhd_close(struct net *net);

int mhd_timeout_ms(const struct net *net);

/* Reads, has requests answered, sends, by what tap_event() was told. */
void mhd_run(struct net *net);

/* A client comes inside, with all that it has sent. False: it is gone, and its socket is closed. */
bool mhd_enter(struct net *net, struct client *client);

/* A client that libmicrohttpd has nothing to do for leaves it, in the next mhd_run() at the latest.
 * Its socket stays open under another descriptor. False: there is none left, and it stays. */
bool mhd_leave(struct client *client);

/* Leaves a suspended connection alone until it is resumed. */
void mhd_suspend(struct request *request);
void mhd_resume(struct request *request);

const char *mhd_header(const struct request *request, const char *name);

/* Calls `see` for each header of a request. */
void mhd_each_header(const struct request *request,
                     void (*see)(void *args, const char *name, const char *value), void *args);

/* What the number of a status means, in HTTP's words. */
const char *mhd_reason(unsigned status);

const char *mhd_version(void);

/* ---- outside.c ---- */

void outside_open(struct net *net, int listener);
void outside_close(struct net *net);

/* The kernel has told of a client or of the listening socket. A client may be ended, and no other
 * one than this: events that were told with this one may be those of others. */
void outside_event(struct net *net, void *what);

/* The requests that go on, and the answers that are complete. */
void outside_attend(struct net *net);

/* Somebody has connected. They are taken in, or the connection is closed if there is no place for
 * it. */
void outside_add(struct net *net, int fd, const struct sockaddr_storage *address);

/* A client has just left libmicrohttpd. */
void outside_take(struct net *net, struct client *client);

/* A request that waits outside for long goes on, or was answered: outside_attend() has to do with
 * it. */
void outside_ready(struct net *net, struct client *client);

/* No client is accepted from now on, once those that have connected already are. */
void outside_quiesce(struct net *net);

/* How many connections are open, streams included. */
size_t outside_count(const struct net *net);

/* Ends a connection that is outside. */
void outside_end(struct net *net, struct client *client);

#endif
