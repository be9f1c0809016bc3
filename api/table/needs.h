/*
 * needs.h - what steps of jobs ask the database for, beside the game's row (jobs.h): moves, keys,
 * the ends of lines, plans, vacations.
 *
 * Each is part of a step. STEP_GO: it is there. STEP_LATER: it was asked for, and the step is
 * called again when it has come. If the database fails, the request is answered and the step is not
 * called again. What was fetched lies in the job and its request's arena; keys lie at the table.
 */
#ifndef PLYD_API_TABLE_NEEDS_H
#define PLYD_API_TABLE_NEEDS_H

#include "api/table/jobs.h"

/* The moves of `line` from ply `from` to ply `to` are in job->moves. */
enum step needs_moves(struct job *job, int32_t line, int32_t from, int32_t to);

/* The same without their positions and data. */
enum step needs_played(struct job *job, int32_t line, int32_t from, int32_t to);
/* The same for a request that will be told that its move was made: the moves are durable. */
enum step needs_durable_moves(struct job *job, int32_t line, int32_t from, int32_t to);

/* The table's keys reach back to ply `from`, or further. */
enum step needs_keys(struct job *job, int32_t from);

/* The keys of the plies behind the present one, up to `to`, are in job->ahead: of moves that were
 * undone. */
enum step needs_keys_ahead(struct job *job, int32_t to);

/* The vacation that a player is on, or else the last one that is known, is in *vacation; NULL:
 * there is none. */
enum step needs_vacation(struct job *job, db_id player, const struct db_span **vacation);

/* The last ply of a line that is not the present one is in *end. */
enum step needs_line_end(struct job *job, int32_t line, int32_t *end);

/* The plan that is stored of a seat is in *plan; NULL: there is none. Whether it still holds says
 * row.plans (plans.h). */
enum step needs_plan(struct job *job, int seat, const struct db_plan **plan);

#endif
