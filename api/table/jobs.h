/*
 * jobs.h - how requests take turns at a game.
 *
 * A job is one request's business at one table. Jobs of a table run one at a time, in order; its
 * `step` is called from the start whenever something that it had asked for has arrived, and ends in
 * exactly one of these ways:
 *   - STEP_OVER: it answered the request, or put it aside to wait for news (waits.h);
 *   - STEP_LATER: it asked for something (a job_need_* function) and is called again later;
 *   - STEP_LATER: it wrote, by job_append(). Its `written` is called once that is durable. If
 * another daemon was faster, the table is read anew and `step` is called again.
 *
 * A table may be stale. So what is read from it is answered only when the database was seen to be
 * at the same version after the request had come: job_need_confirmed(). Writes need no such look,
 * their guard is in the database.
 */
#ifndef PLYD_API_TABLE_JOBS_H
#define PLYD_API_TABLE_JOBS_H

#include "api/http/request.h"
#include "api/table/tables.h"

struct idempotency;

/* How a step ended, or a part of one. Only a part ends with STEP_GO: the step goes on. With
 * anything else the step returns at once what its part returned. */
enum step { STEP_GO, STEP_LATER, STEP_OVER };

/* Moves that were asked for by job_need_moves(), in order of ply. */
struct line_moves {
    int32_t line, from, to;
    const struct db_event *moves;
    size_t count;
};

struct job {
    struct request *request;
    enum step (*step)(struct job *job);
    void (*written)(struct job *job); /* answers the request */
    void *args;
    struct table *table; /* set before the first step */
    void *prepared;      /* the use case's own: the answer for when it is written */

    int wait_s; /* how long it is to wait for news (waits.h) */

    /* Of its Idempotency-Key, or NULL: set before the job is submitted. */
    struct idempotency *idempotency;

    /* Private to jobs.c. */
    struct table_write write;
    bool has_moves;
    struct line_moves moves;
    struct job *next;
};

/* A job from the request's arena. */
struct job *job_new(struct request *request, enum step (*step)(struct job *job), void *args);

/* Puts the job to its turn at a game's table. One whose turn comes too late (tables_open) is told
 * so with 503. */
void job_submit(struct job *job, db_id id);

/* The copy is known to be the present state, as of after the request came. */
enum step job_need_confirmed(struct job *job);

/* The moves of `line` from ply `from` to ply `to` are in job->moves. */
enum step job_need_moves(struct job *job, int32_t line, int32_t from, int32_t to);

/* The table's keys reach back to ply `from` or further. */
enum step job_need_keys(struct job *job, int32_t from);

/* Writes job->write. */
enum step job_append(struct job *job);

/* For other things that a step asks for: it calls job_wait() and returns STEP_LATER. What it asked
 * for then calls one of the others: the step is called again, or the request was answered. */
void job_wait(struct table *table);
void job_resume(struct table *table);
void job_end(struct job *job);

/* Looks whether the database has another version, unless somebody is at the table anyway. */
void job_look(struct table *table);

#endif
