/*
 * long_poll.h - requests that wait for news (the header Prefer).
 *
 * A request that waits holds a socket, but no thread and no place in the line of a live game, and
 * libmicrohttpd does not know it (request_park()). Whoever knows of news wakes it: channels.c for a
 * game, player_stream.c for all games of a player. When its time is over, or its client has closed
 * the connection, it is woken anyway. To be woken means that the request goes on as if it had come
 * just now.
 *
 * So many may wait in all, half as many at one place, which is a game, and a quarter as many from
 * one address. Beyond that the one that has waited longest is woken for each that comes. A struct
 * waits belongs to one loop and its thread.
 */
#ifndef PLYD_API_STREAM_LONG_POLL_H
#define PLYD_API_STREAM_LONG_POLL_H

#include <stddef.h>
#include <sys/queue.h>

struct loop;
struct request;
struct wait;
struct long_polls;

/* Why a wait ended before its time was over and without news: it was the oldest in all, at its
 * game or of its address when another one came, or its client closed the connection. */
enum wait_end { WAIT_END_ALL, WAIT_END_GAME, WAIT_END_ADDRESS, WAIT_END_CLOSED, WAIT_ENDS };

enum { WAITS_HELD_MAX = 64 };

/* Waits, by their age. */
struct wait_list {
    TAILQ_HEAD(, wait) waits;
    size_t count;
};

/* Whose a wait is. Both functions are called with `args`. */
struct long_poll_owner {
    struct wait_list *place;   /* NULL: none */
    void (*ended)(void *args); /* it is in no list any more: nobody may wake it */
    void (*back)(struct request *request, void *args); /* then the request goes on */
    void *args;
};

/* Its name in metrics. */
const char *long_poll_end_name(enum wait_end end);

/* A place at which nobody waits. */
void long_poll_place(struct wait_list *place);

/* A request that found nothing new waits for so many seconds at most. NULL: it did not ask to wait,
 * has waited already or cannot wait (request_park()); so it is to be answered. */
struct wait *long_poll_begin(struct request *request, int wait_s, struct long_poll_owner owner);

/* The same for a request that cannot be parked, since it has a body. It keeps its connection, which
 * costs the others something, so no more than WAITS_HELD_MAX do. That its client has gone is
 * noticed only afterwards. */
struct wait *long_poll_hold(struct request *request, int wait_s, struct long_poll_owner owner);

/* Wakes a wait, or all at a place, in one of the passes that follow, and has ended them when this
 * returns. */
void long_poll_wake_one(struct wait *wait);
void long_poll_wake(struct long_polls *waits, struct wait_list *place);

#endif
