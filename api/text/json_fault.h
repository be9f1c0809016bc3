/*
 * json_fault.h - where a text stops being JSON, and what is wrong there, for people.
 *
 * Pure; any thread may call it.
 */
#ifndef PLYD_API_TEXT_JSON_FAULT_H
#define PLYD_API_TEXT_JSON_FAULT_H

#include <stddef.h>

#include "api/text/arena.h"

/* A sentence about the first place at which the text is not JSON: its line and character, what
 * stands there, and what was expected. The text is UTF-8, and not JSON. At most `levels` brackets
 * may be open at a time; the sentence is a general one beyond that. */
const char *json_fault(struct arena *arena, const char *text, size_t len, int levels);

#endif
