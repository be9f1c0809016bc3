/*
 * metrics.h - what a loop counts.
 *
 * Each loop has counters of its own, as long as the loop lives. Only its own thread writes them;
 * any thread may read them: /metrics adds up those of all loops (handle/metrics_text.h).
 */
#ifndef PLYD_API_LOOP_METRICS_H
#define PLYD_API_LOOP_METRICS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "db/db.h"

enum {
    METRICS_ROUTES = 128,
    METRICS_NO_ROUTE = METRICS_ROUTES - 1, /* for requests that were answered without a route */
    METRICS_STATUSES = 24,
    METRICS_BUCKETS = 18, /* of latency: up to 2^i * 100 microseconds, the last without end */
    METRICS_GAMES = 16,
    METRICS_CODES = 96,
    METRICS_THINGS = 2, /* of quotas, and whose those are */
    METRICS_OWNERS = 2,
    METRICS_WAITS = 4,
    METRICS_STREAM_ENDS = 5,
    METRICS_ORIGINS = 2, /* of an event: this loop, another one */
    METRICS_HOOK_RESULTS = 8,
    METRICS_JOB_ENDS = 3, /* from TASK_DONE on */
    METRICS_DB_NUMBERS = sizeof(struct db_stats) / sizeof(uint64_t)
};

/* Routes are numbered as in the table of routes, games as in rules_game(). There is nothing but
 * such numbers in it: metrics_text.c adds them up without naming each. */
struct metrics {
    _Atomic uint64_t requests[METRICS_ROUTES][METRICS_STATUSES]; /* statuses: metrics_status() */
    _Atomic uint64_t latency[METRICS_ROUTES][METRICS_BUCKETS];   /* how many fell into a bucket */
    _Atomic uint64_t latency_us[METRICS_ROUTES];                 /* their sum */
    _Atomic uint64_t held[METRICS_ROUTES][METRICS_BUCKETS];      /* the same for how long each */
    _Atomic uint64_t held_us[METRICS_ROUTES];                    /* request held the loop */
    _Atomic uint64_t held_most_us[METRICS_ROUTES];               /* the longest of these times */
    _Atomic uint64_t offloaded[METRICS_ROUTES];    /* requests that workers have worked on */
    _Atomic uint64_t offloaded_us[METRICS_ROUTES]; /* and their CPU time */
    _Atomic uint64_t moves[METRICS_GAMES];         /* that were played */
    _Atomic uint64_t refusals[METRICS_GAMES][METRICS_CODES];         /* by enum rules_code */
    _Atomic uint64_t quota_exceeded[METRICS_THINGS][METRICS_OWNERS]; /* as in quota.h */
    _Atomic uint64_t waits;                      /* now: requests that wait for news */
    _Atomic uint64_t waits_ended[METRICS_WAITS]; /* early, by enum wait_end */
    _Atomic uint64_t streams;                    /* now: that are open */
    _Atomic uint64_t streams_opened;
    _Atomic uint64_t feeds;                              /* now: streams of all games of a player */
    _Atomic uint64_t stream_bytes;                       /* now: of the texts that are being sent */
    _Atomic uint64_t streams_ended[METRICS_STREAM_ENDS]; /* by enum stream_end */
    _Atomic uint64_t stream_events;                      /* that were told on streams */
    /* From the event until it was told, of streams that were up to date before. */
    _Atomic uint64_t stream_lag[METRICS_ORIGINS][METRICS_BUCKETS];
    _Atomic uint64_t stream_lag_us[METRICS_ORIGINS];         /* their sum */
    _Atomic uint64_t webhook_attempts[METRICS_HOOK_RESULTS]; /* by enum hook_failure */
    _Atomic uint64_t webhook_lag[METRICS_BUCKETS]; /* from the event until it was delivered */
    _Atomic uint64_t webhook_lag_us;               /* their sum */
    _Atomic uint64_t webhooks_at_work;             /* now: requests to receivers */
    _Atomic uint64_t webhooks_waiting;             /* now: those that have no turn yet */
    _Atomic uint64_t
        webhooks_oldest_us; /* now: since when the oldest event waits that could be sent */
    _Atomic uint64_t jobs;  /* now: that are being worked on */
    _Atomic uint64_t jobs_ended[METRICS_JOB_ENDS]; /* done, failed, cancelled */
    _Atomic uint64_t job_items[2];                 /* that came out well, and that failed */
    _Atomic uint64_t due;          /* now: promises that are due and were taken up (due.h), and */
    _Atomic uint64_t due_since_us; /* since when the oldest of them is, on loop_clock_us() */
    _Atomic uint64_t due_kept[2];  /* promises that were kept, and looks at them that failed */
    _Atomic uint64_t workers_waiting;        /* now: requests that wait for a worker */
    _Atomic uint64_t thoughts_waiting;       /* now: searches of the engine that have no turn yet */
    _Atomic uint64_t thoughts_running;       /* now: those that are under way */
    _Atomic uint64_t thoughts;               /* that have ended, and */
    _Atomic uint64_t thoughts_cancelled;     /* those of them that were ended early */
    _Atomic uint64_t thought_nodes;          /* that they visited */
    _Atomic uint64_t thought_us;             /* CPU time that they took */
    _Atomic uint64_t games;                  /* now: in memory */
    _Atomic uint64_t connections;            /* now: of clients */
    _Atomic uint64_t db[METRICS_DB_NUMBERS]; /* struct db_stats */
};

/* Adds to a counter, takes from it, sets it. Only the counters' own loop may. */
void metrics_add(_Atomic uint64_t *counter, uint64_t n);
void metrics_sub(_Atomic uint64_t *counter, uint64_t n);
void metrics_set(_Atomic uint64_t *counter, uint64_t value);

/* Counts a request that was answered with a status after this many microseconds. */
void metrics_request(struct metrics *metrics, size_t route, unsigned status, uint64_t us);

/* Counts that a request held the loop for this long at one go. */
void metrics_held(struct metrics *metrics, size_t route, uint64_t us);

/* Counts that a stream was told of an event this long after it. Origin 0 is this loop. */
void metrics_stream_lag(struct metrics *metrics, size_t origin, uint64_t us);

/* Counts that an event was delivered to a webhook this long after it. */
void metrics_webhook_lag(struct metrics *metrics, uint64_t us);

/* Counts that a worker has worked on a request. */
void metrics_offloaded(struct metrics *metrics, size_t route, uint64_t us);

/* Copies the numbers that other threads cannot look up themselves: db's, the games in memory,
 * the connections and the requests that wait for a worker. The counters' own loop calls it from
 * time to time. */
void metrics_publish(struct metrics *metrics, const struct db *db, size_t games, size_t connections,
                     size_t workers_waiting);

/* The status that requests[][i] counts; 0 stands for all that have no counter of their own. NULL
 * past the last. */
const unsigned *metrics_status(size_t i);

#endif
