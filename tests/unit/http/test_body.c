/* test_body.c - bodies of every type, read as an object. */
#include <criterion/criterion.h>
#include <string.h>

#include "api/http/body.h"
#include "tests/unit/requests.h"

TestSuite(body, .fini = requests_free);

#define FORM "application/x-www-form-urlencoded"

static struct request *request_of(const char *type, const char *body)
{
    struct request *request = requests_new(NULL);

    requests_body(request, type, body);
    return request;
}

/* The text of the only member "move" of a body. Static, overwritten. */
static const char *move_of(const char *type, const char *body)
{
    static char move[256];
    struct request *request = request_of(type, body);
    struct json_value *object = body_read(request, "move");
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    const char *text = "absent";

    cr_assert_not_null(object, "%s %s: %s", type, body, request->reply.body);
    json_fields(&fields, &request->arena, object, &error);
    json_take_string(&fields, "move", sizeof(move) - 1, &text);
    strcpy(move, text);
    cr_assert(body_done(request, object, &fields), "%s", body);
    cr_assert_eq(requests_answers(request), 0);
    return move;
}

Test(body, a_move_is_read_from_json_a_form_and_a_bare_text)
{
    static const char *const types[] = {NULL,
                                        "application/json",
                                        "Application/JSON",
                                        "application/json; charset=utf-8",
                                        "application/json;charset=utf-8",
                                        "application/json ",
                                        FORM};

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        cr_assert_str_eq(move_of(types[i], "{\"move\":\"8h2b+\"}"), "8h2b+");
    cr_assert_str_eq(move_of(FORM, "move=8h2b%2B"), "8h2b+");
    cr_assert_str_eq(move_of(FORM ";charset=utf-8", "move=a+b"), "a b");
    cr_assert_str_eq(move_of(FORM, "8h2b+"), "8h2b+");
    cr_assert_str_eq(move_of(FORM, "a+b%20"), "a+b%20");
    cr_assert_str_eq(move_of(FORM, " \r\n\t{\"move\":\"a\"}"), "a");
    cr_assert_str_eq(move_of("text/plain", "8h2b+\r\n"), "8h2b+");
    cr_assert_str_eq(move_of("text/plain; charset=utf-8", "8h2b+\n\n"), "8h2b+");
    cr_assert_str_eq(move_of(NULL, "8h2b+"), "8h2b+");
    cr_assert_str_eq(move_of("text/plain", "move=1 "), "move=1 ");
    cr_assert_str_eq(move_of("text/plain", "\n"), "");
}

Test(body, an_empty_body_of_any_type_is_an_empty_object)
{
    static const char *const types[] = {NULL, "application/json", FORM, "text/plain", "image/png"};

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        cr_assert_str_eq(move_of(types[i], ""), "absent");
}

Test(body, what_cannot_be_read_is_refused)
{
    static const struct {
        const char *type, *bare_key, *body;
        enum problem problem;
        const char *pointer;
    } rows[] = {
        {"application/json", "move", "8h2b+", PROBLEM_MALFORMED_JSON, NULL},
        {"application/json", "move", "{\"a\":1,\"a\":2}", PROBLEM_MALFORMED_JSON, "/a"},
        {FORM, "move", "{\"move\":}", PROBLEM_MALFORMED_JSON, NULL},
        {FORM, "move", "move=%zz", PROBLEM_MALFORMED_JSON, NULL},
        {FORM, "move", "move=1&move=2", PROBLEM_MALFORMED_JSON, NULL},
        {FORM, "move", "\xff", PROBLEM_MALFORMED_JSON, NULL},
        {"text/plain", "move", "\xff", PROBLEM_MALFORMED_JSON, NULL},
        {"text/plain", NULL, "7g7f", PROBLEM_UNSUPPORTED_MEDIA_TYPE, NULL},
        {"text/html", "move", "7g7f", PROBLEM_UNSUPPORTED_MEDIA_TYPE, NULL},
        {"text/plainer", "move", "7g7f", PROBLEM_UNSUPPORTED_MEDIA_TYPE, NULL},
        {"text", "move", "7g7f", PROBLEM_UNSUPPORTED_MEDIA_TYPE, NULL},
        {"application/jsonp", "move", "{}", PROBLEM_UNSUPPORTED_MEDIA_TYPE, NULL},
        {"", "move", "{}", PROBLEM_UNSUPPORTED_MEDIA_TYPE, NULL},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct request *request = request_of(rows[i].type, rows[i].body);

        cr_assert_null(body_read(request, rows[i].bare_key), "%s", rows[i].body);
        requests_assert_problem(request, rows[i].problem, rows[i].pointer);
    }
}

Test(body, where_no_bare_text_is_taken_a_form_of_one_word_is_a_member)
{
    struct request *request = request_of(FORM, "word");
    struct json_value *object = body_read(request, NULL);
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    const char *text;

    cr_assert_not_null(object);
    json_fields(&fields, &request->arena, object, &error);
    cr_assert(json_take_string(&fields, "word", 8, &text));
    cr_assert_str_eq(text, "");
    cr_assert(body_done(request, object, &fields));
}

Test(body, a_mistake_among_the_members_is_answered_when_the_reading_ends)
{
    struct request *request = request_of(NULL, "{\"seat\":{\"name\":1},\"x\":2}");
    struct json_value *object = body_read(request, NULL);
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields, inner;
    const char *text;

    json_fields(&fields, &request->arena, object, &error);
    cr_assert(json_take_object(&fields, "seat", &inner));
    cr_assert_not(json_take_string(&inner, "name", 8, &text));
    cr_assert_eq(requests_answers(request), 0);
    cr_assert_not(body_done(request, object, &fields));
    requests_assert_problem(request, PROBLEM_BAD_PARAMETER, "/seat/name");
}

Test(body, a_text_that_is_kept_outlives_the_body)
{
    struct request *request = request_of(NULL, "{\"name\":\"Ada\"}");
    struct json_value *object = body_read(request, NULL);
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    const char *text, *kept;

    json_fields(&fields, &request->arena, object, &error);
    cr_assert(json_take_string(&fields, "name", 8, &text));
    kept = body_keep(&fields, text);
    cr_assert_neq(kept, text);
    cr_assert_null(body_keep(&fields, NULL));
    cr_assert(body_done(request, object, &fields));
    cr_assert_str_eq(kept, "Ada");
}
