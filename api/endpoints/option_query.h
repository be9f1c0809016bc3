/*
 * option_query.h - a game's options as parameters of a query: ?options.rules=casual.
 */
#ifndef PLYD_API_ENDPOINTS_OPTION_QUERY_H
#define PLYD_API_ENDPOINTS_OPTION_QUERY_H

#include "api/http/request.h"
#include "api/text/json_read.h"
#include "rules/rules.h"

/* The parameters that a query may have: `names` (at most 12, the list ends with NULL), and
 * options.NAME for each option of the game. `game` may be NULL. */
const char *const *option_query_names(struct arena *arena, const struct rules_game *game,
                                      const char *const *names);

/* Gives the options that the query has. False: one of them is refused, and was answered. */
bool option_query(struct request *request, const struct rules_game *game,
                  struct rules_options *options);

/* The same, but *error says what is refused, and nothing was answered. */
bool option_query_read(struct request *request, const struct rules_game *game,
                       struct rules_options *options, struct json_error *error);

/* Finds the game whose options the query gives, where it does not name one: the only game that has
 * as many of them as any, or NULL if there are no options. False: several games have them, and that
 * was answered. */
bool option_query_game(struct request *request, const struct rules_game **game);

#endif
