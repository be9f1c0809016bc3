/*
 * outline.h - the data of an SVG path as points on a canvas.
 *
 * All commands of SVG are known; bows become short straight lines. Reading ends at what is no
 * command or number, as in a browser.
 */
#ifndef PLYD_API_VIEW_OUTLINE_H
#define PLYD_API_VIEW_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "api/view/canvas.h"

/* From the units of a shape to pixels: x' = a x + c y + e, y' = b x + d y + f. */
struct outline_matrix {
    double a, b, c, d, e, f;
};

struct outline_matrix outline_multiply(struct outline_matrix outer, struct outline_matrix inner);
struct canvas_point outline_place(const struct outline_matrix *matrix, double x, double y);

struct outline_point {
    struct canvas_point at;
    bool begins; /* a line of its own: the pen was lifted before it */
};

struct outline {
    struct outline_point *points;
    size_t n, capacity;
    struct arena *arena;
};

/* The points of a path. `data` ends with a NUL or with what cannot be a part of it, such as a
 * quotation mark. A line that is closed ends where it has begun. */
struct outline outline_read(struct arena *arena, const char *data,
                            const struct outline_matrix *matrix);

/* Reads a number and moves *at behind it and the blanks and comma before it. False: there is none.
 */
bool outline_number(const char **at, double *number);

#endif
