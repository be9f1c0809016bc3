/*
 * move_text.h - moves as texts: canonical, and as people write them; and why a man may not move at
 * all.
 *
 * The canonical text of a move is what is stored and what clients send. All texts come from the
 * arena. Otherwise pure; any thread may call these functions.
 */
#ifndef PLYD_API_TEXT_MOVE_TEXT_H
#define PLYD_API_TEXT_MOVE_TEXT_H

#include <stdbool.h>

#include "api/text/arena.h"
#include "rules/rules.h"

/* The canonical text of a legal move. */
const char *move_text(struct arena *arena, const struct rules_game *game,
                      const struct rules_state *state, rules_move move);

/* The move as people write it in this game; the canonical text if the game knows no other. `last`
 * is the move before it, or no move; it may decide how the text begins. */
const char *move_text_pretty(struct arena *arena, const struct rules_game *game,
                             const struct rules_state *state, rules_move last, rules_move move);

/* Whether people write squares and moves of this game otherwise than they are typed. */
bool move_text_is_written(const struct rules_game *game);

/* A text with each square that it names as people write it: "７六７五" for "7f7e". For games in
 * which that is something else. */
const char *move_text_squares(struct arena *arena, const struct rules_game *game,
                              struct rules_board board, const char *text);

#endif
