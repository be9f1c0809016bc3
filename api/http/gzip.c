#include "api/http/gzip.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "api/http/accept.h"

bool gzip_is_taken(const char *accept_encoding)
{
    return accept_encoding != NULL && accept_weight(accept_encoding, "gzip") > 0;
}

/* A small window costs little memory to set up, and answers are short. The men of two seats, which
 * are drawn alike, are up to 16 KiB apart. */
enum { WINDOW = 14, GZIP_HEADER = 16, LEVEL = 6, MEMORY = 7 };

const char *gzip_text(struct arena *arena, const char *text, size_t *len)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)text, .avail_in = (uInt)*len};
    char *out;

    if (*len < GZIP_LEAST || *len > GZIP_MOST ||
        deflateInit2(&stream, LEVEL, Z_DEFLATED, WINDOW + GZIP_HEADER, MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    out = arena_alloc(arena, *len);
    stream.next_out = (Bytef *)out;
    stream.avail_out = (uInt)*len;
    if (deflate(&stream, Z_FINISH) == Z_STREAM_END)
        *len = stream.total_out;
    else
        out = NULL;
    deflateEnd(&stream);
    return out;
}
