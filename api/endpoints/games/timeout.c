#include "api/endpoints/games/timeout.h"

#include "api/duty/due.h"
#include "api/duty/heartbeat.h"
#include "api/endpoints/use_case.h"
#include "api/game/draft.h"
#include "api/game/words.h"
#include "api/live/fetch.h"
#include "rules/rules.h"

/* ---- what follows ---- */

/* The clock stands still for a vacation, from its beginning. */
static enum step send_on_vacation(struct op *op, int64_t deadline, const struct db_span *vacation)
{
    struct draft *draft = use_case_draft_at(op, deadline);

    draft_leave(draft, draft->row.to_move, vacation);
    return use_case_write_first(op, draft);
}

void timeout_stop(struct draft *draft)
{
    int loser = draft->row.to_move;

    if (clock_runs(draft->clock))
        draft_stop(draft, STATUS_FINISHED, (int)rules_other((unsigned)loser), "timeout",
                   EVENT_TIMEOUT, loser);
    else
        draft_data(draft, draft_stop(draft, STATUS_ABORTED, 0, "no_start", EVENT_TIMEOUT, loser),
                   "\"reason\":\"no_start\"");
}

static enum step end_by_time(struct op *op, int64_t deadline)
{
    struct draft *draft = use_case_draft_at(op, deadline);

    timeout_stop(draft);
    return use_case_write_first(op, draft);
}

/* Whether the player to move is on a vacation of which the clock has not heard. */
static enum step look_for_vacation(struct op *op, const struct clock *clock, int64_t deadline,
                                   const struct db_span **found)
{
    const struct db_game *row = &op->live->row;
    const struct db_seat *seat = &row->seat[row->to_move - 1];
    const struct db_span *vacation;
    enum step step;

    *found = NULL;
    if (!clock->terms.vacation || !seat->has_player)
        return STEP_GO;
    step = fetch_vacation(op, row->to_move, &vacation);
    if (step == STEP_GO && vacation != NULL && vacation->from < deadline &&
        vacation->to > clock->state.remote_until[row->to_move - 1])
        *found = vacation;
    return step;
}

/* An outage is credited, which moves the deadline. */
static enum step write_credit(struct op *op)
{
    struct draft *draft = use_case_draft(op);

    return draft->nevents > 0 ? use_case_write_first(op, draft) : STEP_GO;
}

enum step timeout_settle(struct op *op)
{
    const struct db_game *row = &op->live->row;
    const struct clock *clock = op->live->clock;
    const struct db_span *vacation;
    int64_t deadline;
    enum step step = heartbeat_need(op, row->deadline_at);

    if (step != STEP_GO)
        return step;
    if (clock == NULL)
        return use_case_fail(op);
    deadline = clock_deadline(clock, row, &op->gaps);
    if (deadline > op->now)
        return write_credit(op);
    step = heartbeat_need(op, deadline);
    if (step == STEP_GO)
        step = look_for_vacation(op, clock, deadline, &vacation);
    if (step != STEP_GO)
        return step;
    return vacation != NULL ? send_on_vacation(op, deadline, vacation) : end_by_time(op, deadline);
}

/* ---- due work ---- */

/* The side to move is warned, by what all know of its clock: outages are credited first, and a
 * vacation of which the game has not heard is told instead. */
static enum step warn(struct op *op, const struct clock *clock)
{
    enum step step = heartbeat_need(op, op->now - HEARTBEAT_OUTAGE_US);
    const struct db_span *vacation;
    struct draft *draft;

    if (step == STEP_GO)
        step = look_for_vacation(op, clock, op->now, &vacation);
    if (step != STEP_GO)
        return step;
    if (vacation != NULL)
        return send_on_vacation(op, op->now, vacation);
    draft = use_case_draft(op);
    draft_warn(draft);
    return use_case_write_first(op, draft);
}

/* The run has begun with timeout_settle(), so there is time left, or the game is over. What is
 * left is to warn the side to move, if that is due, and to say when the next look is. A copy that
 * is stale might warn somebody who has moved, so it is confirmed first. Whoever moves the clock
 * after that stores anew what is due. */
static enum step step_keep(struct op *op)
{
    const struct db_due *due = op->args;
    const struct db_game *row = &op->live->row;
    const struct clock *clock = op->live->clock;
    int64_t warning = DB_NEVER, deadline = DB_NEVER;
    enum step step = op_need_confirmed(op);

    if (step != STEP_GO)
        return step;
    if (clock != NULL) {
        warning = clock_warning(clock, row, &op->gaps, op->now);
        if (warning <= op->now)
            return warn(op, clock);
        deadline = clock_deadline(clock, row, &op->gaps);
    }
    due_settle(op->request, due, warning < deadline ? warning : deadline);
    return STEP_OVER;
}

void timeout_keep(struct request *request, const struct db_due *due)
{
    struct db_due *args = arena_alloc(&request->arena, sizeof(*args));

    *args = *due;
    op_submit(op_new(request, step_keep, args), due->id);
}
