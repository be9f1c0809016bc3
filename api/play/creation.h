/*
 * creation.h - a game on its way: its terms are read from a request (terms.h), it is set up and
 * played as far as was asked for (setup.h), then stored (create.h).
 */
#ifndef PLYD_API_PLAY_CREATION_H
#define PLYD_API_PLAY_CREATION_H

#include "api/game/course.h"
#include "api/http/request.h"
#include "db/db.h"
#include "rules/rules.h"

struct idempotency;

struct creation {
    struct request *request;
    struct idempotency *idempotency;
    const struct rules_game *game;
    struct rules_options options;
    const char *position;
    const char **moves;
    size_t nmoves;
    const char *origin;   /* where its past comes from, as JSON; NULL: from nowhere */
    const char *imported; /* what was read from a record, as JSON, or NULL */
    bool visibility_given;
    bool seats_given; /* else all of them are the creator's */
    struct course course;
    struct db_create create;
    const char *answer; /* the document */
    unsigned mine;      /* the seats of the creator's token, as bits (words.h) */
};

#endif
