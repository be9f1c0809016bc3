/* test_guard.c - If-Match: the versions of a game that a request was meant for. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/endpoints/guard.h"
#include "api/game/rights.h"
#include "rules/rules.h"
#include "tests/unit/requests.h"

TestSuite(guard, .fini = requests_free);

static bool holds(const char *header, int32_t version)
{
    struct db_game row = {.version = version};
    struct guard guard;

    cr_assert(guard_parse(header, &guard), "%s", header);
    return guard_holds(&guard, &row);
}

Test(guard, a_header_holds_for_the_versions_that_it_names)
{
    static const struct {
        const char *header;
        int32_t version;
        bool holds;
    } rows[] = {{NULL, 17, true},
                {"*", 17, true},
                {"\"17\"", 17, true},
                {"\"17\"", 18, false},
                {"\"017\"", 17, true},
                {"\"1\"", 17, false},
                {"\"16\", \"17\"", 17, true},
                {"\"17\",\"16\"", 17, true},
                {"\"16\" ,\t\"18\"", 17, false},
                {" \"17\" ", 17, true},
                {",, \"16\",,\"17\",", 17, true},
                {"\"999999999\"", 999999999, true},
                /* The form in which it was seen does not matter. */
                {"\"17-json\"", 17, true},
                {"\"17-json-you12-gzip\"", 17, true},
                {"\"1-7\"", 17, false},
                {"\"16-text\",\"17-text\"", 17, true},
                {"W/\"17-json\"", 17, false},
                /* A weak tag is never the same as another. */
                {"W/\"17\"", 17, false},
                {"W/\"17\", \"17\"", 17, true},
                {"W/\"17\", \"18\"", 17, false}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(holds(rows[i].header, rows[i].version), rows[i].holds, "%s at %d",
                     rows[i].header, rows[i].version);
}

Test(guard, what_is_no_list_of_tags_is_malformed)
{
    static const char *const bad[] = {"",           " ",
                                      ",",          "17",
                                      "\"17",       "17\"",
                                      "\"\"",       "\"x\"",
                                      "\"17x\"",    "\"-17\"",
                                      "\"17\" x",   "\"17\"\"18\"",
                                      "\"17\";q=1", "w/\"17\"",
                                      "W/17",       "W\"17\"",
                                      "Wx\"17\"",   "\"17x,\"18\"",
                                      "* ",         "*, \"17\"",
                                      "\"17\", *",  "\"17\" \"18\"",
                                      "'17'",       "\" 17\"",
                                      "\"17 \"",    "\"17\", x",
                                      "\"17json\"", "\"17-JSON\"",
                                      "\"17-json",  "\"17- json\"",
                                      "\"-json\"",  "\"17-\"x"};
    struct guard guard;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_expect_not(guard_parse(bad[i], &guard), "%s", bad[i]);
}

Test(guard, a_number_of_ten_digits_or_more_names_no_version_and_does_not_wrap)
{
    static const int32_t versions[] = {1, 17, 999999999, 1000000000, INT32_MAX};
    char header[64];

    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
        for (uint64_t wraps = 1; wraps < UINT64_C(1) << 31; wraps *= 2) {
            uint64_t number = (wraps << 32) + (uint64_t)versions[i];

            snprintf(header, sizeof(header), "\"%" PRIu64 "\"", number);
            cr_assert_not(holds(header, versions[i]), "%s at %d", header, versions[i]);
        }
    cr_assert_not(holds("\"0000000017\"", 17), "ten digits");
    cr_assert_not(holds("\"18446744073709551633\"", 17), "2^64 + 17");
    cr_assert_not(holds("\"99999999999999999999999999999999999999\"", 17));
    cr_assert(holds("\"4294967313\", \"17\"", 17), "the others count");
}

/* `n` tags from 1 on. */
static const char *tags(struct arena *arena, int n)
{
    const char *text = "";

    for (int i = 1; i <= n; i++)
        text = arena_format(arena, "%s%s\"%d\"", text, i == 1 ? "" : ", ", i);
    return text;
}

Test(guard, eight_tags_are_read_and_nine_are_too_many)
{
    struct request *request = requests_new(NULL);
    struct guard guard;

    for (int n = 1; n <= 8; n++) {
        const char *header = tags(&request->arena, n);

        for (int version = 1; version <= 9; version++)
            cr_assert_eq(holds(header, version), version <= n, "%s", header);
        cr_assert(holds(arena_format(&request->arena, "%s , ,", header), n));
    }
    cr_assert_not(guard_parse(tags(&request->arena, 9), &guard));
    cr_assert_not(
        guard_parse(arena_format(&request->arena, "%s x", tags(&request->arena, 8)), &guard));
}

/* A list at random, and whether it names the version. */
static const char *random_list(uint64_t *seed, struct arena *arena, int32_t version, bool *named)
{
    const char *list = "";

    *named = false;
    for (size_t n = 1 + rules_choose(seed, 8), i = 0; i < n; i++) {
        int32_t number = version + (int32_t)rules_choose(seed, 5) - 2;
        bool weak = rules_choose(seed, 3) == 0, huge = rules_choose(seed, 5) == 0;
        const char *digits = huge ? arena_format(arena, "%" PRId64, number + (INT64_C(3) << 32))
                                  : arena_format(arena, "%d", number);

        list =
            arena_format(arena, "%s%s%s\"%s\"", list, i == 0 ? "" : ",", weak ? "W/" : "", digits);
        *named |= number == version && !weak && !huge;
    }
    return list;
}

Test(guard, any_list_holds_if_one_of_its_strong_tags_is_the_version)
{
    struct arena arena = {NULL, NULL, NULL};
    uint64_t seed = 7;

    for (int i = 0; i < 5000; i++) {
        bool named;
        const char *list = random_list(&seed, &arena, 40 + i, &named);

        cr_assert_eq(holds(list, 40 + i), named, "%s at %d", list, 40 + i);
        arena_reset(&arena);
    }
    arena_free(&arena);
}

Test(guard, without_a_header_any_version_and_any_line_will_do)
{
    struct db_game row = {.version = 5};
    struct guard guard;

    cr_assert(guard_read(requests_new(NULL), &guard));
    cr_assert(guard_holds(&guard, &row));
    cr_assert_eq(guard.line, MAY_ANY);
    cr_assert(guard_parse("\"4\"", &guard));
    cr_assert_eq(guard.line, MAY_ANY);
    cr_assert(guard_holds(&guard_none, &row));
}

Test(guard, a_malformed_header_is_answered_and_a_good_one_is_not)
{
    struct request *bad = requests_new(NULL), *good = requests_new(NULL);
    struct guard guard;

    requests_header(bad, "If-Match", "17");
    cr_assert_not(guard_read(bad, &guard));
    requests_assert_problem(bad, PROBLEM_BAD_PARAMETER, "If-Match");
    requests_header(good, "If-Match", "\"17\"");
    cr_assert(guard_read(good, &guard));
    cr_assert_eq(requests_answers(good), 0);
    cr_assert_eq(guard.versions, 1);
    cr_assert_eq(guard.version[0], 17);
}
