/*
 * wanted.h - the moves that a request asks to have played.
 */
#ifndef PLYD_API_PLAY_WANTED_H
#define PLYD_API_PLAY_WANTED_H

#include "api/play/guard.h"
#include "api/table/jobs.h"

struct move_args {
    struct guard guard;
    const char *const *texts; /* the moves; or, where `clicked`, the clicks of a single one */
    size_t count;             /* of the moves */
    size_t clicked;
    int32_t ply; /* of the first move; MAY_ANY: the next one */
    bool put;    /* the same move again is 200 */
    bool single; /* answered as a move, not as a list */
    bool dry_run;
};
/* Move number i of the job's move_args as a text for the rules. Clicks become one in the position
 * that they were made in. */
const char *wanted_text(const struct job *job, const struct rules_state *state, size_t i);

#endif
