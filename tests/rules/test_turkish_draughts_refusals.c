/* test_turkish_draughts_refusals.c - what Turkish draughts refuses, by which rule, and what proves
 * it: positions (T4, T31), options (T6) and moves (T5 to T30). */
#include <criterion/criterion.h>

#include "scene.h"

extern const struct rules_game rules_turkish_draughts;

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

static const struct scene_row positions[] = {
    {"T4 a square is named twice", "", "W:Wa2,b2:Ba7,Kb2", "",
     "bad-position T4 one-piece-a-square at 13: offender b2w"},
    {"T4 a square is named twice by one side", "", "W:Wa2,a2:Ba7", "",
     "bad-position T4 one-piece-a-square at 6: offender a2w"},
    {"T4 White has seventeen pieces", "",
     "W:Wa1,b1,c1,d1,e1,f1,g1,h1,a2,b2,c2,d2,e2,f2,g2,h2,a3:Ba7", "",
     "bad-position T4 sixteen-pieces 17 of 16"},
    {"T4 Black has seventeen pieces", "",
     "W:Wa1:Ba8,b8,c8,d8,e8,f8,g8,h8,a7,b7,c7,d7,e7,f7,g7,h7,Ka6", "",
     "bad-position T4 sixteen-pieces 17 of 16"},
    {"T4 a white man stands on its last rank", "", "W:Wa2,c8:Ba7", "",
     "bad-position T4 man-on-last-rank: offender c8w"},
    {"T4 a black man stands on its last rank", "", "W:Wa2:Ba7,h1", "",
     "bad-position T4 man-on-last-rank: offender h1b"},
    {"T31 the place where reading failed is named", "", "W:Wa2,i9:Ba7", "",
     "bad-position T31 position-text at 6"},
};

Test(turkish_draughts_refusals, a_position_is_refused_with_the_rule_that_it_breaks)
{
    SCENE_TABLE(game, scene_after, positions);
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
    struct scene scene;

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        cr_expect_not(scene_starts(&scene, game, "", texts[i]), "%s is accepted", texts[i]);
        cr_expect_eq(scene.why.code, RULES_BAD_POSITION, "%s", texts[i]);
        cr_expect_str_eq(scene.why.law->id, "turkish-draughts.position-text", "%s", texts[i]);
    }
}

/* ---- moves ---- */

Test(turkish_draughts_refusals, t29_a_text_that_is_no_move)
{
    static const char *const texts[] = {"",       " ",        "hello",    "a3",         "a3-a4-a5",
                                        "a3-",    "-a4",      "a3-a4 b3", "a3a4a5",     "a3x",
                                        "a3xa5x", "a3xa5-a7", "a3-a4xa6", "A3-A4",      "a3-a4#",
                                        "a3x-a5", "0-0",      "a-a4",     "\u00e43-a4", "a3xa5a7"};
    struct scene scene;

    scene_open(&scene, game, "", NULL);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        scene_refuses(&scene, texts[i], RULES_BAD_MOVE_TEXT, "turkish-draughts.notation");
}

Test(turkish_draughts_refusals, t2_a_square_that_is_not_on_the_board)
{
    static const char *const texts[] = {"i3-i4", "a3-a9", "a0-a1", "a3-a10", "a3xz9", "a99-a4"};
    struct scene scene;

    scene_open(&scene, game, "", NULL);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        scene_refuses(&scene, texts[i], RULES_OUT_OF_BOARD, "turkish-draughts.board");
}

#define SEVENTEEN_JUMPS "a1xa3xa1xa3xa1xa3xa1xa3xa1xa3xa1xa3xa1xa3xa1xa3xa1xa3"

