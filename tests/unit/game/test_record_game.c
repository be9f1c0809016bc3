/* test_record_game.c - stored games as records and back, as `plyd verify` judges them. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/game/from_record.h"
#include "api/game/to_record.h"
#include "api/game/words.h"
#include "api/record/holds.h"
#include "api/tool/commands.h"
#include "tests/unit/records.h"

TestSuite(record_game, .fini = records_free);

enum { STEPS = 60, NOW = 1700000000 };

/* ---- games with undos, redos and several lines ---- */

struct stroll {
    struct record record;
    struct rules_state state;
    const char *position[STEPS + 1];
    uint64_t key[STEPS + 1];
    int32_t ply, tip, line, lines;
};

static const char *position_of(const struct rules_game *game, const struct rules_state *state)
{
    char text[RULES_POSITION_TEXT];

    game->position_text(state, text);
    return arena_copy(&records_arena, text, strlen(text));
}

static struct record_event *note(struct stroll *stroll, const char *kind)
{
    struct record_event *event = &stroll->record.events[stroll->record.nevents++];

    *event = (struct record_event){.kind = kind,
                                   .line = stroll->line,
                                   .ply = stroll->ply,
                                   .at = INT64_C(1600000000123456) +
                                         (int64_t)stroll->record.nevents * 1234567};
    return event;
}

static bool is_over(struct stroll *stroll)
{
    struct rules_history history = {stroll->key, (size_t)stroll->ply};

    return stroll->record.game->outcome(&stroll->state, &history).status != RULES_ONGOING;
}

static void play(struct stroll *stroll, uint64_t *seed)
{
    const struct rules_game *game = stroll->record.game;
    size_t n = game->count(&stroll->state);
    rules_move *moves = arena_alloc(&records_arena, n * sizeof(*moves)), move;
    unsigned seat = game->to_move(&stroll->state);
    char text[RULES_MOVE_TEXT];
    struct record_event *event;
    struct rules_state before;

    game->legal(&stroll->state, moves, n);
    move = moves[rules_choose(seed, n)];
    game->move_text(&stroll->state, move, text);
    stroll->key[stroll->ply] = game->key(&stroll->state);
    rules_copy(&stroll->state, &before);
    game->play(&before, move, &stroll->state);
    if (stroll->ply < stroll->tip)
        stroll->line = ++stroll->lines;
    stroll->tip = ++stroll->ply;
    stroll->position[stroll->ply] = position_of(game, &stroll->state);
    event = note(stroll, "move");
    event->move = arena_copy(&records_arena, text, strlen(text));
    event->seat = seat;
    stroll->record.moves[stroll->ply - 1] =
        (struct record_move){.text = event->move, .spent_us = 1234567};
}

static void jump(struct stroll *stroll, uint64_t *seed)
{
    int32_t ply = (int32_t)rules_choose(seed, (size_t)stroll->tip + 1);
    const char *kind = ply < stroll->ply ? "undo" : "redo";
    struct rules_refusal why;

    if (ply == stroll->ply)
        return;
    stroll->ply = ply;
    cr_assert(rules_load(stroll->record.game, &stroll->record.options, stroll->position[ply],
                         &stroll->state, &why));
    note(stroll, kind)->data = "{\"from_ply\":1,\"to_ply\":0}";
}

/* A game that ends with a resignation, unless the rules ended it. */
static struct record strolled(const struct rules_game *game, uint64_t seed)
{
    struct stroll *stroll = arena_zero(&records_arena, sizeof(*stroll));
    struct record *record = &stroll->record;
    struct rules_refusal why;
    struct record_event *event;

    record_init(record, game);
    cr_assert(rules_start(game, &record->options, NULL, &stroll->state, &why));
    record->start = stroll->position[0] = position_of(game, &stroll->state);
    record->moves = arena_zero(&records_arena, (STEPS + 1) * sizeof(*record->moves));
    record->events = arena_zero(&records_arena, (STEPS + 2) * sizeof(*record->events));
    stroll->line = stroll->lines = 1;
    note(stroll, "created");
    for (int i = 0; i < STEPS; i++)
        if (rules_choose(&seed, 5) == 0)
            jump(stroll, &seed);
        else if (!is_over(stroll))
            play(stroll, &seed);
    record->nmoves = (size_t)stroll->ply;
    if (is_over(stroll)) {
        struct rules_history history = {stroll->key, (size_t)stroll->ply};
        struct rules_outcome outcome = game->outcome(&stroll->state, &history);

        record->ending.outcome =
            (struct record_outcome){RECORD_BY_RULES, outcome.reason, outcome.winner, true};
    } else {
        event = note(stroll, "resigned");
        event->seat = 1;
        record->ending.outcome =
            (struct record_outcome){RECORD_RESIGNED, RULES_REASON_NONE, 2, false};
    }
    return *record;
}

/* ---- what becomes of them ---- */

static void is_verified(const struct draft *draft)
{
    struct db_scan_game stored = {&draft->row, draft->events, draft->nevents};
    char what[1024] = "";

    cr_assert_eq(verify_game(&stored, what, sizeof(what)), VERDICT_SAME, "%s", what);
}

static struct draft *stored(const struct record *record)
{
    struct draft *draft = arena_alloc(&records_arena, sizeof(*draft));
    struct record read = records_read_back(record);
    struct record_error error;

    cr_assert(from_record(&records_arena, &read, INT64_C(1000000) * NOW, draft, &error), "%s",
              error.detail);
    draft->row.undo = UNDO_FREE;
    draft->row.visibility = VISIBILITY_PUBLIC;
    is_verified(draft);
    return draft;
}

static struct record taken_out(const struct draft *draft)
{
    struct record record;
    struct record_error error;

    cr_assert(to_record(&records_arena, &draft->row, draft->events, draft->nevents, draft->row.line,
                        draft->row.ply, &record, &error),
              "%s", error.detail);
    return record;
}

static void same_events(const struct draft *a, const struct draft *b)
{
    cr_assert_eq(a->nevents, b->nevents);
    for (size_t i = 0; i < a->nevents; i++) {
        const struct db_event *left = &a->events[i], *right = &b->events[i];

        cr_assert_eq(left->kind, right->kind);
        cr_assert_eq(left->line, right->line);
        cr_assert_eq(left->ply, right->ply);
        cr_assert_eq(left->seat, right->seat);
        cr_assert_eq(left->at, right->at);
        cr_assert_eq(left->key, right->key);
        cr_assert_eq(left->data == NULL, right->data == NULL);
    }
}

