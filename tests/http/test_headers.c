/*
 * test_headers.c - headers as RFC 9110 has them: what may be stored, what an ETag stands for, lists
 * in several lines, headers that take one value, and what a client may expect.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "house.h"
#include "raw.h"

HOUSE_SUITE(headers, house_share, HOUSE_PATIENCE_S);

enum { LINES = 600, FORMS = 8 };

static void assert_header(const struct answer *answer, const char *name, const char *value)
{
    char got[256];

    cr_assert_not_null(http_header(&answer->reply, name, got), "no %s in\n%s", name,
                       answer->reply.headers);
    cr_assert_str_eq(got, value, "%s in\n%s", name, answer->reply.headers);
}

/* ---- what may be stored ---- */

Test(headers, a_refusal_in_any_form_is_stored_by_nobody)
{
    static const struct {
        const char *method, *path, *headers;
        int status;
    } rows[] = {
        {"GET", "/v1/games/nobody", NULL, 404},
        {"GET", "/v1/games/nobody", "Accept: text/plain\r\n", 404},
        {"GET", "/v1/games/nobody", "Accept: text/html\r\n", 406},
        {"GET", "/nothing", "Accept: text/html\r\n", 404},
        {"GET", "/v1/me", NULL, 401},
        {"GET", "/v1/variants?x=y", NULL, 422},
        {"DELETE", "/v1/games", NULL, 405},
        {"GET", "/v1/games/{id}/events?after=x", "Accept: text/event-stream\r\n", 400},
        {"GET", "/v1/games/{id}/board.svg?ply=99", NULL, 404},
        {"GET", "/v1/games/{id}/board.png?ply=99", NULL, 404},
    };
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char path[128];
        const char *place = strstr(rows[i].path, "{id}");
        struct answer answer;

        if (place == NULL)
            snprintf(path, sizeof(path), "%s", rows[i].path);
        else
            snprintf(path, sizeof(path), "/v1/games/%s%s", game.id, place + 4);
        answer = ask(&house, rows[i].method, path, rows[i].headers, NULL);
        assert_status(&answer, rows[i].status);
        assert_header(&answer, "Cache-Control", "no-store");
        cr_assert_null(strstr(answer.reply.headers, "no-cache"), "%s", answer.reply.headers);
    }
}

static void assert_secret(struct answer answer, int status, const char *member)
{
    assert_status(&answer, status);
    cr_assert(has(&answer, member), "no %s in %s", member, answer.reply.body);
    assert_header(&answer, "Cache-Control", "no-store");
}

Test(headers, an_answer_with_a_token_or_a_code_is_stored_by_nobody)
{
    static const char two[] = "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}";
    struct player ada = new_player(&house, "Ada");
    struct game game = new_game(&house, two), other = new_game(&house, two);
    char headers[LINES];

    assert_secret(ask_as(&house, NULL, "POST", "/v1/players", "{\"name\":\"Bob\"}"), 201, "token");
    assert_secret(ask_as(&house, NULL, "POST", "/v1/games", two), 201, "token");
    assert_secret(ask_at(&house, NULL, "POST", "", "/v1/games/%s/fork", game.id), 201, "token");
    assert_secret(
        ask_at(&house, game.token, "POST", "{\"seat\":2}", "/v1/games/%s/invitations", game.id),
        201, "code");
    assert_secret(ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/join", other.id), 200, "token");
    assert_secret(ask_at(&house, other.token, "POST", "", "/v1/games/%s/ticket", other.id), 201,
                  "ticket");
    assert_secret(ask_as(&house, ada.token, "POST", "/v1/me/ticket", NULL), 201, "ticket");
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nIdempotency-Key: a key of 16 letters\r\n", ada.token);
    for (int i = 0; i < 2; i++) /* the second is the first one told again */
        assert_secret(ask(&house, "POST", "/v1/me/token", headers, NULL), 200, "token");
}

Test(headers, what_a_seat_alone_is_shown_is_for_whoever_shows_its_token)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    static const char *const places[] = {"/notes", "/plan", "/hint?level=1", "/export?format=json"};

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        struct answer answer =
            ask_at(&house, game.token, "GET", NULL, "/v1/games/%s%s", game.id, places[i]);
        char cache[256], vary[256] = "";

        cr_assert_not_null(http_header(&answer.reply, "Cache-Control", cache), "%s", places[i]);
        cr_assert(strcmp(cache, "no-store") == 0 ||
                      (http_header(&answer.reply, "Vary", vary) != NULL &&
                       strstr(vary, "Authorization") != NULL),
                  "%s: %s, %s", places[i], cache, vary);
    }
    struct answer notes = ask_at(&house, game.token, "GET", NULL, "/v1/games/%s/notes", game.id);

    assert_header(&notes, "Cache-Control", "no-cache");
    assert_header(&notes, "Vary", "Accept, Authorization, Origin");
}

