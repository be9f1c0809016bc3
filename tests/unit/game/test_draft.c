/*
 * test_draft.c - games carried on in memory. Random walks over every game play, go back and go on;
 * after each step the whole line is played anew from the start by the rules alone, and the draft
 * must stand where that leads.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "api/game/draft.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/text/legal_moves.h"
#include "api/text/move_text.h"
#include "tests/unit/played.h"

static struct arena arena;

static void free_arenas(void)
{
    arena_free(&arena);
    played_free();
}

TestSuite(draft, .fini = free_arenas);

/* A draft that begins where a game stands and knows its keys from ply `from` on. */
static void begin(struct draft *draft, const struct played *game, int32_t from)
{
    draft_new(draft, &arena, game->game, game->row.updated_at + 1000000);
    draft->row = game->row;
    rules_copy(&game->state, &draft->state);
    draft->keys_from = from;
    for (int32_t ply = from; ply <= game->row.ply; ply++)
        draft_push_key(draft, game->keys[ply]);
    draft->old_keys = draft->nkeys;
}

static void assert_text(const char *is, const char *ought)
{
    cr_assert_eq(is == NULL, ought == NULL, "%s, not %s", is, ought);
    if (ought != NULL)
        cr_assert_str_eq(is, ought);
}

/* ---- the walk ---- */

/* The line that the model is on, and what the draft did to get there. */
struct line {
    const char *variant, *options;
    const char *start; /* a position; NULL: the usual one */
    const char *move[PLAYED_PLIES_MAX];
    struct db_event event[PLAYED_PLIES_MAX]; /* that led to ply i + 1 */
    int32_t ply, tip, line, lines;
    struct draft draft;
    int undone_ends, repetitions;
};

static void replay(const struct line *line, int32_t ply, struct played *model)
{
    played_from(model, line->variant, line->options, line->start);
    for (int32_t i = 0; i < ply; i++)
        played_moves(model, line->move[i]);
}

static void assert_same_position(const struct line *line, const struct played *model)
{
    const struct db_game *is = &line->draft.row, *ought = &model->row;

    cr_assert_str_eq(is->position, ought->position);
    cr_assert_eq(is->status, ought->status, "%s: %d, not %d", is->position, is->status,
                 ought->status);
    cr_assert_eq(is->winner, ought->winner);
    assert_text(is->reason, ought->reason);
    cr_assert_eq(is->to_move, ought->to_move);
    cr_assert_eq(is->last_seat, ought->last_seat);
    assert_text(is->last_move, ought->last_move);
    cr_assert_eq(line->draft.game->key(&line->draft.state), model->keys[line->ply]);
}

static void assert_same_keys(const struct line *line, const struct played *model)
{
    cr_assert_eq(line->draft.nkeys, (size_t)line->ply + 1);
    cr_assert_arr_eq(line->draft.keys, model->keys, line->draft.nkeys * sizeof(model->keys[0]));
}

static void assert_same(const struct line *line)
{
    struct played *model = arena_alloc(&played_arena, sizeof(*model));

    replay(line, line->ply, model);
    assert_same_position(line, model);
    assert_same_keys(line, model);
    cr_assert_eq(line->draft.row.ply, line->ply);
    cr_assert_eq(line->draft.row.tip, line->tip);
    cr_assert_eq(line->draft.row.line, line->line);
    cr_assert_eq(line->draft.row.lines, line->lines);
}

static void assert_last_event(const struct line *line, const char *move)
{
    const struct draft *draft = &line->draft;
    const struct db_event *event = &draft->events[draft->nevents - 1];

    cr_assert_eq(event->version, draft->row.version);
    cr_assert_eq(event->kind, EVENT_MOVE);
    cr_assert_eq(event->seat, draft->row.last_seat);
    cr_assert_eq(event->line, line->line);
    cr_assert_eq(event->ply, line->ply);
    cr_assert_str_eq(event->move, move);
    cr_assert_str_eq(event->position, draft->row.position);
    cr_assert_eq((uint64_t)event->key, draft->keys[draft->nkeys - 1]);
    cr_assert_eq(event->at, draft->now);
    cr_assert_eq(draft->row.last_at, draft->now);
    cr_assert_eq(draft->row.updated_at, draft->now);
}

