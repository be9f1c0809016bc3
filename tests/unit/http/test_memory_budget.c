/* test_memory_budget.c - who is let in by a budget of memory: how much a client may hold of it. */
#include <criterion/criterion.h>

#include "api/http/memory_budget.h"

enum { LIMIT = 100 };

static struct memory_budget budget;
static struct budget_place place[8];

static void open_budget(void)
{
    budget = (struct memory_budget){.limit = LIMIT, .grows = true};
}

static void close_budget(void)
{
    for (size_t i = 0; i < sizeof(place) / sizeof(place[0]); i++)
        budget_leave(&place[i]);
}

TestSuite(memory_budget, .init = open_budget, .fini = close_budget);

/* A request of a client waits until it may hold so much in all. */
static void wants(int i, uint64_t client, size_t bytes)
{
    budget_wait(&budget, &place[i], NULL, client, bytes, 0);
}

/* Asserts that this one is let in next; -1: nobody. */
static void lets_in(int i)
{
    struct budget_place *in = budget_let_in(&budget, 0);

    cr_assert_eq(in, i < 0 ? NULL : &place[i], "%d", in == NULL ? -1 : (int)(in - place));
}

/* Whether the place is the one that goes beyond the limit. */
static bool is_beyond(int i)
{
    return budget.beyond == &place[i];
}

Test(memory_budget, a_client_may_hold_as_much_as_it_leaves)
{
    wants(0, 7, 40);
    lets_in(0);
    wants(1, 7, 20);
    lets_in(1);
    cr_assert_not(is_beyond(1), "60 more were left, of which it holds 60 with its 40");
}

Test(memory_budget, a_client_that_would_hold_more_than_it_leaves_goes_beyond_the_limit)
{
    wants(0, 7, 40);
    lets_in(0);
    wants(1, 7, 21);
    lets_in(1);
    cr_assert(is_beyond(1));
}

Test(memory_budget, a_client_that_may_hold_no_more_keeps_nobody_else_out)
{
    wants(0, 7, 50);
    lets_in(0);
    wants(1, 7, 10);
    wants(2, 8, 50);
    lets_in(2);
    cr_assert_not(is_beyond(2));
}

Test(memory_budget, of_a_request_that_grows_only_what_it_lacks_counts)
{
    wants(0, 7, 30);
    lets_in(0);
    wants(0, 7, 50); /* 30 + 20 of the 70 that are left */
    lets_in(0);
    wants(0, 7, 50);
    lets_in(0);
    cr_assert_not(is_beyond(0));
    wants(0, 7, 51); /* 50 + 1 of 50 */
    lets_in(0);
    cr_assert(is_beyond(0));
}

Test(memory_budget, all_that_a_client_holds_counts_and_nothing_that_it_has_given_back)
{
    wants(0, 7, 30);
    wants(1, 7, 20);
    lets_in(0);
    lets_in(1);
    budget_leave(&place[0]);
    wants(2, 7, 60); /* 20 + 60 of 80 */
    lets_in(2);
    cr_assert_not(is_beyond(2));
}

Test(memory_budget, while_one_is_beyond_the_limit_a_client_that_may_hold_no_more_waits)
{
    wants(0, 7, 50);
    wants(1, 7, 1);
    wants(2, 7, 1);
    lets_in(0);
    lets_in(1);
    cr_assert(is_beyond(1));
    lets_in(-1);
    cr_assert_not(budget_is_open(&budget));
    budget_leave(&place[1]);
    lets_in(2);
    cr_assert(is_beyond(2));
}

Test(memory_budget, who_is_alone_may_hold_all_and_more)
{
    wants(0, 7, 10 * LIMIT);
    lets_in(0);
    cr_assert_not(is_beyond(0));
    wants(1, 8, 1);
    lets_in(1);
    cr_assert(is_beyond(1));
}

Test(memory_budget, where_requests_do_not_grow_a_client_may_hold_all)
{
    budget.grows = false;
    wants(0, 7, 50);
    wants(1, 7, 50);
    wants(2, 7, 1);
    lets_in(0);
    lets_in(1);
    lets_in(-1);
    cr_assert_null(budget.beyond);
}
