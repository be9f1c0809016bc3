/*
 * test_stackchess.c - the rules of Stackchess one by one (1-9), and its move counts (12).
 *
 * Texts, refusals and what clients are told (10, 11, 13) are in test_stackchess_text.c.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "stackchess_scene.h"

/* ---- 1 options ---- */

Test(stackchess, rule_1_the_defaults)
{
    static const int32_t defaults[] = {6, 0, 1, 0, 3, 100};

    for (size_t i = 0; i < rules_stackchess.noptions; i++)
        cr_assert_eq(rules_stackchess.options[i].fallback, defaults[i]);
}

Test(stackchess, rule_1_sizes_are_4_to_26)
{
    struct rules_state state;
    struct rules_refusal why;

    cr_assert(scene_try("size=4", NULL, &state, &why));
    cr_assert(scene_try("size=26", NULL, &state, &why));
    cr_assert_not(scene_try("size=3", NULL, &state, &why));
    cr_assert_not(scene_try("size=27", NULL, &state, &why));
    cr_assert_eq(why.code, RULES_BAD_OPTION);
    cr_assert_str_eq(why.option, "size");
}

Test(stackchess, rule_1_a_position_may_hold_knights_in_any_case)
{
    cr_assert_str_eq(scene_legal("4/p3/4/C2C w - 0 1", "a1"), "a1b3 a1c2");
}

/* ---- 2 board ---- */

Test(stackchess, rule_2_1_files_are_letters_and_ranks_count_from_the_bottom)
{
    struct rules_state state = scene("size=26", NULL);
    struct rules_man man;

    cr_assert_str_eq(scene_moves(&state, "z2"), "z2z3 z2z4");
    cr_assert_eq(rules_stackchess.at(&state, 25 * 26 + 25, &man, 1), 1);
    cr_assert_eq(man.seat, 1);
}

Test(stackchess, rule_2_2_white_begins_and_moves_up_black_down)
{
    struct rules_state state = scene("", NULL);

    cr_assert_eq(rules_stackchess.to_move(&state), 1);
    cr_assert_str_eq(scene_moves(&state, "b2"), "b2b3 b2b4");
    state = scene_play(state, "b2b3");
    cr_assert_eq(rules_stackchess.to_move(&state), 2);
    cr_assert_str_eq(scene_moves(&state, "c5"), "c5c3 c5c4");
}

Test(stackchess, rule_2_3_a_stack_has_no_height_limit)
{
    char position[2 * RULES_STACK_MAX] = "3p/3p/4/(";
    struct rules_state state;

    memset(strchr(position, '\0'), 'D', RULES_STACK_MAX - 2);
    strcat(position, ")3 w - 0 1");
    state = scene_play(scene("", position), "1022a1b1");
    cr_assert_eq(rules_stackchess.at(&state, 13, NULL, 0), RULES_STACK_MAX - 2);
}

/* ---- 3 the initial array ---- */

static void expect_first_rank(const char *options, const char *first_rank)
{
    struct rules_state state = scene(options, NULL);
    const char *last = strrchr(scene_text(&state), '/') + 1;

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
    struct rules_state state = scene("size=5 knights=true", NULL);

    cr_assert_str_eq(scene_text(&state), "fdrfc/ppppp/5/PPPPP/FDRFC w ABCDEabcde 0 1");
}

/* ---- 5 a move ---- */

Test(stackchess, rule_5_1_any_number_moves_from_the_top)
{
    struct rules_state state = scene("", "p2p/4/4/(TFD)3 w - 0 1");

    cr_assert_str_eq(scene_moves(&state, "2a1"), "2a1b2 2a1c3 2a1d4");
    cr_assert_str_eq(scene_moves(&state, "3a1"), "");
}

Test(stackchess, rule_5_1_a_group_keeps_its_order)
{
    cr_assert_str_eq(scene_after("p2p/4/4/(TFD)3 w - 0 1", "2a1b2"), "p2p/4/1(FD)2/T3 b - 1 1");
}

