/* test_json.c - JSON in and out. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/json_text.h"
#include "api/text/url.h"

static struct arena arena;

static void free_arena(void)
{
    arena_free(&arena);
}

TestSuite(json, .fini = free_arena);

static const char *code_of(const char *text)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *value = json_read(&arena, text, strlen(text), &error);

    json_free(value);
    return error.code == PROBLEM_NONE ? "ok" : problem_kind(error.code)->code;
}

Test(json, writes_members_elements_and_escapes)
{
    struct json json;

    json_init(&json, &arena);
    json_open(&json, '{');
    json_member(&json, "a", "q\"b\\c\n\x01");
    json_key(&json, "b");
    json_open(&json, '[');
    json_int(&json, -7);
    json_bool(&json, true);
    json_null(&json);
    json_close(&json, ']');
    json_member_time(&json, "t", INT64_C(1750000000123456));
    json_finish(&json);
    cr_assert_str_eq(json.out.text, "{\"a\":\"q\\\"b\\\\c\\u000a\\u0001\",\"b\":[-7,true,null],"
                                    "\"t\":\"2025-06-15T15:06:40.123Z\"}\n");
}

Test(json, writes_spans_as_seconds_with_the_decimals_that_they_need)
{
    struct json json;

    json_init(&json, &arena);
    json_open(&json, '[');
    json_seconds(&json, 0);
    json_seconds(&json, 999);
    json_seconds(&json, 1000);
    json_seconds(&json, 500000);
    json_seconds(&json, 10000000);
    json_seconds(&json, INT64_C(863999120999));
    json_close(&json, ']');
    cr_assert_str_eq(json.out.text, "[0,0,0.001,0.5,10,863999.12]");
}

Test(json, grows_without_losing_a_byte)
{
    struct json json;

    json_init(&json, &arena);
    for (int i = 0; i < 10000; i++)
        out_add(&json.out, "0123456789");
    cr_assert_eq(json.out.len, 100000);
    cr_assert_eq(strlen(json.out.text), 100000);
}

Test(json, reads_an_object_and_nothing_else)
{
    cr_assert_str_eq(code_of("{\"a\":1}"), "ok");
    cr_assert_str_eq(code_of(" { } \r\n"), "ok");
    cr_assert_str_eq(code_of(""), "malformed-json");
    cr_assert_str_eq(code_of("[]"), "malformed-json");
    cr_assert_str_eq(code_of("1"), "malformed-json");
    cr_assert_str_eq(code_of("{}x"), "malformed-json");
    cr_assert_str_eq(code_of("{\"a\":}"), "malformed-json");
    cr_assert_str_eq(code_of("{\"a\":1"), "malformed-json");
}

/* An object with a list of n zeros, which has n + 2 values. */
static const char *zeros(size_t n)
{
    char *text = arena_alloc(&arena, 2 * n + 16), *at = text + sprintf(text, "{\"a\":[0");

    for (size_t i = 1; i < n; i++) {
        *at++ = ',';
        *at++ = '0';
    }
    strcpy(at, "]}");
    return text;
}

Test(json, refuses_more_values_than_any_request_needs)
{
    cr_assert_str_eq(code_of(zeros(JSON_VALUES_MAX - 2)), "ok");
    cr_assert_str_eq(code_of(zeros(JSON_VALUES_MAX - 1)), "malformed-json");
}

Test(json, a_record_may_have_more_values)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    const char *most = zeros(JSON_RECORD_VALUES_MAX - 2), *more = zeros(JSON_RECORD_VALUES_MAX);
    struct json_value *value = json_read_long(&arena, most, strlen(most), &error);

    cr_assert_not_null(value);
    json_free(value);
    cr_assert_null(json_read_long(&arena, more, strlen(more), &error));
}

/* Reads an object with a list in a list ..., `levels` levels below it; with the usual bound if
 * `bound` is 0. */
static bool is_read(int levels, int bound)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    size_t n = (size_t)levels, len = 2 * n + 6;
    char *text = arena_format(&arena, "{\"a\":%*s}", 2 * levels, "");
    struct json_value *value;

    memset(text + 5, '[', n);
    memset(text + 5 + n, ']', n);
    value = bound == 0 ? json_read(&arena, text, len, &error)
                       : json_read_deep(&arena, text, len, bound, &error);

    json_free(value);
    return value != NULL;
}

