/* test_expiry.c - when stored answers are deleted, and which of them. */
#include <criterion/criterion.h>

#include "api/duty/expiry.h"
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

static void open_all(void)
{
    desk_open();
    here = true;
    desk_config.answers_days = DAYS;
    cr_assert(expiry_open(&desk_loop));
}

static void close_all(void)
{
    expiry_close(&desk_loop);
    here = false;
    desk_close();
}

TestSuite(expiry, .init = open_all, .fini = close_all);

/* The loop passes after this time. */
static void pass(int64_t us)
{
    desk_loop.now += us;
    expiry_run(&desk_loop);
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

    cr_assert_eq(expiry_timeout_ms(&desk_loop), us / 1000);
    pass(us - 1);
    cr_assert_eq(steps, before);
    pass(1);
    cr_assert_eq(steps, before + 1);
}

Test(expiry, answers_are_deleted_that_are_older_than_the_days_of_the_settings)
{
    int64_t before = db_now(desk_loop.db), after;

    cr_assert_eq(expiry_timeout_ms(&desk_loop), 0);
    pass(0);
    after = db_now(desk_loop.db);
    cr_assert_eq(steps, 1);
    cr_assert(step_before >= before - DAYS * DAY && step_before <= after - DAYS * DAY);
}

Test(expiry, a_step_that_has_found_as_many_as_it_may_is_soon_followed_by_another)
{
    pass(0);
    answer_step(DB_OK, DB_FORGET_MAX);
    assert_pause(SECOND / 5);
}

Test(expiry, a_step_that_has_found_fewer_is_followed_by_a_rest_of_a_minute)
{
    pass(0);
    answer_step(DB_OK, DB_FORGET_MAX - 1);
    assert_pause(60 * SECOND);
}

Test(expiry, after_a_step_that_failed_there_is_a_rest_too)
{
    pass(0);
    answer_step(DB_UNAVAILABLE, DB_FORGET_MAX);
    assert_pause(60 * SECOND);
}

Test(expiry, one_step_is_under_way_at_a_time)
{
    pass(0);
    pass(600 * SECOND);
    cr_assert_eq(steps, 1);
    cr_assert_eq(expiry_timeout_ms(&desk_loop), -1);
}

Test(expiry, a_daemon_that_drains_begins_no_step)
{
    desk_loop.draining = true;
    pass(600 * SECOND);
    cr_assert_eq(steps, 0);
    cr_assert_eq(expiry_timeout_ms(&desk_loop), -1);
    desk_loop.draining = false;
}
