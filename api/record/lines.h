/*
 * lines.h - characters, blanks and lines of a text in UTF-8. Blanks are ASCII's and the full-width
 * one of Japanese.
 */
#ifndef PLYD_API_RECORD_LINES_H
#define PLYD_API_RECORD_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "api/record/record.h"
#include "api/text/arena.h"

/* The length in bytes of the character at `text`. */
size_t record_char_length(const char *text);

/* Whether *at begins with a word; if so, moves *at behind it. */
bool record_take(const char **at, const char *word);

void record_skip_blanks(const char **at);

/* A copy without blanks at its ends. */
char *record_trim(struct arena *arena, const char *text);

/* A copy of a text on one line: control characters become blanks, and blanks at its ends are
 * removed. NULL if nothing is left, or if `text` is NULL. */
const char *record_one_line(struct arena *arena, const char *text);

/* The next line of a text. *at moves behind it and becomes NULL after the last line; NULL is also a
 * text without lines. */
const char *record_text_line(struct arena *arena, const char **at);

/* ---- charset.c ------------------------------------------------------------------------------- */

/* The encodings of records: UTF-8, UTF-16 with a byte order mark, Shift_JIS as Windows writes it
 * (CP932), EUC-JP, and Windows-1254, which has the letters of Turkish. */

/* The text as UTF-8, and the name of the encoding that it came in. A text that is not UTF-8 is
 * Japanese or, if `western`, in Windows-1254. NULL and *error: it is in none of these encodings. */
char *record_decode(struct arena *arena, const char *bytes, size_t len, bool western,
                    size_t *out_len, const char **charset, struct record_error *error);

/* A text in UTF-16 with a byte order mark, as UTF-8; it may have NUL. *charset is "UTF-16LE" or
 * "UTF-16BE". A file of many games has to be converted before it is split (split.h). NULL: the text
 * has no such mark, or is not UTF-16. */
char *record_from_utf16(struct arena *arena, const char *bytes, size_t len, size_t *out_len,
                        const char **charset);

/* UTF-8 as Shift_JIS. A character that it lacks becomes the one that looks alike, or the geta mark.
 * NULL: this system does not know Shift_JIS. */
const char *record_to_shift_jis(struct arena *arena, const char *text);

#endif
