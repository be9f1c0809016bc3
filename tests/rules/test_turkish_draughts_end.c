/* test_turkish_draughts_end.c - how a game of Turkish draughts ends, T22 to T27. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "scene.h"

extern const struct rules_game rules_turkish_draughts;

static const struct rules_game *const game = &rules_turkish_draughts;

#define SHUFFLE        "a1-b1 h8-g8 b1-a1 g8-h8 "
#define TWO_KINGS_EACH "W:WKa1,Ka2:BKh8,Kh7"
#define LATE           "W:WKa1,Ka2:BKh8,Kh7:H100:F60"
#define EVERY_PIECE_IS_STUCK                           \
    "Wa3,b3,c3,d3,e3,f3,g3,h3,a4,b4,c4,d4,e4,f4,g4,h4" \
    ":Ba5,b5,c5,d5,e5,f5,g5,h5,a6,b6,c6,d6,e6,f6,g6,h6"

static const struct scene_row ends[] = {
    {"T22 the repetition is counted without one against one", "one_v_one=off", "W:WKa1:BKh8",
     SHUFFLE SHUFFLE, "draw:repetition"},
    {"T22 one against one comes before the repetition", "one_v_one=draw", "W:WKa1:BKh8",
     SHUFFLE SHUFFLE, "draw:one_v_one"},
    {"T22 the repetition comes before no progress", "no_progress=8", TWO_KINGS_EACH,
     SHUFFLE SHUFFLE, "draw:repetition"},
    {"T22 a player without a move loses before anything is counted", "",
     "W:Wa1:Ba2,a3,Kb1,Kc1:H100:F80", "", "2:blocked"},
    {"T22 a player without pieces loses before anything is counted", "", "W:W:Ba2:H100:F80", "",
     "2:no_pieces"},
    {"T23 White without pieces loses", "", "W:W:Ba6", "", "2:no_pieces"},
    {"T23 Black without pieces loses", "", "B:Wa6:B", "", "1:no_pieces"},
    {"T23 a player whose last piece is taken loses", "", "W:Wa4,h2:Ba5", "a4xa6", "1:no_pieces"},
    {"T24 White without a move loses", "", "W:Wa1:Ba2,a3,Kb1,Kc1", "", "2:blocked"},
    {"T24 Black without a move loses", "", "B:Wa7,a6,Kb8,Kc8:Ba8", "", "1:blocked"},
    {"T24 White to move loses, although Black could not move either", "", "W:" EVERY_PIECE_IS_STUCK,
     "", "2:blocked"},
    {"T24 Black to move loses, although White could not move either", "", "B:" EVERY_PIECE_IS_STUCK,
     "", "1:blocked"},
    {"T25 a king against a king is drawn", "", "W:WKa1:BKh8", "", "draw:one_v_one"},
    {"T25 a king against a man is drawn", "", "W:WKa1:Bh7", "", "draw:one_v_one"},
    {"T25 a man against a man is drawn", "", "B:Wa3:Bh7", "", "draw:one_v_one"},
    {"T25 one against one goes on while there is a capture", "", "W:WKa1:Ba3", "", "ongoing"},
    {"T25 a capture of the side that is not to move does not count", "", "B:WKa1:Ba3", "",
     "draw:one_v_one"},
    {"T25 one against two goes on", "", "W:WKa1:BKh8,g7", "", "ongoing"},
    {"T25 one against two goes on under strict, too", "one_v_one=strict", "W:WKa1:BKh8,g7", "",
     "ongoing"},
    {"T25 strict draws although there is a capture", "one_v_one=strict", "W:WKa1:Ba3", "",
     "draw:one_v_one"},
    {"T25 king_wins gives the game to White's king against a man", "one_v_one=king_wins",
     "W:WKa1:Bh7", "", "1:one_v_one"},
    {"T25 king_wins gives the game to Black's king against a man", "one_v_one=king_wins",
     "W:Wa3:BKh8", "", "2:one_v_one"},
    {"T25 king_wins draws a king against a king", "one_v_one=king_wins", "W:WKa1:BKh8", "",
     "draw:one_v_one"},
    {"T25 king_wins lets a man play against a man", "one_v_one=king_wins", "W:Wa3:Bh7", "",
     "ongoing"},
    {"T25 king_wins goes on while there is a capture", "one_v_one=king_wins", "W:WKa1:Ba3", "",
     "ongoing"},
    {"T25 off plays on", "one_v_one=off", "W:WKa1:BKh8", "", "ongoing"},
    {"T26 the second time of a position is no draw", "", TWO_KINGS_EACH, SHUFFLE, "ongoing"},
    {"T26 the third time of a position is a draw", "", TWO_KINGS_EACH, SHUFFLE SHUFFLE,
     "draw:repetition"},
    {"T26 the times need not follow each other", "", TWO_KINGS_EACH,
     SHUFFLE "a2-b2 h7-g7 b2-a2 g7-h7", "draw:repetition"},
    {"T26 the number of times is an option", "repetition=2", TWO_KINGS_EACH, SHUFFLE,
     "draw:repetition"},
    {"T26 0 times are never", "repetition=0", TWO_KINGS_EACH, SHUFFLE SHUFFLE SHUFFLE, "ongoing"},
    {"T26 a man that steps sideways and back repeats the position", "", "W:Wa2,c2:Bh7,f7",
     "a2-b2 h7-g7 b2-a2 g7-h7 a2-b2 h7-g7 b2-a2 g7-h7", "draw:repetition"},
    {"T27 a ply before the hundredth the game goes on", "", "W:WKa1,Ka2:BKh8,Kh7:H98:F60", "a1-b1",
     "ongoing"},
    {"T27 a hundred plies without progress are a draw", "", "W:WKa1,Ka2:BKh8,Kh7:H98:F60",
     "a1-b1 h8-g8", "draw:no_progress"},
    {"T27 the number of plies may be greater", "no_progress=101", LATE, "", "ongoing"},
    {"T27 0 plies are never", "no_progress=0", LATE, "", "ongoing"},
    {"T27 the number of plies may be smaller", "no_progress=50", LATE, "", "draw:no_progress"},
};

Test(turkish_draughts, the_game_ends_when_the_rules_say_so)
{
    SCENE_TABLE(game, scene_end, ends);
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

static uint64_t key_of(const char *position)
{
    struct scene scene;

    scene_open(&scene, game, "", position);
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
    struct scene scene;

    scene_open(&scene, game, options, position);
    return game->span(&scene.state);
}

Test(turkish_draughts, t26_only_positions_since_the_last_progress_can_recur)
{
    cr_assert_eq(span_of("", "W:WKa1,Ka2:BKh8,Kh7:H12:F40"), 12);
    cr_assert_eq(span_of("repetition=0", "W:WKa1,Ka2:BKh8,Kh7:H12:F40"), 0);
}
