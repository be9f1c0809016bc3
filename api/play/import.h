/*
 * import.h - the use case of a new game from a record, in any format of record/.
 *
 * The body is the record, or a JSON object with the record as a text and the terms of the game
 * beside it (terms.h). The whole past of the record is checked by the rules, then stored. A dry run
 * shows what would be stored.
 */
#ifndef PLYD_API_PLAY_IMPORT_H
#define PLYD_API_PLAY_IMPORT_H

#include "api/http/request.h"

/* Reads the body, makes and stores the game, and answers. */
void import_game(struct request *request);

/* Answers with what is wrong with a record. */
struct record_error;
void import_refuse(struct request *request, const struct record_error *error);

#endif
