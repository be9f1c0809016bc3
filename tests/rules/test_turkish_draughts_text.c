/* test_turkish_draughts_text.c - Turkish draughts as clients see it: moves and positions as texts,
 * T29 to T33, perft, clicks and effects. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "draughts_board.h"

static const struct rules_game *const game = &rules_turkish_draughts;

#define START                                            \
    "W:Wa2,b2,c2,d2,e2,f2,g2,h2,a3,b3,c3,d3,e3,f3,g3,h3" \
    ":Ba6,b6,c6,d6,e6,f6,g6,h6,a7,b7,c7,d7,e7,f7,g7,h7"

/* ---- notation ---- */

Test(turkish_draughts, t29_other_landing_squares_are_another_move_even_with_the_same_result)
{
    struct scene scene = draughts_at("W:WKa1:Ba3,a6,h8");

    draughts_expect_moves(scene, "a1xa4xa7 a1xa4xa8 a1xa5xa7 a1xa5xa8");
    draughts_expect_after(scene, "a1xa4xa7", "B:WKa7:Bh8");
    draughts_expect_after(scene, "a1xa5xa7", "B:WKa7:Bh8");
}

Test(turkish_draughts, t29_the_path_decides_what_is_taken)
{
    struct scene scene = draughts_at("W:Wa2:Bb2,a3,c3,b4,c5");

    draughts_expect_moves(scene, "a2xa4xc4xc6 a2xc2xc4xa4 a2xc2xc4xc6");
    draughts_expect_after(scene, "a2xa4xc4xc6", "B:Wc6:Bb2,c3");
    draughts_expect_after(scene, "a2xc2xc4xc6", "B:Wc6:Ba3,b4");
}

Test(turkish_draughts, t29_a_capture_of_sixteen_pieces_is_written_and_read)
{
    const char *text = "a5xa8xd8xh8xh6xh2xb2xb6xg6xg4xa4xa1xe1xe7xc7xc1xh1";
    struct scene scene = draughts_at("W:WKa5:Bc8,g8,d7,h7,a6,e6,c5,g5,b4,f4,a3,e3,h3,d2,Kc1,Kg1");

    draughts_expect_read(scene, text, text);
}

Test(turkish_draughts, t30_a_colon_is_read_as_x)
{
    struct scene scene = draughts_at("W:Wd4:Bd5,c6");

    draughts_expect_read(scene, "d4:d6:b6", "d4xd6xb6");
    draughts_expect_read(scene, "d4xd6:b6", "d4xd6xb6");
}

Test(turkish_draughts, t30_start_and_end_are_enough_where_all_such_captures_come_to_the_same)
{
    draughts_expect_read(draughts_at("W:Wd4:Bd5,c6"), "d4xb6", "d4xd6xb6");
    draughts_expect_after(draughts_at("W:WKa1:Ba3,a6,h8"), "a1xa7", "B:WKa7:Bh8");
}

Test(turkish_draughts, t30_an_exact_text_is_never_ambiguous)
{
    struct scene scene = draughts_at("W:Wa2:Bb2,a3,c3,b4,c5");

    draughts_refused(scene, "a2xc6", RULES_AMBIGUOUS, "T30");
    draughts_expect_read(scene, "a2xc2xc4xc6", "a2xc2xc4xc6");
}

Test(turkish_draughts, t30_blanks_around_a_move_do_not_matter)
{
    draughts_expect_read(draughts_at(NULL), " \ta3-a4\r\n", "a3-a4");
}

Test(turkish_draughts, t30_blanks_between_the_squares_do_not_matter)
{
    draughts_expect_read(draughts_at(NULL), "a3 - a4", "a3-a4");
    draughts_expect_read(draughts_at("W:Wd4:Bd5,c6"), "d4 x d6 x b6", "d4xd6xb6");
}

Test(turkish_draughts, t30_squares_without_a_sign_are_a_capture_where_there_is_one)
{
    draughts_expect_read(draughts_at(NULL), "a3a4", "a3-a4");
    draughts_expect_read(draughts_at(NULL), "a3 a4", "a3-a4");
    draughts_expect_read(draughts_at("W:Wd4:Bd5,c6"), "d4d6b6", "d4xd6xb6");
    draughts_expect_read(draughts_at("W:WKa1:Ba3,h8"), "a1a5", "a1xa5");
}

Test(turkish_draughts, t30_a_step_without_a_sign_is_no_capture)
{
    draughts_refused(draughts_at("W:Wd4,a2:Bd5"), "a2a3", RULES_MUST_CAPTURE, "T12");
    draughts_refused(draughts_at("W:Wd4,a2:Bd5"), "d4c5", RULES_MUST_CAPTURE, "T12");
}

static void expect_rewritten(const char *text, const char *canonical)
{
    struct scene scene = draughts_at(text);

    cr_assert_str_eq(scene_position(&scene), canonical);
}

Test(turkish_draughts, t31_the_start_position_has_its_text)
{
    expect_rewritten(NULL, START);
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

Test(turkish_draughts, t32_perft_from_the_start)
{
    static const uint64_t nodes[] = {8, 64, 708, 7538, 85090, 931312, 10782382, 0};

    scene_perft(game, "", NULL, nodes);
}

Test(turkish_draughts, t32_perft_tells_whether_turning_back_is_allowed)
{
    static const uint64_t nodes[] = {8, 64, 708, 7538, 85090, 931312, 10782390, 123290588, 0};

    scene_perft(game, "turn180=allowed", NULL, nodes);
}

static uint64_t perft_of(const char *position, unsigned depth)
{
    struct scene scene = draughts_at(position);
    rules_move scratch[256];

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
    struct scene scene = draughts_at(position);
    struct rules_refusal why;
    rules_move move;
    char click[RULES_PATH_MAX][RULES_SQUARE_TEXT], text[RULES_MOVE_TEXT] = "";
    size_t n;

    cr_assert(game->read_move(&scene.state, move_text, &move, &why));
    n = game->path(&scene.state, move, click);
    for (size_t i = 0; i < n; i++)
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i > 0 ? " " : "",
                 click[i]);
    cr_assert_str_eq(text, expected);
}

Test(turkish_draughts, the_clicks_of_a_move_are_its_squares)
{
    expect_path(NULL, "a3-a4", "a3 a4");
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

static void expect_effects(struct scene scene, const char *move_text, const char *expected)
{
    struct rules_effect effects[RULES_EFFECTS_MAX];
    struct rules_refusal why;
    rules_move move;
    char text[1024] = "";
    size_t n;

    cr_assert(game->read_move(&scene.state, move_text, &move, &why));
    n = game->effects(&scene.state, move, effects);
    for (size_t i = 0; i < n; i++)
        write_effect(&scene.state, &effects[i], text + strlen(text), sizeof(text) - strlen(text));
    cr_assert_str_eq(text, expected);
}

Test(turkish_draughts, the_effect_of_a_quiet_move_is_a_move)
{
    expect_effects(draughts_at(NULL), "a3-a4", "move w a3-a4,");
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
    expect_effects(draughts_at("W:Wb6:Bb7,Kc8,d3"), "b6xd8",
                   "capture b b7,move w b6-b8,capture B c8,move w b8-d8,promote W d8,");
    expect_effects(draughts_with("promotion=immediate", "W:Wb6:Bb7,Kc8,d3"), "b6xd2",
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