Test(stackchess, rule_5_2_a_group_is_put_on_top_of_an_own_stack)
{
    cr_assert_str_eq(scene_after("p2p/4/4/(TD)(FR)2 w - 0 1", "2a1b1"), "p2p/4/4/1(FRTD)2 b - 1 1");
}

Test(stackchess, rule_5_3_one_piece_never_captures)
{
    cr_assert_str_eq(scene_legal("3T/t3/4/T3 w - 0 1", "a1"), "a1a2 a1b1 a1c1 a1d1");
}

Test(stackchess, rule_5_3_as_many_do_not_capture)
{
    cr_assert_str_eq(scene_legal("3t/(tt)3/4/(TT)3 w - 0 1", "2a1"), "2a1a2 2a1b1 2a1c1 2a1d1");
}

Test(stackchess, rule_5_3_one_more_captures_all)
{
    cr_assert_str_eq(scene_after("3t/(tt)3/4/(TTT)3 w - 7 1", "3a1a3"), "3t/(TTT)3/4/4 b - 0 1");
}

Test(stackchess, rule_5_3_what_stays_behind_does_not_count)
{
    struct rules_state state = scene("", "3t/(tt)3/4/(TTTT)3 w - 0 1");

    cr_assert_str_eq(scene_moves(&state, "2a1a"), "2a1a2");
    cr_assert_str_eq(scene_moves(&state, "3a1a"), "3a1a2 3a1a3");
}

Test(stackchess, rule_5_4_a_move_must_be_legal_for_every_piece)
{
    cr_assert_str_eq(scene_legal("p2p/4/4/(DR)3 w - 0 1", "2a1"), "2a1a2 2a1b1 2a1b2");
}

Test(stackchess, rule_5_5_a_player_may_not_pass)
{
    struct rules_refusal why = scene_refusal("p2p/4/4/(DR)3 w - 0 1", "a1a1");

    cr_assert_eq(why.code, RULES_WRONG_SHAPE);
    cr_assert_str_eq(why.law->number, "5.1");
}

/* ---- 6 straight moves ---- */

Test(stackchess, rule_6_1_the_king_steps_in_all_directions)
{
    cr_assert_str_eq(scene_legal("5/p4/2R2/p4/4T w - 0 1", "c3"),
                     "c3b2 c3b3 c3b4 c3c2 c3c4 c3d2 c3d3 c3d4");
}

Test(stackchess, rule_6_1_the_queen_moves_in_all_directions)
{
    cr_assert_str_eq(scene_legal("5/p4/2D2/p4/4T w - 0 1", "c3"),
                     "c3a1 c3a3 c3a5 c3b2 c3b3 c3b4 c3c1 c3c2 c3c4 c3c5 c3d2 c3d3 c3d4 c3e1 c3e3 "
                     "c3e5");
}

Test(stackchess, rule_6_1_the_bishop_moves_diagonally)
{
    cr_assert_str_eq(scene_legal("5/p4/2F2/p4/4T w - 0 1", "c3"),
                     "c3a1 c3a5 c3b2 c3b4 c3d2 c3d4 c3e1 c3e5");
}

Test(stackchess, rule_6_1_the_rook_moves_along_ranks_and_files)
{
    cr_assert_str_eq(scene_legal("5/p4/2T2/p4/4T w - 0 1", "c3"),
                     "c3a3 c3b3 c3c1 c3c2 c3c4 c3c5 c3d3 c3e3");
}

Test(stackchess, rule_6_2_own_pieces_block_what_is_behind_them)
{
    cr_assert_str_eq(scene_legal("5/p1P2/2T2/p4/5 w - 0 1", "c3c"), "c3c1 c3c2 c3c4");
}

Test(stackchess, rule_6_2_enemies_block_what_is_behind_them)
{
    cr_assert_str_eq(scene_legal("5/5/2(TT)p1/p4/5 w - 0 1", "2c3d"), "2c3d3");
    cr_assert_str_eq(scene_legal("5/5/2(TT)p1/p4/5 w - 0 1", "2c3e"), "");
}

