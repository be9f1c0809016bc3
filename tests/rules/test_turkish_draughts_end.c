/* test_turkish_draughts_end.c - how a game of Turkish draughts ends, T22 to T27. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "draughts_board.h"

static const struct rules_game *const game = &rules_turkish_draughts;

#define SHUFFLE "a1-b1 h8-g8 b1-a1 g8-h8 "

Test(turkish_draughts, t22_one_against_one_comes_before_the_repetition)
{
    const char *off = "one_v_one=off", *on = "one_v_one=draw";

    draughts_expect_outcome(draughts_after(draughts_with(off, "W:WKa1:BKh8"), SHUFFLE SHUFFLE),
                            "draw:repetition");
    draughts_expect_outcome(draughts_after(draughts_with(on, "W:WKa1:BKh8"), SHUFFLE SHUFFLE),
                            "draw:one_v_one");
}

Test(turkish_draughts, t22_the_repetition_comes_before_no_progress)
{
    draughts_expect_outcome(
        draughts_after(draughts_with("no_progress=8", "W:WKa1,Ka2:BKh8,Kh7"), SHUFFLE SHUFFLE),
        "draw:repetition");
}

Test(turkish_draughts, t22_a_player_without_a_move_loses_before_anything_is_counted)
{
    draughts_expect_outcome(draughts_at("W:Wa1:Ba2,a3,Kb1,Kc1:H100:F80"), "2:blocked");
    draughts_expect_outcome(draughts_at("W:W:Ba2:H100:F80"), "2:no_pieces");
}

Test(turkish_draughts, t23_a_player_without_pieces_loses)
{
    draughts_expect_outcome(draughts_at("W:W:Ba6"), "2:no_pieces");
    draughts_expect_outcome(draughts_at("B:Wa6:B"), "1:no_pieces");
    draughts_expect_outcome(draughts_after(draughts_at("W:Wa4,h2:Ba5"), "a4xa6"), "1:no_pieces");
}

Test(turkish_draughts, t24_a_player_without_a_move_loses)
{
    draughts_expect_outcome(draughts_at("W:Wa1:Ba2,a3,Kb1,Kc1"), "2:blocked");
    draughts_expect_outcome(draughts_at("B:Wa7,a6,Kb8,Kc8:Ba8"), "1:blocked");
}

#define EVERY_PIECE_IS_STUCK                           \
    "Wa3,b3,c3,d3,e3,f3,g3,h3,a4,b4,c4,d4,e4,f4,g4,h4" \
    ":Ba5,b5,c5,d5,e5,f5,g5,h5,a6,b6,c6,d6,e6,f6,g6,h6"

Test(turkish_draughts, t24_the_player_to_move_loses_although_the_other_could_not_move_either)
{
    draughts_expect_outcome(draughts_at("W:" EVERY_PIECE_IS_STUCK), "2:blocked");
    draughts_expect_outcome(draughts_at("B:" EVERY_PIECE_IS_STUCK), "1:blocked");
}

Test(turkish_draughts, t25_one_against_one_is_drawn)
{
    draughts_expect_outcome(draughts_at("W:WKa1:BKh8"), "draw:one_v_one");
    draughts_expect_outcome(draughts_at("W:WKa1:Bh7"), "draw:one_v_one");
    draughts_expect_outcome(draughts_at("B:Wa3:Bh7"), "draw:one_v_one");
}

Test(turkish_draughts, t25_one_against_one_goes_on_while_there_is_a_capture)
{
    draughts_expect_outcome(draughts_at("W:WKa1:Ba3"), "ongoing");
    draughts_expect_outcome(draughts_at("B:WKa1:Ba3"), "draw:one_v_one");
}

Test(turkish_draughts, t25_one_against_two_goes_on)
{
    draughts_expect_outcome(draughts_at("W:WKa1:BKh8,g7"), "ongoing");
    draughts_expect_outcome(draughts_with("one_v_one=strict", "W:WKa1:BKh8,g7"), "ongoing");
}

Test(turkish_draughts, t25_strict_draws_although_there_is_a_capture)
{
    draughts_expect_outcome(draughts_with("one_v_one=strict", "W:WKa1:Ba3"), "draw:one_v_one");
}

Test(turkish_draughts, t25_king_wins_gives_the_game_to_the_king_against_a_man)
{
    draughts_expect_outcome(draughts_with("one_v_one=king_wins", "W:WKa1:Bh7"), "1:one_v_one");
    draughts_expect_outcome(draughts_with("one_v_one=king_wins", "W:Wa3:BKh8"), "2:one_v_one");
    draughts_expect_outcome(draughts_with("one_v_one=king_wins", "W:WKa1:BKh8"), "draw:one_v_one");
    draughts_expect_outcome(draughts_with("one_v_one=king_wins", "W:Wa3:Bh7"), "ongoing");
    draughts_expect_outcome(draughts_with("one_v_one=king_wins", "W:WKa1:Ba3"), "ongoing");
}

Test(turkish_draughts, t25_off_plays_on)
{
    draughts_expect_outcome(draughts_with("one_v_one=off", "W:WKa1:BKh8"), "ongoing");
}

/* ---- the proof of T25, by all positions ---- */

