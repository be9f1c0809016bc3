/* test_dama.c - the functions of examples/dama.h and its sample games. */
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdio.h>
#include <string.h>

#include "examples/dama.h"

/* A board from its eight ranks, the eighth first, as display_board() prints them. */
static void set_board(piece board[][8], const char *const ranks[8])
{
    static const char symbols[] = "wbWB-";

    init_board(board);
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++)
            board[y][x] = (piece)(strchr(symbols, ranks[7 - y][x]) - symbols);
}

static void expect_board(piece board[][8], const char *const ranks[8])
{
    piece expected[8][8];

    set_board(expected, ranks);
    cr_assert_arr_eq(board, expected, sizeof(expected));
}

static int play(piece board[][8], const char *from, const char *to, player p)
{
    return move(board, from[0] - 'a', from[1] - '1', to[0] - 'a', to[1] - '1', p);
}

Test(dama, init_board_puts_the_men_on_the_second_and_third_ranks)
{
    piece board[8][8];

    init_board(board);
    for (int x = 0; x < 8; x++)
        for (int y = 0; y < 8; y++)
            cr_assert_eq(board[y][x], y == 1 || y == 2   ? white_man
                                      : y == 5 || y == 6 ? black_man
                                                         : empty);
}

Test(dama, a_move_without_capture_is_played_and_returns_0)
{
    piece board[8][8];

    init_board(board);
    cr_assert_eq(play(board, "a3", "a4", white), 0);
    cr_assert_eq(board[2][0], empty);
    cr_assert_eq(board[3][0], white_man);
}

Test(dama, a_piece_that_is_not_the_player_s_gives_minus_1)
{
    piece board[8][8];

    init_board(board);
    cr_assert_eq(play(board, "a6", "a5", white), -1);
    cr_assert_eq(play(board, "a4", "a5", white), -1);
    cr_assert_eq(move(board, -1, 2, 0, 2, white), -1);
    cr_assert_eq(move(board, 0, 8, 0, 7, white), -1);
}

Test(dama, a_move_that_the_rules_forbid_gives_minus_2_and_changes_nothing)
{
    piece board[8][8], before[8][8];

    init_board(board);
    init_board(before);
    cr_assert_eq(play(board, "a3", "b4", white), -2);
    cr_assert_eq(play(board, "a2", "a3", white), -2);
    cr_assert_eq(move(board, 0, 2, -1, 2, white), -2);
    cr_assert_arr_eq(board, before, sizeof(board));
}

Test(dama, a_capture_of_several_pieces_is_one_move_and_returns_their_number)
{
    piece board[8][8];

    set_board(board, (const char *const[]){"--------", "--------", "--b-----", "---b----",
                                           "---w----", "--------", "--------", "--------"});
    cr_assert_eq(play(board, "d4", "b6", white), 2);
    expect_board(board, (const char *const[]){"--------", "--------", "-w------", "--------",
                                              "--------", "--------", "--------", "--------"});
}

Test(dama, a_capture_must_be_made)
{
    piece board[8][8];

    set_board(board, (const char *const[]){"--------", "--------", "--------", "---b----",
                                           "---w----", "--------", "w-------", "--------"});
    cr_assert_eq(play(board, "a2", "a3", white), -2);
    cr_assert_eq(play(board, "d4", "d6", white), 1);
}

Test(dama, where_two_captures_fit_one_of_them_is_played)
{
    piece board[8][8];

    set_board(board, (const char *const[]){"--------", "--------", "--------", "--b-----",
                                           "-b------", "b-b-----", "wb------", "--------"});
    cr_assert_eq(play(board, "a2", "c6", white), 3);
    cr_assert_eq(board[5][2], white_man);
}

Test(dama, a_man_becomes_a_king_on_the_last_rank)
{
    piece board[8][8];

    set_board(board, (const char *const[]){"--------", "w-------", "--------", "--------",
                                           "--------", "--------", "b------b", "--------"});
    cr_assert_eq(play(board, "a7", "a8", white), 0);
    cr_assert_eq(board[7][0], white_king);
    cr_assert_eq(play(board, "h2", "h1", black), 0);
    cr_assert_eq(board[0][7], black_king);
}

