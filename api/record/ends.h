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

/* Whether the winner is named, where the end means that somebody has won. */
bool record_has_winner(const struct record_outcome *outcome);

/* Whether two outcomes tell the same end and winner. */
bool record_same_end(const struct record_outcome *a, const struct record_outcome *b);

/* ---- the words of a format ---- */

/* Who wins by a word, as seen by the side to move. */
enum record_who { NOBODY_WINS, MOVER_WINS, MOVER_LOSES, FIRST_WINS, SECOND_WINS };

/* A table of these ends with an empty word. Several entries may have the same word, and several the
 * same outcome. The first entry with a word says how it is read; the first entry that fits an
 * outcome says how that is written. One entry is RECORD_OPEN's. */
struct record_word {
    const char *word;
    enum record_end end;
    enum rules_reason reason;
    enum record_who who;
};

/* What a word means that no table has: nothing is known of the end. */
extern const struct record_word record_unknown_word;

const struct record_word *record_find_word(const struct record_word *words, const char *word,
                                           size_t len);

/* What a word says when `to_move` is to move. */
struct record_outcome record_word_outcome(const struct record_word *word, unsigned to_move);

/* The word for an outcome of the record or of a variation, with `to_move` to move. *said is what a
 * reader makes of that word; what it leaves out of the record's must be told as a fact (facts.h).
 */
const char *record_choose_word(const struct record_outcome *outcome,
                               const struct record_word *words, unsigned to_move,
                               struct record_outcome *said);

/* Whether the record ends with a foul that this format can write, since it was read from it. Its
 * time is that of the end. */
bool record_has_foul(const struct record *record, const struct record_format *format);

/* The same for the end of the record: the word that it was read with, if the format has that or was
 * read from it, and it says the outcome as far as the moves do not. */
const char *record_end_word(const struct record *record, const struct record_format *format,
                            const struct record_word *words, struct record_outcome *said);

/* The seat to move at the end of the record. */
unsigned record_last_mover(const struct record *record);

#endif
