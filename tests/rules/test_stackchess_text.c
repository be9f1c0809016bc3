/*
 * test_stackchess_text.c - moves and positions of Stackchess as texts (10, 11), why they are
 * refused (13), and what clients are told.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "rules/draw/textboard.h"
#include "scene.h"

extern const struct rules_game rules_stackchess;

static struct scene scene;

static void open_game(const char *options, const char *position)
{
    scene_open(&scene, &rules_stackchess, options, position);
}

static rules_move read_move(const char *text)
{
    rules_move move;

    cr_assert(rules_stackchess.read_move(&scene.state, text, &move, &scene.why), "%s", text);
    return move;
}

/* ---- 10 moves ---- */

Test(stackchess, rule_10_one_man_is_not_counted_more_are)
{
    open_game("", "3p/3p/4/(RR)3 w - 0 1");
    cr_assert(scene_allows(&scene, "a1b1"));
    cr_assert(scene_allows(&scene, "2a1b1"));
}

Test(stackchess, rule_10_a_count_of_one_is_read_and_left_out)
{
    char text[RULES_MOVE_TEXT];

    open_game("", NULL);
    rules_stackchess.move_text(&scene.state, read_move("1a2a3"), text);
    cr_assert_str_eq(text, "a2a3");
}

Test(stackchess, rule_10_numbers_of_two_digits)
{
    open_game("", "12/12/12/12/12/12/12/12/12/12/(TTTTTTTTTTT)11/tt10 w - 0 1");
    cr_assert(scene_allows(&scene, "11a2a1"));
    cr_assert(scene_allows(&scene, "11a2a11"));
    cr_assert(scene_allows(&scene, "11a2l2"));
    scene_play(&scene, "11a2a12");
    cr_assert_str_eq(scene_position(&scene),
                     "(TTTTTTTTTTT)11/12/12/12/12/12/12/12/12/12/12/tt10 b - 1 1");
}

Test(stackchess, rule_10_texts_that_are_not_moves_are_refused)
{
    static const char *const texts[] = {
        "",      "a2",   "A2a3",   "0a2a3",  "a2a03", "a2a",    "2a2",    "a2a3b",
        "a02a3", "a0a2", "-1a2a3", "a2--a3", "a2-a",  "01a2a3", "resign",
    };

    open_game("", NULL);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        scene_refuses(&scene, texts[i], RULES_BAD_MOVE_TEXT, "stackchess.move-text");
    scene_refuses(&scene, "a2?a3", RULES_BAD_MOVE_TEXT, "stackchess.move-text");
    cr_assert_eq(scene.why.at, 2);
}

Test(stackchess, rule_10_a_sign_or_blanks_between_the_squares_do_not_matter)
{
    static const char *const texts[] = {"a2-a3", "a2xa3", " a2 a3\n", "1a2 - a3", "1 a2a3"};

    open_game("", NULL);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        scene_reads(&scene, texts[i], "a2a3");
}

/* On a board with a file x, an x before a digit is that file. */
Test(stackchess, rule_10_an_x_before_a_digit_is_a_file)
{
    open_game(
        "",
        "24/24/24/24/24/24/24/24/24/24/24/24/24/24/24/24/24/24/24/24/24/24/(TT)23/22(tt)1 w - 0 1");
    scene_reads(&scene, "a2x2", "a2x2");
    scene_reads(&scene, "a2xx2", "a2x2");
}

/* ---- 11 positions ---- */

static void expect_canonical(const char *options, const char *position)
{
    open_game(options, position);
    cr_assert_str_eq(scene_position(&scene), position);
}

Test(stackchess, rule_11_positions_are_written_as_they_are_read)
{
    expect_canonical("", "tfdrft/pppppp/6/6/PPPPPP/TFDRFT w ABCDEFabcdef 0 1");
    expect_canonical("", "tfdrf1/ppppp1/6/5(pt)/(PFT)PPPPP/2DRFT w ABCDEFabcde 0 3");
    expect_canonical("", "12/12/12/12/12/12/12/12/12/12/(TTTTTTTTTTT)11/tt10 b - 17 2147483647");
    expect_canonical("", "t3/1p2/P3/(CT)3 b Ab 0 1");
    expect_canonical("promotion=false", "P3/4/4/p3 w - 0 1");
}

