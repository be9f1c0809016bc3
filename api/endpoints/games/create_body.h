/*
 * create_body.h - reads the body of a request that makes a game.
 *
 * Which game, set up how, and its terms, which are who sits where, whether moves may be taken back,
 * and who may see it.
 *
 * The members of a body are taken one by one into a creation; whatever is wrong with them is
 * remembered in the fields, and body_done() answers it. Whether the rules like the position and the
 * moves is not asked here (setup.h).
 */
#ifndef PLYD_API_ENDPOINTS_GAMES_CREATE_BODY_H
#define PLYD_API_ENDPOINTS_GAMES_CREATE_BODY_H

#include "api/endpoints/games/creation.h"
#include "api/text/json_fields.h"

/* Reads the body of a new game as a whole. False: something is wrong with it, and was answered. */
bool create_body_read(struct creation *creation);

/* Takes the options. Where creation->game is not known yet, they are wishes. */
void create_body_take_options(struct creation *creation, struct json_fields *fields);

/* Takes the members that say what is played: options, position, moves. */
void create_body_take_game(struct creation *creation, struct json_fields *fields);

/* Takes the members that say how it is played: seats, undo, visibility. */
void create_body_take(struct creation *creation, struct json_fields *fields);

#endif
