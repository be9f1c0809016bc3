/*
 * kanji_moves.h - moves in Japanese, with or without the square that they come from.
 */
#ifndef PLYD_API_RECORD_KANJI_MOVES_H
#define PLYD_API_RECORD_KANJI_MOVES_H

#include "api/record/kanji.h"

/* Plays the move at *at, which goes behind it: 同　銀左上成, 5五角打, ７六歩(77). False, with an
 * error, if there is none or it is refused; a foul only sets reading->refused. */
bool record_kanji_move(struct record_kanji *kanji, const char **at);

#endif
