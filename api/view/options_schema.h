/*
 * options_schema.h - the options of a variant as JSON Schema, by which a client can make a form.
 */
#ifndef PLYD_API_VIEW_OPTIONS_SCHEMA_H
#define PLYD_API_VIEW_OPTIONS_SCHEMA_H

#include "api/text/json.h"
#include "rules/rules.h"

/* Writes the schema (draft 2020-12) of the member `options` of a new game. What ties one option to
 * another is told in the descriptions alone. */
void view_options_schema(struct json *json, const struct rules_game *game);

#endif
