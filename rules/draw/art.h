/*
 * art.h - how a game's pictures look: its men, its ground and its colours, as data for the one
 * drawer (picture.h). It is all that a game includes of draw/.
 *
 * Shapes are SVG paths. Bodies, layers and grounds are measured from the middle of a square that is
 * 100 units wide; hexagons reach 58 units up and down. Figures are drawn on a grid of 100 by 100
 * from its top left, and `frame` puts that grid into the square. A list of shapes ends with one
 * whose path is NULL. Pictures as pixels know colours as #rgb and #rrggbb, and the transforms
 * translate, scale, rotate and matrix.
 */
#ifndef PLYD_RULES_DRAW_ART_H
#define PLYD_RULES_DRAW_ART_H

#include "rules/rules.h"

enum rules_theme { RULES_THEME_LIGHT, RULES_THEME_DARK, RULES_THEME_PRINT, RULES_THEMES };

/* What a colour is for. From SHADE on each seat has its own: seat 2's is the next number. */
enum rules_paint {
    RULES_PAINT_NONE,
    RULES_PAINT_PAPER,  /* behind everything */
    RULES_PAINT_LABEL,  /* coordinates, counts, whose turn it is */
    RULES_PAINT_LAST,   /* a square of the last move */
    RULES_PAINT_CHECK,  /* the ring around a king in check */
    RULES_PAINT_LEGAL,  /* where a move may end; a line that has won */
    RULES_PAINT_TURN,   /* the side to move, and the way of the last move */
    RULES_PAINT_FRAME,  /* around the board; a game without one has none */
    RULES_PAINT_BOARD,  /* the squares */
    RULES_PAINT_OTHER,  /* every other square of a chequered board */
    RULES_PAINT_LINE,   /* the lines between them */
    RULES_PAINT_ACCENT, /* a colour of its own in the figures of both sides */
    RULES_PAINT_WATER,
    /* Of each pair the first is the first seat's, and _2 the second's. */
    RULES_PAINT_SHADE, /* an edge of a man in the shade, */
    RULES_PAINT_SHADE_2,
    RULES_PAINT_SHINE, /* and one in the light */
    RULES_PAINT_SHINE_2,
    RULES_PAINT_BODY, /* the men, */
    RULES_PAINT_BODY_2,
    RULES_PAINT_EDGE, /* their outlines, */
    RULES_PAINT_EDGE_2,
    RULES_PAINT_INK, /* and what is drawn upon them */
    RULES_PAINT_INK_2,
    RULES_PAINTS
};

struct rules_shape {
    const char *path; /* or a skeleton to be written with a brush, filled: "w11 h..." (brush.h) */
    uint8_t fill, stroke; /* enum rules_paint */
    uint8_t width;        /* of the stroke */
};

struct rules_ground {
    enum rules_paint paint; /* RULES_PAINT_NONE: as any other square */
    const struct rules_shape *shapes;
};

/* Other figures for the same men, which clients choose by name. A list ends with the name NULL. */
struct rules_set {
    const char *name;
    const struct rules_shape *const *figure[RULES_SEATS]; /* by kind */
};

/* All zero is a plain board; lists that are NULL draw nothing. */
struct rules_art {
    const struct rules_shape *body[RULES_SEATS];          /* what every figure stands on */
    const struct rules_shape *const *figure[RULES_SEATS]; /* by kind */
    const struct rules_shape *layer; /* a man below another, as seen from the side */
    const uint8_t *size;             /* of a man, by kind, in hundredths; NULL: all are full size */
    const char
        *frame;     /* a transform, from the grid of figures into the square; NULL: it fills it */
    bool turned;    /* the men of the side opposite stand on their heads */
    bool chequered; /* hexagons are not */
    bool tiled;     /* the squares are tiles that do not touch */
    const struct rules_ground *ground;             /* by zone, as in the game's table */
    const struct rules_shape *upon;                /* upon the board, measured from its top left */
    const char *paint[RULES_THEMES][RULES_PAINTS]; /* NULL: the theme's own */
    const struct rules_set *sets;
};

#endif
