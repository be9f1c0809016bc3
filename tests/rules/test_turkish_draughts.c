/* test_turkish_draughts.c - the rules of Turkish draughts by their numbers, T1 to T33. What is
 * refused, and how, is in test_turkish_draughts_refusals.c. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "draughts_board.h"

static const struct rules_game *const game = &rules_turkish_draughts;

#define START                                            \
    "W:Wa2,b2,c2,d2,e2,f2,g2,h2,a3,b3,c3,d3,e3,f3,g3,h3" \
    ":Ba6,b6,c6,d6,e6,f6,g6,h6,a7,b7,c7,d7,e7,f7,g7,h7"

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
    struct rules_state state = draughts_at("W:Wa1,Kb1:Ba8,Kb8");

    cr_assert_str_eq(symbol_on(&state, "a1"), "w");
    cr_assert_str_eq(symbol_on(&state, "b1"), "W");
    cr_assert_str_eq(symbol_on(&state, "a8"), "b");
    cr_assert_str_eq(symbol_on(&state, "b8"), "B");
    cr_assert_str_eq(symbol_on(&state, "c4"), "-");
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
    struct rules_state state = draughts_at(NULL);

    cr_assert_eq(game->to_move(&state), 1);
    state = draughts_after(state, "a3-a4");
    cr_assert_eq(game->to_move(&state), 2);
    state = draughts_after(state, "h6-h5");
    cr_assert_eq(game->to_move(&state), 1);
}

Test(turkish_draughts, t6_the_options_have_their_names_and_defaults)
{
    static const char *const expected[] = {"promotion=end",     "turn180=forbidden",
                                           "removal=immediate", "one_v_one=draw",
                                           "repetition=3",      "no_progress=100"};
    struct rules_options options;
    struct rules_refusal why;
    struct rules_state state;

    rules_options_init(&options);
    cr_assert(rules_start(game, &options, NULL, &state, &why));
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
    struct rules_state state = draughts_at(NULL);

    for (char file = 'a'; file <= 'h'; file++)
        for (char rank = '1'; rank <= '8'; rank++) {
            const char square[] = {file, rank, '\0'};
            const char *expected = strchr("23", rank) ? "w" : strchr("67", rank) ? "b" : "-";

            cr_assert_str_eq(symbol_on(&state, square), expected, "%s", square);
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
    struct rules_state state = draughts_at("W:Wd4:Bh8,h7");

    draughts_refused(state, "d4-d3", "wrong-shape", "T10");
    draughts_refused(state, "d4-e5", "wrong-shape", "T10");
    draughts_refused(state, "d4-c3", "wrong-shape", "T10");
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
    struct rules_state state = draughts_at(REACHES_THE_LAST_RANK);

    draughts_expect_moves(state, "b6xb8xd8");
    draughts_expect_after(state, "b6xb8xd8", "B:WKd8:Bd3");
}

Test(turkish_draughts, t21_a_man_on_the_last_rank_takes_neither_at_a_distance_nor_backward)
{
    draughts_expect_moves(draughts_at("W:Wb6:Bb7,Kd8"), "b6xb8");
    draughts_expect_moves(draughts_at("W:Wb6:Bb7,a5,Kc8,d7"), "b6xb8xd8");
}

Test(turkish_draughts, t21_with_promotion_immediate_the_man_goes_on_as_a_king)
{
    struct rules_state state = draughts_with("promotion=immediate", REACHES_THE_LAST_RANK);

    draughts_expect_moves(state, "b6xb8xd8xd1 b6xb8xd8xd2");
    draughts_expect_after(state, "b6xb8xd8xd2", "B:WKd2:B");
}

Test(turkish_draughts, t21_with_promotion_stop_the_capture_ends_there)
{
    struct rules_state state = draughts_with("promotion=stop", REACHES_THE_LAST_RANK);

    draughts_expect_moves(state, "b6xb8");
    draughts_expect_after(state, "b6xb8", "B:WKb8:Bd3,Kc8");
}

Test(turkish_draughts, t21_a_black_man_is_crowned_on_rank_1)
{
    draughts_expect_moves(draughts_at("B:Wb2,Kc1,d6:Bb3"), "b3xb1xd1");
    draughts_expect_moves(draughts_with("promotion=immediate", "B:Wb2,Kc1,d6:Bb3"),
                          "b3xb1xd1xd7 b3xb1xd1xd8");
    draughts_expect_moves(draughts_with("promotion=stop", "B:Wb2,Kc1,d6:Bb3"), "b3xb1");
}

/* ---- the end of the game ---- */

