/*
 * plans.h - the plan of a seat (game/plans.h), as its owner sees it.
 */
#ifndef PLYD_API_VIEW_PLANS_H
#define PLYD_API_VIEW_PLANS_H

#include "api/game/plans.h"
#include "api/text/json.h"
#include "db/db.h"

/* `stored` is where the plan is rooted, with the tree as a text. `at` is the branch whose answer
 * was played last; 0: none was. */

/* Writes the plan as members. */
void view_plan(struct json *json, const struct db_plan *stored, const struct plan *plan, size_t at);

/* The plan for people, one branch a line; those that are ahead are marked. */
const char *view_plan_text(struct arena *arena, const struct db_plan *stored,
                           const struct plan *plan, size_t at);

#endif
