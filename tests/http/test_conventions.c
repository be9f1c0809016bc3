/*
 * test_conventions.c - what surrounds the API: its contract, its pages, its problems, its headers.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/text/problem.h"
#include "house.h"
#include "rules/rules.h"
#include "tests/support/files.h"
#include "tests/support/schema.h"
#include "tests/support/stream.h"

HOUSE_SUITE(conventions, house_share, HOUSE_PATIENCE_S);

/* ---- the contract ---- */

Test(conventions, the_contract_is_served_as_it_stands_in_the_repository)
{
    struct answer answer = ask(&house, "GET", "/openapi.yaml", NULL, NULL);
    char *file = file_read("openapi.yaml");
    char type[256];

    assert_status(&answer, 200);
    cr_assert_str_eq(answer.reply.body, file);
    cr_assert_str_eq(http_header(&answer.reply, "Content-Type", type), "application/yaml");
    free(file);
}

Test(conventions, the_contract_as_json_has_the_same_operations)
{
    struct answer answer = ask(&house, "GET", "/openapi.json", NULL, NULL);

    assert_status(&answer, 200);
    cr_assert(cJSON_Compare(answer.json, house.contract, true));
    cr_assert_str_eq(text_of(&answer, "openapi"), "3.1.0");
}

Test(conventions, the_examples_of_the_contract_fit_their_schemas)
{
    const cJSON *schemas =
        cJSON_GetObjectItem(cJSON_GetObjectItem(house.contract, "components"), "schemas");
    const cJSON *schema, *example;
    char why[1024];

    cJSON_ArrayForEach(schema, schemas)
    {
        example = cJSON_GetObjectItem(schema, "example");
        cr_assert(example == NULL || schema_fits(house.contract, schema, example, why, sizeof(why)),
                  "%s: %s", schema->string, why);
    }
}

static const char *const documents[] = {
    "/openapi.yaml", "/openapi.json", "/docs",        "/docs/frontends",
    "/docs/module",  "/docs/board",   "/docs/people", "/"};

Test(conventions, a_document_that_the_client_has_is_304)
{
    for (size_t i = 0; i < sizeof(documents) / sizeof(documents[0]); i++) {
        struct answer first = ask(&house, "GET", documents[i], NULL, NULL), second;
        char etag[256], headers[300];

        snprintf(headers, sizeof(headers), "If-None-Match: %s\r\n",
                 http_header(&first.reply, "ETag", etag));
        second = ask(&house, "GET", documents[i], headers, NULL);
        assert_status(&second, 304);
        cr_assert_eq(second.reply.len, 0);
    }
}

/* ---- pages ---- */

static const char browser[] =
    "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8\r\n";

static struct answer get_as(const char *path, const char *accept)
{
    char headers[300] = "";

    if (accept != NULL)
        snprintf(headers, sizeof(headers), "%s", accept);
    return ask(&house, "GET", path, accept == NULL ? NULL : headers, NULL);
}

static void assert_type(const struct answer *answer, const char *type)
{
    char value[256];

    cr_assert_not_null(http_header(&answer->reply, "Content-Type", value));
    value[strcspn(value, ";")] = '\0';
    cr_assert_str_eq(value, type);
}

static void assert_says(const struct answer *answer, const char *text)
{
    cr_assert_not_null(strstr(answer->reply.body, text), "no '%s' in\n%.3000s", text,
                       answer->reply.body);
}

Test(conventions, the_start_is_a_text_for_curl_and_a_page_for_browsers)
{
    struct answer bare = get_as("/", NULL), curl = get_as("/", "Accept: */*\r\n");
    struct answer page = get_as("/", browser);

    assert_type(&bare, "text/plain");
    assert_type(&curl, "text/plain");
    assert_type(&page, "text/html");
    assert_says(&curl, "curl -d variant=shogi test/v1/games");
    assert_says(&page, "href=\"/docs\"");
    for (size_t i = 0; i < rules_games(); i++) {
        assert_says(&curl, rules_game(i)->name);
        assert_says(&page, rules_game(i)->title);
    }
}

