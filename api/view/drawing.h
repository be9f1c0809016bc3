/*
 * drawing.h - an SVG of ours as pixels.
 *
 * Only what rules/draw/ writes is known: svg, g, use, path, rect and circle with their fills and
 * strokes, the latter with round ends, and moved, scaled and turned. Whatever else there is, such
 * as text, is passed over.
 */
#ifndef PLYD_API_VIEW_DRAWING_H
#define PLYD_API_VIEW_DRAWING_H

#include "api/view/canvas.h"

enum { DRAWING_PIXELS_MAX = 2 << 20 };

/* Draws an SVG on a canvas of its own, in the arena. It is as large as its `width` and `height`
 * say, or smaller if that would be more than DRAWING_PIXELS_MAX. */
void drawing_open(struct canvas *canvas, struct arena *arena, const char *svg);

#endif
