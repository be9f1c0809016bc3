/*
 * loop.h - what one event loop owns.
 *
 * A daemon runs one or more loops, each in a thread of its own: with its own listening socket, HTTP
 * connections, connections to PostgreSQL and games in memory. Loops share nothing, so that nothing
 * here is locked; only a loop's counters may be read by others. server.c fills a loop and runs it,
 * the rooms above use what lies in it.
 */
#ifndef PLYD_API_LOOP_LOOP_H
#define PLYD_API_LOOP_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/loop/metrics.h"

struct config;
struct db;
struct http;
struct players;
struct quota;
struct route;
struct tables;
struct waits;

struct loop {
    struct db *db; /* NULL once the loop has ended its last request */
    struct http *http;
    struct tables *tables;
    struct waits *waits;
    struct players *players;
    struct quota *quota;
    struct metrics metrics;
    const struct config *config;
    const struct route *routes; /* every address, for the names of metrics */
    int64_t now;                /* monotonic microseconds: the time of the present turn */
    bool draining;              /* no new requests are taken, those under way are answered */
};

enum { LOOP_MAX = 64 }; /* of a process */

/* The loops of the process. They are registered before the first one runs. */
void loop_register(struct loop *loop);
void loop_forget_all(void);

/* Loop i; NULL past the last. */
struct loop *loop_at(size_t i);

/* Seconds since the first loop was registered. */
uint64_t loop_uptime_s(void);

/* Monotonic microseconds right now. loop->now is cheaper and the same for a whole turn. */
int64_t loop_clock_us(void);

#endif