/* ---- types ---- */

Test(headers, no_browser_guesses_a_type)
{
    static const struct {
        const char *path, *accept;
    } rows[] = {
        {"/v1/variants", "Accept: application/json\r\n"},
        {"/v1/variants", "Accept: text/plain\r\n"},
        {"/", "Accept: text/html\r\n"},
        {"/v1/games/nobody", ""},
        {"/metrics", ""},
        {"/openapi.yaml", ""},
        {"/plyd.js", ""},
        {"/v1/variants/shogi/board.svg", ""},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct answer answer = ask(&house, "GET", rows[i].path, rows[i].accept, NULL);

        assert_header(&answer, "X-Content-Type-Options", "nosniff");
    }
}

/* ---- ETags ---- */

/* The ETag of a game as a request with these headers is shown it. */
static void etag_of(const char *path, const char *headers, char etag[256])
{
    struct http_reply reply;

    http_request(house.plyd.port, &reply, "GET", path, headers, NULL);
    cr_assert_eq(reply.status, 200);
    cr_assert_not_null(http_header(&reply, "ETag", etag));
    http_free(&reply);
}

static int status_with(const char *path, const char *headers, const char *etag)
{
    char lines[FORMS * (LINES + 256) + 64];
    struct http_reply reply;
    int status;

    snprintf(lines, sizeof(lines), "%sIf-None-Match: %s\r\n", headers, etag);
    http_request(house.plyd.port, &reply, "GET", path, lines, NULL);
    status = reply.status;
    http_free(&reply);
    return status;
}

/* The ways in which one address shows a game. The first is anybody's. */
static void write_forms(const char *one, const char *two, char forms[FORMS][LINES])
{
    snprintf(forms[0], LINES, "Accept: application/json\r\n");
    snprintf(forms[1], LINES, "Accept: text/plain\r\n");
    snprintf(forms[2], LINES, "Accept-Encoding: gzip\r\n");
    snprintf(forms[3], LINES, "Authorization: Bearer %s\r\n", one);
    snprintf(forms[4], LINES, "Authorization: Bearer %s\r\n", two);
    snprintf(forms[5], LINES, "Authorization: Bearer %s\r\nAccept: text/plain\r\n", one);
    snprintf(forms[6], LINES, "Authorization: Bearer %s\r\nAccept-Encoding: gzip\r\n", one);
    snprintf(forms[7], LINES, "Authorization: Bearer %s\r\nAccept-Encoding: gzip\r\n", two);
}