Test(stackchess, rule_6_3_a_group_with_a_knight_never_moves_straight)
{
    cr_assert_str_eq(scene_legal("5/p4/2(TC)2/p4/5 w - 0 1", "2c3"),
                     "2c3a2 2c3a4 2c3b1 2c3b5 2c3d1 2c3d5 2c3e2 2c3e4");
}

/* ---- 7 pawns ---- */

Test(stackchess, rule_7_1_two_steps_for_a_pawn_that_never_moved)
{
    cr_assert_str_eq(scene_legal("5/p4/5/1P2T/5 w B 0 1", "b2"), "b2b3 b2b4");
    cr_assert_str_eq(scene_legal("5/p4/5/1P2T/5 w - 0 1", "b2"), "b2b3");
}

Test(stackchess, rule_7_1_a_pawn_steps_onto_own_pieces)
{
    cr_assert_str_eq(scene_after("5/p4/1T3/1P3/5 w B 3 1", "b2b3"), "5/p4/1(TP)3/5/5 b - 0 1");
}

Test(stackchess, rule_7_2_two_pawns_capture_diagonally_forward)
{
    cr_assert_str_eq(scene_legal("5/5/ppp2/1(PP)3/4T w - 0 1", "2b2"), "2b2a3 2b2c3");
}

Test(stackchess, rule_7_2_pawns_never_go_forward_onto_an_enemy)
{
    cr_assert_str_eq(scene_legal("5/5/1p3/1(PP)3/4T w B 0 1", "2b2"), "");
    cr_assert_str_eq(scene_legal("5/1p3/5/1(PT)3/4T w B 0 1", "2b2"), "2b2b3");
}

Test(stackchess, rule_7_2_pawns_never_go_diagonally_onto_empty_or_own_squares)
{
    cr_assert_str_eq(scene_legal("5/4p/T4/1(PP)3/4T w - 0 1", "2b2"), "2b2b3");
}

Test(stackchess, rule_7_2_a_pawn_limits_the_queen_on_it)
{
    cr_assert_str_eq(scene_legal("5/4p/p4/1(PD)3/5 w - 0 1", "2b2"), "2b2a3 2b2b3");
}

Test(stackchess, rule_7_2_a_rook_keeps_pawns_from_capturing_and_a_bishop_from_stepping)
{
    cr_assert_str_eq(scene_legal("5/4p/p4/1(PT)3/5 w - 0 1", "2b2"), "2b2b3");
    cr_assert_str_eq(scene_legal("5/4p/p4/1(PF)3/5 w - 0 1", "2b2"), "2b2a3");
}

Test(stackchess, rule_7_2_black_pawns_mirror_white_ones)
{
    cr_assert_str_eq(scene_legal("5/1(pp)3/P1P2/5/4T b - 0 1", "2b4"), "2b4a3 2b4b3 2b4c3");
}

Test(stackchess, rule_7_3_the_square_jumped_by_a_double_step_must_be_empty)
{
    cr_assert_str_eq(scene_legal("5/p4/1T3/1P3/5 w B 0 1", "b2"), "b2b3");
    cr_assert_str_eq(scene_legal("5/p4/1p3/1P2T/5 w B 0 1", "b2"), "");
}

Test(stackchess, rule_7_3_a_double_step_may_land_on_an_own_stack)
{
    cr_assert_str_eq(scene_legal("5/pT3/5/1P3/5 w B 0 1", "b2"), "b2b3 b2b4");
    cr_assert_str_eq(scene_legal("5/pp3/5/1P2T/5 w B 0 1", "b2"), "b2b3");
}

Test(stackchess, rule_7_4_a_carried_pawn_has_no_double_step_when_it_comes_back)
{
    struct rules_state state = scene("", "4t/5/5/1(PC)3/4T w B 0 1");

    state = scene_play(state, "2b2d3 e5d5 2d3b2 d5c5 b2d1 c5b5");
    cr_assert_str_eq(scene_moves(&state, "b2"), "b2b3");
}

