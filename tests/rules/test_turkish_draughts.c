/*
 * test_turkish_draughts.c - Turkish draughts rule by rule: the board and the moves, T1 to T21. The
 * end of the game, the texts and the refusals are in the files beside it.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "draughts_board.h"

static const struct rules_game *const game = &rules_turkish_draughts;

/* ---- board and pieces ---- */

Test(turkish_draughts, t1_the_players_are_white_and_black)
{
    cr_assert_str_eq(game->seat[0].name, "white");
    cr_assert_str_eq(game->seat[1].name, "black");
}

Test(turkish_draughts, t2_the_board_goes_from_a1_to_h8_as_white_sees_it)
{
    struct rules_board board = game->board(NULL);
    char name[RULES_SQUARE_TEXT];

    cr_assert_eq(board.width * board.height, 64);
    rules_square_text(board, 0, name);
    cr_assert_str_eq(name, "a8");
    rules_square_text(board, 63, name);
    cr_assert_str_eq(name, "h1");
}

static const char *symbol_on(const struct rules_state *state, const char *square)
{
    struct rules_man man;
    unsigned i;

    rules_square_read(game->board(state), square, &i);
    if (game->at(state, i, &man, 1) == 0)
        return game->drawing.empty_ascii;
    return game->pieces[man.kind].ascii[man.seat - 1];
}

Test(turkish_draughts, t3_men_are_small_letters_kings_capitals_and_empty_squares_dashes)
{
    struct scene scene = draughts_at("W:Wa1,Kb1:Ba8,Kb8");

    cr_assert_str_eq(symbol_on(&scene.state, "a1"), "w");
    cr_assert_str_eq(symbol_on(&scene.state, "b1"), "W");
    cr_assert_str_eq(symbol_on(&scene.state, "a8"), "b");
    cr_assert_str_eq(symbol_on(&scene.state, "b8"), "B");
    cr_assert_str_eq(symbol_on(&scene.state, "c4"), "-");
}

Test(turkish_draughts, t4_a_man_on_its_own_back_rank_is_accepted)
{
    draughts_at("W:Wa1,h1:Ba8,h8");
}

Test(turkish_draughts, t4_kings_may_stand_on_any_rank)
{
    draughts_at("W:WKa1,Ka8:BKh1,Kh8");
}

Test(turkish_draughts, t5_white_moves_first_and_then_the_players_alternate)
{
    struct scene scene = draughts_at(NULL);

    cr_assert_eq(game->to_move(&scene.state), 1);
    scene = draughts_after(scene, "a3-a4");
    cr_assert_eq(game->to_move(&scene.state), 2);
    scene = draughts_after(scene, "h6-h5");
    cr_assert_eq(game->to_move(&scene.state), 1);
}

Test(turkish_draughts, t6_the_options_have_their_names_and_defaults)
{
    static const char *const expected[] = {"promotion=end",     "turn180=forbidden",
                                           "removal=immediate", "one_v_one=draw",
                                           "repetition=3",      "no_progress=100"};
    struct rules_options options;
    struct rules_refusal why;
    struct scene scene;

    rules_options_init(&options);
    cr_assert(rules_start(game, &options, NULL, &scene.state, &why));
    cr_assert_eq(game->noptions, 6);
    for (size_t i = 0; i < game->noptions; i++) {
        char value[RULES_POSITION_TEXT], text[RULES_POSITION_TEXT + 32];

        rules_option_text(game, &options, i, value);
        snprintf(text, sizeof(text), "%s=%s", game->options[i].name, value);
        cr_assert_str_eq(text, expected[i]);
    }
}

Test(turkish_draughts, t6_every_value_of_every_option_can_be_chosen)
{
    static const char *const values[] = {
        "promotion=end",    "promotion=immediate", "promotion=stop", "turn180=forbidden",
        "turn180=allowed",  "removal=immediate",   "removal=end",    "one_v_one=draw",
        "one_v_one=strict", "one_v_one=king_wins", "one_v_one=off",  "repetition=0",
        "repetition=2",     "no_progress=0",       "no_progress=1"};

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        draughts_with(values[i], NULL);
}

Test(turkish_draughts, t7_the_men_start_on_the_second_and_third_rank_of_each_side)
{
    static const char *const on_rank[] = {"-", "w", "w", "-", "-", "b", "b", "-"};
    struct scene scene = draughts_at(NULL);

    for (int rank = 0; rank < 8; rank++)
        for (int file = 0; file < 8; file++) {
            const char square[] = {(char)('a' + file), (char)('1' + rank), '\0'};

            cr_assert_str_eq(symbol_on(&scene.state, square), on_rank[rank], "%s", square);
        }
}

