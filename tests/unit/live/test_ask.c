/* test_ask.c - what is done with answers of the database: who is told, and what is charged. */
#include <criterion/criterion.h>
#include <time.h>

#include "api/live/ask.h"
#include "api/loop/loop.h"
#include "api/loop/metering.h"
#include "tests/unit/requests.h"

TestSuite(ask, .fini = requests_free);

static struct loop loop;

static struct sent_events {
    int calls, over;
    enum db_outcome outcome;
    const struct db_version *version;
    unsigned depth, over_depth; /* of the account at that time */
} told;

static void know(void *context, const struct db_version *version)
{
    told.calls += context == &told;
    told.version = version;
    told.depth = loop.depth;
}

static void know_also(void *context, const struct db_reply *reply, const struct db_version *version)
{
    know(context, version);
    told.outcome = reply->outcome;
}

/* Of the processor: a busy machine may give it to others meanwhile, which costs nothing. */
static int64_t worked_us(void)
{
    struct timespec used;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return used.tv_sec * INT64_C(1000000) + used.tv_nsec / 1000;
}

static void take_long(void *context)
{
    int64_t since = worked_us();

    while (worked_us() - since < 3 * METERING_WORK_US)
        ;
    told.calls += context == &told;
}

static void end_of_it(void *context)
{
    told.over += context == &told;
    told.over_depth = loop.depth;
}

/* The database answers. */
static void version(enum db_outcome outcome, db_version_callback *callback, void *context)
{
    static const struct db_version seven = {7}, none;

    callback(context, &(struct db_reply){.outcome = outcome}, outcome == DB_OK ? &seven : &none);
}

static void write_of(size_t stored, db_done_callback *callback, void *context)
{
    callback(context, &(struct db_reply){.outcome = DB_OK, .stored = stored});
}

Test(ask, whoever_asked_is_told_while_the_request_pays)
{
    struct request *request = requests_new(&loop);

    version(DB_OK, ASK(version, request, know, &told));
    cr_assert_eq(told.calls, 1);
    cr_assert_eq(told.version->version, 7);
    cr_assert_eq(told.depth, 1);
    cr_assert_eq(loop.depth, 0);
    cr_assert_eq(requests_answers(request), 0);
}

Test(ask, a_failure_is_answered_and_nobody_is_told)
{
    struct request *request = requests_new(&loop);

    version(DB_UNAVAILABLE, ASK(version, request, know, &told));
    cr_assert_eq(told.calls, 0);
    requests_assert_problem(request, PROBLEM_DATABASE_DOWN, NULL);
}

Test(ask, an_outcome_that_is_taken_is_told_and_not_answered)
{
    struct request *request = requests_new(&loop);

    version(DB_NOT_FOUND, ASK_ALSO(version, request, ASK_MISSING, know_also, &told));
    cr_assert_eq(told.calls, 1);
    cr_assert_eq(told.outcome, DB_NOT_FOUND);
    cr_assert_eq(requests_answers(request), 0);
}

Test(ask, an_outcome_that_others_take_is_answered)
{
    struct request *request = requests_new(&loop);

    version(DB_CONFLICT, ASK_ALSO(version, request, ASK_MISSING, know_also, &told));
    cr_assert_eq(told.calls, 0);
    requests_assert_problem(request, PROBLEM_OVERLOADED, NULL);
}

Test(ask, whoever_takes_nothing_else_is_told_of_success)
{
    version(DB_OK, ASK_ALSO(version, requests_new(&loop), 0, know_also, &told));
    cr_assert_eq(told.calls, 1);
}

Test(ask, what_is_done_with_an_answer_costs_the_request)
{
    struct request *request = requests_new(&loop);

    metering_pass(&loop);
    write_of(0, ASK(done, request, take_long, &told));
    cr_assert_eq(told.calls, 1);
    cr_assert_gt(metering_cost(request), 1);
}

Test(ask, what_a_write_has_stored_costs_the_request)
{
    struct request *request = requests_new(&loop);

    write_of(3 * METERING_STORED_BYTES, ASK(done, request, end_of_it, &told));
    cr_assert_eq(request->stored, 3 * METERING_STORED_BYTES);
    cr_assert_eq(metering_cost(request), 3);
}

Test(ask, what_comes_after_it_is_not_the_requests)
{
    struct request *request = requests_new(&loop);
    union ask_then then = {.version = know};

    version(DB_OK, ask_on_version, ask_before(ask_new(request, 0, then, &told), end_of_it, &told));
    cr_assert_eq(told.calls, 1);
    cr_assert_eq(told.over, 1);
    cr_assert_eq(told.over_depth, 0);
}