ParameterizedTestParameters(record_game, another_plyd_has_the_same_game_with_all_of_its_lines)
{
    static size_t numbers[16];

    for (size_t i = 0; i < rules_games(); i++)
        numbers[i] = i;
    return cr_make_param_array(size_t, numbers, rules_games());
}

ParameterizedTest(size_t *game, record_game, another_plyd_has_the_same_game_with_all_of_its_lines)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct record record = strolled(rules_game(*game), seed), read;
        struct draft *here = stored(&record), *there;
        const char *text;

        record = taken_out(here);
        text = records_write(&record, "json");
        read = records_read(text, NULL);
        there = stored(&read);
        same_events(here, there);
        record = taken_out(there);
        cr_assert_str_eq(records_write(&record, "json"), text);
        arena_reset(&records_arena);
    }
}

Test(record_game, a_record_without_a_log_becomes_a_game_that_can_be_verified)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct record record = records_random(rules_game(seed % rules_games()), seed, seed);
        struct draft *draft = stored(&record);

        cr_assert_eq((size_t)draft->row.ply, record.nmoves);
        arena_reset(&records_arena);
    }
}

Test(record_game, resignations_and_abortions_are_events)
{
    struct record record = records_game("jungle", "", "");
    struct draft *draft;

    record.ending.outcome = (struct record_outcome){RECORD_RESIGNED, RULES_REASON_NONE, 2, false};
    draft = stored(&record);
    cr_assert_eq(draft->events[1].kind, EVENT_RESIGNED);
    cr_assert_eq(draft->events[1].seat, 1);
    cr_assert_eq(draft->row.winner, 2);
    record.ending.outcome = (struct record_outcome){RECORD_ABORTED, RULES_REASON_NONE, 0, false};
    cr_assert_eq(stored(&record)->row.status, STATUS_ABORTED);
}

Test(record_game, an_end_that_only_the_record_knows_is_an_event_of_its_own)
{
    struct record record = records_game("jungle", "", "");
    struct draft *draft;

    record.ending.outcome = (struct record_outcome){RECORD_TIMEOUT, RULES_REASON_NONE, 2, false};
    draft = stored(&record);
    cr_assert_eq(draft->events[1].kind, EVENT_RECORDED);
    cr_assert_eq(draft->row.status, STATUS_FINISHED);
    cr_assert_str_eq(draft->row.reason, "timeout");
    record = taken_out(draft);
    cr_assert_eq(record.ending.outcome.end, RECORD_TIMEOUT);
    cr_assert_eq(record.ending.outcome.winner, 2);
}

Test(record_game, an_event_of_an_unknown_kind_cannot_be_stored)
{
    struct record record = strolled(rules_find("jungle"), 1), read;
    struct draft draft;
    struct record_error error;

    record.events[record.nevents - 1].kind = "sneezed";
    read = records_read_back(&record);
    cr_assert_not(from_record(&records_arena, &read, 0, &draft, &error));
    cr_assert_eq(error.code, PROBLEM_BAD_RECORD);
}

Test(record_game, a_log_that_leads_elsewhere_cannot_be_stored)
{
    struct record record = strolled(rules_find("jungle"), 1), read = records_read_back(&record);
    struct draft draft;
    struct record_error error;

    read.events[read.nevents - 2].line++;
    cr_assert_not(from_record(&records_arena, &read, 0, &draft, &error));
    cr_assert_eq(error.code, PROBLEM_BAD_RECORD);
}

Test(record_game, the_time_of_a_move_is_the_time_since_the_event_before_it)
{
    struct record record = records_game("turkish-draughts", "", "a3-a4 h6-h5");

    record.started_at = INT64_C(1600000000000000);
    record.moves[0].spent_us = 5000000;
    record.moves[1].spent_us = 7000000;
    record = taken_out(stored(&record));
    cr_assert_eq(record.started_at, INT64_C(1600000000000000));
    cr_assert_eq(record.moves[0].spent_us, 5000000);
    cr_assert_eq(record.moves[1].spent_us, 7000000);
}

/* What the first event keeps of a record. */
static const char *kept(const struct record *record)
{
    return stored(record)->events[0].data;
}

Test(record_game, the_first_event_keeps_what_a_game_has_no_place_for)
{
    static struct record_header headers[] = {{"event", "Open"}, {"k", "\"v\""}};
    struct record record = records_game("jungle", "", "");

    cr_assert_str_eq(kept(&record), "{\"record\":{\"format\":\"json\"}}");
    record.started_at = INT64_C(1600000000000001);
    cr_assert_str_eq(kept(&record),
                     "{\"record\":{\"format\":\"json\",\"started_us\":1600000000000001}}");
    record.ended_at = INT64_C(1600000000000002);
    record.started_at = RECORD_NO_TIME;
    cr_assert_str_eq(kept(&record),
                     "{\"record\":{\"format\":\"json\",\"ended_us\":1600000000000002}}");
    record.ended_at = RECORD_NO_TIME;
    record.comment = "hello";
    record.headers = headers;
    record.nheaders = 2;
    cr_assert_str_eq(kept(&record),
                     "{\"record\":{\"format\":\"json\",\"comment\":\"hello\",\"headers\":[{\"key\":"
                     "\"event\",\"value\":\"Open\"},{\"key\":\"k\",\"value\":\"\\\"v\\\"\"}]}}");
}

Test(record_game, a_move_keeps_its_time_and_comment_and_an_end_its_time)
{
    struct record record = records_game("jungle", "", "a3a4 g7g6 a4a3");
    struct draft *draft;

    record.moves[1].spent_us = 0;
    record.moves[2].comment = "there";
    record.ending.outcome = (struct record_outcome){RECORD_TIMEOUT, RULES_REASON_NONE, 2, false};
    record.ending.spent_us = 7;
    draft = stored(&record);
    cr_assert_str_eq(draft->events[1].data, "{}");
    for (size_t i = 1; i < 4; i++)
        cr_assert_eq(draft->events[i].at, draft->events[0].at, "no time passed");
    cr_assert_str_eq(draft->events[2].data, "{\"spent_us\":0}");
    cr_assert_str_eq(draft->events[3].data, "{\"comment\":\"there\"}");
    cr_assert_str_eq(draft->events[4].data, "{\"reason\":\"timeout\",\"winner\":2,\"spent_us\":7}");
    record.ending.outcome = (struct record_outcome){RECORD_AGREED, RULES_REASON_NONE, 0, false};
    record.ending.spent_us = -1;
    draft = stored(&record);
    cr_assert_str_eq(draft->events[4].data, "{\"reason\":\"agreement\"}");
}

