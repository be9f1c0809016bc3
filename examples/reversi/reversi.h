/*
 * reversi.h - how a position of Reversi is kept, and what the files of this game do for each other.
 *
 * The 64 squares are bits in the order of the squares: bit 0 is a8, bit 63 is h1.
 */
#ifndef REVERSI_H
#define REVERSI_H

#include "rules/draw/art.h"
#include "rules/rules.h"

enum { WIDTH = 8, SQUARES = 64 };

/* What lies in rules_state.w. */
struct position {
    uint64_t discs[RULES_SEATS];
    uint64_t mover; /* 0: black, 1: white */
} __attribute__((may_alias));

static inline const struct position *reversi_view(const struct rules_state *state)
{
    return (const struct position *)state->w;
}

/* The squares on which a side may put a disc, and the discs that one there turns over. */
uint64_t reversi_places(const struct position *p, uint64_t side);
uint64_t reversi_turned(const struct position *p, uint64_t side, unsigned square);

extern const struct rules_game reversi;         /* reversi.c: the rules */
extern const struct rules_art reversi_art;      /* art.c: the pictures */
extern const struct engine_game reversi_engine; /* engine.c: what a position is worth */

#endif
