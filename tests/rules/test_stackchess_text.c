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

/* ---- 11 positions ---- */

static const struct scene_row positions[] = {
    {"11 the start is written as it is read", "",
     "tfdrft/pppppp/6/6/PPPPPP/TFDRFT w ABCDEFabcdef 0 1", "",
     "tfdrft/pppppp/6/6/PPPPPP/TFDRFT w ABCDEFabcdef 0 1"},
    {"11 stacks are written as they are read", "",
     "tfdrf1/ppppp1/6/5(pt)/(PFT)PPPPP/2DRFT w ABCDEFabcde 0 3", "",
     "tfdrf1/ppppp1/6/5(pt)/(PFT)PPPPP/2DRFT w ABCDEFabcde 0 3"},
    {"11 large numbers are written as they are read", "",
     "12/12/12/12/12/12/12/12/12/12/(TTTTTTTTTTT)11/tt10 b - 17 2147483647", "",
     "12/12/12/12/12/12/12/12/12/12/(TTTTTTTTTTT)11/tt10 b - 17 2147483647"},
    {"11 flags of both sides are written as they are read", "", "t3/1p2/P3/(CT)3 b Ab 0 1", "",
     "t3/1p2/P3/(CT)3 b Ab 0 1"},
    {"11 without promotion pawns stand on the last rank", "promotion=false", "P3/4/4/p3 w - 0 1",
     "", "P3/4/4/p3 w - 0 1"},
    {"11 any number of kings is accepted", "", "4/4/4/RRRR w - 0 1", "", "4/4/4/RRRR w - 0 1"},
    {"11 a side without pieces is accepted", "", "4/4/dddd/dddd w - 0 1", "",
     "4/4/dddd/dddd w - 0 1"},

    {"11 a board has 4 ranks at least", "", "3/3/T2 w - 0 1", "", "bad-position 11 ranks at 0"},
    {"11 an empty text has no ranks", "", "", "", "bad-position 11 ranks at 0"},
    {"11 a board has 26 ranks at most", "", "T/////////////////////////// w - 0 1", "",
     "bad-position 11 ranks at 0"},
    {"11 a rank that is too short is refused", "", "4/4/3/T3 w - 0 1", "",
     "bad-position 11 rank-length at 5"},
    {"11 a rank that is too long is refused", "", "4/4/5/T3 w - 0 1", "",
     "bad-position 11 rank-length at 4"},
    {"11 a rank of too many pieces is refused", "", "4/4/TTTTT/T3 w - 0 1", "",
     "bad-position 11 rank-length at 8"},
    {"11 a rank beyond all numbers is refused", "", "4/4/99999999999999999999/T3 w - 0 1", "",
     "bad-position 11 rank-length at 4"},
    {"11 an empty rank is refused", "", "4/4//T3 w - 0 1", "", "bad-position 11 rank-length at 4"},
    {"11 a rank holds no other letters", "", "4/4/x3/T3 w - 0 1", "",
     "bad-position 11 board-text at 4"},
    {"11 a rank holds no leading zeros", "", "4/4/04/T3 w - 0 1", "",
     "bad-position 11 board-text at 4"},
    {"11 a rank holds no lone parenthesis", "", "4/4/T)2/T3 w - 0 1", "",
     "bad-position 11 board-text at 5"},
    {"11 parentheses are not empty", "", "4/4/()3/T3 w - 0 1", "",
     "bad-position 11 stack-text at 4"},
    {"11 parentheses hold two or more pieces", "", "4/4/(T)3/T3 w - 0 1", "",
     "bad-position 11 stack-text at 4"},
    {"11 parentheses are closed", "", "4/4/(TT3/T3 w - 0 1", "", "bad-position 11 stack-text at 4"},
    {"11 parentheses hold no numbers", "", "4/4/(T2)/T3 w - 0 1", "",
     "bad-position 11 stack-text at 4"},
    {"11 parentheses hold no parentheses", "", "4/4/(T(TT))3/T3 w - 0 1", "",
     "bad-position 11 stack-text at 4"},
    {"11 a stack has one colour", "", "4/4/1(Tt)2/T3 w - 0 1", "",
     "bad-position 11 mixed-stack at 7: offender b2TB"},
    {"11 a board is not empty", "", "4/4/4/4 w - 0 1", "", "bad-position 11 empty-board"},
    {"11 the side to move is w or b", "", "4/4/4/T3 x - 0 1", "", "bad-position 11 side at 9"},
    {"11 the side to move is not missing", "", "4/4/4/T3 ", "", "bad-position 11 side at 9"},
    {"11 flags are in order", "", "4/4/PPPP/4 w BA 0 1", "", "bad-position 11 unmoved-text at 14"},
    {"11 no flag is named twice", "", "4/4/PPPP/4 w AA 0 1", "",
     "bad-position 11 unmoved-text at 14"},
    {"11 White's flags come first", "", "4/pppp/PPPP/4 w aA 0 1", "",
     "bad-position 11 unmoved-text at 17"},
    {"11 a flag is a file of the board", "", "4/4/PPPP/4 w E 0 1", "",
     "bad-position 11 unmoved-text at 13"},
    {"11 flags are not missing", "", "4/4/PPPP/4 w  0 1", "", "bad-position 11 unmoved-text at 13"},
    {"11 a flag needs a pawn", "", "4/4/P3/4 w B 0 1", "",
     "bad-position 11 unmoved-pawn at 11: offender b2"},
    {"11 a flag needs a pawn of its side", "", "4/4/1p2/3T w B 0 1", "",
     "bad-position 11 unmoved-pawn at 13: offender b2PN"},
    {"11 a flag needs a pawn on its start square", "", "4/4/1p2/3T w b 0 1", "",
     "bad-position 11 unmoved-pawn at 13: offender b3"},
    {"11 a flag needs a pawn at the bottom", "", "4/4/1(TP)2/4 w B 0 1", "",
     "bad-position 11 unmoved-pawn at 15: offender b2PB"},
    {"11 the plies without progress are a number", "", "4/4/4/T3 w - x 1", "",
     "bad-position 11 quiet at 13"},
    {"11 the plies without progress have no leading zeros", "", "4/4/4/T3 w - 00 1", "",
     "bad-position 11 quiet at 13"},
    {"11 the plies without progress are not too many", "", "4/4/4/T3 w - 2147483648 1", "",
     "bad-position 11 quiet at 13"},
    {"11 moves count from 1", "", "4/4/4/T3 w - 0 0", "", "bad-position 11 move-number at 15"},
    {"11 the move number has no sign", "", "4/4/4/T3 w - 0 -1", "",
     "bad-position 11 move-number at 15"},
    {"11 a position has more than a board", "", "4/4/4/T3", "", "bad-position 11 fields at 8"},
    {"11 a position has more than two parts", "", "4/4/4/T3 w", "", "bad-position 11 fields at 10"},
    {"11 a position has more than four parts", "", "4/4/4/T3 w - 0", "",
     "bad-position 11 fields at 14"},
    {"11 a position has no sixth part", "", "4/4/4/T3 w - 0 1 ", "",
     "bad-position 11 fields at 16"},
    {"11 no flag follows a dash", "", "4/4/4/T3 w -A 0 1", "", "bad-position 11 fields at 12"},
    {"11 one space parts the board from the side", "", "4/4/4/T3  w - 0 1", "",
     "bad-position 11 side at 9"},
    {"11 no black pawn stands on its last rank", "", "4/4/4/T(tp)2 w - 0 1", "",
     "bad-position 11 last-rank: pawn b1PN"},
    {"11 no white pawn stands on its last rank", "", "1P2/4/4/T3 w - 0 1", "",
     "bad-position 11 last-rank: pawn b4PB"},
    {"11 pawns may stand on their first rank", "", "1p2/4/4/TP2 w - 0 1", "",
     "1p2/4/4/TP2 w - 0 1"},
    {"11 an option of another size than the position is refused", "size=6", "4/4/4/T3 w - 0 1", "",
     "bad-option 11 size option size 6 of 4"},
    {"11 an option of the size of the position is accepted", "size=4", "4/4/4/T3 w - 0 1", "",
     "4/4/4/T3 w - 0 1"},
};

