/*
 * test_clock_take.c - what a request may say of a clock.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "api/game/clock.h"

static struct arena arena;
static struct json_error error;

/* Takes the clock of a creation. NULL: it is absent or refused. */
static const struct clock_terms *take(const char *text)
{
    static struct clock_terms terms;
    struct json_fields fields;
    struct json_value *body;
    bool taken;

    error = (struct json_error){PROBLEM_NONE, NULL, NULL};
    body = json_read(&arena, text, strlen(text), &error);
    cr_assert_not_null(body, "%s", text);
    json_fields(&fields, &arena, body, &error);
    taken = clock_take(&fields, &terms);
    json_free(body);
    return taken ? &terms : NULL;
}

static const struct clock_terms *take_clock(const char *clock)
{
    return take(arena_format(&arena, "{\"clock\":%s}", clock));
}

static void refuses(const char *clock, enum problem code, const char *pointer, const char *detail)
{
    cr_assert_null(take_clock(clock), "%s", clock);
    cr_assert_eq(error.code, code, "%s: %d", clock, error.code);
    cr_assert_str_eq(error.pointer, pointer, "%s", clock);
    cr_assert_str_eq(error.detail, detail, "%s: %s", clock, error.detail);
}

Test(clock_take, a_creation_without_a_clock_has_none_and_no_error)
{
    cr_assert_null(take("{}"));
    cr_assert_eq(error.code, PROBLEM_NONE);
    cr_assert_null(take("{\"clock\":null}"));
    cr_assert_eq(error.code, PROBLEM_NONE);
}

Test(clock_take, days_are_taken_with_three_days_for_the_first_move_and_vacations)
{
    const struct clock_terms *terms = take_clock("{\"kind\":\"days\",\"days\":2}");

    cr_assert_eq(terms->kind, CLOCK_DAYS);
    cr_assert_eq(terms->initial_us, 2 * CLOCK_DAY);
    cr_assert_eq(terms->first_move_us, 3 * CLOCK_DAY);
    cr_assert(terms->vacation);
}

Test(clock_take, fischer_takes_every_form_of_a_span)
{
    const struct clock_terms *terms =
        take_clock("{\"kind\":\"fischer\",\"initial\":\"10d\",\"increment\":\"36h\",\"max\":864000,"
                   "\"first_move\":\"90m\",\"vacation\":false}");

    cr_assert_eq(terms->kind, CLOCK_FISCHER);
    cr_assert_eq(terms->initial_us, 10 * CLOCK_DAY);
    cr_assert_eq(terms->increment_us, 36 * CLOCK_HOUR);
    cr_assert_eq(terms->max_us, 10 * CLOCK_DAY);
    cr_assert_eq(terms->first_move_us, 90 * 60 * CLOCK_SECOND);
    cr_assert_not(terms->vacation);
}

Test(clock_take, a_form_says_everything_in_texts)
{
    static const char form[] = "clock.kind=byoyomi&clock.initial=600&clock.period=30s&"
                               "clock.periods=3&clock.first_move=90&clock.vacation=true";
    struct json_error mistake = {PROBLEM_NONE, NULL, NULL};
    struct json_value *body = json_read_form(&arena, form, strlen(form), &mistake);
    struct json_fields fields;
    struct clock_terms terms;

    json_fields(&fields, &arena, body, &mistake);
    cr_assert(clock_take(&fields, &terms), "%s", mistake.detail);
    cr_assert_eq(terms.kind, CLOCK_BYOYOMI);
    cr_assert_eq(terms.initial_us, 600 * CLOCK_SECOND);
    cr_assert_eq(terms.period_us, 30 * CLOCK_SECOND);
    cr_assert_eq(terms.periods, 3);
    cr_assert_eq(terms.first_move_us, 90 * CLOCK_SECOND);
    cr_assert(terms.vacation);
    json_free(body);
}

static int64_t max_of(const char *initial, const char *increment)
{
    return take_clock(arena_format(&arena, "{\"kind\":\"fischer\",\"initial\":%s,\"increment\":%s}",
                                   initial, increment))
        ->max_us;
}

Test(clock_take, a_cap_that_is_left_out_is_the_larger_span_of_a_slow_clock_and_none_of_a_fast_one)
{
    cr_assert_eq(max_of("\"10d\"", "\"1h\""), 10 * CLOCK_DAY);
    cr_assert_eq(max_of("\"1d\"", "\"36h\""), 36 * CLOCK_HOUR);
    cr_assert_eq(max_of("\"10d\"", "3599"), CLOCK_SPAN_MAX);
    cr_assert_eq(max_of("\"10m\"", "0"), CLOCK_SPAN_MAX);
}

static const struct clock_terms *take_byoyomi(const char *initial, const char *period)
{
    return take_clock(arena_format(&arena, "{\"kind\":\"byoyomi\",\"initial\":%s,\"period\":%s}",
                                   initial, period));
}

