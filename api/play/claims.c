#include "api/play/claims.h"

#include <string.h>

#include "api/game/clock.h"
#include "api/game/may.h"
#include "api/game/words.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/play/again.h"
#include "api/play/common.h"
#include "api/play/refuse.h"
#include "api/table/needs.h"
#include "api/text/json.h"
#include "api/text/refusal.h"
#include "api/view/refusal.h"
#include "rules/rules.h"

const char *const claims_words[] = {"timeout", "impasse", "repetition", NULL};

/* Refuses a claim. `members` are added to the problem; NULL: none. */
static enum step refuse(struct job *job, const char *detail, const struct json *members)
{
    struct game_view view = play_view(job);
    enum step step = job_need_confirmed(job);
    struct json json;

    if (step != STEP_GO)
        return step;
    refuse_open(job->request, &json, &view, PROBLEM_CLAIM_REFUSED, detail);
    if (members != NULL && members->out.len > 0)
        json_raw(&json, members->out.text);
    reply_problem_send(job->request, &json, PROBLEM_CLAIM_REFUSED);
    return STEP_OVER;
}

/* ---- time ---- */

static enum step claim_timeout(struct job *job, unsigned seats)
{
    const struct db_game *row = &job->table->row;
    enum problem why = may_not_claim_timeout(row, seats);
    struct json members;

    if (why != PROBLEM_NONE && why != PROBLEM_CLAIM_REFUSED)
        return play_refuse(job, why, NULL);
    json_init(&members, &job->request->arena);
    json_key(&members, "clock");
    clock_view(&members, job->table->clock, row, &job->gaps, job->now);
    return refuse(job,
                  why != PROBLEM_NONE ? "It is your own time that runs."
                                      : "The time of the other side has not run out.",
                  &members);
}

/* ---- points ---- */

static enum step claim_impasse(struct job *job, unsigned seats)
{
    const struct table *table = job->table;
    enum problem why = may_not_claim_impasse(&table->row, seats);
    struct rules_outcome outcome;
    struct rules_refusal refusal;
    struct json members;

    if (why == PROBLEM_CLAIM_REFUSED)
        return refuse(job, "This game knows no such claim.", NULL);
    if (why != PROBLEM_NONE)
        return play_refuse(job, why, NULL);
    if (table->game->declare(table->state, &outcome, &refusal))
        return play_end(job, play_course(job), STATUS_FINISHED, outcome.winner,
                        rules_reason_text(outcome.reason), EVENT_DECLARED, table->row.to_move);
    json_init(&members, &job->request->arena);
    view_refusal(&members, table->game, table->state, &refusal, job->request->lang);
    return refuse(job,
                  refusal_text(&job->request->arena, table->game, table->state, NULL, &refusal,
                               job->request->lang),
                  &members);
}

/* ---- repetition ---- */

/* How often a position ends the game. 0: never. */
static int32_t repetitions(const struct table *table)
{
    for (size_t i = 0; i < table->game->noptions; i++)
        if (strcmp(table->game->options[i].name, "repetition") == 0)
            return table->options.value[i];
    return 0;
}

/* How often the present position has been there, by the table's keys, of which the last is its own.
 */
static int64_t times_seen(const struct table *table, size_t span)
{
    size_t before = table->nkeys - 1, past = span < before ? span : before;
    struct rules_history history = {table->keys + before - past, past};

    return 1 + (int64_t)rules_occurrences(&history, table->keys[before]);
}

static enum step claim_repetition(struct job *job, unsigned seats)
{
    const struct table *table = job->table;
    enum problem why = may_not_resign(&table->row, seats); /* the game is played */
    size_t span = table->game->span(table->state), ply = (size_t)table->row.ply;
    int32_t required = repetitions(table);
    struct json members;
    int64_t seen;
    enum step step;

    if (why != PROBLEM_NONE)
        return play_refuse(job, why, NULL);
    if (required == 0) /* and so the rules may not count */
        return refuse(job, "This game does not end by repetition.", NULL);
    step = needs_keys(job, ply > span ? (int32_t)(ply - span) : 0);
    if (step != STEP_GO)
        return step;
    seen = times_seen(table, span);
    json_init(&members, &job->request->arena);
    json_member_int(&members, "seen", seen);
    json_member_int(&members, "required", required);
    return refuse(job, "The game ends by itself when the position is there that often.", &members);
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

static enum step step_claim(struct job *job)
{
    static enum step (*const claims[])(struct job *,
                                       unsigned) = {[CLAIM_TIMEOUT] = claim_timeout,
                                                    [CLAIM_IMPASSE] = claim_impasse,
                                                    [CLAIM_REPETITION] = claim_repetition};
    const struct claim_args *args = job->args;
    unsigned seats;
    enum step step = play_may_act(job, &args->guard, &seats);

    if (step != STEP_GO)
        return step;
    return holds(&job->table->row, args->kind) ? play_answer_game(job)
                                               : claims[args->kind](job, seats);
}

void claims_make(struct request *request, db_id id, struct claim_args *args)
{
    play_submit(request, id, step_claim, again_game, args);
}
