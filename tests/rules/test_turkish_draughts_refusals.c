/* test_turkish_draughts_refusals.c - what Turkish draughts refuses, by which rule, and what proves
 * it: positions (T4, T31), options (T6) and moves (T5 to T30). */
#include <criterion/criterion.h>
#include <string.h>

#include "draughts_board.h"

static const struct rules_game *const game = &rules_turkish_draughts;

/* ---- options ---- */

static void expect_option_refused(const char *name, const char *value, const char *code)
{
    struct rules_options options;
    struct rules_refusal why;

    rules_options_init(&options);
    cr_assert_not(rules_option_set(game, &options, name, value, &why), "%s=%s", name, value);
    cr_assert_str_eq(rules_code_text(why.code), code);
}

Test(turkish_draughts_refusals, t6_a_value_that_an_option_does_not_have)
{
    expect_option_refused("promotion", "never", "bad-option");
    expect_option_refused("turn180", "true", "bad-option");
    expect_option_refused("removal", "later", "bad-option");
    expect_option_refused("one_v_one", "win", "bad-option");
    expect_option_refused("repetition", "1", "bad-option");
    expect_option_refused("repetition", "1001", "bad-option");
    expect_option_refused("no_progress", "-1", "bad-option");
    expect_option_refused("no_progress", "10001", "bad-option");
}

Test(turkish_draughts_refusals, t6_an_option_that_the_game_does_not_have)
{
    expect_option_refused("size", "8", "unknown-field");
}

/* ---- positions ---- */

static struct rules_refusal refused_position(const char *position, const char *law)
{
    struct rules_options options;
    struct rules_refusal why;
    struct scene scene;

    rules_options_init(&options);
    cr_assert_not(rules_start(game, &options, position, &scene.state, &why), "%s is accepted",
                  position);
    cr_assert_str_eq(rules_code_text(why.code), "bad-position");
    cr_assert_str_eq(why.law->id, law, "%s: %s", position, why.law->id);
    return why;
}

Test(turkish_draughts_refusals, t4_a_square_that_is_named_twice)
{
    struct rules_refusal why =
        refused_position("W:Wa2,b2:Ba7,Kb2", "turkish-draughts.one-piece-a-square");

    draughts_expect_witnesses(&why, "offender b2w");
    cr_assert_eq(why.at, 13);
    refused_position("W:Wa2,a2:Ba7", "turkish-draughts.one-piece-a-square");
}

Test(turkish_draughts_refusals, t4_seventeen_pieces_of_a_side)
{
    struct rules_refusal why =
        refused_position("W:Wa1,b1,c1,d1,e1,f1,g1,h1,a2,b2,c2,d2,e2,f2,g2,h2,a3:Ba7",
                         "turkish-draughts.sixteen-pieces");

    cr_assert_eq(why.yours, 17);
    cr_assert_eq(why.required, 16);
    refused_position("W:Wa1:Ba8,b8,c8,d8,e8,f8,g8,h8,a7,b7,c7,d7,e7,f7,g7,h7,Ka6",
                     "turkish-draughts.sixteen-pieces");
}

Test(turkish_draughts_refusals, t4_a_man_on_its_last_rank)
{
    struct rules_refusal why =
        refused_position("W:Wa2,c8:Ba7", "turkish-draughts.man-on-last-rank");

    draughts_expect_witnesses(&why, "offender c8w");
    why = refused_position("W:Wa2:Ba7,h1", "turkish-draughts.man-on-last-rank");
    draughts_expect_witnesses(&why, "offender h1b");
}

