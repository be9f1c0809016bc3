/* test_view_event.c - the data of an event as clients see it, and events as lines. */
#include <criterion/criterion.h>
#include <string.h>

#include "api/game/words.h"
#include "api/view/view.h"

static const struct {
    const char *stored, *shown;
} data[] = {
    {"{}", "{}"},
    {"{\"token\":true}", "{\"token\":true}"},
    {"{\"left\":true}", "{\"left\":true}"},
    {"{\"left\":\"1\",\"us\":\"2\"}", "{\"left\":\"1\",\"us\":\"2\"}"},
    {"{\"until_us\":1500000}", "{\"until_at\":\"1970-01-01T00:00:01.500Z\"}"},
    {"{\"deadline_us\":1500000}", "{\"deadline_at\":\"1970-01-01T00:00:01.500Z\"}"},
    {"{\"until_us\":null}", "{\"until_at\":null}"},
    {"{\"from_us\":0,\"to_us\":1000000}",
     "{\"from_at\":\"1970-01-01T00:00:00.000Z\",\"to_at\":\"1970-01-01T00:00:01.000Z\"}"},
    {"{\"us\":30000000,\"seat\":1}", "{\"seconds\":30,\"seat\":1}"},
    {"{\"spent_us\":1234567,\"a\":[1]}", "{\"spent_s\":1.234,\"a\":[1]}"},
    {"{\"spent_us\":-1}", "{\"spent_s\":0}"},
    {"{\"left_us\":[1000000,2500000],\"b\":2}", "{\"left_s\":[1,2.5],\"b\":2}"},
    {"{\"refrom_us\":1000000}", "{\"refrom_s\":1}"},
    {"{\"_us\":1000000,\"us_\":1,\"s\":1}", "{\"_s\":1,\"us_\":1,\"s\":1}"},
    {"{\"virus\":1}", "{\"virus\":1}"},
    {"{\"text\":\"\\\"us\\\": 5, until_us\"}", "{\"text\":\"\\\"us\\\": 5, until_us\"}"},
    {"{\"clock\":{\"moved\":6,\"1\":{\"left\":1500000,\"added\":1000000}}}",
     "{\"clock\":{\"moved\":6,\"1\":{\"left_s\":1.5,\"added_s\":1}}}"},
    {"{\"add_us\":86400000000,\"voids\":[3]}", "{\"add_s\":86400,\"voids\":[3]}"},
};

Test(view_event, times_and_spans_are_shown_as_everywhere)
{
    struct arena arena = {NULL, NULL, NULL};

    for (size_t i = 0; i < sizeof(data) / sizeof(data[0]); i++)
        cr_assert_str_eq(view_event_data(&arena, data[i].stored), data[i].shown);
    arena_free(&arena);
}

static void assert_line(const char *stored, const char *end)
{
    struct arena arena = {NULL, NULL, NULL};
    struct db_event event = {.version = 3, .kind = EVENT_MESSAGE, .line = 1, .data = stored};
    const char *line = view_event_line(&arena, &event);

    cr_assert_not_null(strstr(line, end), "%s", line);
    arena_free(&arena);
}

Test(view_event, a_message_is_shown_on_one_line_and_tamed)
{
    assert_line("{\"ply\":0,\"text\":\"two\\nlines\"}", "ply 0: two lines\n");
    assert_line("{\"ply\":0,\"text\":\"bell\\u0007\"}", "ply 0: bell?\n");
    assert_line("{\"ply\":0}", "ply 0\n");
    assert_line("{\"text\":7}", "ply 0\n");
    assert_line("no json", "ply 0\n");
}
