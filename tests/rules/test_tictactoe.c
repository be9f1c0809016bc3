/* test_tictactoe.c - tic-tac-toe on boards of any size, rule by rule. */
#include <criterion/criterion.h>
#include <string.h>

#include "rules/rules.h"
#include "scene.h"

#define GAME rules_find("tictactoe")

static struct scene scene;

static void open(const char *options)
{
    scene_open(&scene, GAME, options, NULL);
}

static void open_position(const char *position)
{
    scene_open(&scene, GAME, "", position);
}

/* Expects that a start is refused with this law. Returns the refusal. */
static const struct rules_refusal *expect_no_start(const char *options, const char *position,
                                                   enum rules_code code, const char *law)
{
    cr_assert_not(scene_starts(&scene, GAME, options, position), "%s starts",
                  position == NULL ? options : position);
    cr_expect_eq(scene.why.code, code, "%s", rules_code_text(scene.why.code));
    cr_expect_str_eq(scene.why.law == NULL ? "none" : scene.why.law->id, law);
    return &scene.why;
}

/* ---- rule 1: options ---- */

Test(tictactoe, rule_1_the_board_is_3_by_3_with_3_in_a_row_unless_said_otherwise)
{
    open("");
    cr_expect_str_eq(scene_position(&scene), "3/3/3 x 3");
}

Test(tictactoe, rule_1_rows_columns_and_k_can_be_chosen)
{
    open("rows=2 cols=4 k=3");
    cr_expect_str_eq(scene_position(&scene), "4/4 x 3");
}

Test(tictactoe, rule_1_a_board_has_26_rows_and_columns_at_most)
{
    struct rules_options options;

    open("rows=26 cols=26 k=26");
    cr_expect_eq(GAME->count(&scene.state), 676);
    rules_options_init(&options);
    cr_expect_not(rules_option_set(GAME, &options, "rows", "27", &scene.why));
    cr_expect_not(rules_option_set(GAME, &options, "cols", "0", &scene.why));
    cr_expect_eq(scene.why.code, RULES_BAD_OPTION);
    cr_expect_str_eq(scene.why.option, "cols");
}

Test(tictactoe, rule_1_k_may_exceed_one_side_but_not_both)
{
    const struct rules_refusal *why;

    open("rows=3 cols=5 k=5");
    why = expect_no_start("rows=3 cols=5 k=6", NULL, RULES_BAD_OPTION, "tictactoe.k");
    cr_expect_str_eq(why->option, "k");
    cr_expect_eq(why->yours, 6);
    cr_expect_eq(why->required, 5);
}

Test(tictactoe, rule_1_with_k_above_one_side_lines_along_the_other_still_win)
{
    open_position("xxxx1/oooo1/5 x 5");
    scene_play(&scene, "e3");
    cr_expect_str_eq(scene_outcome(&scene), "1:line");
}

/* ---- rules 2 and 3: squares and moves ---- */

Test(tictactoe, rule_2_a1_is_at_the_bottom_left)
{
    open("rows=4 cols=3");
    scene_play(&scene, "a1 c4");
    cr_expect_str_eq(scene_position(&scene), "2o/3/3/x2 x 3");
}

Test(tictactoe, rule_3_two_numbers_are_row_and_column_from_the_top_left)
{
    rules_move move;
    char text[RULES_MOVE_TEXT];

    open("rows=4 cols=3");
    cr_assert(GAME->read_move(&scene.state, " 1 \t 3  ", &move, &scene.why));
    GAME->move_text(&scene.state, move, text);
    cr_expect_str_eq(text, "c4");
}

Test(tictactoe, rule_3_a_square_may_stand_between_blanks)
{
    rules_move move;

    open("");
    cr_expect(GAME->read_move(&scene.state, " b2\t", &move, &scene.why));
}

Test(tictactoe, rule_3_row_and_column_may_have_a_comma_between_them)
{
    open("");
    scene_reads(&scene, "2,3", "c2");
    scene_reads(&scene, "2 , 3\n", "c2");
}

