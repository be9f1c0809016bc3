/*
 * jobs.h - how requests take turns at a game.
 *
 * A job is one request's business at one table. The jobs of a table run one at a time, in the order
 * in which they came. A job's step is a function that ends in one of two ways:
 *   - STEP_OVER: the request was answered, or waits for news (waits.h). The next job has its turn.
 *   - STEP_LATER: the step asked the database for something it lacks (job_need_*), or for a write
 *     (job_append). The table is busy until that has come, and no other job has a turn.
 * When what it asked for is there, the step is called again from its start. It finds the table as
 * it is by then: another daemon may have moved, and the row may have been read anew. So a step
 * keeps nothing from one call to the next but what is in its args, and what it asked for is simply
 * there the next time. After a write that is done, `written` is called instead of the step.
 *
 * Each turn at a game whose deadline has passed begins with what the clock has brought about: it is
 * written first, by the function that tables_open() was given. So a step never sees a game that is
 * over by time as one that goes on.
 *
 * A table is a copy and may be stale. What is read from it is answered only once the database was
 * seen to be at the same version, after the request had come: job_need_confirmed(). Writes need no
 * such look, because their guard is in the statement.
 *
 * A job lies in its request's arena. Only the loop's thread calls these functions.
 */
#ifndef PLYD_API_TABLE_JOBS_H
#define PLYD_API_TABLE_JOBS_H

#include "api/game/clock.h"
#include "api/http/request.h"
#include "api/table/tables.h"

struct idempotency;
struct game_log;

/* The moves that needs_moves() asked for, in order of ply. */
struct line_moves {
    int32_t line, from, to; /* what was asked for */
    bool durable;
    const struct db_event *moves;
    size_t count; /* of those that exist */
};

/* The keys that needs_keys_ahead() asked for, in order of ply. */
struct line_keys {
    int32_t line, from, to; /* what was asked for */
    uint64_t *keys;
    size_t count;
    bool all; /* those that exist are there */
};

/* The plan of a seat that needs_plan() asked for. */
struct seat_plan {
    bool known;
    int32_t plans;       /* row.plans when it was asked for */
    struct db_plan plan; /* tree NULL: there is none */
};

struct job {
    struct request *request;
    enum step (*step)(struct job *job);
    void *args;          /* the use case's own */
    struct table *table; /* set before the first step */
    struct line_moves moves;
    struct line_keys ahead;
    struct seat_plan plan[DB_SEATS];
    int wait_s; /* how long it may wait for news (waits.h); 0: not at all, or not any more */

    /* Set at the beginning of each turn: the database's time, and the outages that are known. */
    int64_t now;
    struct clock_gaps gaps;

    /* Set before the job is submitted; NULL: the request has no key. If the same request was done
     * before and has left its mark, `told` is what was found, and in place of the step `again` is
     * called, which writes nothing. NULL: the request leaves no mark, but an answer. */
    struct idempotency *idempotency;
    enum step (*again)(struct job *job);
    struct db_answer told;

    /* Set before job_append(). `written` answers the request once the write is durable. If the job
     * goes on, the write was none of its own: the step is called again instead. */
    struct table_write write;
    bool goes_on;
    void (*written)(struct job *job);
    void *prepared; /* the use case's own, for `written` or the answer of job_offload() */

    /* Private to jobs.c. */
    bool has_moves;
    bool has_vacation;
    struct db_span vacation;       /* to 0: there is none */
    int32_t ended_line, line_end;  /* needs_line_end() knows of this line; 0: of none */
    void (*work)(struct job *job); /* of job_offload() or job_offload_part() */
    struct job *next;

    struct game_log *part; /* private to game_log.c */
};

/* Makes a job in the request's arena. */
struct job *job_new(struct request *request, enum step (*step)(struct job *job), void *args);

/* Puts a job in line at a game's table, and runs it if it is the first. If its turn has not come in
 * time (tables_open), or there is no such game, the request is answered without its step. */
void job_submit(struct job *job, db_id id);

/* ---- what a step may ask for ---- */

/* Each is part of a step. STEP_GO: it is there. STEP_LATER: it was asked for. If the database
 * fails, the request is answered and the step is not called again. needs.h has more of them. */

/* The table is known to be the game's present state, as of after the request had come. */
enum step job_need_confirmed(struct job *job);

/* The row was read after the request had come. So it also has what changes without a new version:
 * row.plans. */
enum step job_need_row(struct job *job);

/* Stores a plan, which has to lie in the request's arena, or deletes it (tree NULL). As
 * job_append(): `written` answers then, and if anything has changed meanwhile, nothing is stored
 * and the step is called again. */
enum step job_set_plan(struct job *job, const struct db_plan *plan);

/* Writes job->write, with the answer that belongs to its key. STEP_LATER; or STEP_OVER, if the key
 * belongs to another request, which was answered. If the game has moved on in another daemon,
 * nothing is written, and the step is called again with the game as it is. */
enum step job_append(struct job *job);

/* ---- asking for other things ---- */

/* A step that asks the database for something else calls job_wait() and returns STEP_LATER. The
 * callback then calls one of the other two: job_resume() to have the step called again, or
 * job_end() after it has answered the request. */
void job_wait(struct table *table);
void job_resume(struct table *table);
void job_end(struct job *job);

/* ---- long work ---- */

/* Has a worker compose the answer (offload.h), for what would hold the loop up. Its job is a copy
 * of the table, as of now, and has what the step has fetched; `answer` answers the request from
 * these. Always STEP_OVER: the next job has its turn at once. */
enum step job_offload(struct job *job, void (*answer)(struct job *job));

/* The same for a part of what the step does, which answers nothing. Then the job lines up anew, and
 * its step is called from its start: the game may be another one by then. */
enum step job_offload_part(struct job *job, void (*work)(struct job *job));

/* ---- for waits.c ---- */

/* Asks whether the database has another version of the game, unless the table is busy: then it will
 * hear of that by itself. */
void job_look(struct table *table);

#endif
