/* guard.h - what a request says about the state of the game that it was meant for. */
#ifndef PLYD_API_PLAY_GUARD_H
#define PLYD_API_PLAY_GUARD_H

#include "api/http/request.h"
#include "db/db.h"

enum { GUARD_NONE = -1, GUARD_VERSIONS_MAX = 8 };

struct guard {
    bool any_version;
    int32_t version[GUARD_VERSIONS_MAX]; /* of If-Match: one of them, if not any */
    size_t versions;
    int32_t line; /* GUARD_NONE: any */
};
extern const struct guard no_guard;

/* Reads If-Match. False: it is malformed and was answered. */
bool guard_read(struct request *request, struct guard *guard);

/* Whether the game is at a version that If-Match names. */
bool guard_holds(const struct guard *guard, const struct db_game *row);

#endif