/* The outcome after some legal moves, as a text. */
static void expect_outcome_of_line(struct rules_state state, const char *moves,
                                   const char *expected)
{
    uint64_t keys[256];
    struct rules_history history = {keys, 0};
    struct rules_outcome outcome;
    char copy[1024], *rest;

    snprintf(copy, sizeof(copy), "%s", moves);
    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        keys[history.len++] = game->key(&state);
        state = draughts_after(state, word);
    }
    outcome = game->outcome(&state, &history);
    cr_assert_str_eq(outcome.status == RULES_ONGOING ? "ongoing"
                                                     : rules_reason_text(outcome.reason),
                     expected, "after %s: %s", moves, rules_reason_text(outcome.reason));
}

#define SHUFFLE "a1-b1 h8-g8 b1-a1 g8-h8 "

Test(turkish_draughts, t22_one_against_one_comes_before_the_repetition)
{
    const char *off = "one_v_one=off", *on = "one_v_one=draw";

    expect_outcome_of_line(draughts_with(off, "W:WKa1:BKh8"), SHUFFLE SHUFFLE, "repetition");
    expect_outcome_of_line(draughts_with(on, "W:WKa1:BKh8"), SHUFFLE SHUFFLE, "one_v_one");
}

Test(turkish_draughts, t22_the_repetition_comes_before_no_progress)
{
    expect_outcome_of_line(draughts_with("no_progress=8", "W:WKa1,Ka2:BKh8,Kh7"), SHUFFLE SHUFFLE,
                           "repetition");
}

Test(turkish_draughts, t22_a_player_without_a_move_loses_before_anything_is_counted)
{
    draughts_expect_outcome(draughts_at("W:Wa1:Ba2,a3,Kb1,Kc1:H100:F80"), "2 blocked");
    draughts_expect_outcome(draughts_at("W:W:Ba2:H100:F80"), "2 no_pieces");
}

Test(turkish_draughts, t23_a_player_without_pieces_loses)
{
    draughts_expect_outcome(draughts_at("W:W:Ba6"), "2 no_pieces");
    draughts_expect_outcome(draughts_at("B:Wa6:B"), "1 no_pieces");
    draughts_expect_outcome(draughts_after(draughts_at("W:Wa4,h2:Ba5"), "a4xa6"), "1 no_pieces");
}

Test(turkish_draughts, t24_a_player_without_a_move_loses)
{
    draughts_expect_outcome(draughts_at("W:Wa1:Ba2,a3,Kb1,Kc1"), "2 blocked");
    draughts_expect_outcome(draughts_at("B:Wa7,a6,Kb8,Kc8:Ba8"), "1 blocked");
}

#define EVERY_PIECE_IS_STUCK                           \
    "Wa3,b3,c3,d3,e3,f3,g3,h3,a4,b4,c4,d4,e4,f4,g4,h4" \
    ":Ba5,b5,c5,d5,e5,f5,g5,h5,a6,b6,c6,d6,e6,f6,g6,h6"

Test(turkish_draughts, t24_the_player_to_move_loses_although_the_other_could_not_move_either)
{
    draughts_expect_outcome(draughts_at("W:" EVERY_PIECE_IS_STUCK), "2 blocked");
    draughts_expect_outcome(draughts_at("B:" EVERY_PIECE_IS_STUCK), "1 blocked");
}

Test(turkish_draughts, t25_one_against_one_is_drawn)
{
    draughts_expect_outcome(draughts_at("W:WKa1:BKh8"), "= one_v_one");
    draughts_expect_outcome(draughts_at("W:WKa1:Bh7"), "= one_v_one");
    draughts_expect_outcome(draughts_at("B:Wa3:Bh7"), "= one_v_one");
}

Test(turkish_draughts, t25_one_against_one_goes_on_while_there_is_a_capture)
{
    draughts_expect_outcome(draughts_at("W:WKa1:Ba3"), "ongoing");
    draughts_expect_outcome(draughts_at("B:WKa1:Ba3"), "= one_v_one");
}

