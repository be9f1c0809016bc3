/*
 * metrics.h - what a loop counts. One writer each (its loop), read from anywhere for /metrics.
 */
#ifndef PLYD_API_METRICS_H
#define PLYD_API_METRICS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "json.h"

enum {
    METRICS_ROUTES = 48,
    METRICS_BUCKETS = 14, /* of latency: up to 2^i * 100 microseconds, the last without end */
    METRICS_GAMES = 16,
    METRICS_CODES = 96,
    METRICS_QUOTAS = 2
};

struct metrics {
    _Atomic uint64_t requests[METRICS_ROUTES][6]; /* by route and the status's first digit */
    _Atomic uint64_t latency[METRICS_ROUTES][METRICS_BUCKETS];
    _Atomic uint64_t latency_us[METRICS_ROUTES];
    _Atomic uint64_t moves[METRICS_GAMES];
    _Atomic uint64_t refusals[METRICS_GAMES][METRICS_CODES]; /* by game and rules_code */
    _Atomic uint64_t connections;
    _Atomic uint64_t quota_exceeded[METRICS_QUOTAS]; /* by quota_kind */
    _Atomic uint64_t waits;                          /* requests that wait for news right now */
};

void metrics_add(_Atomic uint64_t *counter, uint64_t n);
void metrics_request(struct metrics *metrics, size_t route, unsigned status, uint64_t us);

/* Writes everything in the Prometheus text format: the sums over all loops, and what `here`, the
 * loop that is asked, knows of its database. */
struct server;
void metrics_write(const struct server *here, struct json *out);

#endif
