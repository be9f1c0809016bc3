/* test_trace.c - traceparent: what is taken, and what is ignored. */
#include <criterion/criterion.h>

#include "api/loop/metering.h"

#define ID     "4bf92f3577b34da6a3ce929d0e0e4736"
#define PARENT "00f067aa0ba902b7"

Test(trace, a_well_formed_header_names_its_trace)
{
    static const char *const good[] = {"00-" ID "-" PARENT "-01", "00-" ID "-" PARENT "-00",
                                       "01-" ID "-" PARENT "-01", "cc-" ID "-" PARENT "-01-more"};
    char id[METERING_TRACE_TEXT];

    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        cr_assert(metering_trace_id(good[i], id), "%s", good[i]);
        cr_assert_str_eq(id, ID);
    }
}

Test(trace, an_ill_formed_header_names_none)
{
    static const char *const bad[] = {
        NULL,
        "",
        "00-" ID "-" PARENT,
        "00-" ID "-" PARENT "-1",
        "00-" ID "-" PARENT "-01-more",
        "01-" ID "-" PARENT "-01more",
        "ff-" ID "-" PARENT "-01",
        "0-" ID "-" PARENT "-01x",
        "00-00000000000000000000000000000000-" PARENT "-01",
        "00-" ID "-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-" PARENT "-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473-" PARENT "-011",
        "00_" ID "-" PARENT "-01",
        "00-" ID "-" PARENT "-zz",
    };
    char id[METERING_TRACE_TEXT];

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_assert_not(metering_trace_id(bad[i], id), "%s", bad[i] == NULL ? "NULL" : bad[i]);
}