Test(turkish_draughts, t25_one_against_two_goes_on)
{
    draughts_expect_outcome(draughts_at("W:WKa1:BKh8,g7"), "ongoing");
    draughts_expect_outcome(draughts_with("one_v_one=strict", "W:WKa1:BKh8,g7"), "ongoing");
}

Test(turkish_draughts, t25_strict_draws_although_there_is_a_capture)
{
    draughts_expect_outcome(draughts_with("one_v_one=strict", "W:WKa1:Ba3"), "= one_v_one");
}

Test(turkish_draughts, t25_king_wins_gives_the_game_to_the_king_against_a_man)
{
    draughts_expect_outcome(draughts_with("one_v_one=king_wins", "W:WKa1:Bh7"), "1 one_v_one");
    draughts_expect_outcome(draughts_with("one_v_one=king_wins", "W:Wa3:BKh8"), "2 one_v_one");
    draughts_expect_outcome(draughts_with("one_v_one=king_wins", "W:WKa1:BKh8"), "= one_v_one");
    draughts_expect_outcome(draughts_with("one_v_one=king_wins", "W:Wa3:Bh7"), "ongoing");
    draughts_expect_outcome(draughts_with("one_v_one=king_wins", "W:WKa1:Ba3"), "ongoing");
}

Test(turkish_draughts, t25_off_plays_on)
{
    draughts_expect_outcome(draughts_with("one_v_one=off", "W:WKa1:BKh8"), "ongoing");
}

#define TWO_KINGS_EACH "W:WKa1,Ka2:BKh8,Kh7"

Test(turkish_draughts, t26_the_third_time_of_a_position_is_a_draw)
{
    expect_outcome_of_line(draughts_at(TWO_KINGS_EACH), SHUFFLE, "ongoing");
    expect_outcome_of_line(draughts_at(TWO_KINGS_EACH), SHUFFLE SHUFFLE, "repetition");
}

Test(turkish_draughts, t26_the_times_need_not_follow_each_other)
{
    expect_outcome_of_line(draughts_at(TWO_KINGS_EACH), SHUFFLE "a2-b2 h7-g7 b2-a2 g7-h7",
                           "repetition");
}

Test(turkish_draughts, t26_the_number_of_times_is_an_option_and_0_is_never)
{
    expect_outcome_of_line(draughts_with("repetition=2", TWO_KINGS_EACH), SHUFFLE, "repetition");
    expect_outcome_of_line(draughts_with("repetition=0", TWO_KINGS_EACH), SHUFFLE SHUFFLE SHUFFLE,
                           "ongoing");
}

Test(turkish_draughts, t26_a_man_that_steps_sideways_and_back_repeats_the_position)
{
    expect_outcome_of_line(draughts_at("W:Wa2,c2:Bh7,f7"),
                           "a2-b2 h7-g7 b2-a2 g7-h7 a2-b2 h7-g7 b2-a2 g7-h7", "repetition");
}

static uint64_t key_of(const char *position)
{
    struct rules_state state = draughts_at(position);

    return game->key(&state);
}

Test(turkish_draughts, t26_the_key_tells_placement_kind_and_side_to_move_and_nothing_else)
{
    uint64_t key = key_of("W:Wa2,c2:Bh7,f7");

    cr_assert_eq(key, key_of("W:Wc2,a2:Bf7,h7:H12:F40"));
    cr_assert_neq(key, key_of("B:Wa2,c2:Bh7,f7"));
    cr_assert_neq(key, key_of("W:Wa2,d2:Bh7,f7"));
    cr_assert_neq(key, key_of("W:Wa2,Kc2:Bh7,f7"));
    cr_assert_neq(key, key_of("W:Wh7,f7:Ba2,c2"));
    cr_assert_eq(key & 1, 0);
}

static size_t span_of(const char *options, const char *position)
{
    struct rules_state state = draughts_with(options, position);

    return game->span(&state);
}

Test(turkish_draughts, t26_only_positions_since_the_last_progress_can_recur)
{
    cr_assert_eq(span_of("", "W:WKa1,Ka2:BKh8,Kh7:H12:F40"), 12);
    cr_assert_eq(span_of("repetition=0", "W:WKa1,Ka2:BKh8,Kh7:H12:F40"), 0);
}

