/*
 * offers.h - offers: making, accepting, declining and withdrawing them.
 *
 * What offers are is in game/offers.h, what comes of them in game/offer_actions.h, and who may make
 * one in rights.h. An offer that somebody makes who plays both seats is accepted in the same write.
 * So is one to draw, or to call the game off, if the other side has offered the same.
 *
 * At one ply a seat makes OFFERS_AT_PLY offers at most, so that nobody fills a log with offers that
 * are withdrawn. One that rides on a move is not counted: its ply is a new one.
 *
 * An offer that is not open any more is refused with what ended it, which stands in the log.
 */
#ifndef PLYD_API_ENDPOINTS_GAMES_OFFERS_H
#define PLYD_API_ENDPOINTS_GAMES_OFFERS_H

#include "api/endpoints/guard.h"
#include "api/endpoints/use_case.h"
#include "api/game/offers.h"
#include "api/http/request.h"
#include "db/db.h"

enum { OFFERS_AT_PLY = 16 };

/* ---- for other use cases ---- */

/* How many offers a seat has made at the present ply, when the game was at a version; all zero: it
 * is not known. It lives as long as the op. */
struct offers_made {
    int32_t version;
    size_t count;
};

/* Makes an offer for somebody who may act in the game and plays these seats, and answers with this
 * status. Never STEP_GO. */
enum step offering_ask(struct op *op, unsigned seats, struct offer wanted, unsigned status,
                       struct offers_made *made);

/* Answers an op that has made an offer before. */
enum step offering_again(struct op *op, unsigned status);

/* Adds the offer of a draw by a side that has just moved, unless its last one is still open. */
void offering_ride(struct draft *draft, int seat);

#endif