Test(json, has_as_many_levels_as_it_may)
{
    cr_assert(is_read(JSON_LEVELS, 0));
    cr_assert_not(is_read(JSON_LEVELS + 1, 0));
    cr_assert(is_read(100, 100));
    cr_assert_not(is_read(101, 100));
    cr_assert_not(is_read(500, 100));
}

Test(json, tells_objects_from_texts_before_they_are_taken)
{
    static const char text[] = "{\"a\":{},\"b\":\"x\",\"c\":null}";
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *value = json_read(&arena, text, strlen(text), &error);
    struct json_fields fields;

    json_fields(&fields, &arena, value, &error);
    cr_assert(json_has_object(&fields, "a"));
    cr_assert_not(json_has_object(&fields, "b"));
    cr_assert_not(json_has_object(&fields, "c"));
    cr_assert_not(json_has_object(&fields, "d"));
    json_free(value);
}

Test(json, commas_and_brackets_in_texts_are_no_values)
{
    char *text = arena_alloc(&arena, 40 << 10), *at = text + sprintf(text, "{\"a\":\"");

    for (size_t i = 0; i < JSON_VALUES_MAX; i++)
        at += sprintf(at, "%s", i % 2 ? ",[" : "\\\"");
    strcpy(at, "\"}");
    cr_assert_str_eq(code_of(text), "ok");
}

Test(json, refuses_duplicates_at_any_depth)
{
    cr_assert_str_eq(code_of("{\"a\":1,\"a\":2}"), "malformed-json");
    cr_assert_str_eq(code_of("{\"x\":[{\"a\":1,\"a\":2}]}"), "malformed-json");
    cr_assert_str_eq(code_of("{\"a\":1,\"A\":2}"), "ok");
}

Test(json, a_pointer_leads_to_a_duplicate_whatever_it_is_called)
{
    static const char text[] = "{\"x\":[1,{\"a/b~\":1,\"c\":[],\"a/b~\":2}]}";
    struct json_error error = {PROBLEM_NONE, NULL, NULL};

    cr_assert_null(json_read(&arena, text, strlen(text), &error));
    cr_assert_str_eq(error.pointer, "/x/1/a~1b~0");
}

