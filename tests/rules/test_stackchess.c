/*
 * test_stackchess.c - the rules of Stackchess one by one (1 to 9). Texts, refusals and what clients
 * are told (10, 11, 13) are in test_stackchess_text.c, move counts (12) in test_stackchess_moves.c.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"

extern const struct rules_game rules_stackchess;

enum { MOVES_MAX = 1 << 14, TEXT_MAX = 1 << 12 };

static struct scene scene;

static void open_game(const char *options, const char *position)
{
    scene_open(&scene, &rules_stackchess, options, position);
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The legal moves that begin with `prefix` ("a1", "2a1"), in byte order, parted by blanks. */
static const char *moves(const char *prefix)
{
    static rules_move list[MOVES_MAX];
    static char text[MOVES_MAX][RULES_MOVE_TEXT], joined[TEXT_MAX];
    size_t n = rules_stackchess.legal(&scene.state, list, MOVES_MAX), len = 0, end = 0;

    for (size_t i = 0; i < n; i++) {
        rules_stackchess.move_text(&scene.state, list[i], text[len]);
        len += strncmp(text[len], prefix, strlen(prefix)) == 0;
    }
    qsort(text, len, sizeof(text[0]), by_bytes);
    joined[0] = '\0';
    for (size_t i = 0; i < len && end < TEXT_MAX; i++)
        end += (size_t)snprintf(joined + end, TEXT_MAX - end, "%s%s", i > 0 ? " " : "", text[i]);
    return joined;
}

/* The legal moves that begin with `prefix` in a position, under the default options. */
static const char *legal(const char *position, const char *prefix)
{
    open_game("", position);
    return moves(prefix);
}

static const char *after(const char *position, const char *played)
{
    open_game("", position);
    scene_play(&scene, played);
    return scene_position(&scene);
}

/* ---- 1 options ---- */

Test(stackchess, rule_1_the_defaults)
{
    static const int32_t defaults[] = {6, 0, 1, 0, 3, 100};

    for (size_t i = 0; i < rules_stackchess.noptions; i++)
        cr_assert_eq(rules_stackchess.options[i].fallback, defaults[i]);
}

Test(stackchess, rule_1_sizes_are_4_to_26)
{
    cr_assert(scene_starts(&scene, &rules_stackchess, "size=4", NULL));
    cr_assert(scene_starts(&scene, &rules_stackchess, "size=26", NULL));
    cr_assert_not(scene_starts(&scene, &rules_stackchess, "size=3", NULL));
    cr_assert_not(scene_starts(&scene, &rules_stackchess, "size=27", NULL));
    cr_assert_eq(scene.why.code, RULES_BAD_OPTION);
    cr_assert_str_eq(scene.why.option, "size");
}

Test(stackchess, rule_1_a_position_may_hold_knights_in_any_case)
{
    cr_assert_str_eq(legal("4/p3/4/C2C w - 0 1", "a1"), "a1b3 a1c2");
}

/* ---- 2 board ---- */

Test(stackchess, rule_2_1_files_are_letters_and_ranks_count_from_the_bottom)
{
    struct rules_man man;

    open_game("size=26", NULL);
    cr_assert_str_eq(moves("z2"), "z2z3 z2z4");
    cr_assert_eq(rules_stackchess.at(&scene.state, 25 * 26 + 25, &man, 1), 1);
    cr_assert_eq(man.seat, 1);
}

Test(stackchess, rule_2_2_white_begins_and_moves_up_black_down)
{
    open_game("", NULL);
    cr_assert_eq(rules_stackchess.to_move(&scene.state), 1);
    cr_assert_str_eq(moves("b2"), "b2b3 b2b4");
    scene_play(&scene, "b2b3");
    cr_assert_eq(rules_stackchess.to_move(&scene.state), 2);
    cr_assert_str_eq(moves("c5"), "c5c3 c5c4");
}

Test(stackchess, rule_2_3_a_stack_has_no_height_limit)
{
    char position[2 * RULES_STACK_MAX] = "3p/3p/4/(";

    memset(strchr(position, '\0'), 'D', RULES_STACK_MAX - 2);
    strcat(position, ")3 w - 0 1");
    open_game("", position);
    scene_play(&scene, "1022a1b1");
    cr_assert_eq(rules_stackchess.at(&scene.state, 13, NULL, 0), RULES_STACK_MAX - 2);
}

