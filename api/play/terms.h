/*
 * terms.h - what a request asks for when a game is made.
 */
#ifndef PLYD_API_PLAY_TERMS_H
#define PLYD_API_PLAY_TERMS_H

#include "api/play/creation.h"
#include "api/text/json_read.h"

/* Reads the body of a new game: what it is and how it is played. False: it was answered. */
bool terms_read(struct creation *creation);

/* Takes the members that are about what is played: options, position, moves. The game is known. */
void terms_take_game(struct creation *creation, struct json_fields *fields);

/* Takes the members that are about how it is played, not what: seats, undo, visibility. */
void terms_take(struct creation *creation, struct json_fields *fields);

#endif
