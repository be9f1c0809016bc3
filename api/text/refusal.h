/*
 * refusal.h - what the rules refuse, as a sentence for people.
 */
#ifndef PLYD_API_TEXT_REFUSAL_H
#define PLYD_API_TEXT_REFUSAL_H

#include "api/text/arena.h"
#include "rules/rules.h"

/* The detail of the refusal's code with its places filled in. `state` is the position that was
 * judged, or NULL if there was none; `move` is what was sent. A sentence of which a place cannot be
 * filled is left out. */
const char *refusal_text(struct arena *arena, const struct rules_game *game,
                         const struct rules_state *state, const char *move,
                         const struct rules_refusal *why);

#endif
