/*
 * mix.h - the mixing of splitmix64: every bit of the result depends on every bit of z.
 *
 * The keys of stored positions and the sequence of rules_choose() are made of it, so that it never
 * changes.
 */
#ifndef PLYD_RULES_MIX_H
#define PLYD_RULES_MIX_H

#include <stdint.h>

/* What mix() adds first; a seed that grows by it gives the sequence of splitmix64. */
#define MIX_STEP 0x9e3779b97f4a7c15U

static inline uint64_t mix(uint64_t z)
{
    z += MIX_STEP;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

#endif
