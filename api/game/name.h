/*
 * name.h - which names a player may have.
 *
 * The rule is one for all names: of players, of seats, and in records that come in. Names are valid
 * UTF-8. Pure functions; any thread may call them.
 */
#ifndef PLYD_API_GAME_NAME_H
#define PLYD_API_GAME_NAME_H

#include <stdint.h>

#include "api/text/arena.h"

enum { NAME_CHARS_MAX = 64 };

/* A copy of a name without the blanks at its ends, of whatever width they are, and without tabs and
 * newlines there. */
const char *name_trim(struct arena *arena, const char *name);

/* The beginning of a text that is not longer than a name may be, trimmed. */
const char *name_cut(struct arena *arena, const char *text);

/* The first character that may not stand where it stands in a name, since it disturbs the text
 * around it or cannot be seen (chars.h); 0: there is none. Joiners may stand between two visible
 * characters, as some scripts and emoji have them, and one selector may follow a visible character.
 */
uint32_t name_unfit(const char *name);

/* A copy of a text in which '?' stands for each such character. */
const char *name_tame(struct arena *arena, const char *text);

/* Why a name without blanks at its ends may not be one, in a sentence; NULL: it may. */
const char *name_refusal(struct arena *arena, const char *name);

/* The same as name_unfit() of a text that may have several lines. */
uint32_t name_unfit_text(const char *text);

#endif