Test(conventions, the_reference_is_a_page_or_a_list_where_text_is_preferred)
{
    struct answer page = get_as("/docs", browser), any = get_as("/docs", "Accept: */*\r\n");
    struct answer text = get_as("/docs", "Accept: text/plain\r\n");
    struct answer none = get_as("/docs", "Accept: image/png\r\n");
    const cJSON *path, *operation, *summary;

    assert_type(&page, "text/html");
    assert_type(&any, "text/html");
    assert_type(&text, "text/plain");
    assert_problem(&none, 406, "not-acceptable");
    cJSON_ArrayForEach(path, cJSON_GetObjectItem(house.contract, "paths"))
    {
        assert_says(&text, path->string);
        cJSON_ArrayForEach(operation, path)
        {
            summary = cJSON_GetObjectItem(operation, "summary");
            if (summary != NULL)
                assert_says(&text, summary->valuestring);
        }
    }
}

static const char *const pages[] = {"/",
                                    "/docs",
                                    "/docs/frontends",
                                    "/docs/module",
                                    "/docs/board",
                                    "/docs/people",
                                    "/problems",
                                    "/problems/nifu",
                                    "/play/ywyk24nwmmknfzjdjxebsw56dr",
                                    "/v1/variants/jungle/rules"};

/* Whether a page names anything that a browser would fetch from elsewhere. */
static bool reaches_out(const char *page)
{
    static const char *const ways[] = {"=\"//", "=\"http", "@import", "url("};

    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
        if (strstr(page, ways[i]) != NULL)
            return true;
    return false;
}

Test(conventions, pages_load_nothing_from_elsewhere_and_say_so)
{
    for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
        struct answer page = get_as(pages[i], browser);
        char policy[256];

        assert_status(&page, 200);
        cr_assert_not_null(http_header(&page.reply, "Content-Security-Policy", policy));
        cr_assert_eq(
            strncmp(policy, "default-src 'none'; style-src 'self'; script-src 'self';", 56), 0,
            "%s", policy);
        cr_assert_not(reaches_out(page.reply.body), "%s", pages[i]);
    }
}

/* Goes behind the next tag of a page, and says what it is: "p" or "/p"; false: there is none.
 * Comments, the doctype, and elements that have no end are passed over. */
static bool next_tag(const char **at, char name[16])
{
    static const char endless[] = " meta link br hr img input source !doctype ";
    char word[20];

    do {
        *at = strchr(*at, '<');
        if (*at == NULL)
            return false;
        snprintf(name, 16, "%.*s", (int)strcspn(*at + 1, " >\n"), *at + 1);
        snprintf(word, sizeof(word), " %s ", name);
        *at += strcspn(*at, ">");
    } while (strstr(endless, word) != NULL);
    return true;
}

static void assert_closed(const char *path, const char *page)
{
    static char open[64][16];
    size_t depth = 0;
    char tag[16];

    while (next_tag(&page, tag)) {
        if (tag[0] != '/') {
            cr_assert_lt(depth, 64, "%s", path);
            strcpy(open[depth++], tag);
            if (strcmp(tag, "script") == 0)
                page = strstr(page, "</script>");
            else if (strcmp(tag, "style") == 0)
                page = strstr(page, "</style>");
            continue;
        }
        cr_assert_gt(depth, 0, "%s: %s", path, tag);
        cr_assert_str_eq(tag + 1, open[--depth], "%s", path);
    }
    cr_assert_eq(depth, 0, "%s: %s is open", path, open[depth == 0 ? 0 : depth - 1]);
}

Test(conventions, every_element_of_a_page_is_closed)
{
    for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
        struct answer page = get_as(pages[i], browser);

        assert_closed(pages[i], page.reply.body);
    }
}

Test(conventions, the_reference_brings_the_script_that_draws_it)
{
    struct answer page = get_as("/docs", browser);

    assert_says(&page, "docs.js\"></script>");
}

