/*
 * create.h - making a game: from what a client asks for to a row, its first events and its tokens.
 */
#ifndef PLYD_API_PLAY_CREATE_H
#define PLYD_API_PLAY_CREATE_H

#include "api/http/request.h"
#include "db/db.h"

/* Reads the body, creates the game and answers. */
void create_game(struct request *request);

/* The same with the past of another game: the moves of one of its lines up to a ply. */
void create_fork(struct request *request, db_id source);

/* The same from a record: the body. */
void create_import(struct request *request);

#endif
