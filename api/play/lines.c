#include "api/play/lines.h"

#include "api/game/course.h"
#include "api/game/may.h"
#include "api/game/offers.h"
#include "api/game/words.h"
#include "api/play/again.h"
#include "api/play/common.h"
#include "api/play/jump.h"
#include "api/play/offering.h"
#include "api/table/jobs.h"
#include "api/table/needs.h"
#include "api/text/json.h"
#include "api/text/problem.h"

/* Writes where the course went. A computer opponent whose turn it is there moves at once: no later
 * request would make it move. */
static enum step write_line(struct job *job, struct play_course *play)
{
    struct course *course = &play->course;
    struct json answers;
    struct game_view view;
    int32_t from;

    json_init(&answers, course->arena);
    play_tell_moves(course, &answers);
    if (course_answer(course, &from) == COURSE_NEEDS_KEYS)
        return needs_keys(job, from);
    view = play_course_view(course, play->seats);
    return play_write(job, play, 200, play_document(job, &view, &answers));
}

/* ---- undo ---- */

static enum step step_undo(struct job *job)
{
    const struct line_args *args = job->args;
    int32_t to = args->to_ply;
    struct play_course *play;
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
    play = play_course(job);
    return jump_back(&play->course, job, to) ? write_line(job, play) : play_fail(job);
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

static enum step step_redo(struct job *job)
{
    const struct line_args *args = job->args;
    int32_t to = args->to_ply;
    struct play_course *play;
    enum problem why;
    unsigned seats;
    enum step step = play_may_act(job, &args->guard, &seats);

    if (step != STEP_GO)
        return step;
    why = may_not_redo_to(&job->table->row, seats, &to);
    if (why != PROBLEM_NONE)
        return play_refuse(job, why, NULL);
    step = jump_need_on(job, to);
    if (step != STEP_GO)
        return step;
    play = play_course(job);
    return jump_on(&play->course, job, to) ? write_line(job, play) : play_fail(job);
}

void lines_redo(struct request *request, db_id id, struct line_args *args)
{
    play_submit(request, id, step_redo, again_game, args);
}
