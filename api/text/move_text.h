/*
 * move_text.h - moves as texts: canonical, as people write them, and all that are legal.
 */
#ifndef PLYD_API_TEXT_MOVE_TEXT_H
#define PLYD_API_TEXT_MOVE_TEXT_H

#include <stddef.h>

#include "api/text/arena.h"
#include "rules/rules.h"

/* The canonical text of a legal move, which is what is stored and what a client sends. */
const char *move_text(struct arena *arena, const struct rules_game *game,
                      const struct rules_state *state, rules_move move);

/* The move as people write it. `last` is the move before it, which may decide how. */
const char *move_text_pretty(struct arena *arena, const struct rules_game *game,
                             const struct rules_state *state, rules_move last, rules_move move);

/* The canonical text of every legal move, sorted by bytes. Returns how many there are. */
size_t move_text_legal(struct arena *arena, const struct rules_game *game,
                       const struct rules_state *state, const char ***texts);

#endif