Test(turkish_draughts, t27_a_hundred_plies_without_progress_are_a_draw)
{
    struct rules_state state = draughts_at("W:WKa1,Ka2:BKh8,Kh7:H98:F60");

    draughts_expect_outcome(draughts_after(state, "a1-b1"), "ongoing");
    draughts_expect_outcome(draughts_after(state, "a1-b1 h8-g8"), "= no_progress");
}

Test(turkish_draughts, t27_the_number_of_plies_is_an_option_and_0_is_never)
{
    const char *position = "W:WKa1,Ka2:BKh8,Kh7:H100:F60";

    draughts_expect_outcome(draughts_with("no_progress=101", position), "ongoing");
    draughts_expect_outcome(draughts_with("no_progress=0", position), "ongoing");
    draughts_expect_outcome(draughts_with("no_progress=50", position), "= no_progress");
}

Test(turkish_draughts, t27_a_capture_a_step_forward_and_a_promotion_are_progress)
{
    draughts_expect_after(draughts_at("W:Wd4,a7:Bd5,h8:H9:F7"), "d4xd6", "B:Wd6,a7:Bh8:H0:F7");
    draughts_expect_after(draughts_at("W:Wd4,a7:Bh8:H9:F7"), "d4-d5", "B:Wd5,a7:Bh8:H0:F7");
    draughts_expect_after(draughts_at("W:Wd4,a7:Bh8:H9:F7"), "a7-a8", "B:Wd4,Ka8:Bh8:H0:F7");
}

Test(turkish_draughts, t27_a_sideways_step_and_a_king_s_move_are_no_progress)
{
    draughts_expect_after(draughts_at("W:Wd4,Ka7:Bh8:H9:F7"), "d4-c4", "B:Wc4,Ka7:Bh8:H10:F7");
    draughts_expect_after(draughts_at("W:Wd4,Ka7:Bh8:H9:F7"), "a7-a8", "B:Wd4,Ka8:Bh8:H10:F7");
}

/* ---- notation ---- */

Test(turkish_draughts, t29_other_landing_squares_are_another_move_even_with_the_same_result)
{
    struct rules_state state = draughts_at("W:WKa1:Ba3,a6,h8");

    draughts_expect_moves(state, "a1xa4xa7 a1xa4xa8 a1xa5xa7 a1xa5xa8");
    draughts_expect_after(state, "a1xa4xa7", "B:WKa7:Bh8");
    draughts_expect_after(state, "a1xa5xa7", "B:WKa7:Bh8");
}

Test(turkish_draughts, t29_the_path_decides_what_is_taken)
{
    struct rules_state state = draughts_at("W:Wa2:Bb2,a3,c3,b4,c5");

    draughts_expect_moves(state, "a2xa4xc4xc6 a2xc2xc4xa4 a2xc2xc4xc6");
    draughts_expect_after(state, "a2xa4xc4xc6", "B:Wc6:Bb2,c3");
    draughts_expect_after(state, "a2xc2xc4xc6", "B:Wc6:Ba3,b4");
}

Test(turkish_draughts, t29_a_capture_of_sixteen_pieces_is_written_and_read)
{
    const char *text = "a5xa8xd8xh8xh6xh2xb2xb6xg6xg4xa4xa1xe1xe7xc7xc1xh1";
    struct rules_state state =
        draughts_at("W:WKa5:Bc8,g8,d7,h7,a6,e6,c5,g5,b4,f4,a3,e3,h3,d2,Kc1,Kg1");

    draughts_expect_read(state, text, text);
}

Test(turkish_draughts, t30_a_colon_is_read_as_x)
{
    struct rules_state state = draughts_at("W:Wd4:Bd5,c6");

    draughts_expect_read(state, "d4:d6:b6", "d4xd6xb6");
    draughts_expect_read(state, "d4xd6:b6", "d4xd6xb6");
}

Test(turkish_draughts, t30_start_and_end_are_enough_where_all_such_captures_come_to_the_same)
{
    draughts_expect_read(draughts_at("W:Wd4:Bd5,c6"), "d4xb6", "d4xd6xb6");
    draughts_expect_after(draughts_at("W:WKa1:Ba3,a6,h8"), "a1xa7", "B:WKa7:Bh8");
}