Test(dama, a_board_that_cannot_arise_allows_no_move)
{
    piece board[8][8];

    set_board(board, (const char *const[]){"w-------", "--------", "--------", "--------",
                                           "--------", "--------", "b------w", "--------"});
    cr_assert_eq(play(board, "h2", "h3", white), -2);
}

Test(dama, the_game_goes_on_at_the_start)
{
    piece board[8][8];

    init_board(board);
    cr_assert_eq(check_end_of_game(board), -1);
}

Test(dama, taking_the_last_piece_wins)
{
    piece board[8][8];

    set_board(board, (const char *const[]){"--------", "--------", "--------", "---b----",
                                           "---w----", "--------", "--------", "--------"});
    cr_assert_eq(check_end_of_game(board), -1);
    play(board, "d4", "d6", white);
    cr_assert_eq(check_end_of_game(board), white);
}

Test(dama, a_player_without_pieces_has_lost)
{
    piece board[8][8];

    set_board(board, (const char *const[]){"--------", "--------", "--------", "---b----",
                                           "--------", "--------", "--------", "--------"});
    cr_assert_eq(check_end_of_game(board), black);
}

Test(dama, a_player_who_cannot_move_has_lost_when_it_is_their_turn)
{
    piece board[8][8];

    set_board(board, (const char *const[]){"bWW-----", "w-------", "w-------", "--------",
                                           "--------", "--------", "-------w", "--------"});
    cr_assert_eq(check_end_of_game(board), -1);
    play(board, "h2", "h3", white);
    cr_assert_eq(check_end_of_game(board), white);
}

Test(dama, display_board_prints_the_symbols, .init = cr_redirect_stdout)
{
    piece board[8][8];

    set_board(board, (const char *const[]){"-------W", "--------", "------b-", "--------",
                                           "--------", "-w------", "--------", "B-------"});
    display_board(board);
    fflush(stdout);
    cr_assert_stdout_eq_str("8 - - - - - - - W\n"
                            "7 - - - - - - - -\n"
                            "6 - - - - - - b -\n"
                            "5 - - - - - - - -\n"
                            "4 - - - - - - - -\n"
                            "3 - w - - - - - -\n"
                            "2 - - - - - - - -\n"
                            "1 B - - - - - - -\n"
                            "  a b c d e f g h\n");
}

/* Asserts what was printed from the last move on. */
static void expect_last_move(const char *expected)
{
    char printed[32768];
    FILE *out;
    size_t n;
    char *last, *colon;

    fflush(stdout);
    out = cr_get_redirected_stdout();
    n = fread(printed, 1, sizeof(printed) - 1, out);
    printed[n] = '\0';
    colon = strrchr(printed, ':');
    cr_assert_not_null(colon);
    for (last = colon; last > printed && last[-1] != '\n';)
        last--;
    cr_assert_str_eq(last, expected);
}

Test(dama, the_first_sample_game_is_played_to_its_end, .init = cr_redirect_stdout)
{
    sample_game_1();
    expect_last_move("White: a4xh4 (captures 1)\n"
                     "8 - - - - - - - -\n"
                     "7 - - - - - - - -\n"
                     "6 - - - - - - - -\n"
                     "5 - - - - w - - -\n"
                     "4 - - - - - - - W\n"
                     "3 - - - - - - - -\n"
                     "2 - - - - - - - -\n"
                     "1 - - - - - - - -\n"
                     "  a b c d e f g h\n"
                     "\n"
                     "White wins.\n");
}

Test(dama, the_second_sample_game_is_won_by_a_capture_of_ten, .init = cr_redirect_stdout)
{
    sample_game_2();
    expect_last_move("White: h8xh5xh1xd1xd6xf6xf3xd3xa3xa7xg7 (captures 10)\n"
                     "8 - - - - - - - -\n"
                     "7 - - - - - - W -\n"
                     "6 - - - - - - - -\n"
                     "5 - w - - - - - -\n"
                     "4 - - - - - - - -\n"
                     "3 - - - - - - - -\n"
                     "2 - - - - - - - -\n"
                     "1 - - - - - - - -\n"
                     "  a b c d e f g h\n"
                     "\n"
                     "White wins.\n");
}
