/*
 * log_ends.h - the ends of a game, from its log: by deeds and agreements, which are events of their
 * own. What ends by its last move has none.
 */
#ifndef PLYD_API_GAME_LOG_ENDS_H
#define PLYD_API_GAME_LOG_ENDS_H

#include <stdbool.h>
#include <stdint.h>

#include "api/text/arena.h"
#include "db/db.h"

/* Whether an event of this kind ends a game. Acceptances do so, too, where both agreed on an end.
 */
bool log_ends_kind(int kind);

/* Whether an event has ended its game: by its kind, or because both sides have agreed on that. */
bool log_ends_by(struct arena *arena, const struct db_event *event);

/* The event by which a game that is over has ended. Others may follow: messages, a rematch. */
const struct db_event *log_ends_last(const struct db_event *events, size_t count);

/* The event by which the game ended as the record told that it was read from; NULL: it told of no
 * end, or there was no record. */
const struct db_event *log_ends_told(const struct db_event *events, size_t count);

/* Where the main line ended of a record that a game was read from. */
struct log_stop {
    int64_t ply;
    int64_t version; /* of the event behind which that was; 0: an older log does not say */
};

/* Whether the game ends, or stops, as the record told that it was read from: in the same way, and
 * behind the same moves. */
bool log_ends_as_told(struct arena *arena, const struct db_event *events, size_t count,
                      const struct log_stop *stop);

/* Whether that record did not end the game, and the game does not stop there any more. *place is
 * the event that led to where it stopped (log_places()), and *passed whether the game went on from
 * there, or ended there. */
bool log_ends_stop_left(struct arena *arena, const struct db_event *events, size_t count,
                        const struct log_stop *stop, size_t *place, bool *passed);

/* An end that was taken back. */
struct log_end {
    const struct db_event *event;
    size_t place; /* the event that led to where it was (log_places()) */
    bool here;    /* that is where the game is now */
};

/* Lists those of a log of all events of a game. Returns how many there are. */
size_t log_ends_left(struct arena *arena, const struct db_event *events, size_t count,
                     struct log_end **ends);

/* ---- one event of a game ---- */

/* A resignation, a timeout, an agreement and the like say by their kind that they have ended the
 * game. A move (or a redo, which plays it again) does not: it has ended the game if its position is
 * the present one and the game is over by that. So a last move counts only until it is taken back.
 */

/* What of a row decides about the events up to its version. */
struct ending {
    int32_t version;
    int32_t line, ply;
    bool by_position; /* the game is over by the rules in this position, and not by another deed */
};

struct ending log_ending_of(const struct db_game *row);

/* Whether an event up to that version has ended the game. */
bool log_ending_is(struct arena *arena, const struct ending *ending, const struct db_event *event);

#endif
