/*
 * to_record.h - a stored game as a record.
 *
 * A game's log holds all that a record tells, so that an imported game can be exported again: the
 * first event's data has the record's headers ({"record":{...}}), a move's data the time that was
 * thought and the comment, and an end that the rules do not know is an event of its own. An end
 * that was taken back is that of a variation: of the moves that it ended, or of none if the game
 * went on from there.
 */
#ifndef PLYD_API_GAME_TO_RECORD_H
#define PLYD_API_GAME_TO_RECORD_H

#include "api/record/record.h"
#include "db/db.h"

/* The record of a line of a game up to ply `end`; of the present line up to the present ply it has
 * the game's whole log too. `events` are all events of the game, from version 1 on; their positions
 * are not read. The record points into the row, the events and the arena. False, with an error: the
 * game's options are not known here. */
bool to_record(struct arena *arena, const struct db_game *row, const struct db_event *events,
               size_t count, int32_t line, int32_t end, struct record *record,
               struct record_error *error);

/* Where the moves of a line from ply 1 to `end` stand among `events`: moves[ply - 1] is an index.
 */
void to_record_moves(const struct db_event *events, size_t count, int32_t line, int32_t end,
                     size_t *moves);

/* The end that the data of a "recorded" event tells. False: it tells none. */
bool to_record_end(struct arena *arena, const char *data, const char **reason, unsigned *winner);

#endif