Test(json, refuses_what_only_resembles_json)
{
    static const char *const texts[] = {"{\"a\":01}",
                                        "{\"a\":1.}",
                                        "{\"a\":-}",
                                        "{\"a\":+1}",
                                        "{\"a\":.5}",
                                        "{\"a\":1e}",
                                        "{\"a\":0x10}",
                                        "{\"a\":NaN}",
                                        "{\"a\":1,}",
                                        "{\"a\":'b'}",
                                        "{a:1}",
                                        "{\"a\":\"\t\"}",
                                        "{\v\"a\":1}",
                                        "{\"a\":\"\\x\"}",
                                        "{\"a\":\"\\u00g0\"}",
                                        "{\"a\":\"\\u1\"}",
                                        "{\"a\":\"\\ud800\"}",
                                        "{\"a\":True}",
                                        "{\"a\":1}//x",
                                        "{\"a\" 1}"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        cr_expect_str_eq(code_of(texts[i]), "malformed-json", "%s", texts[i]);
    cr_assert_str_eq(code_of("{\"a\":[0,-0,10,1.50,-1e+9,2E-3,1e400]}"), "ok");
}

Test(json, refuses_nul_and_broken_utf8)
{
    cr_assert_str_eq(code_of("{\"a\":\"\\u0000\"}"), "malformed-json");
    cr_assert_str_eq(code_of("{\"a\":\"\\\\u0000\"}"), "ok");
    cr_assert_str_eq(code_of("{\"a\":\"\xc0\x80\"}"), "malformed-json");
    cr_assert_str_eq(code_of("{\"a\":\"\xed\xa0\x80\"}"), "malformed-json");
    cr_assert_str_eq(code_of("{\"a\":\"\xf4\x90\x80\x80\"}"), "malformed-json");
    cr_assert_str_eq(code_of("{\"a\":\"\xe2\x82\"}"), "malformed-json");
    cr_assert_str_eq(code_of("{\"a\":\"\xe2\x98\x97\"}"), "ok");
    cr_assert_not(json_is_utf8("a\0b", 3));
}

Test(json, refuses_what_is_too_deep_or_too_wide)
{
    char deep[256] = "", wide[2048] = "{";

    for (int i = 0; i < 20; i++)
        strcat(deep, "{\"a\":");
    strcat(deep, "1");
    for (int i = 0; i < 20; i++)
        strcat(deep, "}");
    for (int i = 0; i < 65; i++)
        snprintf(wide + strlen(wide), 32, "%s\"k%d\":1", i == 0 ? "" : ",", i);
    strcat(wide, "}");
    cr_assert_str_eq(code_of(deep), "malformed-json");
    cr_assert_str_eq(code_of(wide), "malformed-json");
}

/* ---- taking members ---- */

static struct json_error error;

/* The object that fields_of() has read, until the next one or free_object(). */
static struct json_value *read;

static void free_object(void)
{
    json_free(read);
    read = NULL;
}

static struct json_fields fields_of(const char *text)
{
    struct json_fields fields;

    free_object();
    error = (struct json_error){PROBLEM_NONE, NULL, NULL};
    read = json_read(&arena, text, strlen(text), &error);
    cr_assert_not_null(read);
    json_fields(&fields, &arena, read, &error);
    return fields;
}

Test(json, numbers_are_whole_and_within_2_to_the_53)
{
    static const char *const bad[] = {
        "1.5", "1e400", "9007199254740993", "-1", "\"x\"", "\"1 \"", "\"\"", "true", "[1]", "11"};
    int64_t value = 0;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct json_fields fields = fields_of(arena_format(&arena, "{\"n\":%s}", bad[i]));

        cr_assert_not(json_take_int(&fields, "n", 0, 10, &value), "%s", bad[i]);
        cr_assert_eq(error.code, PROBLEM_BAD_PARAMETER);
        cr_assert_str_eq(error.pointer, "/n");
    }
    struct json_fields fields = fields_of("{\"n\":7,\"m\":\"8\",\"z\":null}");
    cr_assert(json_take_int(&fields, "n", 0, 10, &value) && value == 7);
    cr_assert(json_take_int(&fields, "m", 0, 10, &value) && value == 8);
    cr_assert_not(json_take_int(&fields, "z", 0, 10, &value));
    cr_assert(json_ok(&fields));
    free_object();
}

Test(json, an_unknown_member_is_named)
{
    struct json_fields fields = fields_of("{\"a\":\"x\",\"b/~c\":1}");
    const char *value;

    cr_assert(json_take_string(&fields, "a", 8, &value));
    cr_assert_not(json_ok(&fields));
    cr_assert_eq(error.code, PROBLEM_UNKNOWN_FIELD);
    cr_assert_str_eq(error.pointer, "/b~1~0c");
    free_object();
}

Test(json, a_text_that_is_too_long_is_refused)
{
    struct json_fields fields = fields_of("{\"a\":\"12345\"}");
    const char *value;

    cr_assert_not(json_take_string(&fields, "a", 4, &value));
    cr_assert_eq(error.code, PROBLEM_BAD_PARAMETER);
    free_object();
}

Test(json, a_list_that_does_not_fit_is_refused_and_leaves_nothing_to_read)
{
    static const char *const texts[] = {"{\"moves\":{\"a\":1}}", "{\"moves\":[1,2,3]}",
                                        "{\"moves\":7}", "{}"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct json_fields fields = fields_of(texts[i]);
        const struct json_value *list = NULL;
        size_t count = 0;

        cr_expect_not(json_take_array(&fields, "moves", 2, &list, &count), "%s", texts[i]);
        cr_expect(list == NULL && count == 0, "%s", texts[i]);
        free_object();
    }
}

Test(json, a_form_is_an_object_of_texts_and_dots_lead_inside)
{
    static const char form[] = "variant=shogi&options.rules=casual&options.max_plies=9&x=%41+b";
    struct json_error wrong = {PROBLEM_NONE, NULL, NULL};
    struct json_value *object = json_read_form(&arena, form, strlen(form), &wrong);
    struct json_fields fields, inner;
    const char *text;
    int64_t number;

    cr_assert_not_null(object);
    json_fields(&fields, &arena, object, &wrong);
    cr_assert(json_take_string(&fields, "variant", 99, &text));
    cr_assert_str_eq(text, "shogi");
    cr_assert(json_take_string(&fields, "x", 99, &text));
    cr_assert_str_eq(text, "A b");
    cr_assert(json_take_object(&fields, "options", &inner));
    cr_assert(json_take_string(&inner, "rules", 99, &text));
    cr_assert(json_take_int(&inner, "max_plies", 0, 99, &number) && number == 9);
    json_free(object);
}

