/*
 * url.h - percent-encoding, read in one place. Pure; any thread may call it.
 */
#ifndef PLYD_API_TEXT_URL_H
#define PLYD_API_TEXT_URL_H

#include <stdbool.h>
#include <stddef.h>

#include "api/text/arena.h"

/* Decodes each %XX of a text into the arena; in a path, all but %2F. In a form or a query (`form`),
 * '+' becomes a space, but not at the very end: no value of ours ends with a space, and shogi moves
 * such as "8h2b+" end with the '+' of a promotion. NULL if an escape is broken, or if the result is
 * not UTF-8 without NUL. */
char *url_decode(struct arena *arena, const char *text, size_t len, bool form);

/* A text as the value of a parameter: what is neither a letter nor a digit is escaped. */
const char *url_encode(struct arena *arena, const char *text);

#endif
