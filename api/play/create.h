/*
 * create.h - making a game: from what a client asks for to a row, its first events and its token.
 */
#ifndef PLYD_API_PLAY_CREATE_H
#define PLYD_API_PLAY_CREATE_H

#include "api/play/creation.h"

/* Reads the body, creates the game and answers. */
void create_game(struct request *request);

/* Begins a creation. NULL: the idempotency key or the token is of no use, and was answered. */
struct creation *create_begin(struct request *request);

/* Makes the game of a creation whose terms are known, stores it and answers. */
void create_make(struct creation *creation);

/* Stores a game that was made already, and answers with it and its token. */
void create_store(struct creation *creation);

#endif
