/*
 * record_game.h - a stored game as a record, and a record as a game that can be stored.
 *
 * A game's log holds all that a record tells, so that an imported game can be exported again: the
 * first event's data has the record's headers ({"record":{...}}), a move's data the time that was
 * thought and the comment, and an end that the rules do not know is an event of its own.
 */
#ifndef PLYD_API_GAME_GAME_RECORD_H
#define PLYD_API_GAME_GAME_RECORD_H

#include "api/game/course.h"
#include "api/record/record.h"

/* The record of a line of a game up to ply `end`, with the game's whole log. `events` are all of
 * the game's, from version 1 on, their positions left aside. What the record points to is the row's
 * and the events', or in the arena. False, with an error: the game's options are not known here. */
bool record_of_game(struct arena *arena, const struct db_game *row, const struct db_event *events,
                    size_t count, int32_t line, int32_t end, struct record *record,
                    struct record_error *error);

/* The numbers among `events` of a line's moves from ply 1 to `end`. */
void record_line_moves(const struct db_event *events, size_t count, int32_t line, int32_t end,
                       size_t *moves);

/* The game of a record, as `plyd verify` accepts it: course->row and course->events are what
 * db_create() stores, but for the row's id, tokens, players, undo and visibility, which are the
 * caller's. With a log its events are taken as they were. `now` stands for times that the record
 * does not say. False, with an error: the log does not lead where it says. */
bool record_to_game(struct arena *arena, const struct record *record, int64_t now,
                    struct course *course, struct record_error *error);

/* The longest that may have been thought in a game: thirty years, which every format can say. */
#define RECORD_THOUGHT_MAX (INT64_C(30) * 366 * 86400 * 1000000)

/* Whether an event of this kind ends a game. */
bool record_is_end(int kind);

/* Whether what a record tells can be: times that exist, ends that have their winner. */
bool record_is_plausible(const struct record *record, struct record_error *error);

/* Whether an end that somebody must have won says who did. */
bool record_has_winner(const struct record_outcome *outcome);

/* The end that the data of a `recorded` event tells. False: it tells none. */
bool record_end_of_data(struct arena *arena, const char *data, const char **reason,
                        unsigned *winner);

#endif
