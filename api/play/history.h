/*
 * history.h - the moves that a job has fetched (job_need_moves).
 */
#ifndef PLYD_API_PLAY_HISTORY_H
#define PLYD_API_PLAY_HISTORY_H

#include "api/game/course.h"
#include "api/table/jobs.h"

/* The move at a ply; NULL: it was not fetched, or the ply is 0. */
const struct db_event *history_at(const struct job *job, int32_t ply);

/* The same as it is to be shown, with the position *before that it was played in; `last` is the
 * move before it. False: it was not fetched, or the one before it was not. */
bool history_move(const struct job *job, int32_t ply, rules_move last, struct rules_state *before,
                  struct course_move *view);

/* The same where `last` is not known but was fetched, too. */
bool history_last_move(const struct job *job, int32_t ply, struct rules_state *before,
                       struct course_move *view);

#endif
