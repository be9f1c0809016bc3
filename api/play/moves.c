#include "api/play/moves.h"

#include <string.h>

#include "api/game/course.h"
#include "api/game/may.h"
#include "api/game/opponent.h"
#include "api/game/plans.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/reply_problem.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/play/again.h"
#include "api/play/common.h"
#include "api/play/offering.h"
#include "api/play/plans.h"
#include "api/play/refuse.h"
#include "api/table/channels.h"
#include "api/table/needs.h"
#include "api/text/json.h"
#include "api/text/problem.h"
#include "api/text/refusal.h"
#include "api/view/game.h"
#include "api/view/game_text.h"
#include "api/view/refusal.h"
#include "api/view/view.h"

/* What became of the moves of a request, as far as they could be played. A worker finds that out if
 * they are many, so nothing here asks for anything or answers. */
struct played {
    struct course *course;
    int32_t version, plans, keys_from; /* of the table, when they were played */
    enum { ALL_PLAYED, NOT_ALLOWED, NOT_LEGAL, KEYS_MISSING } end;
    size_t at;                /* of the move that was not played */
    enum problem problem;     /* NOT_ALLOWED: why */
    struct rules_refusal why; /* NOT_LEGAL: why */
    int32_t from;             /* KEYS_MISSING: back to this ply */
    struct json moves;        /* as they are told */
};

/* ---- playing ---- */

/* Says why no move follows the end of the game. The rules say what ended it where the position did;
 * where people did, or the past, they would allow the move, and only the code is left. */
static void explain_end(const struct job *job, struct played *played)
{
    const struct course *course = played->course;
    const char *text = wanted_text(job, &course->state, played->at);
    rules_move move;

    if (course->game->read_move(&course->state, text, &move, &played->why) ||
        played->why.code != RULES_GAME_OVER)
        rules_refuse(&played->why, RULES_GAME_OVER, NULL);
}

/* Plays move `at`. False: `end` says why it was not played. */
static bool play_one(const struct job *job, struct played *played)
{
    struct course *course = played->course;
    int seat = course->row.to_move;

    played->problem = may_not_move(&course->row, played->course->seats);
    if (played->problem == PROBLEM_RULE_GAME_OVER) {
        played->end = NOT_LEGAL;
        explain_end(job, played);
        return false;
    }
    if (played->problem != PROBLEM_NONE) {
        played->end = NOT_ALLOWED;
        return false;
    }
    switch (course_play(course, wanted_text(job, &course->state, played->at), &played->why,
                        &played->from)) {
    case COURSE_NEEDS_KEYS:
        played->end = KEYS_MISSING;
        return false;
    case COURSE_REFUSED:
        played->end = NOT_LEGAL;
        return false;
    case COURSE_PLAYED:
        break;
    }
    course->row.plans = plans_without(course->row.plans, seat);
    return true;
}

static void play_all(struct job *job)
{
    const struct move_args *args = job->args;
    struct played *played = args->played;

    json_init(&played->moves, played->course->arena);
    play_tell_moves(played->course, &played->moves);
    for (played->at = 0; played->at < args->count; played->at++)
        if (!play_one(job, played))
            return;
}

/* ---- what comes of it ---- */

/* Refuses a move that the rules do not allow. The moves before it are not written either. */
static enum step refuse_move(struct job *job, const struct course *course, size_t i,
                             const struct rules_refusal *why)
{
    const struct move_args *args = job->args;
    struct request *request = job->request;
    struct game_view view = play_view(job);
    enum problem problem = problem_of(why->code);
    const char *move = wanted_text(job, &course->state, i);
    enum step step = job_need_confirmed(job);
    struct json json;

    if (step != STEP_GO)
        return step;
    refuse_open(request, &json, &view, problem,
                strcmp(move, "resign") == 0
                    ? arena_format(&request->arena, "To resign, POST /v1/games/%s/resign.",
                                   request->param[0])
                    : refusal_text(&request->arena, course->game, &course->state, move, why,
                                   request->lang));
    view_refusal(&json, course->game, &course->state, why, request->lang);
    json_member(&json, "move", move);
    if (args->count > 1)
        json_member_int(&json, "at", (int64_t)i);
    metrics_add(&request->loop->metrics.refusals[play_game_number(course->game)][why->code], 1);
    reply_problem_send(request, &json, problem);
    return STEP_OVER;
}

/* Ends the game by a word in place of a move. The ply stays the same. */
static enum step declare(struct job *job, struct course *course)
{
    const struct move_args *args = job->args;
    const struct table *table = job->table;
    int seat = table->row.to_move;
    struct rules_outcome outcome;
    struct rules_refusal why;

    if ((course->seats & seat_bit(seat)) == 0)
        return play_refuse(job, PROBLEM_NOT_YOUR_TURN, NULL);
    if (strcmp(args->texts[0], "resign") == 0)
        return play_end(job, course, STATUS_FINISHED, (int)rules_other((unsigned)seat), "resign",
                        EVENT_RESIGNED, seat);
    if (!table->game->declare(table->state, &outcome, &why))
        return refuse_move(job, course, 0, &why);
    return play_end(job, course, STATUS_FINISHED, outcome.winner, rules_reason_text(outcome.reason),
                    EVENT_DECLARED, seat);
}