Test(conventions, what_pages_load_is_kept_for_good_and_what_others_load_is_not)
{
    struct answer page = get_as("/", browser);
    const char *from = strstr(page.reply.body, "/assets/");
    char path[100], other[] = "/assets/another/play.js", value[256];
    struct answer file, latest = get_as(other, NULL), own = get_as("/plyd.js", NULL);

    snprintf(path, sizeof(path), "%.*s", (int)strcspn(from, "\""), from);
    file = get_as(path, NULL);
    assert_status(&file, 200);
    cr_assert_str_eq(http_header(&file.reply, "Cache-Control", value),
                     "public, max-age=31536000, immutable");
    assert_status(&latest, 200);
    cr_assert_str_eq(http_header(&latest.reply, "Cache-Control", value), "no-cache");
    cr_assert_str_eq(http_header(&own.reply, "Cache-Control", value), "no-cache");
}

Test(conventions, the_worker_of_the_pages_names_the_build_that_they_name)
{
    struct answer page = get_as("/", browser), worker = get_as("/sw.js", NULL);
    const char *from = strstr(page.reply.body, "/assets/") + strlen("/assets/");
    char says[100], value[256];

    snprintf(says, sizeof(says), "const BUILD = \"%.*s\";\n", (int)strcspn(from, "/"), from);
    assert_status(&worker, 200);
    cr_assert_eq(strncmp(worker.reply.body, says, strlen(says)), 0, "%.60s", worker.reply.body);
    assert_type(&worker, "text/javascript");
    cr_assert_str_eq(http_header(&worker.reply, "Cache-Control", value), "no-cache");
    cr_assert_str_eq(http_header(&worker.reply, "Content-Security-Policy", value),
                     "default-src 'none'; connect-src 'self'");
}

Test(conventions, each_icon_of_the_application_is_there_with_its_type)
{
    struct answer manifest = get_as("/manifest.webmanifest", NULL);
    const char *from = manifest.reply.body;
    int icons = 0;

    assert_type(&manifest, "application/manifest+json");
    while ((from = strstr(from, "/assets/")) != NULL) {
        char path[100], value[256];
        struct answer icon;

        snprintf(path, sizeof(path), "%.*s", (int)strcspn(from, "\""), from);
        icon = get_as(path, NULL);
        assert_status(&icon, 200);
        assert_type(&icon, strstr(path, ".png") != NULL ? "image/png" : "image/svg+xml");
        if (strstr(path, ".png") != NULL)
            cr_assert_eq(memcmp(icon.reply.body, "\x89PNG\r\n\x1a\n", 8), 0, "%s", path);
        cr_assert_str_eq(http_header(&icon.reply, "Cache-Control", value), "no-cache");
        from += strlen("/assets/");
        icons++;
    }
    cr_assert_eq(icons, 4);
}

Test(conventions, a_page_for_frames_may_stand_in_any_and_no_other_may)
{
    struct answer frame = get_as("/embed/ywyk24nwmmknfzjdjxebsw56dr", browser);
    struct answer play = get_as("/play/ywyk24nwmmknfzjdjxebsw56dr", browser);
    char value[256];

    cr_assert_null(
        strstr(http_header(&frame.reply, "Content-Security-Policy", value), "frame-ancestors"));
    cr_assert_not_null(strstr(http_header(&play.reply, "Content-Security-Policy", value),
                              "frame-ancestors 'none'"));
}

/* The page of a new game with this visibility. */
static struct answer page_of(const char *visibility, struct game *game)
{
    char body[256], path[128];

    snprintf(body, sizeof(body),
             "{\"variant\":\"shogi\",\"visibility\":\"%s\",\"seats\":[{\"me\":true,"
             "\"name\":\"Ada \\\"<&\"},{\"engine\":\"plyd\",\"level\":1}]}",
             visibility);
    *game = new_game(&house, body);
    snprintf(path, sizeof(path), "/play/%s", game->id);
    return get_as(path, browser);
}

