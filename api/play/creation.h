/*
 * creation.h - a game on its way: read from a request (creation_read.c), set up and played as far
 * as was asked for (creation_start.c), then stored (create.c).
 */
#ifndef PLYD_API_PLAY_CREATION_H
#define PLYD_API_PLAY_CREATION_H

#include "api/game/course.h"
#include "api/table/idempotency.h"
#include "api/text/json.h"
#include "api/text/json_read.h"
#include "api/view/view.h"

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
    unsigned mine;      /* the seats of the creator's token, as bits 1 and 2 */
};

/* Begins a creation. NULL: the idempotency key or the token is of no use, and was answered. */
struct creation *creation_new(struct request *request);

/* Reads the body of a new game: what it is and how it is played. False: it was answered. */
bool creation_read(struct creation *creation);

/* Reads the members that are about what is played: options, position, moves. The game is known. */
void creation_take_game(struct creation *creation, struct json_fields *fields);

/* Reads the members that are about how it is played, not what: seats, undo, visibility. */
void creation_take_terms(struct creation *creation, struct json_fields *fields);

/* What the rules refuse of a creation: its start, or one of its moves. */
struct creation_fault {
    struct rules_refusal why;
    bool in_moves;
    size_t at; /* the move's index */
};

/* Makes the start position, over or not, and plays the moves up to the first that is refused. */
bool creation_start(struct creation *creation, struct creation_fault *fault);
bool creation_play(struct creation *creation, struct creation_fault *fault);

/* A fault as an answer; as a sentence, and as the members of a problem that come after it. */
void creation_refuse(struct creation *creation, const struct creation_fault *fault);
const char *creation_fault_text(const struct creation *creation,
                                const struct creation_fault *fault);
void creation_fault_view(struct json *json, const struct creation *creation,
                         const struct creation_fault *fault);

/* The place where the start position stands that was asked for. */
const char *creation_start_pointer(const struct creation *creation);

/* Takes options and start of a game that is there already. */
void creation_inherit(struct creation *creation, const struct rules_game *game, const char *options,
                      const char *start);

/* Makes the game, stores it and answers. */
void creation_make(struct creation *creation);

/* Stores a game that was made, and answers with it and its token. */
void creation_finish(struct creation *creation);

#endif
