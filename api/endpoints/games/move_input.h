/*
 * move_input.h - the moves that a request asks to have played, as a handler has read them.
 *
 * Moves come as texts, or one move comes as the clicks that make it. What text clicks mean depends
 * on the position, so it is asked for move by move.
 */
#ifndef PLYD_API_ENDPOINTS_GAMES_MOVE_INPUT_H
#define PLYD_API_ENDPOINTS_GAMES_MOVE_INPUT_H

#include "api/endpoints/guard.h"
#include "api/live/op.h"

struct move_args {
    struct guard guard;
    const char *const *texts; /* the moves; or, where `clicked` > 0, the clicks of one move */
    size_t count;             /* of the moves */
    size_t clicked;           /* how many clicks there are */
    int32_t ply;              /* of the first move; MAY_ANY: the next one */
    bool put;                 /* the same move again is answered with 200 */
    bool single;              /* the answer is a move, not a list */
    bool dry_run;             /* judged and answered, not written */
    bool explain;             /* a dry run that is answered with 200 even if the rules refuse it */
    bool offers_draw;         /* with the last of the moves */
    int wait_s;               /* for so long it waits for the answer of an opponent that thinks */
    struct played *played;    /* private to moves.c */
};

/* The text by which the rules judge move i of the op's move_args, in the position `state`. It
 * lives as long as the request. */
const char *move_input_text(const struct op *op, const struct rules_state *state, size_t i);

/* Whether the op asks for "win" or "resign" in place of a move, as the protocols of shogi (USI)
 * have it: in games that know a declaration, both are deeds of the side to move. */
bool move_input_is_word(const struct op *op);

#endif
