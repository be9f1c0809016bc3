/*
 * setup.h - a game is set up and played as far as was asked for; and what the rules refuse of that.
 */
#ifndef PLYD_API_PLAY_SETUP_H
#define PLYD_API_PLAY_SETUP_H

#include "api/play/creation.h"
#include "api/text/json.h"

/* What the rules refuse of a creation: its start, or one of its moves. */
struct setup_fault {
    struct rules_refusal why;
    bool in_moves;
    size_t at; /* the move's index */
};

/* Makes the start position, over or not, and plays the moves up to the first that is refused. */
bool setup_start(struct creation *creation, struct setup_fault *fault);
bool setup_play(struct creation *creation, struct setup_fault *fault);

/* Takes options and start of a game that is there already. */
void setup_inherit(struct creation *creation, const struct rules_game *game, const char *options,
                   const char *start);

/* A fault as an answer; as a sentence; and as the members of a problem that come after it. */
void setup_refuse(struct creation *creation, const struct setup_fault *fault);
const char *setup_fault_text(const struct creation *creation, const struct setup_fault *fault);
void setup_fault_view(struct json *json, const struct creation *creation,
                      const struct setup_fault *fault);

/* The place in the request where the start position stands. */
const char *setup_start_pointer(const struct creation *creation);

#endif
