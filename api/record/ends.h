/*
 * ends.h - how games end, in the words of the API and in those of the formats.
 */
#ifndef PLYD_API_RECORD_ENDS_H
#define PLYD_API_RECORD_ENDS_H

#include "api/record/record.h"

/* ---- the words of the API ---- */

/* The word of an outcome ("checkmate", "resign", "timeout", "agreement"); NULL if the game is open.
 * record_set_end() is its inverse; it returns false if it knows no such word. */
const char *record_end_text(const struct record_outcome *outcome);
bool record_set_end(struct record_outcome *outcome, const char *word, unsigned winner);

/* Whether an outcome names its winner. True for ends in which nobody has to win. */
bool record_has_winner(const struct record_outcome *outcome);

/* Whether two outcomes have the same end, reason and winner. */
bool record_same_end(const struct record_outcome *a, const struct record_outcome *b);

/* An end of which nothing is told. */
void record_ending_init(struct record_ending *ending);

/* Whether anything is said of the end of a line: how it ends, or a word of which that is not known.
 */
bool record_is_said(const struct record_ending *ending);

/* ---- the words of a format ---- */

/* Who wins by a word, as seen by the side to move. */
enum record_who { NOBODY_WINS, MOVER_WINS, MOVER_LOSES, FIRST_WINS, SECOND_WINS };

/* One entry of a table of words; an empty word ends the table. Several entries may have the same
 * word, and several the same outcome. A reader takes the first entry with the word, a writer the
 * first entry that fits the outcome. One entry is for RECORD_OPEN. */
struct record_word {
    const char *word;
    enum record_end end;
    enum rules_reason reason;
    enum record_who who;
};

/* The meaning of a word that is in no table: nothing is known of the end. */
extern const struct record_word record_unknown_word;

const struct record_word *record_find_word(const struct record_word *words, const char *word,
                                           size_t len);

/* The outcome that a word stands for when `to_move` is to move. */
struct record_outcome record_word_outcome(const struct record_word *word, unsigned to_move);

/* Chooses the word for an outcome of the record or of a variation. `to_move` is the side to move.
 * *said is the outcome that a reader gets from this word. Where it differs from `outcome`, the
 * writer adds the missing part as a fact (facts.h). */
const char *record_choose_word(const struct record_outcome *outcome,
                               const struct record_word *words, unsigned to_move,
                               struct record_outcome *said);

/* The seat to move at the end of the record. */
unsigned record_last_mover(const struct record *record);

#endif
