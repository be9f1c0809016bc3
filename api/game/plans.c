#include "api/game/plans.h"

#include <string.h>

#include "api/record/move_notation.h"
#include "api/text/json.h"
#include "api/text/move_text.h"
#include "api/text/refusal.h"

static const char any[] = "*";
static const char resign[] = "resign";

static bool is_text(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* ---- reading ---- */

static const char *keep_planned_text(struct json_fields *fields, const char *text)
{
    return arena_copy(fields->arena, text, strlen(text));
}

static void take_planned_move(struct json_fields *fields, const char *key, const char **move)
{
    if (json_take_string(fields, key, PLAN_MOVE_BYTES, move))
        *move = keep_planned_text(fields, *move);
    else
        json_missing(fields, key, "A move is expected.");
}

static void take_answer(struct json_fields *fields, struct plan_branch *branch)
{
    struct json_fields inner;
    const char *offer;

    if (!json_has_object(fields, "then")) {
        take_planned_move(fields, "then", &branch->then);
        return;
    }
    if (!json_take_object(fields, "then", &inner))
        return;
    take_planned_move(&inner, "move", &branch->then);
    branch->offers_draw = json_take_string(&inner, "offer", PLAN_MOVE_BYTES, &offer);
    if (branch->offers_draw && !is_text(offer, "draw"))
        json_refuse(&inner, PROBLEM_BAD_PARAMETER, "offer", "\"draw\" is expected.");
    json_ok(&inner);
}

static size_t take_planned_list(struct json_fields *fields, const char *key, struct plan *plan,
                                int depth);

/* The branch itself is looked at before what is behind it, so that the first mistake is told. */
static void take_branch(struct json_fields *fields, struct plan *plan, size_t at, int depth)
{
    const struct json_value *list;
    size_t count = 0;

    take_planned_move(fields, "if", &plan->branch[at].when);
    take_answer(fields, &plan->branch[at]);
    json_take_array(fields, "next", PLAN_BRANCHES_MAX, &list, &count);
    if (!json_ok(fields) || count == 0)
        return;
    if (depth == PLAN_DEPTH_MAX)
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "next",
                    arena_format(fields->arena,
                                 "A tree has at most %d answers one after the other.",
                                 PLAN_DEPTH_MAX));
    else
        plan->branch[at].next = take_planned_list(fields, "next", plan, depth + 1);
}

/* Takes the branches of a list, and those behind them. Returns the index of the first one. */
static size_t take_planned_list(struct json_fields *fields, const char *key, struct plan *plan,
                                int depth)
{
    const struct json_value *list;
    struct json_fields inner;
    size_t count = 0, first = 0, last = 0;

    json_take_array(fields, key, PLAN_BRANCHES_MAX, &list, &count);
    for (size_t i = 0; i < count && json_element_object(fields, list, key, i, &inner); i++) {
        if (plan->count == PLAN_BRANCHES_MAX) {
            json_refuse(
                &inner, PROBLEM_BAD_PARAMETER, NULL,
                arena_format(fields->arena, "A tree has at most %d branches.", PLAN_BRANCHES_MAX));
            break;
        }
        plan->count++;
        if (last == 0)
            first = plan->count;
        else
            plan->branch[last].sibling = plan->count;
        last = plan->count;
        take_branch(&inner, plan, last, depth);
        if (fields->error->code != PROBLEM_NONE)
            break;
    }
    return first;
}

void plans_take(struct json_fields *fields, struct plan *plan)
{
    plan->branch = arena_zero(fields->arena, (PLAN_BRANCHES_MAX + 1) * sizeof(*plan->branch));
    plan->count = 0;
    if (take_planned_list(fields, "tree", plan, 1) == 0)
        json_missing(fields, "tree", "A list of branches is expected, with one at least.");
}

bool plans_load(struct arena *arena, const char *text, struct plan *plan)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    const char *document = arena_format(arena, "{\"tree\":%s}", text);
    struct json_value *value =
        json_read_deep(arena, document, strlen(document), PLAN_LEVELS, &error);
    struct json_fields fields;
    bool ok;

    if (value == NULL)
        return false;
    json_fields(&fields, arena, value, &error);
    plans_take(&fields, plan);
    ok = json_ok(&fields);
    json_free(value);
    return ok;
}

/* ---- writing ---- */

