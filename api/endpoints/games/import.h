/*
 * import.h - making a game from a record, in any format of record/.
 *
 * The body is the record, or a JSON object with the record as a text and the terms of the game
 * beside it (create_body.h). The whole past of the record is checked by the rules, then stored. A
 * dry run shows what would be stored.
 */
#ifndef PLYD_API_ENDPOINTS_GAMES_IMPORT_H
#define PLYD_API_ENDPOINTS_GAMES_IMPORT_H

#include "api/http/request.h"
#include "db/db.h"

/* Answers with what is wrong with a record. */
struct record_error;
void import_refuse(struct request *request, const struct record_error *error);

/* ---- for jobs that import files ---- */

/* Reads the parameters that say how records are read (format, variant, options) from a query that
 * may have `others`, too, and returns them as a query of their own. NULL: something is wrong with
 * them, and was answered. */
const char *import_query(struct request *request, const char *const *others);

/* Imports the record that is the request's body: one that no client has sent, with the query that
 * import_query() returned and the player for whom it is done. Nobody holds a seat of the game. The
 * answer is 201, also if the game of that id is there already, or the problem. */
struct import_record {
    db_id id;
    int16_t visibility;
    size_t line; /* lines of the file before it */
};
void import_record(struct request *request, const struct import_record *record);

#endif
