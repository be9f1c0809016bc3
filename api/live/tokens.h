/*
 * tokens.h - what acts as a player: their own token, named ones beside it, and a joined account.
 *
 * All of it stands in the player's row (struct db_player): so it is read with the player, and
 * whatever ends is ended by one write, which is done only if nothing has changed since (change.h).
 * The hash of a named token is a column's, and what else is known of it is a text that is read
 * here.
 *
 * Whoever has stolen a token can make another one with it. So what is young does not end what is
 * older. The player's own token is the oldest in any case, since the one that replaces it takes its
 * place.
 *
 * Pure.
 */
#ifndef PLYD_API_LIVE_TOKENS_H
#define PLYD_API_LIVE_TOKENS_H

#include <stdbool.h>
#include <stdint.h>

#include "api/game/ids.h"
#include "api/text/arena.h"
#include "db/db.h"

enum { TOKENS_ID_TEXT = IDS_TEXT }; /* bytes of the id of a named token, with the NUL */

/* For so long after it was made or joined, it does not end what is older. */
#define TOKENS_YOUNG_US (INT64_C(7) * 24 * 3600 * 1000 * 1000)

/* One of those that act as a player: a number of player->tokens, or one of these. */
enum { TOKENS_OWN = -1, TOKENS_ACCOUNT = -2, TOKENS_NOBODY = -3 };

/* What is known of a named token. */
struct tokens_item {
    const char *name;
    const char *origin; /* a part of the address that made it; NULL: not known */
    int64_t at;         /* when it was made */
    int64_t used_day;   /* when it was used last, in days of 1970; 0: not known */
    bool reads;         /* it does not act: it opens a calendar and a feed (auth_reader_of()) */
};

struct tokens {
    int64_t own_used_day, account_used_day;
    struct tokens_item item[DB_TOKENS_MAX]; /* of player->tokens */
};

/* Reads what is known of a player's tokens, into the arena; and writes it back. */
void tokens_read(struct arena *arena, const struct db_player *player, struct tokens *tokens);
void tokens_write(struct arena *arena, const struct tokens *tokens, struct db_player *player);

/* Adds a token, for which there must be room, or takes one out. */
void tokens_add(struct db_player *player, struct tokens *tokens, const uint8_t hash[DB_HASH_BYTES],
                const struct tokens_item *item);
void tokens_remove(struct db_player *player, struct tokens *tokens, int which);

/* ---- which one ---- */

/* Whose hash this is: TOKENS_OWN, a number or TOKENS_NOBODY. In constant time. */
int tokens_find(const struct db_player *player, const uint8_t hash[DB_HASH_BYTES]);

/* The id by which a named token is called, and the number of that; TOKENS_NOBODY: there is none. */
void tokens_id(const uint8_t hash[DB_HASH_BYTES], char id[TOKENS_ID_TEXT]);
int tokens_find_id(const struct db_player *player, const char *id);

/* What is stored in place of the hash of a player who has no token of their own. No token has it as
 * its hash. */
void tokens_none(db_id player, uint8_t hash[DB_HASH_BYTES]);

/* Whether the player has a token of their own. */
bool tokens_have_own(const struct db_player *player);

/* How many there are, and how many of them act as the player. */
size_t tokens_count(const struct db_player *player);
size_t tokens_acting(const struct db_player *player, const struct tokens *tokens);

/* A number for all that acts as the player: another one if anything has come or ended. */
uint64_t tokens_print(const struct db_player *player);

/* ---- who may end which ---- */

/* Since when one of them acts, for what follows. */
int64_t tokens_since(const struct db_player *player, const struct tokens *tokens, int which);

/* Whether one of them is too young to end another one, which acts. */
bool tokens_too_young(const struct db_player *player, const struct tokens *tokens, int which,
                      int other, int64_t now);

/* Whether it is too young to end all others. */
bool tokens_too_young_for_all(const struct db_player *player, const struct tokens *tokens,
                              int which, int64_t now);

/* A text in the arena; NULL stays that. */
const char *tokens_copy_text(struct arena *arena, const char *text);

/* A copy of a player with all texts, for those who change them. */
struct db_player *tokens_copy_player(struct arena *arena, const struct db_player *player);

#endif