Test(stackchess, rule_7_4_pieces_that_come_and_go_do_not_move_the_pawn_below)
{
    struct rules_state state = scene("", "4t/5/5/TP3/5 w B 0 1");

    state = scene_play(state, "a2b2 e5d5 b2c2 d5e5");
    cr_assert_str_eq(scene_moves(&state, "b2"), "b2b3 b2b4");
}

Test(stackchess, rule_7_4_a_group_steps_twice_if_its_pawn_never_moved)
{
    cr_assert_str_eq(scene_legal("4t/5/5/1(PT)3/5 w B 0 1", "2b2"), "2b2b3 2b2b4");
    cr_assert_str_eq(scene_legal("4t/5/5/1(PPT)3/5 w B 0 1", "3b2"), "3b2b3");
    cr_assert_str_eq(scene_legal("4t/5/5/1(PPT)3/5 w B 0 1", "2b2"), "2b2b3");
}

Test(stackchess, rule_7_4_a_king_in_the_group_keeps_it_to_one_step)
{
    cr_assert_str_eq(scene_legal("4t/5/5/1(PR)3/5 w B 0 1", "2b2"), "2b2b3");
}

Test(stackchess, rule_7_5_the_seeds_own_screen)
{
    struct rules_state state = scene_play(scene("", NULL), "b1a2 f6f5 a1a2 2f5f3");

    cr_assert_str_eq(scene_text(&state),
                     "tfdrf1/ppppp1/6/5(pt)/(PFT)PPPPP/2DRFT w ABCDEFabcde 0 3");
}

Test(stackchess, rule_7_6_from_its_own_first_rank_a_pawn_takes_one_step)
{
    struct rules_state state = scene_play(scene("", "4t/5/1(PC)3/5/4T w - 0 1"), "2b3a1 e5d5");

    state = scene_play(state, "a1c2 d5e5");
    cr_assert_str_eq(scene_moves(&state, "a1"), "a1a2");
}

/* ---- 8 knights ---- */

Test(stackchess, rule_8_1_a_knight_carries_one_piece)
{
    cr_assert_str_eq(scene_legal("5/5/5/p4/(TTC)4 w - 0 1", "2a1"), "2a1b3 2a1c2");
    cr_assert_str_eq(scene_legal("5/5/5/p4/(TTC)4 w - 0 1", "3a1"), "");
}

Test(stackchess, rule_8_1_the_place_of_the_knight_in_the_group_does_not_matter)
{
    cr_assert_str_eq(scene_legal("5/5/5/p4/(TCT)4 w - 0 1", "2a1"), "2a1b3 2a1c2");
}

Test(stackchess, rule_8_1_knights_below_the_group_do_not_count)
{
    struct rules_state state = scene("", "5/5/5/p4/(CCTT)4 w - 0 1");

    cr_assert_str_eq(scene_moves(&state, "2a1"), "2a1a2 2a1b1 2a1c1 2a1d1 2a1e1");
    cr_assert_str_eq(scene_moves(&state, "3a1"), "");
    cr_assert_str_eq(scene_moves(&state, "4a1"), "4a1b3 4a1c2");
}

Test(stackchess, rule_8_2_a_carried_pawn_may_go_anywhere)
{
    cr_assert_str_eq(scene_legal("5/4p/2(PC)2/5/5 w - 0 1", "2c3"),
                     "2c3a2 2c3a4 2c3b1 2c3b5 2c3d1 2c3d5 2c3e2 2c3e4");
}

Test(stackchess, rule_8_2_nothing_blocks_a_leap)
{
    cr_assert_str_eq(scene_legal("5/1ttt1/1tCt1/1TTT1/5 w - 0 1", "c3"),
                     "c3a2 c3a4 c3b1 c3b5 c3d1 c3d5 c3e2 c3e4");
}