/* ---- moves without capture ---- */

Test(turkish_draughts, t8_no_move_without_capture_is_legal_where_there_is_a_capture)
{
    draughts_expect_moves(draughts_at("W:Wa4,h2:Ba5,h8"), "a4xa6");
}

Test(turkish_draughts, t9_a_white_man_steps_up_left_or_right)
{
    draughts_expect_moves(draughts_at("W:Wd4:Bh8,h7"), "d4-c4 d4-d5 d4-e4");
}

Test(turkish_draughts, t9_a_black_man_steps_down_left_or_right)
{
    draughts_expect_moves(draughts_at("B:Wh1,h2:Bd5"), "d5-c5 d5-d4 d5-e5");
}

Test(turkish_draughts, t9_a_man_does_not_step_over_the_edge)
{
    draughts_expect_moves(draughts_at("W:Wa4:Bc7,Kc1"), "a4-a5 a4-b4");
    draughts_expect_moves(draughts_at("W:Wh4:Bc7,Kc1"), "h4-g4 h4-h5");
}

Test(turkish_draughts, t9_a_man_steps_to_empty_squares_only)
{
    draughts_expect_moves(draughts_at("W:Wd4,c4,d5:Bh8,h7,b6,d7"),
                          "c4-b4 c4-c5 d4-e4 d5-c5 d5-d6 d5-e5");
}

Test(turkish_draughts, t10_a_man_steps_neither_backward_nor_diagonally)
{
    struct scene scene = draughts_at("W:Wd4:Bh8,h7");

    draughts_refused(scene, "d4-d3", RULES_WRONG_SHAPE, "T10");
    draughts_refused(scene, "d4-e5", RULES_WRONG_SHAPE, "T10");
    draughts_refused(scene, "d4-c3", RULES_WRONG_SHAPE, "T10");
}

Test(turkish_draughts, t11_a_king_moves_like_a_rook)
{
    draughts_expect_moves(draughts_at("W:WKd4:Bh8,g7"),
                          "d4-a4 d4-b4 d4-c4 d4-d1 d4-d2 d4-d3 d4-d5 d4-d6 d4-d7 d4-d8 d4-e4 "
                          "d4-f4 d4-g4 d4-h4");
}

Test(turkish_draughts, t11_a_king_passes_over_nothing)
{
    draughts_expect_moves(draughts_at("W:WKd4,b4,d5:Bf4,g4,d2,Kd1"),
                          "b4-a4 b4-b5 b4-c4 d4-c4 d4-d3 d4-e4 d5-c5 d5-d6 d5-e5");
}

/* ---- captures ---- */

Test(turkish_draughts, t12_a_capture_that_loses_the_own_piece_is_compulsory_too)
{
    draughts_expect_moves(draughts_at("W:Wa4,g2:Ba5,a8"), "a4xa6");
}

Test(turkish_draughts, t13_a_man_takes_forward_left_and_right_but_not_backward)
{
    draughts_expect_moves(draughts_at("W:Wd4:Bd5,c4,e4,d3"), "d4xb4 d4xd6 d4xf4");
}

Test(turkish_draughts, t13_a_black_man_takes_down_the_board)
{
    draughts_expect_moves(draughts_at("B:Wd5,c4,e4,d3:Bd4"), "d4xb4 d4xd2 d4xf4");
}

Test(turkish_draughts, t13_a_man_takes_neither_two_in_a_row_nor_at_a_distance)
{
    draughts_expect_moves(draughts_at("W:Wd4:Bd5,d6,b4,f4"), "d4-c4 d4-e4");
}

Test(turkish_draughts, t13_a_man_does_not_take_what_stands_on_the_edge)
{
    draughts_expect_moves(draughts_at("W:Wb4:Ba4,h8"), "b4-b5 b4-c4");
    draughts_expect_moves(draughts_at("W:Wg7:Bh7,g8,a8"), "g7-f7");
}

Test(turkish_draughts, t13_a_man_takes_no_own_piece)
{
    draughts_expect_moves(draughts_at("W:Wd4,d5:Bh8,h7"), "d4-c4 d4-e4 d5-c5 d5-d6 d5-e5");
}

