/*
 * test_reference.c - the references judge the games, so they are judged first: by the move counts
 * that independent programs have published, and by ends of games that a person can check.
 */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tests/reference/reference.h"
#include "tests/support/long.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* ---- perft ---- */

enum { DEPTH_MAX = 6 };

struct perft {
    const char *position;
    uint64_t nodes[DEPTH_MAX]; /* at depth 1, 2 ...; the list ends with 0 */
};

/* The references are slow: counts above 30,000 are for long runs. */
static bool is_counted(uint64_t nodes)
{
    return nodes > 0 && nodes <= long_or_short(UINT_MAX, 30000);
}

static void expect_perft(const struct reference_game *game, struct reference_options options,
                         const struct perft *rows, size_t len)
{
    for (size_t i = 0; i < len; i++)
        for (unsigned depth = 1; depth <= DEPTH_MAX && is_counted(rows[i].nodes[depth - 1]);
             depth++) {
            uint64_t nodes = reference_perft(game, &options, rows[i].position, depth);

            cr_expect_eq(nodes, rows[i].nodes[depth - 1], "%s %s depth %u: %llu instead of %llu",
                         game->name, rows[i].position, depth, (unsigned long long)nodes,
                         (unsigned long long)rows[i].nodes[depth - 1]);
        }
}

#define EXPECT_PERFT(game, options, ...)                  \
    do {                                                  \
        static const struct perft rows[] = {__VA_ARGS__}; \
        expect_perft(&game, options, rows, LENGTH(rows)); \
    } while (0)

static const struct reference_options no_options = {NULL, 0};

static const struct reference_option draughts_option[] = {
    {"promotion", "end"},  {"turn180", "forbidden"}, {"removal", "immediate"},
    {"one_v_one", "draw"}, {"repetition", "3"},      {"no_progress", "100"},
};
static const struct reference_options draughts = {draughts_option, LENGTH(draughts_option)};

static const struct reference_option jungle_option[] = {
    {"own_traps", "allowed"},   {"jump_block", "any"},  {"rat_shore", "free"},
    {"trapped_attack", "none"}, {"draw_rounds", "100"}, {"repetition", "3"},
};
static const struct reference_options jungle = {jungle_option, LENGTH(jungle_option)};

static const struct reference_option standard_option[] = {
    {"rules", "standard"}, {"impasse", "auto"}, {"repetition", "4"}, {"max_plies", "0"}};
static const struct reference_options standard = {standard_option, LENGTH(standard_option)};

static const struct reference_option casual_option[] = {
    {"rules", "casual"}, {"impasse", "off"}, {"repetition", "0"}, {"max_plies", "0"}};
static const struct reference_options casual = {casual_option, LENGTH(casual_option)};

static const struct reference_option stackchess_option[] = {
    {"promotion", "true"}, {"stalemate", "draw"}, {"repetition", "3"}, {"no_progress", "100"}};
static const struct reference_options stackchess = {stackchess_option, LENGTH(stackchess_option)};

Test(reference, tictactoe_counts_as_its_table)
{
    EXPECT_PERFT(reference_tictactoe, no_options, {"3/3/3 x 3", {9, 72, 504, 3024, 15120, 54720}},
                 {"3/3/3 x 2", {9, 72, 504, 1344, 2720}}, {"3/3/3 x 1", {9}},
                 {"2/2 x 2", {4, 12, 24}}, {"4/4/4 x 3", {12, 132, 1320, 11880}},
                 {"3/3/3/3 x 3", {12, 132, 1320, 11880}}, {"5/5/5 x 3", {15, 210, 2730, 32760}},
                 {"4/4/4/4 x 3", {16, 240, 3360, 43680}},
                 {"9 x 3", {9, 72, 504, 3024, 15120, 55440}},
                 {"1/1/1/1/1/1/1/1/1 x 3", {9, 72, 504, 3024, 15120, 55440}});
}

Test(reference, tictactoe_fills_its_board_in_127872_ways)
{
    cr_assert_eq(reference_perft(&reference_tictactoe, &no_options, "3/3/3 x 3", 9), 127872);
}

