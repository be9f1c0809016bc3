/*
 * shogi_worth.h - what a position of shogi is worth.
 *
 * The worth is a sum of weights (engine/tally.h), and each weight belongs to something that can be
 * seen without a move. From the view of either side:
 *
 *     men        by kind and rank, and by kind and place as seen from each of the kings
 *     kings      by square
 *     hands      by kind and how many are held
 *     squares    as seen from each king: what stands there, and how many men of either side attack
 *                it. So a king is safe or not.
 *     threats    men by kind, by how often they are attacked and defended, and by whose turn it is
 *     the turn
 *
 * Places as seen from a king are files away from it, to either side alike, and ranks before or
 * behind it. The weights were fitted to games that the engine played against itself
 * (engine/shogi_weights.def, made by `make fit GAME=shogi`).
 */
#ifndef PLYD_ENGINE_SHOGI_WORTH_H
#define PLYD_ENGINE_SHOGI_WORTH_H

#include "engine/game.h"
#include "rules/shogi/board.h"

/* For the side to move, in hundredths of a pawn, roughly. Both kings are on the board. */
int32_t shogi_worth(const struct shogi *s);

extern const struct engine_weights shogi_worth_weights;

#endif
