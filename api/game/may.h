/*
 * may.h - what may be done in a game as it stands, by who plays these seats (bits from 1 on).
 *
 * The use cases refuse by this, and `you.may` foretells it, so that the two cannot differ. Each
 * function returns what is against it in the game's state, or PROBLEM_NONE.
 */
#ifndef PLYD_API_GAME_MAY_H
#define PLYD_API_GAME_MAY_H

#include "api/text/problem.h"
#include "db/db.h"

enum { MAY_ANY = -1 }; /* a ply or a line that a request leaves open */

enum problem may_not_move(const struct db_game *row, unsigned seats);
enum problem may_not_resign(const struct db_game *row, unsigned seats);
enum problem may_not_abort(const struct db_game *row, unsigned seats);

/* As far as a step goes. */
enum problem may_not_undo(const struct db_game *row, unsigned seats);
enum problem may_not_redo(const struct db_game *row, unsigned seats);

/* To a ply, which MAY_ANY leaves open: then *to becomes the ply that a step leads to. */
enum problem may_not_undo_to(const struct db_game *row, unsigned seats, int32_t *to);
enum problem may_not_redo_to(const struct db_game *row, unsigned seats, int32_t *to);

#endif
