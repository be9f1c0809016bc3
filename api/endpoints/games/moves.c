/* moves.c - playing moves. */
#include <string.h>

#include "api/endpoints/games/move_input.h"
#include "api/endpoints/games/moves.h"
#include "api/endpoints/games/offers.h"
#include "api/endpoints/games/plans.h"
#include "api/endpoints/games/retries.h"
#include "api/endpoints/guard.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/refuse.h"
#include "api/endpoints/use_case.h"
#include "api/game/draft.h"
#include "api/game/opponent.h"
#include "api/game/plans.h"
#include "api/game/rights.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/body.h"
#include "api/http/prefer.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/auth.h"
#include "api/live/fetch.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/stream/channels.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/legal_moves.h"
#include "api/text/problem.h"
#include "api/text/refusal.h"
#include "api/view/view.h"
#include "db/db.h"
#include "rules/rules.h"

/* The result of playing a request's moves: all of them, or why move `at` stopped it. A worker may
 * play them, so nothing here queries the database or sends an answer. */
struct played {
    struct draft *draft;
    int32_t version, plans, keys_from; /* of the live game, when they were played */
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
static void explain_end(const struct op *op, struct played *played)
{
    const struct draft *draft = played->draft;
    const char *text = move_input_text(op, &draft->state, played->at);
    rules_move move;

    if (draft->game->read_move(&draft->state, text, &move, &played->why) ||
        played->why.code != RULES_GAME_OVER)
        rules_refuse(&played->why, RULES_GAME_OVER, NULL);
}

/* Plays move `at`. False: `end` says why it was not played. */
static bool play_one(const struct op *op, struct played *played)
{
    struct draft *draft = played->draft;
    int seat = draft->row.to_move;

    played->problem = may_not_move(&draft->row, played->draft->seats);
    if (played->problem == PROBLEM_RULE_GAME_OVER) {
        played->end = NOT_LEGAL;
        explain_end(op, played);
        return false;
    }
    if (played->problem != PROBLEM_NONE) {
        played->end = NOT_ALLOWED;
        return false;
    }
    switch (draft_play(draft, move_input_text(op, &draft->state, played->at), &played->why,
                       &played->from)) {
    case DRAFT_NEEDS_KEYS:
        played->end = KEYS_MISSING;
        return false;
    case DRAFT_REFUSED:
        played->end = NOT_LEGAL;
        return false;
    case DRAFT_PLAYED:
        break;
    }
    draft->row.plans = plans_without(draft->row.plans, seat);
    return true;
}

static void play_all(struct op *op)
{
    const struct move_args *args = op->args;
    struct played *played = args->played;

    json_init(&played->moves, played->draft->arena);
    use_case_tell_moves(played->draft, args->single, &played->moves);
    for (played->at = 0; played->at < args->count; played->at++)
        if (!play_one(op, played))
            return;
}

/* ---- what comes of it ---- */

/* A move that the rules do not allow, and what is told of it. */
struct refused {
    const struct draft *draft; /* at the position before it */
    const char *move;          /* its text */
    size_t at;                 /* its place among those that were sent */
    const struct rules_refusal *why;
    const char *detail;
};

static void write_refusal(struct json *json, const struct op *op, const struct refused *refused)
{
    const struct move_args *args = op->args;
    const struct draft *draft = refused->draft;
    const char *written = refusal_written(&op->request->arena, draft->game, &draft->state,
                                          refused->move, refused->why, op->request->lang);

    if (written != NULL)
        json_member(json, "text", written);
    view_refusal(json, draft->game, &draft->state, refused->why, op->request->lang);
    json_member(json, "move", refused->move);
    if (args->count > 1)
        json_member_int(json, "at", (int64_t)refused->at);
}

/* Answers 200 with the problem as a member: to ask was no mistake. */
static void explain_refusal(struct op *op, const struct game_view *view,
                            const struct refused *refused)
{
    struct request *request = op->request;
    struct json json;

    if (request->form == FORM_TEXT) {
        reply_made(request, 200, arena_format(&request->arena, "%s\n", refused->detail));
        return;
    }
    json_init(&json, &request->arena);
    json_open(&json, '{');
    json_key(&json, "problem");
    json_open(&json, '{');
    reply_problem_members(&json, problem_of(refused->why->code), refused->detail, request->lang);
    write_refusal(&json, op, refused);
    json_member(&json, "request_id", request->id);
    json_close(&json, '}');
    use_case_add_game(&json, op, view);
    json_finish(&json);
    reply_made(request, 200, json.out.text);
}

static const char *refused_detail(const struct op *op, const struct refused *refused)
{
    const struct draft *draft = refused->draft;
    struct request *request = op->request;

    if (strcmp(refused->move, "resign") == 0)
        return arena_format(&request->arena, "To resign, POST /v1/games/%s/resign.",
                            request->param[0]);
    return refusal_text(&request->arena, draft->game, &draft->state, refused->move, refused->why,
                        request->lang);
}

/* Refuses a move that the rules do not allow. The moves before it are not written either. One click
 * is no move, but it may ask why its man has none. */
static enum step refuse_posted_move(struct op *op, const struct draft *draft, size_t i,
                                    const struct rules_refusal *why)
{
    const struct move_args *args = op->args;
    struct request *request = op->request;
    struct game_view view = use_case_view(op);
    struct refused refused = {draft, move_input_text(op, &draft->state, i), i, why, NULL};
    struct rules_refusal stuck;
    enum step step = op_need_confirmed(op);
    struct json json;

    if (step != STEP_GO)
        return step;
    if (args->clicked == 1 && why->code == RULES_BAD_MOVE_TEXT &&
        legal_moves_stuck(&request->arena, draft->game, &draft->state, args->texts[0],
                          &refused.move, &stuck))
        refused.why = &stuck;
    metrics_add(
        &request->loop->metrics.refusals[use_case_game_number(draft->game)][refused.why->code], 1);
    refused.detail = refused_detail(op, &refused);
    if (args->explain) {
        explain_refusal(op, &view, &refused);
        return STEP_OVER;
    }
    refuse_open(request, &json, &view, problem_of(refused.why->code), refused.detail);
    write_refusal(&json, op, &refused);
    reply_problem_send(request, &json, problem_of(refused.why->code));
    return STEP_OVER;
}

/* Ends the game by a word in place of a move. The ply stays the same. */
static enum step declare_with_moves(struct op *op, struct draft *draft)
{
    const struct move_args *args = op->args;
    const struct live_game *live = op->live;
    int seat = live->row.to_move;
    struct rules_outcome outcome;
    struct rules_refusal why;

