/* test_jungle_end.c - Jungle, rule by rule: how a game ends, its texts, and counts of moves. */
#include <criterion/criterion.h>

#include "rules/rules.h"
#include "scene.h"

#define GAME         rules_find("jungle")
#define START        "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L r 0 1"
#define LENGTH(list) (sizeof(list) / sizeof((list)[0]))

static struct scene scene;

static void open_position(const char *position)
{
    scene_open(&scene, GAME, "", position);
}

static void expect_refused(const char *position, const char *move, enum rules_code code,
                           const char *law)
{
    open_position(position);
    scene_refuses(&scene, move, code, law);
}

static void expect_outcome(const char *options, const char *position, const char *moves,
                           const char *outcome)
{
    scene_open(&scene, GAME, options, position);
    scene_play(&scene, moves);
    cr_expect_str_eq(scene_outcome(&scene), outcome, "%s then %s: %s instead of %s", position,
                     moves, scene_outcome(&scene), outcome);
}

/* ---- J26 to J33: the end ---- */

Test(jungle, j26_a_piece_in_the_enemy_den_wins)
{
    expect_outcome("", "c6/3R3/7/7/7/7/7/7/7 r", "d8d9", "1:den");
    expect_outcome("", "7/7/7/7/7/7/7/3c3/6L b", "d2d1", "2:den");
}

Test(jungle, j27_a_side_without_pieces_loses)
{
    expect_outcome("", "7/7/7/7/3c3/3W3/7/7/7 r", "d4d5", "1:no_pieces");
    expect_outcome("", "7/7/7/7/3c3/3C3/7/7/7 b", "d5d4", "2:no_pieces");
}

Test(jungle, j28_a_side_that_cannot_move_loses)
{
    expect_outcome("", "c1D4/W6/7/7/7/7/7/7/7 r", "c9b9", "1:blocked");
    expect_outcome("", "c1D4/W6/7/7/7/7/7/7/7 r", "c9c8", "ongoing");
}

Test(jungle, j28_after_the_end_by_a_block_nothing_is_played)
{
    expect_refused("cD5/W6/7/7/7/7/7/7/7 b", "a9a8", RULES_GAME_OVER, "jungle.blocked");
}

Test(jungle, j29_in_a_decided_position_nothing_is_played)
{
    expect_refused("3R3/7/7/7/7/7/7/7/c6 b", "a1a2", RULES_GAME_OVER, "jungle.den");
    expect_refused("7/7/7/7/7/7/7/7/C6 r", "a1a2", RULES_GAME_OVER, "jungle.no-pieces");
    cr_expect_eq(GAME->count(&scene.state), 0);
}

Test(jungle, j30_after_100_rounds_without_a_capture_the_game_is_drawn)
{
    expect_outcome("", "c6/7/7/7/7/7/7/7/C6 r 198 100", "a1a2", "ongoing");
    expect_outcome("", "c6/7/7/7/7/7/7/7/C6 r 198 100", "a1a2 a9a8", "draw:no_capture");
}

Test(jungle, j30_the_number_of_rounds_can_be_chosen_or_none)
{
    expect_outcome("draw_rounds=1", START, "a3a4", "ongoing");
    expect_outcome("draw_rounds=1", START, "a3a4 a7a6", "draw:no_capture");
    expect_outcome("draw_rounds=0", "c6/7/7/7/7/7/7/7/C6 r 5000 1", "a1a2", "ongoing");
}

Test(jungle, j30_a_capture_starts_the_count_anew)
{
    scene_open(&scene, GAME, "", "d6/7/7/7/3c3/3W3/7/7/7 r 199 1");
    scene_play(&scene, "d4d5");
    cr_expect_str_eq(scene_outcome(&scene), "ongoing");
    cr_expect_str_eq(scene_position(&scene), "d6/7/7/7/3W3/7/7/7/7 b 0 1");
}

