/*
 * plain.h - the plain search that the engine is measured against: alpha-beta to a fixed depth,
 * captures first, and at the end of each line the material.
 *
 * In five in a row there is no material. There a run of n stones that is open at its end is worth
 * n * n, and only squares beside stones are tried.
 */
#ifndef PLYD_TESTS_BENCH_PLAIN_H
#define PLYD_TESTS_BENCH_PLAIN_H

#include "rules/rules.h"

enum { PLAIN_DEPTH_MAX = 8 };

/* Chooses a move of a game that is not over: of those that seem equal one at random, by *seed. Adds
 * the positions that it visits to *nodes. */
rules_move plain_choose(const struct rules_game *game, const struct rules_state *state,
                        unsigned depth, uint64_t *seed, uint64_t *nodes);

/* What a move takes, by the worth of men that the plain search knows. */
int32_t plain_takes(const struct rules_game *game, const struct rules_state *state,
                    rules_move move);

#endif
