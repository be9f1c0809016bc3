/* test_large_queue.c - large requests take turns by the memory that they need. */
#include <criterion/criterion.h>
#include <string.h>

#include "api/http/intake.h"
#include "api/http/large_queue.h"
#include "api/http/request.h"

enum { KIB = 1 << 10, MIB = 1 << 20 };

static struct large_queue queue;

/* Budgets of 8, 8 and 16 MiB. */
static void open_queue(void)
{
    large_queue_open(&queue, 32 * MIB);
}

TestSuite(large_queue, .init = open_queue);

static uint64_t clients; /* each request is of a client of its own unless a test says otherwise */

/* A request whose body is to come. */
static struct request declared(size_t bytes)
{
    return (struct request){.body_most = bytes, .client = ++clients};
}

/* A request whose body is there. */
static struct request complete(size_t bytes)
{
    return (struct request){.body_most = bytes, .body_len = bytes, .client = ++clients};
}

/* Further bytes of a body come. False: it waits. */
static bool sends(struct request *request, size_t len, int64_t now)
{
    bool may = large_queue_may_take(&queue, request, len, now);

    if (may) {
        request->body_size = intake_size(request, len);
        request->body_len += len;
    }
    return may;
}

/* Further bytes of a body that is inside. */
static void has_come(struct request *request, size_t len, int64_t now)
{
    request->body_len -= len;
    cr_assert(sends(request, len, now));
}

/* The same, let in if it has to wait. */
static bool gets_in(struct request *request, size_t len, int64_t now)
{
    return sends(request, len, now) ||
           (large_queue_next_body(&queue, now) == request && sends(request, len, now));
}

/* ---- bodies ---- */

Test(large_queue, a_body_of_64_KiB_is_read_at_once)
{
    struct request request = declared(MIB);

    cr_assert(sends(&request, 64 * KIB, 0), "what comes counts, and not what is to come");
}

Test(large_queue, a_larger_body_waits_until_it_is_let_in)
{
    struct request request = declared(MIB);

    cr_assert_not(sends(&request, 64 * KIB + 1, 0));
    cr_assert_eq(large_queue_next_body(&queue, 0), &request);
    cr_assert(sends(&request, 64 * KIB + 1, 0));
    cr_assert_null(large_queue_next_body(&queue, 0));
}

Test(large_queue, a_body_that_is_dropped_never_waits)
{
    struct request too_large = declared(MIB);

    too_large.body_too_large = true;
    cr_assert(sends(&too_large, 70 * KIB, 0));
}

Test(large_queue, a_body_holds_what_has_come_and_little_more)
{
    struct request request = declared(16 * MIB);

    cr_assert(gets_in(&request, 100 * KIB, 0));
    cr_assert_leq(queue.bodies.held, 200 * KIB);
    while (request.body_len < 2 * MIB)
        cr_assert(gets_in(&request, 16 * KIB, 0));
    cr_assert_leq(queue.bodies.held, 2560 * KIB);
}

Test(large_queue, bodies_are_let_in_until_their_budget_is_used_up_and_one_goes_beyond)
{
    struct request request[10];

    for (int i = 0; i < 10; i++) {
        request[i] = declared(MIB);
        cr_assert_not(sends(&request[i], MIB, i));
    }
    for (int i = 0; i < 8; i++)
        cr_assert_eq(large_queue_next_body(&queue, 9), &request[i], "%d", i);
    cr_assert_null(large_queue_next_body(&queue, 9));
    large_queue_end(&request[3]);
    cr_assert_eq(large_queue_next_body(&queue, 9), &request[8]);
    cr_assert_null(large_queue_next_body(&queue, 9));
}

/* Or nobody would ever get to the end. */
Test(large_queue, of_bodies_that_all_grow_one_gets_to_its_end)
{
    struct request request[20];
    int done = 0;

    for (int i = 0; i < 20; i++) {
        request[i] = declared(4 * MIB);
        sends(&request[i], 128 * KIB, 0);
    }
    for (int pass = 0; pass < 2000 && done < 20; pass++) {
        struct request *next = large_queue_next_body(&queue, 0);

        cr_assert_not_null(next, "%d done", done);
        while (next->body_len < 4 * MIB && sends(next, 128 * KIB, 0))
            continue;
        if (next->body_len == 4 * MIB) {
            large_queue_end(next);
            done++;
        }
    }
    cr_assert_eq(done, 20);
    cr_assert_eq(queue.bodies.held, 0);
}