Test(json, a_form_with_a_field_twice_or_a_broken_escape_is_refused)
{
    static const char *const bad[] = {"a=1&a=2", "a=%4", "a=%zz", "a=%00", "a=%ff", "a=1&a.b=2"};

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct json_error wrong = {PROBLEM_NONE, NULL, NULL};

        cr_assert_null(json_read_form(&arena, bad[i], strlen(bad[i]), &wrong), "%s", bad[i]);
        cr_assert_eq(wrong.code, PROBLEM_MALFORMED_JSON);
    }
}

Test(json, a_form_has_at_most_64_fields)
{
    char form[1024] = "";

    for (int i = 0; i < 65; i++) {
        struct json_error wrong = {PROBLEM_NONE, NULL, NULL};
        struct json_value *object;

        snprintf(form + strlen(form), 16, "&a%d=", i);
        object = json_read_form(&arena, form, strlen(form), &wrong);
        cr_assert_eq(object != NULL, i < 64, "%d fields", i + 1);
        json_free(object);
    }
}

/* A character of UTF-8 by the table of RFC 3629, section 4; 0: none begins there. */
static size_t character_of(const unsigned char *p, size_t left)
{
    static const struct {
        unsigned char first, last, from, to; /* of the first byte, and of the second one */
        size_t len;
    } rows[] = {
        {0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (p[0] < rows[i].first || p[0] > rows[i].last || left < rows[i].len)
            continue;
        if (rows[i].len > 1 && (p[1] < rows[i].from || p[1] > rows[i].to))
            return 0;
        for (size_t j = 2; j < rows[i].len; j++)
            if (p[j] < 0x80 || p[j] > 0xbf)
                return 0;
        return rows[i].len;
    }
    return 0;
}

static bool is_utf8(const unsigned char *text, size_t len)
{
    size_t at = 0, step = 1;

    for (; at < len && step > 0; at += step)
        step = character_of(text + at, len - at);
    return step > 0;
}

Test(json, what_is_utf8_is_what_the_table_of_the_standard_says)
{
    static const unsigned char edges[] = {0x00, 0x01, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0,
                                          0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed,
                                          0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8, 0xff};
    enum { EDGES = sizeof(edges) };

    for (size_t number = 0; number < (size_t)EDGES * EDGES * EDGES * EDGES; number++) {
        size_t left = number;
        unsigned char text[4];

        for (size_t i = 0; i < 4; i++, left /= EDGES)
            text[i] = edges[left % EDGES];
        for (size_t len = 1; len <= 4; len++) /* what follows is not to be read */
            if (json_is_utf8((const char *)text, len) != is_utf8(text, len))
                cr_assert_fail("%zu bytes: %02x %02x %02x %02x", len, text[0], text[1], text[2],
                               text[3]);
    }
}

Test(json, a_plus_is_a_space_but_for_one_that_ends_the_text)
{
    cr_assert_str_eq(url_decode(&arena, "8h2b+", 5, true), "8h2b+");
    cr_assert_str_eq(url_decode(&arena, "a+b", 3, true), "a b");
    cr_assert_str_eq(url_decode(&arena, "a+b", 3, false), "a+b");
    cr_assert_str_eq(url_decode(&arena, "%2B%20", 6, true), "+ ");
}

Test(json, a_value_that_is_taken_whole_keeps_each_number)
{
    static const char text[] = "{\"a\":{\"us\":1600000050000000,\"list\":[-1600000050000000,1.5,"
                               "9007199254740992,true,null,\"x\\\"y\",{},[]]}}";
    struct json_value *value = json_read(&arena, text, strlen(text), &error);
    struct json_fields fields;

    json_fields(&fields, &arena, value, &error);
    cr_assert_str_eq(json_take_json(&fields, "a"),
                     "{\"us\":1600000050000000,\"list\":[-1600000050000000,1.5,"
                     "9007199254740992,true,null,\"x\\\"y\",{},[]]}");
    json_free(value);
}
