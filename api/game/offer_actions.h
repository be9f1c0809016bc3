/*
 * offer_actions.h - offers that are made and answered in a draft.
 *
 * Each deed is an event, and what both sides have agreed on comes with it: the end of the game is
 * the acceptance itself; more time and a pause are events of their own, which follow it. To go back
 * to another ply takes the moves of the line, which a draft does not have: there the acceptance is
 * all that is done here.
 *
 * Whether somebody may do so is asked before (rights.h). Pure.
 */
#ifndef PLYD_API_GAME_OFFER_ACTIONS_H
#define PLYD_API_GAME_OFFER_ACTIONS_H

#include "api/game/draft.h"
#include "api/game/offers.h"

/* Makes an offer; its id and its time are set. An open one of the same kind and seat is void then.
 * Returns what is open now. */
const struct offer *offer_actions_offer(struct draft *draft, const struct offer *wanted);

/* The other side accepts an open offer, by its id. */
void offer_actions_accept(struct draft *draft, int32_t id);

/* The other side declines it; or its own side withdraws it. */
void offer_actions_decline(struct draft *draft, int32_t id);
void offer_actions_withdraw(struct draft *draft, int32_t id);

/* A seat ends a pause. */
void offer_actions_resume(struct draft *draft, int seat);

/* ---- in the log ---- */

/* The offer that an event has made. False: it has made none. */
bool offer_actions_made(struct arena *arena, const struct db_event *event, struct offer *offer);

/* Whether an event has ended an offer: it answers it, or makes it void. */
bool offer_actions_ended(struct arena *arena, const struct db_event *event, int32_t id);

#endif
