/*
 * test_lines.c - moves, undo, redo and resignations as use cases. Random walks over every game;
 * what an op asks of the database it is given out of the log that it wrote itself, and now and then
 * the live game forgets all but the row. After each request the line is played anew from the start
 * by the rules alone, and the live game must stand where that leads: position, end, and the keys by
 * which repetitions are counted.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "api/endpoints/games/moves.h"
#include "api/endpoints/games/seats.h"
#include "api/endpoints/games/undo.h"
#include "api/game/draft.h"
#include "api/game/rights.h"
#include "api/game/words.h"
#include "api/live/auth.h"
#include "api/live/fetch.h"
#include "tests/unit/desk.h"
#include "tests/unit/played.h"
#include "tests/unit/requests.h"
#include "tests/unit/seen.h"

TestSuite(lines, .fini = played_free);

enum { STEPS = 220, LOG_MAX = 4 * STEPS };

struct walk {
    const char *variant, *options;
    bool engine; /* the computer plays seat 2 */
    struct live_game *live;
    uint64_t seed;

    /* The line that the model is on. */
    const char *move[PLAYED_PLIES_MAX];
    int32_t ply, tip, line, lines;
    int resigned; /* the seat that gave up; 0: none has */

    /* What the database has: the moves of all lines. */
    struct db_event log[LOG_MAX];
    size_t logged;
    uint64_t start_key;

    int ends, redone_ends, keys_given;
};

/* ---- the database ---- */

/* Of each ply the move with the greatest line that is not above `line`. */
static const struct db_event *logged_move(const struct walk *walk, int32_t line, int32_t ply)
{
    const struct db_event *found = NULL;

    for (size_t i = 0; i < walk->logged; i++)
        if (walk->log[i].ply == ply && walk->log[i].line <= line &&
            (found == NULL || walk->log[i].line > found->line))
            found = &walk->log[i];
    return found;
}

/* What the op waits for, if it is moves or keys of this kind. */
static struct need *wanted(const struct op *op, enum need_kind kind)
{
    for (struct need *need = op->needs; need != NULL; need = need->next)
        if (need->kind == kind && !need->there)
            return need;
    return NULL;
}

static void give_moves(const struct walk *walk, struct op *op, struct need *need)
{
    int32_t line = need->key[0], from = need->key[1], to = need->key[2];
    size_t most = (size_t)(to - from) + 1;
    struct db_event *events = arena_alloc(&op->request->arena, most * sizeof(*events));

    need->moves.moves = events;
    for (int32_t ply = from; ply <= to; ply++) {
        const struct db_event *move = logged_move(walk, line, ply);

        cr_assert_not_null(move, "line %d has no ply %d", line, ply);
        events[need->moves.count++] = *move;
    }
    need->there = true;
    op_resume(op->live);
}

static void give_keys(struct walk *walk, struct op *op)
{
    struct live_game *live = op->live;
    size_t had = live->nkeys, more = (size_t)live->keys_from;

    cr_assert_gt(more, (size_t)0, "there are no more keys");
    for (size_t i = 0; i < more; i++)
        live_push_key(live, 0);
    memmove(live->keys + more, live->keys, had * sizeof(*live->keys));
    live->keys[0] = walk->start_key;
    for (size_t ply = 1; ply < more; ply++)
        live->keys[ply] = (uint64_t)logged_move(walk, live->row.line, (int32_t)ply)->key;
    live->keys_from = 0;
    walk->keys_given++;
    op_resume(live);
}

/* The keys of moves that were undone, which a redo asks for. */
static void give_keys_ahead(const struct walk *walk, struct op *op, struct need *need)
{
    for (int32_t ply = need->key[1]; ply <= need->key[2]; ply++) {
        const struct db_event *move = logged_move(walk, need->key[0], ply);

        cr_assert_not_null(move, "line %d has no ply %d", need->key[0], ply);
        need->keys.keys[need->keys.count++] = (uint64_t)move->key;
    }
    need->there = true;
    op_resume(op->live);
}

