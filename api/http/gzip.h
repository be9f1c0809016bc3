/*
 * gzip.h - compression of answers, for clients that take it. Any thread may call these functions.
 *
 * Only documents that are the same for everybody who may see them are compressed, and never an
 * answer that tells a token: the length of a compressed answer says something about what it holds.
 */
#ifndef PLYD_API_HTTP_GZIP_H
#define PLYD_API_HTTP_GZIP_H

#include <stdbool.h>

#include "api/text/arena.h"

enum {
    GZIP_LEAST = 1000,   /* bytes; of less the client would hardly notice it */
    GZIP_MOST = 64 << 10 /* bytes; they take a millisecond */
};

/* Whether an Accept-Encoding header (or NULL) takes gzip. */
bool gzip_is_taken(const char *accept_encoding);

/* Compresses a text of GZIP_LEAST to GZIP_MOST bytes into the arena, and sets *len. NULL: it has
 * another length, or would not become shorter. */
const char *gzip_text(struct arena *arena, const char *text, size_t *len);

#endif
