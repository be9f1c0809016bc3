/* test_reply.c - answers, and problems among them. */
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdio.h>
#include <string.h>

#include "api/http/accept.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/live/ask.h"
#include "db/db.h"
#include "tests/unit/requests.h"
#include "tests/unit/seen.h"

TestSuite(reply, .fini = requests_free);

static void assert_answer(const struct request *request, unsigned status, const char *type,
                          const char *body)
{
    cr_assert_eq(requests_answers(request), 1);
    cr_assert_eq(request->reply.status, status);
    cr_assert_eq(request->reply.type == NULL, type == NULL);
    if (type != NULL)
        cr_assert_str_eq(request->reply.type, type);
    cr_assert_str_eq(request->reply.body, body);
    cr_assert_eq(request->reply.len, strlen(body));
}

/* ---- for whom an answer is ---- */

Test(reply, is_private_if_no_cache_may_keep_it_or_keeps_it_for_each_who_asks)
{
    static const struct {
        const char *cache, *vary;
        bool is_private;
    } rows[] = {
        {NULL, NULL, false},
        {NULL, "Authorization", false},
        {"no-cache", NULL, false},
        {"no-cache", "Accept, Origin", false},
        {"no-cache", "Accept, Authorization, Origin", true},
        {"no-store", NULL, true},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct request *request = requests_new(NULL);

        if (rows[i].cache != NULL)
            reply_header(request, "Cache-Control", rows[i].cache);
        if (rows[i].vary != NULL)
            reply_header(request, "Vary", rows[i].vary);
        cr_expect_eq(reply_is_private(request), rows[i].is_private, "row %zu", i);
    }
}

/* ---- documents ---- */

Test(reply, each_kind_of_answer_names_its_type)
{
    struct request *json = requests_new(NULL), *text = requests_new(NULL);
    struct request *empty = requests_new(NULL), *other = requests_new(NULL);
    struct json document;

    json_init(&document, &json->arena);
    json_open(&document, '{');
    json_finish(&document);
    reply_json(json, 201, &document);
    assert_answer(json, 201, "application/json", "{}\n");
    reply_text(text, 200, "hello\n");
    assert_answer(text, 200, "text/plain; charset=utf-8", "hello\n");
    reply_empty(empty, 204);
    assert_answer(empty, 204, NULL, "");
    reply_body(other, 200, "image/svg+xml", "<svg/>", 6);
    assert_answer(other, 200, "image/svg+xml", "<svg/>");
}

Test(reply, a_document_is_json_or_a_text_as_its_first_byte_tells)
{
    struct request *json = requests_new(NULL), *text = requests_new(NULL);
    struct request *nothing = requests_new(NULL);

    reply_made(json, 200, "{\"a\":1}");
    assert_answer(json, 200, "application/json", "{\"a\":1}");
    reply_made(text, 201, "id {x}");
    assert_answer(text, 201, "text/plain; charset=utf-8", "id {x}");
    reply_made(nothing, 200, "");
    assert_answer(nothing, 200, "text/plain; charset=utf-8", "");
}

Test(reply, headers_are_kept_in_order_as_many_as_there_is_room_for)
{
    struct request *request = requests_new(NULL);

    for (int i = 0; i < REPLY_HEADERS_MAX + 3; i++)
        reply_header(request, arena_format(&request->arena, "H%d", i), "v");
    cr_assert_eq(request->reply.headers, (size_t)REPLY_HEADERS_MAX);
    cr_assert_str_eq(request->reply.header[0].name, "H0");
    cr_assert_not_null(requests_answer_header(request, "H19"));
    cr_assert_null(requests_answer_header(request, "H20"));
}

Test(reply, a_version_is_its_games_etag)
{
    struct request *request = requests_new(NULL);

    cr_assert_str_eq(reply_etag(&request->arena, 17), "\"17\"");
    requests_header(request, "If-None-Match", reply_etag(&request->arena, 17));
    cr_assert(request_has(request, reply_etag(&request->arena, 17)));
    cr_assert_not(request_has(request, reply_etag(&request->arena, 7)));
}

static struct request *document_for(const char *tag, const char *text)
{
    struct request *request = requests_new(NULL);

    if (tag != NULL)
        requests_header(request, "If-None-Match", tag);
    reply_document(request, "max-age=5", "text/html", text, strlen(text));
    cr_assert_str_eq(requests_answer_header(request, "Cache-Control"), "max-age=5");
    return request;
}

Test(reply, a_document_is_sent_unless_the_client_has_it)
{
    struct request *first = document_for(NULL, "a page");
    const char *tag = requests_answer_header(first, "ETag");

    assert_answer(first, 200, "text/html", "a page");
    assert_answer(document_for(tag, "a page"), 304, NULL, "");
    assert_answer(document_for(tag, "another page"), 200, "text/html", "another page");
    cr_assert_str_neq(requests_answer_header(document_for(NULL, "another page"), "ETag"), tag);
    cr_assert_str_eq(requests_answer_header(document_for(tag, "a page"), "ETag"), tag);
}

