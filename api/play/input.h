/*
 * input.h - what requests say that several handlers read: the places of their address, what is to
 * be shown, names. A function that returns false (or NULL) has answered the request.
 */
#ifndef PLYD_API_PLAY_INPUT_H
#define PLYD_API_PLAY_INPUT_H

#include "api/http/request.h"
#include "api/text/json_read.h"
#include "db/db.h"
#include "rules/rules.h"

/* The game's id of the address. */
bool input_id(struct request *request, db_id *id);

/* The variant of the address. */
const struct rules_game *input_variant(struct request *request);

/* The ply of the address, at least `least`. */
bool input_ply(struct request *request, int32_t least, int32_t *ply);

/* Reads ?include= and ?fields= into request->choice. Which of them are welcome is for query_ok() to
 * say. */
bool input_choice(struct request *request);

/* The same of a query in which nothing but ?include= may stand. */
bool input_only_choice(struct request *request);

/* Whether ?include= asks for legal moves. */
bool input_wants_moves(const struct request *request);

/* Takes the member "name", of a player or a seat: 1 to 64 bytes without the blanks around it, and
 * nothing in it that would disturb the texts that it is shown in (name.h). An empty one counts as
 * absent, unless it is needed. False: it is absent, or was refused. */
bool input_name(struct json_fields *fields, bool needed, const char **name);

#endif
