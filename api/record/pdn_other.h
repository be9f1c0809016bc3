/*
 * pdn_other.h - records of other games that look like PDN of Turkish draughts: those of other kinds
 * of draughts, and those of chess, whose format PDN was made from. A refusal that says what they
 * are helps more than one that finds their first move wrong.
 *
 * Both functions return that sentence, or NULL if the text is not of another game as far as one can
 * see.
 */
#ifndef PLYD_API_RECORD_PDN_OTHER_H
#define PLYD_API_RECORD_PDN_OTHER_H

/* Of a move that the rules of Turkish draughts have refused. */
const char *record_pdn_other_move(const char *word);

/* Of the value of a tag FEN. */
const char *record_pdn_other_start(const char *position);

#endif