Test(record_game, time_passes_with_each_move_by_what_it_took)
{
    struct record record = records_game("jungle", "", "a3a4 g7g6 a4a3");
    struct draft *draft;

    record.moves[0].spent_us = 1;
    record.moves[1].spent_us = 5;
    draft = stored(&record);
    cr_assert_eq(draft->events[1].at, draft->events[0].at + 1);
    cr_assert_eq(draft->events[2].at, draft->events[1].at + 5);
    cr_assert_eq(draft->events[3].at, draft->events[2].at);
}

Test(record_game, a_record_without_a_start_began_so_long_ago_as_its_moves_and_its_end_took)
{
    struct record record = records_game("jungle", "", "a3a4 g7g6");
    struct draft *draft;

    record.moves[0].spent_us = 1;
    record.moves[1].spent_us = 5;
    record.ending.outcome = (struct record_outcome){RECORD_RESIGNED, RULES_REASON_NONE, 2, false};
    record.ending.spent_us = 70;
    draft = stored(&record);
    cr_assert_eq(draft->events[0].at, INT64_C(1000000) * NOW - 76);
    cr_assert_eq(draft->row.created_at, draft->events[0].at);
    cr_assert_eq(draft->events[3].kind, EVENT_RESIGNED);
    cr_assert_eq(draft->events[3].at, INT64_C(1000000) * NOW);
}

Test(record_game, an_end_by_the_rules_is_confirmed_and_one_that_only_the_record_knows_is_not)
{
    struct record record = records_game("tictactoe", "", "a1 b1 a2 b2 a3");

    record = taken_out(stored(&record));
    cr_assert_eq(record.ending.outcome.end, RECORD_BY_RULES);
    cr_assert(record.ending.outcome.confirmed);
    record = records_game("shogi", "", "7g7f");
    record.ending.outcome =
        (struct record_outcome){RECORD_BY_RULES, RULES_REASON_REPETITION, 0, false};
    record = taken_out(stored(&record));
    cr_assert_eq(record.ending.outcome.end, RECORD_BY_RULES);
    cr_assert_not(record.ending.outcome.confirmed);
}

/* ---- variations ---- */

/* A game whose record has variations, as it is read from KIF. */
static struct record with_lines(uint64_t seed)
{
    struct record record = records_random(rules_find("shogi"), seed, seed % 40);

    records_vary(&record, seed, 1 + seed % 13);
    return records_read(records_write(&record, "kif"), "kif");
}

static struct draft *made(const struct record *record)
{
    struct draft *draft = arena_alloc(&records_arena, sizeof(*draft));
    struct record_error error;

    cr_assert(from_record(&records_arena, record, INT64_C(1000000) * NOW, draft, &error), "%s",
              error.detail);
    is_verified(draft);
    return draft;
}

#define KIF_KINGS                                                            \
    "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n" \
    "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n"                            \
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n"                            \
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|三\n"                            \
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n"                            \
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n"                            \
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n"                            \
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n"                            \
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n"                            \
    "| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n"                            \
    "+---------------------------+\n"

/* No move follows, so nothing but the start can tell it. */
Test(record_game, a_start_that_is_over_ends_the_game)
{
    struct record record =
        records_read("#KIF version=2.0 encoding=UTF-8\n後手の持駒：なし\n" KIF_KINGS
                     "先手の持駒：なし\n#plyd rules=casual max_plies=1 number=2\n"
                     "手数----指手---------消費時間--\n",
                     "kif");
    struct draft *draft = made(&record);

    cr_assert_eq(draft->row.status, STATUS_FINISHED);
    cr_assert_str_eq(draft->row.reason, "max_plies");
}

Test(record_game, variations_are_lines_of_the_game_and_go_out_again)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct record record = with_lines(seed), out;
        const struct draft *draft = made(&record);

        out = taken_out(draft);
        cr_assert_str_eq(records_tree(&out), records_tree(&record));
        cr_assert_eq((size_t)draft->row.ply, record.nmoves);
        arena_reset(&records_arena);
    }
}

Test(record_game, a_game_with_variations_stands_on_the_end_of_its_main_line)
{
    struct record record =
        records_read("1 ７六歩(77)\n2 ３四歩(33)\n3 投了\n変化：3手\n3 ２六歩(27)\n"
                     "変化：1手\n1 ２六歩(27)\n",
                     "kif");
    const struct draft *draft = made(&record);

    cr_assert_eq(draft->row.ply, 2);
    cr_assert_eq(draft->row.line, 2);
    cr_assert_eq(draft->row.tip, 3);
    cr_assert_eq(draft->row.status, STATUS_FINISHED);
    cr_assert_eq(draft->row.winner, 2);
}

Test(record_game, the_end_of_a_variation_goes_out_again)
{
    struct record record =
        records_read("1 ７六歩(77)\n2 ３四歩(33)\n変化：2手\n2 ８四歩(83)\n3 投了\n", "kif");

    record = taken_out(made(&record));
    cr_assert_eq(record.ending.outcome.end, RECORD_OPEN);
    cr_assert_eq(record.lines[0].ending.outcome.end, RECORD_RESIGNED);
    cr_assert_eq(record.lines[0].ending.outcome.winner, 2);
}

Test(record_game, variations_pass_through_our_own_format)
{
    struct record record = with_lines(5), copy;
    const struct draft *draft = made(&record);
    const char *text;

    copy = taken_out(draft);
    text = records_write(&copy, "json");
    copy = records_read(text, NULL);
    draft = made(&copy);
    copy = taken_out(draft);
    cr_assert_str_eq(records_tree(&copy), records_tree(&record));
}

/* ---- nothing is rewritten ---- */

/* A text that is stored as a game and goes out again as it was. */
static void comes_back(const char *text, const char *format)
{
    struct record record = records_read(text, format);
    const struct draft *draft = made(&record);

    record = taken_out(draft);
    cr_assert_str_eq(records_write(&record, format), text);
}

#define KIF_HEAD "#KIF version=2.0 encoding=UTF-8\n手合割：平手\n手数----指手---------消費時間--\n"

