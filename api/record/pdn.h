/*
 * pdn.h - what the writer and the reader of PDN both know of its tags, [Name "value"].
 */
#ifndef PLYD_API_RECORD_PDN_H
#define PLYD_API_RECORD_PDN_H

#include <stdbool.h>

#include "api/record/ends.h"

struct arena;
struct rules_game;

/* Whether a tag tells what has a place of its own in a record. All others are headers. */
bool record_pdn_is_own_tag(const char *name);

/* Whether the name of a tag may hold this character. */
bool record_pdn_is_tag_char(char c);

/* The words for results; an empty one ends the list. */
extern const struct record_word record_pdn_results[];

/* The start of a record that has no tag FEN. */
const char *record_pdn_usual_start(const struct rules_game *game);

/* ---- pdn_numbers.c --------------------------------------------------------------------------- */

/* The squares as numbers, as some programs write them.
 *
 * Turkish draughts is played on all 64 squares, so they are numbered from 1 to 64, by rows. The
 * programs that write numbers (pydraughts among them) begin in the top left corner: a8 is 1, h1 is
 * 64, White's men begin on 41 to 56 and Black's on 9 to 24. The tag GameType may tell another
 * corner, in PDN 3.0: "30,W,8,8,N2,0" is numeric from the top left, and N0, N1 and N3 are the other
 * corners. In games that only use the squares of one colour the numbers go to 32; Thai draughts
 * (GameType 31) is one of them, and cannot be read as Turkish. */

/* As GameType has them. White's side is the bottom. */
enum record_pdn_corner {
    RECORD_PDN_BOTTOM_LEFT,
    RECORD_PDN_BOTTOM_RIGHT,
    RECORD_PDN_TOP_LEFT,
    RECORD_PDN_TOP_RIGHT
};

/* The corner that the value of a tag GameType tells, or else the usual one. */
enum record_pdn_corner record_pdn_corner(const char *game_type);

/* Whether a move is written with numbers, as 41-33 or 41x25. */
bool record_pdn_is_numbered(const char *word);

/* A move or a position with numbers in place of its squares, from the top left. */
const char *record_pdn_to_numbers(struct arena *arena, const char *text);

/* A move, or a position (41-56 are all squares from the one to the other), with squares in place of
 * numbers. NULL: there is a number that no square has. */
const char *record_pdn_move_of(struct arena *arena, const char *word,
                               enum record_pdn_corner corner);
const char *record_pdn_position_of(struct arena *arena, const char *position,
                                   enum record_pdn_corner corner);

/* ---- pdn_other.c ----------------------------------------------------------------------------- */

/* Records of other games that look like PDN of Turkish draughts: those of other kinds
 * of draughts, and those of chess, whose format PDN was made from. A refusal that says what they
 * are helps more than one that finds their first move wrong.
 *
 * Both functions return that sentence, or NULL if the text is not of another game as far as one can
 * see. */

/* Of a move that the rules of Turkish draughts have refused. */
const char *record_pdn_other_move(const char *word);

/* Of the value of a tag FEN. */
const char *record_pdn_other_start(const char *position);

#endif
