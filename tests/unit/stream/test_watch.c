/* test_watch.c - whose turn it is to be looked at, and when. */
#include <criterion/criterion.h>

#include "api/stream/watch.h"
#include "tests/unit/desk.h"

TestSuite(watch, .init = desk_open, .fini = desk_close);

enum { MS = 1000, THINGS = 40 };

static const struct watch_pace pace = {
    .at_once = 8, .few = 4, .few_us = 50 * MS, .many_us = 250 * MS, .least_us = 100 * MS};

static struct thing {
    struct watched watched;
    int looks;
} things[THINGS];

static struct watch watch;
static int looks;

static void look(void *of)
{
    ((struct thing *)of)->looks++;
    looks++;
}

static void open_watch(const struct watch_pace *used, size_t count)
{
    watch_init(&watch, &desk_loop, used, look);
    for (size_t i = 0; i < count; i++)
        watch_in(&watch, &things[i].watched, &things[i]);
}

static int looks_after(int64_t us)
{
    looks = 0;
    desk_loop.now += us;
    watch_run(&watch);
    return looks;
}

Test(watch, without_anything_there_is_nothing_to_look_at)
{
    open_watch(&pace, 0);
    cr_assert_eq(watch_next(&watch), INT64_MAX);
    cr_assert_eq(looks_after(1000 * MS), 0);
}

Test(watch, the_first_look_comes_a_whole_interval_after_the_first_thing)
{
    open_watch(&pace, 5);
    cr_assert_eq(watch_next(&watch), desk_loop.now + 250 * MS);
    cr_assert_eq(looks_after(250 * MS - 1), 0);
    cr_assert_eq(looks_after(1), 5);
    cr_assert_eq(looks_after(250 * MS - 1), 0);
    cr_assert_eq(looks_after(1), 5);
}

Test(watch, a_few_things_are_looked_at_more_often_but_not_more_than_is_allowed)
{
    struct watch_pace quick = pace;

    open_watch(&pace, 4);
    cr_assert_eq(watch_next(&watch), desk_loop.now + 100 * MS);
    quick.least_us = 0;
    open_watch(&quick, 4);
    cr_assert_eq(watch_next(&watch), desk_loop.now + 50 * MS);
}

Test(watch, many_things_have_their_turns_one_after_the_other)
{
    open_watch(&pace, 16);
    cr_assert_eq(watch_round_us(&watch), 250 * MS);
    for (int round = 1; round <= 4; round++) {
        cr_assert_eq(looks_after(125 * MS), 8);
        cr_assert_eq(looks_after(125 * MS), 8);
        for (int i = 0; i < 16; i++)
            cr_assert_eq(things[i].looks, round);
    }
}

Test(watch, very_many_things_have_their_turns_later)
{
    open_watch(&pace, THINGS);
    cr_assert_eq(watch_next(&watch), desk_loop.now + 100 * MS);
    cr_assert_eq(watch_round_us(&watch), 500 * MS);
}

Test(watch, whoever_looks_may_ask_for_a_rest_until_the_next_time)
{
    open_watch(&pace, 5);
    looks_after(250 * MS);
    watch.rest_us = 400 * MS;
    cr_assert_eq(looks_after(400 * MS - 1), 0);
    cr_assert_eq(looks_after(1), 5);
    cr_assert_eq(looks_after(250 * MS), 5);
}

Test(watch, what_is_taken_out_or_comes_does_not_change_the_order_of_the_others)
{
    open_watch(&pace, 12);
    looks_after(250 * MS); /* from 0 to 7 */
    watch_out(&watch, &things[8].watched);
    watch_out(&watch, &things[0].watched);
    watch_in(&watch, &things[12].watched, &things[12]);
    looks_after(250 * MS); /* from 9 to 11, from 1 to 5 */
    for (int i = 0; i < THINGS; i++)
        cr_assert_eq(things[i].looks, i >= 1 && i <= 5                     ? 2
                                      : i == 8 || (i >= 12 && i <= THINGS) ? 0
                                                                           : 1);
}
