/*
 * stackchess_worth.h - what a position of Stackchess is worth, and what each side can reach in it.
 *
 * A lone man takes nothing, and a stack is lost whole. So a side's men are worth what they are, a
 * stack that the enemy can take in one move is worth much less to its owner, and the last men of a
 * side only if they can still move together. To that comes a sum of weights (engine/tally.h), from
 * the view of either side:
 *
 *     men      by kind and by how many are left on the board; by kind and distance from the edge;
 *              pawns by the ranks that they have gone
 *     stacks   by height, by whether the enemy can take them and whether they are covered, and by
 *              whose turn it is
 *     squares  by how many men of each side can come there at once
 *     the last three men of a side, by kind and by how many the other side has: some are caught,
 *              some never
 *     the turn
 *
 * The weights were fitted to games that the engine played against itself
 * (engine/stackchess_weights.def, made by `make fit GAME=stackchess`).
 */
#ifndef PLYD_ENGINE_STACKCHESS_WORTH_H
#define PLYD_ENGINE_STACKCHESS_WORTH_H

#include "engine/game.h"
#include "rules/stackchess/board.h"

/* How many men a side can bring to each square with one move at most. */
struct reach {
    uint16_t men[BOARD_MAX * BOARD_MAX];
};

struct reach stackchess_reach(const struct rules_state *state, unsigned side);

/* What the men of a stack are worth, and how many they are. */
int32_t stackchess_stack_worth(const struct view *view, unsigned side, unsigned square,
                               unsigned *height);

/* As engine_game.evaluate. */
int32_t stackchess_worth(const struct rules_state *state);

extern const struct engine_weights stackchess_worth_weights;

#endif
