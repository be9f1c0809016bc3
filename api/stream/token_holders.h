/*
 * token_holders.h - streams and waits that were let in by a player's token, while it is the
 * player's.
 *
 * A token is looked at when a request comes; a stream or a wait goes on for long afterwards. So
 * each that has come with a player's token is a holder here, and is told when that token has been
 * replaced or its player has left, or when the token of an account has expired: at once by the loop
 * at which that was done (token_holders_check()), and by all others within TOKEN_HOLDERS_LOOK_US
 * and the time of a question to the database. A seat's own token needs no holder, since its
 * replacement is an event of the game.
 *
 * One holder of each player is looked up for all of them.
 *
 * A struct token_holders belongs to one loop and its thread.
 */
#ifndef PLYD_API_STREAM_TOKEN_HOLDERS_H
#define PLYD_API_STREAM_TOKEN_HOLDERS_H

#include <stdbool.h>
#include <stdint.h>

#include "api/live/auth.h"
#include "api/stream/watch.h"
#include "api/text/map.h"
#include "db/db.h"

struct token_holders;
struct loop;

/* From one look at a token to the next: less than half of PLAYERS_FRESH_US, so that one look may
 * fail. */
#define TOKEN_HOLDERS_LOOK_US (INT64_C(2) * 1000 * 1000)

/* Whose it is keeps it, at one place, until token_holders_out(). All zero: it is not there. */
struct token_holder {
    struct token_holders *holders; /* NULL: it is not there */
    struct map_link link;
    struct watched watched;
    bool is_watched; /* one of each player is */
    struct auth_asker asker;
    void (*lost)(void *args);
    void (*seen)(void *args, const struct db_player *player);
    void *args;
};

/* A holder comes, unless it shows no player's token. `lost` is called once, from a callback of the
 * database, if the token is not the player's any more; the holder is out by then, and may be freed
 * there. */
void token_holders_in(struct token_holders *holders, struct token_holder *holder,
                      const struct auth_asker *asker, void (*lost)(void *args), void *args);

/* The same, and each look at the player that finds the token to be theirs is told: for who watches
 * what acts as them. */
void token_holders_watch(struct token_holders *holders, struct token_holder *holder,
                         const struct auth_asker *asker, void (*lost)(void *args),
                         void (*seen)(void *args, const struct db_player *player), void *args);

/* It goes, if it is there. */
void token_holders_out(struct token_holder *holder);

/* A player has changed: their holders are looked at now. */
void token_holders_check(struct token_holders *holders, db_id player);

#endif
