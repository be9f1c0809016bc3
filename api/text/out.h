/*
 * out.h - a string builder: a text that grows.
 *
 * Whatever goes out as plain text, HTML or a record is put together with it, and JSON is written on
 * top of it (json.h). The text lies in an arena and is NUL-terminated at any time. It may move when
 * it grows, so read out->text only when the text is complete. One thread at a time.
 */
#ifndef PLYD_API_TEXT_OUT_H
#define PLYD_API_TEXT_OUT_H

#include <stddef.h>
#include <stdint.h>

#include "api/text/arena.h"

struct out {
    struct arena *arena; /* where the text lives; callers take what else they need from it */
    char *text;
    size_t len;  /* without the NUL */
    size_t size; /* private to out.c */
};

/* Begins an empty text in an arena. If there are to be many that are short, out_init_short() takes
 * less room at first. */
void out_init(struct out *out, struct arena *arena);
void out_init_short(struct out *out, struct arena *arena);

/* Appends a text, a number of bytes, or a text as printf() would print it. */
void out_add(struct out *out, const char *text);
void out_bytes(struct out *out, const char *bytes, size_t len);
void out_format(struct out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends a number in decimal digits. Answers are full of numbers, and with printf() a tenth of the
 * time of an answer would be spent on them. */
void out_number(struct out *out, uint64_t number);

/* Takes back everything behind the first `len` bytes. */
void out_cut(struct out *out, size_t len);

#endif