static void commit(struct walk *walk, struct op *op)
{
    const struct live_write *write = &op->write;

    cr_assert_eq(write->after.version, op->live->row.version + (int32_t)write->count);
    for (size_t i = 0; i < write->count; i++) {
        const struct db_event *event = &write->events[i];

        cr_assert_eq(event->version, op->live->row.version + 1 + (int32_t)i);
        if (event->kind != EVENT_MOVE)
            continue;
        cr_assert_lt(walk->logged, (size_t)LOG_MAX);
        walk->log[walk->logged] = *event;
        walk->log[walk->logged].move = arena_copy(&played_arena, event->move, strlen(event->move));
        walk->log[walk->logged++].position =
            arena_copy(&played_arena, event->position, strlen(event->position));
    }
    live_apply(op->live, write);
    op->written(op);
    op_end(op);
}

/* Gives the op that runs what it asks for, until there is none any more. */
static void serve(struct walk *walk)
{
    while (walk->live->head != NULL) {
        struct op *op = walk->live->head;
        struct need *moves = wanted(op, NEED_MOVES), *ahead = wanted(op, NEED_KEYS_AHEAD);

        cr_assert(walk->live->busy);
        if (op->written != NULL)
            commit(walk, op);
        else if (moves != NULL)
            give_moves(walk, op, moves);
        else if (ahead != NULL)
            give_keys_ahead(walk, op, ahead);
        else
            give_keys(walk, op);
    }
}

/* All that is left in memory is the row: another daemon wrote in between, or the game was dropped.
 */
static void forget(struct walk *walk)
{
    struct db_game row = walk->live->row;

    cr_assert(live_take(walk->live, &row));
    cr_assert_eq(walk->live->nkeys, 1);
}

/* ---- the model ---- */

static void model_play(struct walk *walk, const char *move)
{
    if (walk->ply < walk->tip)
        walk->line = ++walk->lines;
    walk->move[walk->ply++] = arena_copy(&played_arena, move, strlen(move));
    walk->tip = walk->ply;
}

/* The computer has moved wherever it was its turn. */
static void model_answers(struct walk *walk, size_t logged)
{
    for (; logged < walk->logged; logged++) {
        cr_assert_eq(walk->log[logged].seat, 2, "the computer's");
        model_play(walk, walk->log[logged].move);
    }
}

/* How the line stands after `to` plies. */
static void replay_to(const struct walk *walk, int32_t to, struct played *model)
{
    played_start(model, walk->variant, walk->options);
    for (int32_t ply = 0; ply < to; ply++)
        played_moves(model, walk->move[ply]);
}

static void replay(const struct walk *walk, struct played *model)
{
    replay_to(walk, walk->ply, model);
    if (walk->resigned != 0) {
        model->row.status = STATUS_FINISHED;
        model->row.winner = (int16_t)(3 - walk->resigned);
        model->row.reason = "resign";
    }
}

static void assert_text(const char *is, const char *ought)
{
    cr_assert_eq(is == NULL, ought == NULL, "%s, not %s", is, ought);
    if (ought != NULL)
        cr_assert_str_eq(is, ought);
}

static void assert_keys(const struct walk *walk, const struct played *model)
{
    const struct live_game *live = walk->live;

    cr_assert_geq(live->keys_from, 0);
    cr_assert_eq(live->keys_from + (int32_t)live->nkeys, walk->ply + 1, "%d + %zu at ply %d",
                 live->keys_from, live->nkeys, walk->ply);
    cr_assert_arr_eq(live->keys, model->keys + live->keys_from,
                     live->nkeys * sizeof(model->keys[0]));
}

/* How the next move is written may depend on the last one. */
static void assert_knows_last_move(const struct walk *walk)
{
    struct played *before = arena_alloc(&played_arena, sizeof(*before));
    rules_move last = {{0, 0}};
    struct rules_refusal why;

    if (walk->ply > 0) {
        replay_to(walk, walk->ply - 1, before);
        cr_assert(before->game->read_move(&before->state, walk->move[walk->ply - 1], &last, &why));
    }
    cr_assert(rules_same_move(walk->live->last, last), "ply %d", walk->ply);
}