Test(stackchess, a_position_is_read_and_written_or_refused_with_the_rule_that_it_breaks)
{
    SCENE_TABLE(&rules_stackchess, scene_after, positions);
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
    open_game("", position);
    cr_assert_str_eq(scene_position(&scene), position);
    cr_assert_eq(rules_stackchess.count(&scene.state),
                 rules_stackchess.legal(&scene.state, NULL, 0));
}

Test(stackchess, rule_11_there_are_at_most_1024_pieces)
{
    char position[2 * RULES_STACK_MAX] = "4/4/3t/(";

    memset(strchr(position, '\0'), 'T', RULES_STACK_MAX);
    strcat(position, ")3 w - 0 1");
    cr_assert_not(scene_starts(&scene, &rules_stackchess, "", position));
    cr_assert_eq(scene.why.code, RULES_BAD_POSITION);
    cr_assert_str_eq(scene.why.law->number, "11");
    cr_assert_str_eq(scene.why.law->id, "stackchess.too-many");
    cr_assert_eq(scene.why.at, 8 + RULES_STACK_MAX - 1);
}

Test(stackchess, rule_11_the_size_of_the_position_is_told)
{
    open_game("", "4/4/4/T3 w - 0 1");
    cr_assert_eq(scene.options.value[0], 4);
    cr_assert(rules_load(&rules_stackchess, &scene.options, "5/5/5/T4/5 w - 0 1", &scene.state,
                         &scene.why));
}