/* ---- 3 the initial array ---- */

static void expect_first_rank(const char *options, const char *first_rank)
{
    const char *last;

    open_game(options, NULL);
    last = strrchr(scene_position(&scene), '/') + 1;
    cr_assert_eq(strcspn(last, " "), strlen(first_rank));
    cr_assert_eq(strncmp(last, first_rank, strlen(first_rank)), 0, "%s: %s", options, last);
}

Test(stackchess, rule_3_2_bishop_and_rook_take_turns_outwards)
{
    expect_first_rank("size=4", "FDRF");
    expect_first_rank("size=5", "FDRFT");
    expect_first_rank("size=6", "TFDRFT");
    expect_first_rank("size=7", "TFDRFTF");
    expect_first_rank("size=8", "FTFDRFTF");
    expect_first_rank("size=9", "FTFDRFTFT");
    expect_first_rank("size=10", "TFTFDRFTFT");
    expect_first_rank("size=26", "TFTFTFTFTFTFDRFTFTFTFTFTFT");
}

Test(stackchess, rule_3_2_bishop_knight_and_rook_take_turns_outwards)
{
    expect_first_rank("size=4 knights=true", "FDRF");
    expect_first_rank("size=5 knights=true", "FDRFC");
    expect_first_rank("size=6 knights=true", "CFDRFC");
    expect_first_rank("size=7 knights=true", "CFDRFCT");
    expect_first_rank("size=8 knights=true", "TCFDRFCT");
    expect_first_rank("size=9 knights=true", "TCFDRFCTF");
    expect_first_rank("size=10 knights=true", "FTCFDRFCTF");
    expect_first_rank("size=26 knights=true", "TCFTCFTCFTCFDRFCTFCTFCTFCT");
}

Test(stackchess, rule_3_3_pawns_fill_the_second_rank_and_black_mirrors_white)
{
    open_game("size=5 knights=true", NULL);
    cr_assert_str_eq(scene_position(&scene), "fdrfc/ppppp/5/PPPPP/FDRFC w ABCDEabcde 0 1");
}

/* ---- 5 a move ---- */

Test(stackchess, rule_5_1_any_number_moves_from_the_top)
{
    open_game("", "p2p/4/4/(TFD)3 w - 0 1");
    cr_assert_str_eq(moves("2a1"), "2a1b2 2a1c3 2a1d4");
    cr_assert_str_eq(moves("3a1"), "");
}

Test(stackchess, rule_5_1_a_group_keeps_its_order)
{
    cr_assert_str_eq(after("p2p/4/4/(TFD)3 w - 0 1", "2a1b2"), "p2p/4/1(FD)2/T3 b - 1 1");
}

Test(stackchess, rule_5_2_a_group_is_put_on_top_of_an_own_stack)
{
    cr_assert_str_eq(after("p2p/4/4/(TD)(FR)2 w - 0 1", "2a1b1"), "p2p/4/4/1(FRTD)2 b - 1 1");
}

Test(stackchess, rule_5_3_one_piece_never_captures)
{
    cr_assert_str_eq(legal("3T/t3/4/T3 w - 0 1", "a1"), "a1a2 a1b1 a1c1 a1d1");
}

Test(stackchess, rule_5_3_as_many_do_not_capture)
{
    cr_assert_str_eq(legal("3t/(tt)3/4/(TT)3 w - 0 1", "2a1"), "2a1a2 2a1b1 2a1c1 2a1d1");
}

Test(stackchess, rule_5_3_one_more_captures_all)
{
    cr_assert_str_eq(after("3t/(tt)3/4/(TTT)3 w - 7 1", "3a1a3"), "3t/(TTT)3/4/4 b - 0 1");
}

Test(stackchess, rule_5_3_what_stays_behind_does_not_count)
{
    open_game("", "3t/(tt)3/4/(TTTT)3 w - 0 1");
    cr_assert_str_eq(moves("2a1a"), "2a1a2");
    cr_assert_str_eq(moves("3a1a"), "3a1a2 3a1a3");
}

