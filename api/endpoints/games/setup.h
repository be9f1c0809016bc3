/*
 * setup.h - the start of a game and the moves that it is made with, by the rules alone.
 *
 * A creation with game, options, position and moves goes in; its draft comes out filled. What the
 * rules refuse is a fault, which becomes the answer (setup_refuse) or a part of one (for
 * endpoints/site/check.c). Nothing is stored here.
 */
#ifndef PLYD_API_ENDPOINTS_GAMES_SETUP_H
#define PLYD_API_ENDPOINTS_GAMES_SETUP_H

#include "api/endpoints/games/creation.h"
#include "api/text/json.h"
#include "api/view/view.h"

/* What the rules refuse of a creation. */
struct setup_fault {
    struct rules_refusal why;
    bool in_moves;           /* one of the moves is refused; else the start */
    size_t at;               /* the move's index */
    struct setup_seen *seen; /* of a start that has a board all the same; or NULL */
};

/* Makes the start position, over or not. False: *fault says why it is refused, and the creation has
 * none. */
bool setup_start(struct creation *creation, struct setup_fault *fault);

/* A start that is refused, but may be looked at (fault->why.visible). It is no draft: nothing can
 * be played from it. */
struct game_view setup_look(const struct request *request, const struct setup_fault *fault);

/* Whether there is one, and nothing was to be played from it. */
bool setup_may_look(const struct creation *creation, const struct setup_fault *fault);

/* Plays the moves from the start. False: *fault says which one is refused; those before it were
 * played. */
bool setup_play(struct creation *creation, struct setup_fault *fault);

/* Begins a creation that is never stored: without an id, and with all times 0. */
struct creation *setup_imagine(struct request *request, const struct rules_game *game);

/* The two above in one, for a creation that is never stored: the start may be over already. */
bool setup_play_out(struct creation *creation, struct setup_fault *fault);

/* Takes game, options and start from a stored game. */
void setup_inherit(struct creation *creation, const struct rules_game *game, const char *options,
                   const char *start);

/* Answers with a fault. */
void setup_refuse(struct creation *creation, const struct setup_fault *fault);

/* A fault as a sentence, which begins a problem, and as the members that come after it: where in
 * the request the fault is, the move, the rule. */
const char *setup_fault_text(const struct creation *creation, const struct setup_fault *fault);
void setup_fault_view(struct json *json, const struct creation *creation,
                      const struct setup_fault *fault);

/* The place in the request where the start position stands, as a problem's pointer. */
const char *setup_start_pointer(const struct creation *creation);

#endif