/* A game of two, and the tokens of both. */
static struct game game_of_two(char token[64])
{
    struct game game =
        new_game(&house, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    struct answer joined = ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/join", game.id);

    snprintf(token, 64, "%s", text_of(&joined, "token"));
    return game;
}

Test(headers, each_form_of_a_game_has_a_tag_of_its_own)
{
    char second[64], path[128], forms[FORMS][LINES], etags[FORMS][256];
    struct game game = game_of_two(second);

    snprintf(path, sizeof(path), "/v1/games/%s", game.id);
    write_forms(game.token, second, forms);
    for (int i = 0; i < FORMS; i++)
        etag_of(path, forms[i], etags[i]);
    for (int asked = 0; asked < FORMS; asked++)
        for (int known = 0; known < FORMS; known++)
            cr_expect_eq(status_with(path, forms[asked], etags[known]), asked == known ? 304 : 200,
                         "%s with %s", forms[asked], etags[known]);
}

Test(headers, a_seat_is_shown_what_it_may_do_though_a_stranger_has_the_game)
{
    char second[64], path[128], etag[256], lines[LINES];
    struct game game = game_of_two(second);
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/games/%s", game.id);
    etag_of(path, NULL, etag);
    snprintf(lines, sizeof(lines), "Authorization: Bearer %s\r\nIf-None-Match: %s\r\n", game.token,
             etag);
    answer = ask(&house, "GET", path, lines, NULL);
    assert_status(&answer, 200);
    cr_assert(has(&answer, "you.may"));
}

Test(headers, a_tag_of_the_version_alone_stands_for_every_form)
{
    char second[64], path[128], forms[FORMS][LINES];
    struct game game = game_of_two(second);
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/games/%s", game.id);
    write_forms(game.token, second, forms);
    for (int i = 0; i < FORMS; i++) {
        cr_expect_eq(status_with(path, forms[i], "\"2\""), 304, "%s", forms[i]);
        cr_expect_eq(status_with(path, forms[i], "\"1\""), 200, "%s", forms[i]);
        cr_expect_eq(status_with(path, forms[i], "W/\"2\", \"7\""), 304, "%s", forms[i]);
    }
    answer = ask_at(&house, game.token, "POST", "a3a4", "/v1/games/%s/moves", game.id);
    assert_header(&answer, "ETag", "\"3\"");
}

Test(headers, a_write_takes_the_tag_of_any_form_for_its_version)
{
    static const char *const places[] = {"",       "/moves",  "/legal-moves",       "/events",
                                         "/lines", "/replay", "/export?format=text"};
    char second[64], path[128], forms[FORMS][LINES], etag[256], lines[LINES];
    struct game game = game_of_two(second);
    struct answer answer;
    size_t at = 0;

    write_forms(game.token, second, forms);
    for (size_t i = 0; i < FORMS * sizeof(places) / sizeof(places[0]); i++, at++) {
        snprintf(path, sizeof(path), "/v1/games/%s%s", game.id, places[at / FORMS]);
        etag_of(path, strncmp(places[at / FORMS], "/export", 7) == 0 ? NULL : forms[at % FORMS],
                etag);
        snprintf(path, sizeof(path), "/v1/games/%s/moves?dry_run=true", game.id);
        snprintf(lines, sizeof(lines),
                 "Authorization: Bearer %s\r\nContent-Type: text/plain\r\nIf-Match: %s\r\n",
                 game.token, etag);
        answer = ask(&house, "POST", path, lines, "a3a4");
        cr_expect_eq(answer.status, 200, "%s of %s%s", etag, places[at / FORMS], forms[at % FORMS]);
    }
    snprintf(lines, sizeof(lines),
             "Authorization: Bearer %s\r\nContent-Type: text/plain\r\nIf-Match: "
             "\"1-json-you1\"\r\n",
             game.token);
    answer = ask(&house, "POST", path, lines, "a3a4");
    assert_problem(&answer, 412, "version-mismatch");
}

Test(headers, other_answers_about_a_game_have_a_tag_for_each_form)
{
    static const char *const places[] = {"moves", "legal-moves", "events", "lines", "replay"};
    static const char json[] = "Accept: application/json\r\n", text[] = "Accept: text/plain\r\n";
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    char path[128], etag[2][256];

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        snprintf(path, sizeof(path), "/v1/games/%s/%s", game.id, places[i]);
        etag_of(path, json, etag[0]);
        etag_of(path, text, etag[1]);
        cr_expect_eq(status_with(path, json, etag[0]), 304, "%s", path);
        cr_expect_eq(status_with(path, text, etag[1]), 304, "%s", path);
        cr_expect_eq(status_with(path, json, etag[1]), 200, "%s", path);
        cr_expect_eq(status_with(path, text, etag[0]), 200, "%s", path);
    }
}

Test(headers, a_record_has_a_tag_for_each_format)
{
    static const char kif[] = "Accept: application/x-kif\r\n";
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");
    char path[128], etag[256];

    snprintf(path, sizeof(path), "/v1/games/%s/export", game.id);
    etag_of(path, kif, etag);
    cr_assert_eq(status_with(path, kif, etag), 304);
    cr_assert_eq(status_with(path, "", etag), 200);
}

Test(headers, the_state_of_two_players_never_has_one_tag)
{
    struct player players[] = {new_player(&house, "Ada"), new_player(&house, "Bob")};
    char headers[2][LINES], etag[2][256], text[LINES + 32];

    for (int i = 0; i < 2; i++) {
        snprintf(headers[i], LINES, "Authorization: Bearer %s\r\n", players[i].token);
        etag_of("/v1/me/games", headers[i], etag[i]);
        cr_assert_eq(status_with("/v1/me/games", headers[i], etag[i]), 304);
    }
    cr_assert_eq(status_with("/v1/me/games", headers[0], etag[1]), 200);
    snprintf(text, sizeof(text), "%sAccept: text/plain\r\n", headers[0]);
    cr_assert_eq(status_with("/v1/me/games", text, etag[0]), 200);
}

