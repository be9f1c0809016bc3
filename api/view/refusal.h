/*
 * refusal.h - what the rules refuse, as JSON.
 */
#ifndef PLYD_API_VIEW_REFUSAL_H
#define PLYD_API_VIEW_REFUSAL_H

#include "api/text/json.h"
#include "rules/rules.h"

/* A refusal as members of a problem. `state` is the position that was judged, or NULL. */
void view_refusal(struct json *json, const struct rules_game *game, const struct rules_state *state,
                  const struct rules_refusal *why);

#endif
