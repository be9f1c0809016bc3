/*
 * may.h - what may be done in a game as it stands, by who plays these seats (bits from 1 on).
 *
 * The use cases refuse by this, and `you.may` foretells it, so that the two cannot differ. Each
 * function answers the code of the problem, or NULL: nothing in the game's state is against it.
 */
#ifndef PLYD_API_GAME_MAY_H
#define PLYD_API_GAME_MAY_H

#include "db/db.h"

const char *may_not_move(const struct db_game *row, unsigned seats);
const char *may_not_resign(const struct db_game *row, unsigned seats);
const char *may_not_abort(const struct db_game *row, unsigned seats);

/* As far as a step goes. */
const char *may_not_undo(const struct db_game *row, unsigned seats);
const char *may_not_redo(const struct db_game *row, unsigned seats);

/* To a ply, which GUARD_NONE leaves open: then *to becomes the ply that a step leads to. */
const char *may_not_undo_to(const struct db_game *row, unsigned seats, int32_t *to);
const char *may_not_redo_to(const struct db_game *row, unsigned seats, int32_t *to);

#endif