Test(tictactoe, rule_3_other_texts_are_no_moves)
{
    static const char *const texts[] = {"",     " ",    "b",    "2",    "B2",    "b02",
                                        "02 3", "2 03", "+2 3", "2 -3", "b2 c3", "2 3 1",
                                        "b2b",  "b 2",  "2,,3", "x"};

    open("");
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        scene_refuses(&scene, texts[i], RULES_BAD_MOVE_TEXT, "tictactoe.input");
}

Test(tictactoe, rule_3_a_refused_text_says_where_reading_stopped)
{
    open("");
    scene_refuses(&scene, "b2 c3", RULES_BAD_MOVE_TEXT, "tictactoe.input");
    cr_expect_eq(scene.why.at, 3);
}

/* ---- rules 4 and 5: turns and stones ---- */

Test(tictactoe, rule_4_x_begins_and_the_sides_take_turns)
{
    open("");
    cr_expect_eq(GAME->to_move(&scene.state), 1);
    scene_play(&scene, "b2");
    cr_expect_eq(GAME->to_move(&scene.state), 2);
    scene_play(&scene, "a1");
    cr_expect_str_eq(scene_position(&scene), "3/1x1/o2 x 3");
}

Test(tictactoe, rule_5_a_taken_square_is_refused_with_its_stone)
{
    open_position("3/1x1/3 o 3");
    scene_refuses(&scene, "b2", RULES_OCCUPIED, "tictactoe.on-empty");
    scene_witness(&scene, 0, RULES_ROLE_TO, "b2");
    cr_expect_eq(scene.why.witness[0].man.seat, 1);
}

Test(tictactoe, rule_5_a_square_off_the_board_is_refused)
{
    static const char *const texts[] = {"d1",  "a4",  "z9",  "a0",          "4 1",
                                        "1 4", "0 1", "1 0", "a4294967295", "4294967295 1"};

    open("");
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        scene_refuses(&scene, texts[i], RULES_OUT_OF_BOARD, "tictactoe.on-board");
}

/* ---- rules 6 to 8: the end ---- */

/* Plays one move and expects an outcome. */
static void expect_outcome(const char *position, const char *move, const char *outcome)
{
    open_position(position);
    scene_play(&scene, move);
    cr_expect_str_eq(scene_outcome(&scene), outcome, "%s then %s: %s instead of %s", position, move,
                     scene_outcome(&scene), outcome);
}

Test(tictactoe, rule_6_rows_columns_and_both_diagonals_win)
{
    expect_outcome("xx1/oo1/3 x 3", "c3", "1:line");
    expect_outcome("xo1/xo1/3 x 3", "a1", "1:line");
    expect_outcome("x1o/1xo/3 x 3", "c1", "1:line");
    expect_outcome("o1x/ox1/3 x 3", "a1", "1:line");
}

Test(tictactoe, rule_6_the_second_side_wins_too)
{
    expect_outcome("xx1/oo1/x2 o 3", "c2", "2:line");
}

Test(tictactoe, rule_6_a_line_may_be_anywhere_on_a_large_board)
{
    expect_outcome("5/1xx2/1oo2/5/5 x 3", "d4", "1:line");
    expect_outcome("5/3x1/2x2/5/oo3 x 3", "b2", "1:line");
    expect_outcome("26/26/20x5/oo19x4/4x21 o 3", "c2", "2:line");
}

Test(tictactoe, rule_6_a_line_may_be_closed_in_its_middle)
{
    expect_outcome("x1x/o1o/3 x 3", "b3", "1:line");
}

Test(tictactoe, rule_6_longer_lines_count)
{
    expect_outcome("xx1xx/oo1oo x 3", "c2", "1:line");
}

Test(tictactoe, rule_6_shorter_lines_do_not_count)
{
    expect_outcome("xxx1/ooo1/4/4 x 4", "a2", "ongoing");
}

Test(tictactoe, rule_6_a_line_has_no_gap)
{
    expect_outcome("xx2/oo2/4 x 3", "d3", "ongoing");
}

Test(tictactoe, rule_6_lines_do_not_wrap_round_the_edge)
{
    expect_outcome("2xx/4/oo2/4 x 3", "a3", "ongoing");
    expect_outcome("2x1/3x/oo2/4 x 3", "a1", "ongoing");
    expect_outcome("1x2/x3/oo2/4 x 3", "d3", "ongoing");
}

