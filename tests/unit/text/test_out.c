/* test_out.c - texts that grow, the memory that they grow in, and JSON on its way out. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/text/json.h"
#include "rules/rules.h"
#include "tests/unit/seen.h"

static struct arena arena;

static void free_arena(void)
{
    arena_free(&arena);
}

TestSuite(out, .fini = free_arena);

/* ---- texts ---- */

enum { MODEL_BYTES = 1 << 16 };

static void assert_same(const struct out *out, const char *model, size_t len)
{
    cr_assert_eq(out->len, len);
    cr_assert_arr_eq(out->text, model, len);
    cr_assert_eq(out->text[len], '\0');
    cr_assert_lt(out->len, out->size);
}

Test(out, what_is_added_stands_behind_what_was_there_and_what_is_cut_is_gone)
{
    static char model[MODEL_BYTES];
    uint64_t seed = 9;
    struct out out;
    size_t len = 0;

    memset(arena_alloc(&arena, 4096), 'x', 4096);
    arena_reset(&arena);
    out_init(&out, &arena);
    assert_same(&out, "", 0);
    for (int i = 0; i < 2000 && len < MODEL_BYTES - 6000; i++) {
        char piece[3000];
        size_t more = rules_choose(&seed, rules_choose(&seed, 10) == 0 ? sizeof(piece) - 8 : 40);

        memset(piece, (int)('a' + rules_choose(&seed, 26)), more);
        piece[more] = '\0';
        switch (rules_choose(&seed, 6)) {
        case 0:
            out_add(&out, piece);
            break;
        case 1:
            out_bytes(&out, piece, more);
            break;
        case 2:
            out_format(&out, "%s%d%%", piece, 42);
            strcat(piece, "42%");
            more += 3;
            break;
        case 3:
            len -= rules_choose(&seed, len / 40 + 1);
            out_cut(&out, len);
            more = 0;
            break;
        default:
            out_format(&out, "%s", piece);
        }
        memcpy(model + len, piece, more);
        len += more;
        assert_same(&out, model, len);
    }
}

Test(out, numbers_are_written_in_decimal_digits)
{
    struct out out;

    out_init(&out, &arena);
    out_number(&out, 0);
    out_add(&out, " ");
    out_number(&out, 1020);
    out_add(&out, " ");
    out_number(&out, UINT64_MAX);
    assert_same(&out, "0 1020 18446744073709551615", 27);
}

Test(out, a_text_that_is_many_times_as_long_as_the_room_finds_room)
{
    static char model[MODEL_BYTES];
    struct out out;

    memset(model, 'y', sizeof(model) - 1);
    out_init(&out, &arena);
    out_add(&out, model);
    assert_same(&out, model, sizeof(model) - 1);
}

Test(out, every_length_around_the_borders_of_growth_is_kept)
{
    for (size_t len = 1000; len < 1050; len++)
        for (size_t more = 0; more < 3; more++) {
            struct out out;

            out_init(&out, &arena);
            for (size_t i = 0; i < len; i++)
                out_bytes(&out, "x", 1);
            out_format(&out, "%.*s", (int)more, "yz");
            cr_assert_eq(out.len, len + more);
            cr_assert_eq(strlen(out.text), len + more);
            cr_assert_lt(out.len, out.size);
            arena_reset(&arena);
        }
}

/* ---- memory ---- */

Test(out, pieces_of_an_arena_are_aligned_and_do_not_overlap)
{
    enum { PIECES = 300 };
    unsigned char *pieces[PIECES];
    size_t sizes[PIECES];
    uint64_t seed = 2;

    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < PIECES; i++) {
            sizes[i] = rules_choose(&seed, rules_choose(&seed, 20) == 0 ? 60000 : 300);
            pieces[i] = arena_alloc(&arena, sizes[i]);
            cr_assert_eq((uintptr_t)pieces[i] % 16, 0);
            memset(pieces[i], (int)(i & 0xff), sizes[i]);
        }
        for (size_t i = 0; i < PIECES; i++)
            for (size_t at = 0; at < sizes[i]; at++)
                if (pieces[i][at] != (i & 0xff))
                    cr_assert_fail("piece %zu, byte %zu", i, at);
        arena_reset(&arena);
    }
}

Test(out, an_arena_that_is_reset_gives_the_same_memory_again)
{
    char *first = arena_alloc(&arena, 100);

    memset(first, 'x', 100);
    for (int i = 0; i < 100; i++)
        arena_alloc(&arena, 1000);
    arena_reset(&arena);
    cr_assert_eq(arena_alloc(&arena, 100), first);
    arena_reset(&arena);
    cr_assert_eq(arena_zero(&arena, 100), first);
    for (int i = 0; i < 100; i++)
        cr_assert_eq(first[i], 0);
    arena_free(&arena);
    arena_reset(&arena);
    cr_assert_not_null(arena_alloc(&arena, 0));
}

Test(out, a_copy_ends_where_it_is_told_to)
{
    memset(arena_alloc(&arena, 64), 'x', 64);
    arena_reset(&arena);
    cr_assert_str_eq(arena_copy(&arena, "abcdef", 3), "abc");
    cr_assert_str_eq(arena_copy(&arena, "", 0), "");
    cr_assert_str_eq(arena_format(&arena, "%s-%d", "x", 7), "x-7");
}

/* ---- JSON ---- */

/* A value at random, written by json_* and, byte by byte, by hand. */
static const char *write_value(struct json *json, uint64_t *seed, int depth);

