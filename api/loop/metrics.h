/*
 * metrics.h - what a loop counts. One writer each (its loop), read from anywhere for /metrics.
 */
#ifndef PLYD_API_LOOP_METRICS_H
#define PLYD_API_LOOP_METRICS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "db/db.h"

enum {
    METRICS_ROUTES = 96,
    METRICS_NO_ROUTE = METRICS_ROUTES - 1, /* what was answered before it was known to be one */
    METRICS_STATUSES = 32,
    METRICS_BUCKETS = 14, /* of latency: up to 2^i * 100 microseconds, the last without end */
    METRICS_GAMES = 16,
    METRICS_CODES = 96,
    METRICS_QUOTAS = 2,
    METRICS_DB_NUMBERS = sizeof(struct db_stats) / sizeof(uint64_t)
};

struct metrics {
    _Atomic uint64_t requests[METRICS_ROUTES][METRICS_STATUSES];
    _Atomic uint64_t latency[METRICS_ROUTES][METRICS_BUCKETS];
    _Atomic uint64_t latency_us[METRICS_ROUTES];
    _Atomic uint64_t moves[METRICS_GAMES];
    _Atomic uint64_t refusals[METRICS_GAMES][METRICS_CODES]; /* by game and rules_code */
    _Atomic uint64_t quota_exceeded[METRICS_QUOTAS];         /* by quota_kind */
    _Atomic uint64_t waits;                  /* requests that wait for news right now */
    _Atomic uint64_t games;                  /* in memory */
    _Atomic uint64_t connections;            /* HTTP connections */
    _Atomic uint64_t db[METRICS_DB_NUMBERS]; /* struct db_stats */
};

void metrics_add(_Atomic uint64_t *counter, uint64_t n);
void metrics_sub(_Atomic uint64_t *counter, uint64_t n);
void metrics_request(struct metrics *metrics, size_t route, unsigned status, uint64_t us);

/* What other loops cannot look up themselves: called by the metrics' own loop. */
void metrics_publish(struct metrics *metrics, const struct db *db, size_t games,
                     size_t connections);

/* The status that requests[][i] counts; 0 for all others, NULL past the last. */
const unsigned *metrics_status(size_t i);

#endif