static void assert_same(struct walk *walk)
{
    struct played *model = arena_alloc(&played_arena, sizeof(*model));
    const struct db_game *row = &walk->live->row;

    replay(walk, model);
    cr_assert_str_eq(row->position, model->row.position);
    cr_assert_eq(row->status, model->row.status, "%s: %d, not %d", row->position, row->status,
                 model->row.status);
    cr_assert_eq(row->winner, model->row.winner);
    assert_text(row->reason, model->row.reason);
    assert_text(row->last_move, model->row.last_move);
    cr_assert_eq(row->last_seat, model->row.last_seat);
    cr_assert_eq(row->to_move, model->row.to_move);
    cr_assert_eq(row->ply, walk->ply);
    cr_assert_eq(row->tip, walk->tip);
    cr_assert_eq(row->line, walk->line);
    cr_assert_eq(row->lines, walk->lines);
    cr_assert_eq(walk->live->game->key(walk->live->state), model->keys[walk->ply]);
    assert_keys(walk, model);
    cr_assert_not(walk->engine && row->status == STATUS_ACTIVE && row->to_move == 2,
                  "the computer would never move");
}

/* ---- requests ---- */

static struct request *request_of(void)
{
    struct request *request = requests_new(&desk_loop);

    requests_header(request, "Authorization", "Bearer plyd_seat_x");
    request->arrived = desk_loop.now;
    return request;
}

/* The answer shows the game as it is now. */
static void assert_shown(const struct walk *walk, const struct request *request, unsigned status,
                         const char *game)
{
    const struct db_game *row = &walk->live->row;
    struct seen *seen;
    char etag[16];

    cr_assert_eq(requests_answers(request), 1);
    cr_assert_eq(request->reply.status, status, "%s", request->reply.body);
    seen = seen_read(request->reply.body);
    cr_assert_eq(seen_number(seen, "%sply", game), row->ply);
    cr_assert_str_eq(seen_text(seen, "%sposition", game), row->position);
    cr_assert_str_eq(seen_text(seen, "%sstatus", game), words_status(row->status));
    seen_free(seen);
    snprintf(etag, sizeof(etag), "\"%d\"", row->version);
    cr_assert_str_eq(requests_answer_header(request, "ETag"), etag);
}

static void step_move(struct walk *walk)
{
    struct played *model = arena_alloc(&played_arena, sizeof(*model));
    struct request *request = request_of();
    size_t logged = walk->logged;
    const char *move;
    struct move_args *args = arena_zero(&request->arena, sizeof(*args));

    replay(walk, model);
    move = played_choose(model, &walk->seed);
    if (model->row.ply + 4 > PLAYED_PLIES_MAX)
        return;
    *args = (struct move_args){.guard = guard_none, .count = 1, .ply = MAY_ANY, .single = true};
    args->texts = (const char *const[]){move == NULL ? "a1" : move};
    moves_play(request, walk->live->row.id, args);
    serve(walk);
    if (move == NULL) {
        requests_assert_problem(request, PROBLEM_RULE_GAME_OVER, NULL);
        return;
    }
    model_play(walk, move);
    model_answers(walk, logged + 1);
    assert_knows_last_move(walk);
    assert_shown(walk, request, 201, "game.");
}

typedef void turn_back(struct request *request, db_id id, struct undo_args *args);

/* An undo or a redo: whether it may be is rights.h's, where it leads is looked at here. */
static void step_turn(struct walk *walk, turn_back *turn, enum problem why, int32_t asked,
                      int32_t to)
{
    struct request *request = request_of();
    struct undo_args *args = arena_zero(&request->arena, sizeof(*args));
    size_t logged = walk->logged;

    *args = (struct undo_args){.guard = guard_none, .to_ply = asked};
    turn(request, walk->live->row.id, args);
    serve(walk);
    if (why != PROBLEM_NONE) {
        requests_assert_problem(request, why, NULL);
        return;
    }
    walk->resigned = 0;
    walk->ply = to;
    model_answers(walk, logged);
    assert_knows_last_move(walk);
    assert_shown(walk, request, 200, "");
}

/* Mostly near the present ply, or left open. */
static int32_t choose_ply(struct walk *walk)
{
    switch (rules_choose(&walk->seed, 4)) {
    case 0:
        return MAY_ANY;
    case 1:
        return (int32_t)rules_choose(&walk->seed, (size_t)walk->tip + 1);
    default:
        return walk->ply > 4 ? walk->ply - 4 + (int32_t)rules_choose(&walk->seed, 9) : walk->ply;
    }
}

static unsigned seats_of(const struct walk *walk)
{
    return walk->engine ? seat_bit(1) : (unsigned)SEATS_BOTH;
}