Test(stackchess, rule_8_3_carried_pieces_count_for_a_capture)
{
    struct rules_state state = scene("", "5/5/1p3/2(pp)2/(PC)4 w - 0 1");

    cr_assert_str_eq(scene_moves(&state, "a1"), "");
    cr_assert_str_eq(scene_moves(&state, "2a1"), "2a1b3");
}

Test(stackchess, rule_8_4_a_pawn_that_arrives_becomes_a_queen)
{
    cr_assert_str_eq(scene_after("5/P3t/5/5/4T w - 9 1", "a4a5"), "D4/4t/5/5/4T b - 0 1");
    cr_assert_str_eq(scene_after("4t/5/5/p4/4T b - 9 1", "a2a1"), "4t/5/5/5/d3T w - 0 2");
}

Test(stackchess, rule_8_4_pawns_become_queens_by_a_capture_too)
{
    cr_assert_str_eq(scene_after("1t2t/(PP)4/5/5/5 w - 0 1", "2a4b5"), "1(DD)2t/5/5/5/5 b - 0 1");
}

Test(stackchess, rule_8_4_carried_pawns_become_queens_in_their_place)
{
    cr_assert_str_eq(scene_after("4t/5/(TPC)4/5/5 w - 0 1", "2a3b5"), "1(DC)2t/5/T4/5/5 b - 0 1");
}

Test(stackchess, rule_8_4_a_pawn_becomes_a_queen_on_an_own_stack)
{
    cr_assert_str_eq(scene_after("(TT)3t/P4/5/5/5 w - 0 1", "a4a5"), "(TTD)3t/5/5/5/5 b - 0 1");
}

Test(stackchess, rule_8_4_the_own_first_rank_promotes_nobody)
{
    cr_assert_str_eq(scene_after("4t/5/1(PC)3/5/4T w - 0 1", "2b3a1"), "4t/5/5/5/(PC)3T b - 0 1");
}

Test(stackchess, rule_8_4_without_promotion_a_pawn_is_stuck_on_the_last_rank)
{
    struct rules_state state = scene("promotion=false", "5/P3t/5/5/4T w - 0 1");

    state = scene_play(state, "a4a5 e4d4");
    cr_assert_str_eq(scene_text(&state), "P4/3t1/5/5/4T w - 1 2");
    cr_assert_str_eq(scene_moves(&state, "a5"), "");
}

/* ---- 9 the ends ---- */

static void expect_end(const char *options, const char *position, enum rules_status status,
                       unsigned winner, enum rules_reason reason)
{
    struct rules_state state = scene(options, position);
    struct rules_outcome outcome = rules_outcome_now(&rules_stackchess, &state);

    cr_assert_eq(outcome.status, status, "%s: status %d", position, outcome.status);
    cr_assert_eq(outcome.winner, winner, "%s: winner %d", position, outcome.winner);
    cr_assert_eq(outcome.reason, reason, "%s: %s", position, rules_reason_text(outcome.reason));
}

static void expect_ongoing(const char *options, const char *position)
{
    expect_end(options, position, RULES_ONGOING, 0, RULES_REASON_NONE);
}

static void expect_draw(const char *options, const char *position, enum rules_reason reason)
{
    expect_end(options, position, RULES_DRAWN, 0, reason);
}

/* The outcome after playing all moves, with the history that they make. */
static struct rules_outcome play_out(const char *options, const char *position, const char *moves)
{
    struct rules_state state = scene(options, position);
    char copy[512], *rest = copy, *word;
    uint64_t keys[128];
    size_t len = 0;

    snprintf(copy, sizeof(copy), "%s", moves);
    while ((word = strsep(&rest, " ")) != NULL) {
        keys[len++] = rules_stackchess.key(&state);
        state = scene_play(state, word);
    }
    return rules_stackchess.outcome(&state, &(struct rules_history){keys, len});
}