Test(jungle, j31_repetition_is_off_by_default)
{
    static const char *const round = "a3a4 a7a6 a4a3 a6a7";

    scene_open(&scene, GAME, "", NULL);
    for (int i = 0; i < 5; i++)
        scene_play(&scene, round);
    cr_expect_str_eq(scene_outcome(&scene), "ongoing");
    cr_expect_eq(GAME->span(&scene.state), 0);
}

Test(jungle, j31_the_third_occurrence_of_a_position_draws)
{
    expect_outcome("repetition=3", START, "a3a4 a7a6 a4a3 a6a7", "ongoing");
    expect_outcome("repetition=3", START, "a3a4 a7a6 a4a3 a6a7 a3a4 a7a6 a4a3", "ongoing");
    expect_outcome("repetition=3", START, "a3a4 a7a6 a4a3 a6a7 a3a4 a7a6 a4a3 a6a7",
                   "draw:repetition");
}

Test(jungle, j31_the_side_to_move_belongs_to_the_position)
{
    uint64_t red;

    open_position("c6/7/7/7/7/7/7/7/C6 r");
    red = GAME->key(&scene.state);
    open_position("c6/7/7/7/7/7/7/7/C6 b");
    cr_expect_neq(GAME->key(&scene.state), red);
    open_position("c6/7/7/7/7/7/7/7/C6 r 7 9");
    cr_expect_eq(GAME->key(&scene.state), red);
}

/* Red's rat counts both as a rat and as a man of Red's. In the key the two must not cancel out. */
Test(jungle, j31_a_captured_rat_makes_another_position)
{
    uint64_t with_rat;

    open_position("1E5/7/1Rr4/7/7/7/7/7/7 r");
    with_rat = GAME->key(&scene.state);
    open_position("1E5/7/1r5/7/7/7/7/7/7 r");
    cr_expect_neq(GAME->key(&scene.state), with_rat);
}

Test(jungle, j31_the_span_ends_at_the_last_capture)
{
    scene_open(&scene, GAME, "repetition=3", "d6/7/7/7/3c3/3W3/7/7/7 r 12 9");
    cr_expect_eq(GAME->span(&scene.state), 12);
    scene_play(&scene, "d4d5");
    cr_expect_eq(GAME->span(&scene.state), 0);
}

Test(jungle, j33_the_den_comes_before_having_no_pieces)
{
    expect_outcome("", "3R3/7/7/7/7/7/7/7/7 b", "", "1:den");
}

Test(jungle, j33_a_win_comes_before_a_draw)
{
    expect_outcome("", "c6/3R3/7/7/7/7/7/7/7 r 199 100", "d8d9", "1:den");
    expect_outcome("", "c1D4/W6/7/7/7/7/7/7/7 r 199 100", "c9b9", "1:blocked");
}

Test(jungle, j33_repetition_comes_before_the_count_of_rounds)
{
    expect_outcome("repetition=2 draw_rounds=2", START, "a3a4 a7a6 a4a3 a6a7", "draw:repetition");
}

/* ---- J34: notation ---- */

Test(jungle, j34_a_move_is_its_two_squares)
{
    rules_move move;
    char text[RULES_MOVE_TEXT];

    open_position("c6/7/7/7/7/7/1L5/7/7 r");
    cr_assert(GAME->read_move(&scene.state, "b3b7", &move, &scene.why));
    GAME->move_text(&scene.state, move, text);
    cr_expect_str_eq(text, "b3b7");
}

Test(jungle, j34_other_texts_are_no_moves)
{
    static const char *const texts[] = {"",     "a3",     "A3A4",  "a3--a4", "a3a",    "33",
                                        "3a4a", "a3a4a5", "Ea3a4", "a3a4+",  "a3-a4-", "a03a4"};

    for (size_t i = 0; i < LENGTH(texts); i++)
        expect_refused(START, texts[i], RULES_BAD_MOVE_TEXT, "jungle.notation");
    expect_refused(START, "a3-!a4", RULES_BAD_MOVE_TEXT, "jungle.notation");
    cr_expect_eq(scene.why.at, 3);
}