Test(record_game, the_end_goes_out_as_it_came_in)
{
    static const char *const ends[] = {"投了", "中断", "封じ手", "不詰", "切れ負け", "時間切れ"};

    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        comes_back(arena_format(&records_arena, KIF_HEAD "   1 ７六歩(77)\n   2 %s\n", ends[i]),
                   "kif");
}

Test(record_game, a_resignation_after_mate_stays_one)
{
    static const char mate[] =
        "#KIF version=2.0 encoding=UTF-8\n後手の持駒：なし\n"
        "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n"
        "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n"
        "| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n"
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n"
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n"
        "| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n+---------------------------+\n"
        "先手の持駒：金　\n手数----指手---------消費時間--\n   1 ５二金打\n   2 投了\n";
    struct record record = records_read(mate, "kif");
    const struct draft *draft = made(&record);

    cr_assert_str_eq(draft->row.reason, "checkmate");
    record = taken_out(draft);
    cr_assert_not_null(strstr(records_write(&record, "kif"), "   2 投了\n"));
}

Test(record_game, a_comment_behind_the_end_stays_there)
{
    comes_back(KIF_HEAD "*first\n   1 ７六歩(77)\n*of the move\n   2 投了\n*of the end\n*more\n",
               "kif");
    comes_back("V2.2\nPI\n+\n+7776FU\n'*of the move\n%TORYO\n'*of the end\n", "csa");
    comes_back("手合割：平手\n▲７六歩\nまで1手で先手の勝ち\n*of the end\n", "ki2");
}

/* A game of one move and a foul. */
#define JKF_FOUL(foul)                                                                         \
    "{\"header\":{},\"initial\":{\"preset\":\"HIRATE\"},\"moves\":[{},{\"move\":{\"color\":0," \
    "\"piece\":\"FU\",\"to\":{\"x\":7,\"y\":6},\"from\":{\"x\":7,\"y\":7}}},{\"move\":" foul   \
    "},{\"special\":\"ILLEGAL_MOVE\"}]}\n"

Test(record_game, a_foul_goes_out_as_it_stood_there)
{
    comes_back(KIF_HEAD "   1 ７六歩(77)\n   2 ５五歩(33)\n   3 反則負け\n", "kif");
    comes_back("V2.2\nPI\n+\n+7776FU\n-3335FU\n%ILLEGAL_MOVE\n", "csa");
    comes_back(JKF_FOUL("{\"color\":1,\"piece\":\"FU\",\"to\":{\"x\":3,\"y\":5},"
                        "\"from\":{\"x\":3,\"y\":3},\"promote\":true}"),
               "jkf");
    comes_back(JKF_FOUL("{\"color\":1,\"piece\":\"KI\",\"to\":{\"x\":3,\"y\":5}}"), "jkf");
    comes_back(JKF_FOUL("{\"color\":1,\"piece\":\"FU\",\"to\":{\"x\":5,\"y\":4},"
                        "\"from\":{\"x\":5,\"y\":5}}"),
               "jkf");
    comes_back(JKF_FOUL("{\"color\":1,\"piece\":\"KY\",\"to\":{\"x\":9,\"y\":9},"
                        "\"from\":{\"x\":1,\"y\":1},\"promote\":false,\"capture\":\"KY\"}"),
               "jkf");
}

Test(record_game, a_foul_keeps_its_time_and_its_word)
{
    comes_back(KIF_HEAD "   1 ７六歩(77)   ( 0:12/00:00:12)\n   2 ５五歩(33)   ( 0:01/00:00:01)\n"
                        "   3 反則勝ち\n",
               "kif");
    comes_back("V2.2\nPI\n+\n+7776FU\nT12\n-3335FU\nT1\n%-ILLEGAL_ACTION\n", "csa");
}

Test(record_game, a_sentence_of_ki2_stays_as_it_was)
{
    comes_back("手合割：平手\n▲７六歩\nまで1手で先手の入玉勝ち\n", "ki2");
    comes_back("手合割：平手\n▲７六歩\nまで1手で中断\n", "ki2");
}

Test(record_game, a_result_of_pdn_gets_no_reason_that_nobody_said)
{
    comes_back("[Result \"1-0\"]\n[GameType \"30,W,8,8,A0,0\"]\n\n1. a3-a4 1-0\n", "pdn");
    comes_back("[Result \"1-0\"]\n[Termination \"resign\"]\n[GameType \"30,W,8,8,A0,0\"]\n\n"
               "1. a3-a4 1-0\n",
               "pdn");
}

Test(record_game, an_end_that_is_over_is_not_told_again)
{
    struct record record = records_read(KIF_HEAD "   1 ７六歩(77)\n   2 中断\n", "kif");
    struct draft *draft = made(&record);
    struct rules_refusal why;
    int32_t from;

    cr_assert_eq(draft_play(draft, "3c3d", &why, &from), DRAFT_PLAYED);
    draft_stop(draft, STATUS_FINISHED, 2, "resign", EVENT_RESIGNED, 1);
    record = taken_out(draft);
    cr_assert_not_null(strstr(records_write(&record, "kif"), "   3 投了"));
}

Test(record_game, an_end_keeps_its_time_whatever_its_word)
{
    static const char *const kif[] = {"中断", "封じ手", "不詰", "停電"};
    static const char *const csa[] = {"CHUDAN", "MATTA", "FUZUMI", "ERROR", "JISHOGI"};

    for (size_t i = 0; i < sizeof(kif) / sizeof(kif[0]); i++) {
        const char *pad = strlen(kif[i]) == 6 ? "         " : "       ";

        comes_back(arena_format(&records_arena,
                                KIF_HEAD "   1 ７六歩(77)\n   2 %s%s( 1:02/00:01:02)\n*and more\n",
                                kif[i], pad),
                   "kif");
    }
    for (size_t i = 0; i < sizeof(csa) / sizeof(csa[0]); i++)
        comes_back(arena_format(&records_arena, "V2.2\nPI\n+\n+7776FU\n%%%s\nT7\n", csa[i]), "csa");
}

