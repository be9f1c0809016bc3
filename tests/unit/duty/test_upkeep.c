/* test_upkeep.c - when stored answers are deleted, and which of them; when positions are noted
 * again. */
#include <criterion/criterion.h>

#include "api/loop/part.h"
#include "db/library.h"
#include "tests/unit/desk.h"

enum { SECOND = 1000 * 1000, DAYS = 7 };

#define DAY (INT64_C(86400) * SECOND)

/* ---- what this suite answers in place of the database (the linker puts it there) ---- */

static bool here; /* the suite runs */
static int steps;
static int64_t step_before; /* of the last one */
static db_forgotten_callback *step_done;
static void *step_context;

void __real_db_forget_answers(struct db *db, int64_t before, db_forgotten_callback *done,
                              void *context);
void __wrap_db_forget_answers(struct db *db, int64_t before, db_forgotten_callback *done,
                              void *context);

void __wrap_db_forget_answers(struct db *db, int64_t before, db_forgotten_callback *done,
                              void *context)
{
    if (!here) {
        __real_db_forget_answers(db, before, done, context);
        return;
    }
    steps++;
    step_before = before;
    step_done = done;
    step_context = context;
}

static int renewals;
static db_renewed_callback *renewal_done;
static void *renewal_context;

void __real_db_renew_positions(struct db *db, db_renewed_callback *done, void *context);
void __wrap_db_renew_positions(struct db *db, db_renewed_callback *done, void *context);

void __wrap_db_renew_positions(struct db *db, db_renewed_callback *done, void *context)
{
    if (!here) {
        __real_db_renew_positions(db, done, context);
        return;
    }
    renewals++;
    renewal_done = done;
    renewal_context = context;
}

static void open_all(void)
{
    desk_open();
    here = true;
    desk_config.answers_days = DAYS;
    upkeep_part.open(&desk_loop);
}

static void close_all(void)
{
    upkeep_part.close(&desk_loop);
    here = false;
    desk_close();
}

TestSuite(upkeep, .init = open_all, .fini = close_all);

/* The loop passes after this time. */
static void pass(int64_t us)
{
    desk_loop.now += us;
    upkeep_part.run(&desk_loop);
}

static void answer_step(enum db_outcome outcome, size_t answers)
{
    step_done(step_context, &(struct db_reply){.outcome = outcome},
              &(struct db_forgotten){answers});
}

/* Asserts that the next step begins so long after the last one, and the loop wakes for it. */
static void assert_pause(int64_t us)
{
    int before = steps;

    cr_assert_eq(upkeep_part.timeout_ms(&desk_loop), us / 1000);
    pass(us - 1);
    cr_assert_eq(steps, before);
    pass(1);
    cr_assert_eq(steps, before + 1);
}

Test(upkeep, answers_are_deleted_that_are_older_than_the_days_of_the_settings)
{
    int64_t before = db_now(desk_loop.db), after;

    cr_assert_eq(upkeep_part.timeout_ms(&desk_loop), 0);
    pass(0);
    after = db_now(desk_loop.db);
    cr_assert_eq(steps, 1);
    cr_assert(step_before >= before - DAYS * DAY && step_before <= after - DAYS * DAY);
}

Test(upkeep, a_step_that_has_found_as_many_as_it_may_is_soon_followed_by_another)
{
    pass(0);
    answer_step(DB_OK, DB_FORGET_MAX);
    assert_pause(SECOND / 5);
}

Test(upkeep, a_step_that_has_found_fewer_is_followed_by_a_rest_of_a_minute)
{
    pass(0);
    answer_step(DB_OK, DB_FORGET_MAX - 1);
    assert_pause(60 * SECOND);
}

Test(upkeep, after_a_step_that_failed_there_is_a_rest_too)
{
    pass(0);
    answer_step(DB_UNAVAILABLE, DB_FORGET_MAX);
    assert_pause(60 * SECOND);
}

Test(upkeep, one_step_is_under_way_at_a_time)
{
    pass(0);
    pass(600 * SECOND);
    cr_assert_eq(steps, 1);
    cr_assert_eq(upkeep_part.timeout_ms(&desk_loop), -1);
}

Test(upkeep, a_daemon_that_drains_begins_no_step)
{
    desk_loop.draining = true;
    pass(600 * SECOND);
    cr_assert_eq(steps, 0);
    cr_assert_eq(upkeep_part.timeout_ms(&desk_loop), -1);
    desk_loop.draining = false;
}

/* ---- positions of older programs ---- */

static void answer_renewal(enum db_outcome outcome, size_t games)
{
    renewal_done(renewal_context, &(struct db_reply){.outcome = outcome},
                 &(struct db_renewed){.games = games});
}

/* Asserts the same of the next renewal; the answers are not looked at meanwhile. */
static void assert_renewal_pause(int64_t us)
{
    int before = renewals;

    pass(us - 1);
    cr_assert_eq(renewals, before);
    pass(1);
    cr_assert_eq(renewals, before + 1);
}

Test(upkeep, games_are_renewed_no_faster_than_they_are_noted)
{
    pass(0);
    answer_renewal(DB_OK, 100);
    assert_renewal_pause(100 * DB_RENEW_PAUSE_MS * 1000);
    answer_renewal(DB_OK, 1);
    assert_renewal_pause(SECOND / 5);
}

Test(upkeep, a_renewal_that_has_found_nothing_or_failed_is_followed_by_a_rest)
{
    pass(0);
    answer_renewal(DB_OK, 0);
    assert_renewal_pause(60 * SECOND);
    answer_renewal(DB_UNAVAILABLE, 5);
    assert_renewal_pause(60 * SECOND);
}

Test(upkeep, the_loop_wakes_for_whichever_comes_first)
{
    pass(0);
    answer_step(DB_OK, 0);
    answer_renewal(DB_OK, 1);
    cr_assert_eq(upkeep_part.timeout_ms(&desk_loop), 200);
    pass(SECOND / 5);
    cr_assert_eq(renewals, 2);
    cr_assert_eq(upkeep_part.timeout_ms(&desk_loop), 60 * 1000 - 200);
}