static void assert_varies(const char *path, const char *etag)
{
    static const char *const names[] = {"Accept,", "Accept-Encoding", "Authorization", "Origin"};
    char lines[LINES], vary[256];
    struct answer answer;

    snprintf(lines, sizeof(lines), "%s%s\r\n",
             etag == NULL ? "X: y" : "If-None-Match: ", etag == NULL ? "" : etag);
    answer = ask(&house, "GET", path, lines, NULL);
    assert_status(&answer, etag == NULL ? 200 : 304);
    cr_assert_not_null(http_header(&answer.reply, "Vary", vary), "%s", path);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        cr_expect_not_null(strstr(vary, names[i]), "%s: %s", path, vary);
    assert_header(&answer, "Cache-Control", "no-cache");
}

Test(headers, vary_names_all_that_an_answer_depends_on_and_304_says_the_same)
{
    static const char *const places[] = {"",       "/moves",  "/legal-moves",
                                         "/lines", "/replay", "/events"};
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    char path[128];

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        snprintf(path, sizeof(path), "/v1/games/%s%s", game.id, places[i]);
        assert_varies(path, NULL);
        assert_varies(path, "\"1\"");
    }
    snprintf(path, sizeof(path), "/v1/games/%s/positions/0", game.id);
    assert_varies(path, NULL);
}

/* ---- lists in several lines ---- */

Test(headers, the_lines_of_a_list_are_one_list)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    char path[128], value[256];
    struct http_reply packed;
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/games/%s", game.id);
    answer = ask(&house, "GET", path, "Accept: image/png\r\nAccept: text/plain\r\n", NULL);
    assert_status(&answer, 200);
    cr_assert_null(answer.json);
    http_request(house.plyd.port, &packed, "GET", path,
                 "Accept-Encoding: br\r\nAccept-Encoding: gzip\r\n", NULL);
    cr_assert_str_eq(http_header(&packed, "Content-Encoding", value), "gzip");
    http_free(&packed);
    answer = ask(&house, "GET", path, "If-None-Match: \"7\"\r\nIf-None-Match: \"1\"\r\n", NULL);
    assert_status(&answer, 304);
    answer = ask(&house, "GET", path,
                 "If-None-Match: \"1\"\r\nPrefer: handling=lenient\r\nPrefer: wait=1\r\n", NULL);
    assert_status(&answer, 304);
    cr_assert_not_null(http_header(&answer.reply, "Preference-Applied", value));
}

Test(headers, the_lines_of_if_match_are_one_list)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    char path[128], lines[LINES];
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/games/%s/moves", game.id);
    snprintf(lines, sizeof(lines),
             "Authorization: Bearer %s\r\nContent-Type: text/plain\r\nIf-Match: \"7\"\r\n"
             "If-Match: \"1\"\r\n",
             game.token);
    answer = ask(&house, "POST", path, lines, "a3a4");
    assert_status(&answer, 201);
}

/* ---- headers that take one value ---- */

Test(headers, two_values_where_one_is_taken_are_refused_and_nothing_is_done)
{
    static const struct {
        const char *lines, *at;
    } rows[] = {
        {"Idempotency-Key: the first key of two\r\nIdempotency-Key: the second key of two\r\n",
         "Idempotency-Key"},
        {"Idempotency-Key: the same key of both\r\nidempotency-key: the same key of both\r\n",
         "Idempotency-Key"},
        {"Content-Type: application/json\r\nContent-Type: text/plain\r\n", "Content-Type"},
        {"Authorization: Bearer x\r\nAuthorization: Bearer y\r\n", "Authorization"},
        {"Last-Event-ID: 1\r\nLast-Event-ID: 2\r\n", "Last-Event-ID"},
    };
    char lines[LINES];
    struct answer answer;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        answer = ask(&house, "POST", "/v1/games", rows[i].lines, "{\"variant\":\"jungle\"}");
        assert_problem(&answer, 400, "bad-parameter");
        cr_assert_str_eq(text_of(&answer, "pointer"), rows[i].at);
    }
    answer = ask(&house, "GET", "/v1/games?visibility=public", NULL, NULL);
    snprintf(lines, sizeof(lines), "Content-Type: application/json\r\n%s",
             "Content-Type: application/json\r\n");
    answer = ask(&house, "POST", "/v1/games", lines, "{\"variant\":\"jungle\"}");
    assert_status(&answer, 201);
}

