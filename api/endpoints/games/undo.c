/* undo.c - undo and redo. */
#include <string.h>

#include "api/endpoints/games/goto_ply.h"
#include "api/endpoints/games/offers.h"
#include "api/endpoints/games/retries.h"
#include "api/endpoints/games/undo.h"
#include "api/endpoints/guard.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/look.h"
#include "api/endpoints/use_case.h"
#include "api/game/draft.h"
#include "api/game/offers.h"
#include "api/game/rights.h"
#include "api/game/words.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/fetch.h"
#include "api/live/op.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"
#include "db/db.h"
#include "rules/rules.h"

enum { OVER_MAX = 2048 }; /* plies of a line that the game goes over to, some 3 ms of the loop */

/* Writes where the draft went. A computer opponent whose turn it is there moves at once: no later
 * request would make it move. */
static enum step write_undo_line(struct op *op, struct draft *draft)
{
    struct json answers;
    struct game_view view;
    int32_t from;

    json_init(&answers, draft->arena);
    use_case_tell_moves(draft, false, &answers);
    if (draft_answer(draft, &from) == DRAFT_NEEDS_KEYS)
        return fetch_keys(op, from);
    view = use_case_draft_view(op->request, draft, draft->seats);
    return use_case_write(op, draft, 200, use_case_document(op, &view, &answers));
}

/* ---- undo ---- */

static enum step step_undo(struct op *op)
{
    struct undo_args *args = op->args;
    int32_t to = args->to_ply;
    struct draft *draft;
    enum problem why;
    unsigned seats;
    enum step step = use_case_may_act(op, &args->guard, &seats);

    if (step != STEP_GO)
        return step;
    why = may_not_undo_to(&op->live->row, seats, &to);
    if (why == PROBLEM_UNDO_NEEDS_CONSENT)
        return offering_ask(op, seats, (struct offer){.kind = OFFER_UNDO, .to_ply = args->to_ply},
                            202, &args->made);
    if (why != PROBLEM_NONE)
        return use_case_refuse(op, why, NULL);
    step = goto_need_back(op, to);
    if (step != STEP_GO)
        return step;
    draft = use_case_draft(op);
    return goto_back(draft, op, to) ? write_undo_line(op, draft) : use_case_fail(op);
}

/* It has asked for the other side's consent, or it was done at once. */
static enum step retries_undo(struct op *op)
{
    return op->told.kind == EVENT_OFFERED ? offering_again(op, 202) : retries_game(op);
}

void undo_to_ply(struct request *request, db_id id, struct undo_args *args)
{
    use_case_submit(request, id, step_undo, retries_undo, args);
}

/* ---- redo ---- */

static enum step go_over(struct op *op, int32_t end)
{
    const struct undo_args *args = op->args;
    const struct db_game *row = &op->live->row;
    int32_t to = args->to_ply == MAY_ANY ? end : args->to_ply, shared;
    struct draft *draft;
    struct line_moves moves;
    enum step step;

    if (end == 0 || to > end)
        return look_no_such_ply(op);
    if (end > OVER_MAX) {
        reply_problem(op->request, PROBLEM_GAME_TOO_LONG,
                      "The line is too long to be played again here. Fork the game on that line.");
        return STEP_OVER;
    }
    step = goto_need_line(op, args->line, end, &moves, &shared);
    if (step != STEP_GO)
        return step;
    if (shared == end && to == row->ply && status_goes_on(row->status))
        return use_case_refuse(op, PROBLEM_NOTHING_TO_REDO, NULL);
    draft = use_case_draft(op);
    return goto_over(draft, op, &moves, shared, to) ? write_undo_line(op, draft)
                                                    : use_case_fail(op);
}

static enum step redo_line(struct op *op, unsigned seats)
{
    const struct undo_args *args = op->args;
    const struct db_game *row = &op->live->row;
    enum problem why = may_not_change_line(row, seats);
    enum step step;
    int32_t end;

    if (why != PROBLEM_NONE)
        return use_case_refuse(op, why, NULL);
    if (args->line > row->lines)
        return look_no_such_ply(op);
    step = look_line_end(op, args->line, &end);
    return step == STEP_GO ? go_over(op, end) : step;
}

static enum step step_redo(struct op *op)
{
    const struct undo_args *args = op->args;
    int32_t to = args->to_ply;
    struct draft *draft;
    enum problem why;
    unsigned seats;
    enum step step = use_case_may_act(op, &args->guard, &seats);

    if (step != STEP_GO)
        return step;
    if (args->line != 0 && args->line != op->live->row.line)
        return redo_line(op, seats);
    why = may_not_redo_to(&op->live->row, seats, &to);
    if (why != PROBLEM_NONE)
        return use_case_refuse(op, why, NULL);
    step = goto_need_on(op, to);
    if (step != STEP_GO)
        return step;
    draft = use_case_draft(op);
    return goto_on(draft, op, to) ? write_undo_line(op, draft) : use_case_fail(op);
}

void redo_to_ply(struct request *request, db_id id, struct undo_args *args)
{
    use_case_submit(request, id, step_redo, retries_game, args);
}

/* ---- requests ---- */

static void take_ply(struct json_fields *fields, struct undo_args *args)
{
    int64_t number;

    args->to_ply = MAY_ANY;
    if (json_take_int(fields, "to_ply", 0, INT32_MAX, &number))
        args->to_ply = (int32_t)number;
}

static void refuse_count(struct json_fields *fields)
{
    if (json_has(fields, "count"))
        json_refuse(fields, PROBLEM_UNKNOWN_FIELD, "count",
                    "Say to which ply the game goes, {\"to_ply\": 0}, or nothing for one step. Its "
                    "member `ply` says where it is.");
}

static void take_undo(struct json_fields *fields, void *args)
{
    take_ply(fields, args);
    refuse_count(fields);
}

static void take_redo(struct json_fields *fields, void *context)
{
    struct undo_args *args = context;
    int64_t number;

    take_ply(fields, args);
    if (json_take_int(fields, "line", 1, INT32_MAX, &number))
        args->line = (int32_t)number;
    refuse_count(fields);
}

void handle_undo(struct request *request)
{
    struct undo_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (input_id(request, &id) && guard_read_args(request, &args->guard, "to_ply", take_undo, args))
        undo_to_ply(request, id, args);
}

void handle_redo(struct request *request)
{
    struct undo_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (input_id(request, &id) && guard_read_args(request, &args->guard, "to_ply", take_redo, args))
        redo_to_ply(request, id, args);
}
