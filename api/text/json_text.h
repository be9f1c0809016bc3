/*
 * json_text.h - what is UTF-8 and what is JSON, byte by byte.
 *
 * These are the checks that cJSON does not make. cJSON takes more than JSON is: numbers of any
 * fashion, control characters in strings and as blanks, any four bytes after \u. Pure functions;
 * any thread may call them.
 */
#ifndef PLYD_API_TEXT_JSON_TEXT_H
#define PLYD_API_TEXT_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "api/text/arena.h"

/* Whether the bytes are valid UTF-8 (RFC 3629) without a NUL. */
bool json_is_utf8(const char *text, size_t len);

/* Whether an escape in a JSON text stands for NUL. Read as a C string, such a text would end there
 * without anybody noticing. */
bool json_hides_nul(const char *text, size_t len);

/* How many bytes may be given to cJSON: up to the first place at which it would accept something
 * that JSON does not have, or all `len`. */
size_t json_strict_len(const char *text, size_t len);

/* ---- json_fault.c ---------------------------------------------------------------------------- */

/* Where a text stops being JSON, and what is wrong there, for people.
 *
 * Pure; any thread may call it. */

/* A sentence about the first place at which the text is not JSON: its line and character, what
 * stands there, and what was expected. The text is UTF-8, and not JSON. At most `levels` brackets
 * may be open at a time; the sentence is a general one beyond that. */
const char *json_fault(struct arena *arena, const char *text, size_t len, int levels);

#endif