Test(stackchess, rule_9_1_who_takes_all_has_won)
{
    expect_end("", scene_after("5/5/t4/5/(TT)4 w - 0 1", "2a1a3"), RULES_WON, 1,
               RULES_REASON_ALL_CAPTURED);
    expect_end("", "5/5/t4/5/5 b - 0 1", RULES_WON, 2, RULES_REASON_ALL_CAPTURED);
}

Test(stackchess, rule_9_1_the_king_is_taken_like_any_other)
{
    expect_ongoing("", scene_after("4t/5/r4/5/(TT)4 w - 0 1", "2a1a3"));
}

Test(stackchess, rule_9_2_two_sides_that_cannot_move_two_together_draw)
{
    expect_draw("", "3t/4/4/FT2 w - 0 1", RULES_REASON_DEAD);
    expect_draw("", "3p/4/4/R3 b - 0 1", RULES_REASON_DEAD);
    expect_draw("", "2tf/4/4/(FT)3 w - 0 1", RULES_REASON_DEAD);
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
            if (bishop_and_rook)
                expect_draw("", position, RULES_REASON_DEAD);
            else
                expect_ongoing("", position);
        }
}

Test(stackchess, rule_9_2_one_side_that_is_not_dead_plays_on)
{
    expect_ongoing("", "3t/4/4/FTP1 w - 0 1");
    expect_ongoing("", "2tt/4/4/FT2 w - 0 1");
}

Test(stackchess, rule_9_4_no_legal_move_is_a_draw_by_default)
{
    expect_draw("", "4/(tt)3/P3/4 w - 0 1", RULES_REASON_STALEMATE);
}

Test(stackchess, rule_9_4_no_legal_move_may_be_a_loss)
{
    expect_end("stalemate=loss", "4/(tt)3/P3/4 w - 0 1", RULES_WON, 2, RULES_REASON_STALEMATE);
    expect_end("stalemate=loss", "4/p3/(TT)3/4 b - 0 1", RULES_WON, 1, RULES_REASON_STALEMATE);
}

#define SHUFFLE "d1c1 d4c4 c1d1 c4d4"
#define CARRY   "2a1b3 d4c4 2b3a1 c4d4"

Test(stackchess, rule_9_5_the_third_occurrence_draws_the_start_included)
{
    const char *position = "3t/t3/4/T2T w - 0 1";

    cr_assert_eq(play_out("", position, SHUFFLE).status, RULES_ONGOING);
    cr_assert_eq(play_out("", position, SHUFFLE " d1c1 d4c4 c1d1").status, RULES_ONGOING);
    cr_assert_eq(play_out("", position, SHUFFLE " " SHUFFLE).reason, RULES_REASON_REPETITION);
}

Test(stackchess, rule_9_5_the_number_of_occurrences_is_an_option)
{
    const char *position = "3t/t3/4/T2T w - 0 1";

    cr_assert_eq(play_out("repetition=2", position, SHUFFLE).reason, RULES_REASON_REPETITION);
    cr_assert_eq(play_out("repetition=4", position, SHUFFLE " " SHUFFLE).status, RULES_ONGOING);
    cr_assert_eq(play_out("repetition=0", position, SHUFFLE " " SHUFFLE).status, RULES_ONGOING);
}

Test(stackchess, rule_9_5_a_pawn_that_is_carried_to_and_fro_repeats_the_position)
{
    cr_assert_eq(play_out("", "3t/t3/4/(PC)2T w - 0 1", CARRY " " CARRY).reason,
                 RULES_REASON_REPETITION);
}

Test(stackchess, rule_9_5_the_span_covers_all_plies_where_a_knight_can_carry_pawns_back)
{
    struct rules_state carried = scene("", "3t/t3/4/(PC)2T b - 0 9");
    struct rules_state unmoved = scene("", "3t/t3/1P2/2CT b B 4 9");
    struct rules_state off = scene("repetition=0", "3t/t3/4/(PC)2T b - 4 9");

    cr_assert_eq(rules_stackchess.span(&carried), 17);
    cr_assert_eq(rules_stackchess.span(&unmoved), 4);
    cr_assert_eq(rules_stackchess.span(&off), 0);
}

