/*
 * name.h - what a player may be called.
 *
 * The rule is one for all names: of players, of seats, and in records that come in.
 */
#ifndef PLYD_API_GAME_NAME_H
#define PLYD_API_GAME_NAME_H

#include <stdbool.h>
#include <stddef.h>

enum { NAME_MAX_BYTES = 64 };

/* Whether a name, which is UTF-8, has no character that would disturb the text around it: a control
 * character, an end of a line, a change of the direction of writing. */
bool name_is_fine(const char *text, size_t len);

#endif
