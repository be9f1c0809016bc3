/*
 * history.h - any position of a line: the moves up to it, played again.
 *
 * A stored move is a text. To show it, it is read in the position before it, which the move before
 * it has; and how it is written may depend on that move too.
 */
#ifndef PLYD_API_ENDPOINTS_HISTORY_H
#define PLYD_API_ENDPOINTS_HISTORY_H

#include "api/game/draft.h"
#include "api/live/op.h"

/* The move of a ply. NULL: it was not fetched, or the ply is 0. */
const struct db_event *history_at(const struct op *op, int32_t ply);

/* Makes *view the move of a ply, and *before, to which it points, the position that it was played
 * in; `last` is the move before it. False: it or the move before it was not fetched. */
bool history_move(const struct op *op, int32_t ply, rules_move last, struct rules_state *before,
                  struct draft_move *view);

/* The same where `last` is not known. It is read too, if the two moves before were fetched. */
bool history_last_move(const struct op *op, int32_t ply, struct rules_state *before,
                       struct draft_move *view);

#endif
