/*
 * play_lines.c - undo and redo. Nothing is deleted: the present position moves back and forth on
 * its line, and a move after an undo opens a new line (course.c).
 */
#include <string.h>

#include "play_common.h"
#include "reply.h"
#include "server.h"

/* Whether nobody else has to agree: the asker plays every seat that a person sits on. */
static bool plays_alone(const struct db_game *row, unsigned seats)
{
    for (int i = 0; i < DB_SEATS; i++)
        if (row->seat[i].state != SEAT_ENGINE && (seats & 2U << i) == 0)
            return false;
    return true;
}

/* How many plies one step is: back to (or on to) a position in which the asker is to move, if he
 * plays one seat; a single ply if he plays both. */
static int32_t step_size(const struct db_game *row, unsigned seats)
{
    bool his_turn = (seats & 1U << row->to_move) != 0;

    if (seats == 6)
        return 1;
    return his_turn ? 2 : 1;
}

/* Puts the course on a position of its line that was played before. `move` led to it; NULL for the
 * start. */
static bool go_to(struct course *course, const struct table *table, int32_t ply,
                  const struct db_event *move)
{
    struct db_game *row = &course->row;
    struct rules_refusal why;

    row->ply = ply;
    row->position = move == NULL ? row->start : move->position;
    row->last_move = move == NULL ? NULL : move->move;
    row->last_seat = move == NULL ? 0 : move->seat;
    row->last_at = move == NULL ? row->created_at : move->at;
    row->status = STATUS_ACTIVE;
    row->winner = 0;
    row->reason = NULL;
    course->last = (rules_move){{0, 0}};
    if (!rules_load(table->game, &table->options, row->position, &course->state, &why))
        return false;
    row->to_move = (int16_t)table->game->to_move(&course->state);
    return true;
}

static const char *span_text(struct job *job, int32_t from, int32_t to)
{
    return arena_format(&job->request->arena, "{\"from_ply\":%d,\"to_ply\":%d}", from, to);
}

/* ---- undo ---- */

static const char *why_no_undo(const struct db_game *row, unsigned seats)
{
    if (row->undo == UNDO_NEVER)
        return "undo-never";
    if (row->undo == UNDO_CONSENT && !plays_alone(row, seats))
        return "undo-needs-consent";
    return row->ply == 0 || row->status == STATUS_ABORTED ? "nothing-to-undo" : NULL;
}

static void step_undo(struct job *job)
{
    const struct undo_args *args = job->args;
    const struct db_game *row = &job->table->row;
    unsigned seats = may_act(job, &args->guard);
    const char *why;
    struct course *course;
    int32_t to;

    if (seats == 0)
        return;
    why = why_no_undo(row, seats);
    to = args->to_ply != GUARD_NONE ? args->to_ply : row->ply - step_size(row, seats);
    if (why == NULL && (to < 0 || to == row->ply))
        why = "nothing-to-undo";
    if (why == NULL && to > row->ply)
        why = "cannot-undo-that-far";
    if (why != NULL) {
        refuse(job, why, NULL);
        return;
    }
    if (to > 0 && !job_need_moves(job, row->line, to, to))
        return;
    course = job_course(job);
    if (!go_to(course, job->table, to, to > 0 ? &job->moves.moves[0] : NULL)) {
        reply_problem(job->request, "internal", NULL);
        job_done(job);
        return;
    }
    course_event(course, EVENT_UNDO, 0)->data = span_text(job, row->ply, to);
    course->kept_ply = to;
    write_course(job, course, 200, course_document(job, course));
}

void play_undo(struct request *request, db_id id, struct undo_args *args)
{
    struct job *job = new_job(request, step_undo, args);

    if (job != NULL)
        job_submit(job, id);
}

/* ---- redo ---- */

static void step_redo(struct job *job)
{
    const struct undo_args *args = job->args;
    const struct db_game *row = &job->table->row;
    unsigned seats = may_act(job, &args->guard);
    struct rules_history history;
    struct course *course;
    uint64_t *keys;
    size_t span, n;
    int32_t to;

    if (seats == 0)
        return;
    if (row->undo == UNDO_CONSENT && !plays_alone(row, seats)) {
        refuse(job, "undo-needs-consent", NULL);
        return;
    }
    to = args->to_ply != GUARD_NONE ? args->to_ply : row->ply + step_size(row, seats);
    if (args->to_ply == GUARD_NONE && to > row->tip)
        to = row->tip;
    if (to <= row->ply || to > row->tip) {
        refuse(job, "nothing-to-redo", NULL);
        return;
    }
    if (!job_need_keys(job, 0) || !job_need_moves(job, row->line, row->ply + 1, to))
        return;
    course = job_course(job);
    n = job->moves.count;
    if (n != (size_t)(to - row->ply) || !go_to(course, job->table, to, &job->moves.moves[n - 1])) {
        reply_problem(job->request, "internal", NULL);
        job_done(job);
        return;
    }
    keys = arena_alloc(course->arena, (course->nkeys + n) * sizeof(*keys));
    memcpy(keys, course->keys, course->nkeys * sizeof(*keys));
    for (size_t i = 0; i < n; i++)
        keys[course->nkeys + i] = (uint64_t)job->moves.moves[i].key;
    course->keys = keys;
    course->nkeys += n;
    span = course->game->span(&course->state);
    if (span > course->nkeys - 1)
        span = course->nkeys - 1;
    history = (struct rules_history){keys + course->nkeys - 1 - span, span};
    course_judge(course, &history);
    course_event(course, EVENT_REDO, 0)->data = span_text(job, row->ply, to);
    write_course(job, course, 200, course_document(job, course));
}

void play_redo(struct request *request, db_id id, struct undo_args *args)
{
    struct job *job = new_job(request, step_redo, args);

    if (job != NULL)
        job_submit(job, id);
}