/* Whether some move of the side to move leaves the other side without a capture. */
static bool can_stay_safe(const struct rules_state *state)
{
    rules_move moves[64];
    size_t n = game->legal(state, moves, 64);

    for (size_t i = 0; i < n; i++) {
        struct rules_state next;

        game->play(state, moves[i], &next);
        if (rules_outcome_now(game, &next).status == RULES_DRAWN)
            return true;
    }
    return false;
}

/* Tries White's piece and Black's on two squares, counted from a1: where one against one is drawn,
 * the side to move can stay safe. */
static void look_at_pair(unsigned white, unsigned black, const char *kinds[2], unsigned *drawn)
{
    struct rules_options options;
    struct rules_refusal why;
    struct rules_state state;
    char text[32];

    rules_options_init(&options);
    snprintf(text, sizeof(text), "W:W%s%c%u:B%s%c%u", kinds[0], 'a' + white % 8, 1 + white / 8,
             kinds[1], 'a' + black % 8, 1 + black / 8);
    if (!rules_start(game, &options, text, &state, &why) ||
        rules_outcome_now(game, &state).status != RULES_DRAWN)
        return;
    ++*drawn;
    cr_assert(can_stay_safe(&state), "%s", text);
}

Test(turkish_draughts, t25_a_piece_that_is_not_attacked_can_always_stay_safe)
{
    static const char *kinds[][2] = {{"", ""}, {"", "K"}, {"K", ""}, {"K", "K"}};
    unsigned drawn = 0;

    for (unsigned white = 0; white < 64; white++)
        for (unsigned black = 0; black < 64; black++)
            for (unsigned i = 0; i < 4; i++)
                look_at_pair(white, black, kinds[i], &drawn);
    cr_assert_eq(drawn, 12622);
}

#define TWO_KINGS_EACH "W:WKa1,Ka2:BKh8,Kh7"

Test(turkish_draughts, t26_the_third_time_of_a_position_is_a_draw)
{
    draughts_expect_outcome(draughts_after(draughts_at(TWO_KINGS_EACH), SHUFFLE), "ongoing");
    draughts_expect_outcome(draughts_after(draughts_at(TWO_KINGS_EACH), SHUFFLE SHUFFLE),
                            "draw:repetition");
}

Test(turkish_draughts, t26_the_times_need_not_follow_each_other)
{
    draughts_expect_outcome(
        draughts_after(draughts_at(TWO_KINGS_EACH), SHUFFLE "a2-b2 h7-g7 b2-a2 g7-h7"),
        "draw:repetition");
}

