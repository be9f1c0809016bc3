/*
 * tally.h - a judgement that is a sum: what a game sees in a position, each thing with its weight.
 *
 * A game goes through a position once and adds whatever it sees. The engine wants the sum. The
 * program that fits the weights (tests/bench/fit.c) wants to know how often each of them was added.
 */
#ifndef PLYD_ENGINE_TALLY_H
#define PLYD_ENGINE_TALLY_H

#include <stddef.h>
#include <stdint.h>

struct tally {
    const int16_t *weight;
    int32_t sum;
    int16_t *counts; /* by weight, how often it was added; NULL: nobody asks */
};

static inline void tally_add(struct tally *tally, size_t which, int32_t times)
{
    tally->sum += tally->weight[which] * times;
    if (tally->counts != NULL)
        tally->counts[which] = (int16_t)(tally->counts[which] + times);
}

/* The sign of what the side counts, from the first side's view. */
static inline int32_t tally_sign(unsigned side)
{
    return side == 0 ? 1 : -1;
}

/* What is counted, where larger numbers share the last weight. */
static inline unsigned tally_at_most(unsigned n, unsigned most)
{
    return n < most ? n : most;
}

#endif
