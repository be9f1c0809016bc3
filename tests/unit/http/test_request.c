/* test_request.c - what a request says of itself: its address, its tags, its token. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "api/loop/quota.h"
#include "tests/unit/requests.h"

TestSuite(request, .fini = requests_free);

/* ---- addresses ---- */

Test(request, an_address_has_a_path_that_is_decoded_and_a_query_that_is_not)
{
    static const struct {
        const char *url, *path, *query;
    } rows[] = {
        {"/", "/", ""},
        {"/v1/games", "/v1/games", ""},
        {"/v1/games?a=1&b=%20", "/v1/games", "a=1&b=%20"},
        {"/x?", "/x", ""},
        {"/x?a?b", "/x", "a?b"},
        {"/a%2fb%20c%3F", "/a%2fb c?", ""},
        {"/a+b", "/a+b", ""},
        {"/%e2%98%97", "/\xe2\x98\x97", ""},
        {"http://localhost:8080/v1?x=1", "/v1", "x=1"},
        {"HTTPS://play.example/v1", "/v1", ""},
        {"http://localhost", "/", ""},
        {"http:/x", "http:/x", ""},
        {"ftp://host/x", "ftp://host/x", ""},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct request *request = requests_new(NULL);

        cr_assert_eq(request_parse_url(request, rows[i].url), 0, "%s", rows[i].url);
        cr_assert_str_eq(request->path, rows[i].path, "%s", rows[i].url);
        cr_assert_str_eq(request->query, rows[i].query, "%s", rows[i].url);
    }
}

Test(request, a_path_with_a_broken_escape_or_bytes_that_are_not_utf8_is_bad)
{
    static const char *const bad[] = {"/%", "/%4", "/%4g", "/%00", "/%ff", "/\xff", "/%c0%af"};

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_assert_eq(request_parse_url(requests_new(NULL), bad[i]), REQUEST_PATH_BAD, "%s", bad[i]);
    cr_assert_eq(request_parse_url(requests_new(NULL), "/x?a=%zz"), 0,
                 "the query is not looked at");
}

Test(request, an_address_may_have_8_kib)
{
    char url[REQUEST_URL_MAX + 2];

    memset(url, 'a', sizeof(url));
    url[0] = '/';
    url[REQUEST_URL_MAX + 1] = '\0';
    cr_assert_eq(request_parse_url(requests_new(NULL), url), REQUEST_PATH_LONG);
    url[REQUEST_URL_MAX] = '\0';
    cr_assert_eq(request_parse_url(requests_new(NULL), url), 0);
}

Test(request, methods_are_known_by_their_names_in_capitals)
{
    static const enum method methods[] = {METHOD_GET,  METHOD_PUT,     METHOD_POST, METHOD_DELETE,
                                          METHOD_HEAD, METHOD_OPTIONS, METHOD_PATCH};
    static const char *const names[] = {"GET", "PUT", "POST", "DELETE", "HEAD", "OPTIONS", "PATCH"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        cr_assert_eq(request_method(names[i]), methods[i]);
        cr_assert_str_eq(request_method_name(methods[i]), names[i]);
    }
    cr_assert_eq(request_method("get"), METHOD_OTHER);
    cr_assert_eq(request_method("TRACE"), METHOD_OTHER);
    cr_assert_str_eq(request_method_name(METHOD_OTHER), "another");
}

/* ---- headers ---- */

Test(request, headers_come_from_its_source)
{
    struct request *request = requests_new(NULL);
    struct quota_address address;

    requests_header(request, "X-Forwarded-For", "a");
    requests_header(request, "x-forwarded-for", "b");
    cr_assert_str_eq(request_header(request, "X-FORWARDED-FOR"), "a");
    cr_assert_str_eq(request_header_list(request, "X-Forwarded-For"), "a, b");
    cr_assert_null(request_header(request, "Accept"));
    cr_assert_null(request_header_list(request, "Accept"));
    cr_assert_not(request_peer(request, &address));
    requests_peer(request, "203.0.113.7");
    cr_assert(request_peer(request, &address));
    cr_assert_eq(address.bytes[3], 7);
}

Test(request, a_client_has_what_one_of_its_tags_names)
{
    static const struct {
        const char *header;
        bool has;
    } rows[] = {{"\"17\"", true},
                {"*", true},
                {"\"16\", \"17\"", true},
                {"W/\"17\"", true},
                {"\"17\",\"18\"", true},
                {"\"1\"", false},
                {"\"170\"", false},
                {"\"117\"", false},
                {"17", false},
                {"\"16\", \"18\"", false},
                {"", false},
                {"**", false}};
    struct request *without = requests_new(NULL);

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct request *request = requests_new(NULL);

        requests_header(request, "If-None-Match", rows[i].header);
        cr_assert_eq(request_has(request, "\"17\""), rows[i].has, "%s", rows[i].header);
    }
    cr_assert_not(request_has(without, "\"17\""));
}

Test(request, a_token_is_a_bearers_or_the_user_of_basic)
{
    static const struct {
        const char *header, *token;
    } rows[] = {{"Bearer plyd_seat_x", "plyd_seat_x"},
                {"bearer plyd_seat_x", "plyd_seat_x"},
                {"Basic cGx5ZF9zZWF0X3g6", "plyd_seat_x"},         /* plyd_seat_x: */
                {"BASIC cGx5ZF9zZWF0X3g6c2VjcmV0", "plyd_seat_x"}, /* plyd_seat_x:secret */
                {"Basic cGx5ZF9zZWF0X3g=", "plyd_seat_x"},         /* plyd_seat_x */
                {"Basic OnBseWRfc2VhdF94", "plyd_seat_x"},         /* :plyd_seat_x */
                {"Basic Og==", NULL},                              /* : */
                {"Bearer ", NULL},
                {"Bearer", NULL},
                {"Basic", NULL},
                {"Basic ???", NULL},
                {"Basic cGx5ZF9zZWF0X3g", NULL},
                {"Digest x", NULL},
                {"plyd_seat_x", NULL},
                {"", NULL}};
    struct request *without = requests_new(NULL);

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct request *request = requests_new(NULL);
        const char *token;

        requests_header(request, "Authorization", rows[i].header);
        token = request_token(request);
        cr_assert_eq(token == NULL, rows[i].token == NULL, "%s", rows[i].header);
        if (token != NULL)
            cr_assert_str_eq(token, rows[i].token, "%s", rows[i].header);
    }
    cr_assert_null(request_token(without));
}