    if ((draft->seats & seat_bit(seat)) == 0)
        return use_case_refuse(op, PROBLEM_NOT_YOUR_TURN, NULL);
    if (strcmp(args->texts[0], "resign") == 0)
        return use_case_end(op, draft, STATUS_FINISHED, (int)rules_other((unsigned)seat), "resign",
                            EVENT_RESIGNED, seat);
    if (!live->game->declare(live->state, &outcome, &why))
        return refuse_posted_move(op, draft, 0, &why);
    return use_case_end(op, draft, STATUS_FINISHED, outcome.winner,
                        rules_reason_text(outcome.reason), EVENT_DECLARED, seat);
}

/* Offers a draw with the last move, unless that has ended the game. */
static enum step offer_draw(struct op *op, struct draft *draft)
{
    const struct move_args *args = op->args;
    enum problem why;

    if (!args->offers_draw || !draft_goes_on(draft))
        return STEP_GO;
    why = may_not_offer(&draft->row, draft->seats, OFFER_DRAW);
    if (why != PROBLEM_NONE)
        return use_case_refuse(op, why, NULL);
    offering_ride(draft, draft->row.last_seat);
    return STEP_GO;
}

/* The moves are written, and the opponent thinks about its answer. */
static enum step step_await(struct op *op)
{
    const struct db_game *row = &op->live->row;
    enum step step = STEP_GO;