Test(stackchess, rule_11_a_side_without_pieces_and_any_number_of_kings_are_accepted)
{
    expect_canonical("", "4/4/4/RRRR w - 0 1");
    expect_canonical("", "4/4/dddd/dddd w - 0 1");
}

Test(stackchess, rule_11_the_fullest_board_has_a_text)
{
    char position[RULES_POSITION_TEXT] = "";

    for (unsigned row = 0; row < 26; row++) {
        if (row > 0)
            strcat(position, "/");
        for (unsigned column = 0; column < 26; column++)
            strcat(position, row * 26 + column < 348 ? "(DD)" : "c");
    }
    strcat(position, " w - 0 1");
    expect_canonical("", position);
    cr_assert_eq(rules_stackchess.count(&scene.state),
                 rules_stackchess.legal(&scene.state, NULL, 0));
}

/* Expects that a position is refused by this rule, at this byte. */
static void expect_refused(const char *position, const char *id, int at)
{
    cr_assert_not(scene_starts(&scene, &rules_stackchess, "", position), "%s", position);
    cr_assert_eq(scene.why.code, RULES_BAD_POSITION, "%s", position);
    cr_assert_str_eq(scene.why.law->number, "11");
    cr_assert_str_eq(scene.why.law->id, id, "%s: %s", position, scene.why.law->id);
    cr_assert_eq(scene.why.at, at, "%s: at %d", position, scene.why.at);
}

static void expect_square(unsigned square, enum rules_role role)
{
    cr_assert_eq(scene.why.witnesses, 1);
    cr_assert_eq(scene.why.witness[0].role, role);
    cr_assert_eq(scene.why.witness[0].square, square);
}

Test(stackchess, rule_11_a_board_has_4_to_26_ranks)
{
    expect_refused("3/3/T2 w - 0 1", "stackchess.ranks", 0);
    expect_refused("", "stackchess.ranks", 0);
    expect_refused("T/////////////////////////// w - 0 1", "stackchess.ranks", 0);
}

Test(stackchess, rule_11_every_rank_is_as_long_as_there_are_ranks)
{
    expect_refused("4/4/3/T3 w - 0 1", "stackchess.rank-length", 5);
    expect_refused("4/4/5/T3 w - 0 1", "stackchess.rank-length", 4);
    expect_refused("4/4/TTTTT/T3 w - 0 1", "stackchess.rank-length", 8);
    expect_refused("4/4/99999999999999999999/T3 w - 0 1", "stackchess.rank-length", 4);
    expect_refused("4/4//T3 w - 0 1", "stackchess.rank-length", 4);
}

Test(stackchess, rule_11_a_rank_holds_nothing_but_pieces_numbers_and_stacks)
{
    expect_refused("4/4/x3/T3 w - 0 1", "stackchess.board-text", 4);
    expect_refused("4/4/04/T3 w - 0 1", "stackchess.board-text", 4);
    expect_refused("4/4/T)2/T3 w - 0 1", "stackchess.board-text", 5);
}

Test(stackchess, rule_11_parentheses_hold_two_or_more_pieces)
{
    expect_refused("4/4/()3/T3 w - 0 1", "stackchess.stack-text", 4);
    expect_refused("4/4/(T)3/T3 w - 0 1", "stackchess.stack-text", 4);
    expect_refused("4/4/(TT3/T3 w - 0 1", "stackchess.stack-text", 4);
    expect_refused("4/4/(T2)/T3 w - 0 1", "stackchess.stack-text", 4);
    expect_refused("4/4/(T(TT))3/T3 w - 0 1", "stackchess.stack-text", 4);
}

