/*
 * health.h - whether a database and its server are fit for plyd, and what would help if not.
 *
 * health_look() asks the questions of db/inspect.h and judges the answers. What it finds is a list
 * in the order of the questions. A question that finds nothing to say has one finding that says so.
 */
#ifndef PLYD_API_TOOL_HEALTH_H
#define PLYD_API_TOOL_HEALTH_H

#include <stdbool.h>

#include "api/text/arena.h"
#include "db/db.h"

enum health_level {
    HEALTH_OK,
    HEALTH_NOTE,   /* for information */
    HEALTH_ADVICE, /* it works, and could work better */
    HEALTH_WARNING /* games are at risk, or clients are not served as they should be */
};

/* ok, note, advice, warning */
const char *health_word(enum health_level level);

struct health_finding {
    enum health_level level;
    const char *about;  /* a word or two */
    const char *says;   /* what was found */
    const char *advice; /* what helps; NULL: nothing has to be done */
    struct health_finding *next;
};

struct health {
    struct arena *arena; /* where all of it lives */
    enum health_level worst;
    struct health_finding *first, **end; /* private: where the next one goes */
};

/* Looks at a database. False and *error if it cannot be reached. Blocks for seconds on a large
 * database. */
bool health_look(struct health *health, struct arena *arena, const char *url,
                 struct db_error *error);

#endif
