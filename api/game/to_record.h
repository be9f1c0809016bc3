/*
 * to_record.h - a stored game as a record.
 *
 * A game's log holds all that a record tells, so that an imported game can be exported again: the
 * first event's data has the record's headers ({"record":{...}}), a move's data the time that was
 * thought and the comment, and an end that the rules do not know is an event of its own.
 */
#ifndef PLYD_API_GAME_TO_RECORD_H
#define PLYD_API_GAME_TO_RECORD_H

#include "api/record/record.h"
#include "db/db.h"

/* The record of a line of a game up to ply `end`, with the game's whole log. `events` are all of
 * the game's, from version 1 on, their positions left aside. What the record points to is the row's
 * and the events', or in the arena. False, with an error: the game's options are not known here. */
bool to_record(struct arena *arena, const struct db_game *row, const struct db_event *events,
               size_t count, int32_t line, int32_t end, struct record *record,
               struct record_error *error);

/* The numbers among `events` of a line's moves from ply 1 to `end`. */
void to_record_moves(const struct db_event *events, size_t count, int32_t line, int32_t end,
                     size_t *moves);

/* Whether an event of this kind ends a game. */
bool to_record_is_end(int kind);

/* The end that the data of a `recorded` event tells. False: it tells none. */
bool to_record_end(struct arena *arena, const char *data, const char **reason, unsigned *winner);

#endif
