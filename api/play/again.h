/*
 * again.h - a move that is meant for a ply other than the next one.
 *
 * A PUT names its ply, so it may be repeated when its answer got lost: if the move of that ply is
 * the one that it asks for, it is answered as the first time, with 200, whoever else has moved
 * since. Any other move came too late (or too early), and the refusal shows the moves that the
 * client missed.
 */
#ifndef PLYD_API_PLAY_AGAIN_H
#define PLYD_API_PLAY_AGAIN_H

#include "api/table/jobs.h"

/* Answers a job whose move_args name a ply that is not the next one. `seats` are those that the
 * request plays. */
enum step again_answer(struct job *job, unsigned seats);

#endif
