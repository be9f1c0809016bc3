/* undo.c - undo and redo. */
#include <string.h>

#include "api/endpoints/common.h"
#include "api/endpoints/games/move_input.h"
#include "api/endpoints/games/moves.h"
#include "api/endpoints/games/offers.h"
#include "api/endpoints/games/repeats.h"
#include "api/endpoints/games/seek.h"
#include "api/endpoints/games/undo.h"
#include "api/endpoints/guard.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/look.h"
#include "api/game/draft.h"
#include "api/game/offers.h"
#include "api/game/rights.h"
#include "api/game/words.h"
#include "api/http/body.h"
#include "api/http/prefer.h"
#include "api/http/query.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/fetch.h"
#include "api/live/op.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"
#include "db/db.h"
#include "rules/rules.h"

enum { OVER_MAX = 2048 }; /* plies of a line that the game goes over to, some 3 ms of the loop */

/* Writes where the course went. A computer opponent whose turn it is there moves at once: no later
 * request would make it move. */
static enum step write_line(struct job *job, struct course *course)
{
    struct json answers;
    struct game_view view;
    int32_t from;

    json_init(&answers, course->arena);
    play_tell_moves(course, &answers);
    if (course_answer(course, &from) == COURSE_NEEDS_KEYS)
        return needs_keys(job, from);
    view = play_course_view(job->request, course, course->seats);
    return play_write(job, course, 200, play_document(job, &view, &answers));
}

/* ---- undo ---- */

static enum step step_undo(struct job *job)
{
    const struct line_args *args = job->args;
    int32_t to = args->to_ply;
    struct course *course;
    enum problem why;
    unsigned seats;
    enum step step = play_may_act(job, &args->guard, &seats);

    if (step != STEP_GO)
        return step;
    why = may_not_undo_to(&job->table->row, seats, &to);
    if (why == PROBLEM_UNDO_NEEDS_CONSENT)
        return offering_ask(job, seats, (struct offer){.kind = OFFER_UNDO, .to_ply = args->to_ply},
                            202);
    if (why != PROBLEM_NONE)
        return play_refuse(job, why, NULL);
    step = jump_need_back(job, to);
    if (step != STEP_GO)
        return step;
    course = play_course(job);
    return jump_back(course, job, to) ? write_line(job, course) : play_fail(job);
}

/* It has asked for the other side's consent, or it was done at once. */
static enum step again_undo(struct job *job)
{
    return job->told.kind == EVENT_OFFERED ? offering_again(job, 202) : again_game(job);
}

void lines_undo(struct request *request, db_id id, struct line_args *args)
{
    play_submit(request, id, step_undo, again_undo, args);
}

/* ---- redo ---- */

static enum step go_over(struct job *job, int32_t end)
{
    const struct line_args *args = job->args;
    const struct db_game *row = &job->table->row;
    int32_t to = args->to_ply == MAY_ANY ? end : args->to_ply, shared;
    struct course *course;
    struct line_moves moves;
    enum step step;

    if (end == 0 || to > end)
        return reading_no_such_ply(job);
    if (end > OVER_MAX) {
        reply_problem(job->request, PROBLEM_GAME_TOO_LONG,
                      "The line is too long to be played again here. Fork the game on that line.");
        return STEP_OVER;
    }
    step = jump_need_line(job, args->line, end, &moves, &shared);
    if (step != STEP_GO)
        return step;
    if (shared == end && to == row->ply && status_goes_on(row->status))
        return play_refuse(job, PROBLEM_NOTHING_TO_REDO, NULL);
    course = play_course(job);
    return jump_over(course, job, &moves, shared, to) ? write_line(job, course) : play_fail(job);
}

static enum step redo_line(struct job *job, unsigned seats)
{
    const struct line_args *args = job->args;
    const struct db_game *row = &job->table->row;
    enum problem why = may_not_change_line(row, seats);
    enum step step;
    int32_t end;

    if (why != PROBLEM_NONE)
        return play_refuse(job, why, NULL);
    if (args->line > row->lines)
        return reading_no_such_ply(job);
    step = reading_line_end(job, args->line, &end);
    return step == STEP_GO ? go_over(job, end) : step;
}

static enum step step_redo(struct job *job)
{
    const struct line_args *args = job->args;
    int32_t to = args->to_ply;
    struct course *course;
    enum problem why;
    unsigned seats;
    enum step step = play_may_act(job, &args->guard, &seats);

    if (step != STEP_GO)
        return step;
    if (args->line != 0 && args->line != job->table->row.line)
        return redo_line(job, seats);
    why = may_not_redo_to(&job->table->row, seats, &to);
    if (why != PROBLEM_NONE)
        return play_refuse(job, why, NULL);
    step = jump_need_on(job, to);
    if (step != STEP_GO)
        return step;
    course = play_course(job);
    return jump_on(course, job, to) ? write_line(job, course) : play_fail(job);
}

void lines_redo(struct request *request, db_id id, struct line_args *args)
{
    play_submit(request, id, step_redo, again_game, args);
}

/* ---- requests ---- */

static void take_ply(struct json_fields *fields, struct line_args *args)
{
    int64_t number;

    args->to_ply = MAY_ANY;
    if (json_take_int(fields, "to_ply", 0, INT32_MAX, &number))
        args->to_ply = (int32_t)number;
}

static void refuse_count(struct json_fields *fields)
{
    if (json_has(fields, "count"))
        json_refuse(fields, PROBLEM_UNKNOWN_FIELD, "count",
                    "Say to which ply the game goes, {\"to_ply\": 0}, or nothing for one step. Its "
                    "member `ply` says where it is.");
}

static void take_undo(struct json_fields *fields, void *args)
{
    take_ply(fields, args);
    refuse_count(fields);
}

static void take_redo(struct json_fields *fields, void *context)
{
    struct line_args *args = context;
    int64_t number;

    take_ply(fields, args);
    if (json_take_int(fields, "line", 1, INT32_MAX, &number))
        args->line = (int32_t)number;
    refuse_count(fields);
}

void handle_undo(struct request *request)
{
    struct line_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (input_id(request, &id) && guard_read_args(request, &args->guard, "to_ply", take_undo, args))
        lines_undo(request, id, args);
}

void handle_redo(struct request *request)
{
    struct line_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (input_id(request, &id) && guard_read_args(request, &args->guard, "to_ply", take_redo, args))
        lines_redo(request, id, args);
}