Test(conventions, the_page_of_a_public_game_has_a_card_of_it)
{
    struct game game;
    struct answer page = page_of("public", &game);
    char picture[128];

    assert_status(&page, 200);
    cr_assert_not_null(strstr(page.reply.body, "<title>Shogi: Ada &quot;&lt;&amp; and "));
    cr_assert_not_null(strstr(page.reply.body, "<meta property=\"og:description\" content=\""
                                               "After move 0, Ada &quot;&lt;&amp; is to move."));
    snprintf(picture, sizeof(picture), "/v1/games/%s/board.png?size=800\">", game.id);
    cr_assert_not_null(strstr(page.reply.body, picture));
}

Test(conventions, the_page_of_any_other_game_is_that_of_one_that_is_not_there)
{
    struct game game;
    struct answer nowhere = get_as("/play/ywyk24nwmmknfzjdjxebsw56dr", browser);
    struct answer unlisted = page_of("unlisted", &game), hidden = page_of("private", &game);

    cr_assert_null(strstr(nowhere.reply.body, "og:"));
    cr_assert_str_eq(unlisted.reply.body, nowhere.reply.body);
    cr_assert_str_eq(hidden.reply.body, nowhere.reply.body);
}

Test(conventions, a_file_that_is_not_there_is_a_404)
{
    struct answer answer = get_as("/assets/latest/nothing.js", NULL);

    assert_problem(&answer, 404, "no-such-route");
}

Test(conventions, a_document_is_compressed_for_a_client_that_takes_that)
{
    static const char *const paths[] = {"/openapi.json", "/assets/x/docs.js", "/v1/variants/shogi",
                                        "/v1/variants/shogi/board.svg", "/docs"};

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        struct answer plain = get_as(paths[i], NULL);
        struct http_reply small;
        char value[256];

        http_request(house.plyd.port, &small, "GET", paths[i], "Accept-Encoding: br, gzip\r\n",
                     NULL);
        cr_assert_eq(small.status, 200);
        cr_assert_str_eq(http_header(&small, "Content-Encoding", value), "gzip");
        cr_assert_lt(small.len, plain.reply.len, "%s", paths[i]);
        cr_assert_null(http_header(&plain.reply, "Content-Encoding", value));
        http_free(&small);
    }
}

Test(conventions, whoever_follows_a_wrong_link_in_a_browser_gets_a_page)
{
    struct answer page = get_as("/nowhere", browser), json = get_as("/nowhere", "Accept: */*\r\n");

    assert_status(&page, 404);
    assert_type(&page, "text/html");
    assert_says(&page, "href=\"/problems/no-such-route\"");
    assert_type(&json, "application/problem+json");
}

Test(conventions, a_host_that_a_shell_would_read_stays_out_of_what_we_say)
{
    static const char request[] = "GET / HTTP/1.1\r\nHost: $(b&x)\r\nAccept: text/plain\r\n\r\n";
    int fd = http_connect(house.plyd.port);
    struct http_reply reply;

    cr_assert_eq(send(fd, request, strlen(request), 0), (ssize_t)strlen(request));
    http_receive(fd, "GET", &reply);
    cr_assert_eq(reply.status, 200);
    cr_assert_null(strstr(reply.body, "$(b"));
    cr_assert_not_null(strstr(reply.body, "variant=shogi HOST/v1/games"));
    http_free(&reply);
    close(fd);
}

/* ---- problems ---- */

static const char *const codes[] = {
#define PROBLEM(id, code, status, title, meaning) code,
#include "api/text/problem.def"
#undef PROBLEM
#define RULES_CODE(id, text, title, detail, meaning) text,
#include "rules/codes.def"
#undef RULES_CODE
};

Test(conventions, the_type_of_every_problem_leads_to_its_meaning)
{
    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        static const char *const types[] = {"application/json", "text/plain", "text/html"};
        char path[80], accept[80];

        if (strcmp(codes[i], "ok") == 0)
            continue;
        snprintf(path, sizeof(path), "/problems/%s", codes[i]);
        for (size_t t = 0; t < 3; t++) {
            struct answer answer;

            snprintf(accept, sizeof(accept), "Accept: %s\r\n", types[t]);
            answer = get_as(path, accept);
            assert_status(&answer, 200);
            assert_type(&answer, types[t]);
            assert_says(&answer, codes[i]);
        }
    }
}