static void write_answer(struct json *json, const struct plan_branch *branch)
{
    json_key(json, "then");
    if (!branch->offers_draw) {
        json_string(json, branch->then);
        return;
    }
    json_open(json, '{');
    json_member(json, "move", branch->then);
    json_member(json, "offer", "draw");
    json_close(json, '}');
}

static void write_list(struct json *json, const struct plan *plan, size_t first)
{
    json_open(json, '[');
    for (size_t i = first; i != 0; i = plan->branch[i].sibling) {
        json_open(json, '{');
        json_member(json, "if", plan->branch[i].when);
        write_answer(json, &plan->branch[i]);
        if (plan->branch[i].next != 0) {
            json_key(json, "next");
            write_list(json, plan, plan->branch[i].next);
        }
        json_close(json, '}');
    }
    json_close(json, ']');
}

const char *plans_text(struct arena *arena, const struct plan *plan)
{
    struct json json;

    json_init(&json, arena);
    write_list(&json, plan, plan->count > 0);
    return json.out.text;
}

/* ---- judging ---- */

struct judge {
    struct arena *arena;
    const struct rules_game *game;
    struct plan *plan;
    struct plan_fault *fault;

    /* The positions after the moves of the branch that is looked at, by its depth. */
    struct rules_state *after[PLAN_DEPTH_MAX + 1], *answered[PLAN_DEPTH_MAX + 1];
};

/* The pointer to a member of a branch. */
static const char *pointer_to(const struct judge *judge, size_t at, const char *member)
{
    return arena_format(judge->arena, "%s/%s", plans_pointer(judge->arena, judge->plan, at),
                        member);
}

/* Says what is wrong with a branch in the rules' eyes. Always false. */
static bool refuse_planned_move(struct judge *judge, size_t at, const char *member,
                                const char *move, const struct rules_state *state)
{
    struct plan_fault *fault = judge->fault;

    fault->problem = problem_of(fault->why.code);
    fault->pointer = pointer_to(judge, at, member);
    fault->detail = refusal_text(judge->arena, judge->game, state, move, &fault->why, NULL);
    if (fault->why.code == RULES_BAD_MOVE_TEXT)
        fault->detail = arena_format(
            judge->arena, "%s %s", fault->detail,
            is_text(member, "if") ? "\"if\" takes a move of the other side, or \"*\" for any other."
                                  : "\"then\" takes a move of yours or \"resign\".");
    fault->move = move;
    fault->state = state;
    return false;
}

/* The same for anything else. */
static bool refuse_planned(struct judge *judge, size_t at, const char *member, const char *detail)
{
    *judge->fault = (struct plan_fault){
        .problem = PROBLEM_BAD_PLAN, .pointer = pointer_to(judge, at, member), .detail = detail};
    return false;
}

/* Reads a move, makes its text canonical, and plays it. */
static bool play_planned(struct judge *judge, size_t at, const char *member, const char **text,
                         const struct rules_state *state, struct rules_state *next)
{
    const rules_move none = {{0, 0}};
    rules_move move;

    if (!record_read_move(judge->arena, judge->game, state, none, *text, &move, &judge->fault->why))
        return refuse_planned_move(judge, at, member, *text, state);
    *text = move_text(judge->arena, judge->game, state, move);
    judge->game->play(state, move, next);
    return true;
}

static bool is_over(const struct judge *judge, const struct rules_state *state)
{
    return rules_outcome_now(judge->game, state).status != RULES_ONGOING;
}

/* Whether a branch before this one, in the list from `first` on, is for the same move. */
static bool stands_twice(const struct plan *plan, size_t first, size_t at)
{
    for (size_t i = first; i != at; i = plan->branch[i].sibling)
        if (is_text(plan->branch[i].when, plan->branch[at].when))
            return true;
    return false;
}

/* Judges the move that a branch waits for; *after becomes the position behind it. */
static bool judge_condition(struct judge *judge, size_t first, size_t at,
                            const struct rules_state *state, struct rules_state *after)
{
    struct plan_branch *branch = &judge->plan->branch[at];
    bool names = !is_text(branch->when, any);

    if (names && !play_planned(judge, at, "if", &branch->when, state, after))
        return false;
    if (stands_twice(judge->plan, first, at))
        return refuse_planned(judge, at, "if", "Another branch beside it is for the same move.");
    if (names && is_over(judge, after))
        return refuse_planned(judge, at, "if",
                              "The game is over after this move; nothing answers it.");
    return true;
}

