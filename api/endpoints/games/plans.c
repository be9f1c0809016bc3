/* plans.c - conditional moves of a seat: setting, showing and deleting them. */
#include "api/game/plans.h"
#include "api/endpoints/common.h"
#include "api/endpoints/games/offers.h"
#include "api/endpoints/games/plans.h"
#include "api/endpoints/games/repeats.h"
#include "api/endpoints/guard.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/refuse.h"
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
#include "api/view/plans.h"
#include "api/view/refusal.h"
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

/* The stored plan of a seat is in *stored, and the moves since its root are in job->moves. NULL:
 * there is none. */
static enum step need_plan(struct job *job, int seat, const struct db_plan **stored)
{
    const struct db_game *row = &job->table->row;
    enum step step = needs_plan(job, seat, stored);

    if (step != STEP_GO || *stored == NULL)
        return step;
    return needs_moves(job, row->line, (*stored)->ply + 1, row->ply);
}

/* Follows a plan by the moves that were fetched and by those of a course (NULL: there is none). */
static size_t follow(const struct job *job, const struct plan *plan, const struct course *course)
{
    const struct line_moves *moves = &job->moves;
    size_t played = course == NULL ? 0 : course->nevents, n = 0;
    const char **texts =
        arena_alloc(&job->request->arena, (moves->count + played + 1) * sizeof(*texts));

    for (size_t i = 0; i < moves->count; i++)
        texts[n++] = moves->moves[i].move;
    for (size_t i = 0; i < played; i++)
        if (course->events[i].kind == EVENT_MOVE)
            texts[n++] = course->events[i].move;
    return plans_follow(plan, texts, n);
}

/* ---- answering a move ---- */

static void resign(struct course *course, int seat)
{
    struct db_event *event = course_stop(course, STATUS_FINISHED, (int)rules_other((unsigned)seat),
                                         "resign", EVENT_RESIGNED, seat);

    course_data(course, event, PLANS_SOURCE);
}

/* Offers a draw with the answer, unless that has ended the game. */
static void offer_draw(struct course *course, int seat)
{
    size_t before = course->nevents;

    if (course_goes_on(course))
        offering_ride(course, seat);
    if (course->nevents > before)
        course_data(course, &course->events[before], PLANS_SOURCE);
}

/* Ends the game or plays the answer of a branch. Whether there is more of the plan is in *goes_on.
 */
static enum step take_branch(struct job *job, struct course *course,
                             const struct plan_branch *branch, bool *goes_on)
{
    int seat = course->row.to_move;
    enum course_result result;
    struct rules_refusal why;
    int32_t from = 0;

    *goes_on = false;
    if (plans_resigns(branch)) {
        resign(course, seat);
        return STEP_GO;
    }
    course->also = PLANS_SOURCE;
    result = course_play(course, branch->then, &why, &from);
    course->also = NULL;
    if (result == COURSE_NEEDS_KEYS)
        return needs_keys(job, from);
    *goes_on = result == COURSE_PLAYED && branch->next != 0;
    if (result == COURSE_PLAYED && branch->offers_draw)
        offer_draw(course, seat);
    return STEP_GO;
}

/* Lets the plan of the side to move answer, and ends it unless it has branches behind that. */
static enum step answer_by_plan(struct job *job, struct course *course)
{
    int seat = course->row.to_move;
    const struct db_plan *stored;
    enum step step = need_plan(job, seat, &stored);
    bool goes_on = false;
    struct plan plan;
    size_t at = 0;

    if (step != STEP_GO)
        return step;
    if (stored != NULL && plans_load(course->arena, stored->tree, &plan))
        at = follow(job, &plan, course);
    if (at != 0)
        step = take_branch(job, course, &plan.branch[at], &goes_on);
    if (!goes_on)
        course->row.plans = plans_without(course->row.plans, seat);
    return step;
}

enum step plan_answer(struct job *job, struct course *course)
{
    int32_t from = 0;

    if (course_answer(course, &from) == COURSE_NEEDS_KEYS)
        return needs_keys(job, from);
    if (course->dry_run || course->row.status != STATUS_ACTIVE ||
        !plans_has(course->row.plans, course->row.to_move))
        return STEP_GO;
    return answer_by_plan(job, course);
}

/* ---- what its owner sees ---- */

/* Composes a plan as an answer, in the form that the client wants. */
static const char *plan_document(const struct job *job, const struct db_plan *stored,
                                 const struct plan *plan, size_t at)
{
    struct arena *arena = &job->request->arena;
    struct json json;

    if (job->request->form == FORM_TEXT)
        return view_plan_text(arena, stored, plan, at);
    json_init(&json, arena);
    json_open(&json, '{');
    view_plan(&json, stored, plan, at);
    json_finish(&json);
    return json.out.text;
}

static void answer(struct job *job, const char *document)
{
    reply_header(job->request, "Cache-Control", "no-store");
    reply_made(job->request, 200, document);
}

static enum step no_such_plan(struct job *job)
{
    return play_refuse(job, PROBLEM_NO_SUCH_PLAN, NULL);
}

static enum step show(struct job *job, const struct db_plan *stored)
{
    bool moved = job->table->row.ply > stored->ply;
    struct plan plan;
    size_t at;

