/*
 * review_job.h - the review of a line as a task (tasks.h).
 *
 * The same verdicts as those of the stream (analysis_judge()), as items.
 *
 * What is to be judged is stored with the task: the position before the first move, the keys of
 * those before it, and the moves. So it does not matter what happens to the game meanwhile. A piece
 * is one move. Its item is stored before the next one is searched, and after a crash the task goes
 * on behind it. The player pays in advance, by the nodes that were asked for.
 */
#ifndef PLYD_API_ENDPOINTS_ENGINE_REVIEW_JOB_H
#define PLYD_API_ENDPOINTS_ENGINE_REVIEW_JOB_H

#include "api/duty/tasks.h"
#include "api/endpoints/engine/review.h"
#include "api/http/request.h"

/* Whether the client would rather have a job than a stream, and is a player, who can have one. */
bool review_job_is_wanted(struct request *request);

/* Makes the task and answers. The same request with the same Idempotency-Key makes no second one.
 * `options` is the text of the game's (options_to_json()), `id` that of the game, or NULL. */
void review_job_make(struct request *request, const struct review_line *line, const char *options,
                     const db_id *id);

extern const struct task_kind review_job;

#endif
