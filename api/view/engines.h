/*
 * engines.h - which computer opponents there are, for clients that let people choose one
 * (game/opponent.h).
 */
#ifndef PLYD_API_VIEW_ENGINES_H
#define PLYD_API_VIEW_ENGINES_H

#include <stdbool.h>

#include "api/text/json.h"
#include "rules/rules.h"

/* Writes all engines as a list. `thinks`: the daemon has threads for those that think. */
void view_engines(struct json *json, bool thinks);

/* Writes the names of those that play a game, as a list. */
void view_engines_of(struct json *json, const struct rules_game *game, bool thinks);

#endif
