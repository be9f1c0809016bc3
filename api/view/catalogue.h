/*
 * catalogue.h - what a client without any game code needs to know of a variant: how it is drawn,
 * written, set up and won.
 *
 * Everything comes from the game's own table (struct rules_game), so a game that is added to rules/
 * appears here without a change. What people read is in a language, if that has it (text/lang.h);
 * names that programs go by are the same in all.
 */
#ifndef PLYD_API_VIEW_CATALOGUE_H
#define PLYD_API_VIEW_CATALOGUE_H

#include <stdbool.h>

#include "api/text/arena.h"
#include "api/text/json.h"
#include "rules/rules.h"

struct lang;

/* Writes the members of a variant in a list: name, title, a sentence, seats, engines, links.
 * `thinks` as in catalogue.h. */
void view_variant_members(struct json *json, const struct lang *lang, const struct rules_game *game,
                          bool thinks);

/* The title of a variant, and the sentence about it. */
const char *view_variant_title(const struct lang *lang, const struct rules_game *game);
const char *view_variant_doc(const struct lang *lang, const struct rules_game *game);

/* Writes all members of a variant. */
void view_variant(struct json *json, const struct lang *lang, const struct rules_game *game,
                  bool thinks);

/* All variants as a table for people. In the arena. */
const char *view_variants_text(struct arena *arena);

/* How players can end any game themselves. */
struct view_end {
    const char *reason, *meaning;
};

enum { VIEW_PLAYERS_ENDS = 3 };
extern const struct view_end view_players_ends[VIEW_PLAYERS_ENDS];

/* ---- computer opponents (game/opponent.h), for clients that let people choose one ---- */

/* What a level of the engine plays like, in a sentence or two. */
const char *view_level_doc(const struct lang *lang, unsigned level);

/* Writes all engines as a list. `thinks`: the daemon has threads for those that think. */
void view_engines(struct json *json, const struct lang *lang, bool thinks);

/* ---- options_schema.c ------------------------------------------------------------------------ */

/* The options of a variant as JSON Schema, by which a client can make a form. */

/* Writes the schema (draft 2020-12) of the member `options` of a new game. What ties one option to
 * another is told in the descriptions alone. */
void view_options_schema(struct json *json, const struct lang *lang, const struct rules_game *game);

/* Writes what people call the values of options that have names, by option and value. */
void view_option_values(struct json *json, const struct lang *lang, const struct rules_game *game);

/* ---- rulebooks.c ----------------------------------------------------------------------------- */

/* The rules of the games as documents, which are part of the program: those of
 * rules/, in Markdown. They are in English; other languages have a short form that is made of their
 * laws (text/lang.h). */

/* The rules of a game in English (also NULL), as a static text; NULL if the game has none. In
 * another language, the rules in short: the start, the sentence of each numbered rule, and how a
 * game can end. That text is in the arena. */
const char *view_rules(struct arena *arena, const struct lang *lang, const struct rules_game *game);

#endif
