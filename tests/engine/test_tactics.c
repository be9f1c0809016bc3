/*
 * test_tactics.c - wins that the engine must find. That they are there is proved first, by a slow
 * search of its own that tries every move: for the side that wins only moves that force an answer,
 * which suffices for a proof, and for the other side every answer.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "engine/games.h"
#include "player.h"
#include "prove.h"
#include "tactics.h"

/* ---- shogi: mates ---- */

static void find_mate(const struct tactics_win *win)
{
    struct player *player = player_at("shogi", "", win->position);
    struct engine_choice choice;

    cr_assert(prove_win(player->game, &player->state, win->plies), "no mate in %u: %s", win->plies,
              win->position);
    choice = player_think(player, 200000);
    cr_assert_gt(choice.line.mate, 0, "no mate found in %u: %s", win->plies, win->position);
    cr_assert_leq(choice.line.mate, (int)win->plies, "a mate in %d instead of %u: %s",
                  choice.line.mate, win->plies, win->position);
    player_play(player, choice.move);
    if (win->plies > 1)
        cr_assert_not(prove_escape(player->game, &player->state, win->plies - 1),
                      "the first move lets go of the mate: %s", win->position);
}

Test(tactics, shogi_finds_mates_in_1_to_9)
{
    for (size_t i = 0; i < sizeof(tactics_mates) / sizeof(tactics_mates[0]); i++)
        find_mate(&tactics_mates[i]);
}

/* A bishop is dropped behind an own man, which then leaves its line. */
Test(tactics, shogi_sees_at_once_a_mate_by_a_discovered_check)
{
    struct player *player = player_at(
        "shogi", "",
        "ln7/2G4Rl/p1p2p1p1/1p2b3p/1kg1p1pn1/2P1SPP2/LP1PPK1PP/3S1S2R/1NSG1G1NL b BPp 57");
    struct engine_choice choice = player_think(player, 1000);

    cr_assert(prove_win(player->game, &player->state, 3));
    cr_assert_str_eq(player_text(player, choice.move), "B*9f");
    cr_assert(choice.line.mate > 0 && choice.line.mate <= 5, "mate in %d", choice.line.mate);
}

/* Without a search: the king cannot go away from the rook along its line. */
Test(tactics, shogi_knows_a_mate_in_1_from_which_the_king_would_flee_along_the_line)
{
    struct player *player = player_at("shogi", "", "4k4/2S6/4G4/9/9/9/9/9/K8 b R 1");
    struct rules_refusal why;
    rules_move move;

    cr_assert(player->game->read_move(&player->state, "R*6a", &move, &why));
    cr_assert(engine_shogi.wins(&player->state, move));
}

/* ---- k in a row: forced wins by threats ---- */

static void find_threats(const struct tactics_win *win)
{
    struct player *player = player_at("tictactoe", "", win->position);
    struct engine_choice choice = player_think(player, 20000);

    cr_assert_gt(choice.line.mate, 0, "no win found in %u: %s", win->plies, win->position);
    cr_assert_leq(choice.line.mate, (int)win->plies, "%s", win->position);
}

Test(tactics, five_in_a_row_finds_wins_by_threats)
{
    for (size_t i = 0; i < sizeof(tactics_threats) / sizeof(tactics_threats[0]); i++)
        find_threats(&tactics_threats[i]);
}

Test(tactics, a_loss_by_force_is_told_with_its_plies)
{
    struct player *player = player_at("tictactoe", "", "x1x/2o/x1o o 3");

    cr_assert_eq(player_think(player, 1000).line.mate, -2);
}

/* ---- Jungle: the enemy stands better for the moment, but cannot keep the den ---- */

static void win_against_all_answers(struct player *player, unsigned plies)
{
    rules_move answers[256];
    size_t n;

    cr_assert_gt(plies, 0);
    player_play(player, player_think(player, 3000).move);
    if (player_outcome(player).status == RULES_WON)
        return;
    cr_assert_eq(player_outcome(player).status, RULES_ONGOING);
    n = player->game->legal(&player->state, answers, 256);
    for (size_t i = 0; i < n; i++) {
        struct player there = *player;

        player_play(&there, answers[i]);
        win_against_all_answers(&there, plies < 2 ? 0 : plies - 2);
    }
}

Test(tactics, jungle_finds_ways_to_the_den_that_give_up_men)
{
    for (size_t i = 0; i < sizeof(tactics_dens) / sizeof(tactics_dens[0]); i++) {
        const struct tactics_win *win = &tactics_dens[i];
        struct player *player = player_at("jungle", "", win->position);
        struct engine_choice choice = player_think(player, 3000);

        cr_assert_gt(choice.line.mate, 0, "no win found in %u: %s", win->plies, win->position);
        cr_assert_leq(choice.line.mate, (int)win->plies, "%s", win->position);
        win_against_all_answers(player, win->plies);
    }
}

/* ---- Turkish draughts: combinations that begin with a sacrifice ---- */

Test(tactics, draughts_finds_sacrifices_that_win_men)
{
    for (size_t i = 0; i < sizeof(tactics_combinations) / sizeof(tactics_combinations[0]); i++) {
        struct player *player = player_at("turkish-draughts", "", tactics_combinations[i].position);
        struct engine_choice choice = player_think(player, 20000);

        cr_assert_str_eq(player_text(player, choice.move), tactics_combinations[i].move);
    }
}

/* ---- what must be seen at once ---- */

static const struct puzzle {
    const char *game, *position, *move, *why;
} puzzles[] = {
    {"tictactoe", "xx1/oo1/3 x 3", "c3", "completes its line"},
    {"tictactoe", "xx1/o2/3 o 3", "c3", "stops a line"},
    {"jungle", "7/3P3/7/7/l6/7/7/7/6T r 0 1", "d8d9", "enters the den"},
    {"jungle", "6t/7/7/7/7/7/7/2T4/2l4 r 0 1", "c2c1", "takes what is about to enter the den"},
    {"stackchess", "6/2p1DR/1R1p2/6/3pD1/6 w - 0 1", "e5e2",
     "joins its queens, which wins by force"},
};

Test(tactics, sees_what_wins_or_saves_at_once)
{
    for (size_t i = 0; i < sizeof(puzzles) / sizeof(puzzles[0]); i++) {
        const struct puzzle *puzzle = &puzzles[i];
        struct player *player = player_at(puzzle->game, "", puzzle->position);
        struct engine_choice choice = player_think(player, 1000);

        cr_assert_str_eq(player_text(player, choice.move), puzzle->move, "%s in %s, not %s",
                         puzzle->why, puzzle->position, player_text(player, choice.move));
    }
}
