/*
 * charset.h - the encodings of records: UTF-8, Shift_JIS as Windows writes it (CP932), EUC-JP, and
 * Windows-1254, which has the letters of Turkish.
 */
#ifndef PLYD_API_RECORD_CHARSET_H
#define PLYD_API_RECORD_CHARSET_H

#include <stdbool.h>
#include <stddef.h>

#include "api/record/record.h"
#include "api/text/arena.h"

/* The text as UTF-8, and the name of the encoding that it came in. A text that is not UTF-8 is
 * Japanese or, if `western`, in Windows-1254. NULL and *error: it is in none of these. */
char *record_decode(struct arena *arena, const char *bytes, size_t len, bool western,
                    size_t *out_len, const char **charset, struct record_error *error);

/* UTF-8 as Shift_JIS. A character that it lacks becomes the one that looks alike, or the geta mark.
 * NULL: this system does not know Shift_JIS. */
const char *record_to_shift_jis(struct arena *arena, const char *text);

#endif