static void step_undo(struct walk *walk)
{
    int32_t asked = choose_ply(walk), to = asked;
    enum problem why = may_not_undo_to(&walk->live->row, seats_of(walk), &to);

    walk->ends += why == PROBLEM_NONE && walk->live->row.status == STATUS_FINISHED;
    step_turn(walk, undo_to_ply, why, asked, to);
}

static void step_redo(struct walk *walk)
{
    int32_t asked = choose_ply(walk), to = asked;
    enum problem why = may_not_redo_to(&walk->live->row, seats_of(walk), &to);

    step_turn(walk, redo_to_ply, why, asked, to);
    walk->redone_ends +=
        why == PROBLEM_NONE && to == walk->ply && walk->live->row.status == STATUS_FINISHED;
}

static void step_resign(struct walk *walk)
{
    struct request *request = request_of();
    struct seat_args *args = arena_zero(&request->arena, sizeof(*args));
    bool goes_on = walk->live->row.status == STATUS_ACTIVE;

    args->guard = guard_none;
    seats_resign(request, walk->live->row.id, args);
    serve(walk);
    if (!goes_on) {
        requests_assert_problem(request, PROBLEM_RULE_GAME_OVER, NULL);
        return;
    }
    walk->resigned = walk->live->row.to_move;
    assert_shown(walk, request, 200, "");
}

static void step(struct walk *walk)
{
    bool undone = walk->ply < walk->tip;

    if (rules_choose(&walk->seed, 6) == 0)
        forget(walk);
    if (rules_choose(&walk->seed, 30) == 0)
        step_resign(walk);
    else if (rules_choose(&walk->seed, undone ? 2 : 12) == 0)
        step_redo(walk);
    else if (rules_choose(&walk->seed, 6) == 0)
        step_undo(walk);
    else
        step_move(walk);
    assert_same(walk);
}

static int ends, redone_ends, keys_given;

static void begin(struct walk *walk)
{
    struct played *start = arena_alloc(&played_arena, sizeof(*start));

    played_start(start, walk->variant, walk->options);
    for (int seat = 1; seat <= DB_SEATS; seat++) {
        struct db_seat *is = &start->row.seat[seat - 1];

        is->state = walk->engine && seat == 2 ? SEAT_ENGINE : SEAT_TAKEN;
        is->engine = is->state == SEAT_ENGINE ? "random" : NULL;
        is->has_token = is->state == SEAT_TAKEN;
        auth_hash_token("plyd_seat_x", is->token);
    }
    walk->start_key = start->keys[0];
    walk->line = walk->lines = 1;
    walk->live = desk_table(&start->row);
}

static void go(const char *variant, const char *options, bool engine)
{
    struct walk *walk = arena_zero(&played_arena, sizeof(*walk));

    desk_open();
    *walk = (struct walk){.variant = variant, .options = options, .engine = engine, .seed = 5};
    begin(walk);
    for (int i = 0; i < STEPS; i++)
        step(walk);
    ends += walk->ends;
    redone_ends += walk->redone_ends;
    keys_given += walk->keys_given;
    desk_close();
    played_free();
}

static void go_as_two(const char *variant, const char *options)
{
    go(variant, options, false);
}

static void go_against_the_computer(const char *variant, const char *options)
{
    go(variant, options, true);
}

Test(lines, wherever_undo_and_redo_lead_the_table_stands_where_the_line_does)
{
    played_each(go_as_two);
    cr_assert_gt(ends, 20, "%d ends were taken back", ends);
    cr_assert_gt(redone_ends, 10, "%d ends were gone on to", redone_ends);
    cr_assert_gt(keys_given, 20, "%d times keys were asked for", keys_given);
}

Test(lines, against_the_computer_too_and_it_moves_wherever_the_turn_is_its)
{
    played_each(go_against_the_computer);
    cr_assert_gt(ends, 20, "%d ends were taken back", ends);
}

/* ---- one by one ---- */

