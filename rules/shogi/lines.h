/*
 * lines.h - constant tables: the lines through every square, and from where a king is in danger.
 */
#ifndef PLYD_RULES_SHOGI_LINES_H
#define PLYD_RULES_SHOGI_LINES_H

#include "rules/shogi/board.h"

/* The directions of lines. Towards file 9 a falling line goes down (file and rank grow together),
 * and a rising line goes up. */
enum { ON_FILE, ON_RANK, ON_FALLING, ON_RISING, SHOGI_DIRECTIONS };

/* The squares in line with a square, without the square itself. None for NO_SQUARE. */
struct shogi_lines {
    struct squares on[SHOGI_DIRECTIONS];
};

extern const struct shogi_lines shogi_lines[SHOGI_SQUARES];

/* What surrounds a king: the squares that it steps to, and the squares from which a man could
 * attack it or those if nothing stood in the way: any man from `near`, a rook or a lance from
 * `straight`, a bishop from `diagonal`. They may be too large, never too small: danger is then
 * looked into. */
struct shogi_reach {
    struct squares steps, near, straight, diagonal;
};

extern const struct shogi_reach shogi_reach[SHOGI_SQUARES];

#endif
