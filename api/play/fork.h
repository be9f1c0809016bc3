/*
 * fork.h - a new game with the past of another one: the moves of one of its lines up to a ply.
 */
#ifndef PLYD_API_PLAY_FORK_H
#define PLYD_API_PLAY_FORK_H

#include "api/http/request.h"
#include "db/db.h"

/* Reads the body, creates the game and answers. */
void fork_game(struct request *request, db_id source);

#endif
