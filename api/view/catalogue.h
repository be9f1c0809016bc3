/*
 * catalogue.h - what a client without any game code needs to know of a variant: how it is drawn,
 * written, set up and won.
 *
 * Everything comes from the game's own table (struct rules_game), so a game that is added to rules/
 * appears here without a change.
 */
#ifndef PLYD_API_VIEW_CATALOGUE_H
#define PLYD_API_VIEW_CATALOGUE_H

#include "api/text/json.h"
#include "rules/rules.h"

/* Writes the members of a variant in a list: name, title, a sentence, seats, engines, links.
 * `thinks` as in engines.h. */
void view_variant_members(struct json *json, const struct rules_game *game, bool thinks);

/* Writes all members of a variant. */
void view_variant(struct json *json, const struct rules_game *game, bool thinks);

/* All variants as a table for people. In the arena. */
const char *view_variants_text(struct arena *arena);

/* How players can end any game themselves. */
struct view_end {
    const char *reason, *meaning;
};

enum { VIEW_PLAYERS_ENDS = 3 };
extern const struct view_end view_players_ends[VIEW_PLAYERS_ENDS];

#endif