static const struct scene_row moves[] = {
    {"T29 the place where reading failed is named", "", NULL, "a3-a4!",
     "bad-move-text T29 notation at 5"},
    {"T29 a capture of seventeen pieces is no move", "", NULL, SEVENTEEN_JUMPS,
     "bad-move-text T29 notation at 51"},
    {"T5 an empty square", "", NULL, "a4-a5", "empty-square T5 turns: from a4"},
    {"T5 a piece of the other side", "", NULL, "a6-a5", "not-your-piece T5 turns: from a6b"},
    {"T9 a step of two squares", "", NULL, "a3-a5", "wrong-shape T9 man-step: from a3w, to a5"},
    {"T9 a step of no square", "", NULL, "a3-a3", "wrong-shape T9 man-step: from a3w, to a3w"},
    {"T9 a step onto an own piece", "", NULL, "a2-a3", "occupied T9 man-step: to a3w"},
    {"T9 a step onto an enemy", "", "W:Wa4:Ba5,a6", "a4-a5", "occupied T9 man-step: to a5b"},
    {"T10 a step backward", "", "W:Wd4:Bh8", "d4-d3",
     "wrong-shape T10 man-never-back: from d4w, to d3"},
    {"T10 a step diagonally", "", "W:Wd4:Bh8", "d4-c5",
     "wrong-shape T10 man-never-back: from d4w, to c5"},
    {"T10 a black man's step backward", "", "B:Wa1:Bd4", "d4-d5",
     "wrong-shape T10 man-never-back: from d4b, to d5"},
    {"T10 a step backward beside other enemies", "", "W:Wd4:Bh8,h7", "d4-d3",
     "wrong-shape T10 man-never-back: from d4w, to d3"},
    {"T10 a step diagonally forward to the right", "", "W:Wd4:Bh8,h7", "d4-e5",
     "wrong-shape T10 man-never-back: from d4w, to e5"},
    {"T10 a step diagonally backward", "", "W:Wd4:Bh8,h7", "d4-c3",
     "wrong-shape T10 man-never-back: from d4w, to c3"},
    {"T11 a king off its lines", "", "W:WKd4:Bh8", "d4-e5",
     "wrong-shape T11 king-move: from d4W, to e5"},
    {"T11 a king that stays", "", "W:WKd4:Bh8", "d4-d4",
     "wrong-shape T11 king-move: from d4W, to d4W"},
    {"T11 a king over an own piece", "", "W:WKd1,d3:Bd5,d6", "d1-d8",
     "blocked T11 king-move: blocker d3w"},
    {"T11 a king over an enemy", "", "W:WKd1:Bd5,Kd6", "d1-d7",
     "blocked T11 king-move: blocker d5b"},
    {"T11 a king onto a piece", "", "W:WKd1:Bd5,Kd6", "d1-d5", "occupied T11 king-move: to d5b"},
    {"T12 a move without capture where there is one", "", "W:Wd4,h2:Bd5,c6,e4", "h2-h3",
     "must-capture T12 must-capture 0 of 2: capturer d4w, captured d5b, captured c6b; d4xd6xb6"},
    {"T13 a man's diagonal capture", "", "W:Wd4:Bd3,e5,c4", "d4xf6",
     "wrong-shape T13 man-capture: from d4w, to f6"},
    {"T13 a man's capture backward", "", "W:Wd4:Bd3,e5,c4", "d4xd2",
     "wrong-shape T13 man-capture: from d4w, to d2"},
    {"T13 a man's capture that lands too far", "", "W:Wd4:Bd3,e5,c4", "d4xa4",
     "wrong-shape T13 man-capture: from d4w, to a4"},
    {"T13 a man's capture that lands on the enemy", "", "W:Wd4:Bd3,e5,c4", "d4xc4",
     "wrong-shape T13 man-capture: from d4w, to c4b"},
    {"T13 a man's capture of nothing", "", "W:Wd4:Bc4", "d4xd6",
     "wrong-shape T13 man-capture: from d4w, to d6"},
    {"T13 a man's capture of an own piece", "", "W:Wd4,Kd5:Bh8", "d4xd6",
     "blocked T13 man-capture: blocker d5W"},
    {"T13 a man's capture that lands on a piece", "", "W:Wd4:Bd5,d6", "d4xd6",
     "occupied T13 man-capture: to d6b"},
    {"T14 a king's diagonal capture", "", "W:WKd4:Be5", "d4xf6",
     "wrong-shape T14 king-capture: from d4W, to f6"},
    {"T14 a king's capture of nothing", "", "W:WKd4:Be5", "d4xd8",
     "wrong-shape T14 king-capture: from d4W, to d8"},
    {"T14 a king's capture past an own piece", "", "W:WKd1,d3:Bd5", "d1xd7",
     "blocked T14 king-capture: blocker d3w"},
    {"T14 a king's capture of two in a row", "", "W:WKd1:Bd5,d6", "d1xd8",
     "blocked T14 king-capture: blocker d6b"},
    {"T14 a king's capture that lands on a piece", "", "W:WKd1,d7:Bd5", "d1xd7",
     "occupied T14 king-capture: to d7w"},
    {"T16 a jump over a piece that is taken already", "removal=end", "W:WKd1:Bd3,f5,g4,b3",
     "d1xd5xg5xg3xa3", "blocked T16 removal: blocker d3b"},
    {"T17 a turn by 180 degrees", "", "W:WKd4:Bd6,d2", "d4xd7xd1",
     "wrong-shape T17 turn180: from d4W, to d1"},
    {"T18 a capture of too few pieces", "", "W:Wa4,h2:Ba5,h3,g4,e4", "a4xa6",
     "must-capture-more T18 max-capture 1 of 3: capturer h2w, captured h3b, captured g4b, captured "
     "e4b; h2xh4xf4xd4"},
    {"T18 the beginning of a capture", "", "W:Wa4,h2:Ba5,h3,g4,e4", "h2xh4xf4",
     "must-capture-more T18 max-capture 2 of 3: capturer h2w, captured h3b, captured g4b, captured "
     "e4b; h2xh4xf4xd4"},
    {"T18 a short text of a capture of too few pieces", "", "W:Wa4,h2:Ba5,b6,h3,g4,e4", "a4xc6",
     "must-capture-more T18 max-capture 2 of 3: capturer h2w, captured h3b, captured g4b, captured "
     "e4b; h2xh4xf4xd4"},
    {"T12 six examples", "", "W:WKa4,h2:Bb4,h7,Kh8", "h2-h3",
     "must-capture T12 must-capture 0 of 1: capturer a4W, captured b4b; a4xc4 a4xd4 a4xe4 a4xf4 "
     "a4xg4 a4xh4"},
    {"T12 no more examples than there is room for", "", "W:WKa4,Kb1,h2:Bb4,h7,Kh8", "h2-h3",
     "must-capture T12 must-capture 0 of 1: capturer a4W, captured b4b, capturer b1W; a4xc4 a4xd4 "
     "a4xe4 a4xf4 a4xg4 a4xh4 b1xb8 b1xb7"},
    {"T21 a jump after the last rank with promotion stop", "promotion=stop", "W:Wb6:Bb7,Kc8,d3",
     "b6xb8xd8", "wrong-shape T21 promotion: from b6w, to d8"},
    {"T30 a short text that fits captures of different pieces", "", "W:Wa2:Bb2,a3,c3,b4,c5",
     "a2xc6", "ambiguous T30 short-notation; a2xa4xc4xc6 a2xc2xc4xc6"},
    {"T23 a move without pieces", "", "W:W:Ba6", "a2-a3", "game-over T23 no-pieces"},
    {"T24 a move of a player who is blocked", "", "W:Wa1:Ba2,a3,Kb1,Kc1", "a1-a2",
     "game-over T24 blocked"},
};

Test(turkish_draughts_refusals, a_move_is_refused_with_the_rule_that_it_breaks_and_what_proves_it)
{
    SCENE_TABLE(game, scene_read, moves);
}
