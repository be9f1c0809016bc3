#include "api/play/history.h"

#include "api/http/reply.h"
#include "api/play/common.h"
#include "api/play/input.h"

const struct db_event *move_at(const struct job *job, int32_t ply)
{
    for (size_t i = 0; i < job->moves.count; i++)
        if (job->moves.moves[i].ply == ply)
            return &job->moves.moves[i];
    return NULL;
}

bool history_move(const struct job *job, int32_t ply, rules_move last, struct rules_state *before,
                  struct move_view *view)
{
    const struct table *table = job->table;
    const struct db_event *event = move_at(job, ply), *previous = move_at(job, ply - 1);
    struct rules_refusal why;

    if (event == NULL || (previous == NULL && ply > 1))
        return false;
    *view = (struct move_view){.game = table->game,
                               .before = before,
                               .last = last,
                               .ply = event->ply,
                               .line = event->line,
                               .seat = event->seat,
                               .at = event->at};
    return rules_load(table->game, &table->options,
                      previous == NULL ? table->row.start : previous->position, before, &why) &&
           table->game->read_move(before, event->move, &view->move, &why);
}

bool history_last_move(const struct job *job, int32_t ply, struct rules_state *before,
                       struct move_view *view)
{
    rules_move last = {{0, 0}};

    if (history_move(job, ply - 1, last, before, view))
        last = view->move;
    return history_move(job, ply, last, before, view);
}

/* A view of the position at args->ply, as a row that says so. False: asked for, or answered. */
static bool know_position(struct job *job, struct game_view *view)
{
    const struct read_args *args = job->args;
    const struct db_game *row = &job->table->row;
    int32_t line = args->line == 0 ? row->line : (int32_t)args->line;
    int32_t from, end = row->ply, ply = args->ply < 0 ? row->ply : (int32_t)args->ply;
    const struct db_event *move;
    struct db_game *then;
    struct rules_state *state;
    struct rules_refusal why;

    *view = job_view(job);
    if (line == row->line && ply == row->ply && !args->with_move)
        return true;
    if (!know_line(job, args->line, &line, &end))
        return false;
    if (args->ply < 0)
        ply = end;
    if (ply > end) {
        refuse_ply(job);
        return false;
    }
    from = args->with_move ? ply - 2 : ply;
    if (line == row->line && ply > 0 && !job_need_moves(job, line, from < 1 ? 1 : from, ply))
        return false;
    if (line == row->line && ply == row->ply)
        return true;
    move = move_at(job, ply);
    then = arena_alloc(&job->request->arena, sizeof(*then));
    state = arena_alloc(&job->request->arena, sizeof(*state));
    *then = *row;
    then->ply = ply;
    then->line = line;
    then->position = move == NULL ? row->start : move->position;
    then->last_move = move == NULL ? NULL : move->move;
    then->last_seat = move == NULL ? 0 : move->seat;
    then->last_at = move == NULL ? row->created_at : move->at;
    if ((move == NULL && ply > 0) ||
        !rules_load(job->table->game, &job->table->options, then->position, state, &why)) {
        reply_problem(job->request, "internal", NULL);
        job_done(job);
        return false;
    }
    then->to_move = (int16_t)job->table->game->to_move(state);
    /* What came after that position did not end it; only what it is by itself counts. */
    then->status = rules_outcome_now(job->table->game, state).status == RULES_ONGOING
                       ? STATUS_ACTIVE
                       : STATUS_FINISHED;
    then->winner = 0;
    then->reason = NULL;
    *view = (struct game_view){then, job->table->game, state, view->seats};
    return true;
}

void step_read_position(struct job *job)
{
    const struct read_args *args = job->args;
    struct game_view view;

    if (!may_read(job) || !know_position(job, &view))
        return;
    args->answer(job, &view);
    job_done(job);
}

struct read_args *new_read_args(struct request *request)
{
    struct read_args *args = arena_zero(&request->arena, sizeof(*args));

    args->ply = -1;
    return args;
}

void submit_read(struct request *request, void (*step)(struct job *), struct read_args *args)
{
    db_id id;

    if (read_id(request, &id))
        job_submit(job_new(request, step, args), id);
}