Test(stackchess, rule_5_4_a_move_must_be_legal_for_every_piece)
{
    cr_assert_str_eq(legal("p2p/4/4/(DR)3 w - 0 1", "2a1"), "2a1a2 2a1b1 2a1b2");
}

Test(stackchess, rule_5_5_a_player_may_not_pass)
{
    open_game("", "p2p/4/4/(DR)3 w - 0 1");
    scene_refuses(&scene, "a1a1", RULES_WRONG_SHAPE, "stackchess.another-square");
}

/* ---- 6 straight moves ---- */

Test(stackchess, rule_6_1_the_king_steps_in_all_directions)
{
    cr_assert_str_eq(legal("5/p4/2R2/p4/4T w - 0 1", "c3"),
                     "c3b2 c3b3 c3b4 c3c2 c3c4 c3d2 c3d3 c3d4");
}

Test(stackchess, rule_6_1_the_queen_moves_in_all_directions)
{
    cr_assert_str_eq(legal("5/p4/2D2/p4/4T w - 0 1", "c3"),
                     "c3a1 c3a3 c3a5 c3b2 c3b3 c3b4 c3c1 c3c2 c3c4 c3c5 c3d2 c3d3 c3d4 c3e1 c3e3 "
                     "c3e5");
}

Test(stackchess, rule_6_1_the_bishop_moves_diagonally)
{
    cr_assert_str_eq(legal("5/p4/2F2/p4/4T w - 0 1", "c3"),
                     "c3a1 c3a5 c3b2 c3b4 c3d2 c3d4 c3e1 c3e5");
}

Test(stackchess, rule_6_1_the_rook_moves_along_ranks_and_files)
{
    cr_assert_str_eq(legal("5/p4/2T2/p4/4T w - 0 1", "c3"),
                     "c3a3 c3b3 c3c1 c3c2 c3c4 c3c5 c3d3 c3e3");
}

Test(stackchess, rule_6_2_own_pieces_block_what_is_behind_them)
{
    cr_assert_str_eq(legal("5/p1P2/2T2/p4/5 w - 0 1", "c3c"), "c3c1 c3c2 c3c4");
}

Test(stackchess, rule_6_2_enemies_block_what_is_behind_them)
{
    cr_assert_str_eq(legal("5/5/2(TT)p1/p4/5 w - 0 1", "2c3d"), "2c3d3");
    cr_assert_str_eq(legal("5/5/2(TT)p1/p4/5 w - 0 1", "2c3e"), "");
}

Test(stackchess, rule_6_3_a_group_with_a_knight_never_moves_straight)
{
    cr_assert_str_eq(legal("5/p4/2(TC)2/p4/5 w - 0 1", "2c3"),
                     "2c3a2 2c3a4 2c3b1 2c3b5 2c3d1 2c3d5 2c3e2 2c3e4");
}

/* ---- 7 pawns ---- */

Test(stackchess, rule_7_1_two_steps_for_a_pawn_that_never_moved)
{
    cr_assert_str_eq(legal("5/p4/5/1P2T/5 w B 0 1", "b2"), "b2b3 b2b4");
    cr_assert_str_eq(legal("5/p4/5/1P2T/5 w - 0 1", "b2"), "b2b3");
}

Test(stackchess, rule_7_1_a_pawn_steps_onto_own_pieces)
{
    cr_assert_str_eq(after("5/p4/1T3/1P3/5 w B 3 1", "b2b3"), "5/p4/1(TP)3/5/5 b - 0 1");
}

Test(stackchess, rule_7_2_two_pawns_capture_diagonally_forward)
{
    cr_assert_str_eq(legal("5/5/ppp2/1(PP)3/4T w - 0 1", "2b2"), "2b2a3 2b2c3");
}

Test(stackchess, rule_7_2_pawns_never_go_forward_onto_an_enemy)
{
    cr_assert_str_eq(legal("5/5/1p3/1(PP)3/4T w B 0 1", "2b2"), "");
    cr_assert_str_eq(legal("5/1p3/5/1(PT)3/4T w B 0 1", "2b2"), "2b2b3");
}

