/*
 * test_turkish_draughts.c - Turkish draughts rule by rule: the board and the moves, T1 to T21, and
 * the positions after moves. The end of the game, the texts and the refusals are in the files
 * beside it.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "scene.h"

extern const struct rules_game rules_turkish_draughts;

static const struct rules_game *const game = &rules_turkish_draughts;

#define START                                            \
    "W:Wa2,b2,c2,d2,e2,f2,g2,h2,a3,b3,c3,d3,e3,f3,g3,h3" \
    ":Ba6,b6,c6,d6,e6,f6,g6,h6,a7,b7,c7,d7,e7,f7,g7,h7"

/* ---- board and pieces ---- */

Test(turkish_draughts, t1_the_players_are_white_and_black)
{
    cr_assert_str_eq(game->seat[0].name, "white");
    cr_assert_str_eq(game->seat[1].name, "black");
}

Test(turkish_draughts, t2_the_board_goes_from_a1_to_h8_as_white_sees_it)
{
    struct rules_board board = game->board(NULL);
    char name[RULES_SQUARE_TEXT];

    cr_assert_eq(board.width * board.height, 64);
    rules_square_text(board, 0, name);
    cr_assert_str_eq(name, "a8");
    rules_square_text(board, 63, name);
    cr_assert_str_eq(name, "h1");
}

static const char *symbol_on(const struct rules_state *state, const char *square)
{
    struct rules_man man;
    unsigned i;

    rules_square_read(game->board(state), square, &i);
    if (game->at(state, i, &man, 1) == 0)
        return game->drawing.empty_ascii;
    return game->pieces[man.kind].ascii[man.seat - 1];
}

Test(turkish_draughts, t3_men_are_small_letters_kings_capitals_and_empty_squares_dashes)
{
    struct scene scene;

    scene_open(&scene, game, "", "W:Wa1,Kb1:Ba8,Kb8");
    cr_assert_str_eq(symbol_on(&scene.state, "a1"), "w");
    cr_assert_str_eq(symbol_on(&scene.state, "b1"), "W");
    cr_assert_str_eq(symbol_on(&scene.state, "a8"), "b");
    cr_assert_str_eq(symbol_on(&scene.state, "b8"), "B");
    cr_assert_str_eq(symbol_on(&scene.state, "c4"), "-");
}

Test(turkish_draughts, t5_white_moves_first_and_then_the_players_alternate)
{
    struct scene scene;

    scene_open(&scene, game, "", NULL);
    cr_assert_eq(game->to_move(&scene.state), 1);
    scene_play(&scene, "a3-a4");
    cr_assert_eq(game->to_move(&scene.state), 2);
    scene_play(&scene, "h6-h5");
    cr_assert_eq(game->to_move(&scene.state), 1);
}

Test(turkish_draughts, t6_the_options_have_their_names_and_defaults)
{
    static const char *const expected[] = {"promotion=end",     "turn180=forbidden",
                                           "removal=immediate", "one_v_one=draw",
                                           "repetition=3",      "no_progress=100"};
    struct rules_options options;
    struct rules_refusal why;
    struct scene scene;

    rules_options_init(&options);
    cr_assert(rules_start(game, &options, NULL, &scene.state, &why));
    cr_assert_eq(game->noptions, 6);
    for (size_t i = 0; i < game->noptions; i++) {
        char value[RULES_POSITION_TEXT], text[RULES_POSITION_TEXT + 32];

        rules_option_text(game, &options, i, value);
        snprintf(text, sizeof(text), "%s=%s", game->options[i].name, value);
        cr_assert_str_eq(text, expected[i]);
    }
}

Test(turkish_draughts, t6_every_value_of_every_option_can_be_chosen)
{
    static const char *const values[] = {
        "promotion=end",    "promotion=immediate", "promotion=stop", "turn180=forbidden",
        "turn180=allowed",  "removal=immediate",   "removal=end",    "one_v_one=draw",
        "one_v_one=strict", "one_v_one=king_wins", "one_v_one=off",  "repetition=0",
        "repetition=2",     "no_progress=0",       "no_progress=1"};
    struct scene scene;

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        scene_open(&scene, game, values[i], NULL);
}

Test(turkish_draughts, t7_the_men_start_on_the_second_and_third_rank_of_each_side)
{
    static const char *const on_rank[] = {"-", "w", "w", "-", "-", "b", "b", "-"};
    struct scene scene;

    scene_open(&scene, game, "", NULL);
    for (int rank = 0; rank < 8; rank++)
        for (int file = 0; file < 8; file++) {
            const char square[] = {(char)('a' + file), (char)('1' + rank), '\0'};

            cr_assert_str_eq(symbol_on(&scene.state, square), on_rank[rank], "%s", square);
        }
}

