/* test_prefer.c - how long a client wants to wait, and whether it wants a job. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "api/http/prefer.h"

static const struct {
    const char *header;
    int seconds;
} rows[] = {
    {NULL, 0},
    {"", 0},
    {"wait=25", 25},
    {"Wait=25", 25},
    {"wait=\"25\"", 25},
    {"wait=0", 0},
    {"wait=007", 7},
    {"respond-async, wait=25", 25},
    {"respond-async;wait=25", 25},
    {"respond-async,wait=25, handling=lenient", 25},
    {"wait=25; foo=1", 25},
    {"wait=25\t", 25},
    {" \twait=25", 25},
    {"wait=25, wait=5", 25},
    /* Other values are ignored. */
    {"wait", 0},
    {"wait=", 0},
    {"wait=\"\"", 0},
    {"wait=-1", 0},
    {"wait=+1", 0},
    {"wait=2.5", 0},
    {"wait=25s", 0},
    {"wait=soon", 0},
    {"waits=25", 0},
    {"waitx25", 0},
    {"wait 25", 0},
    {"await=25", 0},
    {"no wait=25", 0},
    {"wait= 25", 0},
};

Test(prefer, a_whole_number_of_seconds_is_waited_and_anything_else_is_ignored)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(prefer_wait_s(rows[i].header), rows[i].seconds, "%s: %d", rows[i].header,
                     prefer_wait_s(rows[i].header));
}

Test(prefer, nobody_waits_longer_than_a_minute)
{
    char header[64];

    for (int seconds = 0; seconds < 20000; seconds++) {
        snprintf(header, sizeof(header), "wait=%d", seconds);
        cr_assert_eq(prefer_wait_s(header), seconds < 60 ? seconds : 60, "%s", header);
    }
    cr_assert_eq(prefer_wait_s("wait=4294967297"), 60);
    cr_assert_eq(prefer_wait_s("wait=99999999999999999999999999"), 60);
}

Test(prefer, a_job_is_wanted_where_that_word_stands_alone)
{
    cr_assert(prefer_async("respond-async"));
    cr_assert(prefer_async("Respond-Async, wait=25"));
    cr_assert(prefer_async("wait=25;respond-async"));
    cr_assert_not(prefer_async(NULL));
    cr_assert_not(prefer_async(""));
    cr_assert_not(prefer_async("respond-async=1"));
    cr_assert_not(prefer_async("no-respond-async"));
    cr_assert_not(prefer_async("respond"));
}
