/*
 * record_kanji.h - what KIF and KI2 share: headers, the board, moves in Japanese, and the sentence
 * at the end. For api/record_kif.c and api/record_ki2.c alone.
 */
#ifndef PLYD_API_RECORD_KANJI_H
#define PLYD_API_RECORD_KANJI_H

#include "api/record/shogi.h"

/* ---- writing ---- */

/* Headers, names, handicap or board, and facts. */
void record_write_kanji_headers(struct record_writing *writing, const struct record_outcome *said);

void record_write_star_comment(struct record_writing *writing, const char *comment);

/* "７六" or "同　". */
const char *record_kanji_target(struct arena *arena, struct record_square to,
                                struct record_square last);
const char *record_kanji_piece(unsigned kind);

/* What the players are called: "先手", or "下手" where one gives a handicap. */
const char *record_kanji_side(const struct record *record, unsigned seat);

/* ---- reading ---- */

/* The lines that are no moves: headers, comments, bookmarks, the board, variations. */
struct record_kanji {
    struct record_reading *reading;
    struct record_board board;
    unsigned ranks; /* of the board that were read */
    const struct record_handicap *handicap;
    bool odd_handicap; /* not known, so that a board is needed */
    bool in_variation;
    struct record_square last; /* the target before, for 同 */
};

/* Reads all lines; those that are nothing of what both formats have are given to `moves`. */
bool record_kanji_read(struct record_reading *reading,
                       bool (*moves)(struct record_kanji *kanji, const char *line));

/* Begins the game, if it has not begun. */
bool record_kanji_start(struct record_kanji *kanji);

/* A move from *at on, which is moved behind it: 同　銀左上成, 5五角打, ７六歩(77). False, with an
 * error, if it is none or is refused; a foul only sets reading->refused. */
bool record_kanji_move(struct record_kanji *kanji, const char **at);

/* A header that says nothing of the start: a name, a time, anything. JKF has the same. */
bool record_kanji_header(struct record_reading *reading, const char *key, const char *value);

/* The name of a piece at *at. */
bool record_kanji_take_piece(const char **at, unsigned *kind);

/* The words in place of a move. */
extern const struct record_word record_kif_words[];

#endif
