/*
 * pdn.h - what the writer and the reader of PDN both know of its tags, [Name "value"].
 */
#ifndef PLYD_API_RECORD_PDN_H
#define PLYD_API_RECORD_PDN_H

#include <stdbool.h>

struct rules_game;

/* Whether a tag tells what has a place of its own in a record. All others are headers. */
bool record_pdn_is_own_tag(const char *name);

/* Whether the name of a tag may hold this character. */
bool record_pdn_is_tag_char(char c);

/* The start of a record that has no tag FEN. */
const char *record_pdn_usual_start(const struct rules_game *game);

/* ---- pdn_other.c ----------------------------------------------------------------------------- */

/* Records of other games that look like PDN of Turkish draughts: those of other kinds
 * of draughts, and those of chess, whose format PDN was made from. A refusal that says what they
 * are helps more than one that finds their first move wrong.
 *
 * Both functions return that sentence, or NULL if the text is not of another game as far as one can
 * see. */

/* Of a move that the rules of Turkish draughts have refused. */
const char *record_pdn_other_move(const char *word);

/* Of the value of a tag FEN. */
const char *record_pdn_other_start(const char *position);

#endif