static void play_on(struct walk *walk, const char *moves)
{
    char *list = arena_copy(&played_arena, moves, strlen(moves)), *save = NULL;

    for (char *move = strtok_r(list, " ", &save); move != NULL; move = strtok_r(NULL, " ", &save)) {
        struct request *request = request_of();
        struct move_args *args = arena_zero(&request->arena, sizeof(*args));

        *args = (struct move_args){.guard = guard_none, .count = 1, .ply = MAY_ANY, .single = true};
        args->texts = (const char *const[]){move};
        moves_play(request, walk->live->row.id, args);
        serve(walk);
        cr_assert_eq(request->reply.status, 201, "%s: %s", move, request->reply.body);
    }
}

static void turn_to(struct walk *walk, turn_back *turn, int32_t to)
{
    struct request *request = request_of();
    struct undo_args *args = arena_zero(&request->arena, sizeof(*args));

    *args = (struct undo_args){.guard = guard_none, .to_ply = to};
    turn(request, walk->live->row.id, args);
    serve(walk);
    cr_assert_eq(request->reply.status, 200, "%s", request->reply.body);
}

static void open_game(struct walk *walk)
{
    desk_open();
    *walk = (struct walk){.variant = "shogi", .options = "repetition=2"};
    begin(walk);
}

Test(lines, what_was_taken_back_does_not_count_as_a_repetition)
{
    struct walk *walk = arena_zero(&played_arena, sizeof(*walk));

    open_game(walk);
    play_on(walk, "2h3h 8b7b");
    turn_to(walk, undo_to_ply, 1);
    play_on(walk, "8b6b 3h4h 6b5b 4h3h 5b7b");
    cr_assert_eq(walk->live->row.status, STATUS_ACTIVE, "it stood there on the other line");
    play_on(walk, "3h4h 7b5b");
    cr_assert_eq(walk->live->row.status, STATUS_FINISHED, "it stood there on this one");
    desk_close();
}

Test(lines, a_repetition_that_was_taken_back_and_gone_on_to_again_is_one_again)
{
    struct walk *walk = arena_zero(&played_arena, sizeof(*walk));

    open_game(walk);
    for (int forgotten = 0; forgotten < 2; forgotten++) {
        if (!forgotten)
            play_on(walk, "2h3h 8b7b 3h2h 7b8b");
        cr_assert_str_eq(walk->live->row.reason, "repetition");
        turn_to(walk, undo_to_ply, 2);
        cr_assert_eq(walk->live->row.status, STATUS_ACTIVE);
        if (forgotten)
            forget(walk);
        turn_to(walk, redo_to_ply, 4);
        cr_assert_str_eq(walk->live->row.reason, "repetition");
    }
    desk_close();
}

/* A seed with which the computer plays this move in a position. */
static int64_t seed_for(struct live_game *live, const char *move)
{
    for (int64_t seed = 0;; seed++) {
        struct draft draft;
        int32_t from;

        draft_new(&draft, &played_arena, live->game, 0);
        draft.row = live->row;
        draft.row.seed = seed;
        draft.row.seat[draft.row.to_move - 1].state = SEAT_ENGINE;
        draft.row.seat[draft.row.to_move - 1].engine = "random";
        rules_copy(live->state, &draft.state);
        cr_assert_eq(draft_answer(&draft, &from), DRAFT_PLAYED);
        if (strcmp(draft.events[0].move, move) == 0)
            return seed;
    }
}

Test(lines, an_answer_of_the_computer_to_an_undo_is_judged_by_what_is_left_of_the_line)
{
    struct walk *walk = arena_zero(&played_arena, sizeof(*walk));

    open_game(walk);
    play_on(walk, "2h3h 8b7b 3h2h");
    walk->live->row.seed = seed_for(walk->live, "7b8b");
    play_on(walk, "7b6b 2h3h");
    walk->live->row.seat[1].state = SEAT_ENGINE;
    walk->live->row.seat[1].engine = "random";
    turn_to(walk, undo_to_ply, 3);
    cr_assert_str_eq(walk->live->row.last_move, "7b8b");
    cr_assert_str_eq(walk->live->row.reason, "repetition");
    desk_close();
}

Test(lines, a_game_with_an_open_seat_stays_open_after_an_undo)
{
    struct walk *walk = arena_zero(&played_arena, sizeof(*walk));

    open_game(walk);
    play_on(walk, "2h3h 8b7b");
    walk->live->row.seat[1].state = SEAT_OPEN;
    turn_to(walk, undo_to_ply, 1);
    cr_assert_eq(walk->live->row.status, STATUS_OPEN);
    desk_close();
}
