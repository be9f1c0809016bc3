/*
 * auth.h - tokens, and who may act by them.
 *
 * A token is a prefix that says its kind and 160 random bits. A player's token has the player's id
 * between them, by which the player is looked up. Only the BLAKE2b hash of a token is ever stored,
 * so a copy of the database lets nobody play. Pure but for the requests that are answered; those
 * belong to their loop's thread.
 */
#ifndef PLYD_API_LIVE_AUTH_H
#define PLYD_API_LIVE_AUTH_H

#include <stdbool.h>
#include <stdint.h>

#include "api/http/request.h"
#include "db/db.h"

enum { /* bytes, with the NUL */
       AUTH_TOKEN_TEXT = 48,
       AUTH_PLAYER_TOKEN_TEXT = 72,
       AUTH_INVITATION_TEXT = 50
};

enum { AUTH_RANDOM_BYTES = 20 }; /* of a token: 160 bits, which nobody guesses */

/* ---- tokens ---- */

/* Makes a new token of a seat, or of a player, and its hash. */
void auth_new_token(char token[AUTH_TOKEN_TEXT], uint8_t hash[DB_HASH_BYTES]);
void auth_new_player_token(db_id player, char token[AUTH_PLAYER_TOKEN_TEXT],
                           uint8_t hash[DB_HASH_BYTES]);

/* The same from bytes that nobody knows. */
void auth_token_of(const uint8_t random[AUTH_RANDOM_BYTES], char token[AUTH_TOKEN_TEXT],
                   uint8_t hash[DB_HASH_BYTES]);
void auth_player_token_of(db_id player, const uint8_t random[AUTH_RANDOM_BYTES],
                          char token[AUTH_PLAYER_TOKEN_TEXT], uint8_t hash[DB_HASH_BYTES]);

/* The same of a token that acts as nobody, and reads what a player's programs read by themselves.
 */
void auth_reader_token_of(db_id player, const uint8_t random[AUTH_RANDOM_BYTES],
                          char token[AUTH_PLAYER_TOKEN_TEXT], uint8_t hash[DB_HASH_BYTES]);

/* Makes a new code that lets its holder take a seat, and its hash. */
void auth_new_invitation(char code[AUTH_INVITATION_TEXT], uint8_t hash[DB_HASH_BYTES]);

/* What stands for the token of a player's account: it changes with the player's own token, and when
 * another account is joined. No token has it as its hash. */
void auth_account_token(const struct db_player *player, uint8_t hash[DB_HASH_BYTES]);

/* The hash that is stored of a token or code. */
void auth_hash_token(const char *token, uint8_t hash[DB_HASH_BYTES]);

/* Whether a token or code is the one with this hash. */
bool auth_token_fits(const char *token, const uint8_t hash[DB_HASH_BYTES]);

/* The same for the tokens of a player: which one it is, as tokens_find() says. */
int auth_which_token(const char *token, const struct db_player *player);

/* Whether a token has the form of a seat's: nobody guesses one, whichever seat may have it. */
bool auth_is_seats(const char *token);

/* Reads the id of the player whose token this claims to be, or of whose games it is a reader's.
 * False if it has another form. */
bool auth_player_of(const char *token, db_id *player);
bool auth_reader_of(const char *token, db_id *player);

/* ---- who may act ---- */

/* Who asks, as far as seats are concerned. It may be kept for longer than the request. */
struct auth_asker {
    bool has_token, has_player;
    uint8_t token[DB_HASH_BYTES]; /* its hash; by an account, auth_account_token() */
    db_id player;
    int64_t until; /* they may as long as that, in microseconds of 1970, or DB_NEVER; */
    uint64_t key;  /* by an account, as long as its provider has this key (key_print()); else 0 */
};

void auth_asker(struct request *request, struct auth_asker *asker);

/* Whether they still are the player that was read just now: who has the token by which they ask, or
 * the account, and has not left; as long as an account lets them. `now` is in microseconds of 1970.
 */
bool auth_asker_is(const struct auth_asker *asker, const struct db_player *player, int64_t now);

/* The seats of a game that they play, as below. */
unsigned auth_asker_seats(const struct auth_asker *asker, const struct db_game *game);

/* Whether they are the player for whom a seat of the game is kept. */
bool auth_is_challenged(struct request *request, const struct db_game *game);

/* Whether they may know of the game: it hides from nobody (row_hides()), or they play in it, or are
 * challenged to it. */
bool auth_asker_sees(const struct auth_asker *asker, const struct db_game *game);
bool auth_sees(struct request *request, const struct db_game *game);

/* The seats of a game that the request plays: by a seat's own token, or by the token of the player
 * who holds the seat. Bit 1 is seat 1, bit 2 is seat 2; 0: none. The hashes of both seats are
 * compared in constant time. */
unsigned auth_seats(struct request *request, const struct db_game *game);

/* The same for what only seats may do. 0: the request was answered, with 401, or with 403 if a
 * player asks who has no seat here. */
unsigned auth_require_seats(struct request *request, const struct db_game *game);

/* Whether a player asks. False: the request was answered with 401. */
bool auth_require_player(struct request *request);

/* Whether the request is by an account (accounts.h), whose player may have left. False: it was
 * answered with 401 or 403. */
bool auth_require_account(struct request *request);

/* For what anybody may see who plays no seat of the game. False if the request shows a token that
 * is no player's, or means to show one: the client takes itself for a player of this game. It was
 * answered with 401. */
bool auth_spectator(struct request *request);

/* For what anybody may do, and what then belongs to the player who did it, if it was one. False if
 * the request shows a player's token that no player has, or one that only reads: the client means
 * to be somebody, and would be taken for nobody. It was answered with 401. */
bool auth_nobody_or_player(struct request *request);

#endif
