/*
 * cells.h - texts in the cells of a terminal, where a kanji takes two and an escape sequence none.
 *
 * Texts are UTF-8. Pure functions.
 */
#ifndef PLYD_API_TERMINAL_CELLS_H
#define PLYD_API_TERMINAL_CELLS_H

#include "api/text/out.h"

/* Appends a text, folded to lines of so many cells: at blanks, beside kanji, and within a word only
 * if it is longer than a line. What goes on in another line is indented as the last column of its
 * line. At most `lines` lines are written. Returns where the rest of the text begins. */
const char *cells_fold(struct out *out, const char *text, unsigned columns, size_t lines);

/* A copy of a text in which lines that are wider than so many cells go on with the next one, if
 * they end within a sentence: a text that was folded for wider lines is to be folded anew. */
const char *cells_unfold(struct arena *arena, const char *text, unsigned columns);

/* How many lines a text has, and its last `n` lines. */
size_t cells_lines(const char *text);
const char *cells_last(const char *text, size_t n);

/* The first place where two texts differ; the start if they do not. */
struct cells_spot {
    size_t line;
    unsigned cell;
};
struct cells_spot cells_difference(const char *one, const char *other);

/* Appends the part of a text for which there is room, with a place in its middle or as near to it
 * as possible. Sideways it is moved only if the place would not be seen otherwise: what is wide may
 * be a remark to the right. The last line is about the whole text, and is not moved so. */
void cells_window(struct out *out, const char *text, unsigned columns, size_t rows,
                  struct cells_spot middle);

#endif
