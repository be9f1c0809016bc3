/*
 * kanji.h - what KIF and KI2 share: headers, the board, comments, and the sentence at the end. JKF
 * has the same headers.
 */
#ifndef PLYD_API_RECORD_KANJI_H
#define PLYD_API_RECORD_KANJI_H

#include "api/record/handicap.h"
#include "api/record/reader.h"
#include "api/record/shogi.h"
#include "api/record/writer.h"

/* ---- writing ---- */

/* Headers, names, handicap or board, and facts. */
void record_kanji_write_headers(struct record_writing *writing, const struct record_outcome *said);

/* Each line behind a star. */
void record_kanji_write_comment(struct record_writing *writing, const char *comment);

/* The line above a variation that the walk has come to. */
void record_kanji_write_variation(struct record_writing *writing, const struct record_walk *walk);

/* What a sentence such as 先手の勝ち says, with `to_move` to move. */
struct record_outcome record_kanji_sentence(const char *rest, unsigned to_move);

/* What the players are called: "先手", or "下手" where a handicap is given. */
const char *record_kanji_side(const struct record *record, unsigned seat);

/* ---- reading ---- */

/* What was read before the game begins. */
struct record_kanji {
    struct record_reading *reading;
    struct record_board board;
    unsigned ranks; /* of the board that were read */
    const struct record_handicap *handicap;
    bool odd_handicap;         /* not known, so that a board is needed */
    size_t first;              /* the number of the first move; 0: not known yet */
    struct record_square last; /* where the move before went, for 同 */
    bool noted;                /* a line of dashes parted the moves from notes behind them */
};

/* Reads all lines. Those that are none of what both formats have are given to `moves`. */
bool record_kanji_read(struct record_reading *reading,
                       bool (*moves)(struct record_kanji *kanji, const char *line));

/* Begins the game, if it has not begun. */
bool record_kanji_start(struct record_kanji *kanji);

/* A line that is no move, and stands behind the end or a line of dashes, is kept as a comment:
 * programs sign there, or say the end once more. False: the game is not over. */
bool record_kanji_note(struct record_kanji *kanji, const char *line);

/* A header that says nothing of the start: a name, a time, or any other. */
bool record_kanji_header(struct record_reading *reading, const char *key, const char *value);

#endif