Test(stackchess, rule_7_2_pawns_never_go_diagonally_onto_empty_or_own_squares)
{
    cr_assert_str_eq(legal("5/4p/T4/1(PP)3/4T w - 0 1", "2b2"), "2b2b3");
}

Test(stackchess, rule_7_2_a_pawn_limits_the_queen_on_it)
{
    cr_assert_str_eq(legal("5/4p/p4/1(PD)3/5 w - 0 1", "2b2"), "2b2a3 2b2b3");
}

Test(stackchess, rule_7_2_a_rook_keeps_pawns_from_capturing_and_a_bishop_from_stepping)
{
    cr_assert_str_eq(legal("5/4p/p4/1(PT)3/5 w - 0 1", "2b2"), "2b2b3");
    cr_assert_str_eq(legal("5/4p/p4/1(PF)3/5 w - 0 1", "2b2"), "2b2a3");
}

Test(stackchess, rule_7_2_black_pawns_mirror_white_ones)
{
    cr_assert_str_eq(legal("5/1(pp)3/P1P2/5/4T b - 0 1", "2b4"), "2b4a3 2b4b3 2b4c3");
}

Test(stackchess, rule_7_3_the_square_jumped_by_a_double_step_must_be_empty)
{
    cr_assert_str_eq(legal("5/p4/1T3/1P3/5 w B 0 1", "b2"), "b2b3");
    cr_assert_str_eq(legal("5/p4/1p3/1P2T/5 w B 0 1", "b2"), "");
}

Test(stackchess, rule_7_3_a_double_step_may_land_on_an_own_stack)
{
    cr_assert_str_eq(legal("5/pT3/5/1P3/5 w B 0 1", "b2"), "b2b3 b2b4");
    cr_assert_str_eq(legal("5/pp3/5/1P2T/5 w B 0 1", "b2"), "b2b3");
}

Test(stackchess, rule_7_4_a_carried_pawn_has_no_double_step_when_it_comes_back)
{
    open_game("", "4t/5/5/1(PC)3/4T w B 0 1");
    scene_play(&scene, "2b2d3 e5d5 2d3b2 d5c5 b2d1 c5b5");
    cr_assert_str_eq(moves("b2"), "b2b3");
}

Test(stackchess, rule_7_4_pieces_that_come_and_go_do_not_move_the_pawn_below)
{
    open_game("", "4t/5/5/TP3/5 w B 0 1");
    scene_play(&scene, "a2b2 e5d5 b2c2 d5e5");
    cr_assert_str_eq(moves("b2"), "b2b3 b2b4");
}

Test(stackchess, rule_7_4_a_group_steps_twice_if_its_pawn_never_moved)
{
    cr_assert_str_eq(legal("4t/5/5/1(PT)3/5 w B 0 1", "2b2"), "2b2b3 2b2b4");
    cr_assert_str_eq(legal("4t/5/5/1(PPT)3/5 w B 0 1", "3b2"), "3b2b3");
    cr_assert_str_eq(legal("4t/5/5/1(PPT)3/5 w B 0 1", "2b2"), "2b2b3");
}

Test(stackchess, rule_7_4_a_king_in_the_group_keeps_it_to_one_step)
{
    cr_assert_str_eq(legal("4t/5/5/1(PR)3/5 w B 0 1", "2b2"), "2b2b3");
}

Test(stackchess, rule_7_5_the_screen_of_the_exercise)
{
    open_game("", NULL);
    scene_play(&scene, "b1a2 f6f5 a1a2 2f5f3");

    cr_assert_str_eq(scene_position(&scene),
                     "tfdrf1/ppppp1/6/5(pt)/(PFT)PPPPP/2DRFT w ABCDEFabcde 0 3");
}

Test(stackchess, rule_7_6_from_its_own_first_rank_a_pawn_takes_one_step)
{
    open_game("", "4t/5/1(PC)3/5/4T w - 0 1");
    scene_play(&scene, "2b3a1 e5d5");

    scene_play(&scene, "a1c2 d5e5");
    cr_assert_str_eq(moves("a1"), "a1a2");
}

/* ---- 8 knights ---- */

