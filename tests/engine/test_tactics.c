/*
 * test_tactics.c - wins that the engine must find. That they are there is proved first, by a slow
 * search of its own that tries every move: for the side that wins only moves that force an answer,
 * which suffices for a proof, and for the other side every answer.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "player.h"
#include "prove.h"

struct win {
    const char *position;
    unsigned plies;
};

/* ---- shogi: mates, from games that the engine played against itself ---- */

static const struct win mates[] = {
    {"lnl3+B2/1r2gg1+P+L/3k1sn1+R/1p2p1pn1/3B2s2/1+p1PPp2n/+l1+p4g1/5PS2/7K1 w S3Pg5p 134", 1},
    {"1l1gkg1n1/2s4+Pr/+P1p1+B+S2l/1p2p1pL1/2Pp1P2p/2G1SN3/1P2P3P/1+b3S3/1+rNKG3L w 2Pn3p 136", 1},
    {"l1+R6/3rg1+P2/nSpk1N+L2/1P1ppp3/Ks1l1+b3/P1P2g3/1g1PP1P2/2+b5P/LN5N1 w GS6Ps 132", 1},
    {"7s1/l+P2kg1gl/1p+B3r2/2p2p3/4p2p1/1PPR5/L1N2PN+b1/3SG1P+p1/3PGKs1L w S2N3P3p 110", 1},
    {"lnl3+B2/1r2gg1+P+L/3k1sn1+R/1p2p1pn1/3B2s2/1+p1PPp2n/+l1+p3+sg1/5PG2/6SK1 w 3P5p 132", 3},
    {"l1+R6/3rg1+P2/nSpk1N+L2/KP1ppp3/3l1+b3/P1P2g3/1g1PP1P2/2+b5P/LN5N1 w GS6P2s 130", 3},
    {"7s1/l+P2kg1gl/1p+Bb2r2/2p2p3/4p2p1/1PPR5/L1N2PNP1/3SG2+p1/3PGKs1L w S2N4P2p 108", 3},
    {"1k2G+B3/r2g3+S+P/pNp1p+L2p/1S1p5/4N4/3PP4/P2G1PP1P/7r1/LN1K1s1sL w BL5Pgnp 108", 3},
    {"lnl3+B2/1r2gg1+P+L/3k1sn1+R/1p2p1pn1/3B2s2/1+p1PPp2n/+l1+p3+sg1/5PGp1/6S1K w 2P5p 130", 5},
    {"ln+R6/3rg1+P2/1Spk1N+L2/pP1ppp3/1K1l1+b3/P1P2g3/1g1PP1P2/2+b5P/LN5N1 w GS5P2s 128", 5},
    {"7s1/l+P2kg1gl/1p+Bb2r2/2p2p3/4pn1p1/1PPR5/L1N2PPP1/3SGK1+p1/3PG2NL w SN4Psp 104", 5},
    {"7s1/l+P2kg1gl/1p+Bb2r2/2p2p3/4pn1p1/1PPR5/L1N2PPP1/3SG2+p1/3PGKsNL w SN4Pp 106", 5},
    {"lnsg1g1+R1/3rk4/1Sp2N+L+P1/pP1ppp3/1p1l1+b3/P1P2g3/3PP1P2/1K2G3P/LN1b3N1 w S4Ps 112", 7},
    {"ln+R6/3rg1+P2/1Spk1N+L2/pP1ppp3/3l1+b3/PKP2g3/3PP1P2/2+b5P/LN5N1 w GS5Pg2s 126", 7},
    {"7s1/l+P2kg1gl/1p+Bb2r2/2p2p3/4pn1p1/1PPR2p2/L1N2P1P1/3SGKP+p1/3PG2NL w SN3Psp 102", 7},
    {"6G2/2+P+P4l/2+L2g1s1/1l2l1kpp/3p2p2/p1g5+b/1P1NSP3/5+p+ngP/1NKS4R w Rbsn7p 184", 7},
    {"lnsg1g1+R1/3rk1+P2/1Sp2N+L2/pP1ppp3/1p1l1+b3/P1P2g3/1K1PP1P2/2S5P/LN1+b3N1 w S4Pg 118", 9},
    {"6G2/2+P+P4l/2+L2g1s1/1l4kpp/3p2p2/p1g5R/1P1N+lP3/1KSs1+p+n1P/1N1P3rg w Bbsn6p 194", 9},
};

static void find_mate(const struct win *win)
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
    for (size_t i = 0; i < sizeof(mates) / sizeof(mates[0]); i++)
        find_mate(&mates[i]);
}

