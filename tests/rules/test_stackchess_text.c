/*
 * test_stackchess_text.c - moves and positions of Stackchess as text (10, 11), why they are refused
 * (13), and what the game tells clients.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "rules/textboard.h"
#include "stackchess_scene.h"

/* ---- 10 moves ---- */

Test(stackchess, rule_10_one_man_is_not_counted_more_are)
{
    cr_assert_str_eq(scene_legal("3p/3p/4/(RR)3 w - 0 1", ""), "2a1a2 2a1b1 2a1b2 a1a2 a1b1 a1b2");
}

Test(stackchess, rule_10_a_count_of_one_is_read_and_left_out)
{
    struct rules_state state = scene("", NULL);
    struct rules_refusal why;
    char text[RULES_MOVE_TEXT];
    rules_move move;

    cr_assert(rules_stackchess.read_move(&state, "1a2a3", &move, &why));
    rules_stackchess.move_text(&state, move, text);
    cr_assert_str_eq(text, "a2a3");
}

Test(stackchess, rule_10_numbers_of_two_digits)
{
    struct rules_state state = scene("", "12/12/12/12/12/12/12/12/12/12/(TTTTTTTTTTT)11/tt10 w - "
                                         "0 1");

    cr_assert_str_eq(scene_moves(&state, "11a2a1"), "11a2a1 11a2a10 11a2a11 11a2a12");
    state = scene_play(state, "11a2a12");
    cr_assert_str_eq(scene_text(&state),
                     "(TTTTTTTTTTT)11/12/12/12/12/12/12/12/12/12/12/tt10 b - 1 1");
}

Test(stackchess, rule_10_what_is_no_move_is_refused)
{
    static const char *const texts[] = {"",      "a2",   "a2a3 ",  " a2a3",  "A2a3",  "0a2a3",
                                        "a2a03", "a2a",  "2a2",    "a2a3b",  "a02a3", "-1a2a3",
                                        "a2-a3", "a0a2", "01a2a3", "a2a3\n", "resign"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct rules_refusal why = scene_refusal(NULL, texts[i]);

        cr_assert_eq(why.code, RULES_BAD_MOVE_TEXT, "%s", texts[i]);
        cr_assert_str_eq(why.law->number, "10");
    }
    cr_assert_eq(scene_refusal(NULL, "a2 a3").at, 2);
}

/* ---- 11 positions ---- */

static void expect_canonical(const char *options, const char *position)
{
    struct rules_state state = scene(options, position);

    cr_assert_str_eq(scene_text(&state), position);
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
    struct rules_state state;

    for (unsigned row = 0; row < 26; row++) {
        if (row > 0)
            strcat(position, "/");
        for (unsigned column = 0; column < 26; column++)
            strcat(position, row * 26 + column < 348 ? "(DD)" : "c");
    }
    strcat(position, " w - 0 1");
    state = scene("", position);
    cr_assert_str_eq(scene_text(&state), position);
    cr_assert_eq(rules_stackchess.count(&state), rules_stackchess.legal(&state, NULL, 0));
}

static struct rules_refusal refused_position(const char *options, const char *position)
{
    struct rules_refusal why = {.code = RULES_OK};
    struct rules_state state;

    cr_assert_not(scene_try(options, position, &state, &why), "%s is accepted", position);
    return why;
}

/* The position is refused for that rule, at that byte. */
static void expect_refused(const char *position, const char *id, int at)
{
    struct rules_refusal why = refused_position("", position);

    cr_assert_eq(why.code, RULES_BAD_POSITION, "%s", position);
    cr_assert_str_eq(why.law->number, "11");
    cr_assert_str_eq(why.law->id, id, "%s: %s", position, why.law->id);
    cr_assert_eq(why.at, at, "%s: at %d", position, why.at);
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
    struct rules_refusal why = refused_position("", "4/4/1(Tt)2/T3 w - 0 1");

    expect_refused("4/4/1(Tt)2/T3 w - 0 1", "stackchess.mixed-stack", 7);
    cr_assert_eq(why.witnesses, 1);
    cr_assert_eq(why.witness[0].role, RULES_ROLE_OFFENDER);
    cr_assert_eq(why.witness[0].square, 9);
}

