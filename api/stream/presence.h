/*
 * presence.h - which players have a game open: a stream of it, or a request that waits for its
 * news.
 *
 * It is known for all loops of this daemon, and for no other daemon. That somebody has a game open
 * is a hint: a page that nobody looks at keeps its stream, too. These functions may be called by
 * any thread.
 */
#ifndef PLYD_API_STREAM_PRESENCE_H
#define PLYD_API_STREAM_PRESENCE_H

#include <stdbool.h>
#include <sys/queue.h>

#include "api/live/auth.h"
#include "db/db.h"

/* Whose stream or wait it is keeps it, at one place, until presence_out(). All zero: it is not
 * there. */
struct presence {
    bool is_there;
    db_id player, game;
    LIST_ENTRY(presence) beside;
};

/* Whoever asks has a game open, unless they are no player. */
void presence_in(struct presence *presence, const struct auth_asker *asker, db_id game);

/* It ends, if it is there. */
void presence_out(struct presence *presence);

/* Whether a player has a game open. */
bool presence_is(db_id player, db_id game);

#endif
