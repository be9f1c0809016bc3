/*
 * plans.h - the use cases around conditional moves (game/plans.h): setting, looking at and deleting
 * the plan of a seat, and its answer to a move.
 *
 * A plan is its owner's secret. To set one is no event: the game keeps its version, and nothing
 * that anybody else can read changes. So its writes are guarded by db_game.plans, too: a move that
 * does not know of a plan that was acknowledged before is not written, and is judged again.
 *
 * A plan is set while the other side is to move, at the present ply. It answers in the transaction
 * of the move that it answers, so no more than one plan of a game is alive at a time: that of the
 * side that is not to move.
 */
#ifndef PLYD_API_PLAY_PLANS_H
#define PLYD_API_PLAY_PLANS_H

#include "api/game/plans.h"
#include "api/http/request.h"
#include "api/play/common.h"
#include "api/play/guard.h"
#include "db/db.h"

struct plan_args {
    struct guard guard;
    int32_t after_ply;
    struct plan plan; /* as it was asked for */

    /* Private to plans.c. */
    int32_t judged_at; /* the version of the game at which it was judged; 0: it was not yet */
    bool legal;
    struct plan judged;
    struct plan_fault fault;
    const char *document; /* the answer once it is stored */
};

/* Each does it for the seat that the request plays, and answers. `args` must live as long as the
 * request. */
void plan_set(struct request *request, db_id id, struct plan_args *args);
void plan_show(struct request *request, db_id id);
void plan_delete(struct request *request, db_id id);

/* Part of a step: whoever answers by themselves has moved in the course. That is the computer
 * opponent, or the plan of the side to move. */
enum step plan_answer(struct job *job, struct course *course);

#endif
