/* test_tictactoe.c - tic-tac-toe on boards of any size, rule by rule. */
#include <criterion/criterion.h>

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

/* ---- rule 1: options ---- */

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

/* ---- rules 2 to 5: squares, moves, turns and stones ---- */

static const struct scene_row meanings[] = {
    {"3 two numbers are row and column from the top left", "rows=4 cols=3", NULL, " 1 \t 3  ",
     "c4"},
    {"3 a square may stand between blanks", "", NULL, " b2\t", "b2"},
    {"3 row and column may have a comma between them", "", NULL, "2,3", "c2"},
    {"3 a comma may stand between blanks", "", NULL, "2 , 3\n", "c2"},
    {"3 a refused text says where reading stopped", "", NULL, "b2 c3",
     "bad-move-text 3 input at 3"},
    {"5 a taken square is refused with its stone", "", "3/1x1/3 o 3", "b2",
     "occupied 5 on-empty: to b2X"},
    {"8 after a line nobody moves", "", "xxx/oo1/3 o 3", "c2", "game-over 8 over"},
    {"8 on a full board nobody moves", "", "xox/xoo/oxx o 3", "a1", "game-over 8 over"},
};

Test(tictactoe, a_text_is_read_as_its_move_or_refused_with_the_rule_that_it_breaks)
{
    SCENE_TABLE(GAME, scene_read, meanings);
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

Test(tictactoe, rule_4_x_begins_and_the_sides_take_turns)
{
    open("");
    cr_expect_eq(GAME->to_move(&scene.state), 1);
    scene_play(&scene, "b2");
    cr_expect_eq(GAME->to_move(&scene.state), 2);
    scene_play(&scene, "a1");
    cr_expect_str_eq(scene_position(&scene), "3/1x1/o2 x 3");
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

static const struct scene_row ends[] = {
    {"1 with k above one side lines along the other still win", "", "xxxx1/oooo1/5 x 5", "e3",
     "1:line"},
    {"6 rows win", "", "xx1/oo1/3 x 3", "c3", "1:line"},
    {"6 columns win", "", "xo1/xo1/3 x 3", "a1", "1:line"},
    {"6 diagonals down win", "", "x1o/1xo/3 x 3", "c1", "1:line"},
    {"6 diagonals up win", "", "o1x/ox1/3 x 3", "a1", "1:line"},
    {"6 the second side wins, too", "", "xx1/oo1/x2 o 3", "c2", "2:line"},
    {"6 a diagonal down may be anywhere on a large board", "", "5/1xx2/1oo2/5/5 x 3", "d4",
     "1:line"},
    {"6 a diagonal up may be anywhere on a large board", "", "5/3x1/2x2/5/oo3 x 3", "b2", "1:line"},
    {"6 a row may be anywhere on a large board", "", "26/26/20x5/oo19x4/4x21 o 3", "c2", "2:line"},
    {"6 a line may be closed in its middle", "", "x1x/o1o/3 x 3", "b3", "1:line"},
    {"6 longer lines count", "", "xx1xx/oo1oo x 3", "c2", "1:line"},
    {"6 shorter lines do not count", "", "xxx1/ooo1/4/4 x 4", "a2", "ongoing"},
    {"6 a line has no gap", "", "xx2/oo2/4 x 3", "d3", "ongoing"},
    {"6 rows do not wrap round the edge", "", "2xx/4/oo2/4 x 3", "a3", "ongoing"},
    {"6 diagonals down do not wrap round the edge", "", "2x1/3x/oo2/4 x 3", "a1", "ongoing"},
    {"6 diagonals up do not wrap round the edge", "", "1x2/x3/oo2/4 x 3", "d3", "ongoing"},
    {"6 a last stone that closes a line wins", "", "xox/oxo/ox1 x 3", "c1", "1:line"},
    {"7 a full board without a line is drawn", "", "xox/xoo/ox1 x 3", "c1", "draw:full"},
    {"7 there is no draw before the board is full", "", "xox/xoo/1x1 o 3", "a1", "ongoing"},
    {"8 with k 1 the first stone wins", "k=1", NULL, "b3", "1:line"},
};

Test(tictactoe, the_game_ends_when_the_rules_say_so)
{
    SCENE_TABLE(GAME, scene_end, ends);
}

Test(tictactoe, rule_8_after_a_line_there_are_no_moves)
{
    open_position("xxx/oo1/3 o 3");
    cr_expect_str_eq(scene_moves(&scene, ""), "");
}

/* ---- rule 9: positions ---- */

static const struct scene_row positions[] = {
    {"1 the board is 3 by 3 with 3 in a row unless said otherwise", "", NULL, "", "3/3/3 x 3"},
    {"1 rows, columns and k can be chosen", "rows=2 cols=4 k=3", NULL, "", "4/4 x 3"},
    {"1 k may exceed one side", "rows=3 cols=5 k=5", NULL, "", "5/5/5 x 5"},
    {"1 k may not exceed both sides", "rows=3 cols=5 k=6", NULL, "",
     "bad-option 1 k option k 6 of 5"},
    {"2 a1 is at the bottom left", "rows=4 cols=3", NULL, "a1 c4", "2o/3/3/x2 x 3"},
    {"9 the start is written as it is read", "", "3/3/3 x 3", "", "3/3/3 x 3"},
    {"9 stones are written as they are read", "", "xo1/1x1/3 o 3", "", "xo1/1x1/3 o 3"},
    {"9 one row is written as it is read", "", "x1 o 2", "", "x1 o 2"},
    {"9 wide rows are written as they are read", "", "26/12x13 o 10", "", "26/12x13 o 10"},
    {"9 one column is written as it is read", "", "1/x/1 o 3", "", "1/x/1 o 3"},
    {"9 a line is written as it is read", "", "xxx/oo1/3 o 3", "", "xxx/oo1/3 o 3"},
    {"9 stars and hashes are read and never written", "", "*#*/3/2# * 3", "", "xox/3/2o x 3"},
    {"9 a hash is to move", "", "*2/3/3 # 3", "", "x2/3/3 o 3"},
    {"9 a row count that contradicts the position is refused by name", "rows=3", "5/5/5/5 x 4", "",
     "bad-option 9 contradiction option rows 3 of 4"},
    {"9 a column count that contradicts the position is refused by name", "cols=3", "5/5/5/5 x 4",
     "", "bad-option 9 contradiction option cols 3 of 5"},
    {"9 a k that contradicts the position is refused by name", "k=3", "5/5/5/5 x 4", "",
     "bad-option 9 contradiction option k 3 of 4"},
    {"9 the refusal says where reading stopped", "", "3/x?1/3 x 3", "",
     "bad-position 9 position at 3"},
    {"9 a row that is too short is refused", "", "3/2/3 x 3", "", "bad-position 9 ragged at 3"},
    {"9 a row that is too long is refused", "", "3/3/xo2 x 3", "", "bad-position 9 ragged at 7"},
    {"9 more than 26 empty columns are refused", "", "27 x 3", "", "bad-position 1 size at 2"},
    {"9 more than 26 columns are refused", "", "26x o 3", "", "bad-position 1 size at 3"},
    {"9 billions of columns are refused", "", "4294967295 x 3", "", "bad-position 1 size at 10"},
    {"9 too many columns are refused before what follows is read", "", "30/3/3 x 3q", "",
     "bad-position 1 size at 2"},
    {"9 more than 26 rows are refused", "",
     "1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1 x 3", "", "bad-position 1 size at 51"},
    {"9 a k of 0 is refused", "", "3/3/3 x 0", "", "bad-position 1 k at 9"},
    {"9 a k that nobody can reach is refused", "", "3/3/3 x 4", "", "bad-position 1 k at 9"},
    {"9 a k of the longer side is accepted", "", "5/5/5 x 5", "", "5/5/5 x 5"},
    {"9 too many stones of x are refused", "", "xx1/3/3 x 3", "", "bad-position 9 stones"},
    {"9 too many stones of o are refused", "", "xo1/3/3 o 3", "", "bad-position 9 stones"},
    {"9 o does not begin", "", "o2/3/3 x 3", "", "bad-position 9 stones"},
    {"9 a side to move that owns a line is refused", "", "xxx/oo1/o2 x 3", "",
     "bad-position 9 line-to-move"},
    {"9 two lines are refused", "", "xxx/ooo/3 x 3", "", "bad-position 9 line-to-move"},
};

Test(tictactoe, a_position_is_read_and_written_or_refused_with_the_rule_that_it_breaks)
{
    SCENE_TABLE(GAME, scene_after, positions);
}

Test(tictactoe, rule_9_texts_that_are_not_positions_are_refused)
{
    static const char *const texts[] = {
        "",           " ",          "3/3/3",       "3/3/3 x",    "3/3/3 x ",
        "3/3/3 z 3",  "3/3/3  x 3", "3/3/3 x 3 ",  "/3/3 x 3",   "3/3/ x 3",
        "3/3/3/ x 3", "03/3/3 x 3", "x02/3/3 o 3", "3/3/a2 x 3", "3/3/3 x 03"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        const char *text = texts[i];

        cr_expect_not(scene_starts(&scene, GAME, "", text), "%s starts", text);
        cr_expect_eq(scene.why.code, RULES_BAD_POSITION, "%s", text);
        cr_expect_str_eq(scene.why.law->id, "tictactoe.position", "%s", text);
    }
}

Test(tictactoe, rule_9_a_position_decides_rows_columns_and_k)
{
    scene_open(&scene, GAME, "k=4", "5/5/5/5 x 4");
    cr_expect_eq(scene.options.value[0], 4);
    cr_expect_eq(scene.options.value[1], 5);
    cr_expect_eq(scene.options.value[2], 4);
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