static const char *write_text(struct json *json, uint64_t *seed, bool key)
{
    static const char *const texts[][2] = {{"", ""},
                                           {"plain", "plain"},
                                           {"a\"b", "a\\\"b"},
                                           {"\\", "\\\\"},
                                           {"\n\t\x01\x1f", "\\u000a\\u0009\\u0001\\u001f"},
                                           {"\xe2\x98\x97 \x7f/", "\xe2\x98\x97 \x7f/"},
                                           {"\"", "\\\""}};
    size_t i = rules_choose(seed, sizeof(texts) / sizeof(texts[0]));

    if (key)
        json_key(json, texts[i][0]);
    else
        json_string(json, texts[i][0]);
    return arena_format(&arena, "\"%s\"", texts[i][1]);
}

static const char *write_number(struct json *json, uint64_t *seed)
{
    static const int64_t numbers[] = {0, 1, -1, 9, 10, -10, 99, 100, INT64_MAX, INT64_MIN};
    int64_t number = numbers[rules_choose(seed, sizeof(numbers) / sizeof(numbers[0]))];

    json_int(json, number);
    return arena_format(&arena, "%lld", (long long)number);
}

static const char *write_list(struct json *json, uint64_t *seed, int depth, bool object)
{
    const char *text = object ? "{" : "[";

    json_open(json, object ? '{' : '[');
    for (size_t i = 0, n = rules_choose(seed, 4); i < n; i++) {
        const char *key = object ? write_text(json, seed, true) : "";

        text = arena_format(&arena, "%s%s%s%s%s", text, i == 0 ? "" : ",", key, object ? ":" : "",
                            write_value(json, seed, depth + 1));
    }
    json_close(json, object ? '}' : ']');
    return arena_format(&arena, "%s%c", text, object ? '}' : ']');
}

static const char *write_value(struct json *json, uint64_t *seed, int depth)
{
    switch (rules_choose(seed, depth < 6 ? 8 : 5)) {
    case 0:
        json_null(json);
        return "null";
    case 1:
        json_bool(json, true);
        return "true";
    case 2:
        json_bool(json, false);
        return "false";
    case 3:
        return write_number(json, seed);
    case 4:
        return write_text(json, seed, false);
    case 5:
        json_raw(json, "{\"raw\":[]}");
        return "{\"raw\":[]}";
    case 6:
        return write_list(json, seed, depth, true);
    default:
        return write_list(json, seed, depth, false);
    }
}

Test(out, json_is_written_with_every_comma_and_escape_in_its_place)
{
    uint64_t seed = 6;

    for (int i = 0; i < 3000; i++) {
        struct json json;
        const char *ought;

        json_init(&json, &arena);
        ought = write_list(&json, &seed, 0, true);
        cr_assert_str_eq(json.out.text, ought);
        seen_free(seen_read(json.out.text));
        arena_reset(&arena);
    }
}

Test(out, members_of_every_kind_are_a_key_and_a_value)
{
    struct json json;

    json_init(&json, &arena);
    json_open(&json, '{');
    json_member(&json, "text", "a\"");
    json_member_int(&json, "number", -5);
    json_member_bool(&json, "yes", true);
    json_member_bool(&json, "no", false);
    json_member_time(&json, "at", 0);
    json_finish(&json);
    cr_assert_str_eq(json.out.text, "{\"text\":\"a\\\"\",\"number\":-5,\"yes\":true,\"no\":false,"
                                    "\"at\":\"1970-01-01T00:00:00.000Z\"}\n");
}

/* ---- times ---- */

/* What the C library makes of a time. */
static const char *model_time(int64_t us)
{
    int64_t ms = us >= 0 ? us / 1000 : -((-us + 999) / 1000);
    int64_t seconds = ms >= 0 ? ms / 1000 : -((-ms + 999) / 1000);
    time_t time = (time_t)seconds;
    struct tm utc;

    gmtime_r(&time, &utc);
    return arena_format(&arena, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", utc.tm_year + 1900,
                        utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec,
                        (int)(ms - seconds * 1000));
}

Test(out, a_time_is_written_in_utc_with_milliseconds)
{
    static const int64_t times[] = {0,
                                    999,
                                    1000,
                                    -1,
                                    -1000,
                                    -999999,
                                    -1000001,
                                    INT64_C(1750000000123456),
                                    JSON_TIME_MIN,
                                    JSON_TIME_MIN + 1,
                                    JSON_TIME_MAX,
                                    JSON_TIME_MAX - 1};
    uint64_t seed = 14;

    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
        cr_assert_str_eq(json_time_text(&arena, times[i]), model_time(times[i]));
    for (int i = 0; i < 5000; i++) {
        uint64_t range = (uint64_t)(JSON_TIME_MAX - JSON_TIME_MIN);
        int64_t us = JSON_TIME_MIN + (int64_t)rules_choose(&seed, range);

        cr_assert_str_eq(json_time_text(&arena, us), model_time(us));
        arena_reset(&arena);
    }
}

Test(out, a_time_beyond_the_years_1_to_9999_is_written_as_the_nearest_second)
{
    cr_assert_str_eq(json_time_text(&arena, JSON_TIME_MIN), "0001-01-01T00:00:00.000Z");
    cr_assert_str_eq(json_time_text(&arena, JSON_TIME_MAX), "9999-12-31T23:59:59.999Z");
    cr_assert_eq(strncmp(json_time_text(&arena, INT64_MIN), "0001-01-01T00:00:00.", 20), 0);
    cr_assert_eq(strncmp(json_time_text(&arena, INT64_MAX), "9999-12-31T23:59:59.", 20), 0);
}
