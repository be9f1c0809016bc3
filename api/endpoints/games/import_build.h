/*
 * import_build.h - building the game that a record tells, before it is stored.
 *
 * The record's whole past is judged by the rules. A worker may do it.
 */
#ifndef PLYD_API_ENDPOINTS_GAMES_IMPORT_BUILD_H
#define PLYD_API_ENDPOINTS_GAMES_IMPORT_BUILD_H

#include "api/endpoints/games/creation.h"
#include "api/endpoints/games/import_terms.h"
#include "api/record/record.h"

struct import_build {
    struct creation *creation; /* its draft's row has the seats and whatever else the record does
                                * not say */
    struct import_terms terms;
    const char *text; /* the record */
    size_t len;
    size_t line;     /* lines of its file before it */
    bool unattended; /* nobody will play on: where the game goes on, no computer keeps its seat */
    struct record record; /* that was read */
};

/* Reads the record and makes the creation's draft of it, which is then complete but for tokens and
 * the answer (create_complete()). */
bool import_build(struct import_build *build, struct record_error *error);

/* ---- what is wrong with a record ---- */

/* The problem by whose code it is told. */
enum problem import_problem(const struct record_error *error);

/* Writes the members that a problem has for it beside the usual ones. */
void import_problem_members(struct json *json, const struct record_error *error,
                            const struct lang *lang);

/* Answers with it. */
void import_refuse(struct request *request, const struct record_error *error);

#endif
