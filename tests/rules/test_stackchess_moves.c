/*
 * test_stackchess_moves.c - the move counts of Stackchess (12). The game finds moves in three ways,
 * by listing, by counting and by judging a text, which must agree.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "scene.h"

extern const struct rules_game rules_stackchess;

/* ---- 12 move counts ---- */

#define EXPECT_PERFT(options, ...) \
    scene_perft(&rules_stackchess, options, NULL, (const uint64_t[]){__VA_ARGS__, 0})

Test(stackchess, rule_12_counts_without_knights)
{
    EXPECT_PERFT("size=4", 12, 144, 1866, 23951);
    EXPECT_PERFT("size=5", 20, 395, 8269, 171050);
    EXPECT_PERFT("size=6", 30, 882, 27244, 825988);
    EXPECT_PERFT("size=7", 34, 1149, 41492, 1486609);
    EXPECT_PERFT("size=8", 38, 1444, 59256, 2425411);
    EXPECT_PERFT("size=9", 43, 1849, 86038);
}

Test(stackchess, rule_12_counts_with_knights)
{
    EXPECT_PERFT("size=4 knights=true", 12, 144, 1866, 23951);
    EXPECT_PERFT("size=5 knights=true", 20, 392, 8261, 171347);
    EXPECT_PERFT("size=6 knights=true", 30, 878, 27213, 825993);
    EXPECT_PERFT("size=7 knights=true", 35, 1218, 45471, 1685111);
    EXPECT_PERFT("size=8 knights=true", 40, 1600, 68845, 2956209);
    EXPECT_PERFT("size=9 knights=true", 45, 2025, 98007);
}

/* ---- listing, counting, judging ---- */

enum { MOVES_MAX = 1 << 14 };

static struct scene scene;

/* The height of the tallest stack. */
static unsigned tallest(void)
{
    struct rules_board board = rules_stackchess.board(&scene.state);
    size_t most = 0;

    for (unsigned square = 0; square < (unsigned)board.width * board.height; square++) {
        size_t height = rules_stackchess.at(&scene.state, square, NULL, 0);

        most = height > most ? height : most;
    }
    return (unsigned)most;
}

/* How many texts, of all that look like moves, are accepted. */
static size_t count_accepted(void)
{
    struct rules_board board = rules_stackchess.board(&scene.state);
    unsigned squares = (unsigned)board.width * board.height, most = tallest();
    char text[RULES_MOVE_TEXT], from[RULES_SQUARE_TEXT], to[RULES_SQUARE_TEXT];
    rules_move move;
    size_t n = 0;

    for (unsigned i = 0; i < squares * squares; i++) {
        rules_square_text(board, i / squares, from);
        rules_square_text(board, i % squares, to);
        for (unsigned count = 1; count <= most; count++) {
            snprintf(text, sizeof(text), "%u%s%s", count, from, to);
            n += rules_stackchess.read_move(&scene.state, text, &move, &scene.why);
        }
    }
    return n;
}

static void expect_one_answer(const rules_move *list, size_t n)
{
    char text[RULES_MOVE_TEXT];
    rules_move move;

    for (size_t i = 0; i < n; i++) {
        rules_stackchess.move_text(&scene.state, list[i], text);
        cr_assert(rules_stackchess.read_move(&scene.state, text, &move, &scene.why), "%s", text);
        cr_assert(rules_same_move(move, list[i]), "%s", text);
    }
    cr_assert_eq(count_accepted(), n, "%s", scene_position(&scene));
}

/* Plays random games, and looks at every `pause`-th position. */
static void expect_one_answer_in_games(const char *options, unsigned games, unsigned plies,
                                       unsigned pause)
{
    static rules_move list[MOVES_MAX];
    struct rules_state next;
    uint64_t seed = 1;

    for (unsigned game = 0; game < games; game++) {
        scene_open(&scene, &rules_stackchess, options, NULL);
        for (unsigned ply = 0; ply <= plies; ply++) {
            size_t n = rules_stackchess.legal(&scene.state, list, MOVES_MAX);

            cr_assert_eq(rules_stackchess.count(&scene.state), n, "%s", scene_position(&scene));
            if (ply % pause == 0)
                expect_one_answer(list, n);
            if (n == 0)
                break;
            rules_stackchess.play(&scene.state, list[rules_choose(&seed, n)], &next);
            scene.state = next;
        }
    }
}

Test(stackchess, listing_counting_and_judging_agree_on_small_boards)
{
    expect_one_answer_in_games("size=4", 5, 60, 2);
    expect_one_answer_in_games("size=5 knights=true", 10, 80, 2);
    expect_one_answer_in_games("size=6 knights=true promotion=false", 10, 100, 4);
}

Test(stackchess, listing_counting_and_judging_agree_on_large_boards)
{
    expect_one_answer_in_games("size=13 knights=true", 2, 200, 50);
    expect_one_answer_in_games("size=26", 1, 400, 400);
    expect_one_answer_in_games("size=26 knights=true", 1, 400, 400);
}