Test(stackchess, rule_11_a_stack_has_one_colour)
{
    expect_refused("4/4/1(Tt)2/T3 w - 0 1", "stackchess.mixed-stack", 7);
    expect_square(9, RULES_ROLE_OFFENDER);
}

Test(stackchess, rule_11_a_board_is_not_empty)
{
    expect_refused("4/4/4/4 w - 0 1", "stackchess.empty-board", RULES_NOT_GIVEN);
}

Test(stackchess, rule_11_there_are_at_most_1024_pieces)
{
    char position[2 * RULES_STACK_MAX] = "4/4/3t/(";

    memset(strchr(position, '\0'), 'T', RULES_STACK_MAX);
    strcat(position, ")3 w - 0 1");
    expect_refused(position, "stackchess.too-many", 8 + RULES_STACK_MAX - 1);
}

Test(stackchess, rule_11_the_side_to_move_is_w_or_b)
{
    expect_refused("4/4/4/T3 x - 0 1", "stackchess.side", 9);
    expect_refused("4/4/4/T3 ", "stackchess.side", 9);
}

Test(stackchess, rule_11_flags_are_in_order_white_first)
{
    expect_refused("4/4/PPPP/4 w BA 0 1", "stackchess.unmoved-text", 14);
    expect_refused("4/4/PPPP/4 w AA 0 1", "stackchess.unmoved-text", 14);
    expect_refused("4/pppp/PPPP/4 w aA 0 1", "stackchess.unmoved-text", 17);
    expect_refused("4/4/PPPP/4 w E 0 1", "stackchess.unmoved-text", 13);
    expect_refused("4/4/PPPP/4 w  0 1", "stackchess.unmoved-text", 13);
}

Test(stackchess, rule_11_a_flag_needs_a_pawn_at_the_bottom_of_its_start_square)
{
    expect_refused("4/4/P3/4 w B 0 1", "stackchess.unmoved-pawn", 11);
    expect_refused("4/4/1p2/3T w B 0 1", "stackchess.unmoved-pawn", 13);
    expect_refused("4/4/1p2/3T w b 0 1", "stackchess.unmoved-pawn", 13);
    expect_refused("4/4/1(TP)2/4 w B 0 1", "stackchess.unmoved-pawn", 15);
    expect_square(9, RULES_ROLE_OFFENDER);
}

Test(stackchess, rule_11_counters_are_plain_numbers_and_moves_count_from_1)
{
    expect_refused("4/4/4/T3 w - x 1", "stackchess.quiet", 13);
    expect_refused("4/4/4/T3 w - 00 1", "stackchess.quiet", 13);
    expect_refused("4/4/4/T3 w - 2147483648 1", "stackchess.quiet", 13);
    expect_refused("4/4/4/T3 w - 0 0", "stackchess.move-number", 15);
    expect_refused("4/4/4/T3 w - 0 -1", "stackchess.move-number", 15);
}

Test(stackchess, rule_11_a_position_has_five_parts)
{
    expect_refused("4/4/4/T3", "stackchess.fields", 8);
    expect_refused("4/4/4/T3 w", "stackchess.fields", 10);
    expect_refused("4/4/4/T3 w - 0", "stackchess.fields", 14);
    expect_refused("4/4/4/T3 w - 0 1 ", "stackchess.fields", 16);
    expect_refused("4/4/4/T3 w -A 0 1", "stackchess.fields", 12);
    expect_refused("4/4/4/T3  w - 0 1", "stackchess.side", 9);
}

Test(stackchess, rule_11_with_promotion_no_pawn_stands_on_its_last_rank)
{
    expect_refused("4/4/4/T(tp)2 w - 0 1", "stackchess.last-rank", RULES_NOT_GIVEN);
    expect_refused("1P2/4/4/T3 w - 0 1", "stackchess.last-rank", RULES_NOT_GIVEN);
    expect_square(1, RULES_ROLE_PAWN);
    expect_canonical("", "1p2/4/4/TP2 w - 0 1");
}