Test(record_game, an_end_of_a_variation_keeps_its_word_its_time_and_its_comment)
{
    static const char *const words[] = {"投了", "中断", "封じ手", "不詰", "停電"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        const char *pad = strlen(words[i]) == 6 ? "         " : "       ";

        comes_back(arena_format(&records_arena,
                                KIF_HEAD "   1 ７六歩(77)\n   2 ３四歩(33)\n\n変化：2手\n"
                                         "   2 ８四歩(83)\n*of the move\n"
                                         "   3 %s%s( 1:02/00:01:02)\n*of the end\n",
                                words[i], pad),
                   "kif");
    }
    comes_back("手合割：平手\n▲７六歩    △３四歩\n\n変化：2手\n△８四歩\n*of the move\n"
               "まで2手で中断\n*of the end\n",
               "ki2");
    comes_back("[Result \"*\"]\n[GameType \"30\"]\n\n"
               "1. a3-a4 h6-h5 ( 1... g6-g5 1-0 {of the end} ) *\n",
               "pdn");
    comes_back("{\"header\":{},\"initial\":{\"preset\":\"HIRATE\"},\"moves\":[{},{\"move\":{"
               "\"color\":0,\"piece\":\"FU\",\"to\":{\"x\":7,\"y\":6},\"from\":{\"x\":7,\"y\":7}},"
               "\"forks\":[[{\"move\":{\"color\":0,\"piece\":\"FU\",\"to\":{\"x\":2,\"y\":6},"
               "\"from\":{\"x\":2,\"y\":7}}},{\"time\":{\"now\":{\"m\":1,\"s\":2},\"total\":{"
               "\"h\":0,\"m\":1,\"s\":2}},\"special\":\"MATTA\",\"comments\":[\"so\"]}]]}]}\n",
               "jkf");
}

Test(record_game, an_end_from_which_another_line_goes_on_is_kept)
{
    comes_back(KIF_HEAD
               "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(27)\n\n変化：3手\n"
               "   3 投了         ( 0:05/00:00:05)\n*so\n\n変化：3手\n   3 封じ手\n\n変化：2手\n"
               "   2 ８四歩(83)\n   3 ２六歩(27)\n\n変化：3手\n   3 中断\n\n変化：1手\n"
               "   1 投了\n",
               "kif");
    comes_back("手合割：平手\n▲７六歩    △３四歩\n\n変化：3手\nまで2手で中断\n\n変化：2手\n"
               "まで1手で先手の勝ち\n",
               "ki2");
    comes_back("[Result \"*\"]\n[GameType \"30\"]\n\n1. a3-a4 ( 0-1 ) 1... h6-h5 ( 1-0 ) *\n",
               "pdn");
    comes_back("{\"header\":{},\"initial\":{\"preset\":\"HIRATE\"},\"moves\":[{},{\"move\":{"
               "\"color\":0,\"piece\":\"FU\",\"to\":{\"x\":7,\"y\":6},\"from\":{\"x\":7,\"y\":7}},"
               "\"forks\":[[{\"special\":\"TORYO\"}]]},{\"special\":\"CHUDAN\",\"forks\":[["
               "{\"special\":\"MATTA\"}]]}]}\n",
               "jkf");
    comes_back("~0.7ku2jm.r~2..t~1..j\n", "usen");
}

Test(record_game, an_end_on_the_way_of_a_variation_is_kept)
{
    struct record record =
        records_read(KIF_HEAD "   1 ７六歩(77)\n変化：1手\n   1 ２六歩(27)\n   2 投了\n"
                              "変化：2手\n   2 ８四歩(83)\n   3 中断\n",
                     "kif");

    cr_assert_eq(record.nlines, 2);
    cr_assert_eq(record.lines[0].nmoves, 1);
    cr_assert_str_eq(record.lines[0].ending.word, "投了");
    cr_assert_eq(record.lines[1].parent, 1);
    cr_assert_eq(record.lines[1].ply, 1);
    cr_assert_str_eq(record.lines[1].ending.word, "中断");
    comes_back(records_write(&record, "kif"), "kif");
}

/* The end of a variation before, between and behind the moves that go on from there. */
Test(record_game, an_end_keeps_its_place_among_its_siblings)
{
    static const char kif[] = KIF_HEAD "   1 ７六歩(77)\n   2 ３四歩(33)\n\n変化：2手\n"
                                       "   2 ８四歩(83)\n%s\n変化：3手\n%s\n変化：3手\n%s";
    static const char *const order[][3] = {
        {"   3 投了\n", "   3 ２六歩(27)\n", "   3 ６六歩(67)\n"},
        {"   3 ２六歩(27)\n", "   3 投了\n", "   3 ６六歩(67)\n"},
        {"   3 ２六歩(27)\n", "   3 ６六歩(67)\n", "   3 投了\n"},
        {"   3 投了\n", "   3 ２六歩(27)\n", "   3 中断\n"},
    };

    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
        comes_back(arena_format(&records_arena, kif, order[i][0], order[i][1], order[i][2]), "kif");
    comes_back("手合割：平手\n▲７六歩    △３四歩\n\n変化：2手\n△８四歩\nまで2手で後手の勝ち\n\n"
               "変化：3手\n▲２六歩\n\n変化：3手\nまで2手で中断\n",
               "ki2");
    comes_back("[Result \"*\"]\n[GameType \"30\"]\n\n"
               "1. a3-a4 h6-h5 ( 1... g6-g5 2. b3-b4 ( 2. c3-c4 ) ( 1-0 ) ) *\n",
               "pdn");
    comes_back("{\"header\":{},\"initial\":{\"preset\":\"HIRATE\"},\"moves\":[{},{\"move\":{"
               "\"color\":0,\"piece\":\"FU\",\"to\":{\"x\":7,\"y\":6},\"from\":{\"x\":7,\"y\":7}},"
               "\"forks\":[[{\"move\":{\"color\":0,\"piece\":\"FU\",\"to\":{\"x\":2,\"y\":6},"
               "\"from\":{\"x\":2,\"y\":7}}}],[{\"special\":\"TORYO\"}]]}]}\n",
               "jkf");
    comes_back("~0.7ku2jm.~1.36e.r~2.6y2.~2..p\n", "usen");
}

Test(record_game, an_end_of_a_variation_in_a_log_of_an_older_program_is_read)
{
    struct record record =
        records_read(KIF_HEAD "   1 ７六歩(77)\n変化：1手\n   1 ２六歩(27)\n   2 投了\n", "kif");
    struct draft *draft = made(&record);

    cr_assert_str_eq(draft->events[1].data,
                     "{\"ends\":[{\"reason\":\"resign\",\"winner\":1,\"word\":\"投了\"}]}");
    draft->events[1].data = "{\"end\":{\"reason\":\"resign\",\"winner\":1}}";
    record = taken_out(draft);
    cr_assert_eq(record.lines[0].ending.outcome.end, RECORD_RESIGNED);
    cr_assert_null(record.lines[0].ending.word);
}

