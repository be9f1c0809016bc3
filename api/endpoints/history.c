#include "api/endpoints/history.h"

/* Fetched moves are those of successive plies. */
const struct db_event *history_at(const struct op *op, int32_t ply)
{
    const struct line_moves *moves = &op->moves;
    int32_t first = moves->count == 0 ? 0 : moves->moves[0].ply;

    if (ply < first || ply - first >= (int32_t)moves->count)
        return NULL;
    return &moves->moves[ply - first];
}

bool history_move(const struct op *op, int32_t ply, rules_move last, struct rules_state *before,
                  struct draft_move *view)
{
    const struct live_game *live = op->live;
    const struct db_event *event = history_at(op, ply), *previous = history_at(op, ply - 1);
    struct rules_refusal why;

    if (event == NULL || (previous == NULL && ply > 1))
        return false;
    *view = (struct draft_move){.game = live->game,
                                .before = before,
                                .last = last,
                                .ply = event->ply,
                                .line = event->line,
                                .seat = event->seat,
                                .at = event->at,
                                .data = event->data};
    return rules_load(live->game, &live->options,
                      previous == NULL ? live->row.start : previous->position, before, &why) &&
           live->game->read_move(before, event->move, &view->move, &why);
}

bool history_last_move(const struct op *op, int32_t ply, struct rules_state *before,
                       struct draft_move *view)
{
    rules_move last = {{0, 0}};

    if (history_move(op, ply - 1, last, before, view))
        last = view->move;
    return history_move(op, ply, last, before, view);
}