Test(stackchess, rule_11_the_position_decides_the_size)
{
    cr_assert_not(scene_starts(&scene, &rules_stackchess, "size=6", "4/4/4/T3 w - 0 1"));
    cr_assert_eq(scene.why.code, RULES_BAD_OPTION);
    cr_assert_str_eq(scene.why.option, "size");
    cr_assert_str_eq(scene.why.law->id, "stackchess.size");
    cr_assert_eq(scene.why.yours, 6);
    cr_assert_eq(scene.why.required, 4);
    expect_canonical("size=4", "4/4/4/T3 w - 0 1");
}

Test(stackchess, rule_11_the_size_of_the_position_is_told)
{
    open_game("", "4/4/4/T3 w - 0 1");
    cr_assert_eq(scene.options.value[0], 4);
    cr_assert(rules_load(&rules_stackchess, &scene.options, "5/5/5/T4/5 w - 0 1", &scene.state,
                         &scene.why));
}

/* ---- 13 refusals ---- */

/* Expects that a move is refused by this rule in a position. */
static void expect_refusal(const char *position, const char *move, enum rules_code code,
                           const char *law)
{
    open_game("", position);
    scene_refuses(&scene, move, code, law);
}

/* Expects a man as a witness. Of a way that a man alone does not go, the end is a witness too. */
static void expect_man(enum rules_role role, const char *square, unsigned seat, const char *piece)
{
    struct rules_man man = scene.why.witness[0].man;
    bool way = scene.why.code == RULES_WRONG_SHAPE;

    cr_assert_eq(scene.why.witnesses, way ? 2 : 1);
    if (way)
        cr_assert_eq(scene.why.witness[1].role, RULES_ROLE_TO);
    scene_witness(&scene, 0, role, square);
    cr_assert_eq(man.seat, seat);
    cr_assert_str_eq(rules_stackchess.pieces[man.kind].name, piece);
}

static void expect_numbers(int yours, int required)
{
    cr_assert_eq(scene.why.yours, yours, "%d", scene.why.yours);
    cr_assert_eq(scene.why.required, required, "%d", scene.why.required);
}

Test(stackchess, rule_13_out_of_board)
{
    expect_refusal(NULL, "a2a7", RULES_OUT_OF_BOARD, "stackchess.board");
    cr_assert_eq(scene.why.at, 2);
    expect_refusal(NULL, "2g2a99999999999999999999", RULES_OUT_OF_BOARD, "stackchess.board");
    cr_assert_eq(scene.why.at, 1);
}

Test(stackchess, rule_13_game_over)
{
    expect_refusal("5/5/5/5/T4 w - 0 1", "a1a2", RULES_GAME_OVER, "stackchess.all-captured");
    expect_refusal("4t/5/5/5/T4 w - 0 1", "a1a2", RULES_GAME_OVER, "stackchess.dead");
}

Test(stackchess, rule_13_empty_square)
{
    expect_refusal("4t/5/5/5/TT3 w - 0 1", "c3c4", RULES_EMPTY_SQUARE, "stackchess.from");
    scene_witness(&scene, 0, RULES_ROLE_FROM, "c3");
    cr_assert_eq(scene.why.witness[0].man.seat, 0);
}

Test(stackchess, rule_13_not_your_piece)
{
    expect_refusal("4t/5/5/5/TT3 w - 0 1", "e5e4", RULES_NOT_YOUR_PIECE, "stackchess.from");
    expect_man(RULES_ROLE_FROM, "e5", 2, "rook");
}

Test(stackchess, rule_13_stack_too_small)
{
    expect_refusal("4t/5/5/5/(TT)4 w - 0 1", "3a1a2", RULES_STACK_TOO_SMALL, "stackchess.height");
    expect_numbers(3, 2);
    expect_man(RULES_ROLE_FROM, "a1", 1, "rook");
    scene_refuses(&scene, "99999999999999999999a1a2", RULES_STACK_TOO_SMALL, "stackchess.height");
    expect_numbers(INT32_MAX, 2);
}

