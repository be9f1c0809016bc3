/*
 * waits.h - requests that wait until their game has changed (Prefer: wait=25): the long poll.
 *
 * A request that waits holds a socket, but no thread and no turn at the table, and libmicrohttpd
 * does not know it (request_park()). A write of its own loop wakes it. For what other loops and
 * daemons write, the versions of all games that somebody waits for are looked up in the database
 * about four times a second, or seldom if nobody else is there (peers.h). When its time is over, or
 * its client has closed the connection, it is woken anyway. To be woken means that the job is
 * submitted again, as if the request had come just now.
 *
 * A request that waits for news of something else than one game says itself where they come from
 * (feeds.c: of all games of a player), and counts as the others do.
 *
 * So many may wait in all, half as many at one game, and a quarter as many from one address. Beyond
 * that the one that has waited longest is woken for each that comes. A struct waits belongs to one
 * loop and its thread.
 */
#ifndef PLYD_API_TABLE_WAITS_H
#define PLYD_API_TABLE_WAITS_H

#include <stdbool.h>
#include <stddef.h>

#include "api/table/jobs.h"

struct loop;
struct wait;
struct waits;

/* Why a wait ended before its time was over and without news: it was the oldest in all, at its
 * game or of its address when another one came, or its client closed the connection. */
enum wait_end { WAIT_END_ALL, WAIT_END_GAME, WAIT_END_ADDRESS, WAIT_END_CLOSED, WAIT_ENDS };

enum { WAITS_HELD_MAX = 64 };

/* Its name in metrics. */
const char *waits_end_name(enum wait_end end);

/* As many may wait as the settings say. False if memory is out. */
bool waits_open(struct loop *loop);

/* Frees it. Nobody may wait any more: see waits_end(). */
void waits_close(struct loop *loop);

/* Part of a step that found nothing new. STEP_OVER: the job was put aside, for job->wait_s seconds
 * at most. STEP_GO: it did not ask to wait, has waited already or cannot wait (request_park()); so
 * the step answers. */
enum step waits_for_news(struct job *job);

/* The same for a request that cannot be parked, since it has a body. It keeps its connection, which
 * costs the others something, so no more than WAITS_HELD_MAX do. That its client has gone is
 * noticed only afterwards. */
enum step waits_held(struct job *job);

/* Whose a wait at no table is. */
struct waits_owner {
    void (*ended)(void *args); /* it is over, for whatever reason: nobody may wake it any more */
    void *args;
    void (*back)(struct request *request); /* the request goes on; or it has ended with the wait */
};

/* A request waits for waits_wake_one(). NULL: it did not ask to wait, or cannot wait
 * (request_park()); so it is to be answered. */
struct wait *waits_elsewhere(struct request *request, int wait_s, struct waits_owner owner);

/* Wakes it in one of the turns that follow, and has ended it when this returns. */
void waits_wake_one(struct wait *wait);

/* Wakes all who wait at a table, which is at another version than before. Many are woken a few at a
 * time, in the turns that follow; so are those whose time is over. */
void waits_wake(struct table *table);

/* Called in each turn of the loop. Wakes those whose time is over, and looks for news of the
 * others. */
void waits_run(struct loop *loop);

/* Milliseconds until waits_run() has something to do; -1: nobody waits. */
int waits_timeout_ms(const struct loop *loop);

/* Wakes all who wait, and lets nobody wait from now on: the daemon stops. */
void waits_end(struct loop *loop);

#endif
