/*
 * internal.h - struct db itself, and what every file of db/ may call: base.c and clock.c.
 *
 * All of it belongs to the thread that runs the loop, so nothing here is locked.
 */
#ifndef PLYD_DB_INTERNAL_H
#define PLYD_DB_INTERNAL_H

#include "connection.h"
#include "db.h"
#include "kinds.h"
#include "queue.h"
#include "shards.h"
#include "wire.h"

struct db {
    struct db_settings settings;
    const struct kind_info *kinds; /* kinds_table */
    int epoll;                     /* watches the sockets of all connections */
    int64_t now;                   /* db_monotonic_us() of the present loop pass */
    int64_t clock;                 /* the database's time minus db_monotonic_us() */
    _Atomic uint32_t *timeline;    /* the newest that was seen: of the settings, or own_timeline */
    _Atomic uint32_t own_timeline;
    int schema;        /* of the database, as the last new connection found it; 0: none has */
    int64_t logged_at; /* when it was last logged that no connection can be made */

    struct queue queues[LANES];
    struct queue refused;    /* found the queues full; are told so in the next pass */
    uint32_t queued;         /* requests in `queues` */
    unsigned turn;           /* the lane that is served first in this pass */
    struct db_request *free; /* to be used again */
    struct chunk *chunks;    /* what all requests lie in */

    struct connection *connections;       /* settings.connections of them */
    unsigned writing, reading;            /* statements under way, but for the large lane's */
    unsigned at_part[SHARDS_WORKERS + 1]; /* of these, at each part (queue.h) */
    int64_t apart_until;  /* a worker stands still: kinds with `there` (kinds.h) are sent as that */
    struct shards shards; /* of the database, as the last new connection found them */
    struct wire_params params; /* of the statement that is being sent: libpq copies them */
    void *scratch;             /* of the reply that is being made: batch_scratch() */
    size_t scratch_size;
    struct db_stats stats;
};

/* Microseconds of a clock that only goes forward. Deadlines and timers are on it. */
int64_t db_monotonic_us(void);

/* Microseconds since 1970 by the machine's clock. */
int64_t db_realtime_us(void);

/* The server has told its time. */
void clock_told(struct db *db, const struct db_time *time);

/* Gives an event to the caller's log. The detail is one line, and cut if it is long. */
void db_log(const struct db *db, enum db_log_level level, const char *event, const char *format,
            ...) __attribute__((format(printf, 4, 5)));

/* Errors that several files report. */
extern const struct db_error db_no_memory, db_closing;

/* Builds with PLYD_FAULTS die here, as by kill -9, if the environment's PLYD_FAULT is "kind:point"
 * or "kind:point:n" and this is the first or n-th time. `kind` is the kind's name. */
#ifdef PLYD_FAULTS
void db_fault(const char *kind, const char *point);
#else
#define db_fault(kind, point) ((void)(kind), (void)(point))
#endif

#endif