Test(stackchess, rule_13_no_piece_at_all_moves_so)
{
    expect_refusal("4t/5/5/5/(TT)4 w - 0 1", "2a1b4", RULES_NO_COMMON_MOVE, "stackchess.straight");
    expect_refusal("4t/5/5/5/F3F w - 0 1", "a1b4", RULES_WRONG_SHAPE, "stackchess.straight");
}

Test(stackchess, rule_13_a_pawn_alone_is_told_how_pawns_move)
{
    expect_refusal("5/5/t4/5/1P2P w - 0 1", "b1c4", RULES_WRONG_SHAPE, "stackchess.pawn-step");
    scene_refuses(&scene, "b1c3", RULES_WRONG_SHAPE, "stackchess.pawn-step");
    scene_refuses(&scene, "b1a3", RULES_WRONG_SHAPE, "stackchess.pawn-capture");
}

Test(stackchess, rule_13_a_knight_alone_is_told_how_knights_move)
{
    expect_refusal("4t/5/5/5/1C2C w - 0 1", "b1c4", RULES_WRONG_SHAPE,
                   "stackchess.knight-straight");
    scene_refuses(&scene, "b1b2", RULES_WRONG_SHAPE, "stackchess.knight-straight");
}

Test(stackchess, rule_13_a_piece_alone_does_not_move_so)
{
    expect_refusal("3tt/5/5/5/(CFT)4 w - 0 1", "a1c3", RULES_WRONG_SHAPE, "stackchess.straight");
    expect_man(RULES_ROLE_UNABLE, "a1", 1, "rook");
    scene_refuses(&scene, "a1b3", RULES_WRONG_SHAPE, "stackchess.straight");
    expect_refusal("3tt/5/5/5/(FC)4 w - 0 1", "a1a2", RULES_WRONG_SHAPE,
                   "stackchess.knight-straight");
    expect_man(RULES_ROLE_UNABLE, "a1", 1, "knight");
}

Test(stackchess, rule_13_no_common_move_names_the_lowest_piece_that_cannot)
{
    expect_refusal("4t/5/5/5/(DTRT)4 w - 0 1", "4a1c3", RULES_NO_COMMON_MOVE,
                   "stackchess.straight");
    expect_man(RULES_ROLE_UNABLE, "a1", 1, "rook");
    expect_refusal("4t/5/5/5/(DRDT)4 w - 0 1", "4a1a3", RULES_NO_COMMON_MOVE,
                   "stackchess.straight");
    expect_man(RULES_ROLE_UNABLE, "a1", 1, "king");
    expect_refusal("4t/5/5/5/(CT)4 w - 0 1", "2a1a2", RULES_NO_COMMON_MOVE,
                   "stackchess.knight-straight");
    expect_man(RULES_ROLE_UNABLE, "a1", 1, "knight");
}

Test(stackchess, rule_13_not_enough_knights_for_a_leap)
{
    expect_refusal("4t/5/5/5/(FRCT)4 w - 0 1", "4a1b3", RULES_NO_COMMON_MOVE, "stackchess.leap");
    expect_numbers(1, 2);
    expect_man(RULES_ROLE_UNABLE, "a1", 1, "bishop");
    expect_refusal("4t/5/5/5/(RCT)4 w - 0 1", "3a1b3", RULES_NO_COMMON_MOVE, "stackchess.leap");
    expect_numbers(1, 2);
}

Test(stackchess, rule_13_a_pawn_does_not_go_forward_onto_an_enemy)
{
    expect_refusal("4t/5/p4/(PP)4/5 w - 0 1", "a2a3", RULES_WRONG_SHAPE, "stackchess.pawn-capture");
    expect_man(RULES_ROLE_UNABLE, "a2", 1, "pawn");
    scene_refuses(&scene, "2a2a3", RULES_NO_COMMON_MOVE, "stackchess.pawn-capture");
}