Test(reference, t32_draughts_counts_as_kish)
{
    EXPECT_PERFT(reference_turkish_draughts, draughts,
                 {"W:Wa2,b2,c2,d2,e2,f2,g2,h2,a3,b3,c3,d3,e3,f3,g3,h3:"
                  "Ba6,b6,c6,d6,e6,f6,g6,h6,a7,b7,c7,d7,e7,f7,g7,h7",
                  {8, 64, 708, 7538, 85090}});
}

Test(reference, j35_jungle_counts_as_its_table)
{
    EXPECT_PERFT(reference_jungle, jungle,
                 {"l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L r 0 1", {24, 576, 12240, 260099}});
}

Test(reference, shogi_counts_as_its_table)
{
    EXPECT_PERFT(
        reference_shogi, standard,
        {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", {30, 900, 25470}},
        {"lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", {30, 900, 25530}},
        {"ln1gk2nl/1rs3gb1/p1pppsppp/1p3p3/9/2P1P2P1/PPBP1PP1P/2S2S1R1/LN1GKG1NL b - 1",
         {31, 837, 26538}},
        {"R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", {593, 105677}},
        {"l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", {207, 28684}});
}

Test(reference, shogi_4_5_counts_no_drop_pawn_mate)
{
    EXPECT_PERFT(reference_shogi, standard, {"7nk/9/7G1/9/9/9/9/9/4K4 b P 1", {80, 162, 3580}});
}

Test(reference, shogi_5_counts_as_its_table_of_casual_positions)
{
    EXPECT_PERFT(
        reference_shogi, casual,
        {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", {30, 900, 25470}},
        {"4k4/9/4P4/9/9/9/9/9/4K4 b P 1", {85, 425, 6195}});
}

Test(reference, stackchess_counts_as_its_table)
{
    EXPECT_PERFT(
        reference_stackchess, stackchess,
        {"fdrf/pppp/PPPP/FDRF w ABCDabcd 0 1", {12, 144, 1866, 23951}},
        {"fdrft/ppppp/5/PPPPP/FDRFT w ABCDEabcde 0 1", {20, 395, 8269}},
        {"fdrfc/ppppp/5/PPPPP/FDRFC w ABCDEabcde 0 1", {20, 392, 8261}},
        {"tfdrft/pppppp/6/6/PPPPPP/TFDRFT w ABCDEFabcdef 0 1", {30, 882, 27244}},
        {"cfdrfc/pppppp/6/6/PPPPPP/CFDRFC w ABCDEFabcdef 0 1", {30, 878, 27213}},
        {"tfdrftf/ppppppp/7/7/7/PPPPPPP/TFDRFTF w ABCDEFGabcdefg 0 1", {34, 1149}},
        {"cfdrfct/ppppppp/7/7/7/PPPPPPP/CFDRFCT w ABCDEFGabcdefg 0 1", {35, 1218}},
        {"ftfdrftf/pppppppp/8/8/8/8/PPPPPPPP/FTFDRFTF w ABCDEFGHabcdefgh 0 1", {38, 1444}},
        {"tcfdrfct/pppppppp/8/8/8/8/PPPPPPPP/TCFDRFCT w ABCDEFGHabcdefgh 0 1", {40, 1600}});
}

/* ---- moves and ends that a person can check ---- */

/* Whether a move is legal, by its text. The position after it then replaces `position`. */
static bool play(const struct reference_game *game, const struct reference_options *options,
                 const char *text, char *position)
{
    struct reference_moves moves = game->moves(options, position);
    bool legal = false;

    for (size_t i = 0; i < moves.len && !legal; i++) {
        legal = strcmp(moves.move[i].text, text) == 0;
        if (legal)
            strcpy(position, moves.move[i].after);
    }
    reference_free(&moves);
    return legal;
}

/* Plays moves, parted by blanks, and says how the game then stands: "repetition 0". */
static const char *end_of(const struct reference_game *game,
                          const struct reference_options *options, const char *start,
                          const char *moves)
{
    enum { PLIES = 64 };
    static char text[REFERENCE_TEXT], position[PLIES][REFERENCE_TEXT], played[REFERENCE_TEXT];
    const char *line[PLIES] = {strcpy(position[0], start)};
    struct reference_outcome outcome;
    size_t len = 1;

    strcpy(played, moves);
    for (char *move = strtok(played, " "); move != NULL; move = strtok(NULL, " ")) {
        strcpy(position[len], position[len - 1]);
        cr_assert(play(game, options, move, position[len]), "%s in %s", move, position[len]);
        line[len] = position[len];
        len++;
    }
    outcome = game->outcome(options, &(struct reference_line){line, len});
    text[0] = '\0';
    if (outcome.reason == NULL)
        return "ongoing";
    reference_print(text, "%s %d", outcome.reason, outcome.winner);
    return text;
}

/* All legal moves of a position, parted by blanks. */
static const char *moves_of(const struct reference_game *game,
                            const struct reference_options *options, const char *position)
{
    static char text[REFERENCE_TEXT];
    struct reference_moves moves = game->moves(options, position);

    text[0] = '\0';
    for (size_t i = 0; i < moves.len; i++)
        reference_print(text, "%s%s", i > 0 ? " " : "", moves.move[i].text);
    reference_free(&moves);
    return text;
}

Test(reference, tictactoe_6_a_last_stone_that_closes_a_line_wins)
{
    cr_assert_str_eq(
        end_of(&reference_tictactoe, &no_options, "3/3/3 x 3", "a1 a3 b2 b1 a2 c2 b3 c1 c3"),
        "line 1");
}

Test(reference, tictactoe_7_a_full_board_without_a_line_is_drawn)
{
    cr_assert_str_eq(
        end_of(&reference_tictactoe, &no_options, "3/3/3 x 3", "a3 b3 c3 b2 b1 a1 a2 c2 c1"),
        "full 0");
}

/* The legal moves of a position of draughts with one option that is not the default. */
static const char *draughts_moves_with(const char *name, const char *value, const char *position)
{
    struct reference_option option[LENGTH(draughts_option)];

    memcpy(option, draughts_option, sizeof(option));
    for (size_t i = 0; i < LENGTH(option); i++)
        if (strcmp(option[i].name, name) == 0)
            option[i].value = value;
    return moves_of(&reference_turkish_draughts,
                    &(struct reference_options){option, LENGTH(option)}, position);
}

Test(reference, t16_a_piece_taken_off_at_once_lets_the_one_behind_it_be_taken)
{
    const char *position = "W:WKa4:BKd1,e2,c3,c4";

    cr_assert_str_eq(moves_of(&reference_turkish_draughts, &draughts, position),
                     "a4xe4xe1xc1xc4 a4xe4xe1xc1xc5 a4xe4xe1xc1xc6 a4xe4xe1xc1xc7 a4xe4xe1xc1xc8");
    cr_assert_str_eq(draughts_moves_with("removal", "end", position),
                     "a4xe4xe1xa1 a4xe4xe1xb1 a4xe4xe1xc1");
}

Test(reference, t17_a_king_turns_back_only_if_that_is_allowed)
{
    const char *position = "W:WKd4:Bd2,d6";

    cr_assert_str_eq(moves_of(&reference_turkish_draughts, &draughts, position),
                     "d4xd1 d4xd7 d4xd8");
    cr_assert_str_eq(draughts_moves_with("turn180", "allowed", position),
                     "d4xd1xd7 d4xd1xd8 d4xd7xd1 d4xd8xd1");
}

Test(reference, t21_what_a_man_does_that_reaches_the_last_rank_by_capturing)
{
    const char *position = "W:Wd6:Bd7,Kc8";

    cr_assert_str_eq(moves_of(&reference_turkish_draughts, &draughts, position), "d6xd8xb8");
    cr_assert_str_eq(draughts_moves_with("promotion", "immediate", position), "d6xd8xa8 d6xd8xb8");
    cr_assert_str_eq(draughts_moves_with("promotion", "stop", position), "d6xd8");
}

Test(reference, t25_one_against_one_is_drawn_unless_the_mover_can_capture)
{
    cr_assert_str_eq(end_of(&reference_turkish_draughts, &draughts, "W:WKa1:BKh8", ""),
                     "one_v_one 0");
    cr_assert_str_eq(end_of(&reference_turkish_draughts, &draughts, "W:WKa1:BKa5", ""), "ongoing");
}

Test(reference, t26_the_third_occurrence_draws)
{
    const char *once = "a1-b1 h8-h7 b1-a1 h7-h8 a1-b1 h8-h7 b1-a1";
    const char *twice = "a1-b1 h8-h7 b1-a1 h7-h8 a1-b1 h8-h7 b1-a1 h7-h8";

    cr_assert_str_eq(end_of(&reference_turkish_draughts, &draughts, "W:WKa1,Ka2:BKg8,Kh8", once),
                     "ongoing");
    cr_assert_str_eq(end_of(&reference_turkish_draughts, &draughts, "W:WKa1,Ka2:BKg8,Kh8", twice),
                     "repetition 0");
}

Test(reference, j24_a_trapped_piece_takes_nothing)
{
    cr_assert_str_eq(end_of(&reference_jungle, &jungle, "2l4/2rL3/7/7/7/7/7/7/7 r 0 1", "d8d9"),
                     "den 1");
    cr_assert_not(play(&reference_jungle, &jungle, "d8c8",
                       (char[REFERENCE_TEXT]){"2l4/2rL3/7/7/7/7/7/7/7 r 0 1"}));
}

Test(reference, shogi_4_5_a_pinned_defender_does_not_lift_a_drop_pawn_mate)
{
    char free_gold[REFERENCE_TEXT] = "7nk/7g1/8G/9/9/9/9/9/K8 b P 1";
    char pinned_gold[REFERENCE_TEXT] = "7nk/7g1/6B1G/9/9/9/9/9/K8 b P 1";

    cr_assert(play(&reference_shogi, &standard, "P*1b", free_gold));
    cr_assert_not(play(&reference_shogi, &standard, "P*1b", pinned_gold));
}

Test(reference, shogi_4_7_a_fourth_occurrence_draws)
{
    cr_assert_str_eq(end_of(&reference_shogi, &standard,
                            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
                            "2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b"),
                     "repetition 0");
}

Test(reference, shogi_4_7_whoever_checks_all_the_time_loses)
{
    cr_assert_str_eq(end_of(&reference_shogi, &standard, "4k4/9/9/9/9/9/9/9/K3R4 w - 1",
                            "5a4a 5i4i 4a5a 4i5i 5a4a 5i4i 4a5a 4i5i 5a4a 5i4i 4a5a 4i5i"),
                     "perpetual_check 2");
}

Test(reference, shogi_4_8_impasse_needs_ten_pieces_in_the_zone)
{
    cr_assert_str_eq(
        end_of(&reference_shogi, &standard, "4K4/PPPPPPPPP/4G4/9/9/9/9/9/4k4 b 2R2B 1", ""),
        "impasse 1");
    cr_assert_str_eq(
        end_of(&reference_shogi, &standard, "4K4/PPPPPPPPP/9/4G4/9/9/9/9/4k4 b 2R2B 1", ""),
        "ongoing");
}

Test(reference, shogi_5_2_taking_the_king_ends_a_casual_game)
{
    cr_assert_str_eq(end_of(&reference_shogi, &casual, "4k4/4G4/9/9/9/9/9/9/4K4 b - 1", "5b5a"),
                     "king_captured 1");
}

Test(reference, stackchess_9_2_bishop_and_rook_against_one_piece_are_dead)
{
    cr_assert_str_eq(end_of(&reference_stackchess, &stackchess, "3t/4/4/FT2 w - 0 1", ""),
                     "dead 0");
    cr_assert_str_eq(end_of(&reference_stackchess, &stackchess, "3t/4/4/FF2 w - 0 1", ""),
                     "ongoing");
}

Test(reference, stackchess_9_4_a_blocked_pawn_is_stalemate)
{
    cr_assert_str_eq(end_of(&reference_stackchess, &stackchess, "4/(tt)3/P3/4 w - 0 1", ""),
                     "stalemate 0");
}
