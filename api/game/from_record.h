/*
 * from_record.h - a record as a game that can be stored.
 */
#ifndef PLYD_API_GAME_FROM_RECORD_H
#define PLYD_API_GAME_FROM_RECORD_H

#include "api/game/draft.h"
#include "api/record/record.h"

/* The game of a record that record_read() gave, as `plyd verify` accepts it. The moves are not
 * played again: the record says where each of them led.
 *
 * draft->row and draft->events are what db_create() stores, but for the row's id, tokens, players,
 * undo and visibility, which are the caller's. The events of a log are taken as they were, but for
 * the id of a rematch: that is not the copy's. Offers that are open in the log are open in the
 * draft; the copy has no clock. `now` stands for times that the record does not say. The draft
 * points into the record.
 *
 * False, with an error: an event of the log does not follow from those before it, or the record
 * tells what cannot be (record/holds.h). */
bool from_record(struct arena *arena, const struct record *record, int64_t now, struct draft *draft,
                 struct record_error *error);

#endif
