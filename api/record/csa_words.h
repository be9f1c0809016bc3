/*
 * csa_words.h - the words of CSA, which JKF has too: pieces and ends.
 */
#ifndef PLYD_API_RECORD_CSA_WORDS_H
#define PLYD_API_RECORD_CSA_WORDS_H

#include "api/record/ends.h"

/* "FU" for a kind of shogi's pieces, and back from the first two characters of a text: SHOGI_KINDS
 * if they name no piece. */
const char *record_csa_code(unsigned kind);
unsigned record_csa_kind(const char *code);

extern const struct record_word record_csa_words[];

#endif
