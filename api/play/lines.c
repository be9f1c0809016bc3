/*
 * play_lines.c - undo and redo. Nothing is deleted: the present position moves back and forth on
 * its line, and a move after an undo opens a new line (course.c).
 */
#include <string.h>

#include "api/game/may.h"
#include "api/http/reply.h"
#include "api/play/common.h"
#include "api/server.h"

/* Whether a person has yet to come. */
static bool waits_for_somebody(const struct db_game *row)
{
    return row->seat[0].state == SEAT_OPEN || row->seat[1].state == SEAT_OPEN;
}

/* The move that led to the present position of the course, of which only the text is known: how
 * the next one is written may depend on it. `before` is the position that it was played in. */
static void know_move(struct course *course, const struct table *table, const char *before)
{
    struct rules_state state;
    struct rules_refusal why;

    course->last = (rules_move){{0, 0}};
    if (course->row.last_move != NULL &&
        rules_load(table->game, &table->options, before, &state, &why))
        table->game->read_move(&state, course->row.last_move, &course->last, &why);
}

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
    if (waits_for_somebody(&course->row))
        course->row.status = STATUS_OPEN;
    know_move(course, table, n > 1 ? move[-1].position : before);
    return true;
}

/* The course's keys become those up to its ply, which is not above the table's, in memory of their
 * own: those of the table stay as they are until this is written. */
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

/* The keys of the moves that were fetched follow those of the table. */
static void add_keys(struct course *course, const struct line_moves *moves)
{
    uint64_t *keys = arena_alloc(course->arena, (course->nkeys + moves->count) * sizeof(*keys));

    memcpy(keys, course->keys, course->nkeys * sizeof(*keys));
    for (size_t i = 0; i < moves->count; i++)
        keys[course->nkeys++] = (uint64_t)moves->moves[i].key;
    course->keys = keys;
    course->keys_size = course->nkeys;
}

static void fail(struct job *job)
{
    reply_problem(job->request, "internal", NULL);
    job_done(job);
}

/* The game, and beside it what the computer opponent played. */
static const char *line_document(struct job *job, const struct course *course,
                                 const struct json *answers)
{
    struct game_view view = course_view(course);
    struct json json;

    if (job->request->form == FORM_TEXT)
        return view_game_text(course->arena, &view);
    json_init(&json, course->arena);
    json_open(&json, '{');
    view_game(&json, &view, job->request->choice);
    if (answers->out.len > 0) {
        json_key(&json, "answers");
        json_raw(&json, arena_format(course->arena, "[%s]", answers->out.text));
    }
    json_finish(&json);
    return json.out.text;
}

/* Writes where the course went. A computer opponent whose turn it is there moves at once: nothing
 * else would ever wake it. */
static void write_line(struct job *job, struct course *course)
{
    struct json answers;
    int32_t from;

    json_init(&answers, course->arena);
    if (course_answer(course, &answers, &from) == COURSE_NEEDS_KEYS) {
        job_need_keys(job, from);
        return;
    }
    write_course(job, course, 200, line_document(job, course, &answers));
}

static const char *span_text(struct job *job, int32_t from, int32_t to)
{
    return arena_format(&job->request->arena, "{\"from_ply\":%d,\"to_ply\":%d}", from, to);
}

/* ---- undo ---- */

static void step_undo(struct job *job)
{
    const struct undo_args *args = job->args;
    const struct db_game *row = &job->table->row;
    unsigned seats = may_act(job, &args->guard);
    const char *why;
    struct course *course;
    int32_t to = args->to_ply;

    if (seats == 0)
        return;
    why = may_not_undo_to(row, seats, &to);
    if (why != NULL) {
        refuse(job, why, NULL);
        return;
    }
    if (to > 0 && !job_need_moves(job, row->line, to > 1 ? to - 1 : 1, to))
        return;
    course = job_course(job);
    if (!go_to(course, job, to, row->start)) {
        fail(job);
        return;
    }
    cut_keys(course);
    course_event(course, EVENT_UNDO, 0)->data = span_text(job, row->ply, to);
    course->kept_ply = to;
    write_line(job, course);
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
    const char *why;
    struct course *course;
    size_t span;
    int32_t to = args->to_ply;

    if (seats == 0)
        return;
    why = may_not_redo_to(row, seats, &to);
    if (why != NULL) {
        refuse(job, why, NULL);
        return;
    }
    if (!job_need_keys(job, 0) || !job_need_moves(job, row->line, row->ply + 1, to))
        return;
    course = job_course(job);
    if (job->moves.count != (size_t)(to - row->ply) || !go_to(course, job, to, row->position)) {
        fail(job);
        return;
    }
    add_keys(course, &job->moves);
    span = course->game->span(&course->state);
    if (span > course->nkeys - 1)
        span = course->nkeys - 1;
    history = (struct rules_history){course->keys + course->nkeys - 1 - span, span};
    course_judge(course, &history);
    course_event(course, EVENT_REDO, 0)->data = span_text(job, row->ply, to);
    write_line(job, course);
}

void play_redo(struct request *request, db_id id, struct undo_args *args)
{
    struct job *job = new_job(request, step_redo, args);

    if (job != NULL)
        job_submit(job, id);
}
