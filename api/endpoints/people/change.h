/*
 * change.h - changing a player: they are read, altered in memory, and written if nothing has
 * changed since.
 *
 * The player is read from the database first, since the copy in memory may be old (players.h). What
 * is written is what they were read with and altered, and only if what acts as them is still the
 * same (db_set_player()): so of two tokens that end each other at once, one stays. If somebody else
 * was faster, the player is read and altered anew.
 */
#ifndef PLYD_API_ENDPOINTS_PEOPLE_CHANGE_H
#define PLYD_API_ENDPOINTS_PEOPLE_CHANGE_H

#include <stdbool.h>

#include "api/http/request.h"
#include "api/live/tokens.h"
#include "db/db.h"

/* It lies in the request's arena. */
struct change {
    struct request *request;

    /* Alters `player` and `tokens` (tokens_write() is called afterwards). False: it has answered
     * the request, and nothing is written. It may be called again, for another reading. */
    bool (*alter)(struct change *change);

    /* Answers the request, when that was written. */
    void (*answer)(struct change *change);

    /* What alter() may set, all zero before. */
    bool ends_hooks; /* all of the player's receivers, or those that were made by `ended` */
    bool has_ended, has_become;
    uint8_t ended[DB_HASH_BYTES], become[DB_HASH_BYTES]; /* this: then they are of what it became */
    int16_t due; /* what is due for the player then: DUE_PLAYER, DUE_SEATS; 0: nothing */

    /* As it was read; and what becomes of it. */
    const struct db_player *had;
    struct db_player player;
    struct tokens tokens;
    int64_t now;

    struct db_player_change write; /* private to change.c, as the rest is */
    struct db_due work;
};

/* Changes a player. Somebody who is not there or has left is refused with 401. */
void change_player(struct change *change, db_id player);

/* Which of those that act as the player sends the request. TOKENS_NOBODY: none any more, and the
 * request was answered with 401. For alter(). */
int change_asker(struct change *change);

/* Whether the one that asks is old enough to end another one, or all others. False: the request was
 * answered. For alter(). */
bool change_may_end(struct change *change, int asker, int which);
bool change_may_end_all(struct change *change, int asker);

/* What is open for another device ends with each of them, since any may have opened it. */
void change_end_own(struct change *change);
void change_end_account(struct change *change);
void change_end_token(struct change *change, int which);

#endif
