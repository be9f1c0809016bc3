/*
 * creation.h - a game that is about to exist, and what is known of it so far.
 *
 * Its terms are read from a request (create_body.h), it is set up and played as far as was asked
 * for (setup.h), then stored (create.h). A fork (fork.c) takes its past from another game, an
 * import (import_build.h) from a record. endpoints/site/check.c sets games up in the same way and
 * stores none.
 */
#ifndef PLYD_API_ENDPOINTS_GAMES_CREATION_H
#define PLYD_API_ENDPOINTS_GAMES_CREATION_H

#include "api/game/draft.h"
#include "api/http/request.h"
#include "api/text/options.h"
#include "db/db.h"
#include "rules/rules.h"

struct idempotency;

/* All of it is the request's memory. */
struct creation {
    struct request *request;
    struct idempotency *idempotency; /* of its Idempotency-Key, or NULL */

    /* What is to be played. */
    const struct rules_game *game;
    struct rules_options options;
    struct options_wish wish[RULES_OPTIONS_MAX]; /* for options, while the game is not known */
    size_t wishes;
    const char *position; /* the start; NULL: the options say it */
    const char **moves;   /* to be played at once */
    size_t nmoves;
    const char *origin;   /* the game that it follows on, as JSON; NULL: none */
    const char *imported; /* what was read from a record, as JSON; NULL: none was */

    /* How it is played; the row of the draft holds the seats, undo and visibility. */
    unsigned mine;         /* the seats that the creator's token plays (words.h) */
    bool seats_given;      /* else all of them are the creator's */
    bool visibility_given; /* else it is unlisted */
    size_t plies_max;      /* that it may begin with */

    const struct clock_terms *clock; /* NULL: none */

    bool may_challenge;
    int challenged_seat; /* that is kept for a player; 0: none is */
    db_id challenged, challenger;
    int64_t challenge_us; /* for how long */
    bool challenge_tells; /* the player is told of it */

    struct draft draft;
    struct db_create create; /* what is stored, until that is done */
    const char *answer;      /* the document */
};

#endif