/* Adds a move that the model has just played, as somebody does who played it elsewhere. */
static void add(struct draft *draft, const struct played *model)
{
    const struct db_game *row = &model->row;
    struct rules_history history = {model->keys, (size_t)row->ply};

    draft_add(draft, &(struct draft_step){.text = row->last_move,
                                          .position = row->position,
                                          .key = model->keys[row->ply],
                                          .outcome = model->game->outcome(&model->state, &history),
                                          .seat = row->last_seat,
                                          .to_move = row->to_move});
    rules_copy(&model->state, &draft->state);
}

/* A move after an undo opens a line of its own. */
static void step_play(struct line *line, uint64_t *seed)
{
    struct played *model = arena_alloc(&played_arena, sizeof(*model));
    struct rules_refusal why;
    int32_t from, version = line->draft.row.version;
    const char *move;

    replay(line, line->ply, model);
    move = played_choose(model, seed);
    cr_assert_eq(draft_goes_on(&line->draft), move != NULL);
    if (move == NULL || line->ply + 1 == PLAYED_PLIES_MAX)
        return;
    line->draft.now += 5;
    if (line->ply < line->tip)
        line->line = ++line->lines;
    if (rules_choose(seed, 2) == 0) {
        cr_assert_eq(draft_play(&line->draft, move, &why, &from), DRAFT_PLAYED);
    } else {
        played_moves(model, move);
        add(&line->draft, model);
    }
    cr_assert_eq(line->draft.row.version, version + 1);
    line->move[line->ply] = move;
    line->event[line->ply++] = line->draft.events[line->draft.nevents - 1];
    line->tip = line->ply;
    assert_last_event(line, move);
    line->repetitions +=
        line->draft.row.reason != NULL && strcmp(line->draft.row.reason, "repetition") == 0;
}

/* Mostly a few plies back or on, sometimes anywhere on the line. */
static int32_t choose_ply(const struct line *line, uint64_t *seed)
{
    int32_t near = line->ply + (int32_t)rules_choose(seed, 7) - 3;

    if (near >= 0 && near <= line->tip && rules_choose(seed, 8) > 0)
        return near;
    return (int32_t)rules_choose(seed, (size_t)line->tip + 1);
}

/* Back to an earlier ply, or on to one that was undone: the keys are the caller's. */
static void step_go(struct line *line, uint64_t *seed, const struct rules_options *options)
{
    int32_t to = choose_ply(line, seed);
    struct draft *draft = &line->draft;

    line->undone_ends += draft->row.status == STATUS_FINISHED && to < line->ply;
    cr_assert(draft_go_to(draft, options, to, to == 0 ? NULL : &line->event[to - 1]));
    if (to < line->ply)
        draft->nkeys = (size_t)to + 1;
    for (int32_t ply = line->ply; ply < to; ply++)
        draft_push_key(draft, (uint64_t)line->event[ply].key);
    draft_judge(draft);
    line->ply = to;
    cr_assert(rules_same_move(draft->last, (rules_move){{0, 0}}), "it is not known any more");
    if (to == 0)
        cr_assert_eq(draft->row.last_at, draft->row.created_at);
    else
        cr_assert_eq(draft->row.last_at, line->event[to - 1].at);
}

static int undone_ends, repetitions;

static void walk(const char *variant, const char *options, const char *position)
{
    enum { STEPS = 250 };
    struct line *line = arena_zero(&arena, sizeof(*line));
    struct played start;
    uint64_t seed = 5;

    played_from(&start, variant, options, position);
    *line = (struct line){
        .variant = variant, .options = options, .start = position, .line = 1, .lines = 1};
    begin(&line->draft, &start, 0);
    for (int i = 0; i < STEPS; i++) {
        if (rules_choose(&seed, 6) == 0)
            step_go(line, &seed, &start.options);
        else
            step_play(line, &seed);
        assert_same(line);
    }
    undone_ends += line->undone_ends;
    repetitions += line->repetitions;
}

