/*
 * path.h - the way from the root to a position: going forwards and back, what ends it, and what it
 * is worth.
 *
 * A position is judged when it is entered: the rules say whether the game is over. Besides, a
 * position that stood before on this path is a draw, or lost for a side that has only given checks
 * since: going round for ever gains no more than going round once. A position of the game itself is
 * searched like any other, except by an opponent, which takes it for a draw: so it does not walk in
 * circles while it is ahead. Verdicts on repetition are kept out of the table of positions, since
 * they depend on the path.
 */
#ifndef PLYD_ENGINE_PATH_H
#define PLYD_ENGINE_PATH_H

#include "engine/search.h"

/* Counts nodes. Stops the search when they are used up or it is cancelled. */
void path_count(struct engine *engine, uint64_t n);

/* Plays a move from frame[ply] to the next one; path_leave() goes back. */
void path_enter(struct engine *engine, unsigned ply, rules_move move);
void path_leave(struct engine *engine);

/* The same without a move. What came before cannot recur then: path_leave() leaves engine->since to
 * the caller. False: to pass would prove nothing. */
bool path_pass(struct engine *engine, unsigned ply);

/* Whether the game is over in frame[ply], or as good as that; then *score is the verdict. */
bool path_is_over(const struct engine *engine, unsigned ply, int32_t *score);

/* Whether the side to move must answer a threat. */
bool path_is_urgent(const struct engine *engine, struct frame *frame);

/* The worth of a position as it stands, as the level judges it. */
int32_t path_value(const struct engine *engine, const struct frame *frame);

/* Makes the best line from `ply` on a move followed by the best line from the next ply on. */
void path_extend(struct engine *engine, unsigned ply, rules_move move);

#endif