/* Offers a draw with the last move, unless that has ended the game. */
static enum step offer_draw(struct job *job, struct course *course)
{
    const struct move_args *args = job->args;
    enum problem why;

    if (!args->offers_draw || !course_goes_on(course))
        return STEP_GO;
    why = may_not_offer(&course->row, course->seats, OFFER_DRAW);
    if (why != PROBLEM_NONE)
        return play_refuse(job, why, NULL);
    offering_ride(course, course->row.last_seat);
    return STEP_GO;
}

/* The moves are written, and the opponent thinks about its answer. */
static enum step step_await(struct job *job)
{
    const struct db_game *row = &job->table->row;
    enum step step = STEP_GO;

    if (opponent_is_due(row) && row->line == job->told.line && row->ply == job->told.ply)
        step = channels_hold(job);
    return step == STEP_GO ? again_answered(job) : step;
}

static void await(struct job *job)
{
    const struct move_args *args = job->args;
    const struct db_game *row = &job->table->row;
    struct job *waiting = job_new(job->request, step_await, job->args);

    play_count_moves(job);
    waiting->wait_s = args->wait_s;
    waiting->told = (struct db_answer){.version = row->version, .line = row->line, .ply = row->ply};
    job_submit(waiting, row->id);
}

/* Lets the computer or a plan answer, and writes all of it as one. It may be called again: what it
 * adds to the course it adds once. */
static enum step answer_and_write(struct job *job, struct played *played)
{
    const struct move_args *args = job->args;
    struct course *course = played->course;
    struct json answers;
    struct game_view view;
    enum step step = offer_draw(job, course);

    if (step != STEP_GO)
        return step;
    json_init(&answers, course->arena);
    play_tell_moves(course, &answers);
    step = plan_answer(job, course);
    if (step != STEP_GO)
        return step;
    if (args->wait_s > 0 && !course->dry_run && opponent_is_due(&course->row))
        return play_write_then(job, course, await);
    view = play_course_view(job->request, course, course->seats);
    return play_write(job, course, 201,
                      play_moves_document(job, &view, args->single, &played->moves, &answers));
}

/* Either every move of a request is written or none. */
static enum step conclude(struct job *job, struct played *played)
{
    switch (played->end) {
    case NOT_ALLOWED:
        return play_refuse(job, played->problem, NULL);
    case NOT_LEGAL:
        return refuse_move(job, played->course, played->at, &played->why);
    case KEYS_MISSING:
        return needs_keys(job, played->from); /* then they are played anew, on another course */
    case ALL_PLAYED:
        break;
    }
    return answer_and_write(job, played);
}

static struct course *begin(struct job *job)
{
    const struct move_args *args = job->args;
    struct course *course = play_course(job);

    course->dry_run = args->dry_run;
    return course;
}

/* Whether a worker has played the moves, and what it found still holds: the game and its plans are
 * the same, and no keys were fetched since, which the course lacks. */
static bool were_played(const struct job *job)
{
    const struct move_args *args = job->args;
    const struct played *played = args->played;

    return played != NULL && played->version == job->table->row.version &&
           played->plans == job->table->row.plans && played->keys_from == job->table->keys_from;
}

/* The table may gain keys while the worker plays, so the course gets a list of its own. */
static void keep_keys(struct course *course)
{
    size_t size = course->nkeys * sizeof(*course->keys);
    uint64_t *keys = arena_alloc(course->arena, size);

    memcpy(keys, course->keys, size);
    course->keys = keys;
    course->keys_size = course->nkeys;
}

static enum step play_by_worker(struct job *job)
{
    const struct move_args *args = job->args;

    keep_keys(args->played->course);
    return job_offload_part(job, play_all);
}

static enum step carry_on(struct job *job)
{
    enum { FEW = 32 };
    struct move_args *args = job->args;

    if (args->count > FEW && were_played(job)) {
        args->played->course->gaps = job->gaps; /* they may lie elsewhere by now */
        return conclude(job, args->played);
    }
    args->played = arena_zero(&job->request->arena, sizeof(*args->played));
    args->played->course = begin(job);
    args->played->version = job->table->row.version;
    args->played->plans = job->table->row.plans;
    args->played->keys_from = job->table->keys_from;
    if (args->count > FEW)
        return play_by_worker(job);
    play_all(job);
    return conclude(job, args->played);
}

static enum step step_moves(struct job *job)
{
    const struct move_args *args = job->args;
    const struct db_game *row = &job->table->row;
    struct guard guard = args->guard;
    enum step step;
    unsigned seats;

    /* A PUT that is repeated finds its own move there, and that move has raised the version and may
     * have opened a line. Its guards spoke of the game before it. */
    if (args->put && args->ply <= row->ply)
        guard = guard_none;
    step = play_may_act(job, &guard, &seats);
    if (step != STEP_GO)
        return step;
    if (args->ply != MAY_ANY && args->ply != row->ply + 1)
        return again_answer(job, seats);
    if (row->status == STATUS_ACTIVE && wanted_is_word(job))
        return declare(job, begin(job));
    step = play_know_last_move(job);
    return step == STEP_GO ? carry_on(job) : step;
}

void moves_play(struct request *request, db_id id, struct move_args *args)
{
    play_submit(request, id, step_moves, again_moves, args);
}