Test(turkish_draughts_refusals, t31_a_text_that_is_no_position)
{
    static const char *const texts[] = {"",
                                        "w:Wa2:Ba7",
                                        "W",
                                        "W:Ba7:Wa2",
                                        "W:Wa2",
                                        "W:Wa2,:Ba7",
                                        "W:W,a2:Ba7",
                                        "W:Wa2:Ba7,",
                                        "W:Wa9:Ba7",
                                        "W:Wi2:Ba7",
                                        "W:Wka2:Ba7",
                                        "W:WK:Ba7",
                                        "W:Wa2 :Ba7",
                                        "W:Wa2:Ba7:",
                                        "W:Wa2:Ba7:H",
                                        "W:Wa2:Ba7:H3",
                                        "W:Wa2:Ba7:F3",
                                        "W:Wa2:Ba7:H3:F",
                                        "W:Wa2:Ba7:H3:F0",
                                        "W:Wa2:Ba7:H03:F1",
                                        "W:Wa2:Ba7:H-3:F1",
                                        "W:Wa2:Ba7:H3:F1 ",
                                        "W:Wa2:Ba7:H3:F99999999999999999999"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        refused_position(texts[i], "turkish-draughts.position-text");
}

Test(turkish_draughts_refusals, t31_the_place_where_reading_failed_is_named)
{
    struct rules_refusal why = refused_position("W:Wa2,i9:Ba7", "turkish-draughts.position-text");

    cr_assert_eq(why.at, 6);
}

/* ---- texts of moves ---- */

Test(turkish_draughts_refusals, t29_a_text_that_is_no_move)
{
    static const char *const texts[] = {"",       " ",        "hello",    "a3",         "a3-a4-a5",
                                        "a3-",    "-a4",      "a3-a4 b3", "a3a4a5",     "a3x",
                                        "a3xa5x", "a3xa5-a7", "a3-a4xa6", "A3-A4",      "a3-a4#",
                                        "a3x-a5", "0-0",      "a-a4",     "\u00e43-a4", "a3xa5a7"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        draughts_refused(draughts_at(NULL), texts[i], RULES_BAD_MOVE_TEXT, "T29");
}

Test(turkish_draughts_refusals, t29_the_place_where_reading_failed_is_named)
{
    struct rules_refusal why =
        draughts_refused(draughts_at(NULL), "a3-a4!", RULES_BAD_MOVE_TEXT, "T29");

    cr_assert_eq(why.at, 5);
}

Test(turkish_draughts_refusals, t29_a_capture_of_seventeen_pieces_is_no_move)
{
    char text[128] = "a1";

    for (int i = 0; i < 17; i++)
        strcat(text, i % 2 == 0 ? "xa3" : "xa1");
    draughts_refused(draughts_at(NULL), text, RULES_BAD_MOVE_TEXT, "T29");
}

Test(turkish_draughts_refusals, t2_a_square_that_is_not_on_the_board)
{
    static const char *const texts[] = {"i3-i4", "a3-a9", "a0-a1", "a3-a10", "a3xz9", "a99-a4"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        draughts_refused(draughts_at(NULL), texts[i], RULES_OUT_OF_BOARD, "T2");
}

/* ---- whose piece ---- */

Test(turkish_draughts_refusals, t5_a_move_from_an_empty_square)
{
    struct rules_refusal why =
        draughts_refused(draughts_at(NULL), "a4-a5", RULES_EMPTY_SQUARE, "T5");

    draughts_expect_witnesses(&why, "from a4");
}

Test(turkish_draughts_refusals, t5_a_move_of_the_other_side_s_piece)
{
    struct rules_refusal why =
        draughts_refused(draughts_at(NULL), "a6-a5", RULES_NOT_YOUR_PIECE, "T5");

    draughts_expect_witnesses(&why, "from a6b");
}

/* ---- moves without capture ---- */

Test(turkish_draughts_refusals, t9_a_step_of_two_squares)
{
    struct rules_refusal why =
        draughts_refused(draughts_at(NULL), "a3-a5", RULES_WRONG_SHAPE, "T9");

    draughts_expect_witnesses(&why, "from a3w to a5");
    draughts_refused(draughts_at(NULL), "a3-a3", RULES_WRONG_SHAPE, "T9");
}

Test(turkish_draughts_refusals, t9_a_step_onto_another_piece)
{
    struct rules_refusal why = draughts_refused(draughts_at(NULL), "a2-a3", RULES_OCCUPIED, "T9");

    draughts_expect_witnesses(&why, "to a3w");
    why = draughts_refused(draughts_at("W:Wa4:Ba5,a6"), "a4-a5", RULES_OCCUPIED, "T9");
    draughts_expect_witnesses(&why, "to a5b");
}

Test(turkish_draughts_refusals, t10_a_step_backward_or_diagonally)
{
    draughts_refused(draughts_at("W:Wd4:Bh8"), "d4-d3", RULES_WRONG_SHAPE, "T10");
    draughts_refused(draughts_at("W:Wd4:Bh8"), "d4-c5", RULES_WRONG_SHAPE, "T10");
    draughts_refused(draughts_at("B:Wa1:Bd4"), "d4-d5", RULES_WRONG_SHAPE, "T10");
}

Test(turkish_draughts_refusals, t11_a_king_off_its_lines)
{
    struct rules_refusal why =
        draughts_refused(draughts_at("W:WKd4:Bh8"), "d4-e5", RULES_WRONG_SHAPE, "T11");

    draughts_expect_witnesses(&why, "from d4W to e5");
    draughts_refused(draughts_at("W:WKd4:Bh8"), "d4-d4", RULES_WRONG_SHAPE, "T11");
}

Test(turkish_draughts_refusals, t11_a_king_over_a_piece)
{
    struct rules_refusal why =
        draughts_refused(draughts_at("W:WKd1,d3:Bd5,d6"), "d1-d8", RULES_BLOCKED, "T11");

    draughts_expect_witnesses(&why, "blocker d3w");
    why = draughts_refused(draughts_at("W:WKd1:Bd5,Kd6"), "d1-d7", RULES_BLOCKED, "T11");
    draughts_expect_witnesses(&why, "blocker d5b");
}

Test(turkish_draughts_refusals, t11_a_king_onto_a_piece)
{
    struct rules_refusal why =
        draughts_refused(draughts_at("W:WKd1:Bd5,Kd6"), "d1-d5", RULES_OCCUPIED, "T11");

    draughts_expect_witnesses(&why, "to d5b");
}

Test(turkish_draughts_refusals, t12_a_move_without_capture_where_there_is_one)
{
    struct scene scene = draughts_at("W:Wd4,h2:Bd5,c6,e4");
    struct rules_refusal why = draughts_refused(scene, "h2-h3", RULES_MUST_CAPTURE, "T12");

    cr_assert_eq(why.yours, 0);
    cr_assert_eq(why.required, 2);
    draughts_expect_examples(scene, &why, "d4xd6xb6");
    draughts_expect_witnesses(&why, "capturer d4w captured d5b captured c6b");
}

/* ---- captures ---- */

Test(turkish_draughts_refusals, t13_a_man_s_capture_of_another_shape)
{
    struct scene scene = draughts_at("W:Wd4:Bd3,e5,c4");
    struct rules_refusal why = draughts_refused(scene, "d4xf6", RULES_WRONG_SHAPE, "T13");

    draughts_expect_witnesses(&why, "from d4w to f6");
    draughts_refused(scene, "d4xd2", RULES_WRONG_SHAPE, "T13");
    draughts_refused(scene, "d4xa4", RULES_WRONG_SHAPE, "T13");
    draughts_refused(scene, "d4xc4", RULES_WRONG_SHAPE, "T13");
}

Test(turkish_draughts_refusals, t13_a_man_s_capture_of_nothing)
{
    struct rules_refusal why =
        draughts_refused(draughts_at("W:Wd4:Bc4"), "d4xd6", RULES_WRONG_SHAPE, "T13");

    draughts_expect_witnesses(&why, "from d4w to d6");
}

Test(turkish_draughts_refusals, t13_a_man_s_capture_of_an_own_piece)
{
    struct rules_refusal why =
        draughts_refused(draughts_at("W:Wd4,Kd5:Bh8"), "d4xd6", RULES_BLOCKED, "T13");

    draughts_expect_witnesses(&why, "blocker d5W");
}

Test(turkish_draughts_refusals, t13_a_man_s_capture_that_lands_on_a_piece)
{
    struct rules_refusal why =
        draughts_refused(draughts_at("W:Wd4:Bd5,d6"), "d4xd6", RULES_OCCUPIED, "T13");

    draughts_expect_witnesses(&why, "to d6b");
}

Test(turkish_draughts_refusals, t14_a_king_s_capture_of_another_shape)
{
    struct rules_refusal why =
        draughts_refused(draughts_at("W:WKd4:Be5"), "d4xf6", RULES_WRONG_SHAPE, "T14");

    draughts_expect_witnesses(&why, "from d4W to f6");
    draughts_refused(draughts_at("W:WKd4:Be5"), "d4xd8", RULES_WRONG_SHAPE, "T14");
}

Test(turkish_draughts_refusals, t14_a_king_s_capture_past_an_own_piece)
{
    struct rules_refusal why =
        draughts_refused(draughts_at("W:WKd1,d3:Bd5"), "d1xd7", RULES_BLOCKED, "T14");

    draughts_expect_witnesses(&why, "blocker d3w");
}

Test(turkish_draughts_refusals, t14_a_king_s_capture_of_two_in_a_row)
{
    struct rules_refusal why =
        draughts_refused(draughts_at("W:WKd1:Bd5,d6"), "d1xd8", RULES_BLOCKED, "T14");

    draughts_expect_witnesses(&why, "blocker d6b");
}

Test(turkish_draughts_refusals, t14_a_king_s_capture_that_lands_on_a_piece)
{
    struct rules_refusal why =
        draughts_refused(draughts_at("W:WKd1,d7:Bd5"), "d1xd7", RULES_OCCUPIED, "T14");

    draughts_expect_witnesses(&why, "to d7w");
}

Test(turkish_draughts_refusals, t16_a_jump_over_a_piece_that_is_taken_already)
{
    struct scene scene = draughts_with("removal=end", "W:WKd1:Bd3,f5,g4,b3");
    struct rules_refusal why = draughts_refused(scene, "d1xd5xg5xg3xa3", RULES_BLOCKED, "T16");

    draughts_expect_witnesses(&why, "blocker d3b");
}

Test(turkish_draughts_refusals, t17_a_turn_by_180_degrees)
{
    struct rules_refusal why =
        draughts_refused(draughts_at("W:WKd4:Bd6,d2"), "d4xd7xd1", RULES_WRONG_SHAPE, "T17");

    draughts_expect_witnesses(&why, "from d4W to d1");
}

Test(turkish_draughts_refusals, t18_a_capture_of_too_few_pieces)
{
    struct scene scene = draughts_at("W:Wa4,h2:Ba5,h3,g4,e4");
    struct rules_refusal why = draughts_refused(scene, "a4xa6", RULES_MUST_CAPTURE_MORE, "T18");

    cr_assert_eq(why.yours, 1);
    cr_assert_eq(why.required, 3);
    draughts_expect_examples(scene, &why, "h2xh4xf4xd4");
}

Test(turkish_draughts_refusals, t18_the_beginning_of_a_capture)
{
    struct scene scene = draughts_at("W:Wa4,h2:Ba5,h3,g4,e4");
    struct rules_refusal why = draughts_refused(scene, "h2xh4xf4", RULES_MUST_CAPTURE_MORE, "T18");

    cr_assert_eq(why.yours, 2);
    cr_assert_eq(why.required, 3);
    draughts_expect_examples(scene, &why, "h2xh4xf4xd4");
}

Test(turkish_draughts_refusals, t18_a_short_text_of_a_capture_of_too_few_pieces)
{
    struct scene scene = draughts_at("W:Wa4,h2:Ba5,b6,h3,g4,e4");
    struct rules_refusal why = draughts_refused(scene, "a4xc6", RULES_MUST_CAPTURE_MORE, "T18");

    cr_assert_eq(why.yours, 2);
    cr_assert_eq(why.required, 3);
}

Test(turkish_draughts_refusals, t18_no_more_examples_than_there_is_room_for)
{
    struct scene scene = draughts_at("W:WKa4,h2:Bb4,h7,Kh8");
    struct rules_refusal why = draughts_refused(scene, "h2-h3", RULES_MUST_CAPTURE, "T12");

    cr_assert_eq(why.examples, 6);
    draughts_expect_witnesses(&why, "capturer a4W captured b4b");
    scene = draughts_at("W:WKa4,Kb1,h2:Bb4,h7,Kh8");
    why = draughts_refused(scene, "h2-h3", RULES_MUST_CAPTURE, "T12");
    cr_assert_eq(why.examples, RULES_EXAMPLES_MAX);
}

Test(turkish_draughts_refusals, t21_a_jump_after_the_last_rank_with_promotion_stop)
{
    struct scene scene = draughts_with("promotion=stop", "W:Wb6:Bb7,Kc8,d3");
    struct rules_refusal why = draughts_refused(scene, "b6xb8xd8", RULES_WRONG_SHAPE, "T21");

    draughts_expect_witnesses(&why, "from b6w to d8");
}

Test(turkish_draughts_refusals, t30_a_short_text_that_fits_captures_of_different_pieces)
{
    struct scene scene = draughts_at("W:Wa2:Bb2,a3,c3,b4,c5");
    struct rules_refusal why = draughts_refused(scene, "a2xc6", RULES_AMBIGUOUS, "T30");

    draughts_expect_examples(scene, &why, "a2xa4xc4xc6 a2xc2xc4xc6");
}

/* ---- after the end ---- */

Test(turkish_draughts_refusals, t23_a_move_without_pieces)
{
    draughts_refused(draughts_at("W:W:Ba6"), "a2-a3", RULES_GAME_OVER, "T23");
}

Test(turkish_draughts_refusals, t24_a_move_of_a_player_who_is_blocked)
{
    draughts_refused(draughts_at("W:Wa1:Ba2,a3,Kb1,Kc1"), "a1-a2", RULES_GAME_OVER, "T24");
}
