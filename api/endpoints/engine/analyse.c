/* analyse.c - requests to the engine: analyse a position, a game, a record; a hint. Of any
 * position, of a game's, and of the moves of a game or a record. */
#include <stddef.h>

#include "api/endpoints/engine/analysis.h"
#include "api/endpoints/engine/review.h"
#include "api/endpoints/engine/review_job.h"
#include "api/endpoints/games/create_body.h"
#include "api/endpoints/games/creation.h"
#include "api/endpoints/games/import_build.h"
#include "api/endpoints/games/import_terms.h"
#include "api/endpoints/games/setup.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/look.h"
#include "api/endpoints/use_case.h"
#include "api/game/search_request.h"
#include "api/http/body.h"
#include "api/http/query.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/live_game.h"
#include "api/live/op.h"
#include "api/net/offload.h"
#include "api/record/record.h"
#include "api/text/arena.h"
#include "api/text/json_fields.h"
#include "api/text/options.h"
#include "api/view/board.h"
#include "api/view/view.h"
#include "engine/engine.h"
#include "rules/rules.h"

/* ---- any position ---- */

struct analyse_args {
    const struct rules_game *game;
    const struct search_request *question;
    bool with_board;
    const char *board; /* JSON; or NULL */
};

/* Reads ?include=, which may ask for the board alone. */
static bool read_include(struct request *request, bool *with_board)
{
    static const char *const words[] = {"board", NULL};
    uint32_t bits;

    if (!query_words(request, "include", words, &bits))
        return false;
    *with_board = bits != 0;
    return true;
}

static const char *board_of(struct arena *arena, const struct game_view *view)
{
    struct json json;

    json_init(&json, arena);
    view_board(&json, view);
    return json.out.text;
}

static struct search_request *search_request_of(const struct creation *creation, int64_t lines,
                                                int64_t nodes)
{
    const struct draft *draft = &creation->draft;
    struct search_request *question =
        search_request_new(draft->arena, draft->game, &draft->state, draft->keys, draft->nkeys - 1);

    question->last = draft->last;
    question->ply = draft->row.ply;
    question->lines = (size_t)lines;
    question->nodes = (uint64_t)nodes;
    return question;
}

/* By a worker: reads the body, and plays the moves. */
static void set_up_analysed(struct request *request, void *args)
{
    struct analyse_args *analyse = args;
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    int64_t lines = 1, nodes = SEARCH_NODES;
    struct json_fields fields;
    struct creation *creation;
    struct setup_fault fault;
    struct json_value *body = body_read(request, NULL);

    if (body == NULL)
        return;
    creation = setup_imagine(request, analyse->game);
    json_fields(&fields, &request->arena, body, &error);
    create_body_take_game(creation, &fields);
    json_take_int(&fields, "lines", 1, ENGINE_LINES_MAX, &lines);
    json_take_int(&fields, "nodes", SEARCH_NODES_MIN, SEARCH_NODES_MAX, &nodes);
    if (!body_done(request, body, &fields))
        return;
    if (!setup_play_out(creation, &fault)) {
        setup_refuse(creation, &fault);
        return;
    }
    analyse->question = search_request_of(creation, lines, nodes);
    if (analyse->with_board)
        analyse->board =
            board_of(&request->arena, &(struct game_view){.row = &creation->draft.row,
                                                          .game = analyse->game,
                                                          .state = &creation->draft.state});
}

static void answer_analysed(struct request *request, void *args)
{
    const struct analyse_args *analyse = args;

    if (analyse->question != NULL)
        analysis_answer(request, analyse->question, analyse->board);
}

void handle_analyse(struct request *request)
{
    static const char *const known[] = {"include", NULL};
    struct analyse_args *args = arena_zero(&request->arena, sizeof(*args));

    args->game = input_variant(request);
    if (args->game != NULL && query_ok(request, known) &&
        read_include(request, &args->with_board) && analysis_is_there(request))
        offload(request, set_up_analysed, answer_analysed, args);
}

/* ---- a game's position ---- */

struct hint_args {
    int64_t line, ply; /* 0 and -1: the present one */
    int64_t lines, level;
    bool with_board;
};

/* A position of a line whose moves were fetched, with its past. */
struct delivery {
    struct rules_state *state;
    uint64_t *keys;
    size_t nkeys;
    rules_move last;
};

static bool load_at(const struct op *op, int32_t ply, struct rules_state *state)
{
    const struct live_game *live = op->live;
    const struct db_event *move = look_event(op, ply);
    struct rules_refusal why;

    return (ply == 0 || move != NULL) &&
           rules_load(live->game, &live->options, ply == 0 ? live->row.start : move->position,
                      state, &why);
}