Test(conventions, the_page_of_a_problem_has_its_title_and_its_meaning)
{
    for (enum problem problem = PROBLEM_NONE + 1; problem < PROBLEMS; problem++) {
        const struct problem_kind *kind = problem_kind(problem);
        struct answer page;
        char path[80], title[128];

        /* Legal moves are no problem, and of two that share a code the first has the page. */
        if (strcmp(kind->code, "ok") == 0 || problem_find(kind->code) != problem ||
            strpbrk(kind->title, "&<>\"'") != NULL || strpbrk(kind->meaning, "&<>\"'") != NULL)
            continue;
        snprintf(title, sizeof(title), "<h1>%s</h1>", kind->title);
        snprintf(path, sizeof(path), "/problems/%s", kind->code);
        page = get_as(path, browser);
        assert_says(&page, title);
        assert_says(&page, kind->meaning);
    }
}

Test(conventions, the_list_of_problems_has_every_code_once_with_a_meaning_of_its_own)
{
    struct answer list = get_as("/problems", NULL),
                  text = get_as("/problems", "Accept: text/plain\r\n");
    const cJSON *items = cJSON_GetObjectItem(list.json, "items"), *item;

    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        int times = 0;

        cJSON_ArrayForEach(item, items)
        {
            times += strcmp(cJSON_GetObjectItem(item, "code")->valuestring, codes[i]) == 0;
        }
        cr_assert_eq(times, strcmp(codes[i], "ok") == 0 ? 0 : 1, "%s", codes[i]);
    }
    cJSON_ArrayForEach(item, items)
    {
        cr_assert_str_neq(cJSON_GetObjectItem(item, "meaning")->valuestring,
                          cJSON_GetObjectItem(item, "title")->valuestring);
        assert_says(&text, cJSON_GetObjectItem(item, "code")->valuestring);
    }
}

/* ---- headers ---- */

Test(conventions, headers_of_more_than_8_kib_are_refused)
{
    static char headers[16 << 10] = "X: ";
    struct answer answer;

    memset(headers + 3, 'x', 8100);
    strcpy(headers + 3 + 8100, "\r\n");
    answer = get_as("/healthz", NULL);
    assert_status(&answer, 200);
    answer = ask(&house, "GET", "/problems", headers, NULL);
    assert_status(&answer, 200);
    memset(headers + 3, 'x', 8200);
    strcpy(headers + 3 + 8200, "\r\n");
    answer = ask(&house, "GET", "/problems", headers, NULL);
    assert_problem(&answer, 431, "headers-too-large");
}

/* What a request of the game is at, in the log. */
static void assert_logged(const char *request, const char *event, const char *game, int version,
                          const char *what)
{
    char text[200];

    snprintf(text, sizeof(text),
             "\"%s\",\"request_id\":\"%s\",\"game\":\"%s\",\"version\":\"%d\",\"what\":\"%s\"",
             event, request, game, version, what);
    cr_expect(plyd_logged(&house.second, text), "%s", text);
}

Test(conventions, where_a_request_stands_at_its_game_can_be_followed_in_the_log)
{
    struct http_reply reply;
    struct stream stream;
    struct game game;
    char path[100], headers[200];

    house_move_out(&house);
    plyd_start(&house.second, house.database, "--log-level", "debug", NULL);
    game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    snprintf(path, sizeof(path), "/v1/games/%s/moves", game.id);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nRequest-Id: followed\r\n",
             game.token);
    http_request(house.second.port, &reply, "POST", path, headers, "a1");
    cr_assert_eq(reply.status, 201, "%s", reply.body);
    http_free(&reply);
    snprintf(path, sizeof(path), "/v1/games/%s/events", game.id);
    stream_open(&stream, house.second.port, path, "Accept: text/event-stream\r\n", &reply);
    cr_assert_eq(reply.status, 200);
    http_free(&reply);
    stream_close(&stream);
    plyd_await(&house.second, "\"stream-end\",\"because\":\"closed\"");
    plyd_await_log(&house.second);
    assert_logged("followed", "op-run", game.id, 1, "waits");
    assert_logged("followed", "op-written", game.id, 1, "done");
}

