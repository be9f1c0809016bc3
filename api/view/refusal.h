/*
 * refusal.h - what the rules refuse, as JSON: the sentence is made elsewhere (text/refusal.h).
 */
#ifndef PLYD_API_VIEW_REFUSAL_H
#define PLYD_API_VIEW_REFUSAL_H

#include "api/text/json.h"
#include "rules/rules.h"

struct lang;

/* Writes a refusal as the member `rule` of a problem, and where a refused position may be looked at
 * as `look_at`. Writes nothing where only its code is known.
 * `state` is the position that was judged; NULL: squares and moves are left out. */
void view_refusal(struct json *json, const struct rules_game *game, const struct rules_state *state,
                  const struct rules_refusal *why, const struct lang *lang);

#endif