Test(stackchess, rule_8_1_a_knight_carries_one_piece)
{
    cr_assert_str_eq(legal("5/5/5/p4/(TTC)4 w - 0 1", "2a1"), "2a1b3 2a1c2");
    cr_assert_str_eq(legal("5/5/5/p4/(TTC)4 w - 0 1", "3a1"), "");
}

Test(stackchess, rule_8_1_the_place_of_the_knight_in_the_group_does_not_matter)
{
    cr_assert_str_eq(legal("5/5/5/p4/(TCT)4 w - 0 1", "2a1"), "2a1b3 2a1c2");
}

Test(stackchess, rule_8_1_knights_below_the_group_do_not_count)
{
    open_game("", "5/5/5/p4/(CCTT)4 w - 0 1");
    cr_assert_str_eq(moves("2a1"), "2a1a2 2a1b1 2a1c1 2a1d1 2a1e1");
    cr_assert_str_eq(moves("3a1"), "");
    cr_assert_str_eq(moves("4a1"), "4a1b3 4a1c2");
}

Test(stackchess, rule_8_2_a_carried_pawn_may_go_anywhere)
{
    cr_assert_str_eq(legal("5/4p/2(PC)2/5/5 w - 0 1", "2c3"),
                     "2c3a2 2c3a4 2c3b1 2c3b5 2c3d1 2c3d5 2c3e2 2c3e4");
}

Test(stackchess, rule_8_2_nothing_blocks_a_leap)
{
    cr_assert_str_eq(legal("5/1ttt1/1tCt1/1TTT1/5 w - 0 1", "c3"),
                     "c3a2 c3a4 c3b1 c3b5 c3d1 c3d5 c3e2 c3e4");
}

Test(stackchess, rule_8_3_carried_pieces_count_for_a_capture)
{
    open_game("", "5/5/1p3/2(pp)2/(PC)4 w - 0 1");
    cr_assert_str_eq(moves("a1"), "");
    cr_assert_str_eq(moves("2a1"), "2a1b3");
}

Test(stackchess, rule_8_4_a_pawn_that_arrives_becomes_a_queen)
{
    cr_assert_str_eq(after("5/P3t/5/5/4T w - 9 1", "a4a5"), "D4/4t/5/5/4T b - 0 1");
    cr_assert_str_eq(after("4t/5/5/p4/4T b - 9 1", "a2a1"), "4t/5/5/5/d3T w - 0 2");
}

Test(stackchess, rule_8_4_pawns_become_queens_by_a_capture_too)
{
    cr_assert_str_eq(after("1t2t/(PP)4/5/5/5 w - 0 1", "2a4b5"), "1(DD)2t/5/5/5/5 b - 0 1");
}

Test(stackchess, rule_8_4_carried_pawns_become_queens_in_their_place)
{
    cr_assert_str_eq(after("4t/5/(TPC)4/5/5 w - 0 1", "2a3b5"), "1(DC)2t/5/T4/5/5 b - 0 1");
}

Test(stackchess, rule_8_4_a_pawn_becomes_a_queen_on_an_own_stack)
{
    cr_assert_str_eq(after("(TT)3t/P4/5/5/5 w - 0 1", "a4a5"), "(TTD)3t/5/5/5/5 b - 0 1");
}

Test(stackchess, rule_8_4_the_own_first_rank_promotes_nobody)
{
    cr_assert_str_eq(after("4t/5/1(PC)3/5/4T w - 0 1", "2b3a1"), "4t/5/5/5/(PC)3T b - 0 1");
}

Test(stackchess, rule_8_4_without_promotion_a_pawn_is_stuck_on_the_last_rank)
{
    open_game("promotion=false", "5/P3t/5/5/4T w - 0 1");
    scene_play(&scene, "a4a5 e4d4");
    cr_assert_str_eq(scene_position(&scene), "P4/3t1/5/5/4T w - 1 2");
    cr_assert_str_eq(moves("a5"), "");
}

/* ---- 9 the ends ---- */

static const char *end_of(const char *options, const char *position)
{
    open_game(options, position);
    return scene_outcome(&scene);
}

/* How the game stands after the moves, with the past that they make. */
static const char *end_after(const char *options, const char *position, const char *played)
{
    open_game(options, position);
    scene_play(&scene, played);
    return scene_outcome(&scene);
}

