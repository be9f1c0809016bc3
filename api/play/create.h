/*
 * create.h - the use case of making a game, and the parts of it that forks and imports share.
 *
 * What a client asks for becomes a row, the first events and a token, stored as one. The id comes
 * before all of that: it follows from the Idempotency-Key, if there is one, so a request that is
 * repeated makes the same game, finds that it is there, and is answered as the first time.
 */
#ifndef PLYD_API_PLAY_CREATE_H
#define PLYD_API_PLAY_CREATE_H

#include "api/play/creation.h"

/* Reads the body, makes and stores the game, and answers. */
void create_game(struct request *request);

/* Begins a creation with its id. NULL: the key is malformed, or the token is a player's that no
 * player has; that was answered. */
struct creation *create_begin(struct request *request);

/* Sets up and plays the game of a creation whose terms are known, stores it and answers. */
void create_make(struct creation *creation);

/* Stores the game that the course of a creation holds, and answers with it and its token. */
void create_store(struct creation *creation);

#endif