Test(large_queue, a_client_holds_no_more_than_it_leaves_to_others)
{
    struct request many[10], other = declared(2 * MIB);

    for (int i = 0; i < 10; i++) {
        many[i] = declared(MIB);
        many[i].client = 7;
        sends(&many[i], MIB, 0);
    }
    for (int i = 0; i < 5; i++) /* one of them beyond the limit */
        cr_assert_not_null(large_queue_next_body(&queue, 0), "%d", i);
    cr_assert_null(large_queue_next_body(&queue, 0));
    cr_assert(gets_in(&other, 2 * MIB, 0));
}

Test(large_queue, a_client_that_comes_anew_does_not_wait_behind_all_of_one_that_has_many)
{
    struct request many[40], other = complete(6 * KIB);

    for (int i = 0; i < 40; i++) {
        many[i] = complete(6 * KIB);
        many[i].client = 7;
        large_queue_may_begin(&queue, &many[i], 0);
    }
    large_queue_may_begin(&queue, &other, 1);
    cr_assert_eq(large_queue_next(&queue, 1), &many[0]);
    cr_assert_eq(large_queue_next(&queue, 1), &other);
    cr_assert_eq(large_queue_next(&queue, 1), &many[1]);
}

/* Fills the budget with bodies of 1 MiB of which all has come but a byte. The last goes beyond it.
 */
static void fill_with(struct request request[8], int64_t now)
{
    for (int i = 0; i < 8; i++) {
        request[i] = declared(MIB);
        cr_assert(gets_in(&request[i], MIB - 1, now));
    }
}

Test(large_queue, a_body_is_slow_only_if_it_holds_up_others)
{
    struct request request[8], more = declared(MIB);

    fill_with(request, 0);
    cr_assert_null(large_queue_slow(&queue, 10000000), "nobody waits");
    sends(&more, MIB, 50);
    cr_assert_null(large_queue_slow(&queue, 500000), "not yet");
    request[0].suspended = true; /* it is being handled */
    cr_assert_eq(large_queue_slow(&queue, 500001), &request[1]);
    large_queue_excuse(&request[1], 500001);
    cr_assert_eq(large_queue_slow(&queue, 500001), &request[2]);
}

Test(large_queue, a_client_that_sends_less_than_64_KiB_a_second_is_slow_though_it_is_never_silent)
{
    struct request request[8], more = declared(MIB), *slow = NULL;
    int64_t now;

    fill_with(request, 0);
    sends(&more, MIB, 0);
    for (int i = 0; i < 8; i++)
        request[i].body_most = 2 * MIB;
    for (now = 0; now < 3000000 && slow == NULL; now += 100000) {
        for (int i = 0; i < 8; i++)
            if (i != 5)
                has_come(&request[i], 8 * KIB, now);
            else
                has_come(&request[i], 3 * KIB, now);
        slow = large_queue_slow(&queue, now);
    }
    cr_assert_eq(slow, &request[5]);
    cr_assert_gt(now, 800000, "%d", (int)now);
}

/* ---- work ---- */

Test(large_queue, a_request_with_a_short_body_is_handled_at_once)
{
    struct request request = complete(LARGE_QUEUE_FREE);

    cr_assert(large_queue_may_begin(&queue, &request, 0));
}

Test(large_queue, what_bodies_unfold_to_bounds_how_many_are_handled)
{
    struct request request[4];

    for (int i = 0; i < 4; i++) {
        request[i] = complete(MIB);
        cr_assert_not(large_queue_may_begin(&queue, &request[i], 0));
    }
    cr_assert_eq(large_queue_next(&queue, 0), &request[0]);
    cr_assert_eq(large_queue_next(&queue, 0), &request[1]);
    cr_assert_not(large_queue_ready(&queue));
    cr_assert_null(large_queue_next(&queue, 0));
    large_queue_hold(&request[0]); /* it needed nothing */
    cr_assert(large_queue_ready(&queue));
    cr_assert_eq(large_queue_next(&queue, 0), &request[2]);
}

