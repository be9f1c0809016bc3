/*
 * options.h - the options of a game, from JSON and back.
 *
 * A game's table says which options there are and what each takes (rules.h). Errors are told in the
 * words of json_read.h. What is returned lies in the arena. Pure; any thread may call these
 * functions.
 */
#ifndef PLYD_API_TEXT_OPTIONS_H
#define PLYD_API_TEXT_OPTIONS_H

#include <stdbool.h>

#include "api/text/arena.h"
#include "api/text/json_fields.h"
#include "rules/rules.h"

/* Reads options from the text of an object, as it is stored. An option that is not in it stays
 * unset, and rules_start() and rules_load() take its default. False: the text is no object, an
 * option is not known or its value does not fit; *error says which. */
bool options_from_json(const struct rules_game *game, struct arena *arena, const char *text,
                       struct rules_options *options, struct json_error *error);

/* The same from an object of a body, into options that were initialised. False: the error of
 * `fields` is set. options->position points into the object. */
bool options_from_fields(const struct rules_game *game, struct json_fields *fields,
                         struct rules_options *options);

/* Resolved options as the text of an object. `start` is the canonical text of the start, shown
 * where the start was given as a position. */
const char *options_to_json(const struct rules_game *game, struct arena *arena,
                            const struct rules_options *options, const char *start);

/* A list in words: "a", "a or b", "a, b or c". It ends with NULL, and is not empty. */
const char *options_in_words(struct arena *arena, const char *const *words, const char *last);

/* A sentence about the values that an option takes. */
const char *options_expectation(struct arena *arena, const struct rules_option *option);

/* A sentence about the starts that there are, where one was given by a name that is none, and no
 * position beside it: rules_start() has taken it for a position. NULL: nothing of that kind. */
const char *options_no_such_start(struct arena *arena, const struct rules_game *game,
                                  const struct rules_options *options, const char *position);

/* Options by their texts, given before it is known which game they are for. */
struct options_wish {
    const char *name, *value;
};

/* Takes an object's members as wishes, at most RULES_OPTIONS_MAX, in the fields' arena. False: the
 * fields have the error. */
bool options_wish(struct json_fields *fields, struct options_wish *wishes, size_t *n);

/* Gives a wish to a game. False: *problem and *detail say why not. */
bool options_grant(struct arena *arena, const struct rules_game *game,
                   const struct options_wish *wish, struct rules_options *options,
                   enum problem *problem, const char **detail);

#endif
