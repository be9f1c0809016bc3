/*
 * use_case.h - what use cases share: submitting ops, drafts, refusals, answers.
 *
 * A use case is what one request does at one game: play a move, undo, take a seat. It is an op
 * (op.h) whose request a handler has read. Its step finds the game in memory; it answers,
 * refuses, or plays the game on as a draft (draft.h) and has that written. The answer to a write
 * is composed before the write, so that nothing can fail after it. What an Idempotency-Key needs is
 * stored in the same commit, so that the database can never hold the one without the other.
 */
#ifndef PLYD_API_ENDPOINTS_USE_CASE_H
#define PLYD_API_ENDPOINTS_USE_CASE_H

#include "api/endpoints/guard.h"
#include "api/game/draft.h"
#include "api/live/op.h"
#include "api/text/json.h"
#include "api/text/problem.h"
#include "api/view/view.h"

/* ---- the op ---- */

/* Submits an op for a game, with the request's Idempotency-Key. Answers at once if the key is
 * malformed. `again` answers the request if it was done before (retries.h). NULL: its answer shows
 * a token, and is stored whole. */
void use_case_submit(struct request *request, db_id id, enum step (*step)(struct op *op),
                     enum step (*again)(struct op *op), void *args);

/* Calls `then` if the request is of a seat of the game at its address (repeats_may); or answers. */
void use_case_as_seat(struct request *request, void (*then)(struct request *request, void *args),
                      void *args);

/* Lets the request act in the game: it plays a seat, and its guards hold. Then *seats are those
 * that it plays. A repetition whose first answer was stored is answered with that. */
enum step use_case_may_act(struct op *op, const struct guard *guard, unsigned *seats);

/* The seat for which somebody acts who names none: the one that they play, or the side to move if
 * they play both. */
int use_case_seat(const struct db_game *row, unsigned seats);

/* Refuses with a problem that shows the game's present state, once the copy in memory is known to
 * be that. `detail` NULL: what the problem means in general. Never STEP_GO. */
enum step use_case_refuse(struct op *op, enum problem problem, const char *detail);

/* The same where If-Match names another version. */
enum step use_case_refuse_version(struct op *op);

/* Answers 500, because what is stored does not fit together. Always STEP_OVER. */
enum step use_case_fail(struct op *op);

/* Whether the game must look to the request as if it did not exist: a private game, or a challenge,
 * to strangers. */
bool use_case_hides(const struct op *op);

/* ---- the last move ----
 * How people write a move may depend on the move before it ("the same square"). Of that one the
 * row has only the text, which means something in the position that it was played in. */

/* Makes live->last known, where the game's way of writing moves needs it. */
enum step use_case_know_last_move(struct op *op);

/* Reads a move that was played in the position `before`. NULL, or unreadable: no move. */
rules_move use_case_last_move(const struct live_game *live, const char *before, const char *text);

/* ---- drafts ---- */

/* Begins a draft at the op's live game: all memory is the request's, and now is op->now, or the
 * given time. An outage in the present turn is credited first. The live game itself stays as it is
 * until the draft is written. */
struct draft *use_case_draft(struct op *op);
struct draft *use_case_draft_at(struct op *op, int64_t now);

/* Has the coming moves of the draft written: as the elements of a list, without its brackets, or if
 * it is a `single` one as the members of an object, without its braces. */
void use_case_tell_moves(struct draft *draft, bool single, struct json *moves);

/* Adds the game as the member "game". */
void use_case_add_game(struct json *json, const struct op *op, const struct game_view *view);

/* Composes the game as an answer, in the form that the client wants. In JSON the list of the
 * computer's answers (NULL: none) stands beside it, and the game once more as the member "game". */
const char *use_case_document(const struct op *op, const struct game_view *view,
                              const struct json *answers);

/* Composes the game as an answer to those who play it by this token from now on, on a seat that
 * they did not have before (0: there is none). "": they have it already, and it is not told. It is
 * stored so, and sent by view_with_game(). */
const char *use_case_token_document(struct request *request, const struct game_view *view,
                                    const char *token, int seat);

/* Composes the answer to moves (use_case_tell_moves()). One move that was asked for as such
 * (`single`) is the document itself, with the game as a member of it; a list of moves is a member
 * beside the game. */
const char *use_case_moves_document(const struct op *op, const struct game_view *view, bool single,
                                    const struct json *moves, const struct json *answers);

/* Writes the draft, and answers with this status and document once that is durable. A dry run is
 * only answered, with 200. */
enum step use_case_write(struct op *op, struct draft *draft, unsigned status, const char *document);

/* Writes the draft and leaves the answer to `written`, which is called once that is durable. */
enum step use_case_write_then(struct op *op, struct draft *draft, void (*written)(struct op *op));

/* Counts the moves that an op has written, for metrics. */
void use_case_count_moves(struct op *op);

/* Writes the draft with 200 and the game as the answer. */
enum step use_case_write_game(struct op *op, struct draft *draft);

/* Answers 200 with the game as it is, and writes nothing. Never STEP_GO. */
enum step use_case_answer_game(struct op *op);

/* Ends the game by a deed that is no move (draft_stop()), and has that written and answered. */
enum step use_case_end(struct op *op, struct draft *draft, int status, int winner,
                       const char *reason, int kind, int seat);

/* Writes a draft that the request did not ask for, but that must come first: what the clock has
 * brought about. Then the step is called again. */
enum step use_case_write_first(struct op *op, struct draft *draft);

/* ---- views ---- */

/* The game in memory, as the op's request may see it. */
struct game_view use_case_view(const struct op *op);

/* The game as it is after a draft, as these seats may see it, in the request's language. It brings
 * the draft's row up to date (draft_store()). */
struct game_view use_case_draft_view(const struct request *request, struct draft *draft,
                                     unsigned seats);

/* A game's number in the registry, by which metrics are counted. */
size_t use_case_game_number(const struct rules_game *game);

#endif
