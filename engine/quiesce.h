/*
 * quiesce.h - the end of a line: exchanges are followed until the position can be judged as it
 * stands.
 */
#ifndef PLYD_ENGINE_QUIESCE_H
#define PLYD_ENGINE_QUIESCE_H

#include "engine/search.h"

/* The score of frame[ply] when for so many plies only noisy moves are looked at, or all moves where
 * the side to move must answer a threat. */
int32_t quiesce(struct engine *engine, unsigned ply, unsigned plies, int32_t alpha, int32_t beta);

#endif
