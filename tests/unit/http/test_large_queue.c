/* test_large_queue.c - large requests take turns by the memory that they need. */
#include <criterion/criterion.h>
#include <string.h>

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

static struct request declared(size_t bytes)
{
    return (struct request){.body_most = bytes, .body_is_declared = true};
}

/* A request whose body is there. */
static struct request complete(size_t bytes)
{
    return (struct request){.body_most = bytes, .body_len = bytes};
}

/* ---- bodies ---- */

Test(large_queue, a_body_of_64_KiB_is_read_at_once)
{
    struct request request = declared(64 * KIB);

    cr_assert(large_queue_may_take(&queue, &request, 4 * KIB, 0));
}

Test(large_queue, a_larger_body_waits_until_it_is_let_in)
{
    struct request request = declared(MIB);

    cr_assert_not(large_queue_may_take(&queue, &request, 4 * KIB, 0));
    cr_assert_eq(large_queue_next_body(&queue, 0), &request);
    cr_assert(large_queue_may_take(&queue, &request, 4 * KIB, 0));
    cr_assert_null(large_queue_next_body(&queue, 0));
}

Test(large_queue, a_body_of_chunks_waits_once_it_is_larger)
{
    struct request request = {.body_most = MIB, .body_len = 60 * KIB};

    cr_assert(large_queue_may_take(&queue, &request, 4 * KIB, 0));
    cr_assert_not(large_queue_may_take(&queue, &request, 5 * KIB, 0));
}

Test(large_queue, a_body_that_is_dropped_never_waits)
{
    struct request too_large = declared(MIB), refused = declared(MIB);

    too_large.body_too_large = true;
    refused.body_refused = true;
    cr_assert(large_queue_may_take(&queue, &too_large, 4 * KIB, 0));
    cr_assert(large_queue_may_take(&queue, &refused, 4 * KIB, 0));
}

Test(large_queue, bodies_are_let_in_as_they_came_until_their_budget_is_used_up)
{
    struct request request[9];

    for (int i = 0; i < 9; i++) {
        request[i] = declared(MIB);
        large_queue_may_take(&queue, &request[i], KIB, i);
    }
    for (int i = 0; i < 8; i++)
        cr_assert_eq(large_queue_next_body(&queue, 9), &request[i]);
    cr_assert_null(large_queue_next_body(&queue, 9));
    large_queue_end(&request[3]);
    cr_assert_eq(large_queue_next_body(&queue, 9), &request[8]);
}

Test(large_queue, a_body_that_is_larger_than_the_budget_is_let_in_alone)
{
    struct request first = declared(MIB), large = declared(20 * MIB);

    large_queue_may_take(&queue, &first, KIB, 0);
    large_queue_may_take(&queue, &large, KIB, 0);
    cr_assert_eq(large_queue_next_body(&queue, 0), &first);
    cr_assert_null(large_queue_next_body(&queue, 0));
    large_queue_end(&first);
    cr_assert_eq(large_queue_next_body(&queue, 0), &large);
}

Test(large_queue, a_body_is_slow_only_if_it_holds_up_others)
{
    struct request request[9];

    for (int i = 0; i < 8; i++) {
        request[i] = declared(MIB);
        large_queue_may_take(&queue, &request[i], KIB, 0);
        large_queue_next_body(&queue, i);
    }
    cr_assert_null(large_queue_slow(&queue, 100), "nobody waits");
    request[8] = declared(MIB);
    large_queue_may_take(&queue, &request[8], KIB, 50);
    cr_assert_null(large_queue_slow(&queue, 0), "not yet");
    request[0].suspended = true; /* it is being handled */
    cr_assert_eq(large_queue_slow(&queue, 100), &request[1]);
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
    struct request request[3];

    for (int i = 0; i < 3; i++) {
        request[i] = complete(MIB);
        request[i].suspended = true;
        large_queue_may_begin(&queue, &request[i], 0);
        large_queue_next(&queue, 0);
    }
    cr_assert_null(large_queue_slow(&queue, 100), "both are worked on");
    request[1].suspended = false;
    large_queue_answered(&request[1], 50);
    cr_assert_null(large_queue_slow(&queue, 50), "it has only just been answered");
    cr_assert_eq(large_queue_slow(&queue, 51), &request[1]);
    large_queue_end(&request[2]);
    cr_assert_null(large_queue_slow(&queue, 51), "nobody waits");
}

Test(large_queue, a_client_that_sends_much_has_so_long_again_for_each_further_mib)
{
    struct request request = declared(8 * MIB), other = declared(MIB);

    large_queue_may_take(&queue, &request, 4 * KIB, 0);
    large_queue_next_body(&queue, 0);
    large_queue_may_take(&queue, &other, 4 * KIB, 0);
    cr_assert_null(large_queue_slow(&queue, 35000000));
    cr_assert_eq(large_queue_slow(&queue, 35000001), &request);
}

/* It may have waited for its second turn, and for a worker. */
Test(large_queue, a_client_has_its_time_from_the_answer_on_however_long_ago_its_body_was_let_in)
{
    struct request request = declared(8 * MIB), other = declared(MIB);

    large_queue_may_take(&queue, &request, 4 * KIB, 0);
    large_queue_next_body(&queue, 0);
    large_queue_may_take(&queue, &other, 4 * KIB, 0);
    large_queue_answered(&request, 50);
    cr_assert_null(large_queue_slow(&queue, 50));
    cr_assert_eq(large_queue_slow(&queue, 51), &request);
}

/* ---- the end ---- */

Test(large_queue, those_who_waited_too_long_are_taken_out_the_first_one_first)
{
    struct request body[2] = {declared(MIB), declared(MIB)}, work = complete(MIB);

    large_queue_may_take(&queue, &body[0], KIB, 10);
    large_queue_may_take(&queue, &body[1], KIB, 20);
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
        large_queue_may_take(&queue, &request[i], KIB, 0);
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