static void walk_from_both(const char *variant, const char *options)
{
    walk(variant, options, NULL);
    walk(variant, options, played_position(variant, options));
}

Test(draft, wherever_it_goes_it_stands_where_its_line_leads_from_the_start)
{
    played_each(walk_from_both);
    cr_assert_gt(undone_ends, 20, "the walk comes back from ends");
    cr_assert_gt(repetitions, 20, "the walk comes to repetitions");
}

/* Plays moves, parted by blanks, so many times, or until the game is over. */
static void play_again_and_again(struct draft *draft, const char *moves, int times)
{
    while (times-- > 0) {
        char *list = arena_copy(&arena, moves, strlen(moves)), *save = NULL;

        for (char *move = strtok_r(list, " ", &save); move != NULL && draft_goes_on(draft);
             move = strtok_r(NULL, " ", &save)) {
            struct rules_refusal why;
            int32_t from;

            cr_assert_eq(draft_play(draft, move, &why, &from), DRAFT_PLAYED, "%s", move);
        }
    }
}

Test(draft, ends_all_plans_where_it_goes_back)
{
    struct played game;
    struct draft draft;

    played_start(&game, "jungle", "");
    begin(&draft, &game, 0);
    draft.row.plans = 4 + 3;
    draft.also = "\"a\":1";
    play_again_and_again(&draft, "a3a4", 1);
    cr_assert_eq(draft.row.plans, 4 + 3);
    assert_text(draft.events[0].data, "{\"a\":1}");
    cr_assert(draft_go_to(&draft, &game.options, 0, NULL));
    cr_assert_eq(draft.row.plans, 4);
}

/* The position is lost, also if it is judged once more. */
static void assert_lost_by_checks(struct draft *draft)
{
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(draft->row.winner, 2);
        assert_text(draft->row.reason, "perpetual_check");
        draft->row.winner = 0;
        draft->row.reason = NULL;
        draft_judge(draft);
    }
}

Test(draft, checks_that_never_end_lose_whoever_repeats_the_position)
{
    struct played game;
    struct draft draft;

    played_from(&game, "shogi", "", "4k4/9/9/9/5R3/9/9/9/8K b - 1");
    begin(&draft, &game, 0);
    play_again_and_again(&draft, "4e5e 5a4a 5e4e 4a5a", 4);
    cr_assert_eq(draft.row.ply, 12);
    assert_lost_by_checks(&draft);
    played_from(&game, "shogi", "", "4k4/9/9/9/R8/9/9/9/8K b - 1");
    begin(&draft, &game, 0);
    play_again_and_again(&draft, "9e5e", 1);
    play_again_and_again(&draft, "5a4a 5e4e 4a5a 4e5e", 4);
    cr_assert_eq(draft.row.ply, 13);
    assert_lost_by_checks(&draft);
}

/* ---- keys that are not there ---- */

/* A draft that knows the last positions only plays the move, or says from where on it needs the
 * keys; given those it ends as one that knows all. */
