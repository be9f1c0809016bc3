/*
 * record_game.h - a stored game as a record, and a record as a game that can be stored.
 */
#ifndef PLYD_API_RECORD_GAME_H
#define PLYD_API_RECORD_GAME_H

#include "course.h"
#include "record.h"

/* The record of a game: its present line as moves, with the times between them, and its whole log.
 * `events` are all of the game's, from version 1 on. What the record points to is the row's and the
 * events', or in the arena. False, with an error: the game cannot be replayed. */
bool record_of_game(struct arena *arena, const struct db_game *row, const struct db_event *events,
                    size_t count, struct record *record, struct record_error *error);

/* The game of a record, as `plyd verify` accepts it: course->row and course->events are what
 * db_create() stores, but for the row's id, tokens, players, undo and visibility, which are the
 * caller's. With a log its events are taken as they were; else there is one for the creation and
 * one for each move, and one for a resignation, an abortion or a declaration that the rules grant.
 * Other ends have no event of their own: the game then goes on where the record ended.
 * `now` stands for times that the record does not say. False, with an error: the log has an event
 * of a kind that is not known here. */
bool record_to_game(struct arena *arena, const struct record *record, int64_t now,
                    struct course *course, struct record_error *error);

#endif
