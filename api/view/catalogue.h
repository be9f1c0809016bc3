/*
 * catalogue.h - what a client without any game code needs to know of a game, out of the game's own
 * table: how it is drawn, written, set up and won.
 */
#ifndef PLYD_API_VIEW_CATALOGUE_H
#define PLYD_API_VIEW_CATALOGUE_H

#include "api/text/json.h"
#include "rules/rules.h"

/* A game in a list: name, title, sentence, seats, links. */
void view_variant_members(struct json *json, const struct rules_game *game);

/* A game in full, as members of an object. */
void view_variant(struct json *json, const struct rules_game *game);

/* All games as a table for people. */
const char *view_variants_text(struct arena *arena);

#endif