Test(clock_take, byoyomi_has_one_period_if_no_number_is_said_and_may_have_nothing_else)
{
    const struct clock_terms *terms = take_byoyomi("0", "30");

    cr_assert_eq(terms->initial_us, 0);
    cr_assert_eq(terms->periods, 1);
    cr_assert_eq(terms->max_us, 0);
}

Test(clock_take, the_first_move_has_a_minute_if_the_clock_is_under_an_hour)
{
    cr_assert_eq(take_byoyomi("3569", "30")->first_move_us, 60 * CLOCK_SECOND);
    cr_assert_eq(take_byoyomi("3570", "30")->first_move_us, 3 * CLOCK_DAY);
}

Test(clock_take, vacations_are_known_by_default_from_a_day_with_each_move_on)
{
    cr_assert(take_byoyomi("600", "\"1d\"")->vacation);
    cr_assert_not(take_byoyomi("\"30d\"", "86399")->vacation);
    cr_assert(take_clock("{\"kind\":\"fischer\",\"initial\":5,\"increment\":\"24h\"}")->vacation);
}

static int64_t span_of(const char *span)
{
    return take_byoyomi("0", span)->period_us;
}

Test(clock_take, a_span_may_have_decimals_and_any_unit)
{
    cr_assert_eq(span_of("1.5"), 1500000);
    cr_assert_eq(span_of("\"1.000001\""), 1000001);
    cr_assert_eq(span_of("\"1.5h\""), 90 * 60 * CLOCK_SECOND);
    cr_assert_eq(span_of("\"0.25d\""), 6 * CLOCK_HOUR);
    cr_assert_eq(span_of("\"90s\""), 90 * CLOCK_SECOND);
    cr_assert_eq(span_of("\"10m\""), 600 * CLOCK_SECOND);
    cr_assert_eq(span_of("\"3650d\""), CLOCK_SPAN_MAX);
    cr_assert_eq(span_of("315360000"), CLOCK_SPAN_MAX);
    cr_assert_eq(span_of("1"), CLOCK_SECOND);
}

Test(clock_take, a_span_that_is_none_or_out_of_bounds_is_refused)
{
    static const char *const bad[] = {"0",
                                      "0.999999",
                                      "-1",
                                      "\"-5m\"",
                                      "\"\"",
                                      "\"m\"",
                                      "\"10 m\"",
                                      "\"10w\"",
                                      "\"10ms\"",
                                      "\"1h30m\"",
                                      "\".5h\"",
                                      "1e30",
                                      "true",
                                      "[10]",
                                      "{}",
                                      "\"3651d\"",
                                      "315360001",
                                      "\"3650.000001d\"",
                                      "\"1,5h\"",
                                      "\"1.0000001\"",
                                      "\"ten\"",
                                      "\"5\\n\"",
                                      "\"1e3\"",
                                      "\"999999999d\"",
                                      "\"9999999999\""};

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        refuses(arena_format(&arena, "{\"kind\":\"byoyomi\",\"initial\":0,\"period\":%s}", bad[i]),
                PROBLEM_BAD_PARAMETER, "/clock/period",
                "A time from 1s to 3650d is expected: a number of seconds, or a text like \"90s\", "
                "\"10m\", \"36h\" or \"3d\".");
}

Test(clock_take, a_refused_span_names_its_bounds)
{
    refuses("{\"kind\":\"fischer\",\"initial\":\"36h\",\"increment\":0,\"max\":\"35h\"}",
            PROBLEM_BAD_PARAMETER, "/clock/max",
            "A time from 36h to 3650d is expected: a number of seconds, or a text like \"90s\", "
            "\"10m\", \"36h\" or \"3d\".");
    refuses("{\"kind\":\"fischer\",\"initial\":90,\"increment\":-1}", PROBLEM_BAD_PARAMETER,
            "/clock/increment",
            "A time from 0s to 3650d is expected: a number of seconds, or a text like \"90s\", "
            "\"10m\", \"36h\" or \"3d\".");
    refuses("{\"kind\":\"fischer\",\"initial\":\"2m\",\"increment\":0,\"max\":1}",
            PROBLEM_BAD_PARAMETER, "/clock/max",
            "A time from 2m to 3650d is expected: a number of seconds, or a text like \"90s\", "
            "\"10m\", \"36h\" or \"3d\".");
}

Test(clock_take, a_kind_that_is_missing_or_unknown_is_refused)
{
    refuses("{}", PROBLEM_BAD_PARAMETER, "/clock/kind", "days, fischer or byoyomi is expected.");
    refuses("{\"initial\":5}", PROBLEM_BAD_PARAMETER, "/clock/kind",
            "days, fischer or byoyomi is expected.");
    refuses("{\"kind\":\"sand\"}", PROBLEM_BAD_PARAMETER, "/clock/kind",
            "days, fischer or byoyomi is expected.");
    refuses("{\"kind\":\"\"}", PROBLEM_BAD_PARAMETER, "/clock/kind",
            "days, fischer or byoyomi is expected.");
    refuses("{\"kind\":7}", PROBLEM_BAD_PARAMETER, "/clock/kind", "A text is expected.");
    refuses("7", PROBLEM_BAD_PARAMETER, "/clock",
            "An object is expected, such as "
            "{\"kind\":\"fischer\",\"initial\":\"5m\",\"increment\":\"3s\"}"
            " or {\"kind\":\"days\",\"days\":3}.");
}