/* ---- moves ---- */

#define WAYS_PART            "W:WKd1:Bd3,f5,g4,b3"
#define BEHIND_A_TAKEN_ONE   "W:WKa4:Bd3,d4,f6,e7"
#define REACHES_LAST_RANK    "W:Wb6:Bb7,Kc8,d3"
#define BLACK_REACHES_RANK_1 "B:Wb2,Kc1,d6:Bb3"

static const struct scene_row moves[] = {
    {"T8 no move without capture is legal where there is a capture", "", "W:Wa4,h2:Ba5,h8", "",
     "a4xa6"},
    {"T9 a white man steps up, left or right", "", "W:Wd4:Bh8,h7", "", "d4-c4 d4-d5 d4-e4"},
    {"T9 a black man steps down, left or right", "", "B:Wh1,h2:Bd5", "", "d5-c5 d5-d4 d5-e5"},
    {"T9 a man does not step over the left edge", "", "W:Wa4:Bc7,Kc1", "", "a4-a5 a4-b4"},
    {"T9 a man does not step over the right edge", "", "W:Wh4:Bc7,Kc1", "", "h4-g4 h4-h5"},
    {"T9 a man steps to empty squares only", "", "W:Wd4,c4,d5:Bh8,h7,b6,d7", "",
     "c4-b4 c4-c5 d4-e4 d5-c5 d5-d6 d5-e5"},
    {"T11 a king moves like a rook", "", "W:WKd4:Bh8,g7", "",
     "d4-a4 d4-b4 d4-c4 d4-d1 d4-d2 d4-d3 d4-d5 d4-d6 d4-d7 d4-d8 d4-e4 d4-f4 d4-g4 d4-h4"},
    {"T11 a king passes over nothing", "", "W:WKd4,b4,d5:Bf4,g4,d2,Kd1", "",
     "b4-a4 b4-b5 b4-c4 d4-c4 d4-d3 d4-e4 d5-c5 d5-d6 d5-e5"},

    {"T12 a capture that loses the own piece is compulsory, too", "", "W:Wa4,g2:Ba5,a8", "",
     "a4xa6"},
    {"T13 a man takes forward, left and right, but not backward", "", "W:Wd4:Bd5,c4,e4,d3", "",
     "d4xb4 d4xd6 d4xf4"},
    {"T13 a black man takes down the board", "", "B:Wd5,c4,e4,d3:Bd4", "", "d4xb4 d4xd2 d4xf4"},
    {"T13 a man takes neither two in a row nor at a distance", "", "W:Wd4:Bd5,d6,b4,f4", "",
     "d4-c4 d4-e4"},
    {"T13 a man does not take what stands on the edge", "", "W:Wb4:Ba4,h8", "", "b4-b5 b4-c4"},
    {"T13 a man does not take what stands in a corner", "", "W:Wg7:Bh7,g8,a8", "", "g7-f7"},
    {"T13 a man takes no own piece", "", "W:Wd4,d5:Bh8,h7", "", "d4-c4 d4-e4 d5-c5 d5-d6 d5-e5"},
    {"T14 a king takes at a distance and lands anywhere beyond", "", "W:WKa1:Ba4,h7", "",
     "a1xa5 a1xa6 a1xa7 a1xa8"},
    {"T14 a king lands before the next own piece", "", "W:WKa1,a7:Ba4,h6", "", "a1xa5 a1xa6"},
    {"T14 a king lands before the next enemy", "", "W:WKa1:Ba4,a7,a8", "", "a1xa5 a1xa6"},
    {"T14 own pieces and two in a row stop a king", "", "W:WKa1,c1:Ba4,a5,Ke1", "",
     "a1-a2 a1-a3 a1-b1 c1-b1 c1-c2 c1-d1"},
    {"T14 a king takes in all four directions", "", "W:WKd4:Bd7,d2,b4,g4", "",
     "d4xa4 d4xd1 d4xd8 d4xh4"},
    {"T15 a capture may end where it began", "", "W:WKa1:Ba3,c5,e3,Kc1", "",
     "a1xa5xe5xe1xa1 a1xa5xe5xe1xb1 a1xe1xe5xa5xa1 a1xe1xe5xa5xa2"},
    {"T15 a capture may cross its start", "", "W:WKb1:Ba3,b3,d5,f3,Kd1", "",
     "b1xb5xf5xf1xa1xa4 b1xb5xf5xf1xa1xa5 b1xb5xf5xf1xa1xa6 b1xb5xf5xf1xa1xa7 b1xb5xf5xf1xa1xa8"},
    {"T16 a taken piece is gone before the next jump", "", WAYS_PART, "", "d1xd5xg5xg3xa3"},
    {"T16 with removal end a taken piece stays in the way", "removal=end", WAYS_PART, "",
     "d1xd5xg5xg1 d1xd5xg5xg2 d1xd5xg5xg3"},
    {"T16 a piece behind a taken one becomes takeable", "", BEHIND_A_TAKEN_ONE, "",
     "a4xf4xf7xd7xd1 a4xf4xf7xd7xd2"},
    {"T16 with removal end it does not", "removal=end", BEHIND_A_TAKEN_ONE, "",
     "a4xf4xf7xa7 a4xf4xf7xb7 a4xf4xf7xc7 a4xf4xf7xd7"},
    {"T17 a king does not turn back between two jumps", "", "W:WKd4:Bd6,d2", "",
     "d4xd1 d4xd7 d4xd8"},
    {"T17 with turn180 allowed a king may turn back", "turn180=allowed", "W:WKd4:Bd6,d2", "",
     "d4xd1xd7 d4xd1xd8 d4xd7xd1 d4xd8xd1"},
    {"T17 a capture may go straight on or turn by 90 degrees", "", "W:WKa1:Ba3,a6,d7", "",
     "a1xa4xa7xe7 a1xa4xa7xf7 a1xa4xa7xg7 a1xa4xa7xh7 a1xa5xa7xe7 a1xa5xa7xf7 a1xa5xa7xg7 "
     "a1xa5xa7xh7"},
    {"T18 only the captures that take most are legal", "", "W:Wa4,h2:Ba5,h3,g4,e4", "",
     "h2xh4xf4xd4"},
    {"T18 a capture is played to its end", "", "W:Wd4:Bd5,c6", "", "d4xd6xb6"},
    {"T19 a man is taken as freely as a king", "", "W:Wb4:Bb5,Kc4", "", "b4xb6 b4xd4"},
    {"T19 a man takes as freely as a king", "", "W:Wb4,Kh1:Bb5,h7", "", "b4xb6 h1xh8"},

    {"T21 a man that reaches the last rank goes on as a man", "", REACHES_LAST_RANK, "",
     "b6xb8xd8"},
    {"T21 a man on the last rank does not take at a distance", "", "W:Wb6:Bb7,Kd8", "", "b6xb8"},
    {"T21 a man on the last rank does not take backward", "", "W:Wb6:Bb7,a5,Kc8,d7", "",
     "b6xb8xd8"},
    {"T21 with promotion immediate the man goes on as a king", "promotion=immediate",
     REACHES_LAST_RANK, "", "b6xb8xd8xd1 b6xb8xd8xd2"},
    {"T21 with promotion stop the capture ends there", "promotion=stop", REACHES_LAST_RANK, "",
     "b6xb8"},
    {"T21 a black man goes on as a man on rank 1", "", BLACK_REACHES_RANK_1, "", "b3xb1xd1"},
    {"T21 with promotion immediate a black man is crowned there", "promotion=immediate",
     BLACK_REACHES_RANK_1, "", "b3xb1xd1xd7 b3xb1xd1xd8"},
    {"T21 with promotion stop its capture ends there", "promotion=stop", BLACK_REACHES_RANK_1, "",
     "b3xb1"},
    {"T29 other landing squares are another move", "", "W:WKa1:Ba3,a6,h8", "",
     "a1xa4xa7 a1xa4xa8 a1xa5xa7 a1xa5xa8"},
    {"T29 other ways are another move", "", "W:Wa2:Bb2,a3,c3,b4,c5", "",
     "a2xa4xc4xc6 a2xc2xc4xa4 a2xc2xc4xc6"},
};

