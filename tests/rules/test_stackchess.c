/*
 * test_stackchess.c - the rules of Stackchess one by one (1 to 9). Texts, refusals and what clients
 * are told (10, 11, 13) are in test_stackchess_text.c, move counts (12) in test_stackchess_moves.c.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "scene.h"

extern const struct rules_game rules_stackchess;

static struct scene scene;

static void open_game(const char *options, const char *position)
{
    scene_open(&scene, &rules_stackchess, options, position);
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

/* ---- 2 board ---- */

Test(stackchess, rule_2_1_files_are_letters_and_ranks_count_from_the_bottom)
{
    struct rules_man man;

    open_game("size=26", NULL);
    cr_assert_str_eq(scene_moves(&scene, "z2"), "z2z3 z2z4");
    cr_assert_eq(rules_stackchess.at(&scene.state, 25 * 26 + 25, &man, 1), 1);
    cr_assert_eq(man.seat, 1);
}

Test(stackchess, rule_2_2_white_begins_and_moves_up_black_down)
{
    open_game("", NULL);
    cr_assert_eq(rules_stackchess.to_move(&scene.state), 1);
    cr_assert_str_eq(scene_moves(&scene, "b2"), "b2b3 b2b4");
    scene_play(&scene, "b2b3");
    cr_assert_eq(rules_stackchess.to_move(&scene.state), 2);
    cr_assert_str_eq(scene_moves(&scene, "c5"), "c5c3 c5c4");
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

/* ---- 5 to 9: moves ---- */

static const struct scene_row moves[] = {
    {"1 a position may hold knights in any case", "", "4/p3/4/C2C w - 0 1", "a1", "a1b3 a1c2"},
    {"5.1 any number moves from the top", "", "p2p/4/4/(TFD)3 w - 0 1", "2a1", "2a1b2 2a1c3 2a1d4"},
    {"5.1 any number moves from the top, and all do not", "", "p2p/4/4/(TFD)3 w - 0 1", "3a1", ""},
    {"5.3 one piece never captures", "", "3T/t3/4/T3 w - 0 1", "a1", "a1a2 a1b1 a1c1 a1d1"},
    {"5.3 as many do not capture", "", "3t/(tt)3/4/(TT)3 w - 0 1", "2a1",
     "2a1a2 2a1b1 2a1c1 2a1d1"},
    {"5.3 what stays behind does not count", "", "3t/(tt)3/4/(TTTT)3 w - 0 1", "2a1a", "2a1a2"},
    {"5.3 what goes along counts", "", "3t/(tt)3/4/(TTTT)3 w - 0 1", "3a1a", "3a1a2 3a1a3"},
    {"5.4 a move must be legal for every piece", "", "p2p/4/4/(DR)3 w - 0 1", "2a1",
     "2a1a2 2a1b1 2a1b2"},

    {"6.1 the king steps in all directions", "", "5/p4/2R2/p4/4T w - 0 1", "c3",
     "c3b2 c3b3 c3b4 c3c2 c3c4 c3d2 c3d3 c3d4"},
    {"6.1 the queen moves in all directions", "", "5/p4/2D2/p4/4T w - 0 1", "c3",
     "c3a1 c3a3 c3a5 c3b2 c3b3 c3b4 c3c1 c3c2 c3c4 c3c5 c3d2 c3d3 c3d4 c3e1 c3e3 c3e5"},
    {"6.1 the bishop moves diagonally", "", "5/p4/2F2/p4/4T w - 0 1", "c3",
     "c3a1 c3a5 c3b2 c3b4 c3d2 c3d4 c3e1 c3e5"},
    {"6.1 the rook moves along ranks and files", "", "5/p4/2T2/p4/4T w - 0 1", "c3",
     "c3a3 c3b3 c3c1 c3c2 c3c4 c3c5 c3d3 c3e3"},
    {"6.2 own pieces block what is behind them", "", "5/p1P2/2T2/p4/5 w - 0 1", "c3c",
     "c3c1 c3c2 c3c4"},
    {"6.2 an enemy may be taken", "", "5/5/2(TT)p1/p4/5 w - 0 1", "2c3d", "2c3d3"},
    {"6.2 enemies block what is behind them", "", "5/5/2(TT)p1/p4/5 w - 0 1", "2c3e", ""},
    {"6.3 a group with a knight never moves straight", "", "5/p4/2(TC)2/p4/5 w - 0 1", "2c3",
     "2c3a2 2c3a4 2c3b1 2c3b5 2c3d1 2c3d5 2c3e2 2c3e4"},

    {"7.1 two steps for a pawn that never moved", "", "5/p4/5/1P2T/5 w B 0 1", "b2", "b2b3 b2b4"},
    {"7.1 one step for a pawn that moved", "", "5/p4/5/1P2T/5 w - 0 1", "b2", "b2b3"},
    {"7.2 two pawns capture diagonally forward", "", "5/5/ppp2/1(PP)3/4T w - 0 1", "2b2",
     "2b2a3 2b2c3"},
    {"7.2 pawns never go forward onto an enemy", "", "5/5/1p3/1(PP)3/4T w B 0 1", "2b2", ""},
    {"7.2 pawns never go two steps forward onto an enemy", "", "5/1p3/5/1(PT)3/4T w B 0 1", "2b2",
     "2b2b3"},
    {"7.2 pawns never go diagonally onto empty or own squares", "", "5/4p/T4/1(PP)3/4T w - 0 1",
     "2b2", "2b2b3"},
    {"7.2 a pawn limits the queen on it", "", "5/4p/p4/1(PD)3/5 w - 0 1", "2b2", "2b2a3 2b2b3"},
    {"7.2 a rook keeps pawns from capturing", "", "5/4p/p4/1(PT)3/5 w - 0 1", "2b2", "2b2b3"},
    {"7.2 a bishop keeps pawns from stepping", "", "5/4p/p4/1(PF)3/5 w - 0 1", "2b2", "2b2a3"},
    {"7.2 black pawns mirror white ones", "", "5/1(pp)3/P1P2/5/4T b - 0 1", "2b4",
     "2b4a3 2b4b3 2b4c3"},
    {"7.3 the square jumped by a double step must be empty of own pieces", "",
     "5/p4/1T3/1P3/5 w B 0 1", "b2", "b2b3"},
    {"7.3 the square jumped by a double step must be empty of enemies", "",
     "5/p4/1p3/1P2T/5 w B 0 1", "b2", ""},
    {"7.3 a double step may land on an own stack", "", "5/pT3/5/1P3/5 w B 0 1", "b2", "b2b3 b2b4"},
    {"7.3 a double step may not land on an enemy", "", "5/pp3/5/1P2T/5 w B 0 1", "b2", "b2b3"},
    {"7.4 a group steps twice if its pawn never moved", "", "4t/5/5/1(PT)3/5 w B 0 1", "2b2",
     "2b2b3 2b2b4"},
    {"7.4 a group steps once if one of its pawns moved", "", "4t/5/5/1(PPT)3/5 w B 0 1", "3b2",
     "3b2b3"},
    {"7.4 a group steps once if its pawn moved", "", "4t/5/5/1(PPT)3/5 w B 0 1", "2b2", "2b2b3"},
    {"7.4 a king in the group keeps it to one step", "", "4t/5/5/1(PR)3/5 w B 0 1", "2b2", "2b2b3"},

    {"8.1 a knight carries one piece", "", "5/5/5/p4/(TTC)4 w - 0 1", "2a1", "2a1b3 2a1c2"},
    {"8.1 a knight does not carry two pieces", "", "5/5/5/p4/(TTC)4 w - 0 1", "3a1", ""},
    {"8.1 the place of the knight in the group does not matter", "", "5/5/5/p4/(TCT)4 w - 0 1",
     "2a1", "2a1b3 2a1c2"},
    {"8.1 knights below the group do not count", "", "5/5/5/p4/(CCTT)4 w - 0 1", "2a1",
     "2a1a2 2a1b1 2a1c1 2a1d1 2a1e1"},
    {"8.1 one knight of the group is not enough", "", "5/5/5/p4/(CCTT)4 w - 0 1", "3a1", ""},
    {"8.1 two knights of the group are enough", "", "5/5/5/p4/(CCTT)4 w - 0 1", "4a1",
     "4a1b3 4a1c2"},
    {"8.2 a carried pawn may go anywhere", "", "5/4p/2(PC)2/5/5 w - 0 1", "2c3",
     "2c3a2 2c3a4 2c3b1 2c3b5 2c3d1 2c3d5 2c3e2 2c3e4"},
    {"8.2 nothing blocks a leap", "", "5/1ttt1/1tCt1/1TTT1/5 w - 0 1", "c3",
     "c3a2 c3a4 c3b1 c3b5 c3d1 c3d5 c3e2 c3e4"},
    {"8.3 a pawn does not leap alone", "", "5/5/1p3/2(pp)2/(PC)4 w - 0 1", "a1", ""},
    {"8.3 carried pieces count for a capture", "", "5/5/1p3/2(pp)2/(PC)4 w - 0 1", "2a1", "2a1b3"},

    {"9.7 after a side was captured there are no moves", "", "4/4/4/T3 w - 0 1", "", ""},
    {"9.7 in a dead position there are no moves", "", "3t/4/4/FT2 w - 0 1", "", ""},
    {"9.7 counted draws are no part of the moves", "", "3t/t3/4/3R w - 100 60", "",
     "d1c1 d1c2 d1d2"},
};

Test(stackchess, what_may_move_together_moves_as_the_rules_say)
{
    SCENE_TABLE(&rules_stackchess, scene_moves, moves);
}

static const struct scene_row played[] = {
    {"3.3 pawns fill the second rank, and Black mirrors White", "size=5 knights=true", NULL, "",
     "fdrfc/ppppp/5/PPPPP/FDRFC w ABCDEabcde 0 1"},
    {"5.1 a group keeps its order", "", "p2p/4/4/(TFD)3 w - 0 1", "2a1b2",
     "p2p/4/1(FD)2/T3 b - 1 1"},
    {"5.2 a group is put on top of an own stack", "", "p2p/4/4/(TD)(FR)2 w - 0 1", "2a1b1",
     "p2p/4/4/1(FRTD)2 b - 1 1"},
    {"5.3 one more captures all", "", "3t/(tt)3/4/(TTT)3 w - 7 1", "3a1a3",
     "3t/(TTT)3/4/4 b - 0 1"},
    {"7.1 a pawn steps onto own pieces", "", "5/p4/1T3/1P3/5 w B 3 1", "b2b3",
     "5/p4/1(TP)3/5/5 b - 0 1"},
    {"7.5 the screen of the exercise", "", NULL, "b1a2 f6f5 a1a2 2f5f3",
     "tfdrf1/ppppp1/6/5(pt)/(PFT)PPPPP/2DRFT w ABCDEFabcde 0 3"},
    {"8.4 a white pawn that arrives becomes a queen", "", "5/P3t/5/5/4T w - 9 1", "a4a5",
     "D4/4t/5/5/4T b - 0 1"},
    {"8.4 a black pawn that arrives becomes a queen", "", "4t/5/5/p4/4T b - 9 1", "a2a1",
     "4t/5/5/5/d3T w - 0 2"},
    {"8.4 pawns become queens by a capture, too", "", "1t2t/(PP)4/5/5/5 w - 0 1", "2a4b5",
     "1(DD)2t/5/5/5/5 b - 0 1"},
    {"8.4 carried pawns become queens in their place", "", "4t/5/(TPC)4/5/5 w - 0 1", "2a3b5",
     "1(DC)2t/5/T4/5/5 b - 0 1"},
    {"8.4 a pawn becomes a queen on an own stack", "", "(TT)3t/P4/5/5/5 w - 0 1", "a4a5",
     "(TTD)3t/5/5/5/5 b - 0 1"},
    {"8.4 the own first rank promotes nobody", "", "4t/5/1(PC)3/5/4T w - 0 1", "2b3a1",
     "4t/5/5/5/(PC)3T b - 0 1"},
    {"9.6 a quiet move is no progress", "", "3t/p3/4/(TT)2T w - 7 9", "a1b1",
     "3t/p3/4/TT1T b - 8 9"},
    {"9.6 a capture is progress", "", "3t/p3/4/(TT)2T w - 7 9", "2a1a3", "3t/(TT)3/4/3T b - 0 9"},
    {"9.6 a carried pawn is progress", "", "3t/p3/4/(PC)2T w - 7 9", "2a1c2",
     "3t/p3/2(PC)1/3T b - 0 9"},
    {"9.6 a pawn that stays behind is no progress", "", "3t/p3/4/(PC)2T w - 7 9", "a1c2",
     "3t/p3/2C1/P2T b - 8 9"},
};

Test(stackchess, a_move_leads_to_the_position_of_the_rules)
{
    SCENE_TABLE(&rules_stackchess, scene_after, played);
}

/* ---- 7 pawns: what depends on the moves before ---- */

Test(stackchess, rule_7_4_a_carried_pawn_has_no_double_step_when_it_comes_back)
{
    open_game("", "4t/5/5/1(PC)3/4T w B 0 1");
    scene_play(&scene, "2b2d3 e5d5 2d3b2 d5c5 b2d1 c5b5");
    cr_assert_str_eq(scene_moves(&scene, "b2"), "b2b3");
}

Test(stackchess, rule_7_4_pieces_that_come_and_go_do_not_move_the_pawn_below)
{
    open_game("", "4t/5/5/TP3/5 w B 0 1");
    scene_play(&scene, "a2b2 e5d5 b2c2 d5e5");
    cr_assert_str_eq(scene_moves(&scene, "b2"), "b2b3 b2b4");
}

Test(stackchess, rule_7_6_from_its_own_first_rank_a_pawn_takes_one_step)
{
    open_game("", "4t/5/1(PC)3/5/4T w - 0 1");
    scene_play(&scene, "2b3a1 e5d5");

    scene_play(&scene, "a1c2 d5e5");
    cr_assert_str_eq(scene_moves(&scene, "a1"), "a1a2");
}

/* ---- 8 knights ---- */

Test(stackchess, rule_8_4_without_promotion_a_pawn_is_stuck_on_the_last_rank)
{
    open_game("promotion=false", "5/P3t/5/5/4T w - 0 1");
    scene_play(&scene, "a4a5 e4d4");
    cr_assert_str_eq(scene_position(&scene), "P4/3t1/5/5/4T w - 1 2");
    cr_assert_str_eq(scene_moves(&scene, "a5"), "");
}

/* ---- 9 the ends ---- */

#define SHUFFLE "d1c1 d4c4 c1d1 c4d4"
#define CARRY   "2a1b3 d4c4 2b3a1 c4d4"
#define ROOKS   "3t/t3/4/T2T w - 0 1"

static const struct scene_row ends[] = {
    {"9.1 taking every piece wins", "", "5/5/t4/5/(TT)4 w - 0 1", "2a1a3", "1:all_captured"},
    {"9.1 a side without pieces has lost", "", "5/5/t4/5/5 b - 0 1", "", "2:all_captured"},
    {"9.1 the king is taken like any other", "", "4t/5/r4/5/(TT)4 w - 0 1", "2a1a3", "ongoing"},
    {"9.2 bishop and rook against a rook are dead", "", "3t/4/4/FT2 w - 0 1", "", "draw:dead"},
    {"9.2 a king against a pawn is dead", "", "3p/4/4/R3 b - 0 1", "", "draw:dead"},
    {"9.2 bishops and rooks are dead in one stack, too", "", "2tf/4/4/(FT)3 w - 0 1", "",
     "draw:dead"},
    {"9.2 White is not dead, and plays on", "", "3t/4/4/FTP1 w - 0 1", "", "ongoing"},
    {"9.2 Black is not dead, and White plays on", "", "2tt/4/4/FT2 w - 0 1", "", "ongoing"},
    {"9.4 no legal move is a draw by default", "", "4/(tt)3/P3/4 w - 0 1", "", "draw:stalemate"},
    {"9.4 no legal move may be White's loss", "stalemate=loss", "4/(tt)3/P3/4 w - 0 1", "",
     "2:stalemate"},
    {"9.4 no legal move may be Black's loss", "stalemate=loss", "4/p3/(TT)3/4 b - 0 1", "",
     "1:stalemate"},
    {"9.5 the second occurrence does not draw", "", ROOKS, SHUFFLE, "ongoing"},
    {"9.5 a ply before the third occurrence the game goes on", "", ROOKS, SHUFFLE " d1c1 d4c4 c1d1",
     "ongoing"},
    {"9.5 the third occurrence draws, the start included", "", ROOKS, SHUFFLE " " SHUFFLE,
     "draw:repetition"},
    {"9.5 two occurrences draw if the option says so", "repetition=2", ROOKS, SHUFFLE,
     "draw:repetition"},
    {"9.5 four occurrences draw if the option says so", "repetition=4", ROOKS, SHUFFLE " " SHUFFLE,
     "ongoing"},
    {"9.5 nothing is counted if the option says so", "repetition=0", ROOKS, SHUFFLE " " SHUFFLE,
     "ongoing"},
    {"9.5 a pawn that is carried to and fro repeats the position", "", "3t/t3/4/(PC)2T w - 0 1",
     CARRY " " CARRY, "draw:repetition"},
    {"9.6 a ply before the limit the game goes on", "", "3t/t3/4/T2T w - 99 60", "", "ongoing"},
    {"9.6 plies without progress draw at the limit", "", "3t/t3/4/T2T w - 100 60", "",
     "draw:no_progress"},
    {"9.6 the limit is an option", "no_progress=5", "3t/t3/4/T2T w - 5 60", "", "draw:no_progress"},
    {"9.6 there may be no limit", "no_progress=0", "3t/t3/4/T2T w - 5000 60", "", "ongoing"},
    {"9.6 captured comes before no progress", "", "4/4/4/T3 w - 100 60", "", "1:all_captured"},
    {"9.6 stalemate comes before no progress", "", "4/(tt)3/P3/4 w - 100 60", "", "draw:stalemate"},
};

Test(stackchess, the_game_ends_when_the_rules_say_so)
{
    SCENE_TABLE(&rules_stackchess, scene_end, ends);
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
            open_game("", position);
            cr_assert_str_eq(scene_outcome(&scene), bishop_and_rook ? "draw:dead" : "ongoing", "%s",
                             position);
        }
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