Test(stackchess, rule_13_a_pawn_does_not_go_diagonally_onto_an_empty_square)
{
    expect_refusal("4t/5/5/(PF)4/5 w - 0 1", "2a2b3", RULES_NO_COMMON_MOVE, "stackchess.pawn-step");
    expect_man(RULES_ROLE_UNABLE, "a2", 1, "pawn");
}

Test(stackchess, rule_13_a_pawn_does_not_go_back)
{
    expect_refusal("4t/5/5/P4/1T3 w - 0 1", "a2a1", RULES_WRONG_SHAPE, "stackchess.pawn-step");
}

Test(stackchess, rule_13_a_pawn_that_moved_has_no_double_step)
{
    expect_refusal("4t/5/5/P4/T4 w - 0 1", "a2a4", RULES_WRONG_SHAPE, "stackchess.pawn-moved");
}

Test(stackchess, rule_13_blocked_names_the_first_square_in_the_way)
{
    expect_refusal("4t/5/2t2/1(TF)3/D4 w - 0 1", "a1d4", RULES_BLOCKED, "stackchess.blocked");
    expect_man(RULES_ROLE_BLOCKER, "b2", 1, "bishop");
    expect_refusal("4t/5/t4/P4/T4 w A 0 1", "a2a4", RULES_BLOCKED, "stackchess.blocked");
    expect_man(RULES_ROLE_BLOCKER, "a3", 2, "rook");
}

Test(stackchess, rule_13_too_few_to_capture)
{
    expect_refusal("4t/5/(tft)4/5/(TTT)4 w - 0 1", "2a1a3", RULES_TOO_FEW_TO_CAPTURE,
                   "stackchess.capture");
    expect_numbers(2, 4);
    expect_man(RULES_ROLE_TO, "a3", 2, "rook");
}

/* ---- what clients are told ---- */

Test(stackchess, every_law_has_an_id_of_its_own)
{
    for (size_t i = 0; i < rules_stackchess.nlaws; i++)
        for (size_t j = 0; j < i; j++)
            cr_assert_str_neq(rules_stackchess.laws[i].id, rules_stackchess.laws[j].id);
}

Test(stackchess, one_man_moves_by_two_clicks_and_more_by_a_third)
{
    char click[RULES_PATH_MAX][RULES_SQUARE_TEXT];

    open_game("", "3p/3p/4/(RR)3 w - 0 1");
    cr_assert_eq(rules_stackchess.path(&scene.state, read_move("a1a2"), click), 2);
    cr_assert_str_eq(click[0], "a1");
    cr_assert_str_eq(click[1], "a2");
    cr_assert_eq(rules_stackchess.path(&scene.state, read_move("2a1a2"), click), 3);
    cr_assert_str_eq(click[2], "2");
}

Test(stackchess, a_tower_of_a_thousand_has_a_path_of_its_own)
{
    char click[RULES_PATH_MAX][RULES_SQUARE_TEXT], position[2 * RULES_STACK_MAX] = "4/4/3t/(";

    memset(strchr(position, '\0'), 'T', RULES_STACK_MAX - 1);
    strcat(position, ")3 w - 0 1");
    open_game("", position);
    cr_assert_eq(rules_stackchess.path(&scene.state, read_move("1023a1b1"), click), 4);
    cr_assert_str_eq(click[2], "102");
    cr_assert_str_eq(click[3], "3");
}

static size_t effects_of(const char *position, const char *move, struct rules_effect *effects)
{
    open_game("", position);
    return rules_stackchess.effects(&scene.state, read_move(move), effects);
}

Test(stackchess, a_move_onto_an_own_stack_has_two_effects)
{
    struct rules_effect effects[RULES_EFFECTS_MAX];

    cr_assert_eq(effects_of("3p/3p/4/(RR)R2 w - 0 1", "2a1b1", effects), 2);
    cr_assert_eq(effects[0].type, RULES_EFFECT_MOVE);
    cr_assert_eq(effects[0].from, 12);
    cr_assert_eq(effects[0].to, 13);
    cr_assert_eq(effects[0].count, 2);
    cr_assert_eq(effects[1].type, RULES_EFFECT_STACK);
    cr_assert_eq(effects[1].count, 3);
}