Test(stackchess, rule_11_a_board_is_not_empty)
{
    expect_refused("4/4/4/4 w - 0 1", "stackchess.empty-board", 0);
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
    struct rules_refusal why = refused_position("", "4/4/1(TP)2/4 w B 0 1");

    expect_refused("4/4/P3/4 w B 0 1", "stackchess.unmoved-pawn", 11);
    expect_refused("4/4/1(TP)2/4 w B 0 1", "stackchess.unmoved-pawn", 15);
    expect_refused("4/4/1p2/3T w B 0 1", "stackchess.unmoved-pawn", 13);
    expect_refused("4/4/1p2/3T w b 0 1", "stackchess.unmoved-pawn", 13);
    cr_assert_eq(why.witness[0].role, RULES_ROLE_OFFENDER);
    cr_assert_eq(why.witness[0].square, 9);
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
    struct rules_refusal why = refused_position("", "1P2/4/4/T3 w - 0 1");

    expect_refused("1P2/4/4/T3 w - 0 1", "stackchess.last-rank", 1);
    expect_refused("4/4/4/T(tp)2 w - 0 1", "stackchess.last-rank", 9);
    cr_assert_eq(why.witness[0].role, RULES_ROLE_PAWN);
    cr_assert_eq(why.witness[0].square, 1);
    expect_canonical("", "1p2/4/4/TP2 w - 0 1");
}

Test(stackchess, rule_11_the_position_decides_the_size)
{
    struct rules_refusal why = refused_position("size=6", "4/4/4/T3 w - 0 1");

    cr_assert_eq(why.code, RULES_BAD_OPTION);
    cr_assert_str_eq(why.option, "size");
    cr_assert_eq(why.yours, 6);
    cr_assert_eq(why.required, 4);
    expect_canonical("size=4", "4/4/4/T3 w - 0 1");
}

Test(stackchess, rule_11_the_size_of_the_position_is_told)
{
    struct rules_options options;
    struct rules_refusal why;
    struct rules_state state;

    rules_options_init(&options);
    cr_assert(rules_start(&rules_stackchess, &options, "4/4/4/T3 w - 0 1", &state, &why));
    cr_assert_eq(options.value[0], 4);
    cr_assert(rules_load(&rules_stackchess, &options, "5/5/5/T4/5 w - 0 1", &state, &why));
}

/* ---- 13 refusals ---- */

static void expect_witness(const struct rules_refusal *why, enum rules_role role,
                           const char *square, unsigned seat, const char *piece)
{
    char name[RULES_SQUARE_TEXT];

    cr_assert_eq(why->witnesses, 1);
    rules_square_text((struct rules_board){5, 5, RULES_LETTER_DIGIT}, why->witness[0].square, name);
    cr_assert_eq(why->witness[0].role, role);
    cr_assert_str_eq(name, square);
    cr_assert_eq(why->witness[0].man.seat, seat);
    if (seat != 0)
        cr_assert_str_eq(rules_stackchess.pieces[why->witness[0].man.kind].name, piece);
}

static void expect_reason(const struct rules_refusal *why, enum rules_code code, const char *law)
{
    cr_assert_eq(why->code, code, "%s", rules_code_text(why->code));
    cr_assert_str_eq(why->law->number, law, "%s", why->law->number);
}

static void expect_numbers(const struct rules_refusal *why, int yours, int required)
{
    cr_assert_eq(why->yours, yours, "%d", why->yours);
    cr_assert_eq(why->required, required, "%d", why->required);
}

Test(stackchess, rule_13_out_of_board)
{
    struct rules_refusal why = scene_refusal(NULL, "a2a7");

    expect_reason(&why, RULES_OUT_OF_BOARD, "2.1");
    cr_assert_eq(why.at, 2);
    why = scene_refusal(NULL, "2g2a99999999999999999999");
    cr_assert_eq(why.at, 1);
}

Test(stackchess, rule_13_game_over)
{
    struct rules_refusal won = scene_refusal("5/5/5/5/T4 w - 0 1", "a1a2");
    struct rules_refusal dead = scene_refusal("4t/5/5/5/T4 w - 0 1", "a1a2");

    expect_reason(&won, RULES_GAME_OVER, "9.1");
    expect_reason(&dead, RULES_GAME_OVER, "9.2");
}

Test(stackchess, rule_13_empty_square)
{
    struct rules_refusal why = scene_refusal("4t/5/5/5/TT3 w - 0 1", "c3c4");

    expect_reason(&why, RULES_EMPTY_SQUARE, "5.1");
    expect_witness(&why, RULES_ROLE_FROM, "c3", 0, NULL);
}

Test(stackchess, rule_13_not_your_piece)
{
    struct rules_refusal why = scene_refusal("4t/5/5/5/TT3 w - 0 1", "e5e4");

    expect_reason(&why, RULES_NOT_YOUR_PIECE, "5.1");
    expect_witness(&why, RULES_ROLE_FROM, "e5", 2, "rook");
}

