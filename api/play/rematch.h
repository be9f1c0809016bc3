/*
 * rematch.h - the use case of playing again: a game that was finished is followed by one with the
 * sides swapped.
 *
 * The next game has the same players, tokens, names and engines, the same options, start, clock
 * and terms. A seat whose player has left is open in it. There is one next game, whoever asks for
 * it and how often: its id follows from that of the old one. It is made first, then the old game
 * points to it. If the daemon dies in between, whoever asks again finds it there.
 *
 * The old game keeps its next one for good, also if its end is taken back.
 */
#ifndef PLYD_API_PLAY_REMATCH_H
#define PLYD_API_PLAY_REMATCH_H

#include "api/http/request.h"
#include "api/play/guard.h"
#include "db/db.h"

/* Makes or finds the next game, and answers with it. `guard` must live as long as the request. */
void rematch_begin(struct request *request, db_id id, const struct guard *guard);

#endif
