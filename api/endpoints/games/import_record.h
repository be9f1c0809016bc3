/*
 * import_record.h - making a game from a record of which no client waits for an answer: one of a
 * file that a job imports.
 *
 * Nobody holds a seat of these games. So the games of a file, however many, are none of those that
 * are looked through for a player at each request.
 */
#ifndef PLYD_API_ENDPOINTS_GAMES_IMPORT_RECORD_H
#define PLYD_API_ENDPOINTS_GAMES_IMPORT_RECORD_H

#include "api/http/request.h"
#include "db/db.h"

struct import_record {
    db_id id;
    int16_t visibility;
    const char *query; /* how records of the file are read (import_terms.h) */
    const char *text;
    size_t len;
    size_t line; /* lines of the file before it */

    /* Set at the end: what is wrong with the record, as the JSON of a problem, in the request's
     * memory. NULL: nothing is. */
    const char *problem;
};

/* Makes the game for a request of ours (due_request()), which has the player for whom it is done.
 * The request is answered with success once the game is there, whoever has made it, or `problem` is
 * known; else it failed by no fault of the record, and may be tried again. */
void import_record(struct request *request, struct import_record *record);

#endif
