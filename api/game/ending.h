/*
 * ending.h - which events of a game's log have ended it.
 *
 * A resignation, a timeout, an agreement and the like say so by their kind. A move (or a redo,
 * which plays it again) does not: it has ended the game if its position is the present one and the
 * game is over by that. So a last move counts only until it is taken back. Pure.
 */
#ifndef PLYD_API_GAME_ENDING_H
#define PLYD_API_GAME_ENDING_H

#include <stdbool.h>
#include <stdint.h>

#include "api/text/arena.h"
#include "db/db.h"

/* What of a row decides about the events up to its version. */
struct ending {
    int32_t version;
    int32_t line, ply;
    bool by_position; /* the game is over by the rules in this position, and not by another deed */
};

struct ending ending_of(const struct db_game *row);

/* Whether an event up to that version has ended the game. */
bool ending_is(struct arena *arena, const struct ending *ending, const struct db_event *event);

#endif
