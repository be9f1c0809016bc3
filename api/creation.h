/*
 * creation.h - a game on its way: read from a request (creation_read.c), then made and stored
 * (create.c).
 */
#ifndef PLYD_API_CREATION_H
#define PLYD_API_CREATION_H

#include "answers.h"
#include "course.h"
#include "json.h"
#include "view.h"

struct creation {
    struct request *request;
    struct idempotency *idempotency;
    const struct rules_game *game;
    struct rules_options options;
    const char *position;
    const char **moves;
    size_t nmoves;
    const char *origin; /* where its past comes from, as JSON; NULL: from nowhere */
    struct course course;
    struct db_create create;
    const char *answer; /* the document */
    unsigned mine;      /* the seats of the creator's token, as bits 1 and 2 */
};

/* Begins a creation. NULL: the idempotency key or the token is of no use, and was answered. */
struct creation *creation_new(struct request *request);

/* Reads the body of a new game: what it is and how it is played. False: it was answered. */
bool creation_read(struct creation *creation);

/* Reads the members that are about how it is played, not what: seats, undo, visibility. */
void creation_take_terms(struct creation *creation, struct json_fields *fields);

/* Makes the game, stores it and answers. */
void creation_make(struct creation *creation);

#endif
