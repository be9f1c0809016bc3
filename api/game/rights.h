/*
 * rights.h - what somebody may do in a game as it stands.
 *
 * Each function is asked about a game's row and the seats that somebody plays (words.h), and says
 * what is against it in the state of the game: a problem, or PROBLEM_NONE. The use cases refuse by
 * these functions, and the member `you.may` of a game foretells by them, so the two cannot differ.
 * Whether a move is legal is not asked here, nor whether the request is up to date (guard.h).
 */
#ifndef PLYD_API_GAME_RIGHTS_H
#define PLYD_API_GAME_RIGHTS_H

#include "api/game/clock.h"
#include "api/game/offers.h"
#include "api/text/problem.h"
#include "db/db.h"

enum { MAY_ANY = -1 }; /* a ply or a line that a request leaves open */

/* Whether these seats may move, give up, or call the game off. */
enum problem may_not_move(const struct db_game *row, unsigned seats);
enum problem may_not_resign(const struct db_game *row, unsigned seats);
enum problem may_not_abort(const struct db_game *row, unsigned seats);

/* Whether they may set a plan (plans.h): somebody else is to move. */
enum problem may_not_plan(const struct db_game *row, unsigned seats);

/* Whether they may invite somebody to an open seat, or go on to a rematch. */
enum problem may_not_invite(const struct db_game *row, unsigned seats);
enum problem may_not_rematch(const struct db_game *row, unsigned seats);

/* Whether they may write messages. */
enum problem may_not_write(const struct db_game *row, unsigned seats);

/* Whether they may ask the engine about the game, its past included: it is over, or nobody else
 * plays in it but computers. */
enum problem may_not_hint(const struct db_game *row, unsigned seats);

/* Whether they may undo or redo one step: as many plies as bring their own turn back. */
enum problem may_not_undo(const struct db_game *row, unsigned seats);
enum problem may_not_redo(const struct db_game *row, unsigned seats);

/* Whether they may undo or redo to the ply *to. MAY_ANY stands for one step: then *to becomes the
 * ply that it leads to. */
enum problem may_not_undo_to(const struct db_game *row, unsigned seats, int32_t *to);
enum problem may_not_redo_to(const struct db_game *row, unsigned seats, int32_t *to);

/* Whether they may go over to another line. */
enum problem may_not_change_line(const struct db_game *row, unsigned seats);

/* Whether they may make an offer of a kind; or one to undo to the ply *to, as above. Who may answer
 * an offer follows from its seat alone, since one that is open can be accepted. */
enum problem may_not_offer(const struct db_game *row, unsigned seats, enum offer_kind kind);
enum problem may_not_offer_undo_to(const struct db_game *row, unsigned seats, int32_t *to);

/* Whether they may claim that the time of the other side has run out, or a win by the rules in
 * place of a move (rules_game.declare). Whether the claim holds is not asked here. */
enum problem may_not_claim_timeout(const struct db_game *row, unsigned seats);
enum problem may_not_claim_impasse(const struct db_game *row, unsigned seats);

/* Whether anybody may end a pause: the game is paused at this time. `clock` is the game's, or NULL.
 */
enum problem may_not_resume(const struct db_game *row, const struct clock *clock, int64_t now);

#endif