/* The keys of the positions before a ply, as far back as they were fetched. */
static bool load_keys(const struct op *op, int32_t ply, struct delivery *place)
{
    int32_t from = ply > SEARCH_PAST_MAX ? ply - SEARCH_PAST_MAX : 0;

    place->keys = arena_alloc(&op->request->arena, (SEARCH_PAST_MAX + 1) * sizeof(uint64_t));
    for (int32_t at = from; at < ply; at++) {
        const struct db_event *move = look_event(op, at);

        if (at == 0) {
            if (!load_at(op, 0, place->state))
                return false;
            place->keys[place->nkeys++] = op->live->game->key(place->state);
        } else if (move != NULL) {
            place->keys[place->nkeys++] = (uint64_t)move->key;
        }
    }
    return true;
}

/* False: what is stored does not fit together. */
static bool load_place(const struct op *op, int32_t ply, struct delivery *place)
{
    struct draft_move move;

    *place = (struct delivery){.state = arena_alloc(&op->request->arena, sizeof(*place->state)),
                               .nkeys = 0};
    if (!load_keys(op, ply, place))
        return false;
    if (look_last_move(op, ply, place->state, &move))
        place->last = move.move;
    return load_at(op, ply, place->state);
}

static enum step ask_at(struct op *op, int32_t line, int32_t ply)
{
    const struct hint_args *args = op->args;
    struct game_view view = {.game = op->live->game};
    struct search_request *question;
    struct delivery place;

    if (!load_place(op, ply, &place) || !look_back(op, line, ply, look_event(op, ply), &view))
        return use_case_fail(op);
    question = search_request_new(&op->request->arena, op->live->game, place.state, place.keys,
                                  place.nkeys);
    question->last = place.last;
    question->ply = ply;
    question->lines = (size_t)args->lines;
    question->nodes = engine_nodes((unsigned)args->level);
    analysis_answer(op->request, question,
                    args->with_board ? board_of(&op->request->arena, &view) : NULL);
    return STEP_OVER;
}

static enum step step_hint(struct op *op)
{
    const struct hint_args *args = op->args;
    int32_t line, end, ply;
    enum step step = look_may(op);

    if (step == STEP_GO)
        step = analysis_may(op);
    if (step == STEP_GO)
        step = look_line(op, args->line, &line, &end);
    if (step != STEP_GO)
        return step;
    ply = args->ply < 0 ? end : (int32_t)args->ply;
    if (ply > end)
        return look_no_such_ply(op);
    step = look_need_moves(op, line, ply - SEARCH_PAST_MAX, ply);
    return step == STEP_GO ? ask_at(op, line, ply) : step;
}

void handle_hint(struct request *request)
{
    enum { LEVEL = 5 };
    static const char *const known[] = {"ply", "line", "level", "lines", "include", NULL};
    struct hint_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (query_ok(request, known) && query_int(request, "ply", -1, INT32_MAX, -1, &args->ply) &&
        query_int(request, "line", 1, INT32_MAX, 0, &args->line) &&
        query_int(request, "level", 1, ENGINE_LEVELS, LEVEL, &args->level) &&
        query_int(request, "lines", 1, ENGINE_LINES_MAX, 1, &args->lines) &&
        read_include(request, &args->with_board) && input_id(request, &id))
        op_submit(op_new(request, step_hint, args), id);
}

/* ---- the moves of a game ---- */

struct judge_args {
    int64_t line; /* 0: the present one */
    int64_t after, limit;
    int64_t nodes;
};

static void judge_line(struct request *request, const struct review_line *line, const char *options,
                       const db_id *id)
{
    if (review_job_is_wanted(request))
        review_job_make(request, line, options, id);
    else
        analysis_judge(request, line);
}

/* Judges the moves behind ply `from`, up to `to`. */
static enum step judge_analysed(struct op *op, int32_t from, int32_t to)
{
    const struct judge_args *args = op->args;
    size_t n = (size_t)(to - from);
    const char **moves = arena_alloc(&op->request->arena, (n + 1) * sizeof(*moves));
    struct delivery place;

    if (!load_place(op, from, &place))
        return use_case_fail(op);
    for (size_t i = 0; i < n; i++) {
        const struct db_event *move = look_event(op, from + 1 + (int32_t)i);

        if (move == NULL)
            return use_case_fail(op);
        moves[i] = move->move;
    }
    judge_line(op->request,
               &(struct review_line){.game = op->live->game,
                                     .start = place.state,
                                     .keys = place.keys,
                                     .nkeys = place.nkeys,
                                     .last = place.last,
                                     .ply = from,
                                     .moves = moves,
                                     .nmoves = n,
                                     .nodes = (uint64_t)args->nodes},
               op->live->row.options, &op->live->row.id);
    return STEP_OVER;
}

static enum step step_judge(struct op *op)
{
    const struct judge_args *args = op->args;
    int32_t line, end, from, to;
    enum step step = look_may(op);

