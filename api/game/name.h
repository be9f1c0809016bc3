/*
 * name.h - what players are called.
 */
#ifndef PLYD_API_GAME_NAME_H
#define PLYD_API_GAME_NAME_H

#include <stdbool.h>
#include <stddef.h>

enum { NAME_MAX_BYTES = 64 };

/* Whether a name has no character that would disturb the text around it: controls, ends of lines,
 * changes of the direction of writing. */
bool name_is_fine(const char *text, size_t len);

#endif
