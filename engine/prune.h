/*
 * prune.h - what a search need not look at, and what it may look at less deeply.
 *
 * Each game allows as much of it as it stands, by a few numbers and by pass() (game.h). None of it
 * is a proof; games that the engine played against itself decided what stayed.
 */
#ifndef PLYD_ENGINE_PRUNE_H
#define PLYD_ENGINE_PRUNE_H

#include "engine/search.h"

/* What is known when the moves of a position are gone through. */
struct visit {
    int depth;
    bool pv, urgent;
    bool improving; /* the side to move stands better than at its last turn */
    int32_t value;  /* how the position is judged as it stands */
};

/* Whether the value of a position is so far beyond beta that its depth is too small to lose it
 * again. */
bool prune_is_won(const struct engine *engine, const struct visit *visit, int32_t beta);

/* Whether a search after a pass may refute frame[ply], and how deep that search goes. */
bool prune_may_pass(const struct engine *engine, unsigned ply, const struct visit *visit,
                    int32_t beta);
int prune_pass_depth(const struct engine *engine, const struct visit *visit, int32_t beta);

/* Whether the move in place `i` of frame[ply] need not be tried: one that loses more than the depth
 * can make up for, a quiet one after many others, or one that cannot make up for what is missing.
 */
bool prune_is_hopeless(struct engine *engine, unsigned ply, const struct visit *visit, size_t i,
                       int32_t alpha);

/* By how much the quiet move in place `i` is searched less deeply: less if it was often good. */
int prune_reduction(struct engine *engine, unsigned ply, const struct visit *visit, size_t i);

#endif
