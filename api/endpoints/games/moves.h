/*
 * moves.h - playing moves: POST and PUT.
 *
 * The moves that a request asks for are played one after the other, the computer opponent or a plan
 * of the other side (plans.h) answers, and all of it is written as one, or none of it is. A draw
 * may be offered with the last move. "win" and "resign" may come in place of a move in shogi. A ply
 * that was played already is answered by retries.h. A dry run judges in the same way and writes
 * nothing. No plan answers it: that would tell what the other side has in mind.
 */
#ifndef PLYD_API_ENDPOINTS_GAMES_MOVES_H
#define PLYD_API_ENDPOINTS_GAMES_MOVES_H

#include "api/endpoints/games/move_input.h"
#include "api/http/request.h"
#include "db/db.h"

/* Plays what `args` ask for in a game, and answers. `args` must live as long as the request. */
void moves_play(struct request *request, db_id id, struct move_args *args);

#endif
