/*
 * order.h - which moves a position has, in which order they are searched, and what is learnt.
 */
#ifndef PLYD_ENGINE_ORDER_H
#define PLYD_ENGINE_ORDER_H

#include "engine/search.h"

/* The mark by which the table of positions knows a move; never 0. */
uint16_t order_mark(rules_move move);

/* Lists and rates the moves of frame[ply]: all of them, the one with the mark `best` first; or
 * those that quiescence looks at, noisy ones that lose nothing and, if wanted, forcing ones. */
void order_all(struct engine *engine, unsigned ply, uint16_t best);
void order_noisy(struct engine *engine, unsigned ply, bool forcing);

/* Where all moves that order_all() has listed lose: whether that is a loss. No, if others were left
 * out that might not lose, or if the side to move wins by a declaration. */
bool order_proves_loss(const struct engine *engine, unsigned ply);

/* Brings the best of the moves from place `i` on to that place. */
void order_pick(struct frame *frame, size_t i);

/* The move in place `refuter` has refuted the position: it gains, and those before it lose. */
void order_learn(struct engine *engine, unsigned ply, size_t refuter, int depth);

/* How good a quiet move was so far. */
int32_t order_learnt(struct engine *engine, unsigned ply, rules_move move);

#endif
