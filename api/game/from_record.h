/*
 * from_record.h - a record as a game that can be stored.
 */
#ifndef PLYD_API_GAME_FROM_RECORD_H
#define PLYD_API_GAME_FROM_RECORD_H

#include "api/game/course.h"
#include "api/record/record.h"

/* The game of a record, as `plyd verify` accepts it: course->row and course->events are what
 * db_create() stores, but for the row's id, tokens, players, undo and visibility, which are the
 * caller's. With a log its events are taken as they were. `now` stands for times that the record
 * does not say. False, with an error: the log does not lead where it says. */
bool from_record(struct arena *arena, const struct record *record, int64_t now,
                 struct course *course, struct record_error *error);

#endif
