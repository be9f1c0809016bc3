/*
 * claims.c - claims: the time is over, an impasse, a repetition.
 *
 *     timeout      the time of the other side has run out. Each run of an op settles the clock
 *                  first (timeout.h), so a claim only finds out that it has, or how much is left.
 *     impasse      the side to move wins by points, in games that know a declaration: the same as
 *                  "win" in place of a move
 *     repetition   the position stands on the board too often. Every game ends by that itself, so a
 *                  claim is told how often it has been there, unless the option is off.
 *
 * A claim of what has ended the game already is answered with the game.
 */
#include <string.h>

#include "api/endpoints/games/retries.h"
#include "api/endpoints/guard.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/refuse.h"
#include "api/endpoints/use_case.h"
#include "api/game/clock.h"
#include "api/game/rights.h"
#include "api/game/words.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/fetch.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"
#include "api/text/refusal.h"
#include "api/view/view.h"
#include "db/db.h"
#include "rules/rules.h"

enum claim { CLAIM_TIMEOUT, CLAIM_IMPASSE, CLAIM_REPETITION };

struct claim_args {
    struct guard guard;
    enum claim kind;
};

/* The words of the kinds, in their order; it ends with NULL. */
static const char *const claims_words[] = {"timeout", "impasse", "repetition", NULL};

/* Refuses a claim. `members` are added to the problem; NULL: none. */
static enum step refuse_claim(struct op *op, const char *detail, const struct json *members)
{
    struct game_view view = use_case_view(op);
    enum step step = op_need_confirmed(op);
    struct json json;

    if (step != STEP_GO)
        return step;
    refuse_open(op->request, &json, &view, PROBLEM_CLAIM_REFUSED, detail);
    if (members != NULL && members->out.len > 0)
        json_raw(&json, members->out.text);
    reply_problem_send(op->request, &json, PROBLEM_CLAIM_REFUSED);
    return STEP_OVER;
}

/* ---- time ---- */

static enum step claim_timeout(struct op *op, unsigned seats)
{
    const struct db_game *row = &op->live->row;
    enum problem why = may_not_claim_timeout(row, seats);
    struct json members;

    if (why != PROBLEM_NONE && why != PROBLEM_CLAIM_REFUSED)
        return use_case_refuse(op, why, NULL);
    json_init(&members, &op->request->arena);
    json_key(&members, "clock");
    clock_view(&members, op->live->clock, row, &op->gaps, op->now);
    return refuse_claim(op,
                        why != PROBLEM_NONE ? "It is your own time that runs."
                                            : "The time of the other side has not run out.",
                        &members);
}

/* ---- points ---- */

static enum step claim_impasse(struct op *op, unsigned seats)
{
    const struct live_game *live = op->live;
    enum problem why = may_not_claim_impasse(&live->row, seats);
    struct rules_outcome outcome;
    struct rules_refusal refusal;
    struct json members;

    if (why == PROBLEM_CLAIM_REFUSED)
        return refuse_claim(op, "This game knows no such claim.", NULL);
    if (why != PROBLEM_NONE)
        return use_case_refuse(op, why, NULL);
    if (live->game->declare(live->state, &outcome, &refusal))
        return use_case_end(op, use_case_draft(op), STATUS_FINISHED, outcome.winner,
                            rules_reason_text(outcome.reason), EVENT_DECLARED, live->row.to_move);
    json_init(&members, &op->request->arena);
    view_refusal(&members, live->game, live->state, &refusal, op->request->lang);
    return refuse_claim(op,
                        refusal_text(&op->request->arena, live->game, live->state, NULL, &refusal,
                                     op->request->lang),
                        &members);
}

/* ---- repetition ---- */

/* How often a position ends the game. 0: never. */
static int32_t repetitions(const struct live_game *live)
{
    for (size_t i = 0; i < live->game->noptions; i++)
        if (strcmp(live->game->options[i].name, "repetition") == 0)
            return live->options.value[i];
    return 0;
}

/* How often the present position has been there, by the live game's keys, of which the last is its
 * own.
 */
static int64_t times_seen(const struct live_game *live, size_t span)
{
    size_t before = live->nkeys - 1, past = span < before ? span : before;
    struct rules_history history = {live->keys + before - past, past};

    return 1 + (int64_t)rules_occurrences(&history, live->keys[before]);
}

static enum step claim_repetition(struct op *op, unsigned seats)
{
    const struct live_game *live = op->live;
    enum problem why = may_not_resign(&live->row, seats); /* the game is played */
    size_t span = live->game->span(live->state), ply = (size_t)live->row.ply;
    int32_t required = repetitions(live);
    struct json members;
    int64_t seen;
    enum step step;

    if (why != PROBLEM_NONE)
        return use_case_refuse(op, why, NULL);
    if (required == 0) /* and so the rules may not count */
        return refuse_claim(op, "This game does not end by repetition.", NULL);
    step = fetch_keys(op, ply > span ? (int32_t)(ply - span) : 0);
    if (step != STEP_GO)
        return step;
    seen = times_seen(live, span);
    json_init(&members, &op->request->arena);
    json_member_int(&members, "seen", seen);
    json_member_int(&members, "required", required);
    return refuse_claim(op, "The game ends by itself when the position is there that often.",
                        &members);
}

/* ---- any claim ---- */

/* Whether what is claimed has ended the game already. */
static bool holds(const struct db_game *row, enum claim kind)
{
    static const char *const reasons[][2] = {
        [CLAIM_TIMEOUT] = {"timeout", "no_start"},
        [CLAIM_IMPASSE] = {"impasse", "impasse"},
        [CLAIM_REPETITION] = {"repetition", "perpetual_check"}};

    return !status_goes_on(row->status) && row->reason != NULL &&
           (strcmp(row->reason, reasons[kind][0]) == 0 ||
            strcmp(row->reason, reasons[kind][1]) == 0);
}

static enum step step_claim(struct op *op)
{
    static enum step (*const claims[])(struct op *,
                                       unsigned) = {[CLAIM_TIMEOUT] = claim_timeout,
                                                    [CLAIM_IMPASSE] = claim_impasse,
                                                    [CLAIM_REPETITION] = claim_repetition};
    const struct claim_args *args = op->args;
    unsigned seats;
    enum step step = use_case_may_act(op, &args->guard, &seats);

    if (step != STEP_GO)
        return step;
    return holds(&op->live->row, args->kind) ? use_case_answer_game(op)
                                             : claims[args->kind](op, seats);
}

/* Does what `args` ask for in a game, and answers. `args` must live as long as the request. */
static void claims_make(struct request *request, db_id id, struct claim_args *args)
{
    use_case_submit(request, id, step_claim, retries_game, args);
}

/* ---- requests ---- */

enum { CLAIM_WORD_MAX = 32 };

static void take_claim(struct json_fields *fields, void *args)
{
    static const char kinds[] = "timeout, impasse or repetition is expected.";
    struct claim_args *claim = args;
    const char *kind;
    int i = 0;

    if (!json_take_string(fields, "kind", CLAIM_WORD_MAX, &kind)) {
        json_missing(fields, "kind", kinds);
        return;
    }
    while (claims_words[i] != NULL && strcmp(claims_words[i], kind) != 0)
        i++;
    claim->kind = (enum claim)i;
    if (claims_words[i] == NULL)
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "kind", kinds);
}

void handle_claim(struct request *request)
{
    struct claim_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (input_id(request, &id) && guard_read_args(request, &args->guard, "kind", take_claim, args))
        claims_make(request, id, args);
}