/* ---- k in a row: forced wins by threats ---- */

static const struct win threats[] = {
    {"15/15/15/15/4x3xx5/5o3o5/4o2xo1x4/5o9/7x2o4/5o2oxx4/5xo2x5/15/15/15/15 o 5", 5},
    {"15/15/15/15/4o1o1xx5/4xx4x4/4xo1xxoo4/6ox1ox4/5o3oo4/4x1xxo1x4/6ooo6/15/15/15/15 x 5", 5},
    {"15/15/15/15/15/5x2xx5/7o1ox4/6xo1xo4/4oo9/5x4x4/8o1o4/15/15/15/15 x 5", 7},
    {"15/15/15/15/5o2x1o4/7oxo5/4o2x2x4/10o4/6x2xx4/5x9/8oo5/15/15/15/15 x 5", 7},
    {"15/15/15/15/4x1xox6/4o2oxox4/6o3o4/6xx2x4/7x7/6oooxo4/5x1o7/15/15/15/15 x 5", 5},
    {"15/15/15/15/7xoox4/4oo1xoxx4/5x4o4/4ox1x7/5o1ooxx4/5x2x1o4/5oxxo6/15/15/15/15 o 5", 7},
    {"15/15/15/15/7o1xo4/4oxo2x5/6x3x4/4o1o1x1o4/5xx1oox4/4xxoxo6/6o8/15/15/15/15 x 5", 7},
    {"15/15/15/15/4xx2x6/5x1o1o5/4o10/6x2xo4/6xxoxo4/6o3o4/5ox1o1x4/15/15/15/15 o 5", 5},
    {"15/15/15/15/5x1o7/4oo2o1x4/4o2oxx5/4oxx8/6o2o5/6o1x6/4xx1ox1x4/15/15/15/15 x 5", 5},
    {"15/15/15/15/5o9/8x6/6xox6/4ooo2x5/5xo1xx5/6o1o1x4/7o2x4/15/15/15/15 x 5", 9},
};

static void find_threats(const struct win *win)
{
    struct player *player = player_at("tictactoe", "", win->position);
    struct engine_choice choice = player_think(player, 20000);

    cr_assert_gt(choice.line.mate, 0, "no win found in %u: %s", win->plies, win->position);
    cr_assert_leq(choice.line.mate, (int)win->plies, "%s", win->position);
}

Test(tactics, five_in_a_row_finds_wins_by_threats)
{
    for (size_t i = 0; i < sizeof(threats) / sizeof(threats[0]); i++)
        find_threats(&threats[i]);
}

/* ---- Turkish draughts: combinations that begin with a sacrifice ---- */

struct combination {
    const char *position, *move;
};

static const struct combination combinations[] = {
    {"W:Wb2,d2,e2,f2,h2,a3,b3,c3,d3,g3,h3,a4,b4,d4,f4,g4:"
     "Bb5,c5,d5,h5,a6,b6,d6,f6,g6,h6,a7,b7,d7,e7,f7,g7:H1:F11",
     "f4-f5"},
};

Test(tactics, draughts_finds_sacrifices_that_win_men)
{
    for (size_t i = 0; i < sizeof(combinations) / sizeof(combinations[0]); i++) {
        struct player *player = player_at("turkish-draughts", "", combinations[i].position);
        struct engine_choice choice = player_think(player, 20000);

        cr_assert_str_eq(player_text(player, choice.move), combinations[i].move);
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
    {"stackchess", "6/6/1p(tf)3/(PD)P4/6/6 w - 0 1", "2a3b4", "takes what it can"},
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

/* ---- tic-tac-toe is a draw ---- */

/* The engine plays one side of every game that there is. */
static void play_every_game(struct player *player, unsigned seat)
{
    struct rules_outcome outcome = player_outcome(player);
    struct player here = *player;
    rules_move moves[9];
    size_t n;

    if (outcome.status != RULES_ONGOING) {
        cr_assert(outcome.status == RULES_DRAWN || outcome.winner == seat, "lost as seat %u", seat);
        return;
    }
    if (player->game->to_move(&player->state) == seat) {
        player_play(&here, player_think(player, 20000).move);
        play_every_game(&here, seat);
        return;
    }
    n = player->game->legal(&player->state, moves, 9);
    for (size_t i = 0; i < n; i++) {
        here = *player;
        player_play(&here, moves[i]);
        play_every_game(&here, seat);
    }
}

Test(tactics, tictactoe_is_never_lost)
{
    struct player start = *player_at("tictactoe", "", NULL);

    play_every_game(&start, 1);
    play_every_game(&start, 2);
}