Test(turkish_draughts, t14_a_king_takes_at_a_distance_and_lands_anywhere_beyond)
{
    draughts_expect_moves(draughts_at("W:WKa1:Ba4,h7"), "a1xa5 a1xa6 a1xa7 a1xa8");
}

Test(turkish_draughts, t14_a_king_lands_before_the_next_piece)
{
    draughts_expect_moves(draughts_at("W:WKa1,a7:Ba4,h6"), "a1xa5 a1xa6");
    draughts_expect_moves(draughts_at("W:WKa1:Ba4,a7,a8"), "a1xa5 a1xa6");
}

Test(turkish_draughts, t14_own_pieces_and_two_in_a_row_stop_a_king)
{
    draughts_expect_moves(draughts_at("W:WKa1,c1:Ba4,a5,Ke1"),
                          "a1-a2 a1-a3 a1-b1 c1-b1 c1-c2 c1-d1");
}

Test(turkish_draughts, t14_a_king_takes_in_all_four_directions)
{
    draughts_expect_moves(draughts_at("W:WKd4:Bd7,d2,b4,g4"), "d4xa4 d4xd1 d4xd8 d4xh4");
}

Test(turkish_draughts, t15_a_capture_may_end_where_it_began)
{
    draughts_expect_moves(draughts_at("W:WKa1:Ba3,c5,e3,Kc1"),
                          "a1xa5xe5xe1xa1 a1xa5xe5xe1xb1 a1xe1xe5xa5xa1 a1xe1xe5xa5xa2");
}

Test(turkish_draughts, t15_a_capture_may_cross_its_start)
{
    draughts_expect_moves(draughts_at("W:WKb1:Ba3,b3,d5,f3,Kd1"),
                          "b1xb5xf5xf1xa1xa4 b1xb5xf5xf1xa1xa5 b1xb5xf5xf1xa1xa6 "
                          "b1xb5xf5xf1xa1xa7 b1xb5xf5xf1xa1xa8");
}

Test(turkish_draughts, t15_a_capture_that_ends_where_it_began_keeps_the_piece)
{
    draughts_expect_after(draughts_at("W:WKa1:Ba3,c5,e3,Kc1,h8"), "a1xa5xe5xe1xa1", "B:WKa1:Bh8");
}

Test(turkish_draughts, t16_a_taken_piece_is_gone_before_the_next_jump)
{
    draughts_expect_moves(draughts_at("W:WKd1:Bd3,f5,g4,b3"), "d1xd5xg5xg3xa3");
}

Test(turkish_draughts, t16_with_removal_end_a_taken_piece_stays_in_the_way)
{
    draughts_expect_moves(draughts_with("removal=end", "W:WKd1:Bd3,f5,g4,b3"),
                          "d1xd5xg5xg1 d1xd5xg5xg2 d1xd5xg5xg3");
}

Test(turkish_draughts, t16_with_removal_end_taken_pieces_leave_when_the_move_is_over)
{
    draughts_expect_after(draughts_with("removal=end", "W:WKd1:Bd3,f5,g4,b3"), "d1xd5xg5xg3",
                          "B:WKg3:Bb3");
}

Test(turkish_draughts, t16_a_piece_behind_a_taken_one_becomes_takeable)
{
    const char *position = "W:WKa4:Bd3,d4,f6,e7";

    draughts_expect_moves(draughts_at(position), "a4xf4xf7xd7xd1 a4xf4xf7xd7xd2");
    draughts_expect_moves(draughts_with("removal=end", position),
                          "a4xf4xf7xa7 a4xf4xf7xb7 a4xf4xf7xc7 a4xf4xf7xd7");
}

Test(turkish_draughts, t17_a_king_does_not_turn_back_between_two_jumps)
{
    draughts_expect_moves(draughts_at("W:WKd4:Bd6,d2"), "d4xd1 d4xd7 d4xd8");
}

Test(turkish_draughts, t17_with_turn180_allowed_a_king_may_turn_back)
{
    draughts_expect_moves(draughts_with("turn180=allowed", "W:WKd4:Bd6,d2"),
                          "d4xd1xd7 d4xd1xd8 d4xd7xd1 d4xd8xd1");
}

Test(turkish_draughts, t17_a_capture_may_go_straight_on_or_turn_by_90_degrees)
{
    draughts_expect_moves(draughts_at("W:WKa1:Ba3,a6,d7"), "a1xa4xa7xe7 a1xa4xa7xf7 a1xa4xa7xg7 "
                                                           "a1xa4xa7xh7 a1xa5xa7xe7 a1xa5xa7xf7 "
                                                           "a1xa5xa7xg7 a1xa5xa7xh7");
}

