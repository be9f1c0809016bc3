/*
 * canvas.h - pixels, and shapes that are filled and stroked on them with smooth edges.
 *
 * A shape is drawn in two steps: its edges or lines are added, one after the other, and then it is
 * painted. Fills go by the winding number: what is encircled in both directions is not filled.
 * Strokes have round ends and joints. What lies beyond the canvas is cut off.
 */
#ifndef PLYD_API_VIEW_CANVAS_H
#define PLYD_API_VIEW_CANVAS_H

#include "api/text/arena.h"

/* In pixels, from the upper left corner. */
struct canvas_point {
    double x, y;
};

struct canvas_paint {
    unsigned char rgb[3];
    float opacity; /* 0 to 1 */
};

struct canvas {
    int width, height;
    unsigned char *rgb; /* three bytes a pixel, row by row */

    /* Private to canvas.c: how much of each pixel the shape covers that is being made, and the
     * pixels that it has touched. */
    float *cover;
    int left, top, right, bottom;
};

/* A canvas that is white, in the arena: seven bytes a pixel. */
void canvas_open(struct canvas *canvas, struct arena *arena, int width, int height);

/* Adds an edge of a shape that is to be filled. Its edges are closed lines. */
void canvas_add_edge(struct canvas *canvas, struct canvas_point from, struct canvas_point to);

/* Paints the inside of the edges that were added, and forgets them. */
void canvas_fill(struct canvas *canvas, struct canvas_paint paint);

/* Adds a part of a line of that width, which may be a mere point. */
void canvas_add_line(struct canvas *canvas, struct canvas_point from, struct canvas_point to,
                     double width);

/* Paints the lines that were added, and forgets them. */
void canvas_stroke(struct canvas *canvas, struct canvas_paint paint);

#endif