    if (opponent_is_due(row) && row->line == op->told.line && row->ply == op->told.ply)
        step = channels_hold(op);
    if (step != STEP_GO)
        return step;
    /* The token may have been replaced while it waited. */
    return auth_require_seats(op->request, row) == 0 ? STEP_OVER : retries_answered(op);
}

static void await(struct op *op)
{
    const struct move_args *args = op->args;
    const struct db_game *row = &op->live->row;
    struct op *waiting = op_new(op->request, step_await, op->args);

    use_case_count_moves(op);
    waiting->wait_s = args->wait_s;
    waiting->told = (struct db_answer){.version = row->version, .line = row->line, .ply = row->ply};
    op_submit(waiting, row->id);
}

/* Lets the computer or a plan answer, and writes all of it as one. It may be called again: what it
 * adds to the draft it adds once. */
static enum step answer_and_write(struct op *op, struct played *played)
{
    const struct move_args *args = op->args;
    struct draft *draft = played->draft;
    struct json answers;
    struct game_view view;
    enum step step = offer_draw(op, draft);

    if (step != STEP_GO)
        return step;
    json_init(&answers, draft->arena);
    use_case_tell_moves(draft, false, &answers);
    step = plan_answer(op, draft);
    if (step != STEP_GO)
        return step;
    if (args->wait_s > 0 && !draft->dry_run && opponent_is_due(&draft->row))
        return use_case_write_then(op, draft, await);
    view = use_case_draft_view(op->request, draft, draft->seats);
    return use_case_write(
        op, draft, 201, use_case_moves_document(op, &view, args->single, &played->moves, &answers));
}

/* Either every move of a request is written or none. */
static enum step conclude(struct op *op, struct played *played)
{
    switch (played->end) {
    case NOT_ALLOWED:
        return use_case_refuse(op, played->problem, NULL);
    case NOT_LEGAL:
        return refuse_posted_move(op, played->draft, played->at, &played->why);
    case KEYS_MISSING:
        return fetch_keys(op, played->from); /* then they are played anew, on another draft */
    case ALL_PLAYED:
        break;
    }
    return answer_and_write(op, played);
}

static struct draft *begin_posted_moves(struct op *op)
{
    const struct move_args *args = op->args;
    struct draft *draft = use_case_draft(op);

    draft->dry_run = args->dry_run;
    return draft;
}

/* Whether a worker has played the moves, and what it found still holds: the game and its plans are
 * the same, and no keys were fetched since, which the draft lacks. */
static bool were_played(const struct op *op)
{
    const struct move_args *args = op->args;
    const struct played *played = args->played;

    return played != NULL && played->version == op->live->row.version &&
           played->plans == op->live->row.plans && played->keys_from == op->live->keys_from;
}

/* The live game may gain keys while the worker plays, so the draft gets a list of its own. */
static void keep_keys(struct draft *draft)
{
    size_t size = draft->nkeys * sizeof(*draft->keys);
    uint64_t *keys = arena_alloc(draft->arena, size);

    memcpy(keys, draft->keys, size);
    draft->keys = keys;
    draft->keys_size = draft->nkeys;
}

static enum step play_by_worker(struct op *op)
{
    const struct move_args *args = op->args;

    keep_keys(args->played->draft);
    return op_offload_part(op, play_all);
}

static enum step carry_on(struct op *op)
{
    enum { FEW = 32 };
    struct move_args *args = op->args;

    if (args->count > FEW && were_played(op)) {
        args->played->draft->gaps = op->gaps; /* they may lie elsewhere by now */
        return conclude(op, args->played);
    }
    args->played = arena_zero(&op->request->arena, sizeof(*args->played));
    args->played->draft = begin_posted_moves(op);
    args->played->version = op->live->row.version;
    args->played->plans = op->live->row.plans;
    args->played->keys_from = op->live->keys_from;
    if (args->count > FEW)
        return play_by_worker(op);
    play_all(op);
    return conclude(op, args->played);
}

static enum step step_moves(struct op *op)
{
    const struct move_args *args = op->args;
    const struct db_game *row = &op->live->row;
    struct guard guard = args->guard;
    enum step step;
    unsigned seats;

