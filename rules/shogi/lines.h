/*
 * lines.h - the lines through every square, and how far danger reaches: constant tables.
 */
#ifndef PLYD_RULES_SHOGI_LINES_H
#define PLYD_RULES_SHOGI_LINES_H

#include "rules/shogi/board.h"

/* The directions of lines. A falling line goes down towards file 9 (file and rank grow together),
 * a rising one goes up. */
enum { ON_FILE, ON_RANK, ON_FALLING, ON_RISING, SHOGI_DIRECTIONS };

/* The squares in line with a square, itself left out; none for NO_SQUARE. */
struct shogi_lines {
    struct squares on[SHOGI_DIRECTIONS];
};

extern const struct shogi_lines shogi_lines[SHOGI_SQUARES];

/* What surrounds a king: the squares that he steps to, and whence a man could attack them or him
 * if nothing stood in the way, rather too much than too little: a man of any kind from near, a
 * rook or lance, a bishop from afar. */
struct shogi_reach {
    struct squares steps, near, straight, diagonal;
};

extern const struct shogi_reach shogi_reach[SHOGI_SQUARES];

#endif
