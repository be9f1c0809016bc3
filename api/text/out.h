/*
 * out.h - a text that grows: what goes out as plain text, HTML or a record is put together here,
 * and JSON is written on top of it (json.h).
 */
#ifndef PLYD_API_TEXT_OUT_H
#define PLYD_API_TEXT_OUT_H

#include <stddef.h>

#include "api/text/arena.h"

struct out {
    struct arena *arena; /* where the text lives, and whatever else is needed on the way */
    char *text;          /* NUL-terminated at any time */
    size_t len, size;
};

void out_init(struct out *out, struct arena *arena);

/* Appends a text, a number of bytes, a formatted text. */
void out_add(struct out *out, const char *text);
void out_bytes(struct out *out, const char *bytes, size_t len);
void out_format(struct out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Takes back everything behind the first `len` bytes. */
void out_cut(struct out *out, size_t len);

#endif