Test(tictactoe, rule_6_a_last_stone_that_closes_a_line_wins)
{
    expect_outcome("xox/oxo/ox1 x 3", "c1", "1:line");
}

Test(tictactoe, rule_7_a_full_board_without_a_line_is_drawn)
{
    expect_outcome("xox/xoo/ox1 x 3", "c1", "draw:full");
}

Test(tictactoe, rule_7_there_is_no_draw_before_the_board_is_full)
{
    expect_outcome("xox/xoo/1x1 o 3", "a1", "ongoing");
}

Test(tictactoe, rule_8_after_a_line_nobody_moves)
{
    open_position("xxx/oo1/3 o 3");
    cr_expect_eq(GAME->count(&scene.state), 0);
    scene_refuses(&scene, "c2", RULES_GAME_OVER, "tictactoe.over");
}

Test(tictactoe, rule_8_on_a_full_board_nobody_moves)
{
    open_position("xox/xoo/oxx o 3");
    scene_refuses(&scene, "a1", RULES_GAME_OVER, "tictactoe.over");
}

Test(tictactoe, rule_8_with_k_1_the_first_stone_wins)
{
    open("k=1");
    scene_play(&scene, "b3");
    cr_expect_str_eq(scene_outcome(&scene), "1:line");
}

/* ---- rule 9: positions ---- */

Test(tictactoe, rule_9_a_position_is_written_as_it_is_read)
{
    static const char *const texts[] = {"3/3/3 x 3",     "xo1/1x1/3 o 3", "x1 o 2",
                                        "26/12x13 o 10", "1/x/1 o 3",     "xxx/oo1/3 o 3"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        open_position(texts[i]);
        cr_expect_str_eq(scene_position(&scene), texts[i]);
    }
}

Test(tictactoe, rule_9_stars_and_hashes_are_read_and_never_written)
{
    open_position("*#*/3/2# * 3");
    cr_expect_str_eq(scene_position(&scene), "xox/3/2o x 3");
    open_position("*2/3/3 # 3");
    cr_expect_str_eq(scene_position(&scene), "x2/3/3 o 3");
}

Test(tictactoe, rule_9_a_position_decides_rows_columns_and_k)
{
    scene_open(&scene, GAME, "k=4", "5/5/5/5 x 4");
    cr_expect_eq(scene.options.value[0], 4);
    cr_expect_eq(scene.options.value[1], 5);
    cr_expect_eq(scene.options.value[2], 4);
}

Test(tictactoe, rule_9_an_option_that_contradicts_the_position_is_refused_by_name)
{
    static const char *const given[] = {"rows=3", "cols=3", "k=3"};
    static const char *const names[] = {"rows", "cols", "k"};

    for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
        expect_no_start(given[i], "5/5/5/5 x 4", RULES_BAD_OPTION, "tictactoe.contradiction");
        cr_expect_str_eq(scene.why.option, names[i]);
    }
}

static void expect_bad_position(const char *position, const char *law)
{
    expect_no_start("", position, RULES_BAD_POSITION, law);
}