static void plays_with_fewer_keys(const struct played *game, const char *move, int32_t from)
{
    struct draft whole, part;
    struct rules_refusal why;
    int32_t needed = -1;

    begin(&whole, game, 0);
    begin(&part, game, from);
    cr_assert_eq(draft_play(&whole, move, &why, &needed), DRAFT_PLAYED);
    if (draft_play(&part, move, &why, &needed) == DRAFT_NEEDS_KEYS) {
        cr_assert(needed >= 0 && needed < from, "%d of %d", needed, from);
        cr_assert_str_eq(part.row.position, game->row.position);
        cr_assert_eq(part.game->key(&part.state), game->keys[game->row.ply]);
        cr_assert_eq(part.row.version, game->row.version);
        cr_assert_eq(part.row.ply, game->row.ply);
        cr_assert_eq(part.nevents, 0);
        cr_assert_eq(part.nkeys, part.old_keys);
        begin(&part, game, needed + 1);
        cr_assert_eq(draft_play(&part, move, &why, &needed), DRAFT_NEEDS_KEYS, "and no fewer");
        begin(&part, game, needed);
        cr_assert_eq(draft_play(&part, move, &why, &needed), DRAFT_PLAYED,
                     "it has what it asked "
                     "for");
    }
    cr_assert_eq(part.row.status, whole.row.status, "%s from %d: %d, not %d", whole.row.position,
                 from, part.row.status, whole.row.status);
    cr_assert_eq(part.row.winner, whole.row.winner);
    assert_text(part.row.reason, whole.row.reason);
}

static int needed_keys;

static void walk_with_fewer_keys(const char *variant, const char *options, const char *position)
{
    enum { PLIES = 60 };
    struct played *game = arena_alloc(&played_arena, sizeof(*game));
    struct rules_refusal why;
    uint64_t seed = 8;
    const char *move;

    played_from(game, variant, options, position);
    while (game->row.ply < PLIES && (move = played_choose(game, &seed)) != NULL) {
        struct draft draft;
        int32_t from;

        begin(&draft, game, game->row.ply);
        needed_keys += draft_play(&draft, move, &why, &from) == DRAFT_NEEDS_KEYS;
        for (from = 0; from <= game->row.ply; from += 1 + game->row.ply / 8)
            plays_with_fewer_keys(game, move, from);
        plays_with_fewer_keys(game, move, game->row.ply);
        played_moves(game, move);
    }
}

static void walk_from_both_with_fewer_keys(const char *variant, const char *options)
{
    walk_with_fewer_keys(variant, options, NULL);
    walk_with_fewer_keys(variant, options, played_position(variant, options));
}

Test(draft, keys_that_are_missing_are_asked_for_and_change_nothing_until_they_are_there)
{
    played_each(walk_from_both_with_fewer_keys);
    cr_assert_gt(needed_keys, 50);
}

Test(draft, keys_are_kept_however_many_there_are)
{
    struct played game;
    struct draft draft;

    played_start(&game, "tictactoe", "");
    begin(&draft, &game, 0);
    for (uint64_t key = 1; key < 1000; key++)
        draft_push_key(&draft, key);
    cr_assert_eq(draft.nkeys, 1000);
    cr_assert_eq(draft.keys[0], game.keys[0]);
    for (uint64_t key = 1; key < 1000; key++)
        cr_assert_eq(draft.keys[key], key);
}

Test(draft, a_course_that_knows_its_line_from_the_start_needs_no_keys)
{
    struct played game;
    struct draft draft;
    struct rules_refusal why;
    int32_t from = -7;

    played_start(&game, "shogi", "");
    begin(&draft, &game, 0);
    draft.nkeys = 0; /* of a game that is about to be created */
    cr_assert_eq(draft_play(&draft, "7g7f", &why, &from), DRAFT_PLAYED);
    cr_assert_eq(from, -7);
    cr_assert_eq(draft.nkeys, 1);
}

/* The number of moves in a position may count some that were made before the game's start. */
Test(draft, nothing_before_the_start_is_taken_for_a_position)
{
    enum { BEFORE = 64 };
    struct played game, next;
    struct draft draft;
    struct rules_refusal why;
    uint64_t keys[BEFORE + 8];
    int32_t from;

    played_start(&next, "shogi", "repetition=2");
    played_from(&game, "shogi", "repetition=2",
                "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 41");
    played_moves(&next, "2h3h");
    for (size_t i = 0; i < BEFORE; i++)
        keys[i] = next.keys[1];
    keys[BEFORE] = game.keys[0];
    begin(&draft, &game, 0);
    draft.keys = keys + BEFORE;
    cr_assert_eq(draft_play(&draft, "2h3h", &why, &from), DRAFT_PLAYED);
    cr_assert_eq(draft.keys[1], next.keys[1]);
    cr_assert_eq(draft.row.status, STATUS_ACTIVE);
    draft_judge(&draft);
    cr_assert_eq(draft.row.status, STATUS_ACTIVE);
}

