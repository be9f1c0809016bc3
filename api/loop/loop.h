/*
 * loop.h - what one event loop owns.
 *
 * A daemon runs one or more loops, each in a thread of its own, with its own listening socket, HTTP
 * connections, connections to PostgreSQL and games in memory. Loops share nothing, so nothing in
 * them is locked: only the loop's own thread touches it, but for the counters in `metrics` and
 * `writes`, which every thread may read. api/server.c makes a loop, fills it and runs it; all
 * folders from loop/ on find here what they need, usually by request->loop.
 */
#ifndef PLYD_API_LOOP_LOOP_H
#define PLYD_API_LOOP_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/http/request.h"
#include "api/loop/metrics.h"
#include "db/db.h"

struct config;
struct net;
struct part;
struct quota;
struct route;

/* What belongs to each part of a loop (part.h), by its number. */
enum loop_part {
#define PART(name) PART_##name,
#include "api/loop/parts.def"
#undef PART
    PARTS
};

struct loop {
    struct db *db; /* NULL once it is closed */
    struct net *net;
    const struct part *const *parts;
    void *own[PARTS]; /* what each part has here; NULL: it has not been opened, or is not here */
    int due_fd;       /* eventfd by which the others tell it of what is due; 0: there is none */
    struct quota *quota;
    struct metrics metrics;
    db_id daemon;            /* the same in all loops of a process */
    _Atomic uint64_t writes; /* to games so far; other loops read it (other_writers.h) */
    const struct config *config;
    const struct route *routes; /* every address, for the names of metrics */
    int64_t now;    /* loop_clock_us() at the beginning of the present pass, or later in it */
    int64_t began;  /* when the work on the present request began, and */
    unsigned depth; /* how many metering_begin() are open (metering.h) */
    int64_t pass;   /* when the present pass began, on that clock */
    int64_t cpu_us; /* the thread's CPU time when it was last looked at, and */
    int64_t worked; /* how long the passes since then have taken (metering.h) */
    const struct db_span *outages; /* all that are known, in order (heartbeat.h) */
    size_t outages_count;
    _Atomic bool leaving; /* the daemon will stop soon: it serves, but is not ready any more */
    bool draining;        /* the daemon stops: no new connections, no waiting for news */
    bool ending;          /* it takes no request any more */
    bool is_first;        /* it does what one loop of a process has to do */
    bool monitors; /* it serves /metrics and /healthz alone, and has neither games nor a database */
};

/* long_polls_of(loop) is the loop's struct long_polls, and so on. */
#define PART(name)                                                \
    struct name;                                                  \
    static inline struct name *name##_of(const struct loop *loop) \
    {                                                             \
        return loop->own[PART_##name];                            \
    }
#include "api/loop/parts.def"
#undef PART

/* The database, as its loop talks to it. */
static inline struct db *db_of(const struct request *request)
{
    return request->loop->db;
}

/* ---- all loops ---- */

enum { LOOP_MAX = 64 }; /* loops of a process */

/* Adds a loop to those of the process. All are added before the first one runs and stay until all
 * have ended, so that any thread may look them up in between. */
void loop_register(struct loop *loop);
void loop_forget_all(void);

/* Loop i; NULL past the last. */
struct loop *loop_at(size_t i);

/* Seconds since the first loop was registered. */
uint64_t loop_uptime_s(void);

/* ---- time ---- */

/* Monotonic microseconds right now. loop->now is the same clock, without a call for each look. */
int64_t loop_clock_us(void);

/* Milliseconds from loop->now until then, rounded up: a loop that wakes too early would only have
 * to sleep again. -1: INT64_MAX, which is never. */
int loop_ms_until(const struct loop *loop, int64_t when);

#endif
