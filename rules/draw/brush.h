/*
 * brush.h - characters written with a brush: skeletons of strokes become outlines, so that a
 * picture has printed characters without a font.
 *
 * A skeleton is a text: `w` and the weight of the brush, then strokes on a grid of 100 by 100, each
 * a letter and its points "x y":
 *
 *   h  a horizontal line, from and to        v  a vertical one           i  one inside others,
 * plain l  a line that tapers: from, bend, to    r  one that swells to a foot: from, bend, to d  a
 * dot, from its tip to its body       n  a needle: a vertical line that tapers at its end c  a
 * corner: from, corner, to            k  the same with a hook: and its tip z  a corner, then a line
 * that tapers: from, corner, bend, to g  a vertical line with a hook: from, to, tip (to either
 * side) u  down, round and to the right, with a hook: from, corner, to, tip b  a corner, then a bow
 * with a hook: from, corner, bend, to, tip s  a soft line: from, then bend and to, again and again
 */
#ifndef PLYD_RULES_DRAW_BRUSH_H
#define PLYD_RULES_DRAW_BRUSH_H

#include "rules/draw/page.h"

enum { BRUSH_GRID = 200 }; /* the outline's grid is finer */

/* Writes the data of an SVG path that is to be filled. */
void brush_outline(struct page *page, const char *skeleton);

#endif