Test(reply, a_document_is_compressed_for_clients_that_take_it_under_a_tag_of_its_own)
{
    char text[2000];
    struct request *request = requests_new(NULL), *refusing = requests_new(NULL);

    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    requests_header(request, "Accept-Encoding", "deflate, gzip;q=0.5");
    reply_document(request, "no-cache", "text/html", text, strlen(text));
    cr_assert_str_eq(requests_answer_header(request, "Content-Encoding"), "gzip");
    cr_assert_lt(request->reply.len, 100);
    cr_assert_not_null(strstr(requests_answer_header(request, "ETag"), "-gzip\""));
    requests_header(refusing, "Accept-Encoding", "br, gzip;q=0");
    reply_document(refusing, "no-cache", "text/html", text, strlen(text));
    cr_assert_null(requests_answer_header(refusing, "Content-Encoding"));
    assert_answer(refusing, 200, "text/html", text);
}

static struct request *file_for(const char *coding, const struct file *file)
{
    struct request *request = requests_new(NULL);

    requests_header(request, "Accept-Encoding", coding);
    reply_file(request, "no-cache", file->type, file);
    return request;
}

Test(reply, a_file_is_sent_compressed_where_that_is_shorter)
{
    const struct file shorter = {"a.js", "text/javascript", "let a;", 6, "small", 5};
    const struct file as_long = {"b.js", "text/javascript", "let b;", 6, "longer", 6};
    struct request *compressed = file_for("gzip", &shorter), *plain = file_for("gzip", &as_long);

    assert_answer(compressed, 200, "text/javascript", "small");
    cr_assert_str_eq(requests_answer_header(compressed, "Content-Encoding"), "gzip");
    assert_answer(plain, 200, "text/javascript", "let b;");
    cr_assert_null(requests_answer_header(plain, "Content-Encoding"));
    assert_answer(file_for("identity", &shorter), 200, "text/javascript", "let a;");
}

/* ---- lists ---- */

static struct request *list_of(const char *next)
{
    struct request *request = requests_new(NULL);
    struct json json;

    json_init(&json, &request->arena);
    reply_list_open(&json);
    json_int(&json, 1);
    json_int(&json, 2);
    reply_list_send(request, &json, next);
    return request;
}

Test(reply, a_page_of_a_list_says_where_the_list_goes_on)
{
    struct request *request = requests_new(NULL);

    assert_answer(list_of("/v1/games?after=x"), 200, "application/json",
                  "{\"items\":[1,2],\"next\":\"/v1/games?after=x\"}\n");
    assert_answer(list_of(NULL), 200, "application/json", "{\"items\":[1,2],\"next\":null}\n");
    reply_next(request, "/v1/games?after=x");
    cr_assert_str_eq(requests_answer_header(request, "Link"), "</v1/games?after=x>; rel=\"next\"");
    requests_again(request);
    reply_next(request, NULL);
    cr_assert_eq(request->reply.headers, 0);
}

/* ---- problems ---- */

Test(reply, every_problem_is_told_whole)
{
    for (enum problem problem = PROBLEM_NONE + 1; problem < PROBLEMS; problem++) {
        const struct problem_kind *kind = problem_kind(problem);
        struct request *request = requests_new(NULL);
        struct seen *seen;

        reply_problem(request, problem, NULL);
        requests_assert_problem(request, problem, NULL);
        seen = seen_read(request->reply.body);
        cr_assert_str_eq(seen_list(seen, "%s", ""), "type title status code detail request_id");
        cr_assert_str_eq(seen_text(seen, "type"),
                         arena_format(&request->arena, "/problems/%s", kind->code));
        cr_assert_str_eq(seen_text(seen, "title"), kind->title);
        cr_assert_eq(seen_number(seen, "status"), kind->status);
        cr_assert_str_eq(seen_text(seen, "detail"), kind->meaning);
        cr_assert_str_eq(seen_text(seen, "request_id"), "the-id");
        seen_free(seen);
    }
}

Test(reply, a_problem_with_a_detail_and_a_place_tells_both)
{
    struct request *request = requests_new(NULL), *nowhere = requests_new(NULL);
    struct seen *seen;

    reply_problem_at(request, PROBLEM_BAD_PARAMETER, "/seats/0/name", "A \"name\" is expected.");
    requests_assert_problem(request, PROBLEM_BAD_PARAMETER, "/seats/0/name");
    seen = seen_read(request->reply.body);
    cr_assert_str_eq(seen_text(seen, "detail"), "A \"name\" is expected.");
    seen_free(seen);
    reply_problem_at(nowhere, PROBLEM_MALFORMED_JSON, "", "Broken.");
    requests_assert_problem(nowhere, PROBLEM_MALFORMED_JSON, NULL);
}

