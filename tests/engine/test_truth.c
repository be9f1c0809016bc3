/* test_truth.c - what an analysis says of a position holds: scores, wins and losses. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "engine/games.h"
#include "player.h"

static struct engine_line best_line(struct player *player, uint64_t nodes)
{
    struct engine_task task = player_task(player);
    struct engine_analysis found;

    cr_assert_eq(engine_analyse(player->engine, &task, nodes, 1, NULL, &found), ENGINE_MOVES);
    return found.line[0];
}

/* ---- the nodes end in the middle of an iteration ---- */

/* Here the move that was best until then is found to lose, with the last nodes; other moves avoid
 * that, or hold out longer. */
static const struct cut {
    const char *game, *position;
    uint64_t nodes;
} cuts[] = {
    {"shogi", "ln1g4l/1ks3+P2/2p2p1pp/p2+B5/4P+S3/1PPPGs3/P4P1P1/1pK1G1b2/L1S4RL w RG3N3Pp 100",
     20000},
    {"shogi", "ln1gbgsn1/1r1sk3l/2pppp2p/pp7/7+r1/PPPP5/K3PPP1P/1Sg+s5/LN7 b 2Pbgnlp 43", 1000},
    {"shogi", "1k7/1ss1P1+b2/4p2R1/1p1pL4/n6p1/l4PP2/1+n+p2S1PL/5+r1K1/1g5S1 b BNL3gn9p 141", 4000},
    {"turkish-draughts", "B:Wa2,b2,c2,d2,g2,h2,a3,Ke5,h5,Kb8:Bf6,g7:H0:F31", 1000},
    {"turkish-draughts", "W:Wc7:Bc2,f3,b5,d5,f5,g5,b6,c6,Ka8:H0:F51", 4000},
    {"jungle", "4tc1/1d2w2/r5e/7/E6/T6/7/1l2LD1/6R r 0 20", 4000},
    {"jungle", "4t2/1d2wc1/r3P1e/7/7/E6/1Tl3R/1C3DL/7 r 0 12", 4000},
    {"jungle", "L6/4ce1/7/7/3l3/7/1EW4/1C1D1R1/7 b 2 30", 1000},
    {"jungle", "1d5/5c1/3t1L1/6R/7/r6/3T3/1lC2D1/7 r 0 24", 4000},
    {"jungle", "1d5/4w2/5c1/3E1R1/6e/7/C2l3/5DL/7 r 6 38", 250},
    {"jungle", "1d2c2/7/2w4/7/7/3r3/3e3/2C1D2/4W2 r 0 70", 4000},
};

Test(truth, no_loss_is_told_while_other_moves_were_not_looked_at)
{
    for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
        struct engine_line line =
            best_line(player_at(cuts[i].game, "", cuts[i].position), cuts[i].nodes);

        cr_expect_eq(line.mate, 0, "%s: a loss in %d", cuts[i].position, -line.mate);
        cr_expect_lt(abs(line.score), 20000, "%s: %d", cuts[i].position, line.score);
    }
}

Test(truth, a_move_that_is_refuted_with_the_last_nodes_is_not_played)
{
    struct player *player = player_at(cuts[0].game, "", cuts[0].position);
    struct engine_line line = best_line(player, cuts[0].nodes);

    cr_assert_str_neq(player_text(player, line.move[0]), "4f4g");
}

/* ---- what is no proof ---- */

/* Every square near the stone loses. On this board the engine does not look at the others. */
Test(truth, a_loss_is_not_proved_by_some_of_the_moves)
{
    struct engine_line line =
        best_line(player_at("tictactoe", "", "9/9/9/9/4x4/9/9/9/9 o 4"), 20000);

    cr_assert_eq(line.mate, 0);
    cr_assert_eq(line.score, -ENGINE_BELIEF);
}

/* The limit of plies comes before the mate in 9. */
Test(truth, no_win_is_told_that_comes_too_late)
{
    struct engine_line line = best_line(player_at("shogi", "max_plies=125",
                                                  "lnsg1g1+R1/3rk1+P2/1Sp2N+L2/pP1ppp3/1p1l1+b3/"
                                                  "P1P2g3/1K1PP1P2/2S5P/LN1+b3N1 w S4Pg 118"),
                                        100000);

    cr_assert_eq(line.mate, 0);
}

/* A win with the last of them counts. */
Test(truth, the_plies_until_a_draw_are_those_after_which_the_rules_give_it)
{
    struct player *player = player_at("shogi", "max_plies=12", NULL);
    uint64_t seed = 1;

    for (unsigned left = 12; left > 0; left--) {
        cr_assert_eq(player_outcome(player).status, RULES_ONGOING);
        cr_assert_eq(engine_shogi.draw_after(&player->state), left);
        player_play(player, player_random(player, &seed));
    }
    cr_assert_eq(player_outcome(player).status, RULES_DRAWN);
}

/* One that overlooks every second answer believes in wins that are none. */
Test(truth, who_overlooks_answers_tells_no_win_from_them)
{
    struct player *player = player_at("jungle", "", "1d5/5c1/3t1L1/6R/7/r6/3T3/1lC2D1/7 r 0 24");
    struct engine_task task = player_task(player);
    struct engine_level level = engine_level(player->game, 4);
    unsigned believed = 0;

    level.hidden = 500;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct engine_choice choice;

        engine_choose_as(player->engine, &task, &level, seed, &choice);
        cr_expect_leq(choice.line.mate, 1);
        believed += choice.line.score == ENGINE_BELIEF;
    }
    cr_assert_gt(believed, 0);
}