/* ---- refusals ---- */

Test(draft, a_refused_move_changes_nothing)
{
    struct played game;
    struct draft draft;
    struct rules_refusal why = {.code = RULES_OK};
    int32_t from;

    played_start(&game, "shogi", "");
    played_moves(&game, "7g7f 3c3d");
    begin(&draft, &game, 0);
    cr_assert_eq(draft_play(&draft, "8h9i", &why, &from), DRAFT_REFUSED);
    cr_assert_eq(why.code, RULES_OCCUPIED);
    cr_assert_eq(draft.row.ply, 2);
    cr_assert_eq(draft.row.version, game.row.version);
    cr_assert_eq(draft.nevents, 0);
    cr_assert_eq(draft.nkeys, 3);
    cr_assert_eq(draft.game->key(&draft.state), game.keys[2]);
}

Test(draft, a_position_that_cannot_be_read_is_not_gone_to)
{
    struct db_event move = {.move = "7g7f", .position = "nonsense", .ply = 1};
    struct played game;
    struct draft draft;

    played_start(&game, "shogi", "");
    begin(&draft, &game, 0);
    cr_assert_not(draft_go_to(&draft, &game.options, 1, &move));
}

/* ---- listeners ---- */

struct sent_events {
    struct played game; /* as it was before the move */
    rules_move last;
    int count;
};

static void hear(void *context, const struct draft_move *move)
{
    struct sent_events *told = context;
    const char *text = move_text(&arena, move->game, move->before, move->move);

    cr_assert_eq(move->game->key(move->before), told->game.keys[told->game.row.ply]);
    cr_assert(rules_same_move(move->last, told->last));
    cr_assert_eq(move->ply, told->game.row.ply + 1);
    cr_assert_eq(move->line, 1);
    cr_assert_eq(move->seat, told->game.row.to_move);
    cr_assert_eq(move->at, 77);
    played_moves(&told->game, text);
    told->last = move->move;
    told->count++;
}

Test(draft, a_listener_is_told_each_move_with_the_position_and_the_move_before_it)
{
    struct sent_events *told = arena_zero(&arena, sizeof(*told));
    struct played game;
    struct draft draft;
    struct rules_refusal why;
    uint64_t seed = 4;
    const char *move;
    int32_t from;

    played_start(&told->game, "shogi", "");
    played_start(&game, "shogi", "");
    begin(&draft, &game, 0);
    draft.now = 77;
    draft.played = hear;
    draft.context = told;
    while (game.row.ply < 40 && (move = played_choose(&game, &seed)) != NULL) {
        cr_assert_eq(draft_play(&draft, move, &why, &from), DRAFT_PLAYED);
        played_moves(&game, move);
        cr_assert_eq(told->count, game.row.ply);
    }
    cr_assert_gt(told->count, 20);
    cr_assert_eq(draft_play(&draft, "nonsense", &why, &from), DRAFT_REFUSED);
    cr_assert_eq(told->count, game.row.ply, "a refused move is not told");
}

/* ---- the computer ---- */

/* ---- opponents that think ---- */

/* Whether the move of an opponent in seat 2 is promised with what happened so far. */
static bool promises_move(struct draft *draft)
{
    draft_store(draft);
    for (size_t i = 0; i < draft->ndues; i++)
        if (draft->dues[i].kind == DUE_OPPONENT) {
            cr_assert_eq(draft->dues[i].at, draft->now);
            return true;
        }
    return false;
}