/* ---- bodies in another coding ---- */

Test(headers, a_body_in_another_coding_is_refused)
{
    static const struct {
        const char *lines;
        int status;
    } rows[] = {{"Content-Encoding: gzip\r\n", 415},
                {"Content-Encoding: br\r\n", 415},
                {"Content-Encoding: identity, gzip\r\n", 415},
                {"Content-Encoding: identity\r\nContent-Encoding: deflate\r\n", 415},
                {"Content-Encoding: identityx\r\n", 415},
                {"Content-Encoding: identity\r\n", 201},
                {"Content-Encoding: Identity\r\n", 201},
                {"Content-Encoding:\r\n", 201}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char lines[LINES];
        struct answer answer;

        snprintf(lines, sizeof(lines), "Content-Type: application/json\r\n%s", rows[i].lines);
        answer = ask(&house, "POST", "/v1/games", lines, "{\"variant\":\"jungle\"}");
        cr_expect_eq(answer.status, rows[i].status, "%s: %d", rows[i].lines, answer.status);
        if (answer.status == 415) {
            assert_problem(&answer, 415, "unsupported-media-type");
            assert_header(&answer, "Accept-Encoding", "identity");
            cr_assert_str_eq(text_of(&answer, "pointer"), "Content-Encoding");
        }
    }
}

/* ---- methods ---- */

/* Writes a path of the contract with something at its places. */
static void fill_places(const char *pattern, char path[256])
{
    size_t len = 0;

    while (*pattern != '\0' && len < 200) {
        if (*pattern != '{') {
            path[len++] = *pattern++;
            continue;
        }
        len += (size_t)snprintf(path + len, 32, "%s",
                                strncmp(pattern, "{variant}", 9) == 0 ? "jungle" : "1");
        pattern += strcspn(pattern, "}") + 1;
    }
    path[len] = '\0';
}

static void check_method(const char *path, const cJSON *place, const char *method,
                         const char *named)
{
    struct http_reply reply;
    char allow[256] = "";

    if (cJSON_GetObjectItemCaseSensitive(place, named) != NULL)
        return;
    http_request(house.plyd.port, &reply, method, path, NULL, NULL);
    cr_expect_eq(reply.status, 405, "%s %s: %d", method, path, reply.status);
    http_header(&reply, "Allow", allow);
    cr_expect_not_null(strstr(allow, "OPTIONS"), "%s %s: Allow: %s", method, path, allow);
    cr_expect_null(strstr(allow, method), "%s %s: Allow: %s", method, path, allow);
    http_free(&reply);
}

Test(headers, every_method_that_an_address_does_not_have_is_405_with_those_that_it_has)
{
    static const char *const methods[][2] = {{"GET", "get"},     {"HEAD", "get"},
                                             {"POST", "post"},   {"PUT", "put"},
                                             {"PATCH", "patch"}, {"DELETE", "delete"}};
    const cJSON *place;

    cJSON_ArrayForEach(place, cJSON_GetObjectItem(house.contract, "paths"))
    {
        char path[256];

        fill_places(place->string, path);
        for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
            check_method(path, place, methods[i][0], methods[i][1]);
    }
}

static char *say(const char *text)
{
    return raw_hear(raw_say(house.plyd.port, text, strlen(text)));
}

/* ---- heads of streams ---- */

static void assert_no_length(const char *path, const char *lines)
{
    struct answer answer = ask(&house, "HEAD", path, lines, NULL);
    char value[256];

    assert_status(&answer, 200);
    cr_assert_not_null(http_header(&answer.reply, "Content-Type", value));
    cr_assert_null(http_header(&answer.reply, "Content-Length", value), "%s: Content-Length: %s",
                   path, value);
}