Test(turkish_draughts, t30_an_exact_text_is_never_ambiguous)
{
    draughts_expect_read(draughts_at("W:WKd4:Bd6,h8"), "d4xd7", "d4xd7");
}

Test(turkish_draughts, t30_blanks_around_a_move_do_not_matter)
{
    draughts_expect_read(draughts_at(NULL), " \ta3-a4\r\n", "a3-a4");
}

static void expect_rewritten(const char *text, const char *canonical)
{
    struct rules_state state = draughts_at(text);
    char written[RULES_POSITION_TEXT];

    game->position_text(&state, written);
    cr_assert_str_eq(written, canonical);
}

Test(turkish_draughts, t31_the_start_position_has_its_text)
{
    struct rules_state state = draughts_at(NULL);
    char text[RULES_POSITION_TEXT];

    game->position_text(&state, text);
    cr_assert_str_eq(text, START);
    expect_rewritten(START, START);
}

Test(turkish_draughts, t31_squares_are_written_in_order_whatever_order_they_came_in)
{
    expect_rewritten("B:WKh8,a2,c1,b2:BKa1,h7,a8", "B:Wc1,a2,b2,Kh8:BKa1,h7,a8");
}

Test(turkish_draughts, t31_a_list_may_be_empty)
{
    expect_rewritten("W:W:Ba6", "W:W:Ba6");
    expect_rewritten("B:Wa6:B", "B:Wa6:B");
}

Test(turkish_draughts, t31_the_counters_are_written_unless_they_say_nothing)
{
    expect_rewritten("W:Wa2:Bh7:H0:F1", "W:Wa2:Bh7");
    expect_rewritten("W:Wa2:Bh7:H3:F1", "W:Wa2:Bh7:H3:F1");
    expect_rewritten("W:Wa2:Bh7:H0:F2", "W:Wa2:Bh7:H0:F2");
}

Test(turkish_draughts, t31_the_move_number_grows_after_black_s_move)
{
    draughts_expect_after(draughts_at("W:Wa2,b2:Bh7,g7"), "a2-a3", "B:Wb2,a3:Bg7,h7");
    draughts_expect_after(draughts_at("B:Wa2,b2:Bh7,g7"), "h7-h6", "W:Wa2,b2:Bh6,g7:H0:F2");
}

static uint64_t perft(const char *options, unsigned depth)
{
    static rules_move scratch[4096];
    struct rules_state state = draughts_with(options, NULL);

    return rules_perft(game, &state, depth, scratch, sizeof(scratch) / sizeof(scratch[0]));
}

Test(turkish_draughts, t32_perft_from_the_start)
{
    static const uint64_t nodes[] = {8, 64, 708, 7538, 85090, 931312, 10782382};

    for (unsigned i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++)
        cr_assert_eq(perft("", i + 1), nodes[i], "depth %u", i + 1);
}

Test(turkish_draughts, t32_perft_to_depth_8_tells_whether_turning_back_is_allowed)
{
    cr_assert_eq(perft("", 8), 123290300);
    cr_assert_eq(perft("turn180=allowed", 8), 123290588);
}

Test(turkish_draughts, t32_perft_ignores_draws_and_ends_where_no_move_is)
{
    struct rules_state drawn = draughts_at("W:WKa1:BKh8:H100:F60");
    struct rules_state lost = draughts_at("W:Wa1:Ba2,a3,Kb1,Kc1");
    rules_move scratch[256];

    cr_assert_eq(rules_perft(game, &drawn, 1, scratch, 256), 14);
    cr_assert_eq(rules_perft(game, &lost, 1, scratch, 256), 0);
    cr_assert_eq(rules_perft(game, &lost, 2, scratch, 256), 0);
}

Test(turkish_draughts, t33_a_game_can_be_written_as_pdn)
{
    cr_assert_str_eq(game->exports[0], "pdn");
}

/* ---- what clients are shown ---- */

