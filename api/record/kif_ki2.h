/*
 * kif_ki2.h - what KIF and KI2 share: headers, the board, comments, a move with the square it comes
 * from, and the sentence at the end. JKF has the same headers.
 */
#ifndef PLYD_API_RECORD_KIF_KI2_H
#define PLYD_API_RECORD_KIF_KI2_H

#include "api/record/ends.h"
#include "api/record/handicap.h"
#include "api/record/reader.h"
#include "api/record/shogi.h"
#include "api/record/writer.h"

/* ---- writing ---- */

/* Headers, names, handicap or board, and facts. */
void record_kif_ki2_write_headers(struct record_writing *writing,
                                  const struct record_outcome *said);

/* Each line behind a star, but for bookmarks, which begin with & instead. */
void record_kif_ki2_write_comment(struct record_writing *writing, const char *comment);

/* The heading of the variation that the walk has entered. */
void record_kif_ki2_write_variation(struct record_writing *writing, const struct record_walk *walk);

/* The move that the walk is at, as KIF writes it: ７六歩(77). */
const char *record_kif_ki2_move_text(struct record_writing *writing, const struct record_walk *walk,
                                     const char *usi);

/* What a sentence such as 先手の勝ち says, with `to_move` to move. */
struct record_outcome record_kif_ki2_sentence(const char *rest, unsigned to_move);

/* The sentence that stood behind the end of a line, if it still says nothing else than the end,
 * whose word is `word`; else NULL. `to_move` is the side to move. */
const char *record_kif_ki2_end_sentence(const struct record_writing *writing,
                                        const struct record_ending *ending, const char *word,
                                        unsigned to_move);

/* What the players are called: "先手", or "下手" where a handicap is given. */
const char *record_kif_ki2_side(const struct record *record, unsigned seat);

/* What a file of this format called a player, if that is one of these words; else NULL. */
const char *record_kif_ki2_side_as_read(const struct record_writing *writing, unsigned seat);

/* ---- reading ---- */

/* State of the reader, mostly of what stands before the moves. */
struct record_kanji {
    struct record_reading *reading;
    struct record_board board;
    unsigned ranks; /* of the board that were read */
    const struct record_handicap *handicap;
    bool odd_handicap;             /* its name is unknown, so a board is needed */
    size_t first;                  /* the number of the first move; 0: not known yet */
    struct record_square last;     /* where the move before went, for 同 */
    bool noted;                    /* a line of dashes has ended the moves; notes follow */
    struct out drawn;              /* the lines of the board and the hands, as they stand */
    const char *side[RULES_SEATS]; /* what the players are called, and whether they have no name */
    bool nameless[RULES_SEATS];
};

/* Reads all lines. Calls `moves` for each line that is not part of what both formats share. */
bool record_kif_ki2_read(struct record_reading *reading,
                         bool (*moves)(struct record_kanji *kanji, const char *line));

/* Begins the game, if it has not begun. */
bool record_kif_ki2_start(struct record_kanji *kanji);

/* Keeps a line behind the end, or behind a line of dashes, as a comment: some programs sign there
 * or repeat the end. False: the game is not over. */
bool record_kif_ki2_note(struct record_kanji *kanji, const char *line);

/* A header that says nothing of the start: a name, a time, or any other. */
bool record_kif_ki2_header(struct record_reading *reading, const char *key, const char *value);

/* ---- kif_ki2_board.c ---------------------------------------------------------------------------
 */

/* The board, with the hands, whose turn it is and the number of the move. */

/* The seat of a word such as 後手 or 上手 at *at; moves *at behind it. 0: there is no such word. */
unsigned record_kif_ki2_seat(const char **at);

/* Whether a line above the moves belongs to the board; *ok: it was understood. It is kept as it
 * stands, too. */
bool record_kif_ki2_board(struct record_kanji *kanji, const char *line, bool *ok);

void record_kif_ki2_write_board(struct record_writing *writing);

/* The board as it was drawn in the file, if it is still that of the start; else NULL. */
const char *record_kif_ki2_drawn(struct record_writing *writing);

/* ---- kif_ki2_moves.c ---------------------------------------------------------------------------
 */

/* Moves in Japanese, with or without the square that they come from. */

/* Why a move has no meaning. */
enum record_kif_ki2_sense {
    RECORD_KANJI_UNREADABLE, /* the text is wrong, or names the wrong piece */
    RECORD_KANJI_NONE,       /* no man of that kind can go there in that way */
    RECORD_KANJI_SEVERAL     /* more than one can */
};

/* Reads the move at *at without playing it, and moves *at behind it. False, with an error; *sense
 * says of which kind. Unless it is RECORD_KANJI_UNREADABLE, *move has the target and the kind of
 * piece. */
bool record_kif_ki2_read_move(struct record_kanji *kanji, const char **at,
                              struct record_shogi_move *move, enum record_kif_ki2_sense *sense);

/* Plays the move at *at, such as 同　銀左上成, 5五角打 or ７六歩(77), and moves *at behind it.
 * False, with an error: there is no move, or it is refused. A move that may be a foul is no error
 * here and only sets reading->refused. */
bool record_kif_ki2_move(struct record_kanji *kanji, const char **at);

/* ---- kif_ki2_words.c ---------------------------------------------------------------------------
 */

/* The words of KIF and KI2: squares, pieces and ends in Japanese. */

/* "７六", or "同　" for the square that the move before went to. */
const char *record_kif_ki2_target(struct arena *arena, struct record_square to,
                                  struct record_square last);

/* "歩" for a kind of shogi's pieces. */
const char *record_kif_ki2_piece(unsigned kind);

/* Reads the name of a piece at *at and moves *at behind it. False: there is none. */
bool record_kif_ki2_take_piece(const char **at, unsigned *kind);

/* Reads a digit from 1 to 9, of any width or in kanji, at *at and moves *at behind it. 0: there is
 * none. */
unsigned record_kif_ki2_take_digit(const char **at);

/* What stands in place of a move at the end. */
extern const struct record_word record_kif_words[];

#endif
