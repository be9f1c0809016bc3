#include "api/endpoints/games/timeout.h"

#include "api/duty/due.h"
#include "api/duty/heartbeat.h"
#include "api/endpoints/common.h"
#include "api/game/draft.h"
#include "api/game/words.h"
#include "api/http/reply.h"
#include "api/live/fetch.h"
#include "rules/rules.h"

/* ---- what follows ---- */

/* The clock stands still for a vacation, from its beginning. */
static enum step send_on_vacation(struct job *job, int64_t deadline, const struct db_span *vacation)
{
    struct course *course = play_course_at(job, deadline);

    course_leave(course, course->row.to_move, vacation);
    return play_write_first(job, course);
}

static enum step end_by_time(struct job *job, int64_t deadline)
{
    struct course *course = play_course_at(job, deadline);
    int loser = course->row.to_move;

    if (clock_runs(course->clock))
        course_stop(course, STATUS_FINISHED, (int)rules_other((unsigned)loser), "timeout",
                    EVENT_TIMEOUT, loser);
    else
        course_data(course,
                    course_stop(course, STATUS_ABORTED, 0, "no_start", EVENT_TIMEOUT, loser),
                    "\"reason\":\"no_start\"");
    return play_write_first(job, course);
}

/* Whether the player to move is on a vacation of which the clock has not heard. */
static enum step look_for_vacation(struct job *job, const struct clock *clock, int64_t deadline,
                                   const struct db_span **found)
{
    const struct db_game *row = &job->table->row;
    const struct db_seat *seat = &row->seat[row->to_move - 1];
    const struct db_span *vacation;
    enum step step;

    *found = NULL;
    if (!clock->terms.vacation || !seat->has_player)
        return STEP_GO;
    step = needs_vacation(job, row->to_move, &vacation);
    if (step == STEP_GO && vacation != NULL && vacation->from < deadline &&
        vacation->to > clock->state.away_until[row->to_move - 1])
        *found = vacation;
    return step;
}

/* An outage is credited, which moves the deadline. */
static enum step write_credit(struct job *job)
{
    struct course *course = play_course(job);

    return course->nevents > 0 ? play_write_first(job, course) : STEP_GO;
}

enum step settle_due(struct job *job)
{
    const struct db_game *row = &job->table->row;
    const struct clock *clock = job->table->clock;
    const struct db_span *vacation;
    int64_t deadline;
    enum step step = pulse_need(job, row->deadline_at);

    if (step != STEP_GO)
        return step;
    if (clock == NULL)
        return play_fail(job);
    deadline = clock_deadline(clock, row, &job->gaps);
    if (deadline > job->now)
        return write_credit(job);
    step = pulse_need(job, deadline);
    if (step == STEP_GO)
        step = look_for_vacation(job, clock, deadline, &vacation);
    if (step != STEP_GO)
        return step;
    return vacation != NULL ? send_on_vacation(job, deadline, vacation)
                            : end_by_time(job, deadline);
}

/* ---- keeping a promise ---- */

/* The side to move is warned, by what all know of its clock: outages are credited first, and a
 * vacation of which the game has not heard is told instead. */
static enum step warn(struct job *job, const struct clock *clock)
{
    enum step step = pulse_need(job, job->now - PULSE_OUTAGE_US);
    const struct db_span *vacation;
    struct course *course;

    if (step == STEP_GO)
        step = look_for_vacation(job, clock, job->now, &vacation);
    if (step != STEP_GO)
        return step;
    if (vacation != NULL)
        return send_on_vacation(job, job->now, vacation);
    course = play_course(job);
    course_warn(course);
    return play_write_first(job, course);
}

/* The turn has begun with settle_due(), so there is time left, or the game is over. What is left is
 * to warn the side to move, if that is due, and to say when the next look is. A copy that is stale
 * might warn somebody who has moved, so it is confirmed first. Whoever moves the clock after that
 * promises anew what it needs. */
static enum step step_keep(struct job *job)
{
    const struct db_due *due = job->args;
    const struct db_game *row = &job->table->row;
    const struct clock *clock = job->table->clock;
    int64_t warning = DB_NEVER;
    enum step step = job_need_confirmed(job);

    if (step != STEP_GO)
        return step;
    if (clock != NULL) {
        warning = clock_warning(clock, row, &job->gaps, job->now);
        if (warning <= job->now)
            return warn(job, clock);
    }
    due_settle(job->request, due, warning < row->deadline_at ? warning : row->deadline_at);
    return STEP_OVER;
}

void settle_keep(struct request *request, const struct db_due *due)
{
    struct db_due *args = arena_alloc(&request->arena, sizeof(*args));

    *args = *due;
    job_submit(job_new(request, step_keep, args), due->id);
}
