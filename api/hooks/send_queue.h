/*
 * send_queue.h - bounds the requests to receivers: in all, and for each one.
 *
 * There are SEND_QUEUE_MAX at once, and SEND_QUEUE_OF_HOST to one receiver. A push service is one
 * receiver for very many players: it has SEND_QUEUE_OF_SERVICE of those that it took quickly the
 * last time. A receiver that took
 * long the last time, or of which nothing is known yet, may have one of SEND_QUEUE_SLOW: so
 * receivers that let the daemon wait hold up each other, and nobody else. A quick one has one of
 * SEND_QUEUE_QUICK, but no longer than SEND_QUEUE_HOLD_US: many that fall silent at once hold up
 * others hardly longer than that. All mails go to one receiver, the operator's, and are quick,
 * however long it takes. Whatever has no turn yet waits in the order in which it came. While that
 * server does not work, mails are not tried (mail_pause.h).
 *
 * A struct send_queue belongs to its loop and that one's thread.
 */
#ifndef PLYD_API_HOOKS_SEND_QUEUE_H
#define PLYD_API_HOOKS_SEND_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "api/hooks/http_client.h"

enum {
    SEND_QUEUE_MAX = 256,
    SEND_QUEUE_QUICK = 32,
    SEND_QUEUE_SLOW = 16,
    SEND_QUEUE_OF_HOST = 2,
    SEND_QUEUE_OF_SERVICE = 16,
    SEND_QUEUE_QUICK_MS = 1000,
    SEND_QUEUE_HOLD_US = 250 * 1000
};

struct loop;
struct send_queue;

struct parcel {
    struct transfer transfer; /* but for done() */
    const char *host;         /* the receiver, as http_client_url_fault() tells */
    int32_t took_ms;          /* the last time; -1: it is not known */
    bool to_service;          /* it is a push service, which has taken the last one */
    int64_t until;            /* on loop->now: it is not begun any more */

    /* It is over; or its turn did not come in time, or it was given up (`tried` is false). */
    void (*done)(struct parcel *parcel, bool tried);

    /* Private to send_queue.c. */
    struct send_queue *send_queue;
    int64_t since; /* on loop->now: when it was begun */
    bool is_quick; /* it has one of SEND_QUEUE_QUICK */
    unsigned turn; /* of a mail (mail_pause_try()) */
    struct parcel *next;
};

/* NULL: memory or threads are out. */
struct send_queue *send_queue_open(struct loop *loop, bool any_address);

/* Gives up everything; done() is not called any more. Then parcels may be freed. NULL is fine, here
 * and in send_queue_close(), which frees it. */
void send_queue_stop(struct send_queue *send_queue);
void send_queue_close(struct send_queue *send_queue);

/* Until this time (on loop->now) parcels may be sent; then those that are under way are given up,
 * and no other one is begun. */
void send_queue_hold(struct send_queue *send_queue, int64_t until);

/* Sends a parcel when its turn comes. done() may be called at once. */
void send_queue_send(struct send_queue *send_queue, struct parcel *parcel);

/* How long mails are not tried, since their server does not work; 0: one may be sent. */
int64_t send_queue_mails_rest_us(const struct send_queue *send_queue);

/* A descriptor that is readable when send_queue_run() has something to do. */
int send_queue_fd(const struct send_queue *send_queue);

/* Milliseconds until send_queue_run() has something to do by itself; -1: any time. */
int send_queue_timeout_ms(const struct send_queue *send_queue);

/* Called in each pass of the loop. */
void send_queue_run(struct send_queue *send_queue);

#endif
