/*
 * again.h - a move that is meant for a ply that was played already: the same one again, which is
 * answered as the first time, or another one, which came too late.
 */
#ifndef PLYD_API_PLAY_AGAIN_H
#define PLYD_API_PLAY_AGAIN_H

#include "api/table/jobs.h"

/* Answers a job whose move_args name a ply that is not the next one. `seats` are the asker's. */
enum step again_answer(struct job *job, unsigned seats);

#endif
