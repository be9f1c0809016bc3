/*
 * prove.h - a slow proof that a side wins by force, which shares nothing with the engine.
 *
 * The attacker plays checks alone; the defender plays every legal move.
 */
#ifndef PLYD_TESTS_ENGINE_PROVE_H
#define PLYD_TESTS_ENGINE_PROVE_H

#include "rules/rules.h"

/* Whether the side to move mates within so many plies, an odd number. */
bool prove_win(const struct rules_game *game, const struct rules_state *state, unsigned plies);

/* Whether the side to move, which is in check, can avoid being mated within so many plies. */
bool prove_escape(const struct rules_game *game, const struct rules_state *state, unsigned plies);

#endif
