/*
 * csa_words.h - the words of CSA, which JKF uses too: pieces and ends.
 */
#ifndef PLYD_API_RECORD_CSA_WORDS_H
#define PLYD_API_RECORD_CSA_WORDS_H

#include "api/record/ends.h"
#include "api/record/shogi.h"

/* The code of a kind of piece, such as "FU"; and the kind for the code at the beginning of a text,
 * or SHOGI_KINDS if the text begins with no code. */
const char *record_csa_code(unsigned kind);
unsigned record_csa_kind(const char *code);

/* Whether a text begins with the two digits of a square. */
bool record_csa_is_place(const char *text);

/* Parses a move written as 7776FU. `state` is the position before it. Returns NULL, or a sentence
 * that says what is wrong with the text. */
const char *record_csa_move(const struct rules_state *state, const char *text,
                            struct record_shogi_move *move);

/* Whether a header is one that Floodgate's server writes as a comment, 'rating:... */
bool record_csa_is_remark(const char *key);

extern const struct record_word record_csa_words[];

#endif
