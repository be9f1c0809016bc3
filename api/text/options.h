/*
 * options.h - the options of a game, from JSON and back.
 */
#ifndef PLYD_API_TEXT_OPTIONS_H
#define PLYD_API_TEXT_OPTIONS_H

#include <stdbool.h>

#include "api/text/arena.h"
#include "api/text/json_read.h"
#include "rules/rules.h"

/* Reads options from an object of scalars: from its text, as it is stored, or from a body. What is
 * not given stays unset, which rules_start() and rules_load() take for the default. False: an
 * option is not known or its value does not fit; the error says which. */
bool options_from_json(const struct rules_game *game, struct arena *arena, const char *text,
                       struct rules_options *options, struct json_error *error);
bool options_from_fields(const struct rules_game *game, struct json_fields *fields,
                         struct rules_options *options);

/* Resolved options as an object. `start` is the text of the start position. */
const char *options_to_json(const struct rules_game *game, struct arena *arena,
                            const struct rules_options *options, const char *start);

/* What an option takes, as a sentence. */
const char *options_expectation(struct arena *arena, const struct rules_option *option);

#endif
