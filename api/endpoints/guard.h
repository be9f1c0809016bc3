/*
 * guard.h - preconditions of a write: If-Match and the expected line.
 *
 * A client that saw the game at a version says so in If-Match, and a move may name its line. If the
 * game has moved on since, the request is refused, and nothing happens. Guards are optional: two
 * writes that race are told apart by the database in any case.
 */
#ifndef PLYD_API_ENDPOINTS_GUARD_H
#define PLYD_API_ENDPOINTS_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/http/request.h"
#include "api/text/json_fields.h"
#include "db/db.h"

enum { GUARD_VERSIONS_MAX = 8 };

struct guard {
    bool any_version;
    int32_t version[GUARD_VERSIONS_MAX]; /* those of If-Match, unless any will do */
    size_t versions;
    int32_t line; /* MAY_ANY: any */
};

/* The guard that always holds. */
extern const struct guard guard_none;

/* Reads a value of If-Match, and sets the line to any. NULL and "*" name any version. False: it is
 * malformed, or names more than GUARD_VERSIONS_MAX versions. */
bool guard_parse(const char *header, struct guard *guard);

/* Reads If-Match of a request. False: it is malformed, and was answered. */
bool guard_read(struct request *request, struct guard *guard);

/* Reads ?include=, If-Match and the body of a request that writes to a game. `take` takes the
 * members of the body, of which `bare_key` is the one that a bare text stands for; NULL: there is
 * none. False: something is wrong, and was answered. */
bool guard_read_args(struct request *request, struct guard *guard, const char *bare_key,
                     void (*take)(struct json_fields *fields, void *args), void *args);

/* Reads a request that writes to a game and has no body, and hands it on. */
void guard_bare(struct request *request,
                void (*play)(struct request *request, db_id id, const struct guard *guard));

/* Whether the game is at a version that the guard names. The line is not looked at. */
bool guard_holds(const struct guard *guard, const struct db_game *row);

#endif
