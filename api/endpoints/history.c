#include "api/endpoints/history.h"

/* Fetched moves are those of successive plies. */
const struct db_event *history_at(const struct job *job, int32_t ply)
{
    const struct line_moves *moves = &job->moves;
    int32_t first = moves->count == 0 ? 0 : moves->moves[0].ply;

    if (ply < first || ply - first >= (int32_t)moves->count)
        return NULL;
    return &moves->moves[ply - first];
}

bool history_move(const struct job *job, int32_t ply, rules_move last, struct rules_state *before,
                  struct course_move *view)
{
    const struct table *table = job->table;
    const struct db_event *event = history_at(job, ply), *previous = history_at(job, ply - 1);
    struct rules_refusal why;

    if (event == NULL || (previous == NULL && ply > 1))
        return false;
    *view = (struct course_move){.game = table->game,
                                 .before = before,
                                 .last = last,
                                 .ply = event->ply,
                                 .line = event->line,
                                 .seat = event->seat,
                                 .at = event->at,
                                 .data = event->data};
    return rules_load(table->game, &table->options,
                      previous == NULL ? table->row.start : previous->position, before, &why) &&
           table->game->read_move(before, event->move, &view->move, &why);
}

bool history_last_move(const struct job *job, int32_t ply, struct rules_state *before,
                       struct course_move *view)
{
    rules_move last = {{0, 0}};

    if (history_move(job, ply - 1, last, before, view))
        last = view->move;
    return history_move(job, ply, last, before, view);
}
