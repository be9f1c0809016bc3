/*
 * fork.h - the use case of a new game with the past of another one: the moves of one of its lines
 * up to a ply.
 *
 * Whoever may see a game may fork it. The new game has terms, tokens and a life of its own; its
 * first event says where it comes from.
 */
#ifndef PLYD_API_PLAY_FORK_H
#define PLYD_API_PLAY_FORK_H

#include "api/http/request.h"
#include "db/db.h"

/* Reads the body, makes and stores the new game, and answers. */
void fork_game(struct request *request, db_id source);

#endif
