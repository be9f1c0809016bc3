/*
 * metrics.h - what a loop counts.
 *
 * Each loop has counters of its own, as long as the loop lives. Only its own thread writes them;
 * any thread may read them: /metrics adds up those of all loops (endpoints/site/metrics_text.h).
 */
#ifndef PLYD_API_LOOP_METRICS_H
#define PLYD_API_LOOP_METRICS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "db/db.h"

enum {
    METRICS_ROUTES = 160,
    METRICS_NO_ROUTE = METRICS_ROUTES - 1, /* for requests that were answered without a route */
    METRICS_STATUSES = 25,
    METRICS_BUCKETS = 18, /* of latency: up to 2^i * 100 microseconds, the last without end */
    METRICS_TIMES = METRICS_BUCKETS + 1, /* how many fell into each, and their sum in us */
    METRICS_GAMES = 32,
    METRICS_CODES = 96,
    METRICS_THINGS = 2, /* of quotas, and whose those are */
    METRICS_OWNERS = 2,
    METRICS_WAITS = 4,
    METRICS_CUTS = 3, /* of connections */
    METRICS_STREAM_ENDS = 5,
    METRICS_ORIGINS = 2, /* of an event: this loop, another one */
    METRICS_HOOK_RESULTS = 8,
    METRICS_JOB_ENDS = 3, /* from TASK_DONE on */
    METRICS_RESULTS = 2,  /* what came out well, and what failed */
    METRICS_DB_NUMBERS = sizeof(struct db_stats) / sizeof(uint64_t)
};

/* Routes are numbered as in the table of routes, games as in rules_game(); the other numbers of
 * lists are of enums. There is nothing but such numbers in it, so that they can be added up without
 * naming each. */
struct metrics {
#define METRIC(field, shape, form, type, name, help) _Atomic uint64_t field shape;
#include "api/loop/metrics.def"
#undef METRIC
    _Atomic uint64_t db[METRICS_DB_NUMBERS]; /* struct db_stats */
};

/* Adds to a counter, takes from it, sets it. Only the counters' own loop may. */
void metrics_add(_Atomic uint64_t *counter, uint64_t n);
void metrics_sub(_Atomic uint64_t *counter, uint64_t n);
void metrics_set(_Atomic uint64_t *counter, uint64_t value);

/* Counts a request that was answered with a status after this many microseconds. */
void metrics_request(struct metrics *metrics, size_t route, unsigned status, uint64_t us);

/* Counts a time among those of a histogram, which has METRICS_TIMES numbers. */
void metrics_time(_Atomic uint64_t *times, uint64_t us);

/* Copies the numbers that other threads cannot look up themselves: db's, the games in memory,
 * the connections and the requests that wait for a worker. The counters' own loop calls it from
 * time to time. */
void metrics_publish(struct metrics *metrics, const struct db *db, size_t games, size_t connections,
                     size_t workers_waiting);

/* The status that requests[][i] counts; 0 stands for all that have no counter of their own. NULL
 * past the last. */
const unsigned *metrics_status(size_t i);

#endif