Test(tictactoe, rule_9_texts_that_are_not_positions_are_refused)
{
    static const char *const texts[] = {
        "",           " ",          "3/3/3",       "3/3/3 x",     "3/3/3 x ",
        "3/3/3 z 3",  "3/3/3  x 3", "3/3/3 x 3 ",  "/3/3 x 3",    "3/3/ x 3",
        "3/3/3/ x 3", "03/3/3 x 3", "x02/3/3 o 3", "30/3/3 x 3q", "3/3/a2 x 3",
        "3/3/3 x 03"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        expect_bad_position(texts[i], i == 13 ? "tictactoe.size" : "tictactoe.position");
}

Test(tictactoe, rule_9_the_refusal_says_where_reading_stopped)
{
    expect_bad_position("3/x?1/3 x 3", "tictactoe.position");
    cr_expect_eq(scene.why.at, 3);
}

Test(tictactoe, rule_9_ragged_rows_are_refused)
{
    expect_bad_position("3/2/3 x 3", "tictactoe.ragged");
    expect_bad_position("3/3/xo2 x 3", "tictactoe.ragged");
}

Test(tictactoe, rule_9_more_than_26_rows_or_columns_are_refused)
{
    expect_bad_position("27 x 3", "tictactoe.size");
    expect_bad_position("26x o 3", "tictactoe.size");
    expect_bad_position("4294967295 x 3", "tictactoe.size");
    expect_bad_position("1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1 x 3",
                        "tictactoe.size");
}

Test(tictactoe, rule_9_a_k_that_nobody_can_reach_is_refused)
{
    expect_bad_position("3/3/3 x 0", "tictactoe.k");
    expect_bad_position("3/3/3 x 4", "tictactoe.k");
    open_position("5/5/5 x 5");
}

Test(tictactoe, rule_9_impossible_numbers_of_stones_are_refused)
{
    expect_bad_position("xx1/3/3 x 3", "tictactoe.stones");
    expect_bad_position("xo1/3/3 o 3", "tictactoe.stones");
    expect_bad_position("o2/3/3 x 3", "tictactoe.stones");
}

Test(tictactoe, rule_9_a_side_to_move_that_owns_a_line_is_refused)
{
    expect_bad_position("xxx/oo1/o2 x 3", "tictactoe.line-to-move");
    expect_bad_position("xxx/ooo/3 x 3", "tictactoe.line-to-move");
}

/* ---- the interface ---- */

Test(tictactoe, a_move_puts_a_stone_of_the_side_to_move)
{
    struct rules_effect effect[RULES_EFFECTS_MAX];
    char click[RULES_PATH_MAX][RULES_SQUARE_TEXT];
    rules_move move;

    open_position("x2/3/3 o 3");
    cr_assert(GAME->read_move(&scene.state, "1 3", &move, &scene.why));
    cr_assert_eq(GAME->effects(&scene.state, move, effect), 1);
    cr_expect_eq(effect[0].type, RULES_EFFECT_PLACE);
    cr_expect_eq(effect[0].to, 2);
    cr_expect_eq(effect[0].man.seat, 2);
    cr_assert_eq(GAME->path(&scene.state, move, click), 1);
    cr_expect_str_eq(click[0], "c3");
}

Test(tictactoe, a_small_board_is_a_small_state)
{
    open("");
    cr_expect_leq(scene.state.bytes, 64);
    open("rows=26 cols=26");
    cr_expect_leq(scene.state.bytes, 256);
}

/* ---- perft ---- */

Test(tictactoe, perft)
{
    static const struct {
        const char *options;
        uint64_t nodes[10];
    } rows[] = {
        {"", {9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872}},
        {"k=2", {9, 72, 504, 1344, 2720}},
        {"k=1", {9}},
        {"rows=2 cols=2 k=2", {4, 12, 24}},
        {"cols=4", {12, 132, 1320, 11880, 95040, 622944, 3499200, 14031360}},
        {"rows=4", {12, 132, 1320, 11880, 95040, 622944, 3499200, 14031360}},
        {"cols=5", {15, 210, 2730, 32760, 360360, 3445200}},
        {"rows=5", {15, 210, 2730, 32760, 360360, 3445200}},
        {"rows=4 cols=4", {16, 240, 3360, 43680, 524160, 5518656}},
        {"rows=4 cols=4 k=4", {16, 240, 3360, 43680, 524160, 5765760}},
        {"rows=5 cols=5 k=4", {25, 600, 13800, 303600, 6375600}},
        {"rows=5 cols=5 k=5", {25, 600, 13800, 303600, 6375600}},
        {"rows=6 cols=7 k=4", {42, 1722, 68880, 2686320}},
        {"rows=1 cols=9", {9, 72, 504, 3024, 15120, 55440, 153360}},
        {"rows=9 cols=1", {9, 72, 504, 3024, 15120, 55440, 153360}},
        {"rows=15 cols=15 k=5", {225, 50400, 11239200}},
        {"rows=19 cols=19 k=5", {361, 129960, 46655640}},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        scene_perft(GAME, rows[i].options, NULL, rows[i].nodes);
}

Test(tictactoe, perft_has_no_moves_after_the_end)
{
    rules_move scratch[64];

    open("k=1");
    cr_expect_eq(rules_perft(GAME, &scene.state, 2, scratch, 64), 0);
    open("rows=2 cols=2 k=2");
    cr_expect_eq(rules_perft(GAME, &scene.state, 4, scratch, 64), 0);
}
