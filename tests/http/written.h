/*
 * written.h - requests and answers written down in a table: what cannot stand there as it is, or
 * would be too long, is written with braces.
 *
 *   {x*70000}  70000 times x (any text without braces)
 *   {0xff}     the byte 255
 *   {name}     what the caller has under that name
 *
 * Other braces are what they are, so that JSON can be written plainly.
 */
#ifndef PLYD_TESTS_HTTP_WRITTEN_H
#define PLYD_TESTS_HTTP_WRITTEN_H

#include <stddef.h>

struct written_name {
    const char *name; /* NULL ends a list of them */
    const char *value;
};

/* What a written text stands for; `*len`, if it is asked for, without the NUL behind it. The caller
 * frees it. */
char *written_text(const char *text, const struct written_name *names, size_t *len);

#endif
