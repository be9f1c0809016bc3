#include "api/play/lines.h"

#include <string.h>

#include "api/game/course.h"
#include "api/game/may.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/play/again.h"
#include "api/play/common.h"
#include "api/table/jobs.h"
#include "api/table/table.h"
#include "api/text/json.h"
#include "api/text/problem.h"
#include "rules/rules.h"

/* Puts the course on a position of its line that was played before. Of the moves that were fetched
 * the last one led to it (ply 0: none did). `before` is the position before the first of them. */
static bool go_to(struct course *course, const struct job *job, int32_t ply, const char *before)
{
    const struct table *table = job->table;
    size_t n = ply == 0 ? 0 : job->moves.count;
    const struct db_event *move = n == 0 ? NULL : &job->moves.moves[n - 1];

    if ((move == NULL) != (ply == 0) || (move != NULL && move->ply != ply) ||
        !course_go_to(course, &table->options, ply, move))
        return false;
    if (row_has_open_seat(&course->row))
        course->row.status = STATUS_OPEN;
    course->last = play_last_move(table, n > 1 ? move[-1].position : before, course->row.last_move);
    return true;
}

/* Keeps the course's keys up to its ply, which is not above the table's. An undo does not make them
 * wrong, and the next move may be judged by them, so nothing has to be read again. They go to
 * memory of their own: behind them the table still has those of the plies that are undone, which
 * are true until this is written. Where the table's keys begin later than this ply, its own key is
 * left. */
static void cut_keys(struct course *course)
{
    size_t n = course->row.ply >= course->keys_from
                   ? (size_t)(course->row.ply - course->keys_from) + 1
                   : 0;
    uint64_t *keys = arena_alloc(course->arena, (n + 2) * sizeof(*keys));

    memcpy(keys, course->keys, n * sizeof(*keys));
    if (n == 0) {
        course->keys_from = course->row.ply;
        keys[n++] = course->game->key(&course->state);
    }
    course->keys = keys;
    course->nkeys = course->old_keys = n;
    course->keys_size = n + 1;
}

/* Adds the keys that were fetched behind those of the table. */
static void add_keys(struct course *course, const struct line_keys *ahead)
{
    uint64_t *keys = arena_alloc(course->arena, (course->nkeys + ahead->count) * sizeof(*keys));

    memcpy(keys, course->keys, course->nkeys * sizeof(*keys));
    memcpy(keys + course->nkeys, ahead->keys, ahead->count * sizeof(*keys));
    course->keys = keys;
    course->nkeys += ahead->count;
    course->keys_size = course->nkeys;
}

/* Writes where the course went, as an event from one ply to another. A computer opponent whose turn
 * it is there moves at once: no later request would make it move. */
static enum step write_line(struct job *job, struct play_course *play, int kind)
{
    struct course *course = &play->course;
    struct db_event *event = course_event(course, kind, 0);
    struct json answers, voids;
    struct game_view view;
    int32_t from;

    json_init(&voids, course->arena);
    if (course_goes_on(course))
        offers_end_by_jump(&course->offers, &voids);
    else
        offers_end_all(&course->offers, &voids);
    course_data(course, event,
                arena_format(course->arena, "\"from_ply\":%d,\"to_ply\":%d", job->table->row.ply,
                             course->row.ply));
    course_data(course, event, voids.out.text);
    json_init(&answers, course->arena);
    play_tell_moves(course, &answers);
    if (course_answer(course, &from) == COURSE_NEEDS_KEYS)
        return job_need_keys(job, from);
    view = play_course_view(course, play->seats);
    return play_write(job, play, 200, play_document(job, &view, &answers));
}

/* Lets the asker go to the ply *to, which becomes the one that is meant. `may_not` says what the
 * state of the game has against it. */
static enum step may_go(struct job *job,
                        enum problem (*may_not)(const struct db_game *, unsigned, int32_t *),
                        int32_t *to)
{
    const struct line_args *args = job->args;
    enum problem why;
    unsigned seats;
    enum step step = play_may_act(job, &args->guard, &seats);

    if (step != STEP_GO)
        return step;
    *to = args->to_ply;
    why = may_not(&job->table->row, seats, to);
    return why == PROBLEM_NONE ? STEP_GO : play_refuse(job, why, NULL);
}

/* ---- undo ---- */

static enum step undo_to(struct job *job, int32_t to)
{
    struct play_course *play = play_course(job);

    if (!go_to(&play->course, job, to, job->table->row.start))
        return play_fail(job);
    cut_keys(&play->course);
    play->course.kept_ply = to;
    return write_line(job, play, EVENT_UNDO);
}

static enum step step_undo(struct job *job)
{
    int32_t to;
    enum step step = may_go(job, may_not_undo_to, &to);

    /* The move that led there, and the one before: from its position that move is read. */
    if (step == STEP_GO && to > 0)
        step = job_need_moves(job, job->table->row.line, to > 1 ? to - 1 : 1, to);
    return step == STEP_GO ? undo_to(job, to) : step;
}

void lines_undo(struct request *request, db_id id, struct line_args *args)
{
    play_submit(request, id, step_undo, again_game, args);
}

/* ---- redo ---- */

static enum step redo_to(struct job *job, int32_t to)
{
    const struct db_game *row = &job->table->row;
    struct play_course *play = play_course(job);

    if (job->ahead.count != (size_t)(to - row->ply) ||
        !go_to(&play->course, job, to, row->position))
        return play_fail(job);
    add_keys(&play->course, &job->ahead);
    course_judge(&play->course);
    return write_line(job, play, EVENT_REDO);
}

/* A redo may lead to the position that ended the game, by repetition perhaps. To judge that, all
 * keys of the line are needed. */
static enum step step_redo(struct job *job)
{
    const struct db_game *row = &job->table->row;
    int32_t to;
    enum step step = may_go(job, may_not_redo_to, &to);

    if (step == STEP_GO)
        step = job_need_keys(job, 0);
    if (step == STEP_GO)
        step = job_need_keys_ahead(job, to);
    if (step == STEP_GO)
        step = job_need_moves(job, row->line, to > row->ply + 1 ? to - 1 : to, to);
    return step == STEP_GO ? redo_to(job, to) : step;
}

void lines_redo(struct request *request, db_id id, struct line_args *args)
{
    play_submit(request, id, step_redo, again_game, args);
}
