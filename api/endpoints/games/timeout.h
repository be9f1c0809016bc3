/*
 * timeout.h - writes the timeout of a game's clock, and the warning shortly before.
 *
 * Whoever comes first writes it: a request for the game, of whatever kind, or a daemon that does
 * due work (due.h). All find the same, since it follows from the row, from the outages up to the
 * deadline, and from the vacation of the player to move:
 *   - an outage that was not credited yet moves the deadline;
 *   - so does a vacation of which the game has not heard yet;
 *   - else the side to move has lost. If it has not made its first move, the game is called off.
 * The event's time is the deadline. A computer opponent that thinks has none: it is seen to be out
 * of time once its search is over (computer_moves.c).
 *
 * The side to move is warned when its time is nearly over (clock.h). Only a daemon that does due
 * work does that, by an event whose time is the present. The state of the clock says that it was
 * done in this turn, and the write is guarded by the version, so two daemons warn once.
 */
#ifndef PLYD_API_ENDPOINTS_GAMES_TIMEOUT_H
#define PLYD_API_ENDPOINTS_GAMES_TIMEOUT_H

#include "api/http/request.h"
#include "api/live/op.h"
#include "db/db.h"

struct draft;

/* Part of a run at a game whose row->deadline_at has passed: given to cache_open(). */
enum step timeout_settle(struct op *op);

/* Ends the game in a draft: the time of the side to move is over. */
void timeout_stop(struct draft *draft);

#endif
