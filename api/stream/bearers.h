/*
 * bearers.h - streams and waits that were let in by a player's token, while it is the player's.
 *
 * A token is looked at when a request comes; a stream or a wait goes on for long afterwards. So
 * each that has come with a player's token is a bearer here, and is told when that token has been
 * replaced or its player has left, or when the token of an account has expired: at once by the loop
 * at which that was done (bearers_check()), and by all others within BEARERS_LOOK_US and the time
 * of a question to the database. A seat's own token needs no bearer, since its replacement is an
 * event of the game.
 *
 * One bearer of each player is looked up for all of them.
 *
 * A struct bearers belongs to one loop and its thread.
 */
#ifndef PLYD_API_STREAM_BEARERS_H
#define PLYD_API_STREAM_BEARERS_H

#include <stdbool.h>
#include <stdint.h>

#include "api/live/auth.h"
#include "api/stream/watch.h"
#include "api/text/map.h"
#include "db/db.h"

struct bearers;
struct loop;

/* From one look at a token to the next: less than half of PLAYERS_FRESH_US, so that one look may
 * fail. */
#define BEARERS_LOOK_US (INT64_C(2) * 1000 * 1000)

/* Whose it is keeps it, at one place, until bearers_out(). All zero: it is not there. */
struct bearer {
    struct bearers *bearers; /* NULL: it is not there */
    struct map_link link;
    struct watched watched;
    bool is_watched; /* one of each player is */
    struct auth_asker asker;
    void (*lost)(void *args);
    void (*seen)(void *args, const struct db_player *player);
    void *args;
};

/* A bearer comes, unless it shows no player's token. `lost` is called once, from a callback of the
 * database, if the token is not the player's any more; the bearer is out by then, and may be freed
 * there. */
void bearers_in(struct bearers *bearers, struct bearer *bearer, const struct auth_asker *asker,
                void (*lost)(void *args), void *args);

/* The same, and each look at the player that finds the token to be theirs is told: for who watches
 * what acts as them. */
void bearers_watch(struct bearers *bearers, struct bearer *bearer, const struct auth_asker *asker,
                   void (*lost)(void *args),
                   void (*seen)(void *args, const struct db_player *player), void *args);

/* It goes, if it is there. */
void bearers_out(struct bearer *bearer);

/* A player has changed: their bearers are looked at now. */
void bearers_check(struct bearers *bearers, db_id player);

#endif
