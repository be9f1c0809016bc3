/*
 * row.h - what the stored row of a game means.
 */
#ifndef PLYD_API_GAME_ROW_H
#define PLYD_API_GAME_ROW_H

#include "db/db.h"
#include "rules/rules.h"

/* The game of a row, its options and its position. NULL: this program cannot read them. */
const struct rules_game *row_position(const struct db_game *row, struct rules_options *options,
                                      struct rules_state *state);

/* Puts the row at a ply of its line. `move` led there; NULL: ply is 0, the start. Whose turn it is
 * and how the game stands there is left to the caller, who knows the rules. */
void row_set_move(struct db_game *row, int32_t ply, const struct db_event *move);

#endif
