/*
 * plans.h - conditional moves of a seat (game/plans.h).
 *
 * Setting, looking at and deleting the plan of a seat, and its answer to a move.
 *
 * A plan is its owner's secret. To set one is no event: the game keeps its version, and nothing
 * that anybody else can read changes. So its writes are guarded by db_game.plans, too: a move that
 * does not know of a plan that was acknowledged before is not written, and is judged again.
 *
 * A plan is set while the other side is to move, at the present ply. It answers in the transaction
 * of the move that it answers, so no more than one plan of a game is alive at a time: that of the
 * side that is not to move.
 */
#ifndef PLYD_API_ENDPOINTS_GAMES_PLANS_H
#define PLYD_API_ENDPOINTS_GAMES_PLANS_H

#include "api/endpoints/use_case.h"
#include "db/db.h"

/* Part of a step: whoever answers by themselves has moved in the draft. That is the computer
 * opponent, or the plan of the side to move. */
enum step plan_answer(struct op *op, struct draft *draft);

#endif