Test(jungle, j34_a_sign_or_blanks_between_the_squares_do_not_matter)
{
    static const char *const texts[] = {"a3-a4", "a3xa4", "a3:a4", "a3 a4", " a3a4\n", "a3 - a4"};

    open_position(START);
    for (size_t i = 0; i < LENGTH(texts); i++)
        scene_reads(&scene, texts[i], "a3a4");
}

Test(jungle, j34_a_position_is_written_as_it_is_read)
{
    static const char *const texts[] = {START, "3R3/7/7/1r5/7/7/7/7/c6 b 17 42",
                                        "l5t/7/7/7/7/7/7/7/7 b 0 1"};

    for (size_t i = 0; i < LENGTH(texts); i++) {
        open_position(texts[i]);
        cr_expect_str_eq(scene_position(&scene), texts[i]);
    }
}

Test(jungle, j34_the_counters_may_be_left_out)
{
    open_position("l6/7/7/7/7/7/7/7/L6 b");
    cr_expect_str_eq(scene_position(&scene), "l6/7/7/7/7/7/7/7/L6 b 0 1");
}

Test(jungle, j34_the_round_goes_up_after_blues_move)
{
    scene_open(&scene, GAME, "", NULL);
    scene_play(&scene, "a3a4");
    cr_expect_str_eq(scene_position(&scene), "l5t/1d3c1/r1p1w1e/7/7/E6/2W1P1R/1C3D1/T5L b 1 1");
    scene_play(&scene, "a7a6");
    cr_expect_str_eq(scene_position(&scene), "l5t/1d3c1/2p1w1e/r6/7/E6/2W1P1R/1C3D1/T5L r 2 2");
}

/* ---- the interface ---- */

Test(jungle, a_move_has_two_clicks)
{
    char click[RULES_PATH_MAX][RULES_SQUARE_TEXT];
    rules_move move;

    open_position(START);
    cr_assert(GAME->read_move(&scene.state, "a3a4", &move, &scene.why));
    cr_assert_eq(GAME->path(&scene.state, move, click), 2);
    cr_expect_str_eq(click[0], "a3");
    cr_expect_str_eq(click[1], "a4");
}

Test(jungle, a_capture_is_a_second_effect)
{
    struct rules_effect effect[RULES_EFFECTS_MAX];
    rules_move move;

    open_position("7/7/7/7/3c3/3W3/7/7/7 r");
    cr_assert(GAME->read_move(&scene.state, "d4d3", &move, &scene.why));
    cr_expect_eq(GAME->effects(&scene.state, move, effect), 1);
    cr_assert(GAME->read_move(&scene.state, "d4d5", &move, &scene.why));
    cr_assert_eq(GAME->effects(&scene.state, move, effect), 2);
    cr_expect_eq(effect[0].type, RULES_EFFECT_MOVE);
    cr_expect_eq(effect[0].from, 5 * 7 + 3);
    cr_expect_eq(effect[0].to, 4 * 7 + 3);
    cr_expect_eq(effect[1].type, RULES_EFFECT_CAPTURE);
    cr_expect_eq(effect[1].man.seat, 2);
}

/* ---- J35: perft ---- */

Test(jungle, j35_perft)
{
    static const uint64_t nodes[] = {24, 576, 12240, 260099, 5111620, 0};

    scene_perft(GAME, "", NULL, nodes);
}

Test(jungle, j35_no_option_but_own_traps_matters_near_the_start)
{
    static const uint64_t nodes[] = {24, 576, 12240, 260099, 0};

    scene_perft(GAME, "jump_block=enemy rat_shore=same trapped_attack=normal", NULL, nodes);
}

Test(jungle, j35_the_ends_by_counting_are_no_part_of_perft)
{
    static const uint64_t nodes[] = {24, 576, 12240, 260099, 0};

    scene_perft(GAME, "draw_rounds=1 repetition=2", NULL, nodes);
}