Test(conventions, due_work_that_a_daemon_has_leased_can_be_followed_in_the_log)
{
    struct answer answer;
    struct player ada;
    char text[160];

    house_move_out(&house);
    plyd_stop(&house.plyd);
    plyd_start(&house.plyd, house.database, "--log-level", "debug", NULL);
    ada = new_player(&house, "Ada");
    answer = ask_as(&house, ada.token, "PATCH", "/v1/me", "{\"name\":\"Eda\"}");
    assert_status(&answer, 200);
    snprintf(text, sizeof(text),
             "\"due-begin\",\"kind\":\"player\",\"id\":\"%s\",\"what\":\"leased\"", ada.id);
    plyd_await(&house.plyd, text);
    snprintf(text, sizeof(text), "\"due-end\",\"kind\":\"player\",\"id\":\"%s\",\"what\":\"done\"",
             ada.id);
    plyd_await(&house.plyd, text);
}

Test(conventions, a_trace_can_be_followed_into_the_log)
{
    struct http_reply reply;

    house_move_out(&house);
    plyd_start(&house.second, house.database, "--log-level", "debug", NULL);
    http_request(house.second.port, &reply, "GET", "/healthz",
                 "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\n", NULL);
    cr_assert_eq(reply.status, 200);
    http_free(&reply);
    http_request(house.second.port, &reply, "GET", "/healthz", "traceparent: 00-nonsense\r\n",
                 NULL);
    cr_assert_eq(reply.status, 200);
    http_free(&reply);
    plyd_await_log(&house.second);
    cr_assert(plyd_logged(&house.second, "\"trace_id\":\"4bf92f3577b34da6a3ce929d0e0e4736\""));
    cr_assert_not(plyd_logged(&house.second, "nonsense"));
}

/* ---- quotas ---- */

/* Asks the second daemon as a client behind its proxy would. The answer is compared with the
 * contract. */
static struct answer ask_behind_proxy(const char *path, const char *address, const char *token)
{
    char headers[300];
    struct http_reply reply;

    snprintf(headers, sizeof(headers), "%s%s%s%s%s%s",
             address == NULL ? "" : "X-Forwarded-For: ", address == NULL ? "" : address,
             address == NULL ? "" : "\r\n", token == NULL ? "" : "Authorization: Bearer ",
             token == NULL ? "" : token, token == NULL ? "" : "\r\n");
    http_request(house.second.port, &reply, "GET", path, headers, NULL);
    return answer_of(&house, "GET", path, reply);
}

static void assert_header(const struct answer *answer, const char *name, const char *wanted)
{
    char value[256];

    cr_assert_not_null(http_header(&answer->reply, name, value), "no %s", name);
    cr_assert_str_eq(value, wanted);
}

static void start_with_quotas(const char *address, const char *token)
{
    house_move_out(&house);
    plyd_start(&house.second, house.database, "--loops", "1", "--trusted-proxies", "1",
               "--quota-address", address, "--quota-token", token, "--quota-window-s", "3600",
               NULL);
}

Test(conventions, every_operation_says_that_quotas_count_for_it)
{
    const cJSON *path, *operation;

    cJSON_ArrayForEach(path, cJSON_GetObjectItem(house.contract, "paths"))
    {
        bool watched = strcmp(path->string, "/healthz") == 0 ||
                       strcmp(path->string, "/readyz") == 0 ||
                       strcmp(path->string, "/metrics") == 0;

        cJSON_ArrayForEach(operation, path)
        {
            const cJSON *answers = cJSON_GetObjectItem(operation, "responses");

            cr_assert(answers == NULL || watched != (cJSON_GetObjectItem(answers, "429") != NULL),
                      "%s %s", operation->string, path->string);
        }
    }
}

