/*
 * plain_text.h - the documents of the program, which are Markdown, as texts for a terminal.
 *
 * What they use of Markdown is what api/http/page.h knows of it. Pure functions.
 */
#ifndef PLYD_API_TEXT_PLAIN_TEXT_H
#define PLYD_API_TEXT_PLAIN_TEXT_H

#include "api/text/arena.h"

/* The text without marks. A paragraph or item is one line, to be folded by whoever shows it. The
 * number of a rule is followed by two blanks, and so are the columns of a table: a fold that goes
 * on below the last column keeps them apart. A table that cannot be folded like that to `columns`
 * cells is told row by row, each cell in a line behind its heading. Code stays as it is. */
const char *plain_text(struct arena *arena, const char *markdown, unsigned columns);

#endif
