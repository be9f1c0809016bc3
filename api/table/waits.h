/*
 * waits.h - requests that wait until their game has changed (Prefer: wait=25): the long poll.
 *
 * A request that waits holds its connection, but no thread and no turn at the table. A write of its
 * own loop wakes it at once. For what other loops and daemons write, the versions of all games that
 * somebody waits for are looked up in the database a few times a second. When its time is over, it
 * is woken anyway. To be woken means that the job is submitted again, as if the request had come
 * just now. A struct waits belongs to one loop and its thread.
 */
#ifndef PLYD_API_TABLE_WAITS_H
#define PLYD_API_TABLE_WAITS_H

#include <stddef.h>

#include "api/table/jobs.h"

struct loop;
struct waits;

/* At most `limit` requests may wait. NULL if memory is out. */
struct waits *waits_open(struct loop *loop, size_t limit);

/* Frees it. Nobody may wait any more: see waits_end(). */
void waits_close(struct waits *waits);

/* Part of a step that found nothing new. STEP_OVER: the job was put aside, for job->wait_s seconds
 * at most. STEP_GO: it did not ask to wait, has waited already, or too many wait; so the step
 * answers. */
enum step waits_for_news(struct job *job);

/* Wakes all who wait at a table, which is at another version than before. */
void waits_wake(struct table *table);

/* Called in each turn of the loop. A few times a second it wakes those whose time is over and looks
 * for news of the others. */
void waits_run(struct waits *waits);

/* Milliseconds until waits_run() has something to do; -1: nobody waits. */
int waits_timeout_ms(const struct waits *waits);

/* Wakes all who wait, and lets nobody wait from now on: the daemon stops. */
void waits_end(struct waits *waits);

#endif