    /* A PUT that is repeated finds its own move there, and that move has raised the version and may
     * have opened a line. Its guards spoke of the game before it. */
    if (args->put && args->ply <= row->ply)
        guard = guard_none;
    step = use_case_may_act(op, &guard, &seats);
    if (step != STEP_GO)
        return step;
    if (args->ply != MAY_ANY && args->ply != row->ply + 1)
        return retries_answer(op, seats);
    if (row->status == STATUS_ACTIVE && move_input_is_word(op))
        return declare_with_moves(op, begin_posted_moves(op));
    step = use_case_know_last_move(op);
    return step == STEP_GO ? carry_on(op) : step;
}

void moves_play(struct request *request, db_id id, struct move_args *args)
{
    use_case_submit(request, id, step_moves, retries_moves, args);
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

static bool take_posted_move(struct json_fields *fields, struct move_args *args)
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

static bool take_posted_list(struct json_fields *fields, struct move_args *args)
{
    const struct json_value *array;
    size_t count;

    if (!json_take_array(fields, "moves", DRAFT_MOVES_MAX, &array, &count))
        return false;
    args->texts = take_texts(fields, array, "moves", count, MOVE_BYTES_MAX);
    args->count = count;
    args->single = false;
    return true;
}

/* Takes the one of three members that says what is played. All three are taken in any case: one
 * that is left would be refused as unknown. */
static void take_posted_moves(struct json_fields *fields, struct move_args *args)
{
    int given;

    if (json_has(fields, "from") || json_has_object(fields, "move"))
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "move",
                    "A move is one text, {\"move\":\"a3a4\"}, or the clicks that make it, "
                    "{\"clicks\":[\"a3\",\"a4\"]}.");
    given = take_posted_move(fields, args);
    given += take_clicks(fields, args);
    given += take_posted_list(fields, args);
    if (given > 1 || (given == 1 && args->count == 0))
        json_refuse(fields, PROBLEM_BAD_PARAMETER, given == 1 && args->single ? "clicks" : "moves",
                    "Exactly one of move, clicks and moves is expected; a list must not be empty.");
    else if (given == 0)
        json_missing(fields, "move", "A move is expected.");
}

/* A draw may be offered with the move, by a member or (beside a bare text) by a parameter. */
static const char *const offers[] = {"draw", NULL};

static void take_posted_offer(struct json_fields *fields, struct move_args *args)
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

static bool read_posted_moves(struct request *request, struct move_args *args, bool put)
{
    static const char *const known[] = {"dry_run", "explain", "include", "offer", "lang", NULL};
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *body;
    uint32_t offered;
    int64_t number;

    if (!query_ok(request, known) || !input_choice(request) ||
        !query_bool(request, "dry_run", &args->dry_run) ||
        !query_bool(request, "explain", &args->explain) ||
        !query_words(request, "offer", offers, &offered) || !guard_read(request, &args->guard))
        return false;
    args->dry_run |= args->explain;
    args->offers_draw = offered != 0;
    args->wait_s = prefer_wait_s(request_header_list(request, "Prefer"));
    body = body_read(request, "move");
    if (body == NULL)
        return false;
    json_fields(&fields, &request->arena, body, &error);
    take_posted_moves(&fields, args);
    take_posted_offer(&fields, args);
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

    if (input_id(request, &id) && read_posted_moves(request, args, false))
        moves_play(request, id, args);
}

void handle_put_move(struct request *request)
{
    struct move_args *args = new_move_args(request);
    db_id id;

    args->put = true;
    if (input_id(request, &id) && input_ply(request, 1, &args->ply) &&
        read_posted_moves(request, args, true))
        moves_play(request, id, args);
}

/* ---- undo and redo ---- */
