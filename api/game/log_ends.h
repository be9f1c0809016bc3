/*
 * log_ends.h - the ends of a game, from its log: by deeds and agreements, which are events of their
 * own. What ends by its last move has none.
 */
#ifndef PLYD_API_GAME_LOG_ENDS_H
#define PLYD_API_GAME_LOG_ENDS_H

#include <stdbool.h>

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

#endif