/* What strangers' files have that no standard allows, or that has a usual form: it goes out in `to`
 * as `part`, and `left_out` is told; or the file is refused for a reason. */
Test(record_game, what_is_unusual_in_a_file_is_kept_or_told_or_refused)
{
    static const struct {
        const char *what, *format, *text, *to, *part, *left_out;
    } rows[] = {
        {"a mark of PDN in signs is its number", "pdn",
         "[GameType \"30\"]\n\n1. a3-a4! h6-h5?? *\n", "pdn", "a3-a4 $1 h6-h5 $4", NULL},
        {"a tag of PDN with a hyphen", "pdn",
         "[X-Clock \"40/60\"]\n[GameType \"30\"]\n\n1. a3-a4 *\n", "pdn", "[X-Clock \"40/60\"]\n",
         NULL},
        {"the time limit of CSA 2.2 stays as it is", "csa", "V2.2\n$TIME_LIMIT:00:25+10\nPI\n+\n",
         "csa", "$TIME_LIMIT:00:25+10\n", NULL},
        {"the time limit of CSA 2.2, in CSA 3.0", "csa", "V2.2\n$TIME_LIMIT:00:25+10\nPI\n+\n",
         "csa3", "$TIME_LIMIT:00:25+10\n", NULL},
        {"the time limit of CSA 3.0, in CSA 2.2", "csa", "V3.0\n$TIME:1500+10+0\nPI\n+\n", "csa",
         "$TIME_LIMIT:1500+10+0\n", NULL},
        {"headers of CSA with the signs of the sides", "csa",
         "V3.0\n$TIME+:60+0+0\n$TIME-:9+0+0\nPI\n+\n", "csa", "\n$TIME+:60+0+0\n$TIME-:9+0+0\n",
         NULL},
        {"a header of CSA that no standard has", "csa", "V2.2\n$OWN_1:27\nPI\n+\n", "csa",
         "\n$OWN_1:27\n", NULL},
        {"a header of CSA in small letters is one in a comment", "csa", "V2.2\n$my own:27\nPI\n+\n",
         "csa", "\n'$my own:27\n", NULL},
        {"a header of KIF that CSA cannot have is one in a comment", "kif",
         "備考：x\n手合割：平手\n   1 ７六歩(77)\n", "csa", "\n'$備考:x\n", NULL},
        {"a line of KIF with # is a note of a program", "kif",
         "#x\n手合割：平手\n   1 ７六歩(77)\n#y\n   2 ３四歩(33)\n", "kif",
         KIF_HEAD "   1 ７六歩(77)\n   2 ３四歩(33)\n", NULL},
        {"numbers of moves are those of their order", "kif",
         "手合割：平手\n   1 ７六歩(77)\n   5 ３四歩(33)\n   5 ２六歩(27)\n", "kif",
         "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(27)\n", NULL},
        {"a header between moves of KIF", "kif",
         "手合割：平手\n   1 ７六歩(77)\n棋戦：x\n   2 ３四歩(33)\n", NULL,
         "A header stands before the first move.", NULL},
        {"the sides of JKF at odds", "jkf",
         "{\"header\":{\"先手\":\"a\",\"後手\":\"b\"},\"initial\":{\"preset\":\"KY\"},"
         "\"moves\":[{}]}",
         "jkf", "{\"先手\":\"a\",\"後手\":\"b\"}", NULL},
        {"the sides of JKF at odds, in KIF", "jkf",
         "{\"header\":{\"先手\":\"a\",\"後手\":\"b\"},\"initial\":{\"preset\":\"KY\"},"
         "\"moves\":[{}]}",
         "kif", "下手：a\n上手：b\n", NULL},
        {"win of USI, which the rules do not grant", "usi", "position startpos moves 7g7f win\n",
         "usi", "moves 7g7f win\n", NULL},
        {"win of USI in KIF", "usi", "position startpos moves 7g7f win\n", "kif", "   2 入玉勝ち\n",
         NULL},
        {"win of USI in USEN, which has no word for it", "usi",
         "position startpos moves 7g7f win\n", "usen", "~0.7ku.\n", "ends"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct record record;
        const char *written, *left_out;

        if (rows[i].to == NULL) {
            cr_expect_str_eq(records_error(rows[i].text, rows[i].format).detail, rows[i].part, "%s",
                             rows[i].what);
            continue;
        }
        record = records_read(rows[i].text, rows[i].format);
        record = taken_out(made(&record));
        written = records_write(&record, rows[i].to);
        left_out = record_things_text(
            &records_arena,
            record_left_out(&records_arena, record_find_format(rows[i].to), &record));
        cr_expect_not_null(strstr(written, rows[i].part), "%s: %s", rows[i].what, written);
        cr_expect_str_eq(left_out == NULL ? "nothing" : left_out,
                         rows[i].left_out == NULL ? "nothing" : rows[i].left_out, "%s",
                         rows[i].what);
    }
}

/* How other formats write a game that ended with a foul in this one. */
static void foul_goes_to(const char *text, const char *format, const char *to, const char *part)
{
    struct record record = records_read(text, format);
    const char *written;

    record = taken_out(made(&record));
    written = records_write(&record, to);
    cr_assert_not_null(strstr(written, part), "%s has not\n%s", written, part);
    record = records_read(written, to);
    cr_assert_not_null(record.foul, "%s", written);
    cr_assert_eq(record.ending.spent_us, strcmp(to, "ki2") == 0 ? -1 : 1000000, "%s", written);
}

Test(record_game, a_foul_goes_out_in_every_format_of_shogi)
{
    static const char kif[] = KIF_HEAD "   1 ７六歩(77)\n   2 ５五歩(33)   ( 0:01/00:00:01)\n"
                                       "   3 反則手\n";
    static const char csa[] = "V2.2\nPI\n+\n+7776FU\n-3355FU\nT1\n%ILLEGAL_MOVE\n";

    foul_goes_to(kif, "kif", "csa", "-3355FU\nT1\n%ILLEGAL_MOVE\n");
    foul_goes_to(kif, "kif", "csa3", "-3355FU\nT1\n%ILLEGAL_MOVE\n");
    foul_goes_to(kif, "kif", "jkf", "\"from\":{\"x\":3,\"y\":3}");
    foul_goes_to(kif, "kif", "ki2", "△５五歩(33)\nまで1手で後手の反則負け\n");
    foul_goes_to(csa, "csa", "kif", "   2 ５五歩(33)   ( 0:01/00:00:01)\n   3 反則勝ち\n");
    foul_goes_to(csa, "csa", "jkf", "\"special\":\"ILLEGAL_MOVE\"");
}

Test(record_game, a_foul_after_a_mate_keeps_its_time_and_its_word)
{
    static const char board[] =
        "V2.2\nP1 *  *  *  * -OU *  *  *  * \nP3 *  *  *  * +FU *  *  *  * \n"
        "P9 *  *  *  * +OU *  *  *  * \nP+00KI\n+\n+0052KI\n-5141OU\nT3\n%ILLEGAL_MOVE\n";
    struct record record = records_read(board, "csa");

    record = taken_out(made(&record));
    cr_assert_not_null(strstr(records_write(&record, "csa"), "-5141OU\nT3\n%ILLEGAL_MOVE\n"));
    cr_assert_not_null(strstr(records_write(&record, "kif"),
                              "   2 ４一玉(51)   ( 0:03/00:00:03)\n   3 反則勝ち\n"));
    cr_assert_null(strstr(records_write(&record, "jkf"), "TSUMI"));
}

Test(record_game, nothing_is_said_of_an_end_of_which_the_file_said_nothing)
{
    comes_back("V2.2\nP1 *  *  *  * -OU *  *  *  * \nP2 *  *  *  *  *  *  *  *  * \n"
               "P3 *  *  *  * +FU *  *  *  * \nP4 *  *  *  *  *  *  *  *  * \n"
               "P5 *  *  *  *  *  *  *  *  * \nP6 *  *  *  *  *  *  *  *  * \n"
               "P7 *  *  *  *  *  *  *  *  * \nP8 *  *  *  *  *  *  *  *  * \n"
               "P9 *  *  *  * +OU *  *  *  * \nP+00KI\n+\n+0052KI\n",
               "csa");
    comes_back(KIF_HEAD "   1 ７六歩(77)\n", "kif");
    comes_back("手合割：平手\n▲７六歩\n", "ki2");
}

Test(record_game, headers_go_out_as_they_were_written)
{
    comes_back("#KIF version=2.0 encoding=UTF-8\n開始日時：2001/12/22(土) 16:15\n"
               "終了日時：2023/01/01 00:00:00\n手合割：平手\n"
               "手数----指手---------消費時間--\n   1 ７六歩(77)\n",
               "kif");
    comes_back("V2.2\n$START_TIME:2001/12/22 16:15\nPI\n+\n+7776FU\n", "csa");
    comes_back("{\"header\":{\"開始日時\":\"2001/12/22(土)\",\"終了日時\":\"いつか\"},\"initial\":"
               "{\"preset\":\"HIRATE\"},\"moves\":[{}]}\n",
               "jkf");
    comes_back("[Date \"2001.??.??\"]\n[Result \"2-0\"]\n[Termination \"normal\"]\n"
               "[GameType \"30\"]\n\n1. a3-a4 2-0\n",
               "pdn");
    comes_back("[Date \"2001.12.22\"]\n[UTCTime \"16:15\"]\n[Result \"*\"]\n[GameType \"30\"]\n\n"
               "1. a3-a4 *\n",
               "pdn");
}

Test(record_game, a_result_that_is_over_is_not_written_as_it_was_read)
{
    struct record record = records_read(
        "[Result \"0-0\"]\n[Termination \"normal\"]\n[GameType \"30\"]\n\n1. a3-a4 0-0\n", "pdn");
    struct draft *draft = made(&record);

    draft_stop(draft, STATUS_FINISHED, 2, "resign", EVENT_RESIGNED, 1);
    record = taken_out(draft);
    cr_assert_str_eq(records_write(&record, "pdn"), "[Result \"0-1\"]\n[Termination \"normal\"]\n"
                                                    "[GameType \"30\"]\n\n1. a3-a4 0-1\n");
}

Test(record_game, marks_of_moves_go_out_by_their_numbers)
{
    static const char text[] = "[Result \"*\"]\n[GameType \"30\"]\n\n"
                               "1. a3-a4 $1 $14 h6-h5 $6 ( 1... g6-g5 $4 ) *\n";
    struct record record = records_read(
        "[Result \"*\"]\n[GameType \"30\"]\n1. a3-a4! $14 h6-h5?! (1... g6-g5?? ) *", "pdn");
    const struct draft *draft = made(&record);

    comes_back(text, "pdn");
    record = taken_out(draft);
    cr_assert_str_eq(records_write(&record, "pdn"), text);
}

Test(record_game, what_a_program_thinks_of_a_position_is_data_too)
{
    static const char csa[] = "V2.2\nPI\n+\n+7776FU\n'** -30 -3334FU\n%CHUDAN\n";
    struct record record = records_read(csa, "csa");
    const struct draft *draft = made(&record);

    comes_back(csa, "csa");
    cr_assert_not_null(strstr(draft->events[1].data, "\"value\":-30"));
}

Test(record_game, a_sentence_that_only_repeats_the_end_stays)
{
    comes_back(KIF_HEAD "   1 ７六歩(77)\n   2 投了\nまで1手で先手の勝ち\n*of the end\n", "kif");
    comes_back(KIF_HEAD "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 中断\nまで2手で中断\n\n変化：2手\n"
                        "   2 ８四歩(83)\n   3 投了\nまで2手で後手の勝ち\n",
               "kif");
    comes_back("手合割：平手\n▲７六歩\nまで、1手で先手の勝ち\n", "ki2");
    comes_back("手合割：平手\n▲７六歩    △３四歩\nまで2手中断\n\n変化：2手\n△８四歩\nまで2手投了\n",
               "ki2");
}

Test(record_game, bookmarks_of_kif_stay_where_they_are)
{
    comes_back(KIF_HEAD "&at the start\n   1 ７六歩(77)\n*so\n&here\n", "kif");
}

#define KIF_ROWS                                                                             \
    "| ・v飛 ・ ・ ・ ・ ・v角 ・|二\n|v歩v歩v歩v歩v歩v歩v歩v歩v歩|三\n" \
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n" \
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n| 歩 歩 歩 歩 歩 歩 歩 歩 歩|七\n" \
    "| ・ 角 ・ ・ ・ ・ ・ 飛 ・|八\n| 香 桂 銀 金 玉 金 銀 桂 香|九\n" \
    "+---------------------------+\n"

Test(record_game, a_board_goes_out_as_it_was_drawn)
{
    static const char moves[] = "手数----指手---------消費時間--\n   1 ７六歩(77)\n";
    static const char head[] = "#KIF version=2.0 encoding=UTF-8\n";

    comes_back(arena_format(&records_arena,
                            "%s後手の持駒：なし\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n"
                            "+---------------------------+\n|v香v桂v銀v金v玉v金v銀v桂v香|一\n%s"
                            "先手の持駒：\n先手番\n先手：Ada\n後手：Mia\n%s",
                            head, KIF_ROWS, moves),
               "kif");
    comes_back(arena_format(&records_arena,
                            "%s手合割：平手\n後手の持駒：なし\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n"
                            "+---------------------------+\n| ・v桂v銀v金v玉v金v銀v桂v香|一\n%s"
                            "先手の持駒：香　\n手数＝6\n%s",
                            head, KIF_ROWS, "手数----指手---------消費時間--\n"),
               "kif");
}

Test(record_game, players_are_called_as_in_the_file)
{
    comes_back("#KIF version=2.0 encoding=UTF-8\n手合割：香落ち\n先手：Ada\n後手：Mia\n"
               "手数----指手---------消費時間--\n   1 ３四歩(33)\n",
               "kif");
    comes_back("#KIF version=2.0 encoding=UTF-8\n手合割：平手\n先手：\n後手：\n"
               "手数----指手---------消費時間--\n   1 ７六歩(77)\n",
               "kif");
}

Test(record_game, a_start_that_the_file_does_not_tell_is_not_told)
{
    comes_back("先手：Ada\n▲７六歩\n", "ki2");
    comes_back("#KIF version=2.0 encoding=UTF-8\n手数----指手---------消費時間--\n"
               "   1 ７六歩(77)\n",
               "kif");
}

Test(record_game, a_line_without_its_log_keeps_the_word_and_the_comment_of_its_end)
{
    struct record record =
        records_read(KIF_HEAD "   1 ７六歩(77)\n   2 中断         ( 0:07/00:00:07)\n*so\n", "kif");
    const char *text;

    record.nevents = 0;
    text = records_write(&record, "json");
    cr_assert_not_null(strstr(text, "\"end_word\":\"中断\",\"end_comment\":\"so\""), "%s", text);
    record = records_read(text, "json");
    cr_assert_str_eq(record.ending.word, "中断");
    cr_assert_str_eq(record.ending.comment, "so");
    text = records_write(&record, "text");
    cr_assert_not_null(strstr(text, "Result: open  (7.000 s)\n      # so\n\n"), "%s", text);
    record = records_read(text, "text");
    cr_assert_str_eq(record.ending.comment, "so");
}

Test(record_game, a_position_of_pdn_goes_out_as_it_was_written)
{
    comes_back("[Result \"*\"]\n[GameType \"30\"]\n[SetUp \"1\"]\n[FEN \"W:Wh3,a3:Ba6,h6\"]\n\n"
               "1. h3-h4 *\n",
               "pdn");
}

/* ---- an end belongs to the move that it stood behind ---- */

/* Takes back to a ply of an imported game that has only its main line, and plays other moves. */
static void play_instead(struct draft *draft, const struct record *record, int32_t ply,
                         const char *moves)
{
    struct rules_refusal why;
    int32_t from;

    cr_assert(draft_go_to(draft, &record->options, ply, ply == 0 ? NULL : &draft->events[ply]));
    draft->nkeys = (size_t)ply + 1;
    draft_event(draft, EVENT_UNDO, 0);
    for (char *move = strtok(arena_copy(&records_arena, moves, strlen(moves)), " "); move != NULL;
         move = strtok(NULL, " "))
        cr_assert_eq(draft_play(draft, move, &why, &from), DRAFT_PLAYED, "%s", move);
}

/* What is exported of a game of two moves, after other moves were played behind the first one. */
static const char *after_other_moves(const char *end, const char *moves)
{
    struct record record = records_read(
        arena_format(&records_arena, KIF_HEAD "   1 ７六歩(77)\n   2 ３四歩(33)\n%s", end), "kif");
    struct draft *draft = made(&record);

    play_instead(draft, &record, 1, moves);
    record = taken_out(draft);
    return records_write(&record, "kif") + strlen(KIF_HEAD);
}

Test(record_game, an_end_stays_with_its_move_when_others_are_played_to_the_same_ply)
{
    static const char end[] = "   3 中断         ( 0:07/00:00:07)\n*of the end\n";

    cr_assert_str_eq(after_other_moves(end, "8c8d"),
                     arena_format(&records_arena,
                                  "   1 ７六歩(77)\n   2 ８四歩(83)   ( 0:00/00:00:00)\n\n"
                                  "変化：2手\n   2 ３四歩(33)\n%s",
                                  end));
    cr_assert_str_eq(after_other_moves(end, "3c3d"),
                     arena_format(&records_arena,
                                  "   1 ７六歩(77)\n   2 ３四歩(33)   ( 0:00/00:00:00)\n%s", end),
                     "the same move leads to the same place");
}

Test(record_game, an_end_from_which_a_game_goes_on_stays_if_something_was_written_there)
{
    cr_assert_str_eq(after_other_moves("   3 中断\n*lunch\n", "3c3d 2g2f"),
                     "   1 ７六歩(77)\n   2 ３四歩(33)   ( 0:00/00:00:00)\n"
                     "   3 ２六歩(27)   ( 0:00/00:00:00)\n\n変化：3手\n   3 中断\n*lunch\n");
    cr_assert_str_eq(after_other_moves("   3 中断\n", "3c3d 2g2f"),
                     "   1 ７六歩(77)\n   2 ３四歩(33)   ( 0:00/00:00:00)\n"
                     "   3 ２六歩(27)   ( 0:00/00:00:00)\n");
}

Test(record_game, an_end_in_a_log_of_an_older_program_is_matched_by_its_ply)
{
    struct record record =
        records_read(KIF_HEAD "   1 ７六歩(77)\n   2 中断\n*of the end\n", "kif");
    struct draft *draft = made(&record);

    draft->events[0].data =
        "{\"record\":{\"format\":\"kif\",\"end\":{\"ply\":1,\"word\":\"中断\"}}}";
    record = taken_out(draft);
    cr_assert_str_eq(record.ending.word, "中断");
}