Test(draft, the_move_of_an_opponent_that_thinks_is_promised_and_not_made)
{
    struct played game;
    struct draft draft;
    struct rules_refusal why;
    int32_t from;

    played_start(&game, "jungle", "");
    begin(&draft, &game, 0);
    draft.row.seat[1] = (struct db_seat){.state = SEAT_ENGINE, .engine = "plyd:3"};
    cr_assert_not(promises_move(&draft), "it is not to move");
    cr_assert_eq(draft_play(&draft, "a3a4", &why, &from), DRAFT_PLAYED);
    cr_assert_eq(draft_answer(&draft, &from), DRAFT_PLAYED);
    cr_assert_eq(draft.row.ply, 1);
    cr_assert(promises_move(&draft));
    draft_stop(&draft, STATUS_FINISHED, 2, "resign", EVENT_RESIGNED, 1);
    cr_assert_not(promises_move(&draft), "the game is over");
}

Test(draft, an_offer_of_a_draw_to_an_opponent_that_thinks_is_promised_an_answer)
{
    struct played game;
    struct draft draft;

    played_start(&game, "jungle", "");
    begin(&draft, &game, 0);
    draft.row.seat[1] = (struct db_seat){.state = SEAT_ENGINE, .engine = "plyd:3"};
    offers_add(&draft.offers, &(struct offer){.id = 2, .kind = OFFER_DRAW, .seat = 1});
    cr_assert(promises_move(&draft));
}

static void seat_random(struct db_seat *seat)
{
    seat->state = SEAT_ENGINE;
    seat->engine = "random";
}

/* Lets the computer play the seats in `engines` (bits) and the first legal move be played for the
 * others. Returns the moves, parted by blanks. */
static const char *play_against(const char *variant, unsigned engines, int64_t seed, int32_t plies)
{
    struct played game;
    struct draft draft;
    struct rules_refusal why;
    const char *moves = "";
    int32_t from;

    played_start(&game, variant, "");
    begin(&draft, &game, 0);
    draft.row.seed = seed;
    for (int seat = 1; seat <= DB_SEATS; seat++)
        if ((engines & seat_bit(seat)) != 0)
            seat_random(&draft.row.seat[seat - 1]);
    while (draft.row.status == STATUS_ACTIVE && draft.row.ply < plies) {
        const char **texts;

        cr_assert_eq(draft_answer(&draft, &from), DRAFT_PLAYED);
        if (draft.row.status != STATUS_ACTIVE)
            break;
        cr_assert_eq(engines & seat_bit(draft.row.to_move), 0, "it answers as long as it can");
        legal_moves_texts(&arena, draft.game, &draft.state, &texts);
        cr_assert_eq(draft_play(&draft, texts[0], &why, &from), DRAFT_PLAYED);
    }
    for (size_t i = 0; i < draft.nevents; i++)
        moves = arena_format(&arena, "%s %s", moves, draft.events[i].move);
    return moves;
}

Test(draft, the_computer_answers_the_same_with_the_same_seed_and_otherwise_differently)
{
    for (size_t i = 0; i < rules_games(); i++) {
        const char *variant = rules_game(i)->name;

        for (unsigned engines = 2; engines <= 4; engines += 2)
            cr_assert_str_eq(play_against(variant, engines, 42, 30),
                             play_against(variant, engines, 42, 30));
        cr_assert_str_neq(play_against(variant, 2, 42, 30), play_against(variant, 2, 43, 30));
    }
}

/* What the computer answers is stored with games that are undone and played on: it must not change
 * from one version of the program to the next. */
Test(draft, the_computer_answers_as_it_always_did)
{
    cr_assert_str_eq(play_against("tictactoe", 4, 1, 9), " a1 b2 a2 c2 a3");
    cr_assert_str_eq(play_against("jungle", 2, 7, 6), " f2e2 a7a6 g1g2 a6a5 b2c2 a5a4");
}

