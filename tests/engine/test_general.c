/* test_general.c - the engine at games of which it knows nothing but the rules. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/engine/player.h"

static unsigned games_of_each(void)
{
    return getenv("PLYD_TEST_LONG") != NULL ? 200 : 4;
}

static const struct {
    const char *game, *options;
} games[] = {{"shogi", ""},
             {"turkish-draughts", ""},
             {"jungle", ""},
             {"stackchess", ""},
             {"tictactoe", "rows=15 cols=15 k=5"}};

/* Plays at a level against chance. Returns the winner's seat, or 0. */
static unsigned play(struct player *player, unsigned level, unsigned seat, uint64_t seed)
{
    while (player_outcome(player).status == RULES_ONGOING && player->ply < PLAYER_PLIES_MAX - 1) {
        struct engine_task task = player_task(player);
        struct engine_choice choice;

        if (player->game->to_move(&player->state) != seat) {
            player_play(player, player_random(player, &seed));
            continue;
        }
        if (engine_choose(player->engine, &task, level, seed, &choice) == ENGINE_DECLARES)
            return seat;
        player_play(player, choice.move);
    }
    return player_outcome(player).winner;
}

/* At level 4, and at least 95 of 100 games of each. */
Test(general, it_beats_chance_in_every_game)
{
    for (size_t i = 0; i < sizeof(games) / sizeof(games[0]); i++) {
        unsigned won = 0, n = games_of_each();

        for (unsigned game = 0; game < n; game++) {
            struct player *player = stranger_at(games[i].game, games[i].options, NULL);
            unsigned seat = 1 + game % 2;

            won += play(player, 4, seat, 100 * i + game) == seat;
        }
        cr_expect_geq(won * 100, n * 95, "%s: %u of %u games are won", games[i].game, won, n);
    }
}

Test(general, it_says_what_it_knows)
{
    cr_assert(engine_knows(rules_find("shogi")));
    cr_assert_not(engine_knows(stranger_at("shogi", "", NULL)->game));
}

/* A win in one is played, and one of the other side prevented. */
Test(general, it_sees_what_wins_at_once)
{
    static const struct {
        const char *game, *options, *position, *move;
    } rows[] = {
        {"tictactoe", "", "xx1/oo1/3 x 3", "c3"},
        {"tictactoe", "", "oo1/xx1/2x o 3", "c3"},
        {"tictactoe", "", "xx1/o2/3 o 3", "c3"},
        {"tictactoe", "", "x1o/1x1/3 o 3", "c1"},
        {"shogi", "", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (unsigned level = 4; level <= ENGINE_LEVELS; level++) {
            struct player *player = stranger_at(rows[i].game, rows[i].options, rows[i].position);
            struct engine_task task = player_task(player);
            struct engine_choice choice;

            engine_choose(player->engine, &task, level, level, &choice);
            cr_expect_str_eq(player_text(player, choice.move), rows[i].move, "row %zu, level %u", i,
                             level);
        }
}

/* A full board without a line is no more to it than the rules say, whatever men and moves count. */
Test(general, it_sees_that_a_small_board_is_drawn)
{
    struct player *player = stranger_at("tictactoe", "", NULL);
    struct engine_task task = player_task(player);
    struct engine_analysis found;

    engine_analyse(player->engine, &task, 2000000, ENGINE_LINES_MAX, NULL, &found);
    cr_assert_gt(found.n, 0);
    for (size_t i = 0; i < found.n; i++)
        cr_expect_eq(found.line[i].score, 0, "%s: %d", player_text(player, found.line[i].move[0]),
                     (int)found.line[i].score);
}
