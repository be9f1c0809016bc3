/* plans.c - conditional moves of a seat: setting, showing and deleting them. */
#include "api/game/plans.h"
#include "api/endpoints/games/offers.h"
#include "api/endpoints/games/plans.h"
#include "api/endpoints/games/retries.h"
#include "api/endpoints/guard.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/refuse.h"
#include "api/endpoints/use_case.h"
#include "api/game/rights.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/body.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/fetch.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/text/arena.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"
#include "api/view/view.h"
#include "db/db.h"

struct plan_args {
    struct guard guard;
    int32_t after_ply;
    struct plan plan; /* as it was asked for */

    /* Private to plans.c. */
    int32_t judged_at; /* the version of the game at which it was judged; 0: it was not yet */
    bool legal;
    struct plan judged;
    struct plan_fault fault;
    const char *document; /* the answer once it is stored */
};

/* ---- which plan, and where the game is on it ---- */

/* The stored plan of a seat is in *stored, and the moves since its root are in op->moves. NULL:
 * there is none. */
static enum step need_plan(struct op *op, int seat, const struct db_plan **stored)
{
    const struct db_game *row = &op->live->row;
    enum step step = fetch_plan(op, seat, stored);

    if (step != STEP_GO || *stored == NULL)
        return step;
    return fetch_moves(op, row->line, (*stored)->ply + 1, row->ply);
}

/* Follows a plan by the moves that were fetched and by those of a draft (NULL: there is none). */
static size_t follow_plan(const struct op *op, const struct plan *plan, const struct draft *draft)
{
    const struct line_moves *moves = &op->moves;
    size_t played = draft == NULL ? 0 : draft->nevents, n = 0;
    const char **texts =
        arena_alloc(&op->request->arena, (moves->count + played + 1) * sizeof(*texts));

    for (size_t i = 0; i < moves->count; i++)
        texts[n++] = moves->moves[i].move;
    for (size_t i = 0; i < played; i++)
        if (draft->events[i].kind == EVENT_MOVE)
            texts[n++] = draft->events[i].move;
    return plans_follow(plan, texts, n);
}

/* ---- answering a move ---- */

static void resign(struct draft *draft, int seat)
{
    struct db_event *event = draft_stop(draft, STATUS_FINISHED, (int)rules_other((unsigned)seat),
                                        "resign", EVENT_RESIGNED, seat);

    draft_data(draft, event, PLANS_SOURCE);
}

/* Offers a draw with the answer, unless that has ended the game. */
static void offer_draw(struct draft *draft, int seat)
{
    size_t before = draft->nevents;

    if (draft_goes_on(draft))
        offering_ride(draft, seat);
    if (draft->nevents > before)
        draft_data(draft, &draft->events[before], PLANS_SOURCE);
}

/* Ends the game or plays the answer of a branch. Whether there is more of the plan is in *goes_on.
 */
static enum step take_branch(struct op *op, struct draft *draft, const struct plan_branch *branch,
                             bool *goes_on)
{
    int seat = draft->row.to_move;
    enum draft_result result;
    struct rules_refusal why;
    int32_t from = 0;

    *goes_on = false;
    if (plans_resigns(branch)) {
        resign(draft, seat);
        return STEP_GO;
    }
    draft->also = PLANS_SOURCE;
    result = draft_play(draft, branch->then, &why, &from);
    draft->also = NULL;
    if (result == DRAFT_NEEDS_KEYS)
        return fetch_keys(op, from);
    *goes_on = result == DRAFT_PLAYED && branch->next != 0;
    if (result == DRAFT_PLAYED && branch->offers_draw)
        offer_draw(draft, seat);
    return STEP_GO;
}

/* Lets the plan of the side to move answer, and ends it unless it has branches behind that. */
static enum step answer_by_plan(struct op *op, struct draft *draft)
{
    int seat = draft->row.to_move;
    const struct db_plan *stored;
    enum step step = need_plan(op, seat, &stored);
    bool goes_on = false;
    struct plan plan;
    size_t at = 0;

    if (step != STEP_GO)
        return step;
    if (stored != NULL && !plans_load(draft->arena, stored->tree, &plan))
        return use_case_refuse(op, PROBLEM_NEWER_PROGRAM, NULL);
    if (stored != NULL)
        at = follow_plan(op, &plan, draft);
    if (at != 0)
        step = take_branch(op, draft, &plan.branch[at], &goes_on);
    if (!goes_on)
        draft->row.plans = plans_without(draft->row.plans, seat);
    return step;
}