Test(turkish_draughts, each_position_has_the_moves_of_the_rules_and_no_others)
{
    SCENE_TABLE(game, scene_moves, moves);
}

static const struct scene_row played[] = {
    {"T4 a man on its own back rank is accepted", "", "W:Wa1,h1:Ba8,h8", "", "W:Wa1,h1:Ba8,h8"},
    {"T4 kings may stand on any rank", "", "W:WKa1,Ka8:BKh1,Kh8", "", "W:WKa1,Ka8:BKh1,Kh8"},
    {"T15 a capture that ends where it began keeps the piece", "", "W:WKa1:Ba3,c5,e3,Kc1,h8",
     "a1xa5xe5xe1xa1", "B:WKa1:Bh8"},
    {"T16 with removal end taken pieces leave when the move is over", "removal=end", WAYS_PART,
     "d1xd5xg5xg3", "B:WKg3:Bb3"},
    {"T20 a white man that ends its move on the last rank becomes a king", "", "W:Wa7:Bh3,h4",
     "a7-a8", "B:WKa8:Bh3,h4"},
    {"T20 a black man that ends its move on the last rank becomes a king", "", "B:Wh5,h6:Ba2",
     "a2-a1", "W:Wh5,h6:BKa1:H0:F2"},
    {"T20 a man that takes its way to the last rank becomes a king", "", "W:Wa6:Ba7,h3", "a6xa8",
     "B:WKa8:Bh3"},
    {"T21 a man that went on as a man becomes a king at the end", "", REACHES_LAST_RANK, "b6xb8xd8",
     "B:WKd8:Bd3"},
    {"T21 a man that went on as a king is one", "promotion=immediate", REACHES_LAST_RANK,
     "b6xb8xd8xd2", "B:WKd2:B"},
    {"T21 a man that had to stop is a king", "promotion=stop", REACHES_LAST_RANK, "b6xb8",
     "B:WKb8:Bd3,Kc8"},
    {"T27 a capture is progress", "", "W:Wd4,a7:Bd5,h8:H9:F7", "d4xd6", "B:Wd6,a7:Bh8:H0:F7"},
    {"T27 a step forward is progress", "", "W:Wd4,a7:Bh8:H9:F7", "d4-d5", "B:Wd5,a7:Bh8:H0:F7"},
    {"T27 a promotion is progress", "", "W:Wd4,a7:Bh8:H9:F7", "a7-a8", "B:Wd4,Ka8:Bh8:H0:F7"},
    {"T27 a sideways step is no progress", "", "W:Wd4,Ka7:Bh8:H9:F7", "d4-c4",
     "B:Wc4,Ka7:Bh8:H10:F7"},
    {"T27 a king's move is no progress", "", "W:Wd4,Ka7:Bh8:H9:F7", "a7-a8",
     "B:Wd4,Ka8:Bh8:H10:F7"},
    {"T29 one way to land", "", "W:WKa1:Ba3,a6,h8", "a1xa4xa7", "B:WKa7:Bh8"},
    {"T29 another way to land may have the same result", "", "W:WKa1:Ba3,a6,h8", "a1xa5xa7",
     "B:WKa7:Bh8"},
    {"T29 one path", "", "W:Wa2:Bb2,a3,c3,b4,c5", "a2xa4xc4xc6", "B:Wc6:Bb2,c3"},
    {"T29 another path takes other pieces", "", "W:Wa2:Bb2,a3,c3,b4,c5", "a2xc2xc4xc6",
     "B:Wc6:Ba3,b4"},
    {"T30 a short text is played where all such captures come to the same", "", "W:WKa1:Ba3,a6,h8",
     "a1xa7", "B:WKa7:Bh8"},
    {"T31 the start position has its text", "", NULL, "", START},
    {"T31 the text of the start position is read", "", START, "", START},
    {"T31 squares are written in order, whatever order they came in", "",
     "B:WKh8,a2,c1,b2:BKa1,h7,a8", "", "B:Wc1,a2,b2,Kh8:BKa1,h7,a8"},
    {"T31 the list of black pieces may be empty", "", "B:Wa6:B", "", "B:Wa6:B"},
    {"T31 the list of white pieces may be empty", "", "W:W:Ba6", "", "W:W:Ba6"},
    {"T31 counters are not written if they say nothing", "", "W:Wa2:Bh7:H0:F1", "", "W:Wa2:Bh7"},
    {"T31 plies without progress are written", "", "W:Wa2:Bh7:H3:F1", "", "W:Wa2:Bh7:H3:F1"},
    {"T31 the number of the move is written", "", "W:Wa2:Bh7:H0:F2", "", "W:Wa2:Bh7:H0:F2"},
    {"T31 the number does not grow after White's move", "", "W:Wa2,b2:Bh7,g7", "a2-a3",
     "B:Wb2,a3:Bg7,h7"},
    {"T31 the number grows after Black's move", "", "B:Wa2,b2:Bh7,g7", "h7-h6",
     "W:Wa2,b2:Bh6,g7:H0:F2"},
};

Test(turkish_draughts, a_move_leads_to_the_position_of_the_rules)
{
    SCENE_TABLE(game, scene_after, played);
}

Test(turkish_draughts, t20_a_new_king_moves_as_one_in_its_next_turn)
{
    struct scene scene;

    scene_open(&scene, game, "", "W:Wa7:Bh4,h3");
    scene_play(&scene, "a7-a8 h3-g3");
    cr_assert_str_eq(scene_moves(&scene, ""),
                     "a8-a1 a8-a2 a8-a3 a8-a4 a8-a5 a8-a6 a8-a7 a8-b8 a8-c8 a8-d8 a8-e8 a8-f8 "
                     "a8-g8 a8-h8");
}