    if (step == STEP_GO)
        step = analysis_may(op);
    if (step == STEP_GO)
        step = look_line(op, args->line, &line, &end);
    if (step != STEP_GO)
        return step;
    from = args->after < end ? (int32_t)args->after : end;
    to = end - from > args->limit ? from + (int32_t)args->limit : end;
    step = look_need_moves(op, line, from - SEARCH_PAST_MAX, to);
    return step == STEP_GO ? judge_analysed(op, from, to) : step;
}

void handle_analyse_game(struct request *request)
{
    struct judge_args *args = arena_zero(&request->arena, sizeof(*args));
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *body;
    db_id id;

    if (!input_no_query(request) || !input_id(request, &id))
        return;
    body = body_read(request, NULL);
    if (body == NULL)
        return;
    args->limit = ANALYSIS_PLIES_MAX;
    args->nodes = SEARCH_NODES;
    json_fields(&fields, &request->arena, body, &error);
    json_take_int(&fields, "line", 1, INT32_MAX, &args->line);
    json_take_int(&fields, "after", 0, INT32_MAX, &args->after);
    json_take_int(&fields, "limit", 1, ANALYSIS_PLIES_MAX, &args->limit);
    json_take_int(&fields, "nodes", SEARCH_NODES_MIN, ANALYSIS_NODES_MAX, &args->nodes);
    if (body_done(request, body, &fields))
        op_submit(op_new(request, step_judge, args), id);
}

/* ---- the moves of a record ---- */

struct record_args {
    struct import_terms terms;
    struct judge_args judge;
    struct review_line line;
    const char *told; /* the options of the record */
};

/* The part of the record that is wanted. Each of its positions was reached when it was read. */
static bool take_analysed_line(struct request *request, const struct record *record,
                               const struct judge_args *args, struct review_line *line)
{
    struct arena *arena = &request->arena;
    size_t from = (size_t)args->after < record->nmoves ? (size_t)args->after : record->nmoves;
    size_t left = record->nmoves - from;
    struct rules_state *start = arena_alloc(arena, sizeof(*start));
    uint64_t *keys = arena_alloc(arena, (from + 1) * sizeof(*keys));
    const char **moves = arena_alloc(arena, (left + 1) * sizeof(*moves));
    struct rules_refusal why;

    for (size_t i = 0; i < from; i++)
        keys[i] = record->points[i]->key;
    for (size_t i = 0; i < left; i++)
        moves[i] = record->moves[from + i].text;
    *line = (struct review_line){.game = record->game,
                                 .start = start,
                                 .keys = keys,
                                 .nkeys = from,
                                 .last = record->points[from]->move,
                                 .ply = (int32_t)from,
                                 .moves = moves,
                                 .nmoves = left < (size_t)args->limit ? left : (size_t)args->limit,
                                 .nodes = (uint64_t)args->nodes};
    return rules_load(record->game, &record->options, record->points[from]->position, start, &why);
}

/* By a worker. */
static void read_analysed_record(struct request *request, void *args)
{
    struct record_args *asked = args;
    struct record *record = arena_alloc(&request->arena, sizeof(*record));
    struct record_hint hint = {.game = asked->terms.game, .options = &asked->terms.options};
    struct record_error error;

    if (request->body_len == 0)
        reply_problem(request, PROBLEM_BAD_RECORD, "Send the record as the body.");
    else if (!record_read(&request->arena, request->body, request->body_len, asked->terms.format,
                          &hint, record, &error))
        import_refuse(request, &error);
    else if (!take_analysed_line(request, record, &asked->judge, &asked->line))
        reply_problem(request, PROBLEM_INTERNAL, NULL);
    else
        asked->told = options_to_json(record->game, &request->arena, &record->options,
                                      record->points[0]->position);
}

static void judge_record(struct request *request, void *args)
{
    const struct record_args *asked = args;

    if (request->reply.status == 0 && analysis_is_there(request))
        judge_line(request, &asked->line, asked->told, NULL);
}

void handle_analyse_record(struct request *request)
{
    static const char *const others[] = {"format", "variant", "after", "limit", "nodes", NULL};
    struct record_args *args = arena_zero(&request->arena, sizeof(*args));

    if (import_terms_read(request, others, &args->terms) &&
        query_int(request, "after", 0, INT32_MAX, 0, &args->judge.after) &&
        query_int(request, "limit", 1, ANALYSIS_PLIES_MAX, ANALYSIS_PLIES_MAX,
                  &args->judge.limit) &&
        query_int(request, "nodes", SEARCH_NODES_MIN, ANALYSIS_NODES_MAX, SEARCH_NODES,
                  &args->judge.nodes))
        offload(request, read_analysed_record, judge_record, args);
}
