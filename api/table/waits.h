/*
 * waits.h - requests that wait until their game has changed (Prefer: wait=25), the long poll.
 *
 * Whoever waits holds its connection and nothing else: no thread, no turn at the table. It is woken
 * by a write of its own loop at once; for what others write, its game's version is looked up in the
 * database, all games that somebody waits at together, a few times a second. After the time that it
 * asked for it is woken anyway. Waking is to have the job's step called again, as if the request
 * had come just now.
 */
#ifndef PLYD_API_TABLE_WAITS_H
#define PLYD_API_TABLE_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/table/tables.h"

struct loop;
struct waits;

/* At most `limit` requests of a loop wait; one more is answered as if it had not asked to. */
struct waits *waits_open(struct loop *loop, size_t limit);
void waits_close(struct waits *waits);

/* Puts a job aside whose step found nothing new: its turn is over. STEP_GO: it did not ask to wait,
 * has waited already, or there is no room; then the step has to answer. */
enum step waits_for_news(struct job *job);

/* The table is at another version than before: whoever waits at it gets its turn. */
void waits_wake(struct table *table);

/* Called in each turn of the loop: wakes whose time is over, and looks for news. */
void waits_run(struct waits *waits);

/* Milliseconds until waits_run() has something to do; -1: nothing to come. */
int waits_timeout_ms(const struct waits *waits);

/* Wakes everybody, and lets nobody wait from now on: the daemon stops. */
void waits_end(struct waits *waits);

#endif
