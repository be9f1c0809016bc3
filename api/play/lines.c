#include "api/play/lines.h"

#include <string.h>

#include "api/game/course.h"
#include "api/game/may.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/play/common.h"
#include "api/table/jobs.h"
#include "api/table/table.h"
#include "api/text/json.h"
#include "api/text/problem.h"
#include "api/view/game.h"
#include "api/view/game_text.h"
#include "api/view/view.h"
#include "rules/rules.h"

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

/* The game, and beside it what the computer opponent played. */
static const char *line_document(struct job *job, const struct course *course,
                                 const struct json *answers)
{
    struct game_view view = play_course_view(course);
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
static enum step write_line(struct job *job, struct course *course)
{
    struct json answers;
    int32_t from;

    json_init(&answers, course->arena);
    play_tell_moves(course, &answers);
    if (course_answer(course, &from) == COURSE_NEEDS_KEYS)
        return job_need_keys(job, from);
    return play_write(job, course, 200, line_document(job, course, &answers));
}

static const char *span_text(struct job *job, int32_t from, int32_t to)
{
    return arena_format(&job->request->arena, "{\"from_ply\":%d,\"to_ply\":%d}", from, to);
}

/* ---- undo ---- */

static enum step undo_to(struct job *job, int32_t to)
{
    const struct db_game *row = &job->table->row;
    struct course *course = play_course(job);

    if (!go_to(course, job, to, row->start))
        return play_fail(job);
    cut_keys(course);
    course_event(course, EVENT_UNDO, 0)->data = span_text(job, row->ply, to);
    course->kept_ply = to;
    return write_line(job, course);
}

static enum step step_undo(struct job *job)
{
    const struct line_args *args = job->args;
    const struct db_game *row = &job->table->row;
    int32_t to = args->to_ply;
    enum problem why;
    unsigned seats;
    enum step step = play_may_act(job, &args->guard, &seats);

    if (step != STEP_GO)
        return step;
    why = may_not_undo_to(row, seats, &to);
    if (why != PROBLEM_NONE)
        return play_refuse(job, why, NULL);
    if (to > 0)
        step = job_need_moves(job, row->line, to > 1 ? to - 1 : 1, to);
    return step == STEP_GO ? undo_to(job, to) : step;
}

void lines_undo(struct request *request, db_id id, struct line_args *args)
{
    play_submit(request, id, step_undo, args);
}

/* ---- redo ---- */

static enum step redo_to(struct job *job, int32_t to)
{
    const struct db_game *row = &job->table->row;
    struct course *course = play_course(job);

    if (job->moves.count != (size_t)(to - row->ply) || !go_to(course, job, to, row->position))
        return play_fail(job);
    add_keys(course, &job->moves);
    course_rejudge(course);
    course_event(course, EVENT_REDO, 0)->data = span_text(job, row->ply, to);
    return write_line(job, course);
}

static enum step step_redo(struct job *job)
{
    const struct line_args *args = job->args;
    const struct db_game *row = &job->table->row;
    int32_t to = args->to_ply;
    enum problem why;
    unsigned seats;
    enum step step = play_may_act(job, &args->guard, &seats);

    if (step != STEP_GO)
        return step;
    why = may_not_redo_to(row, seats, &to);
    if (why != PROBLEM_NONE)
        return play_refuse(job, why, NULL);
    step = job_need_keys(job, 0);
    if (step == STEP_GO)
        step = job_need_moves(job, row->line, row->ply + 1, to);
    return step == STEP_GO ? redo_to(job, to) : step;
}

void lines_redo(struct request *request, db_id id, struct line_args *args)
{
    play_submit(request, id, step_redo, args);
}
