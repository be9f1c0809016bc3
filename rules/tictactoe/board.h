/*
 * board.h - how a position of an m,n,k game is kept: two sets of squares, one for each side, as
 * bits in the order of the squares.
 */
#ifndef PLYD_RULES_TICTACTOE_BOARD_H
#define PLYD_RULES_TICTACTOE_BOARD_H

#include "rules/rules.h"

enum { SIDE_MAX = 26, WORDS_MAX = (SIDE_MAX * SIDE_MAX + 63) / 64 };

/* What lies in rules_state.w. Of `stones` only as many words are in use as the board needs, so that
 * the state of a small board is short to copy. */
struct position {
    uint64_t rows, cols, k;
    uint64_t mover; /* the side to move: 0 is x, 1 is o */
    uint64_t empty; /* how many squares are empty */
    uint64_t line;  /* whether the last stone completed a line */
    uint64_t stones[WORDS_MAX][RULES_SEATS];
};

_Static_assert(sizeof(struct position) <= RULES_STATE_WORDS * sizeof(uint64_t), "it fits");

static inline const struct position *tictactoe_view(const struct rules_state *state)
{
    return (const struct position *)state->w;
}

/* A move is the number of its square plus one. */
static inline rules_move tictactoe_move(size_t square)
{
    return (rules_move){{square + 1, 0}};
}

static inline size_t tictactoe_square(rules_move move)
{
    return (size_t)move.w[0] - 1;
}

/* The game's table, and its pictures: tictactoe.c, art.c. */
extern const struct rules_game rules_tictactoe;
extern const struct rules_art rules_tictactoe_art;

#endif
