/* text.h - positions and moves of Turkish draughts as texts. */
#ifndef PLYD_RULES_DRAUGHTS_TEXT_H
#define PLYD_RULES_DRAUGHTS_TEXT_H

#include "rules/draughts/moves.h"

/* Reads a position (T31), and says which rule a bad one breaks (T4). *d must have its options and
 * no pieces. */
bool draughts_read_position(const char *text, struct draughts *d, struct rules_refusal *why);

/* Writes the canonical texts, as rules_game's position_text() and move_text(). */
void draughts_write_position(const struct draughts *d, char *text);
void draughts_write_move(rules_move move, char *text);

/* Writes the text that clicks make (rules_game.clicks_text). Two clicks are a capture if the piece
 * can jump there, and a step otherwise. So a step is refused as a step while there is something to
 * take. */
void draughts_write_clicks(const struct draughts *d, const char *const *click, size_t n,
                           char *text);

#endif
