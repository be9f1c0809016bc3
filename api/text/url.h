/* url.h - percent-encoding, in one place. */
#ifndef PLYD_API_TEXT_URL_H
#define PLYD_API_TEXT_URL_H

#include <stdbool.h>
#include <stddef.h>

#include "api/text/arena.h"

/* Decodes %XX and, in a form or query, '+' for a space: but not one that ends the text, since no
 * value of ours ends with a space and the '+' of a promotion must not be lost. NULL if an escape
 * is broken or the result is not UTF-8 without NUL. */
char *url_decode(struct arena *arena, const char *text, size_t len, bool form);

#endif
