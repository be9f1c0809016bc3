/*
 * kanji_words.h - the words of KIF and KI2: squares, pieces and ends in Japanese.
 */
#ifndef PLYD_API_RECORD_KANJI_WORDS_H
#define PLYD_API_RECORD_KANJI_WORDS_H

#include "api/record/ends.h"
#include "api/record/shogi.h"

/* "７六", or "同　" for the square that the move before went to. */
const char *record_kanji_target(struct arena *arena, struct record_square to,
                                struct record_square last);

/* "歩" for a kind of shogi's pieces. */
const char *record_kanji_piece(unsigned kind);

/* The piece whose name stands at *at, which goes behind it. False: none. */
bool record_kanji_take_piece(const char **at, unsigned *kind);

/* A digit from 1 to 9 of any width, or in kanji, at *at, which goes behind it. 0: none. */
unsigned record_kanji_take_digit(const char **at);

/* What stands in place of a move at the end. */
extern const struct record_word record_kif_words[];

#endif