enum step plan_answer(struct op *op, struct draft *draft)
{
    int32_t from = 0;

    if (draft_answer(draft, &from) == DRAFT_NEEDS_KEYS)
        return fetch_keys(op, from);
    if (draft->dry_run || draft->row.status != STATUS_ACTIVE ||
        !plans_has(draft->row.plans, draft->row.to_move))
        return STEP_GO;
    return answer_by_plan(op, draft);
}

/* ---- what its owner sees ---- */

/* Composes a plan as an answer, in the form that the client wants. `game`: the game, if the plan
 * was set now. */
static const char *plan_document(const struct op *op, const struct db_plan *stored,
                                 const struct plan *plan, size_t at, const struct game_view *game)
{
    struct arena *arena = &op->request->arena;
    struct json json;

    if (op->request->form == FORM_TEXT)
        return view_plan_text(arena, stored, plan, at);
    json_init(&json, arena);
    json_open(&json, '{');
    view_plan(&json, stored, plan, at);
    if (game != NULL)
        use_case_add_game(&json, op, game);
    json_finish(&json);
    return json.out.text;
}

static void answer_plan(struct op *op, const char *document)
{
    reply_header(op->request, "Cache-Control", "no-store");
    reply_made(op->request, 200, document);
}

static enum step no_such_plan(struct op *op)
{
    return use_case_refuse(op, PROBLEM_NO_SUCH_PLAN, NULL);
}

static enum step show_plan(struct op *op, const struct db_plan *stored)
{
    bool moved = op->live->row.ply > stored->ply;
    struct plan plan;
    size_t at;

    if (!plans_load(&op->request->arena, stored->tree, &plan))
        return use_case_refuse(op, PROBLEM_NEWER_PROGRAM, NULL);
    at = moved ? follow_plan(op, &plan, NULL) : 0;
    /* It is the plan of another line, which was set since the row was read: the old one had ended.
     */
    if (moved && at == 0)
        return no_such_plan(op);
    answer_plan(op, plan_document(op, stored, &plan, at, NULL));
    return STEP_OVER;
}

/* Lets a request act on the plan of the one seat that it plays. */
static enum step may_plan(struct op *op, const struct guard *guard, int *seat)
{
    unsigned seats;
    enum step step = use_case_may_act(op, guard, &seats);

    if (step != STEP_GO)
        return step;
    if (seats == SEATS_BOTH)
        return use_case_refuse(op, PROBLEM_NO_OPPONENT, NULL);
    *seat = use_case_seat(&op->live->row, seats);
    return STEP_GO;
}

static enum step step_show(struct op *op)
{
    const struct db_plan *stored;
    int seat = 0;
    enum step step = may_plan(op, &guard_none, &seat);

    if (step == STEP_GO)
        step = op_need_row(op);
    if (step != STEP_GO)
        return step;
    if (op->live->row.status != STATUS_ACTIVE || !plans_has(op->live->row.plans, seat))
        return no_such_plan(op);
    step = need_plan(op, seat, &stored);
    if (step != STEP_GO)
        return step;
    return stored == NULL ? no_such_plan(op) : show_plan(op, stored);
}

static void plan_show(struct request *request, db_id id)
{
    op_submit(op_new(request, step_show, NULL), id);
}

/* ---- setting and deleting ---- */

/* Refuses a tree. A client learns of the first branch that is wrong as much as of a wrong move. */
static enum step refuse_tree(struct op *op, const struct plan_fault *fault)
{
    struct request *request = op->request;
    const struct rules_game *game = op->live->game;
    struct game_view view = use_case_view(op);
    enum step step = op_need_confirmed(op);
    struct json json;

    if (step != STEP_GO)
        return step;
    refuse_open(request, &json, &view, fault->problem, fault->detail);
    reply_problem_point(request, &json, fault->pointer);
    if (fault->move != NULL) {
        view_refusal(&json, game, fault->state, &fault->why, NULL);
        json_member(&json, "move", fault->move);
        metrics_add(&request->loop->metrics.refusals[use_case_game_number(game)][fault->why.code],
                    1);
    }
    reply_problem_send(request, &json, fault->problem);
    return STEP_OVER;
}

static void on_set(struct op *op)
{
    const struct plan_args *args = op->args;

    answer_plan(op, args->document);
}

