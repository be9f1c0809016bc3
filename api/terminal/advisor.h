/*
 * advisor.h - the engine at the board of `plyd play`: it moves, gives hints and answers draw
 * offers.
 *
 * A search runs in the calling thread. Setting *stop, for example in a signal handler, ends it.
 */
#ifndef PLYD_API_TERMINAL_ADVISOR_H
#define PLYD_API_TERMINAL_ADVISOR_H

#include <stdatomic.h>

#include "api/terminal/match.h"
#include "engine/engine.h"

/* ADVISOR_RANDOM is the level of the computer that plays any legal move. */
enum { ADVISOR_HINT_LEVEL = 6, ADVISOR_USUAL_LEVEL = 3, ADVISOR_RANDOM = ENGINE_LEVELS + 2 };

/* All zero is an advisor that has not searched yet. */
struct advisor {
    void *memory;
    struct engine *engine;
};

void advisor_close(struct advisor *advisor);

/* Chooses a move for the side to move. The mistakes of a weak level depend on the match's seed and
 * ply only, so that a game can be repeated. */
enum engine_answer advisor_choose(struct advisor *advisor, const struct match *match,
                                  unsigned level, const atomic_bool *stop,
                                  struct engine_choice *choice);

/* What is best, as far as can be seen with the nodes of ADVISOR_HINT_LEVEL, and without the
 * mistakes of that level. */
enum engine_answer advisor_hint(struct advisor *advisor, const struct match *match,
                                const atomic_bool *stop, struct engine_choice *choice);

/* Whether the engine accepts a draw that the side to move offers. It accepts only if it judges its
 * own position to be worse. */
bool advisor_agrees(struct advisor *advisor, const struct match *match, unsigned level,
                    const atomic_bool *stop);

#endif
