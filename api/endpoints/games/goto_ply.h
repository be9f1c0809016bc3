/*
 * goto_ply.h - going back and forth on the line of a game, or over to another line, in a draft from
 * its live game.
 *
 * First everything that the jump needs is fetched (part of a step), then the draft goes there, and
 * an event says so. Offers that are pointless then are void, and a redo may end the game. False:
 * what is stored does not fit together.
 */
#ifndef PLYD_API_ENDPOINTS_GAMES_GOTO_PLY_H
#define PLYD_API_ENDPOINTS_GAMES_GOTO_PLY_H

#include "api/game/draft.h"
#include "api/live/op.h"

/* Back to a ply that is not above the game's. */
enum step goto_need_back(struct op *op, int32_t to);
bool goto_back(struct draft *draft, const struct op *op, int32_t to);

/* On to a ply that was undone. */
enum step goto_need_on(struct op *op, int32_t to);
bool goto_on(struct draft *draft, const struct op *op, int32_t to);

/* Over to another line. Of its moves, which are fetched from ply 1 to `end`, *shared are those of
 * the present line up to the present ply, too. */
enum step goto_need_line(struct op *op, int32_t line, int32_t end, struct line_moves *moves,
                         int32_t *shared);

/* The game goes back to where both lines part. Then the moves of the other line are played once
 * more, and it goes to the ply `to` of that. So the present line is still the last one, and shares
 * plies with the one before it alone. */
bool goto_over(struct draft *draft, const struct op *op, const struct line_moves *moves,
               int32_t shared, int32_t to);

#endif