Test(headers, the_head_of_a_stream_tells_no_length)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    char path[128], lines[LINES];

    snprintf(path, sizeof(path), "/v1/games/%s/events", game.id);
    assert_no_length(path, "Accept: text/event-stream\r\n");
    assert_no_length(path, "Accept: application/x-ndjson\r\n");
    snprintf(lines, sizeof(lines), "Accept: text/event-stream\r\nAuthorization: Bearer %s\r\n",
             ada.token);
    assert_no_length("/v1/me/events", lines);
    assert_no_length("/v1/me/export", lines + strlen("Accept: text/event-stream\r\n"));
    snprintf(path, sizeof(path), "/v1/games/%s/hint", game.id);
    snprintf(lines, sizeof(lines), "Accept: application/x-ndjson\r\nAuthorization: Bearer %s\r\n",
             game.token);
    assert_no_length(path, lines);
}

Test(headers, nothing_follows_the_head_of_a_stream)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    char text[256], *heard;
    const char *end;

    snprintf(text, sizeof(text),
             "HEAD /v1/games/%s/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n",
             game.id);
    heard = say(text);
    cr_assert_eq(strncmp(heard, "HTTP/1.1 200", 12), 0, "%s", heard);
    end = strstr(heard, "\r\n\r\n");
    cr_assert_not_null(end, "%s", heard);
    cr_assert_str_empty(end + 4);
    free(heard);
}

/* ---- expectations, and the daemon as a whole ---- */

/* The house compares the answer with the contract, and JSON is UTF-8. */
Test(headers, bytes_that_are_no_text_are_not_shown_as_a_scheme)
{
    struct answer answer = ask(&house, "GET", "/v1/me", "Authorization: \xff\xfe x\r\n", NULL);

    assert_problem(&answer, 401, "token-missing");
    for (const char *at = answer.reply.body; *at != '\0'; at++)
        cr_assert_lt((unsigned char)*at, 128);
}

Test(headers, an_expectation_that_nobody_knows_is_417)
{
    static const char *const lines[] = {"Expect: 200-ok\r\n", "Expect: 100-continue, x\r\n",
                                        "Expect: 100-continue\r\nExpect: more\r\n"};

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct answer answer = ask(&house, "GET", "/v1/games", lines[i], NULL);

        assert_problem(&answer, 417, "expectation-failed");
        cr_assert_str_eq(text_of(&answer, "pointer"), "Expect");
    }
}

Test(headers, options_of_the_daemon_names_all_methods)
{
    char *text = say("OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

    cr_assert_eq(strncmp(text, "HTTP/1.1 204", 12), 0, "%s", text);
    cr_assert_not_null(strstr(text, "Allow: GET, HEAD, PUT, POST, PATCH, DELETE, OPTIONS"), "%s",
                       text);
    free(text);
    text = say("GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    cr_assert_eq(strncmp(text, "HTTP/1.1 404", 12), 0, "%s", text);
    free(text);
}

/* ---- exports of many games ---- */

static void assert_type(const char *token, const char *path, const char *type)
{
    struct answer answer = ask_as(&house, token, "GET", path, NULL);

    assert_status(&answer, 200);
    assert_header(&answer, "Content-Type", type);
    answer = ask_as(&house, token, "HEAD", path, NULL);
    assert_header(&answer, "Content-Type", type);
}

/* A page of another site hears only what its browser lets through: without it "did you mean" would
 * be an error of CORS. */
Test(headers, a_page_may_send_whatever_it_likes_to_any_address)
{
    static const char *const paths[] = {"/v1/gamez", "/v1/players", "/nowhere/at/all"};
    static const char *const sent[] = {"Authorization", "traceparent", "tracestate", "baggage",
                                       "sentry-trace"};

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        char value[256];
        struct answer answer =
            ask(&house, "OPTIONS", paths[i],
                "Origin: https://page.example\r\nAccess-Control-Request-Method: DELETE\r\n", NULL);

        assert_status(&answer, 204);
        cr_assert_str_eq(http_header(&answer.reply, "Access-Control-Allow-Methods", value),
                         "GET, HEAD, PUT, POST, PATCH, DELETE, OPTIONS");
        cr_assert_not_null(http_header(&answer.reply, "Access-Control-Allow-Headers", value));
        for (size_t j = 0; j < sizeof(sent) / sizeof(sent[0]); j++)
            cr_expect_not_null(strstr(value, sent[j]), "%s: %s", sent[j], value);
    }
}

Test(headers, options_of_no_address_are_404_to_whoever_is_no_browser)
{
    struct answer answer = ask(&house, "OPTIONS", "/v1/gamez", NULL, NULL);

    assert_problem(&answer, 404, "no-such-route");
}

Test(headers, a_record_comes_in_the_format_that_is_liked_best)
{
    static const char *const rows[][2] = {
        {"application/x-csa, application/x-kif;q=0", "application/x-csa"},
        {"application/x-kif;q=0.5, application/x-csa", "application/x-csa"},
        {"application/x-csa;q=0.5, application/x-kif", "application/x-kif"},
        {"application/x-kif, */*", "application/x-kif"},
        {"*/*", "application/vnd.plyd.record+json"},
        {"application/x-kif;q=0", "application/vnd.plyd.record+json"},
        {"application/*", "application/vnd.plyd.record+json"}};
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");
    char path[96];

    snprintf(path, sizeof(path), "/v1/games/%s/export", game.id);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char headers[128], type[256];
        struct answer answer;

        snprintf(headers, sizeof(headers), "Accept: %s\r\n", rows[i][0]);
        answer = ask(&house, "GET", path, headers, NULL);
        assert_status(&answer, 200);
        http_header(&answer.reply, "Content-Type", type);
        type[strcspn(type, ";")] = '\0';
        cr_expect_str_eq(type, rows[i][1], "%s: %s", rows[i][0], type);
    }
}

