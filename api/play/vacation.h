/*
 * vacation.h - the vacation of a player: a time in which no clock that heeds vacations runs against
 * them.
 *
 * It begins at once and is for all of their games; these learn of it by a promise
 * (player_games.h). A player has 30 days in 365. Each vacation counts for a day at least, or a
 * clock could be stopped at any moment; what is not used of it because it ends early is given back.
 */
#ifndef PLYD_API_PLAY_VACATION_H
#define PLYD_API_PLAY_VACATION_H

#include "api/http/request.h"

/* Each is for the player who asks, and answers with their vacation and with what they have left.
 * vacation_begin() lets it take `span_us` from its beginning on: a new one, or that on which the
 * player is already. */
void vacation_show(struct request *request);
void vacation_begin(struct request *request, int64_t span_us);
void vacation_end(struct request *request);

#endif