Test(conventions, a_client_over_its_quota_is_told_when_it_may_go_on)
{
    struct answer answer;

    start_with_quotas("2", "100");
    answer = ask_behind_proxy("/problems", "203.0.113.7", NULL);
    assert_status(&answer, 200);
    assert_header(&answer, "RateLimit-Policy", "\"address\";q=2;w=3600");
    assert_header(&answer, "RateLimit", "\"address\";r=1;t=1800");
    answer = ask_behind_proxy("/problems", "203.0.113.7", NULL);
    assert_status(&answer, 200);
    answer = ask_behind_proxy("/problems", "6.6.6.6, 203.0.113.7", NULL);
    assert_problem(&answer, 429, "quota-exceeded");
    cr_assert_str_eq(text_of(&answer, "violated-policies.0"), "address");
    assert_header(&answer, "Retry-After", "1800");
    assert_header(&answer, "RateLimit", "\"address\";r=0;t=1800");
    answer = ask_behind_proxy("/problems", "203.0.113.8", NULL);
    assert_status(&answer, 200);
    answer = ask_behind_proxy("/metrics", "203.0.113.7", NULL);
    assert_status(&answer, 200);
    assert_says(&answer, "plyd_quota_exceeded_total{kind=\"address\"} 1\n");
    assert_says(&answer, "plyd_quota_exceeded_total{kind=\"token\"} 0\n");
}

Test(conventions, a_token_has_a_quota_wherever_it_is_used)
{
    struct answer answer;

    start_with_quotas("100", "1");
    answer = ask_behind_proxy("/problems", "203.0.113.7", "some-token");
    assert_status(&answer, 200);
    assert_header(&answer, "RateLimit-Policy", "\"address\";q=100;w=3600, \"token\";q=1;w=3600");
    answer = ask_behind_proxy("/problems", "203.0.113.8", "some-token");
    assert_problem(&answer, 429, "quota-exceeded");
    cr_assert_str_eq(text_of(&answer, "violated-policies.0"), "token");
    answer = ask_behind_proxy("/problems", "203.0.113.8", "another-token");
    assert_status(&answer, 200);
}

Test(conventions, the_machine_itself_has_no_quota)
{
    char value[256];

    start_with_quotas("1", "1");
    for (int i = 0; i < 5; i++) {
        struct answer answer = ask_behind_proxy("/problems", NULL, "some-token");

        assert_status(&answer, 200);
        cr_assert_null(http_header(&answer.reply, "RateLimit", value));
    }
}

/* ---- addresses that are nearly right ---- */

static void assert_hint(const char *path, const char *hint)
{
    struct answer answer = ask(&house, "GET", path, NULL, NULL);

    assert_problem(&answer, 404, "no-such-route");
    cr_assert_not_null(strstr(text_of(&answer, "detail"), hint), "%s: %s", path,
                       text_of(&answer, "detail"));
}

Test(conventions, a_file_of_the_same_kind_is_named)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");
    struct answer answer;
    char path[128], hint[128];

    snprintf(path, sizeof(path), "/v1/games/%s/game.svg", game.id);
    snprintf(hint, sizeof(hint), "/v1/games/%s/board.svg", game.id);
    assert_hint(path, hint);
    snprintf(path, sizeof(path), "/v1/games/%s/diagram.txt", game.id);
    snprintf(hint, sizeof(hint), "/v1/games/%s/board.txt", game.id);
    assert_hint(path, hint);
    assert_hint("/v1/variants/shogi/picture.SVG", "/v1/variants/shogi/board.svg");
    snprintf(path, sizeof(path), "/v1/games/%s.svg", game.id);
    answer = ask(&house, "GET", path, NULL, NULL);
    assert_problem(&answer, 404, "no-such-format");
    snprintf(hint, sizeof(hint), "/v1/games/%s/board.svg", game.id);
    cr_assert_not_null(strstr(text_of(&answer, "detail"), hint), "%s", answer.reply.body);
    answer = ask(&house, "GET", "/jquery.js", NULL, NULL);
    cr_assert_null(strstr(text_of(&answer, "detail"), "Did you mean"), "%s", answer.reply.body);
}
