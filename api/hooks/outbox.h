/*
 * outbox.h - how many requests to receivers are under way at a time, and whose turn it is.
 *
 * There are OUTBOX_MAX at once, and OUTBOX_OF_HOST to one receiver. A receiver that took long the
 * last time, or of which nothing is known yet, may have one of OUTBOX_SLOW: so receivers that let
 * the daemon wait hold up each other, and nobody else. Whatever has no turn yet waits in the order
 * in which it came.
 *
 * A struct outbox belongs to its loop and that one's thread.
 */
#ifndef PLYD_API_HOOKS_OUTBOX_H
#define PLYD_API_HOOKS_OUTBOX_H

#include <stddef.h>
#include <stdint.h>

#include "api/hooks/http_client.h"

enum { OUTBOX_MAX = 32, OUTBOX_SLOW = 16, OUTBOX_OF_HOST = 2, OUTBOX_QUICK_MS = 1000 };

struct loop;
struct outbox;

struct parcel {
    struct transfer transfer; /* but for done() */
    const char *host;         /* the receiver, as http_client_url_fault() tells */
    int32_t took_ms;          /* the last time; -1: it is not known */
    int64_t until;            /* on loop->now: it is not begun any more */

    /* It is over; or its turn did not come in time (`tried` is false). */
    void (*done)(struct parcel *parcel, bool tried);

    /* Private to outbox.c. */
    struct outbox *outbox;
    struct parcel *next;
};

/* NULL: memory or threads are out. */
struct outbox *outbox_open(struct loop *loop, bool any_address);

/* Gives up everything; done() is not called any more. Then parcels may be freed. NULL is fine, here
 * and in outbox_close(), which frees it. */
void outbox_stop(struct outbox *outbox);
void outbox_close(struct outbox *outbox);

/* Sends a parcel when its turn comes. done() may be called at once. */
void outbox_send(struct outbox *outbox, struct parcel *parcel);

/* A descriptor that is readable when outbox_run() has something to do. */
int outbox_fd(const struct outbox *outbox);

/* Called in each turn of the loop. */
void outbox_run(struct outbox *outbox);

#endif
