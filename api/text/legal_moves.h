/*
 * legal_moves.h - the legal moves of a position, how many are listed at most, and why a man has
 * none.
 *
 * Lists and texts come from the arena. Otherwise pure; any thread may call these functions.
 */
#ifndef PLYD_API_TEXT_LEGAL_MOVES_H
#define PLYD_API_TEXT_LEGAL_MOVES_H

#include <stdbool.h>
#include <stddef.h>

#include "api/text/arena.h"
#include "rules/rules.h"

/* No ordinary position has so many legal moves. Where there are more, they are not listed. */
enum { LEGAL_MOVES_MAX = 4096 };

/* The legal moves in the game's own order, at most LEGAL_MOVES_MAX of them. Returns how many
 * are in *moves. */
size_t legal_moves(struct arena *arena, const struct rules_game *game,
                   const struct rules_state *state, rules_move **moves);

/* Whether a position has no more legal moves than are listed. */
bool legal_moves_can_list(struct arena *arena, const struct rules_game *game,
                          const struct rules_state *state);

/* The canonical texts of those moves, sorted by bytes. Returns how many are in *texts. */
size_t legal_moves_texts(struct arena *arena, const struct rules_game *game,
                         const struct rules_state *state, const char ***texts);

/* ---- why a man may not move at all ---- */

/* A client that lets people pick a man, and has no legal move of it, asks with that one click. */

/* Judges the click on a man (a square, or what drops it from a hand) with each square as the next
 * one, and tells of the move that is nearest to a legal one: *text is that move, in the arena, and
 * *why its refusal. False: a legal move begins with this click, none does with any other square
 * either, or there are too many moves to look. */
bool legal_moves_stuck(struct arena *arena, const struct rules_game *game,
                       const struct rules_state *state, const char *click, const char **text,
                       struct rules_refusal *why);

#endif