Test(stackchess, rule_9_1_taking_every_piece_wins)
{
    cr_assert_str_eq(end_after("", "5/5/t4/5/(TT)4 w - 0 1", "2a1a3"), "1:all_captured");
    cr_assert_str_eq(end_of("", "5/5/t4/5/5 b - 0 1"), "2:all_captured");
}

Test(stackchess, rule_9_1_the_king_is_taken_like_any_other)
{
    cr_assert_str_eq(end_after("", "4t/5/r4/5/(TT)4 w - 0 1", "2a1a3"), "ongoing");
}

Test(stackchess, rule_9_2_two_sides_that_cannot_move_two_together_draw)
{
    cr_assert_str_eq(end_of("", "3t/4/4/FT2 w - 0 1"), "draw:dead");
    cr_assert_str_eq(end_of("", "3p/4/4/R3 b - 0 1"), "draw:dead");
    cr_assert_str_eq(end_of("", "2tf/4/4/(FT)3 w - 0 1"), "draw:dead");
}

Test(stackchess, rule_9_2_any_other_pair_shares_a_move)
{
    static const char kinds[] = "RDFTCP";
    char position[] = "t3/4/XY2/4 w - 0 1";

    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 6; j++) {
            bool bishop_and_rook = kinds[i] + kinds[j] == 'F' + 'T';

            position[5] = kinds[i];
            position[6] = kinds[j];
            cr_assert_str_eq(end_of("", position), bishop_and_rook ? "draw:dead" : "ongoing", "%s",
                             position);
        }
}

Test(stackchess, rule_9_2_one_side_that_is_not_dead_plays_on)
{
    cr_assert_str_eq(end_of("", "3t/4/4/FTP1 w - 0 1"), "ongoing");
    cr_assert_str_eq(end_of("", "2tt/4/4/FT2 w - 0 1"), "ongoing");
}

Test(stackchess, rule_9_4_no_legal_move_is_a_draw_by_default)
{
    cr_assert_str_eq(end_of("", "4/(tt)3/P3/4 w - 0 1"), "draw:stalemate");
}

Test(stackchess, rule_9_4_no_legal_move_may_be_a_loss)
{
    cr_assert_str_eq(end_of("stalemate=loss", "4/(tt)3/P3/4 w - 0 1"), "2:stalemate");
    cr_assert_str_eq(end_of("stalemate=loss", "4/p3/(TT)3/4 b - 0 1"), "1:stalemate");
}

#define SHUFFLE "d1c1 d4c4 c1d1 c4d4"
#define CARRY   "2a1b3 d4c4 2b3a1 c4d4"

Test(stackchess, rule_9_5_the_third_occurrence_draws_the_start_included)
{
    const char *position = "3t/t3/4/T2T w - 0 1";

    cr_assert_str_eq(end_after("", position, SHUFFLE), "ongoing");
    cr_assert_str_eq(end_after("", position, SHUFFLE " d1c1 d4c4 c1d1"), "ongoing");
    cr_assert_str_eq(end_after("", position, SHUFFLE " " SHUFFLE), "draw:repetition");
}

Test(stackchess, rule_9_5_the_number_of_occurrences_is_an_option)
{
    const char *position = "3t/t3/4/T2T w - 0 1";

    cr_assert_str_eq(end_after("repetition=2", position, SHUFFLE), "draw:repetition");
    cr_assert_str_eq(end_after("repetition=4", position, SHUFFLE " " SHUFFLE), "ongoing");
    cr_assert_str_eq(end_after("repetition=0", position, SHUFFLE " " SHUFFLE), "ongoing");
}

Test(stackchess, rule_9_5_a_pawn_that_is_carried_to_and_fro_repeats_the_position)
{
    cr_assert_str_eq(end_after("", "3t/t3/4/(PC)2T w - 0 1", CARRY " " CARRY), "draw:repetition");
}

static size_t span_of(const char *options, const char *position)
{
    open_game(options, position);
    return rules_stackchess.span(&scene.state);
}