Test(stackchess, a_capture_names_every_man_and_a_promotion_every_pawn)
{
    struct rules_effect effects[RULES_EFFECTS_MAX];

    cr_assert_eq(effects_of("1(tf)1t/(PPP)3/4/4 w - 0 1", "3a3b4", effects), 7);
    cr_assert_eq(effects[1].type, RULES_EFFECT_CAPTURE);
    cr_assert_eq(effects[1].man.seat, 2);
    cr_assert_str_eq(rules_stackchess.pieces[effects[1].man.kind].name, "rook");
    cr_assert_str_eq(rules_stackchess.pieces[effects[2].man.kind].name, "bishop");
    cr_assert_eq(effects[3].type, RULES_EFFECT_PROMOTE);
    cr_assert_eq(effects[5].type, RULES_EFFECT_PROMOTE);
    cr_assert_str_eq(rules_stackchess.pieces[effects[5].man.kind].name, "queen");
    cr_assert_eq(effects[6].type, RULES_EFFECT_STACK);
    cr_assert_eq(effects[6].count, 3);
}

Test(stackchess, more_effects_than_fit_leave_room_for_the_height)
{
    struct rules_effect effects[RULES_EFFECTS_MAX];
    char position[256] = "(";

    memset(strchr(position, '\0'), 't', 60);
    strcat(position, ")2t/4/4/(");
    memset(strchr(position, '\0'), 'T', 61);
    strcat(position, ")3 w - 0 1");
    cr_assert_eq(effects_of(position, "61a1a4", effects), RULES_EFFECTS_MAX);
    cr_assert_eq(effects[RULES_EFFECTS_MAX - 1].type, RULES_EFFECT_STACK);
    cr_assert_eq(effects[RULES_EFFECTS_MAX - 1].count, 61);
}

Test(stackchess, men_are_told_from_bottom_to_top)
{
    struct rules_man men[2];

    open_game("", "3t/4/4/(PFT)3 w - 0 1");
    cr_assert_eq(rules_stackchess.at(&scene.state, 12, men, 2), 3);
    cr_assert_str_eq(rules_stackchess.pieces[men[0].kind].name, "pawn");
    cr_assert_str_eq(rules_stackchess.pieces[men[1].kind].name, "bishop");
    cr_assert_eq(rules_stackchess.at(&scene.state, 0, men, 2), 0);
}

static bool promotes(size_t zone, unsigned square)
{
    return rules_stackchess.zones[zone].has(&scene.state, square);
}

Test(stackchess, each_side_promotes_on_its_last_rank)
{
    open_game("", NULL);
    cr_assert(rules_stackchess.zones[0].seat == 1 && rules_stackchess.zones[1].seat == 2);
    cr_assert(promotes(0, 5) && !promotes(0, 6) && !promotes(0, 35));
    cr_assert(promotes(1, 30) && !promotes(1, 29) && !promotes(1, 0));
}

Test(stackchess, without_promotion_no_rank_promotes)
{
    open_game("promotion=false", NULL);
    cr_assert(!promotes(0, 5) && !promotes(1, 30));
}

Test(stackchess, the_text_board_of_the_exercise)
{
    static char text[4096];
    struct rules_look look;

    open_game("", "tfdrf1/ppppp1/6/5(pt)/(PFT)PPPPP/2DRFT w ABCDEFabcde 0 3");
    rules_look_init(&look);
    look.selected = 24;
    rules_board_text(&rules_stackchess, &scene.state, &look, text, sizeof(text));
    cr_assert_not_null(strstr(text, "\n2 | TB3 | PB  | PB  | PB  | PB  | PB  |\n"), "%s", text);
    cr_assert_not_null(strstr(text, "+        TB\n1 |     |     | DB  |"), "%s", text);
    cr_assert_not_null(strstr(text, "|        FB\n"), "%s", text);
    cr_assert_not_null(strstr(text, "    a2: PB\n"), "%s", text);
}
