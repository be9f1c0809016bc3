/*
 * guard.h - what a request says about the state of the game that it was meant for.
 */
#ifndef PLYD_API_PLAY_GUARD_H
#define PLYD_API_PLAY_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/http/request.h"
#include "db/db.h"

enum { GUARD_VERSIONS_MAX = 8 };

struct guard {
    bool any_version;
    int32_t version[GUARD_VERSIONS_MAX]; /* of If-Match: one of them, if not any */
    size_t versions;
    int32_t line; /* MAY_ANY: whichever it is */
};
extern const struct guard guard_none;

/* Reads the value of If-Match; NULL and "*" name any version. False: it is malformed. */
bool guard_parse(const char *header, struct guard *guard);

/* The same from a request. False: it was answered. */
bool guard_read(struct request *request, struct guard *guard);

/* Whether the game is at a version that If-Match names. */
bool guard_holds(const struct guard *guard, const struct db_game *row);

#endif