Test(stackchess, rule_9_5_the_span_is_all_plies_where_a_knight_can_carry_pawns_back)
{
    cr_assert_eq(span_of("", "3t/t3/4/(PC)2T b - 0 9"), 17);
    cr_assert_eq(span_of("", "3t/t3/1P2/2CT b B 4 9"), 4);
    cr_assert_eq(span_of("repetition=0", "3t/t3/4/(PC)2T b - 4 9"), 0);
}

static uint64_t key_of(const char *position)
{
    open_game("", position);
    return rules_stackchess.key(&scene.state);
}

Test(stackchess, rule_9_5_a_position_is_stacks_with_order_flags_and_side)
{
    uint64_t key = key_of("3t/t3/1(PT)2/3T w B 0 1");

    cr_assert_eq(key, key_of("3t/t3/1(PT)2/3T w B 9 7"), "the counters do not matter");
    cr_assert_neq(key, key_of("3t/t3/1(TP)2/3T w - 0 1"), "the order does");
    cr_assert_neq(key, key_of("3t/t3/1(PT)2/3T w - 0 1"), "the flags do");
    cr_assert_neq(key, key_of("3t/t3/1(PT)2/3T b B 0 1"), "the side does");
    cr_assert_neq(key, key_of("3T/t3/1(PT)2/3T w B 0 1"), "the colour does");
    cr_assert_neq(key, key_of("3t/t3/1P2/3(TT) w B 0 1"), "the square does");
    cr_assert_eq(key & 1, 0, "there is no check");
}

Test(stackchess, rule_9_5_the_side_to_move_is_not_taken_for_a_man)
{
    cr_assert_neq(key_of("4/tt2/4/TT2 w - 0 1"), key_of("R3/tt2/4/TT2 b - 0 1"));
}

Test(stackchess, rule_9_5_the_same_position_has_one_key_whatever_led_to_it)
{
    open_game("", "3t/t3/1(FT)2/(TF)2T w - 0 1");
    scene_play(&scene, "b2b1 d4c4 b1b2 c4d4");
    cr_assert_eq(rules_stackchess.key(&scene.state), scene.keys[0]);
}

Test(stackchess, rule_9_6_plies_without_progress_draw_at_the_limit)
{
    cr_assert_str_eq(end_of("", "3t/t3/4/T2T w - 99 60"), "ongoing");
    cr_assert_str_eq(end_of("", "3t/t3/4/T2T w - 100 60"), "draw:no_progress");
    cr_assert_str_eq(end_of("no_progress=5", "3t/t3/4/T2T w - 5 60"), "draw:no_progress");
    cr_assert_str_eq(end_of("no_progress=0", "3t/t3/4/T2T w - 5000 60"), "ongoing");
}

Test(stackchess, rule_9_6_a_capture_and_any_moved_pawn_are_progress)
{
    cr_assert_str_eq(after("3t/p3/4/(TT)2T w - 7 9", "a1b1"), "3t/p3/4/TT1T b - 8 9");
    cr_assert_str_eq(after("3t/p3/4/(TT)2T w - 7 9", "2a1a3"), "3t/(TT)3/4/3T b - 0 9");
    cr_assert_str_eq(after("3t/p3/4/(PC)2T w - 7 9", "2a1c2"), "3t/p3/2(PC)1/3T b - 0 9");
    cr_assert_str_eq(after("3t/p3/4/(PC)2T w - 7 9", "a1c2"), "3t/p3/2C1/P2T b - 8 9");
}

Test(stackchess, rule_9_6_the_order_of_the_ends)
{
    cr_assert_str_eq(end_of("", "4/4/4/T3 w - 100 60"), "1:all_captured");
    cr_assert_str_eq(end_of("", "4/(tt)3/P3/4 w - 100 60"), "draw:stalemate");
}

Test(stackchess, rule_9_7_after_the_end_there_are_no_moves)
{
    cr_assert_str_eq(legal("4/4/4/T3 w - 0 1", ""), "");
    cr_assert_str_eq(legal("3t/4/4/FT2 w - 0 1", ""), "");
}

Test(stackchess, rule_9_7_counted_draws_are_no_part_of_the_moves)
{
    cr_assert_str_eq(legal("3t/t3/4/3R w - 100 60", ""), "d1c1 d1c2 d1d2");
}