/* Judges the tree in the present position, on whatever thread. */
static void judge_plan(struct op *op)
{
    struct plan_args *args = op->args;
    const struct live_game *live = op->live;

    args->legal = plans_judge(&op->request->arena, live->game, live->state, &args->plan,
                              &args->judged, &args->fault);
    args->judged_at = live->row.version;
}

/* To judge a move may take a tenth of a millisecond, and a tree has up to a thousand of them. */
static enum step need_judged(struct op *op)
{
    enum { FEW = 8 };
    const struct plan_args *args = op->args;

    if (args->judged_at == op->live->row.version)
        return STEP_GO;
    if (args->plan.count > FEW)
        return op_offload_part(op, judge_plan);
    judge_plan(op);
    return STEP_GO;
}

static enum step set_wanted_plan(struct op *op, int seat)
{
    struct plan_args *args = op->args;
    struct arena *arena = &op->request->arena;
    const struct db_game *row = &op->live->row;
    struct db_plan *stored = arena_alloc(arena, sizeof(*stored));
    struct game_view view;

    if (!args->legal)
        return refuse_tree(op, &args->fault);
    *stored = (struct db_plan){.seat = (int16_t)seat,
                               .line = row->line,
                               .ply = row->ply,
                               .tree = plans_text(arena, &args->judged)};
    view = use_case_view(op);
    args->document = plan_document(op, stored, &args->judged, 0, &view);
    op->written = on_set;
    return op_set_plan(op, stored);
}

/* If the game has moved on, that is what the client has to know first: it explains the rest. */
static enum step step_set(struct op *op)
{
    const struct plan_args *args = op->args;
    const struct db_game *row = &op->live->row;
    enum problem not ;
    int seat = 0;
    enum step step = may_plan(op, &args->guard, &seat);

    if (step != STEP_GO)
        return step;
    if (row->status == STATUS_ACTIVE && args->after_ply != row->ply)
        return retries_stale(op, args->after_ply + 1);
    not = may_not_plan(row, seat_bit(seat));
    if (not != PROBLEM_NONE)
        return use_case_refuse(op, not, NULL);
    step = need_judged(op);
    return step == STEP_GO ? set_wanted_plan(op, seat) : step;
}

/* Each does it for the seat that the request plays, and answers. `args` must live as long as the
 * request. */
static void plan_set(struct request *request, db_id id, struct plan_args *args)
{
    op_submit(op_new(request, step_set, args), id);
}

static void on_deleted(struct op *op)
{
    reply_empty(op->request, 204);
}

static enum step step_delete(struct op *op)
{
    struct db_plan *none = arena_zero(&op->request->arena, sizeof(*none));
    int seat = 0;
    enum step step = may_plan(op, &guard_none, &seat);

    if (step == STEP_GO)
        step = op_need_row(op);
    if (step != STEP_GO)
        return step;
    if (!plans_has(op->live->row.plans, seat)) {
        on_deleted(op);
        return STEP_OVER;
    }
    none->seat = (int16_t)seat;
    op->written = on_deleted;
    return op_set_plan(op, none);
}

static void plan_delete(struct request *request, db_id id)
{
    op_submit(op_new(request, step_delete, NULL), id);
}

/* ---- requests ---- */

static bool read_plan(struct request *request, struct plan_args *args)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *body;
    int64_t number;

    if (!input_no_query(request) || !guard_read(request, &args->guard))
        return false;
    body = body_read_deep(request, PLAN_LEVELS);
    if (body == NULL)
        return false;
    json_fields(&fields, &request->arena, body, &error);
    if (json_take_int(&fields, "after_ply", 0, INT32_MAX - 1, &number))
        args->after_ply = (int32_t)number;
    else
        json_missing(&fields, "after_ply", "The ply that the game is at is expected.");
    if (json_take_int(&fields, "line", 1, INT32_MAX, &number))
        args->guard.line = (int32_t)number;
    plans_take(&fields, &args->plan);
    return body_done(request, body, &fields);
}

void handle_put_plan(struct request *request)
{
    struct plan_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (input_id(request, &id) && read_plan(request, args))
        plan_set(request, id, args);
}

void handle_plan(struct request *request)
{
    db_id id;

    if (input_id(request, &id) && input_no_query(request))
        plan_show(request, id);
}

void handle_delete_plan(struct request *request)
{
    db_id id;

    if (input_id(request, &id) && input_no_query(request))
        plan_delete(request, id);
}
