/*
 * written.h - requests and answers as a table has them: braces stand for what cannot be written
 * there as it is, or would be too long.
 *
 *   {x*70000}  70000 times x (any text without braces)
 *   {0xff}     the byte 255
 *   {name}     what the caller has under that name
 *
 * Other braces stand for themselves, so that JSON can be written plainly.
 */
#ifndef PLYD_TESTS_HTTP_WRITTEN_H
#define PLYD_TESTS_HTTP_WRITTEN_H

#include <stddef.h>

struct written_name {
    const char *name; /* a list ends with NULL */
    const char *value;
};

/* What a written text stands for. `*len`, unless it is NULL, is set to its length without the NUL.
 * The caller frees the text. */
char *written_text(const char *text, const struct written_name *names, size_t *len);

#endif
