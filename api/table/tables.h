/*
 * tables.h - the games that a loop holds in memory, and how requests take turns at them.
 *
 * A table is a game with its position ready to be played on. It is a copy: the row in PostgreSQL
 * decides. A job is one request's business at one table. Jobs of a table run one at a time, in
 * order; its `step` is called from the start whenever something that it had asked for has arrived,
 * and ends in exactly one of these ways:
 *   - it answered the request and called job_done();
 *   - it asked for something (a job_need_* function, or job_confirmed() returned false) and
 *     returned: it is called again later;
 *   - it wrote: job_append(). Its `written` is called once that is durable. If another daemon was
 *     faster, the table is read anew and `step` is called again.
 *
 * A copy may be stale. So what is read from it is answered only when the database was seen to be at
 * the same version after the request had come: job_confirmed(). Writes need no such look, their
 * guard is in the database.
 */
#ifndef PLYD_API_TABLE_TABLES_H
#define PLYD_API_TABLE_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/http/request.h"
#include "db/db.h"
#include "rules/rules.h"

enum {
    STATUS_OPEN = 1, /* a seat is open */
    STATUS_ACTIVE = DB_STATUS_ACTIVE,
    STATUS_FINISHED,
    STATUS_ABORTED
};

enum { SEAT_OPEN = 1, SEAT_TAKEN, SEAT_ENGINE };
enum { UNDO_FREE = 1, UNDO_CONSENT, UNDO_NEVER };
enum { VISIBILITY_PUBLIC = DB_VISIBILITY_PUBLIC, VISIBILITY_UNLISTED, VISIBILITY_PRIVATE };

enum event_kind {
    EVENT_MOVE = DB_EVENT_MOVE,
    EVENT_CREATED,
    EVENT_JOINED,
    EVENT_UNDO,
    EVENT_REDO,
    EVENT_RESIGNED,
    EVENT_ABORTED,
    EVENT_DECLARED,
    EVENT_RECORDED /* a record told how the game ended: its data does */
};

struct tables;
struct server;

struct table {
    struct db_game row; /* its texts belong to the table */
    const struct rules_game *game;
    struct rules_options options;
    struct rules_state *state; /* only as large as it has to be */
    rules_move last;           /* the last move; none at the start, or where it is not known */
    char *shown;               /* the game as clients see it, in JSON; NULL until somebody asked */

    /* The keys of the positions of the present line, ply keys_from to row.ply. */
    uint64_t *keys;
    int32_t keys_from;
    size_t nkeys, keys_size;

    /* Private to tables.c. */
    struct tables *tables;
    struct job *head, *tail;
    struct wait *waiting; /* those who wait for news (waits.h) */
    bool loaded, busy;
    int64_t confirmed; /* asked the database then, and it was at row.version */
    int64_t asked;
    char *texts, *position, *last_move;
    struct table *chain, *newer, *older;
};

/* Moves that were asked for by job_need_moves(), in order of ply. */
struct line_moves {
    int32_t line, from, to;
    const struct db_event *moves;
    size_t count;
};

/* What a job writes: made by its step, valid until `written` or a new step. */
struct job_write {
    struct db_game after;
    struct rules_state *state; /* the position after it, or NULL: unchanged */
    rules_move last;           /* the move that led to it */
    const struct db_event *events;
    size_t count;
    const struct db_answer *answer;
    bool joins; /* stores the seats too */
    /* The new keys of the line: those up to `keys_kept` positions stay, `new_keys` follow. */
    int32_t keys_kept_to_ply;
    const uint64_t *new_keys;
    size_t nnew_keys;
};

struct job {
    struct request *request;
    void (*step)(struct job *job);
    void (*written)(struct job *job); /* answers the request and calls job_done() */
    void *args;
    struct table *table; /* set before the first step */
    void *prepared;      /* the use case's own: the answer for when it is written */

    int wait_s; /* how long it would wait for news (waits.h) */

    /* Idempotency: filled by answers.h before the job is submitted. */
    struct idempotency *idempotency;

    /* Private to tables.c. */
    struct job_write write;
    bool has_moves;
    struct line_moves moves;
    struct job *next;
};

/* At most `limit` games stay in memory, the most recently used ones. A job whose turn comes (or
 * comes again) more than `patience` microseconds after its request is told so with 503. */
struct tables *tables_open(struct server *server, size_t limit, int64_t patience);

/* How many games are in memory. */
size_t tables_count(const struct tables *tables);
void tables_close(struct tables *tables);

/* A job from the request's arena. */
struct job *job_new(struct request *request, void (*step)(struct job *job), void *args);

/* Puts the job to its turn at a game's table. */
void job_submit(struct job *job, db_id id);

/* The request was answered: the job is over, the next one's turn begins. */
void job_done(struct job *job);

/* True if the copy is known to be the present state, as of after the request came. If not, the
 * job's step is called again once it is. */
bool job_confirmed(struct job *job);

/* True if the moves of `line` from ply `from` to ply `to` are in job->moves. */
bool job_need_moves(struct job *job, int32_t line, int32_t from, int32_t to);

/* True if the table's keys reach back to ply `from` or further. */
bool job_need_keys(struct job *job, int32_t from);

/* Looks whether the database has another version, unless somebody is at the table anyway. */
void table_look(struct table *table);

/* For other things that a step may ask for: nobody's turn at the table until job_resume(). */
void job_wait(struct table *table);
void job_resume(struct table *table);

/* Writes job->write. */
void job_append(struct job *job);

/* Answers a request whose database call had no good outcome: 503, or 500 for a refusal. */
void reply_outcome(struct request *request, const struct db_reply *reply);

#endif