Test(reply, members_of_its_own_stand_between_those_of_every_problem)
{
    struct request *request = requests_new(NULL);
    struct json json;

    reply_problem_open(request, &json, PROBLEM_TOO_MANY_MOVES, "Many.");
    json_member_int(&json, "count", 40000);
    reply_problem_point(request, &json, "/x");
    reply_problem_send(request, &json, PROBLEM_TOO_MANY_MOVES);
    assert_answer(
        request, 422, "application/problem+json",
        "{\"type\":\"/problems/too-many-moves\",\"title\":\"There are too many legal moves "
        "to list\",\"status\":422,\"code\":\"too-many-moves\",\"detail\":\"Many.\","
        "\"count\":40000,\"pointer\":\"/x\",\"request_id\":\"the-id\"}\n");
}

Test(reply, a_problem_is_a_few_lines_for_a_client_that_takes_only_text)
{
    struct request *request = requests_new(NULL), *placed = requests_new(NULL);

    requests_header(request, "Accept", "text/plain");
    reply_problem(request, PROBLEM_NO_SUCH_GAME, "Nothing here.");
    assert_answer(request, 404, "text/plain; charset=utf-8",
                  "There is no such game\nNothing here.\n"
                  "(404 no-such-game: see /problems/no-such-game)\n");
    requests_header(placed, "Accept", "text/plain");
    reply_problem_at(placed, PROBLEM_BAD_PARAMETER, "?limit", "A number is expected.");
    assert_answer(placed, 400, "text/plain; charset=utf-8",
                  "A parameter is not valid\nA number is expected.\n"
                  "(400 bad-parameter at ?limit: see /problems/bad-parameter)\n");
}

Test(reply, a_problem_is_a_page_for_browsers)
{
    struct request *request = requests_new(NULL);

    requests_header(request, "Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    reply_problem(request, PROBLEM_NO_SUCH_GAME, "Nothing <here>.");
    cr_assert_eq(request->reply.status, 404);
    cr_assert_str_eq(request->reply.type, "text/html; charset=utf-8");
    cr_assert_not_null(strstr(request->reply.body, "<h1>There is no such game</h1>"));
    cr_assert_not_null(strstr(request->reply.body, "Nothing &lt;here&gt;."));
    cr_assert_not_null(requests_answer_header(request, "Content-Security-Policy"));
}

Test(reply, a_client_that_takes_neither_form_gets_json)
{
    struct request *request = requests_new(NULL);

    requests_header(request, "Accept", "image/png");
    reply_problem(request, PROBLEM_NOT_ACCEPTABLE, NULL);
    requests_assert_problem(request, PROBLEM_NOT_ACCEPTABLE, NULL);
}

Test(reply, what_needs_a_token_says_so_and_what_is_down_says_when_to_come_again)
{
    for (enum problem problem = PROBLEM_NONE + 1; problem < PROBLEMS; problem++) {
        unsigned status = problem_kind(problem)->status;
        struct request *request = requests_new(NULL);

        reply_problem(request, problem, NULL);
        cr_assert_eq(requests_answer_header(request, "WWW-Authenticate") != NULL, status == 401);
        cr_assert_eq(requests_answer_header(request, "Retry-After") != NULL, status == 503);
    }
}

Test(reply, the_header_fields_of_401_and_503_are_what_the_standards_say)
{
    struct request *down = requests_new(NULL), *missing = requests_new(NULL);

    reply_problem(missing, PROBLEM_TOKEN_MISSING, NULL);
    cr_assert_str_eq(requests_answer_header(missing, "WWW-Authenticate"), "Bearer realm=\"plyd\"");
    requests_header(down, "Accept", "text/plain");
    reply_problem(down, PROBLEM_DATABASE_DOWN, NULL);
    cr_assert_str_eq(requests_answer_header(down, "Retry-After"), "1");
}

/* ---- outcomes of the database ---- */

static struct request *outcome_of(enum db_outcome outcome, const char *sqlstate)
{
    struct request *request = requests_new(NULL);
    struct db_reply reply = {.outcome = outcome};

    strcpy(reply.error.sqlstate, sqlstate);
    ask_failed(request, &reply);
    return request;
}

Test(reply, each_bad_outcome_of_the_database_has_its_problem, .init = cr_redirect_stderr)
{
    struct request *unknown = outcome_of(DB_UNKNOWN, "");
    struct request *unavailable = outcome_of(DB_UNAVAILABLE, "");

    requests_assert_problem(outcome_of(DB_NOT_FOUND, ""), PROBLEM_NO_SUCH_GAME, NULL);
    requests_assert_problem(unavailable, PROBLEM_DATABASE_DOWN, NULL);
    cr_assert_not_null(strstr(unavailable->reply.body, "nothing was done"));
    requests_assert_problem(outcome_of(DB_UNAVAILABLE, DB_SQLSTATE_FULL), PROBLEM_OVERLOADED, NULL);
    requests_assert_problem(unknown, PROBLEM_DATABASE_DOWN, NULL);
    cr_assert_not_null(strstr(unknown->reply.body, "not known"));
    cr_assert_null(strstr(unknown->reply.body, "nothing was done"));
    requests_assert_problem(outcome_of(DB_CONFLICT, ""), PROBLEM_OVERLOADED, NULL);
    requests_assert_problem(outcome_of(DB_REFUSED, "22P02"), PROBLEM_INTERNAL, NULL);
}
