/*
 * move_notation.h - reads a single move as people and programs write it.
 */
#ifndef PLYD_API_RECORD_MOVE_NOTATION_H
#define PLYD_API_RECORD_MOVE_NOTATION_H

#include <stdbool.h>

#include "api/text/arena.h"
#include "rules/rules.h"

/* Reads a move and judges it, as rules_game.read_move does. A text that the rules cannot read is
 * read once more with full-width characters, capitals, dashes and blanks of all kinds made plain;
 * in shogi as Japanese (☗７六歩, ４五銀右, 同　銀, ７六歩(77)), as CSA (+7776FU), as books of the
 * West have it (P-7f, Sx3d, G4i-5h), or as two squares in digits (7776, 8822+); in Turkish draughts
 * as a capture that names the men that are taken. `last` is the move before it, which 同 needs, or
 * no move.
 *
 * The text is UTF-8. A text is accepted only if it fits exactly one legal move. A text in none of
 * these forms is refused with the rules' own refusal. */
bool record_read_move(struct arena *arena, const struct rules_game *game,
                      const struct rules_state *state, rules_move last, const char *text,
                      rules_move *move, struct rules_refusal *why);

/* Reads a capture that names the men that are taken: the square of the piece, then theirs in order,
 * with or without the square behind each, or behind the last one. False: it fits no legal move, or
 * several. */
bool record_read_taken(struct arena *arena, const struct rules_game *game,
                       const struct rules_state *state, const char *text, rules_move *move);

#endif
