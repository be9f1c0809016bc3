/*
 * shape.h - which squares of a board are there, and where they lie as a viewer sees them.
 *
 * A place is a row and a column, counted from the viewer's top left. Of a board of hexagons it lies
 * half a square further to the right than the place above it. Places beyond the board lie as if it
 * went on.
 */
#ifndef PLYD_RULES_DRAW_SHAPE_H
#define PLYD_RULES_DRAW_SHAPE_H

#include "rules/rules.h"

struct shape {
    struct rules_board board;
    bool hexagons;
    bool whole; /* no square is missing */
    bool turned;
    bool missing[RULES_SQUARES_MAX];
    int left, right; /* the edges of what is there, in half squares */
};

/* The shape of a position's board, as the seat `view` sees it. */
void shape_make(struct shape *shape, const struct rules_game *game, const struct rules_state *state,
                unsigned view);

/* The square at a place of the board, and whether it is there. False for a place beyond it. */
unsigned shape_square(const struct shape *shape, int row, int column);
bool shape_has(const struct shape *shape, int row, int column);

/* How many half squares lie to the left of a place, and in a row from edge to edge. */
int shape_halves(const struct shape *shape, int row, int column);
int shape_width(const struct shape *shape);

/* The first and the last column of a row whose squares are there. If there is none, the first is
 * the width of the board and the last is -1. */
int shape_first(const struct shape *shape, int row);
int shape_last(const struct shape *shape, int row);

/* Whether the label of a column stands at this place: behind the column, below it where files are
 * letters, and above it where they are digits. That is beyond the board, or where a square is
 * missing, but not where the label of a row stands: before its first square, or where files are
 * digits behind its last one. */
bool shape_has_label(const struct shape *shape, int row, int column);

#endif
