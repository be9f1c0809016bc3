/*
 * cells.h - folds and crops texts by terminal cells: a kanji takes two, an escape sequence none.
 *
 * Texts are UTF-8. Pure functions.
 */
#ifndef PLYD_API_TERMINAL_CELLS_H
#define PLYD_API_TERMINAL_CELLS_H

#include "api/text/out.h"

/* Appends a text, folded to lines of at most `columns` cells. A line breaks at a blank or beside a
 * kanji, and inside a word only if the word is longer than a line. Continued lines are indented to
 * the last column of the line that they continue. Writes at most `lines` lines and returns the rest
 * of the text. */
const char *cells_fold(struct out *out, const char *text, unsigned columns, size_t lines);

/* How many lines a text has, and its last `n` lines. */
size_t cells_lines(const char *text);
const char *cells_last(const char *text, size_t n);

/* The first place where two texts differ; the start if they are equal. */
struct cells_spot {
    size_t line;
    unsigned cell;
};
struct cells_spot cells_difference(const char *one, const char *other);

/* Appends the part of a text that fits into a window of `columns` and `rows`. The window is centred
 * on `middle` as far as the text allows. It scrolls sideways only if `middle` would be invisible
 * otherwise, because a text is often wide only for a remark at its right. The last line describes
 * the whole text and never scrolls sideways. */
void cells_window(struct out *out, const char *text, unsigned columns, size_t rows,
                  struct cells_spot middle);

#endif
