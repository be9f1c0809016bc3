/* moves.c - playing moves. */
#include <string.h>

#include "api/endpoints/common.h"
#include "api/endpoints/games/move_input.h"
#include "api/endpoints/games/moves.h"
#include "api/endpoints/games/offers.h"
#include "api/endpoints/games/plans.h"
#include "api/endpoints/games/repeats.h"
#include "api/endpoints/games/undo.h"
#include "api/endpoints/guard.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/refuse.h"
#include "api/game/draft.h"
#include "api/game/opponent.h"
#include "api/game/plans.h"
#include "api/game/rights.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/body.h"
#include "api/http/prefer.h"
#include "api/http/query.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/fetch.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/stream/channels.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"
#include "api/text/refusal.h"
#include "api/view/game.h"
#include "api/view/game_text.h"
#include "api/view/refusal.h"
#include "api/view/view.h"
#include "db/db.h"
#include "rules/rules.h"

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

/* ---- requests ---- */

enum { MOVE_BYTES_MAX = 128 };

/* ---- posting moves ---- */

/* Takes a list of texts, which are kept beyond the body. */
static const char *const *take_texts(struct json_fields *fields, const struct json_value *array,
                                     const char *name, size_t count, size_t bytes)
{
    const char **texts = arena_alloc(fields->arena, (count + 1) * sizeof(*texts));

    for (size_t i = 0; i < count; i++)
        if (json_element_string(fields, array, name, i, bytes, &texts[i]))
            texts[i] = body_keep(fields, texts[i]);
    return texts;
}

static bool take_move(struct json_fields *fields, struct move_args *args)
{
    const char **text = arena_alloc(fields->arena, sizeof(*text));

    if (!json_take_string(fields, "move", MOVE_BYTES_MAX, text))
        return false;
    *text = body_keep(fields, *text);
    args->texts = text;
    args->count = 1;
    args->single = true;
    return true;
}

static bool take_clicks(struct json_fields *fields, struct move_args *args)
{
    const struct json_value *array;
    size_t count;

    if (!json_take_array(fields, "clicks", RULES_PATH_MAX, &array, &count))
        return false;
    args->texts = take_texts(fields, array, "clicks", count, RULES_SQUARE_TEXT - 1);
    args->clicked = count;
    args->count = count > 0;
    args->single = true;
    return true;
}

static bool take_list(struct json_fields *fields, struct move_args *args)
{
    const struct json_value *array;
    size_t count;

    if (!json_take_array(fields, "moves", COURSE_MOVES_MAX, &array, &count))
        return false;
    args->texts = take_texts(fields, array, "moves", count, MOVE_BYTES_MAX);
    args->count = count;
    args->single = false;
    return true;
}

/* Takes the one of three members that says what is played. All three are taken in any case: one
 * that is left would be refused as unknown. */
static void take_moves(struct json_fields *fields, struct move_args *args)
{
    int given;

    if (json_has(fields, "from") || json_has_object(fields, "move"))
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "move",
                    "A move is one text, {\"move\":\"a3a4\"}, or the clicks that make it, "
                    "{\"clicks\":[\"a3\",\"a4\"]}.");
    given = take_move(fields, args);
    given += take_clicks(fields, args);
    given += take_list(fields, args);
    if (given > 1 || (given == 1 && args->count == 0))
        json_refuse(fields, PROBLEM_BAD_PARAMETER, given == 1 && args->single ? "clicks" : "moves",
                    "Exactly one of move, clicks and moves is expected; a list must not be empty.");
    else if (given == 0)
        json_missing(fields, "move", "A move is expected.");
}

/* A draw may be offered with the move, by a member or (beside a bare text) by a parameter. */
static const char *const offers[] = {"draw", NULL};

static void take_offer(struct json_fields *fields, struct move_args *args)
{
    const char *offer;

    if (!json_take_string(fields, "offer", MOVE_BYTES_MAX, &offer))
        return;
    if (strcmp(offer, offers[0]) == 0)
        args->offers_draw = true;
    else
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "offer",
                    "Only a draw can be offered with a move.");
}

static bool read_moves(struct request *request, struct move_args *args, bool put)
{
    static const char *const known[] = {"dry_run", "include", "offer", "lang", NULL};
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *body;
    uint32_t offered;
    int64_t number;

    if (!query_ok(request, known) || !input_choice(request) ||
        !query_bool(request, "dry_run", &args->dry_run) ||
        !query_words(request, "offer", offers, &offered) || !guard_read(request, &args->guard))
        return false;
    args->offers_draw = offered != 0;
    args->wait_s = prefer_wait_s(request_header_list(request, "Prefer"));
    body = body_read(request, "move");
    if (body == NULL)
        return false;
    json_fields(&fields, &request->arena, body, &error);
    take_moves(&fields, args);
    take_offer(&fields, args);
    if (!put && json_take_int(&fields, "ply", 1, INT32_MAX, &number))
        args->ply = (int32_t)number;
    if (json_take_int(&fields, "line", 1, INT32_MAX, &number))
        args->guard.line = (int32_t)number;
    if (put && args->count > 0 && !args->single)
        json_refuse(&fields, PROBLEM_BAD_PARAMETER, "moves", "PUT takes a single move.");
    if (put && json_has(&fields, "ply"))
        json_refuse(&fields, PROBLEM_UNKNOWN_FIELD, "ply",
                    "With PUT the ply stands in the address alone.");
    return body_done(request, body, &fields);
}

static struct move_args *new_move_args(struct request *request)
{
    struct move_args *args = arena_zero(&request->arena, sizeof(*args));

    args->ply = MAY_ANY;
    return args;
}

void handle_post_moves(struct request *request)
{
    struct move_args *args = new_move_args(request);
    db_id id;

    if (input_id(request, &id) && read_moves(request, args, false))
        moves_play(request, id, args);
}

void handle_put_move(struct request *request)
{
    struct move_args *args = new_move_args(request);
    db_id id;

    args->put = true;
    if (input_id(request, &id) && input_ply(request, 1, &args->ply) &&
        read_moves(request, args, true))
        moves_play(request, id, args);
}

/* ---- undo and redo ---- */