Test(draft, the_computer_answers_by_ply_and_not_by_what_was_played_before)
{
    struct played one, other;
    struct draft draft;
    int32_t from;
    const char *answer;

    played_start(&one, "shogi", "");
    played_moves(&one, "7g7f 3c3d 2g2f");
    played_start(&other, "shogi", "");
    played_moves(&other, "2g2f 3c3d 7g7f");
    seat_random(&one.row.seat[1]);
    seat_random(&other.row.seat[1]);
    begin(&draft, &one, 0);
    cr_assert_eq(draft_answer(&draft, &from), DRAFT_PLAYED);
    answer = draft.row.last_move;
    cr_assert_eq(draft.nevents, 1);
    begin(&draft, &other, 0);
    cr_assert_eq(draft_answer(&draft, &from), DRAFT_PLAYED);
    cr_assert_str_eq(draft.row.last_move, answer);
}

Test(draft, the_computer_needs_keys_as_people_do)
{
    struct played game;
    struct draft draft;
    int32_t from = -1;

    played_start(&game, "shogi", "");
    played_moves(&game, "2h3h 8b7b 3h2h 7b8b");
    seat_random(&game.row.seat[0]);
    begin(&draft, &game, 4);
    cr_assert_eq(draft_answer(&draft, &from), DRAFT_NEEDS_KEYS);
    cr_assert_lt(from, 4);
    cr_assert_eq(draft.nevents, 0);
    begin(&draft, &game, from);
    cr_assert_eq(draft_answer(&draft, &from), DRAFT_PLAYED);
}

Test(draft, two_computers_stop_where_no_more_events_fit)
{
    struct played game;
    struct draft draft;
    int32_t from;

    played_start(&game, "shogi", "");
    seat_random(&game.row.seat[0]);
    seat_random(&game.row.seat[1]);
    begin(&draft, &game, 0);
    while (draft.nevents < DB_EVENTS_MAX - 5)
        draft_event(&draft, EVENT_REDO, 0);
    cr_assert_eq(draft_answer(&draft, &from), DRAFT_PLAYED);
    cr_assert_eq(draft.nevents, (size_t)DB_EVENTS_MAX);
    cr_assert_eq(draft.row.ply, 5);
    cr_assert_eq(draft.row.status, STATUS_ACTIVE);
}

Test(draft, the_computer_does_not_move_in_a_game_that_is_over_or_has_not_begun)
{
    static const int statuses[] = {STATUS_OPEN, STATUS_FINISHED, STATUS_ABORTED};
    struct played game;
    struct draft draft;
    int32_t from;

    played_start(&game, "tictactoe", "");
    seat_random(&game.row.seat[0]);
    for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        begin(&draft, &game, 0);
        draft.row.status = (int16_t)statuses[i];
        cr_assert_eq(draft_answer(&draft, &from), DRAFT_PLAYED);
        cr_assert_eq(draft.nevents, 0);
        cr_assert_eq(draft_goes_on(&draft), statuses[i] == STATUS_OPEN);
    }
}

/* ---- events ---- */

Test(draft, events_are_numbered_on_from_the_version_however_many_there_are)
{
    struct played game;
    struct draft draft;

    played_start(&game, "tictactoe", "");
    begin(&draft, &game, 0);
    draft.row.version = 10;
    for (int i = 0; i < 100; i++) {
        struct db_event *event = draft_event(&draft, EVENT_UNDO, i % 3);

        cr_assert_eq(event->version, 11 + i);
        cr_assert_eq(draft.row.version, 11 + i);
        event->data = i % 2 == 0 ? "even" : "odd";
    }
    cr_assert_eq(draft.nevents, 100);
    for (int i = 0; i < 100; i++) {
        cr_assert_eq(draft.events[i].version, 11 + i);
        cr_assert_eq(draft.events[i].kind, EVENT_UNDO);
        cr_assert_eq(draft.events[i].seat, i % 3);
        cr_assert_str_eq(draft.events[i].data, i % 2 == 0 ? "even" : "odd");
        cr_assert_null(draft.events[i].move);
    }
}
