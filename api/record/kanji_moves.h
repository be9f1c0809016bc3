/*
 * kanji_moves.h - moves in Japanese, with or without the square that they come from.
 */
#ifndef PLYD_API_RECORD_KANJI_MOVES_H
#define PLYD_API_RECORD_KANJI_MOVES_H

#include "api/record/kanji.h"

/* Why a move has no meaning. */
enum record_kanji_sense {
    RECORD_KANJI_UNREADABLE, /* the text is wrong, or names the wrong piece */
    RECORD_KANJI_NONE,       /* no man of that kind can go there in that way */
    RECORD_KANJI_SEVERAL     /* more than one can */
};

/* Reads the move at *at, which goes behind it, without playing it. False, with an error: *sense
 * says what kind. For all but RECORD_KANJI_UNREADABLE *move has where to and which kind. */
bool record_kanji_read_move(struct record_kanji *kanji, const char **at,
                            struct record_shogi_move *move, enum record_kanji_sense *sense);

/* Plays the move at *at, which goes behind it: 同　銀左上成, 5五角打, ７六歩(77). False, with an
 * error, if there is none or it is refused; a foul only sets reading->refused. */
bool record_kanji_move(struct record_kanji *kanji, const char **at);

#endif
