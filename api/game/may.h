/*
 * may.h - what somebody may do in a game as it stands.
 *
 * Each function is asked about a game's row and the seats that somebody plays (words.h), and says
 * what is against it in the state of the game: a problem, or PROBLEM_NONE. The use cases refuse by
 * these functions, and the member `you.may` of a game foretells by them, so the two cannot differ.
 * Whether a move is legal is not asked here, nor whether the request is up to date (guard.h).
 */
#ifndef PLYD_API_GAME_MAY_H
#define PLYD_API_GAME_MAY_H

#include "api/text/problem.h"
#include "db/db.h"

enum { MAY_ANY = -1 }; /* a ply or a line that a request leaves open */

/* Whether these seats may move, give up, or call the game off. */
enum problem may_not_move(const struct db_game *row, unsigned seats);
enum problem may_not_resign(const struct db_game *row, unsigned seats);
enum problem may_not_abort(const struct db_game *row, unsigned seats);

/* Whether they may set a plan (plans.h): somebody else is to move. */
enum problem may_not_plan(const struct db_game *row, unsigned seats);

/* Whether they may undo or redo one step: as many plies as bring their own turn back. */
enum problem may_not_undo(const struct db_game *row, unsigned seats);
enum problem may_not_redo(const struct db_game *row, unsigned seats);

/* Whether they may undo or redo to the ply *to. MAY_ANY stands for one step: then *to becomes the
 * ply that it leads to. */
enum problem may_not_undo_to(const struct db_game *row, unsigned seats, int32_t *to);
enum problem may_not_redo_to(const struct db_game *row, unsigned seats, int32_t *to);

#endif
