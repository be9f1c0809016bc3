/* test_turkish_draughts_text.c - Turkish draughts as clients see it: moves and positions as texts,
 * T29 to T33, perft, clicks and effects. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "scene.h"
#include "tests/support/long.h"

extern const struct rules_game rules_turkish_draughts;

static const struct rules_game *const game = &rules_turkish_draughts;

/* ---- notation ---- */

#define SIXTEEN_PIECES "W:WKa5:Bc8,g8,d7,h7,a6,e6,c5,g5,b4,f4,a3,e3,h3,d2,Kc1,Kg1"
#define SIXTEEN_JUMPS  "a5xa8xd8xh8xh6xh2xb2xb6xg6xg4xa4xa1xe1xe7xc7xc1xh1"
#define TWO_JUMPS      "W:Wd4:Bd5,c6"

static const struct scene_row meanings[] = {
    {"T29 a capture of sixteen pieces is written and read", "", SIXTEEN_PIECES, SIXTEEN_JUMPS,
     SIXTEEN_JUMPS},
    {"T30 colons are read as x", "", TWO_JUMPS, "d4:d6:b6", "d4xd6xb6"},
    {"T30 a colon behind an x is read as x", "", TWO_JUMPS, "d4xd6:b6", "d4xd6xb6"},
    {"T30 start and end are enough where all such captures come to the same", "", TWO_JUMPS,
     "d4xb6", "d4xd6xb6"},
    {"T30 start and end are not enough where they do not", "", "W:Wa2:Bb2,a3,c3,b4,c5", "a2xc6",
     "ambiguous T30 short-notation; a2xa4xc4xc6 a2xc2xc4xc6"},
    {"T30 an exact text is never ambiguous", "", "W:Wa2:Bb2,a3,c3,b4,c5", "a2xc2xc4xc6",
     "a2xc2xc4xc6"},
    {"T30 blanks around a move do not matter", "", NULL, " \ta3-a4\r\n", "a3-a4"},
    {"T30 blanks between the squares of a step do not matter", "", NULL, "a3 - a4", "a3-a4"},
    {"T30 blanks between the squares of a capture do not matter", "", TWO_JUMPS, "d4 x d6 x b6",
     "d4xd6xb6"},
    {"T30 squares without a sign are a step", "", NULL, "a3a4", "a3-a4"},
    {"T30 squares with a blank between them are a step", "", NULL, "a3 a4", "a3-a4"},
    {"T30 squares without a sign are a capture where there is one", "", TWO_JUMPS, "d4d6b6",
     "d4xd6xb6"},
    {"T30 squares without a sign are a king's capture, too", "", "W:WKa1:Ba3,h8", "a1a5", "a1xa5"},
    {"T30 a step without a sign is no capture", "", "W:Wd4,a2:Bd5", "a2a3",
     "must-capture T12 must-capture 0 of 1: capturer d4w, captured d5b; d4xd6"},
    {"T30 a step of what could take is no capture without a sign", "", "W:Wd4,a2:Bd5", "d4c5",
     "must-capture T12 must-capture 0 of 1: capturer d4w, captured d5b; d4xd6"},
};

Test(turkish_draughts, a_text_is_read_as_its_move)
{
    SCENE_TABLE(game, scene_read, meanings);
}

Test(turkish_draughts, t32_perft_from_the_start)
{
    static const uint64_t nodes[] = {8, 64, 708, 7538, 85090, 931312, 10782382, 0};

    scene_perft(game, "", NULL, nodes);
}

Test(turkish_draughts, t32_perft_tells_whether_turning_back_is_allowed)
{
    const uint64_t nodes[] = {
        8, 64, 708, 7538, 85090, 931312, 10782390, long_or_short(123290588, 0), 0};

    scene_perft(game, "turn180=allowed", NULL, nodes);
}

static uint64_t perft_of(const char *position, unsigned depth)
{
    struct scene scene;
    rules_move scratch[256];

    scene_open(&scene, game, "", position);
    return rules_perft(game, &scene.state, depth, scratch, 256);
}

Test(turkish_draughts, t32_perft_ignores_draws_and_ends_where_no_move_is)
{
    cr_assert_eq(perft_of("W:WKa1:BKh8:H100:F60", 1), 14);
    cr_assert_eq(perft_of("W:Wa1:Ba2,a3,Kb1,Kc1", 1), 0);
    cr_assert_eq(perft_of("W:Wa1:Ba2,a3,Kb1,Kc1", 2), 0);
}

