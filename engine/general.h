/*
 * general.h - what the engine makes of a game of which it knows nothing but the rules: it counts
 * men and moves.
 */
#ifndef PLYD_ENGINE_GENERAL_H
#define PLYD_ENGINE_GENERAL_H

#include "engine/game.h"

/* Its evaluate() and rate() are NULL, since those need the game: */
extern const struct engine_game engine_general;

int32_t general_evaluate(const struct rules_game *game, const struct rules_state *state);
void general_rate(const struct rules_game *game, const struct rules_state *state,
                  const rules_move *moves, size_t n, struct engine_rate *rates);

#endif
