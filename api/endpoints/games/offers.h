/*
 * offers.h - offers: making, accepting, declining and withdrawing them.
 *
 * What offers are is in game/offers.h, what comes of them in game/offer_actions.h, and who may make
 * one in rights.h. An offer that somebody makes who plays both seats is accepted in the same write.
 * So is one to draw, or to call the game off, if the other side has offered the same.
 *
 * An offer that is not open any more is refused with what ended it, which stands in the log.
 */
#ifndef PLYD_API_ENDPOINTS_GAMES_OFFERS_H
#define PLYD_API_ENDPOINTS_GAMES_OFFERS_H

#include "api/endpoints/common.h"
#include "api/endpoints/guard.h"
#include "api/game/offers.h"
#include "api/http/request.h"
#include "db/db.h"

/* ---- for other use cases ---- */

/* Makes an offer for somebody who may act in the game and plays these seats, and answers with this
 * status. Never STEP_GO. */
enum step offering_ask(struct op *op, unsigned seats, struct offer wanted, unsigned status);

/* Answers an op that has made an offer before. */
enum step offering_again(struct op *op, unsigned status);

/* Adds the offer of a draw by a side that has just moved, unless its last one is still open. */
void offering_ride(struct draft *draft, int seat);

#endif
