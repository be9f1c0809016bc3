/* test_view_event.c - the data of events as clients see it (api/view/event.h). */
#include <criterion/criterion.h>

#include "api/view/event.h"

static struct arena arena;

static void forget(void)
{
    arena_free(&arena);
}

TestSuite(view_event, .fini = forget);

Test(view_event, times_and_spans_are_shown_in_units_that_people_read)
{
    static const struct {
        const char *stored, *shown;
    } rows[] = {
        {"{}", "{}"},
        {"{\"offer\":18}", "{\"offer\":18}"},
        {"{\"spent_us\":1500000}", "{\"spent_s\":1.5}"},
        {"{\"us\":3000000}", "{\"seconds\":3}"},
        {"{\"until_us\":1750000001000000}", "{\"until_at\":\"2025-06-15T15:06:41.000Z\"}"},
        {"{\"left_us\":[1000000,2000000],\"a\":1}", "{\"left_s\":[1,2],\"a\":1}"},
        {"{\"bonus\":1,\"text\":\"\\\"us\\\": 5\"}", "{\"bonus\":1,\"text\":\"\\\"us\\\": 5\"}"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_str_eq(view_event_data(&arena, rows[i].stored), rows[i].shown);
}

/* The data of an event may come from an imported log. */
Test(view_event, what_is_no_whole_number_of_microseconds_keeps_its_value)
{
    static const char *const values[] = {"1.5", "1e5", "\"soon\"", "null", "[1.5,2]", "{}", "[]"};

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        cr_expect_str_eq(
            view_event_data(&arena, arena_format(&arena, "{\"spent_us\":%s}", values[i])),
            arena_format(&arena, "{\"spent_s\":%s}", values[i]));
}
