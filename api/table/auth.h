/*
 * auth.h - who may act: tokens, ids, and the hashes that are kept of them.
 *
 * A token is a prefix that says its kind and 160 random bits; between them a player's has the
 * player's id, by which it is looked up. Only a token's BLAKE2b hash is stored.
 */
#ifndef PLYD_API_TABLE_AUTH_H
#define PLYD_API_TABLE_AUTH_H

#include <stdbool.h>
#include <stdint.h>

#include "api/http/request.h"
#include "db/db.h"

enum { AUTH_TOKEN_TEXT = 48, AUTH_PLAYER_TOKEN_TEXT = 72 };

/* A new seat token and its hash. */
void auth_new_token(char token[AUTH_TOKEN_TEXT], uint8_t hash[DB_HASH_BYTES]);

void auth_hash_token(const char *token, uint8_t hash[DB_HASH_BYTES]);

/* A new token of a player and its hash; whether a token looks like a player's, and whose it then
 * says that it is; and whether it is the one with this hash. */
void auth_new_player_token(db_id player, char token[AUTH_PLAYER_TOKEN_TEXT],
                           uint8_t hash[DB_HASH_BYTES]);
bool auth_is_players(const char *token);
bool auth_player_of(const char *token, db_id *player);
bool auth_token_fits(const char *token, const uint8_t hash[DB_HASH_BYTES]);

/* The seats of a game that the request's token plays, be it the seats' own or that of the player
 * who holds them: bit 1 for seat 1, bit 2 for seat 2. 0 if it has no token, or one of no seat here.
 * Takes the same time whatever the token is. */
unsigned auth_seats(struct request *request, const struct db_game *game);

/* The same, but answers itself where it is 0: 401, or 403 to a player without a seat here. */
unsigned auth_require_seats(struct request *request, const struct db_game *game);

/* Whether a player asks; answers 401 itself if not. */
bool auth_require_player(struct request *request);

/* False if the request shows a player's token that no player has; answers 401 itself then. For what
 * anybody may do, but which belongs to the player who does it. */
bool auth_nobody_or_player(struct request *request);

#endif
