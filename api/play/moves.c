#include "api/play/moves.h"

#include <string.h>

#include "api/game/course.h"
#include "api/game/may.h"
#include "api/game/plans.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/reply_problem.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/play/again.h"
#include "api/play/common.h"
#include "api/play/offering.h"
#include "api/play/plans.h"
#include "api/play/refuse.h"
#include "api/text/json.h"
#include "api/text/problem.h"
#include "api/text/refusal.h"
#include "api/view/game.h"
#include "api/view/game_text.h"
#include "api/view/refusal.h"
#include "api/view/view.h"

/* Refuses move i, which the rules do not allow. The moves before it are not written either. */
static enum step refuse_move(struct job *job, const struct course *course, size_t i,
                             const struct rules_refusal *why)
{
    const struct move_args *args = job->args;
    struct request *request = job->request;
    struct game_view view = play_view(job);
    enum problem problem = problem_of(why->code);
    const char *move = wanted_text(job, &course->state, i);
    enum step step = job_need_confirmed(job);
    struct json json;

    if (step != STEP_GO)
        return step;
    refuse_open(request, &json, &view, problem,
                refusal_text(&request->arena, course->game, &course->state, move, why));
    view_refusal(&json, course->game, &course->state, why);
    json_member(&json, "move", move);
    if (args->count > 1)
        json_member_int(&json, "at", (int64_t)i);
    metrics_add(&request->loop->metrics.refusals[play_game_number(course->game)][why->code], 1);
    reply_problem_send(request, &json, problem);
    return STEP_OVER;
}

/* Refuses move i because the game is over. The rules say what ended it where the position did;
 * where people did, or the past, they would allow the move, and only the code is left. */
static enum step refuse_after_end(struct job *job, const struct course *course, size_t i)
{
    struct rules_refusal why;
    rules_move move;

    if (course->game->read_move(&course->state, wanted_text(job, &course->state, i), &move, &why) ||
        why.code != RULES_GAME_OVER)
        rules_refuse(&why, RULES_GAME_OVER, NULL);
    return refuse_move(job, course, i, &why);
}

static enum step play_one(struct job *job, struct play_course *play, size_t i)
{
    struct course *course = &play->course;
    enum problem not = may_not_move(&course->row, play->seats);
    int seat = course->row.to_move;
    struct rules_refusal why;
    int32_t from = 0;

    if (not == PROBLEM_RULE_GAME_OVER)
        return refuse_after_end(job, course, i);
    if (not != PROBLEM_NONE)
        return play_refuse(job, not, NULL);
    switch (course_play(course, wanted_text(job, &course->state, i), &why, &from)) {
    case COURSE_NEEDS_KEYS:
        return job_need_keys(job, from); /* then the step begins anew, with another course */
    case COURSE_REFUSED:
        return refuse_move(job, course, i, &why);
    case COURSE_PLAYED:
        break;
    }
    course->row.plans = plans_without(course->row.plans, seat);
    return STEP_GO;
}

static enum step play_all(struct job *job, struct play_course *play)
{
    const struct move_args *args = job->args;
    enum step step = STEP_GO;

    for (size_t i = 0; i < args->count && step == STEP_GO; i++)
        step = play_one(job, play, i);
    return step;
}

/* Ends the game by a word in place of a move. The ply stays the same. */
static enum step declare(struct job *job, struct play_course *play)
{
    const struct move_args *args = job->args;
    const struct table *table = job->table;
    int seat = table->row.to_move;
    struct rules_outcome outcome;
    struct rules_refusal why;

    if ((play->seats & seat_bit(seat)) == 0)
        return play_refuse(job, PROBLEM_NOT_YOUR_TURN, NULL);
    if (strcmp(args->texts[0], "resign") == 0)
        return play_end(job, play, STATUS_FINISHED, (int)rules_other((unsigned)seat), "resign",
                        EVENT_RESIGNED, seat);
    if (!table->game->declare(table->state, &outcome, &why))
        return refuse_move(job, &play->course, 0, &why);
    return play_end(job, play, STATUS_FINISHED, outcome.winner, rules_reason_text(outcome.reason),
                    EVENT_DECLARED, seat);
}

/* Offers a draw with the last move, unless that has ended the game. */
static enum step offer_draw(struct job *job, struct play_course *play)
{
    const struct move_args *args = job->args;
    struct course *course = &play->course;
    enum problem why;

    if (!args->offers_draw || !course_goes_on(course))
        return STEP_GO;
    why = may_not_offer(&course->row, play->seats, OFFER_DRAW);
    if (why != PROBLEM_NONE)
        return play_refuse(job, why, NULL);
    offering_ride(play, course->row.last_seat);
    return STEP_GO;
}

/* Plays the moves, lets the computer or a plan answer, and writes all of it as one: either every
 * move of a request is played or none. */
static enum step carry_on(struct job *job, struct play_course *play)
{
    const struct move_args *args = job->args;
    struct course *course = &play->course;
    struct json moves, answers;
    struct game_view view;
    enum step step;

    json_init(&moves, course->arena);
    json_init(&answers, course->arena);
    play_tell_moves(course, &moves);
    step = play_all(job, play);
    if (step == STEP_GO)
        step = offer_draw(job, play);
    if (step != STEP_GO)
        return step;
    play_tell_moves(course, &answers);
    step = plan_answer(job, play);
    if (step != STEP_GO)
        return step;
    view = play_course_view(course, play->seats);
    return play_write(job, play, 201,
                      play_moves_document(job, &view, args->single, &moves, &answers));
}

static struct play_course *begin(struct job *job)
{
    const struct move_args *args = job->args;
    struct play_course *play = play_course(job);

    play->dry_run = args->dry_run;
    return play;
}

static enum step step_moves(struct job *job)
{
    const struct move_args *args = job->args;
    const struct db_game *row = &job->table->row;
    struct guard guard = args->guard;
    enum step step;
    unsigned seats;

    /* A PUT that is repeated finds its own move there, and that move has raised the version and may
     * have opened a line. Its guards spoke of the game before it. */
    if (args->put && args->ply <= row->ply)
        guard = guard_none;
    step = play_may_act(job, &guard, &seats);
    if (step != STEP_GO)
        return step;
    if (args->ply != MAY_ANY && args->ply != row->ply + 1)
        return again_answer(job, seats);
    if (row->status == STATUS_ACTIVE && wanted_is_word(job))
        return declare(job, begin(job));
    step = play_know_last_move(job);
    return step == STEP_GO ? carry_on(job, begin(job)) : step;
}

void moves_play(struct request *request, db_id id, struct move_args *args)
{
    play_submit(request, id, step_moves, again_moves, args);
}
