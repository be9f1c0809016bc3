/*
 * json_text.h - what is UTF-8, and what is JSON byte by byte: the checks that cJSON does not make.
 */
#ifndef PLYD_API_TEXT_JSON_TEXT_H
#define PLYD_API_TEXT_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Whether bytes are valid UTF-8 (RFC 3629) without NUL. */
bool json_is_utf8(const char *text, size_t len);

/* Whether a NUL hides in an escape, where it would cut a text short without a word. */
bool json_hides_nul(const char *text, size_t len);

/* cJSON takes more than JSON is: numbers of every fashion, control characters both as blanks and in
 * strings, and any four bytes behind \u. Where it would first, or `len`. */
size_t json_strict_len(const char *text, size_t len);

#endif