Test(turkish_draughts, t18_only_the_captures_that_take_most_are_legal)
{
    draughts_expect_moves(draughts_at("W:Wa4,h2:Ba5,h3,g4,e4"), "h2xh4xf4xd4");
}

Test(turkish_draughts, t18_a_capture_is_played_to_its_end)
{
    draughts_expect_moves(draughts_at("W:Wd4:Bd5,c6"), "d4xd6xb6");
}

Test(turkish_draughts, t19_a_man_is_taken_as_freely_as_a_king)
{
    draughts_expect_moves(draughts_at("W:Wb4:Bb5,Kc4"), "b4xb6 b4xd4");
}

Test(turkish_draughts, t19_a_man_takes_as_freely_as_a_king)
{
    draughts_expect_moves(draughts_at("W:Wb4,Kh1:Bb5,h7"), "b4xb6 h1xh8");
}

/* ---- promotion ---- */

Test(turkish_draughts, t20_a_man_that_ends_its_move_on_the_last_rank_becomes_a_king)
{
    draughts_expect_after(draughts_at("W:Wa7:Bh3,h4"), "a7-a8", "B:WKa8:Bh3,h4");
    draughts_expect_after(draughts_at("B:Wh5,h6:Ba2"), "a2-a1", "W:Wh5,h6:BKa1:H0:F2");
}

Test(turkish_draughts, t20_a_man_that_takes_its_way_to_the_last_rank_becomes_a_king)
{
    draughts_expect_after(draughts_at("W:Wa6:Ba7,h3"), "a6xa8", "B:WKa8:Bh3");
}

Test(turkish_draughts, t20_a_new_king_moves_as_one_in_its_next_turn)
{
    draughts_expect_moves(draughts_after(draughts_at("W:Wa7:Bh4,h3"), "a7-a8 h3-g3"),
                          "a8-a1 a8-a2 a8-a3 a8-a4 a8-a5 a8-a6 a8-a7 a8-b8 a8-c8 a8-d8 a8-e8 "
                          "a8-f8 a8-g8 a8-h8");
}

#define REACHES_THE_LAST_RANK "W:Wb6:Bb7,Kc8,d3"

Test(turkish_draughts, t21_a_man_that_reaches_the_last_rank_goes_on_as_a_man)
{
    struct scene scene = draughts_at(REACHES_THE_LAST_RANK);

    draughts_expect_moves(scene, "b6xb8xd8");
    draughts_expect_after(scene, "b6xb8xd8", "B:WKd8:Bd3");
}

Test(turkish_draughts, t21_a_man_on_the_last_rank_takes_neither_at_a_distance_nor_backward)
{
    draughts_expect_moves(draughts_at("W:Wb6:Bb7,Kd8"), "b6xb8");
    draughts_expect_moves(draughts_at("W:Wb6:Bb7,a5,Kc8,d7"), "b6xb8xd8");
}

Test(turkish_draughts, t21_with_promotion_immediate_the_man_goes_on_as_a_king)
{
    struct scene scene = draughts_with("promotion=immediate", REACHES_THE_LAST_RANK);

    draughts_expect_moves(scene, "b6xb8xd8xd1 b6xb8xd8xd2");
    draughts_expect_after(scene, "b6xb8xd8xd2", "B:WKd2:B");
}

Test(turkish_draughts, t21_with_promotion_stop_the_capture_ends_there)
{
    struct scene scene = draughts_with("promotion=stop", REACHES_THE_LAST_RANK);

    draughts_expect_moves(scene, "b6xb8");
    draughts_expect_after(scene, "b6xb8", "B:WKb8:Bd3,Kc8");
}

Test(turkish_draughts, t21_a_black_man_is_crowned_on_rank_1)
{
    draughts_expect_moves(draughts_at("B:Wb2,Kc1,d6:Bb3"), "b3xb1xd1");
    draughts_expect_moves(draughts_with("promotion=immediate", "B:Wb2,Kc1,d6:Bb3"),
                          "b3xb1xd1xd7 b3xb1xd1xd8");
    draughts_expect_moves(draughts_with("promotion=stop", "B:Wb2,Kc1,d6:Bb3"), "b3xb1");
}