static uint64_t key_of(const char *position)
{
    struct rules_state state = scene("", position);

    return rules_stackchess.key(&state);
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

Test(stackchess, rule_9_5_the_same_position_has_one_key_whatever_led_to_it)
{
    const char *position = "3t/t3/1(FT)2/(TF)2T w - 0 1";
    struct rules_state there = scene("", position);
    struct rules_state back = scene_play(there, "b2b1 d4c4 b1b2 c4d4");

    cr_assert_eq(rules_stackchess.key(&back), rules_stackchess.key(&there));
}

Test(stackchess, rule_9_6_plies_without_progress_draw_at_the_limit)
{
    expect_ongoing("", "3t/t3/4/T2T w - 99 60");
    expect_draw("", "3t/t3/4/T2T w - 100 60", RULES_REASON_NO_PROGRESS);
    expect_draw("no_progress=5", "3t/t3/4/T2T w - 5 60", RULES_REASON_NO_PROGRESS);
    expect_ongoing("no_progress=0", "3t/t3/4/T2T w - 5000 60");
}

Test(stackchess, rule_9_6_a_capture_and_any_moved_pawn_are_progress)
{
    cr_assert_str_eq(scene_after("3t/p3/4/(TT)2T w - 7 9", "a1b1"), "3t/p3/4/TT1T b - 8 9");
    cr_assert_str_eq(scene_after("3t/p3/4/(TT)2T w - 7 9", "2a1a3"), "3t/(TT)3/4/3T b - 0 9");
    cr_assert_str_eq(scene_after("3t/p3/4/(PC)2T w - 7 9", "2a1c2"), "3t/p3/2(PC)1/3T b - 0 9");
    cr_assert_str_eq(scene_after("3t/p3/4/(PC)2T w - 7 9", "a1c2"), "3t/p3/2C1/P2T b - 8 9");
}

Test(stackchess, rule_9_6_the_order_of_the_ends)
{
    expect_end("", "4/4/4/T3 w - 100 60", RULES_WON, 1, RULES_REASON_ALL_CAPTURED);
    expect_draw("", "4/(tt)3/P3/4 w - 100 60", RULES_REASON_STALEMATE);
}

Test(stackchess, rule_9_7_after_the_end_there_are_no_moves)
{
    cr_assert_str_eq(scene_legal("4/4/4/T3 w - 0 1", ""), "");
    cr_assert_str_eq(scene_legal("3t/4/4/FT2 w - 0 1", ""), "");
}

Test(stackchess, rule_9_7_counted_draws_are_no_part_of_the_moves)
{
    cr_assert_str_eq(scene_legal("3t/t3/4/3R w - 100 60", ""), "d1c1 d1c2 d1d2");
}

/* ---- 12 move counts ---- */

static void expect_perft(const char *options, const uint64_t *nodes, unsigned depths)
{
    static rules_move scratch[4096];
    struct rules_state state = scene(options, NULL);

    for (unsigned depth = 1; depth <= depths; depth++) {
        uint64_t found = rules_perft(&rules_stackchess, &state, depth, scratch, 4096);

        cr_assert_eq(found, nodes[depth - 1], "%s, depth %u: %lu", options, depth,
                     (unsigned long)found);
    }
}

#define EXPECT_PERFT(options, ...)                         \
    expect_perft(options, (const uint64_t[]){__VA_ARGS__}, \
                 sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

Test(stackchess, rule_12_counts_without_knights)
{
    EXPECT_PERFT("size=4", 12, 144, 1866, 23951);
    EXPECT_PERFT("size=5", 20, 395, 8269, 171050);
    EXPECT_PERFT("size=6", 30, 882, 27244, 825988);
    EXPECT_PERFT("size=7", 34, 1149, 41492, 1486609);
    EXPECT_PERFT("size=8", 38, 1444, 59256, 2425411);
    EXPECT_PERFT("size=9", 43, 1849, 86038);
}

Test(stackchess, rule_12_counts_with_knights)
{
    EXPECT_PERFT("size=4 knights=true", 12, 144, 1866, 23951);
    EXPECT_PERFT("size=5 knights=true", 20, 392, 8261, 171347);
    EXPECT_PERFT("size=6 knights=true", 30, 878, 27213, 825993);
    EXPECT_PERFT("size=7 knights=true", 35, 1218, 45471, 1685111);
    EXPECT_PERFT("size=8 knights=true", 40, 1600, 68845, 2956209);
    EXPECT_PERFT("size=9 knights=true", 45, 2025, 98007);
}

/* ---- what is listed, counted and judged is the same ---- */

enum { MOVES_MAX = 1 << 14 };

static void expect_listed_moves_accepted(const struct rules_state *state, const rules_move *moves,
                                         size_t n)
{
    char text[RULES_MOVE_TEXT];
    struct rules_refusal why;
    rules_move move;

    for (size_t i = 0; i < n; i++) {
        rules_stackchess.move_text(state, moves[i], text);
        cr_assert(rules_stackchess.read_move(state, text, &move, &why), "%s", text);
        cr_assert(rules_same_move(move, moves[i]), "%s", text);
    }
}

/* The height of the tallest stack. */
static unsigned tallest(const struct rules_state *state)
{
    struct rules_board board = rules_stackchess.board(state);
    size_t most = 0;

    for (unsigned square = 0; square < (unsigned)board.width * board.height; square++) {
        size_t height = rules_stackchess.at(state, square, NULL, 0);

        most = height > most ? height : most;
    }
    return (unsigned)most;
}

/* How many of all texts of moves are accepted. */
static size_t count_accepted(const struct rules_state *state)
{
    struct rules_board board = rules_stackchess.board(state);
    unsigned squares = (unsigned)board.width * board.height, most = tallest(state);
    char text[RULES_MOVE_TEXT], from[RULES_SQUARE_TEXT], to[RULES_SQUARE_TEXT];
    struct rules_refusal why;
    rules_move move;
    size_t n = 0;

    for (unsigned i = 0; i < squares * squares; i++) {
        rules_square_text(board, i / squares, from);
        rules_square_text(board, i % squares, to);
        for (unsigned count = 1; count <= most; count++) {
            snprintf(text, sizeof(text), "%u%s%s", count, from, to);
            n += rules_stackchess.read_move(state, text, &move, &why);
        }
    }
    return n;
}

/* Random games, in which every `pause`-th position is looked at. */
static void expect_one_answer(const char *options, unsigned games, unsigned plies, unsigned pause)
{
    static rules_move moves[MOVES_MAX];
    uint64_t seed = 1;

    for (unsigned game = 0; game < games; game++) {
        struct rules_state state = scene(options, NULL), next;
        size_t n = rules_stackchess.legal(&state, moves, MOVES_MAX);

        for (unsigned ply = 1; ply <= plies && n > 0; ply++) {
            rules_stackchess.play(&state, moves[rules_choose(&seed, n)], &next);
            state = next;
            n = rules_stackchess.legal(&state, moves, MOVES_MAX);
            cr_assert_eq(rules_stackchess.count(&state), n, "%s", scene_text(&state));
            if (ply % pause != 0)
                continue;
            expect_listed_moves_accepted(&state, moves, n);
            cr_assert_eq(count_accepted(&state), n, "%s", scene_text(&state));
        }
    }
}

Test(stackchess, listing_counting_and_judging_agree_on_small_boards)
{
    expect_one_answer("size=4", 5, 60, 2);
    expect_one_answer("size=5 knights=true", 10, 80, 2);
    expect_one_answer("size=6 knights=true promotion=false", 10, 100, 4);
}

Test(stackchess, listing_counting_and_judging_agree_on_large_boards)
{
    expect_one_answer("size=13 knights=true", 2, 200, 50);
    expect_one_answer("size=26", 1, 400, 400);
    expect_one_answer("size=26 knights=true", 1, 400, 400);
}
