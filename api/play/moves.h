/*
 * moves.h - what happens when somebody moves.
 */
#ifndef PLYD_API_PLAY_MOVES_H
#define PLYD_API_PLAY_MOVES_H

#include "api/http/request.h"
#include "api/play/wanted.h"
#include "db/db.h"

/* Plays what is wanted at the table of a game, and answers. */
void moves_play(struct request *request, db_id id, struct move_args *args);

#endif