Test(stackchess, rule_13_stack_too_small)
{
    struct rules_refusal why = scene_refusal("4t/5/5/5/(TT)4 w - 0 1", "3a1a2");

    expect_reason(&why, RULES_STACK_TOO_SMALL, "5.1");
    expect_numbers(&why, 3, 2);
    expect_witness(&why, RULES_ROLE_FROM, "a1", 1, "rook");
    why = scene_refusal("4t/5/5/5/(TT)4 w - 0 1", "99999999999999999999a1a2");
    expect_numbers(&why, INT32_MAX, 2);
}

Test(stackchess, rule_13_no_piece_moves_so)
{
    struct rules_refusal why = scene_refusal("4t/5/5/5/(TT)4 w - 0 1", "2a1b4");

    expect_reason(&why, RULES_WRONG_SHAPE, "6.1");
}

Test(stackchess, rule_13_a_single_piece_does_not_move_so)
{
    struct rules_refusal why = scene_refusal("3tt/5/5/5/(FT)4 w - 0 1", "a1c3");

    expect_reason(&why, RULES_WRONG_SHAPE, "6.1");
    expect_witness(&why, RULES_ROLE_UNABLE, "a1", 1, "rook");
    why = scene_refusal("3tt/5/5/5/(FT)4 w - 0 1", "a1b3");
    expect_reason(&why, RULES_WRONG_SHAPE, "8.1");
    why = scene_refusal("3tt/5/5/5/(FC)4 w - 0 1", "a1a2");
    expect_reason(&why, RULES_WRONG_SHAPE, "6.3");
}

Test(stackchess, rule_13_no_common_move_names_the_lowest_piece_that_cannot)
{
    struct rules_refusal why = scene_refusal("4t/5/5/5/(DTRT)4 w - 0 1", "4a1c3");

    expect_reason(&why, RULES_NO_COMMON_MOVE, "6.1");
    expect_witness(&why, RULES_ROLE_UNABLE, "a1", 1, "rook");
    why = scene_refusal("4t/5/5/5/(DRDT)4 w - 0 1", "4a1a3");
    expect_witness(&why, RULES_ROLE_UNABLE, "a1", 1, "king");
    why = scene_refusal("4t/5/5/5/(CT)4 w - 0 1", "2a1a2");
    expect_reason(&why, RULES_NO_COMMON_MOVE, "6.3");
    expect_witness(&why, RULES_ROLE_UNABLE, "a1", 1, "knight");
}

Test(stackchess, rule_13_not_enough_knights_for_a_leap)
{
    struct rules_refusal why = scene_refusal("4t/5/5/5/(FRCT)4 w - 0 1", "4a1b3");

    expect_reason(&why, RULES_NO_COMMON_MOVE, "8.1");
    expect_numbers(&why, 1, 2);
    expect_witness(&why, RULES_ROLE_UNABLE, "a1", 1, "bishop");
    why = scene_refusal("4t/5/5/5/(RCT)4 w - 0 1", "3a1b3");
    expect_numbers(&why, 1, 2);
}

Test(stackchess, rule_13_pawns_have_laws_of_their_own)
{
    struct rules_refusal why = scene_refusal("4t/5/p4/P4/(PT)4 w - 0 1", "a2a3");

    expect_reason(&why, RULES_WRONG_SHAPE, "7.2");
    expect_witness(&why, RULES_ROLE_UNABLE, "a2", 1, "pawn");
    why = scene_refusal("4t/5/5/P4/T4 w - 0 1", "a2b3");
    expect_reason(&why, RULES_WRONG_SHAPE, "7.1");
    why = scene_refusal("4t/5/5/P4/T4 w - 0 1", "a2a4");
    expect_reason(&why, RULES_WRONG_SHAPE, "7.4");
    why = scene_refusal("4t/5/5/(PD)4/T4 w - 0 1", "2a2a1");
    expect_reason(&why, RULES_NO_COMMON_MOVE, "7.1");
    why = scene_refusal("4t/5/4p/5/(PD)T3 w - 0 1", "2a1c3");
    expect_reason(&why, RULES_NO_COMMON_MOVE, "7.1");
}

Test(stackchess, rule_13_blocked_names_the_first_square_in_the_way)
{
    struct rules_refusal why = scene_refusal("4t/5/2t2/1(TF)3/D4 w - 0 1", "a1d4");

    expect_reason(&why, RULES_BLOCKED, "6.2");
    expect_witness(&why, RULES_ROLE_BLOCKER, "b2", 1, "bishop");
    why = scene_refusal("4t/5/t4/P4/T4 w A 0 1", "a2a4");
    expect_reason(&why, RULES_BLOCKED, "6.2");
    expect_witness(&why, RULES_ROLE_BLOCKER, "a3", 2, "rook");
}