/* ---- 13 refusals ---- */

/* On this board there is a file x, and an x before a digit is that file. */
#define WIDE \
    "24/24/24/24/24/24/24/24/24/24/24/24/24/24/24/24/24/24/24/24/24/24/(TT)23/22(tt)1 w - 0 1"

static const struct scene_row meanings[] = {
    {"10 an x before a digit is a file", "", WIDE, "a2x2", "a2x2"},
    {"10 an x before a file x is a sign", "", WIDE, "a2xx2", "a2x2"},
    {"2.1 a square beyond the last rank", "", NULL, "a2a7", "out-of-board 2.1 board at 2"},
    {"2.1 a square beyond the last file and all numbers", "", NULL, "2g2a99999999999999999999",
     "out-of-board 2.1 board at 1"},
    {"9.1 a move after a side was captured", "", "5/5/5/5/T4 w - 0 1", "a1a2",
     "game-over 9.1 all-captured"},
    {"9.2 a move in a dead position", "", "4t/5/5/5/T4 w - 0 1", "a1a2", "game-over 9.2 dead"},
    {"5.1 an empty square", "", "4t/5/5/5/TT3 w - 0 1", "c3c4", "empty-square 5.1 from: from c3"},
    {"5.1 a piece of the other side", "", "4t/5/5/5/TT3 w - 0 1", "e5e4",
     "not-your-piece 5.1 from: from e5TN"},
    {"5.1 more pieces than the stack has", "", "4t/5/5/5/(TT)4 w - 0 1", "3a1a2",
     "stack-too-small 5.1 height 3 of 2: from a1TB"},
    {"5.1 more pieces than there are numbers", "", "4t/5/5/5/(TT)4 w - 0 1",
     "99999999999999999999a1a2", "stack-too-small 5.1 height 2147483647 of 2: from a1TB"},
    {"5.5 a player may not pass", "", "p2p/4/4/(DR)3 w - 0 1", "a1a1",
     "wrong-shape 5.1 another-square"},
    {"6.1 no piece of a group moves so", "", "4t/5/5/5/(TT)4 w - 0 1", "2a1b4",
     "no-common-move 6.1 straight: unable a1TB"},
    {"6.1 of two pieces that cannot the lowest is named", "", "4t/5/5/5/(TF)3T w - 0 1", "2a1b4",
     "no-common-move 6.1 straight: unable a1TB"},
    {"6.1 no piece at all moves so", "", "4t/5/5/5/F3F w - 0 1", "a1b4",
     "wrong-shape 6.1 straight: unable a1FB, to b4"},
    {"7.1 a pawn alone is told how pawns move", "", "5/5/t4/5/1P2P w - 0 1", "b1c4",
     "wrong-shape 7.1 pawn-step: unable b1PB, to c4"},
    {"7.1 a pawn alone that leaps is told how pawns move", "", "5/5/t4/5/1P2P w - 0 1", "b1c3",
     "wrong-shape 7.1 pawn-step: unable b1PB, to c3"},
    {"7.2 a pawn alone that leaps onto an enemy is told how pawns capture", "",
     "5/5/t4/5/1P2P w - 0 1", "b1a3", "wrong-shape 7.2 pawn-capture: unable b1PB, to a3TN"},
    {"6.3 a knight alone is told how knights move", "", "4t/5/5/5/1C2C w - 0 1", "b1c4",
     "wrong-shape 6.3 knight-straight: unable b1CB, to c4"},
    {"6.3 a knight alone that steps is told how knights move", "", "4t/5/5/5/1C2C w - 0 1", "b1b2",
     "wrong-shape 6.3 knight-straight: unable b1CB, to b2"},
    {"6.1 a piece alone does not move so", "", "3tt/5/5/5/(CFT)4 w - 0 1", "a1c3",
     "wrong-shape 6.1 straight: unable a1TB, to c3"},
    {"6.1 a piece alone above a knight does not leap", "", "3tt/5/5/5/(CFT)4 w - 0 1", "a1b3",
     "wrong-shape 6.1 straight: unable a1TB, to b3"},
    {"6.3 a knight alone does not move straight", "", "3tt/5/5/5/(FC)4 w - 0 1", "a1a2",
     "wrong-shape 6.3 knight-straight: unable a1CB, to a2"},
    {"6.1 the lowest piece that cannot is named: a rook", "", "4t/5/5/5/(DTRT)4 w - 0 1", "4a1c3",
     "no-common-move 6.1 straight: unable a1TB"},
    {"6.1 the lowest piece that cannot is named: a king", "", "4t/5/5/5/(DRDT)4 w - 0 1", "4a1a3",
     "no-common-move 6.1 straight: unable a1RB"},
    {"6.3 the lowest piece that cannot is named: a knight", "", "4t/5/5/5/(CT)4 w - 0 1", "2a1a2",
     "no-common-move 6.3 knight-straight: unable a1CB"},
    {"8.1 not enough knights for a leap of four", "", "4t/5/5/5/(FRCT)4 w - 0 1", "4a1b3",
     "no-common-move 8.1 leap 1 of 2: unable a1FB"},
    {"8.1 not enough knights for a leap of three", "", "4t/5/5/5/(RCT)4 w - 0 1", "3a1b3",
     "no-common-move 8.1 leap 1 of 2: unable a1RB"},
    {"7.2 a pawn does not go forward onto an enemy", "", "4t/5/p4/(PP)4/5 w - 0 1", "a2a3",
     "wrong-shape 7.2 pawn-capture: unable a2PB, to a3PN"},
    {"7.2 two pawns do not go forward onto an enemy", "", "4t/5/p4/(PP)4/5 w - 0 1", "2a2a3",
     "no-common-move 7.2 pawn-capture: unable a2PB"},
    {"7.1 a pawn does not go diagonally onto an empty square", "", "4t/5/5/(PF)4/5 w - 0 1",
     "2a2b3", "no-common-move 7.1 pawn-step: unable a2PB"},
    {"7.1 a pawn does not go back", "", "4t/5/5/P4/1T3 w - 0 1", "a2a1",
     "wrong-shape 7.1 pawn-step: unable a2PB, to a1"},
    {"7.4 a pawn that moved has no double step", "", "4t/5/5/P4/T4 w - 0 1", "a2a4",
     "wrong-shape 7.4 pawn-moved: unable a2PB, to a4"},
    {"6.2 the first square in the way is named", "", "4t/5/2t2/1(TF)3/D4 w - 0 1", "a1d4",
     "blocked 6.2 blocked: blocker b2FB"},
    {"6.2 the square in the way of a double step is named", "", "4t/5/t4/P4/T4 w A 0 1", "a2a4",
     "blocked 6.2 blocked: blocker a3TN"},
    {"5.3 too few to capture", "", "4t/5/(tft)4/5/(TTT)4 w - 0 1", "2a1a3",
     "too-few-to-capture 5.3 capture 2 of 4: to a3TN"},
};

Test(stackchess, a_text_is_read_as_its_move_or_refused_with_the_rule_that_it_breaks)
{
    SCENE_TABLE(&rules_stackchess, scene_read, meanings);
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