Test(headers, an_export_of_many_games_says_its_charset_as_that_of_one_does)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = new_game_of(&house, ada.token, "{\"variant\":\"shogi\"}");
    char path[128];

    assert_type(ada.token, "/v1/me/export?format=kif", "application/x-kif; charset=utf-8");
    assert_type(ada.token, "/v1/me/export?format=text", "text/plain; charset=utf-8");
    assert_type(ada.token, "/v1/me/export?format=pdn", "application/x-pdn; charset=utf-8");
    assert_type(ada.token, "/v1/me/export", "application/x-ndjson");
    snprintf(path, sizeof(path), "/v1/games/%s.kif", game.id);
    assert_type(NULL, path, "application/x-kif; charset=utf-8");
}

/* ---- long heads ---- */

static void expect_head(const char *head, const char *status, const char *code)
{
    char *heard = raw_hear(raw_say(house.plyd.port, head, strlen(head)));

    cr_expect_eq(strncmp(heard, status, strlen(status)), 0, "%.60s: %.200s", head, heard);
    cr_expect_not_null(strstr(heard, "\r\nRequest-Id: "), "%.60s", head);
    cr_expect(code == NULL || strstr(heard, code) != NULL, "%.60s", head);
    free(heard);
}

/* A request whose head has `count` times the same, before it a text, and behind it one. */
static char *head_of(const char *before, const char *part, int count, const char *behind)
{
    char *head = malloc(strlen(before) + strlen(part) * (size_t)count + strlen(behind) + 1), *at;

    at = stpcpy(head, before);
    for (int i = 0; i < count; i++)
        at = stpcpy(at, part);
    strcpy(at, behind);
    return head;
}

/* libmicrohttpd would answer by a page of its own. */
Test(headers, a_head_that_is_too_long_is_refused_as_a_problem)
{
    static const char first[] = "GET /healthz HTTP/1.1\r\nHost: x\r\n",
                      last[] = "Connection: close\r\n\r\n";
    static const struct {
        const char *before, *part;
        int count;
        const char *behind, *status, *code;
    } rows[] = {
        {first, "a:b\r\n", 150, last, "HTTP/1.1 200 ", NULL},
        {first, "a:b\r\n", 1000, last, "HTTP/1.1 431 ", "headers-too-large"},
        {"GET /healthz HTTP/1.1\r\nHost: x\r\nX: ", "y", 20000, "\r\nConnection: close\r\n\r\n",
         "HTTP/1.1 431 ", "headers-too-large"},
        {"GET /", "y", 20000, " HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 414 ", "url-too-long"},
        {"GET /healthz HTTP/1.1\r\nHost: x\r\nCookie: ", "a;", 3500,
         "\r\nConnection: close\r\n\r\n", "HTTP/1.1 200 ", NULL},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char *head = head_of(rows[i].before, rows[i].part, rows[i].count, rows[i].behind);

        expect_head(head, rows[i].status, rows[i].code);
        free(head);
    }
}
