/*
 * auth.h - who may act: tokens, ids, and the hashes that are kept of them.
 *
 * A token is a prefix that says its kind and 160 random bits. Only its BLAKE2b hash is stored.
 */
#ifndef PLYD_API_AUTH_H
#define PLYD_API_AUTH_H

#include <stdbool.h>
#include <stdint.h>

#include "db/db.h"
#include "request.h"

enum { AUTH_TOKEN_TEXT = 48, AUTH_ID_TEXT = 27 };

/* A new seat token and its hash. */
void auth_new_token(char token[AUTH_TOKEN_TEXT], uint8_t hash[DB_HASH_BYTES]);

void auth_hash_token(const char *token, uint8_t hash[DB_HASH_BYTES]);

/* The seats of a game that the request's token plays: bit 1 for seat 1, bit 2 for seat 2. 0 if it
 * has no token, or one of no seat here. Takes the same time whatever the token is. */
unsigned auth_seats(struct request *request, const struct db_game *game);

/* The same, but answers 401 itself where it is 0. */
unsigned auth_require_seats(struct request *request, const struct db_game *game);

/* Ids: 26 letters and digits (Crockford's base 32 in small letters). */
db_id auth_new_id(void);
void auth_id_text(db_id id, char text[AUTH_ID_TEXT]);
bool auth_id_read(const char *text, db_id *id);

#endif
