/*
 * notice.h - what a player is told of a game on their phone or by mail: a hint, in their language,
 * which leads to the game's page. Pure.
 *
 * A notice tells how the game stands now, whatever came to pass since the one before: that it is
 * their move, an end, offers to them, messages. So of many events there is one notice, and one that
 * has lost its point is none. What they have done themselves is not told.
 */
#ifndef PLYD_API_HOOKS_NOTICE_H
#define PLYD_API_HOOKS_NOTICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/game/log_ends.h"
#include "api/text/arena.h"
#include "db/db.h"
#include "db/hooks.h"

/* What a notice needs of a game: its row, of which only some texts are there, and whether it is
 * over by its position. */
struct notice_game {
    struct db_game row;
    struct ending ending;
    bool skips; /* events before those that are told of were left out */
};

/* In the arena. */
struct notice_game *notice_game(struct arena *arena, const struct db_game *row);

struct notice {
    const char *title, *words; /* one line, and several */
    const char *path;          /* of the page that it leads to, */
    const db_id *game;         /* and the game that this page shows; NULL: it is the start page */
    int64_t at;                /* of the newest event that it tells of */
    int16_t kind;              /* of that */
    int64_t until;             /* it has no point any more then; DB_NEVER: it always has */
    bool urgent;               /* time runs low */
    bool is_talk;              /* it tells of messages alone */
};

/* The notice for a receiver whose player has these seats, of the events that it was not told of;
 * those behind the row's version are left out. False: there is nothing to tell. */
bool notice_of(struct arena *arena, const struct notice_game *game, unsigned seats,
               const struct db_hook *receiver, const struct db_event *events, size_t count,
               struct notice *notice);

/* Whether the game waits for a player who has these seats: it is their move, and others play, too.
 */
bool notice_waits(const struct db_game *row, unsigned seats);

/* How many games wait, for a receiver that is told so once a day. It leads to the page of all
 * games.
 */
void notice_digest(struct arena *arena, const struct db_hook *receiver, struct notice *notice);

/* When a receiver's next digest is told, after this time. */
int64_t notice_digest_after(const struct db_hook *receiver, int64_t now);

/* Until when a receiver's quiet hours last that are at this time; DB_NEVER: there are none now. */
int64_t notice_quiet_until(const struct db_hook *receiver, int64_t now);

#endif
