/*
 * options_schema.h - the options of a game as JSON Schema.
 */
#ifndef PLYD_API_VIEW_OPTIONS_SCHEMA_H
#define PLYD_API_VIEW_OPTIONS_SCHEMA_H

#include "api/text/json.h"
#include "rules/rules.h"

/* What a new game takes, as JSON Schema draft 2020-12. Conditions that tie one option to another
 * are in the descriptions. */
void view_options_schema(struct json *json, const struct rules_game *game);

#endif