Test(stackchess, rule_13_too_few_to_capture)
{
    struct rules_refusal why = scene_refusal("4t/5/(tft)4/5/(TTT)4 w - 0 1", "2a1a3");

    expect_reason(&why, RULES_TOO_FEW_TO_CAPTURE, "5.3");
    expect_numbers(&why, 2, 4);
    expect_witness(&why, RULES_ROLE_TO, "a3", 2, "rook");
}

Test(stackchess, rule_13_a_refusal_leaves_the_position_alone)
{
    struct rules_state state = scene("", NULL), before = state;
    struct rules_refusal why;

    cr_assert_not(rules_play(&rules_stackchess, &state, "a2a5", NULL, &why));
    cr_assert_eq(memcmp(&state, &before, sizeof(state)), 0);
}

/* ---- what clients are told ---- */

Test(stackchess, every_law_has_an_id_of_its_own)
{
    for (size_t i = 0; i < rules_stackchess.nlaws; i++)
        for (size_t j = 0; j < i; j++)
            cr_assert_str_neq(rules_stackchess.laws[i].id, rules_stackchess.laws[j].id);
}

static size_t path_of(const char *position, const char *text, char click[][RULES_SQUARE_TEXT])
{
    struct rules_state state = scene("", position);
    struct rules_refusal why;
    rules_move move;

    cr_assert(rules_stackchess.read_move(&state, text, &move, &why));
    return rules_stackchess.path(&state, move, click);
}

Test(stackchess, one_man_moves_by_two_clicks_and_more_by_a_third)
{
    char click[RULES_PATH_MAX][RULES_SQUARE_TEXT];

    cr_assert_eq(path_of("3p/3p/4/(RR)3 w - 0 1", "a1a2", click), 2);
    cr_assert_str_eq(click[0], "a1");
    cr_assert_str_eq(click[1], "a2");
    cr_assert_eq(path_of("3p/3p/4/(RR)3 w - 0 1", "2a1a2", click), 3);
    cr_assert_str_eq(click[2], "2");
}

static size_t effects_of(const char *position, const char *text, struct rules_effect *effects)
{
    struct rules_state state = scene("", position);
    struct rules_refusal why;
    rules_move move;

    cr_assert(rules_stackchess.read_move(&state, text, &move, &why));
    return rules_stackchess.effects(&state, move, effects);
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
    struct rules_state state = scene("", "3t/4/4/(PFT)3 w - 0 1");
    struct rules_man men[2];

    cr_assert_eq(rules_stackchess.at(&state, 12, men, 2), 3);
    cr_assert_str_eq(rules_stackchess.pieces[men[0].kind].name, "pawn");
    cr_assert_str_eq(rules_stackchess.pieces[men[1].kind].name, "bishop");
    cr_assert_eq(rules_stackchess.at(&state, 0, men, 2), 0);
}

Test(stackchess, each_side_promotes_on_its_last_rank_if_it_does)
{
    const struct rules_zone *white = &rules_stackchess.zones[0],
                            *black = &rules_stackchess.zones[1];
    struct rules_state with = scene("", NULL), without = scene("promotion=false", NULL);

    cr_assert(white->seat == 1 && black->seat == 2);
    cr_assert(white->has(&with, 5) && !white->has(&with, 6) && !white->has(&with, 35));
    cr_assert(black->has(&with, 30) && !black->has(&with, 29));
    cr_assert(!white->has(&without, 5) && !black->has(&without, 30));
}

Test(stackchess, the_text_board_of_the_seeds_screen)
{
    static char text[4096];
    struct rules_state state =
        scene("", "tfdrf1/ppppp1/6/5(pt)/(PFT)PPPPP/2DRFT w ABCDEFabcde 0 3");
    struct rules_look look;

    rules_look_init(&look);
    look.selected = 24;
    rules_board_text(&rules_stackchess, &state, &look, text, sizeof(text));
    cr_assert_not_null(strstr(text, "\n2 | TB3 | PB  | PB  | PB  | PB  | PB  |\n"), "%s", text);
    cr_assert_not_null(strstr(text, "+        TB\n1 |     |     | DB  |"), "%s", text);
    cr_assert_not_null(strstr(text, "|        FB\n"), "%s", text);
    cr_assert_not_null(strstr(text, "    a2: PB\n"), "%s", text);
}