Test(turkish_draughts, t26_the_number_of_times_is_an_option_and_0_is_never)
{
    draughts_expect_outcome(draughts_after(draughts_with("repetition=2", TWO_KINGS_EACH), SHUFFLE),
                            "draw:repetition");
    draughts_expect_outcome(
        draughts_after(draughts_with("repetition=0", TWO_KINGS_EACH), SHUFFLE SHUFFLE SHUFFLE),
        "ongoing");
}

Test(turkish_draughts, t26_a_man_that_steps_sideways_and_back_repeats_the_position)
{
    draughts_expect_outcome(draughts_after(draughts_at("W:Wa2,c2:Bh7,f7"),
                                           "a2-b2 h7-g7 b2-a2 g7-h7 a2-b2 h7-g7 b2-a2 g7-h7"),
                            "draw:repetition");
}

static uint64_t key_of(const char *position)
{
    struct scene scene = draughts_at(position);

    return game->key(&scene.state);
}

Test(turkish_draughts, t26_the_key_tells_placement_kind_and_side_to_move_and_nothing_else)
{
    uint64_t key = key_of("W:Wa2,c2:Bh7,f7");

    cr_assert_eq(key, key_of("W:Wc2,a2:Bf7,h7:H12:F40"));
    cr_assert_neq(key, key_of("B:Wa2,c2:Bh7,f7"));
    cr_assert_neq(key, key_of("W:Wa2,d2:Bh7,f7"));
    cr_assert_neq(key, key_of("W:Wa2,Kc2:Bh7,f7"));
    cr_assert_neq(key, key_of("W:Wh7,f7:Ba2,c2"));
    cr_assert_eq(key & 1, 0);
}

static size_t span_of(const char *options, const char *position)
{
    struct scene scene = draughts_with(options, position);

    return game->span(&scene.state);
}

Test(turkish_draughts, t26_only_positions_since_the_last_progress_can_recur)
{
    cr_assert_eq(span_of("", "W:WKa1,Ka2:BKh8,Kh7:H12:F40"), 12);
    cr_assert_eq(span_of("repetition=0", "W:WKa1,Ka2:BKh8,Kh7:H12:F40"), 0);
}

Test(turkish_draughts, t27_a_hundred_plies_without_progress_are_a_draw)
{
    struct scene scene = draughts_at("W:WKa1,Ka2:BKh8,Kh7:H98:F60");

    draughts_expect_outcome(draughts_after(scene, "a1-b1"), "ongoing");
    draughts_expect_outcome(draughts_after(scene, "a1-b1 h8-g8"), "draw:no_progress");
}

Test(turkish_draughts, t27_the_number_of_plies_is_an_option_and_0_is_never)
{
    const char *position = "W:WKa1,Ka2:BKh8,Kh7:H100:F60";

    draughts_expect_outcome(draughts_with("no_progress=101", position), "ongoing");
    draughts_expect_outcome(draughts_with("no_progress=0", position), "ongoing");
    draughts_expect_outcome(draughts_with("no_progress=50", position), "draw:no_progress");
}

Test(turkish_draughts, t27_a_capture_a_step_forward_and_a_promotion_are_progress)
{
    draughts_expect_after(draughts_at("W:Wd4,a7:Bd5,h8:H9:F7"), "d4xd6", "B:Wd6,a7:Bh8:H0:F7");
    draughts_expect_after(draughts_at("W:Wd4,a7:Bh8:H9:F7"), "d4-d5", "B:Wd5,a7:Bh8:H0:F7");
    draughts_expect_after(draughts_at("W:Wd4,a7:Bh8:H9:F7"), "a7-a8", "B:Wd4,Ka8:Bh8:H0:F7");
}

Test(turkish_draughts, t27_a_sideways_step_and_a_king_s_move_are_no_progress)
{
    draughts_expect_after(draughts_at("W:Wd4,Ka7:Bh8:H9:F7"), "d4-c4", "B:Wc4,Ka7:Bh8:H10:F7");
    draughts_expect_after(draughts_at("W:Wd4,Ka7:Bh8:H9:F7"), "a7-a8", "B:Wd4,Ka8:Bh8:H10:F7");
}