static bool judge_resignation(struct judge *judge, size_t at)
{
    const struct plan_branch *branch = &judge->plan->branch[at];

    if (branch->offers_draw)
        return refuse_planned(judge, at, "then", "Whoever resigns offers no draw.");
    if (branch->next != 0)
        return refuse_planned(judge, at, "next", "The game is over: nothing follows.");
    return true;
}

static bool judge_list(struct judge *judge, size_t first, const struct rules_state *state,
                       int depth);

static bool judge_answer(struct judge *judge, size_t at, const struct rules_state *after, int depth)
{
    struct plan_branch *branch = &judge->plan->branch[at];
    struct rules_state *answered = judge->answered[depth];

    if (plans_resigns(branch))
        return judge_resignation(judge, at);
    if (is_text(branch->when, any))
        return refuse_planned(
            judge, at, "then",
            "An answer to any other move can only be \"resign\", since nobody can tell "
            "what will be legal then.");
    if (!play_planned(judge, at, "then", &branch->then, after, answered))
        return false;
    if (branch->next == 0)
        return true;
    if (is_over(judge, answered))
        return refuse_planned(judge, at, "next",
                              "The game is over after this answer: nothing follows.");
    return judge_list(judge, branch->next, answered, depth + 1);
}

/* A game's position keeps its size, so there is room for those that follow. */
static struct rules_state *new_state(struct judge *judge, const struct rules_state *like)
{
    return arena_alloc(judge->arena, offsetof(struct rules_state, w) + like->bytes);
}

static bool judge_list(struct judge *judge, size_t first, const struct rules_state *state,
                       int depth)
{
    if (judge->after[depth] == NULL) {
        judge->after[depth] = new_state(judge, state);
        judge->answered[depth] = new_state(judge, state);
    }
    for (size_t at = first; at != 0; at = judge->plan->branch[at].sibling)
        if (!judge_condition(judge, first, at, state, judge->after[depth]) ||
            !judge_answer(judge, at, judge->after[depth], depth))
            return false;
    return true;
}

bool plans_judge(struct arena *arena, const struct rules_game *game,
                 const struct rules_state *state, const struct plan *plan, struct plan *judged,
                 struct plan_fault *fault)
{
    size_t size = (plan->count + 1) * sizeof(*plan->branch);
    struct judge *judge = arena_zero(arena, sizeof(*judge));

    *judge = (struct judge){.arena = arena, .game = game, .plan = judged, .fault = fault};
    judged->branch = arena_alloc(arena, size);
    memcpy(judged->branch, plan->branch, size);
    judged->count = plan->count;
    return judge_list(judge, plan->count > 0, state, 1);
}

/* ---- following ---- */

/* The branch of a list that a move takes. */
static size_t find_planned_line(const struct plan *plan, size_t first, const char *move)
{
    size_t otherwise = 0;

    for (size_t i = first; i != 0; i = plan->branch[i].sibling) {
        if (is_text(plan->branch[i].when, move))
            return i;
        if (is_text(plan->branch[i].when, any))
            otherwise = i;
    }
    return otherwise;
}

size_t plans_follow(const struct plan *plan, const char *const *moves, size_t count)
{
    size_t at = 0, ahead = plan->count > 0;

    for (size_t i = 0; i < count; i++) {
        if (i % 2 == 0)
            at = find_planned_line(plan, ahead, moves[i]);
        else if (!is_text(plan->branch[at].then, moves[i]))
            at = 0;
        if (at == 0)
            return 0;
        ahead = plan->branch[at].next;
    }
    return at;
}

bool plans_resigns(const struct plan_branch *branch)
{
    return is_text(branch->then, resign);
}

const char *plans_pointer(struct arena *arena, const struct plan *plan, size_t branch)
{
    const char *pointer = "/tree";
    size_t at = 1, place = 0;

    while (at != branch) {
        size_t sibling = plan->branch[at].sibling;

        if (sibling != 0 && sibling <= branch) {
            at = sibling;
            place++;
        } else {
            pointer = arena_format(arena, "%s/%zu/next", pointer, place);
            at = plan->branch[at].next;
            place = 0;
        }
    }
    return arena_format(arena, "%s/%zu", pointer, place);
}

/* ---- in the log ---- */

/* Within a text of the data, quotes would be escaped. */
bool plans_played(const char *data)
{
    return data != NULL && strstr(data, PLANS_SOURCE) != NULL;
}