Test(large_queue, a_request_that_unfolds_to_much_keeps_others_out_until_it_ends)
{
    struct request first = complete(1000), second = complete(1000);

    large_queue_may_begin(&queue, &first, 0);
    large_queue_may_begin(&queue, &second, 0);
    cr_assert_eq(large_queue_next(&queue, 0), &first);
    arena_alloc(&first.arena, 8 * MIB);
    large_queue_hold(&first);
    cr_assert_null(large_queue_next(&queue, 0));
    large_queue_end(&first);
    arena_free(&first.arena);
    cr_assert_eq(large_queue_next(&queue, 0), &second);
}

Test(large_queue, small_requests_do_not_wait_for_large_ones)
{
    struct request large[3], small = complete(60 * KIB);

    for (int i = 0; i < 3; i++) {
        large[i] = complete(MIB);
        large_queue_may_begin(&queue, &large[i], 0);
        large_queue_next(&queue, 0);
    }
    large_queue_may_begin(&queue, &small, 0);
    cr_assert_eq(large_queue_next(&queue, 0), &small);
}

Test(large_queue, a_client_that_does_not_take_its_answer_is_slow_if_others_wait_for_its_memory)
{
    enum { TAKE_US = 5000000 };
    struct request request[3];

    for (int i = 0; i < 3; i++) {
        request[i] = complete(MIB);
        request[i].suspended = true;
        large_queue_may_begin(&queue, &request[i], 0);
        large_queue_next(&queue, 0);
    }
    cr_assert_null(large_queue_slow(&queue, 10 * TAKE_US), "both are worked on");
    request[1].suspended = false;
    large_queue_answered(&request[1], 50);
    cr_assert_null(large_queue_slow(&queue, TAKE_US + 50), "it has only just been answered");
    cr_assert_eq(large_queue_slow(&queue, TAKE_US + 51), &request[1]);
    large_queue_end(&request[2]);
    cr_assert_null(large_queue_slow(&queue, TAKE_US + 51), "nobody waits");
}

/* ---- the end ---- */

Test(large_queue, those_who_waited_too_long_are_taken_out_the_first_one_first)
{
    struct request body[2] = {declared(MIB), declared(MIB)}, work = complete(MIB);

    sends(&body[0], MIB, 10);
    sends(&body[1], MIB, 20);
    large_queue_may_begin(&queue, &work, 15);
    cr_assert(large_queue_anybody_waits(&queue));
    cr_assert_null(large_queue_give_up_body(&queue, 10));
    cr_assert_eq(large_queue_give_up_body(&queue, 20), &body[0]);
    cr_assert_null(large_queue_give_up_body(&queue, 20));
    cr_assert_eq(large_queue_give_up(&queue, 20), &work);
    cr_assert_eq(large_queue_next_body(&queue, 20), &body[1]);
    cr_assert_not(large_queue_anybody_waits(&queue));
}

Test(large_queue, a_request_that_ends_while_it_waits_leaves_no_trace)
{
    struct request request[3];

    for (int i = 0; i < 3; i++) {
        request[i] = declared(MIB);
        sends(&request[i], MIB, 0);
    }
    large_queue_end(&request[1]);
    cr_assert_eq(large_queue_next_body(&queue, 0), &request[0]);
    cr_assert_eq(large_queue_next_body(&queue, 0), &request[2]);
    cr_assert_null(large_queue_next_body(&queue, 0));
    large_queue_end(&request[1]);
    large_queue_end(&request[0]);
    large_queue_end(&request[2]);
    cr_assert_eq(queue.bodies.held, 0);
}

Test(large_queue, a_body_that_is_dropped_while_it_waits_to_grow_gives_back_what_it_holds)
{
    struct request request[8], other = declared(MIB);

    fill_with(request, 0);
    request[3].body_most = 2 * MIB;
    cr_assert_not(sends(&request[3], 64 * KIB, 0));
    large_queue_drop_body(&request[3]);
    cr_assert_leq(queue.bodies.held, 7 * MIB);
    cr_assert(gets_in(&other, MIB, 0));
}