Test(clock_take, a_member_that_is_missing_is_named_with_an_example)
{
    refuses("{\"kind\":\"days\"}", PROBLEM_BAD_PARAMETER, "/clock/days",
            "Say how many days there are for each move: \"days\":3.");
    refuses("{\"kind\":\"fischer\",\"increment\":5}", PROBLEM_BAD_PARAMETER, "/clock/initial",
            "Say how much time each side has at the start: \"initial\":\"10m\".");
    refuses("{\"kind\":\"fischer\",\"initial\":5}", PROBLEM_BAD_PARAMETER, "/clock/increment",
            "Say how much time each move adds: \"increment\":\"5s\".");
    refuses("{\"kind\":\"byoyomi\",\"period\":5}", PROBLEM_BAD_PARAMETER, "/clock/initial",
            "Say how much time each side has before its periods: \"initial\":\"10m\".");
    refuses("{\"kind\":\"byoyomi\",\"initial\":5}", PROBLEM_BAD_PARAMETER, "/clock/period",
            "Say how long a period is: \"period\":\"30s\".");
}

Test(clock_take, a_member_of_another_kind_is_unknown)
{
    refuses("{\"kind\":\"days\",\"days\":3,\"increment\":5}", PROBLEM_UNKNOWN_FIELD,
            "/clock/increment",
            "No field of that name is known here. Known here: kind, days, first_move, vacation.");
    refuses("{\"kind\":\"fischer\",\"initial\":5,\"increment\":5,\"periods\":2}",
            PROBLEM_UNKNOWN_FIELD, "/clock/periods",
            "No field of that name is known here. Known here: kind, initial, increment, max, "
            "first_move, vacation.");
}

Test(clock_take, numbers_of_days_and_periods_have_bounds)
{
    refuses("{\"kind\":\"days\",\"days\":0}", PROBLEM_BAD_PARAMETER, "/clock/days",
            "A whole number from 1 to 365 is expected.");
    refuses("{\"kind\":\"days\",\"days\":366}", PROBLEM_BAD_PARAMETER, "/clock/days",
            "A whole number from 1 to 365 is expected.");
    refuses("{\"kind\":\"days\",\"days\":1.5}", PROBLEM_BAD_PARAMETER, "/clock/days",
            "A whole number from 1 to 365 is expected.");
    refuses("{\"kind\":\"byoyomi\",\"initial\":0,\"period\":9,\"periods\":0}",
            PROBLEM_BAD_PARAMETER, "/clock/periods", "A whole number from 1 to 100 is expected.");
    refuses("{\"kind\":\"byoyomi\",\"initial\":0,\"period\":9,\"periods\":101}",
            PROBLEM_BAD_PARAMETER, "/clock/periods", "A whole number from 1 to 100 is expected.");
    refuses("{\"kind\":\"days\",\"days\":1,\"first_move\":0}", PROBLEM_BAD_PARAMETER,
            "/clock/first_move",
            "A time from 1s to 3650d is expected: a number of seconds, or a text like \"90s\", "
            "\"10m\", \"36h\" or \"3d\".");
    refuses("{\"kind\":\"days\",\"days\":1,\"vacation\":1}", PROBLEM_BAD_PARAMETER,
            "/clock/vacation", "true or false is expected.");
    cr_assert_eq(take_clock("{\"kind\":\"days\",\"days\":365}")->initial_us, 365 * CLOCK_DAY);
}

Test(clock_take, a_span_that_is_refused_or_absent_is_not_touched)
{
    static const char text[] = "{\"for\":\"8d\"}";
    struct json_value *body;
    struct json_fields fields;
    int64_t span = 7;

    error = (struct json_error){PROBLEM_NONE, NULL, NULL};
    body = json_read(&arena, text, strlen(text), &error);
    json_fields(&fields, &arena, body, &error);
    cr_assert_not(clock_take_span(&fields, "by", 0, CLOCK_DAY, &span));
    cr_assert_not(clock_take_span(&fields, "for", 0, 8 * CLOCK_DAY - 1, &span));
    cr_assert_eq(span, 7);
    cr_assert_str_eq(error.pointer, "/for");
    cr_assert(clock_take_span(&fields, "for", 8 * CLOCK_DAY, 8 * CLOCK_DAY, &span));
    cr_assert_eq(span, 8 * CLOCK_DAY);
    json_free(body);
}
