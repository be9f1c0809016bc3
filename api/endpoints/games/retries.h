/*
 * retries.h - answers to requests that were done before, and to moves for an earlier ply.
 *
 * A request with an Idempotency-Key has left its mark in the log (idempotency.h). It gets its first
 * answer again, composed from the log: its own moves with their plies and lines, and the answers of
 * the computer or a plan, also where they were undone since; of an opponent that thinks, too, once
 * it has moved. The game beside them is shown as it is now, with its version, since that is what
 * the client goes on with. So if nothing happened in between, the answer is the same byte by byte.
 *
 * A PUT names its ply, so it may be repeated without a key, too: if the move of that ply is the one
 * that it asks for, it is answered in the same way, with 200, whoever else has moved since. Any
 * other move came too late (or too early), and the refusal shows the moves that the client missed.
 */
#ifndef PLYD_API_ENDPOINTS_GAMES_RETRIES_H
#define PLYD_API_ENDPOINTS_GAMES_RETRIES_H

#include "api/live/op.h"

/* Answers an op whose move_args name a ply that is not the next one. `seats` are those that the
 * request plays. */
enum step retries_answer(struct op *op, unsigned seats);

/* Refuses what was meant for the game as it was before the move of a ply, with the moves since. */
enum step retries_stale(struct op *op, int32_t ply);

/* Answer an op whose request has left its mark: one that played moves, and one that was answered
 * with the game. */
enum step retries_moves(struct op *op);
enum step retries_game(struct op *op);

/* Answers an op whose request has played moves just now, which the event op->told tells, as
 * retries_moves() does: with the answers that there are by now. */
enum step retries_answered(struct op *op);

#endif