    if (!plans_load(&job->request->arena, stored->tree, &plan))
        return play_fail(job);
    at = moved ? follow(job, &plan, NULL) : 0;
    /* It is the plan of another line, which was set since the row was read: the old one had ended.
     */
    if (moved && at == 0)
        return no_such_plan(job);
    answer(job, plan_document(job, stored, &plan, at));
    return STEP_OVER;
}

/* Lets a request act on the plan of the one seat that it plays. */
static enum step may_plan(struct job *job, const struct guard *guard, int *seat)
{
    unsigned seats;
    enum step step = play_may_act(job, guard, &seats);

    if (step != STEP_GO)
        return step;
    if (seats == SEATS_BOTH)
        return play_refuse(job, PROBLEM_NO_OPPONENT, NULL);
    *seat = play_seat(&job->table->row, seats);
    return STEP_GO;
}

static enum step step_show(struct job *job)
{
    const struct db_plan *stored;
    int seat = 0;
    enum step step = may_plan(job, &guard_none, &seat);

    if (step == STEP_GO)
        step = job_need_row(job);
    if (step != STEP_GO)
        return step;
    if (job->table->row.status != STATUS_ACTIVE || !plans_has(job->table->row.plans, seat))
        return no_such_plan(job);
    step = need_plan(job, seat, &stored);
    if (step != STEP_GO)
        return step;
    return stored == NULL ? no_such_plan(job) : show(job, stored);
}

static void plan_show(struct request *request, db_id id)
{
    job_submit(job_new(request, step_show, NULL), id);
}

/* ---- setting and deleting ---- */

/* Refuses a tree. A client learns of the first branch that is wrong as much as of a wrong move. */
static enum step refuse_tree(struct job *job, const struct plan_fault *fault)
{
    struct request *request = job->request;
    const struct rules_game *game = job->table->game;
    struct game_view view = play_view(job);
    enum step step = job_need_confirmed(job);
    struct json json;

    if (step != STEP_GO)
        return step;
    refuse_open(request, &json, &view, fault->problem, fault->detail);
    reply_problem_point(request, &json, fault->pointer);
    if (fault->move != NULL) {
        view_refusal(&json, game, fault->state, &fault->why, NULL);
        json_member(&json, "move", fault->move);
        metrics_add(&request->loop->metrics.refusals[play_game_number(game)][fault->why.code], 1);
    }
    reply_problem_send(request, &json, fault->problem);
    return STEP_OVER;
}

static void on_set(struct job *job)
{
    const struct plan_args *args = job->args;

    answer(job, args->document);
}

/* Judges the tree in the present position, on whatever thread. */
static void judge(struct job *job)
{
    struct plan_args *args = job->args;
    const struct table *table = job->table;

    args->legal = plans_judge(&job->request->arena, table->game, table->state, &args->plan,
                              &args->judged, &args->fault);
    args->judged_at = table->row.version;
}

/* To judge a move may take a tenth of a millisecond, and a tree has up to a thousand of them. */
static enum step need_judged(struct job *job)
{
    enum { FEW = 8 };
    const struct plan_args *args = job->args;

    if (args->judged_at == job->table->row.version)
        return STEP_GO;
    if (args->plan.count > FEW)
        return job_offload_part(job, judge);
    judge(job);
    return STEP_GO;
}

static enum step set(struct job *job, int seat)
{
    struct plan_args *args = job->args;
    struct arena *arena = &job->request->arena;
    const struct db_game *row = &job->table->row;
    struct db_plan *stored = arena_alloc(arena, sizeof(*stored));

    if (!args->legal)
        return refuse_tree(job, &args->fault);
    *stored = (struct db_plan){.seat = (int16_t)seat,
                               .line = row->line,
                               .ply = row->ply,
                               .tree = plans_text(arena, &args->judged)};
    args->document = plan_document(job, stored, &args->judged, 0);
    job->written = on_set;
    return job_set_plan(job, stored);
}

/* If the game has moved on, that is what the client has to know first: it explains the rest. */
static enum step step_set(struct job *job)
{
    const struct plan_args *args = job->args;
    const struct db_game *row = &job->table->row;
    enum problem not ;
    int seat = 0;
    enum step step = may_plan(job, &args->guard, &seat);

    if (step != STEP_GO)
        return step;
    if (row->status == STATUS_ACTIVE && args->after_ply != row->ply)
        return again_stale(job, args->after_ply + 1);
    not = may_not_plan(row, seat_bit(seat));
    if (not != PROBLEM_NONE)
        return play_refuse(job, not, NULL);
    step = need_judged(job);
    return step == STEP_GO ? set(job, seat) : step;
}

/* Each does it for the seat that the request plays, and answers. `args` must live as long as the
 * request. */
static void plan_set(struct request *request, db_id id, struct plan_args *args)
{
    job_submit(job_new(request, step_set, args), id);
}

static void on_deleted(struct job *job)
{
    reply_empty(job->request, 204);
}

static enum step step_delete(struct job *job)
{
    struct db_plan *none = arena_zero(&job->request->arena, sizeof(*none));
    int seat = 0;
    enum step step = may_plan(job, &guard_none, &seat);

    if (step == STEP_GO)
        step = job_need_row(job);
    if (step != STEP_GO)
        return step;
    if (!plans_has(job->table->row.plans, seat)) {
        on_deleted(job);
        return STEP_OVER;
    }
    none->seat = (int16_t)seat;
    job->written = on_deleted;
    return job_set_plan(job, none);
}

static void plan_delete(struct request *request, db_id id)
{
    job_submit(job_new(request, step_delete, NULL), id);
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
