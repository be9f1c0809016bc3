/*
 * input.h - places of an address, names, texts and choices that many handlers read.
 *
 * The places of its address, what of a game it wants to see, names.
 *
 * Each function checks what it reads. One that returns false (or NULL) has answered the request,
 * unless it says otherwise.
 */
#ifndef PLYD_API_ENDPOINTS_INPUT_H
#define PLYD_API_ENDPOINTS_INPUT_H

#include "api/http/request.h"
#include "api/text/json_fields.h"
#include "api/text/json_read.h"
#include "db/db.h"
#include "rules/rules.h"

/* Reads the id of a game, the first place of the address. */
bool input_id(struct request *request, db_id *id);

/* Sentences for a name that no game has: which one was meant, and which there are. For none (NULL):
 * which there are. */
const char *input_variants(struct arena *arena, const char *word);

/* The game whose name is the first place of the address. */
const struct rules_game *input_variant(struct request *request);

/* Reads the ply, the second place of the address. It is at least `least`. */
bool input_ply(struct request *request, int32_t least, int32_t *ply);

/* Refuses a query with any parameters. */
bool input_no_query(struct request *request);

/* Reads the query of a page that speaks several languages, which may have ?lang= alone, and chooses
 * the language (page_speak()). */
bool input_page(struct request *request);

/* Refuses a body with any members. */
bool input_no_body(struct request *request);

/* Reads ?include= and ?fields= into request->choice. Whether they may stand there at all is left to
 * query_ok(). */
bool input_choice(struct request *request);

/* The same for a query that may have no other parameters than ?include= and ?lang=. */
bool input_only_choice(struct request *request);

/* Takes the member "name" of a player or a seat, without the blanks around it: at most 64 bytes, of
 * characters that a name may have (name.h). Unless it is needed, an empty name counts as absent.
 * False: it is absent, or was refused (json_refuse), and *name is untouched. */
bool input_name(struct json_fields *fields, bool needed, const char **name);

/* Takes the member "text": at most `most` characters on any number of lines, of those that a name
 * may have, without blanks and empty lines around it. False: it is absent, or was refused. */
bool input_text(struct json_fields *fields, size_t most, const char **text);

/* ---- a game's options as parameters of a query: ?options.rules=casual ---- */

/* The parameters that a query may have: `names` (at most 12, the list ends with NULL), and
 * options.NAME for each option of the game. `game` may be NULL. */
const char *const *input_option_names(struct arena *arena, const struct rules_game *game,
                                      const char *const *names);

/* Gives the options that the query has. False: one of them is refused, and was answered. */
bool input_options(struct request *request, const struct rules_game *game,
                   struct rules_options *options);

/* The same, but *error says what is refused, and nothing was answered. */
bool input_options_read(struct request *request, const struct rules_game *game,
                        struct rules_options *options, struct json_error *error);

/* Finds the game whose options the query gives, where it does not name one: the only game that has
 * as many of them as any, or NULL if there are no options. False: several games have them, and that
 * was answered. */
bool input_options_game(struct request *request, const struct rules_game **game);

#endif