static void expect_path(const char *position, const char *move_text, const char *expected)
{
    struct rules_state state = draughts_at(position);
    struct rules_refusal why;
    rules_move move;
    char click[RULES_PATH_MAX][RULES_SQUARE_TEXT], text[RULES_MOVE_TEXT] = "";
    size_t n;

    cr_assert(game->read_move(&state, move_text, &move, &why));
    n = game->path(&state, move, click);
    for (size_t i = 0; i < n; i++)
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i > 0 ? " " : "",
                 click[i]);
    cr_assert_str_eq(text, expected);
}

Test(turkish_draughts, the_clicks_of_a_move_are_its_squares)
{
    expect_path(START, "a3-a4", "a3 a4");
    expect_path("W:Wd4:Bd5,c6", "d4xb6", "d4 d6 b6");
}

static void write_effect(const struct rules_state *state, const struct rules_effect *effect,
                         char *out, size_t size)
{
    static const char *const names[] = {[RULES_EFFECT_MOVE] = "move",
                                        [RULES_EFFECT_CAPTURE] = "capture",
                                        [RULES_EFFECT_PROMOTE] = "promote"};
    const char *piece = game->pieces[effect->man.kind].ascii[effect->man.seat - 1];
    char from[RULES_SQUARE_TEXT], to[RULES_SQUARE_TEXT];

    rules_square_text(game->board(state), effect->from, from);
    rules_square_text(game->board(state), effect->to, to);
    if (effect->type == RULES_EFFECT_MOVE)
        snprintf(out, size, "move %s %s-%s,", piece, from, to);
    else
        snprintf(out, size, "%s %s %s,", names[effect->type], piece, to);
}

static void expect_effects(struct rules_state state, const char *move_text, const char *expected)
{
    struct rules_effect effects[RULES_EFFECTS_MAX];
    struct rules_refusal why;
    rules_move move;
    char text[1024] = "";
    size_t n;

    cr_assert(game->read_move(&state, move_text, &move, &why));
    n = game->effects(&state, move, effects);
    for (size_t i = 0; i < n; i++)
        write_effect(&state, &effects[i], text + strlen(text), sizeof(text) - strlen(text));
    cr_assert_str_eq(text, expected);
}

Test(turkish_draughts, the_effect_of_a_quiet_move_is_a_move)
{
    expect_effects(draughts_at(START), "a3-a4", "move w a3-a4,");
}

Test(turkish_draughts, the_effects_of_a_capture_are_each_jump_and_what_it_takes)
{
    expect_effects(draughts_at("B:WKd4,c3:Bd5"), "d5xb3",
                   "capture W d4,move b d5-d3,capture w c3,move b d3-b3,");
}

Test(turkish_draughts, the_effects_cross_a_taken_piece_s_square_without_taking_it_twice)
{
    expect_effects(draughts_at("W:WKd1:Bd3,f5,g4,b3"), "d1xa3",
                   "capture b d3,move W d1-d5,capture b f5,move W d5-g5,capture b g4,"
                   "move W g5-g3,capture b b3,move W g3-a3,");
}

Test(turkish_draughts, the_effects_show_when_a_man_is_crowned)
{
    expect_effects(draughts_at("W:Wa7:Bh8"), "a7-a8", "move w a7-a8,promote W a8,");
    expect_effects(draughts_at(REACHES_THE_LAST_RANK), "b6xd8",
                   "capture b b7,move w b6-b8,capture B c8,move w b8-d8,promote W d8,");
    expect_effects(draughts_with("promotion=immediate", REACHES_THE_LAST_RANK), "b6xd2",
                   "capture b b7,move w b6-b8,promote W b8,capture B c8,move W b8-d8,"
                   "capture b d3,move W d8-d2,");
}

Test(turkish_draughts, the_effects_with_removal_end_take_the_pieces_off_last)
{
    expect_effects(draughts_with("removal=end", "W:Wd4:Bd5,c6"), "d4xb6",
                   "move w d4-d6,move w d6-b6,capture b c6,capture b d5,");
}

Test(turkish_draughts, each_side_has_its_promotion_rank)
{
    unsigned a8 = 0, h1 = 63;

    cr_assert_eq(game->zones[0].seat, 1);
    cr_assert(game->zones[0].has(NULL, a8));
    cr_assert_not(game->zones[0].has(NULL, h1));
    cr_assert_eq(game->zones[1].seat, 2);
    cr_assert(game->zones[1].has(NULL, h1));
    cr_assert_not(game->zones[1].has(NULL, a8));
}