Test(turkish_draughts, t33_a_game_can_be_written_as_pdn)
{
    cr_assert_str_eq(game->exports[0], "pdn");
}

/* ---- what clients are shown ---- */

static void expect_path(const char *position, const char *move_text, const char *expected)
{
    struct scene scene;
    struct rules_refusal why;
    rules_move move;
    char click[RULES_PATH_MAX][RULES_SQUARE_TEXT], text[RULES_PATH_MAX * RULES_SQUARE_TEXT] = "";
    char *at = text;
    size_t n;

    scene_open(&scene, game, "", position);
    cr_assert(game->read_move(&scene.state, move_text, &move, &why));
    n = game->path(&scene.state, move, click);
    for (size_t i = 0; i < n; i++)
        at = stpcpy(stpcpy(at, i > 0 ? " " : ""), click[i]);
    cr_assert_str_eq(text, expected);
}

Test(turkish_draughts, the_clicks_of_a_move_are_its_squares)
{
    expect_path(NULL, "a3-a4", "a3 a4");
    expect_path("W:Wd4:Bd5,c6", "d4xb6", "d4 d6 b6");
}

static void write_effect(const struct rules_state *state, const struct rules_effect *effect,
                         char *out)
{
    static const char *const names[] = {[RULES_EFFECT_MOVE] = "move",
                                        [RULES_EFFECT_CAPTURE] = "capture",
                                        [RULES_EFFECT_PROMOTE] = "promote"};
    const char *piece = game->pieces[effect->man.kind].ascii[effect->man.seat - 1];
    char from[RULES_SQUARE_TEXT], to[RULES_SQUARE_TEXT];

    rules_square_text(game->board(state), effect->from, from);
    rules_square_text(game->board(state), effect->to, to);
    if (effect->type == RULES_EFFECT_MOVE)
        sprintf(out, "move %s %s-%s,", piece, from, to);
    else
        sprintf(out, "%s %s %s,", names[effect->type], piece, to);
}

static const char *effects_of(struct scene *scene, const char *text)
{
    static char said[1024];
    struct rules_effect effects[RULES_EFFECTS_MAX];
    rules_move move;
    size_t n;

    cr_assert(game->read_move(&scene->state, text, &move, &scene->why), "%s", text);
    n = game->effects(&scene->state, move, effects);
    said[0] = '\0';
    for (size_t i = 0; i < n; i++)
        write_effect(&scene->state, &effects[i], strchr(said, '\0'));
    return said;
}

#define TO_THE_LAST_RANK "W:Wb6:Bb7,Kc8,d3"

static const struct scene_row effects[] = {
    {"a step is a move", "", NULL, "a3-a4", "move w a3-a4,"},
    {"a capture is each jump and what it takes", "", "B:WKd4,c3:Bd5", "d5xb3",
     "capture W d4,move b d5-d3,capture w c3,move b d3-b3,"},
    {"a taken piece's square is crossed without taking it twice", "", "W:WKd1:Bd3,f5,g4,b3",
     "d1xa3",
     "capture b d3,move W d1-d5,capture b f5,move W d5-g5,capture b g4,move W g5-g3,capture b "
     "b3,move W g3-a3,"},
    {"a man is crowned after a step", "", "W:Wa7:Bh8", "a7-a8", "move w a7-a8,promote W a8,"},
    {"a man is crowned after its last jump", "", TO_THE_LAST_RANK, "b6xd8",
     "capture b b7,move w b6-b8,capture B c8,move w b8-d8,promote W d8,"},
    {"with promotion immediate a man is crowned on its way", "promotion=immediate",
     TO_THE_LAST_RANK, "b6xd2",
     "capture b b7,move w b6-b8,promote W b8,capture B c8,move W b8-d8,capture b d3,move W d8-d2,"},
    {"with removal end the pieces are taken off last", "removal=end", TWO_JUMPS, "d4xb6",
     "move w d4-d6,move w d6-b6,capture b c6,capture b d5,"},
};

Test(turkish_draughts, a_move_has_the_effects_that_are_seen)
{
    SCENE_TABLE(game, effects_of, effects);
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
