/*
 * create.h - making a game.
 *
 * What a client asks for becomes a row, the first events and a token, stored as one. The id comes
 * before all of that: it follows from the Idempotency-Key, if there is one, so a request that is
 * repeated makes the same game, finds that it is there, and is answered as the first time.
 */
#ifndef PLYD_API_ENDPOINTS_GAMES_CREATE_H
#define PLYD_API_ENDPOINTS_GAMES_CREATE_H

#include "api/endpoints/games/creation.h"

/* Begins a creation with its id. NULL: the key is malformed, or the token is a player's that no
 * player has; that was answered. */
struct creation *create_begin(struct request *request);

/* Whether the game may not begin with so many plies: a player's game may with 4094, that of anybody
 * else with --anonymous-plies. `detail` is a sentence about it; NULL: that of the code suffices. A
 * worker may ask. */
bool create_is_too_long(const struct creation *creation, size_t plies, const char **detail);

/* The same; if it may not, the request was answered with 422, and this is false. */
bool create_long_ok(const struct creation *creation, size_t plies);

/* Sets up and plays the game of a creation whose terms are known, stores it and answers. Moves are
 * played by a worker. */
void create_make(struct creation *creation);

/* Sets up and completes a game that begins without a past and whose row has its id and seats,
 * without a token and without an answer: creation->create is to be stored. False: the start is
 * refused, and that was answered. */
bool create_quietly(struct creation *creation);

/* Completes a creation whose game its draft holds: with a token, and with the answer; or quietly,
 * without these. */
void create_complete(struct creation *creation);
void create_complete_quietly(struct creation *creation);

/* Stores a complete creation, `args`, and answers. It follows on what a worker has done
 * (offload.h), or at once. */
void create_store(struct request *request, void *args);

/* Stores one that was completed quietly, and answers only what has failed. Then `then` is told
 * whether it was made; it was not if the game was there before, since its id says which game it is.
 */
void create_store_then(struct creation *creation, void (*then)(void *context, bool made),
                       void *context);

/* As create_store() for one that was completed quietly: the answer is 201 alone, whether it was
 * made or was there before. */
void create_store_quietly(struct request *request, void *args);

#endif
