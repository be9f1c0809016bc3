/* test_requests.c - HTTP in general: repetition, caching, forms of bodies, bad input. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "house.h"

HOUSE_SUITE(requests, house_share, HOUSE_PATIENCE_S);

static struct answer create_with(const char *key, const char *body)
{
    char headers[256];

    snprintf(headers, sizeof(headers), "Content-Type: application/json\r\nIdempotency-Key: %s\r\n",
             key);
    return ask(&house, "POST", "/v1/games", headers, body);
}

Test(requests, a_creation_with_the_same_key_gets_the_same_game_and_token)
{
    struct answer first = create_with("the first key of all", "{\"variant\":\"jungle\"}");
    struct answer again = create_with("the first key of all", "{\"variant\":\"jungle\"}");
    char replayed[256];

    assert_status(&first, 201);
    assert_status(&again, 201);
    cr_assert_str_eq(first.reply.body, again.reply.body);
    cr_assert_null(http_header(&first.reply, "Idempotent-Replayed", replayed));
    cr_assert_str_eq(http_header(&again.reply, "Idempotent-Replayed", replayed), "true");
}

Test(requests, a_key_with_another_body_is_refused)
{
    struct answer first = create_with("the second key of all", "{\"variant\":\"jungle\"}");
    struct answer other = create_with("the second key of all", "{\"variant\":\"shogi\"}");

    assert_status(&first, 201);
    assert_problem(&other, 422, "idempotency-key-reused");
}

Test(requests, a_game_that_the_client_has_is_304)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    char path[128], etag[256], headers[300];
    struct answer first, second;

    snprintf(path, sizeof(path), "/v1/games/%s", game.id);
    first = ask(&house, "GET", path, NULL, NULL);
    snprintf(headers, sizeof(headers), "If-None-Match: %s\r\n",
             http_header(&first.reply, "ETag", etag));
    second = ask(&house, "GET", path, headers, NULL);
    assert_status(&second, 304);
    play(&house, &game, "a3a4");
    second = ask(&house, "GET", path, headers, NULL);
    assert_status(&second, 200);
}

Test(requests, text_plain_is_a_board_for_people)
{
    struct game game = new_game(&house, "{\"variant\":\"turkish-draughts\"}");
    char path[128];
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/games/%s", game.id);
    answer = ask(&house, "GET", path, "Accept: text/plain\r\n", NULL);
    assert_status(&answer, 200);
    cr_assert_not_null(strstr(answer.reply.body, "b b b b b b b b"));
}

Test(requests, a_private_game_is_404_without_its_token)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\",\"visibility\":\"private\"}");
    struct answer stranger = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", game.id);
    struct answer owner = ask_at(&house, game.token, "GET", NULL, "/v1/games/%s", game.id);
    struct answer move = ask_at(&house, NULL, "POST", "a3a4", "/v1/games/%s/moves", game.id);

    assert_problem(&stranger, 404, "no-such-game");
    assert_status(&owner, 200);
    assert_problem(&move, 404, "no-such-game");
    cr_assert_not(has(&stranger, "game"));
}

Test(requests, a_full_private_game_is_404_to_a_stranger_who_would_join_it)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\",\"visibility\":\"private\"}");
    char path[128];
    struct answer plain, named, guarded;

    snprintf(path, sizeof(path), "/v1/games/%s/join", game.id);
    plain = ask(&house, "POST", path, NULL, NULL);
    named = ask_as(&house, NULL, "POST", path, "{\"seat\":\"nobody\"}");
    guarded = ask(&house, "POST", path, "If-Match: \"7\"\r\n", NULL);
    assert_problem(&plain, 404, "no-such-game");
    assert_problem(&named, 404, "no-such-game");
    assert_problem(&guarded, 404, "no-such-game");
}

Test(requests, a_joined_seat_has_a_token_of_its_own)
{
    struct game game = new_game(
        &house,
        "{\"variant\":\"shogi\",\"seats\":[{\"me\":true,\"name\":\"Ada\"},{\"open\":true}]}");
    struct answer joined = ask_at(&house, NULL, "POST", "{\"seat\":\"gote\",\"name\":\"Mia\"}",
                                  "/v1/games/%s/join", game.id);
    struct answer late = ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/join", game.id);

    assert_status(&joined, 200);
    cr_assert_eq(number_of(&joined, "seat"), 2);
    cr_assert_str_eq(text_of(&joined, "status"), "active");
    cr_assert_str_eq(text_of(&joined, "seats.1.name"), "Mia");
    cr_assert_str_neq(text_of(&joined, "token"), game.token);
    assert_problem(&late, 409, "seat-taken");
}

/* ---- bad input ---- */

static const struct bad {
    const char *method, *path, *type, *body;
    int status;
    const char *code;
} bad[] = {
    {"GET", "/nowhere", NULL, NULL, 404, "no-such-route"},
    {"GET", "/v1/games/..%2f..%2fetc", NULL, NULL, 404, "no-such-game"},
    {"GET", "/v1/games/%zz", NULL, NULL, 400, "bad-parameter"},
    {"GET", "/v1/games/%00", NULL, NULL, 400, "bad-parameter"},
    {"DELETE", "/v1/games", NULL, NULL, 405, "method-not-allowed"},
    {"BREW", "/v1/games", NULL, NULL, 405, "method-not-allowed"},
    {"GET", "/v1/games/00000000000000000000000000", NULL, NULL, 404, "no-such-game"},
    {"GET", "/v1/games/short", NULL, NULL, 404, "no-such-game"},
    {"GET", "/v1/games/00000000000000000000000000?nope=1", NULL, NULL, 422, "unknown-field"},
    {"GET", "/v1/games/00000000000000000000000000?include=x", NULL, NULL, 400, "bad-parameter"},
    {"GET", "/v1/games/00000000000000000000000000/moves?limit=0", NULL, NULL, 400, "bad-parameter"},
    {"GET", "/v1/games/00000000000000000000000000/moves?limit=x", NULL, NULL, 400, "bad-parameter"},
    {"GET", "/v1/games/00000000000000000000000000/moves?after=1&after=2", NULL, NULL, 400,
     "bad-parameter"},
    {"GET", "/v1/games/00000000000000000000000000/positions/x", NULL, NULL, 404, "no-such-ply"},
    {"GET", "/v1/games/00000000000000000000000000/positions/99999999999", NULL, NULL, 404,
     "no-such-ply"},
    {"POST", "/v1/games", "application/json", "", 400, "bad-parameter"},
    {"POST", "/v1/games", "application/json", "{", 400, "malformed-json"},
    {"POST", "/v1/games", "application/json", "[]", 400, "malformed-json"},
    {"POST", "/v1/games", "application/json", "{} {}", 400, "malformed-json"},
    {"POST", "/v1/games", "application/json", "{\"variant\":\"\\u0000\"}", 400, "malformed-json"},
    {"POST", "/v1/games", "application/json", "{\"variant\":\"\xff\"}", 400, "malformed-json"},
    {"POST", "/v1/games", "application/json", "{\"variant\":\"\xed\xa0\x80\"}", 400,
     "malformed-json"},
    {"POST", "/v1/games", "application/json", "{\"variant\":\"shogi\",\"variant\":\"jungle\"}", 400,
     "malformed-json"},
    {"POST", "/v1/games", "application/json", "{\"variant\":7}", 400, "bad-parameter"},
    {"POST", "/v1/games", "application/json", "{\"variant\":\"chess\"}", 404, "no-such-variant"},
    {"POST", "/v1/games", "application/json", "{\"variant\":\"shogi\",\"colour\":1}", 422,
     "unknown-field"},
    {"POST", "/v1/games", "application/json", "{\"variant\":\"shogi\",\"options\":{\"rule\":1}}",
     422, "unknown-field"},
    {"POST", "/v1/games", "application/json",
     "{\"variant\":\"shogi\",\"options\":{\"rules\":\"wild\"}}", 422, "bad-option"},
    {"POST", "/v1/games", "application/json",
     "{\"variant\":\"shogi\",\"options\":{\"repetition\":1e400}}", 422, "bad-option"},
    {"POST", "/v1/games", "application/json", "{\"variant\":\"tictactoe\",\"options\":{\"k\":4}}",
     422, "bad-option"},
    {"POST", "/v1/games", "application/json",
     "{\"variant\":\"stackchess\",\"options\":{\"size\":2.5}}", 422, "bad-option"},
    {"POST", "/v1/games", "application/json", "{\"variant\":\"jungle\",\"position\":\"x\"}", 422,
     "bad-position"},
    {"POST", "/v1/games", "application/json",
     "{\"variant\":\"tictactoe\",\"position\":\"xxx/oo1/3 o 3\"}", 422, "position-already-over"},
    {"POST", "/v1/games", "application/json", "{\"variant\":\"jungle\",\"moves\":[\"a1a9\"]}", 422,
     "wrong-shape"},
    {"POST", "/v1/games", "application/json", "{\"variant\":\"jungle\",\"seats\":[]}", 400,
     "bad-parameter"},
    {"POST", "/v1/games", "application/json",
     "{\"variant\":\"jungle\",\"seats\":[{\"open\":true},{\"open\":true}]}", 400, "bad-parameter"},
    {"POST", "/v1/games", "application/json",
     "{\"variant\":\"jungle\",\"seats\":[{\"me\":true,\"open\":true},{\"open\":true}]}", 400,
     "bad-parameter"},
    {"POST", "/v1/games", "application/json",
     "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"engine\":\"deep\"}]}", 400,
     "bad-parameter"},
    {"POST", "/v1/games", "application/json", "{\"variant\":\"jungle\",\"undo\":\"maybe\"}", 400,
     "bad-parameter"},
    {"POST", "/v1/games", "image/png", "x", 415, "unsupported-media-type"},
    {"POST", "/v1/games", "application/x-www-form-urlencoded", "variant=%zz", 400,
     "malformed-json"},
    {"POST", "/v1/games", "application/x-www-form-urlencoded", "variant=jungle&variant=shogi", 400,
     "malformed-json"},
    {"GET", "/problems/none", NULL, NULL, 404, "no-such-route"},
};

Test(requests, bad_input_gets_its_code)
{
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        char headers[128] = "";
        struct answer answer;

        if (bad[i].type != NULL)
            snprintf(headers, sizeof(headers), "Content-Type: %s\r\n", bad[i].type);
        answer = ask(&house, bad[i].method, bad[i].path, headers, bad[i].body);
        cr_assert_eq(answer.status, bad[i].status, "%s %s %s: %s", bad[i].method, bad[i].path,
                     bad[i].body == NULL ? "" : bad[i].body, answer.reply.body);
        cr_assert_str_eq(text_of(&answer, "code"), bad[i].code, "%s", answer.reply.body);
    }
}

/* Python's requests, fetch() with bytes, OkHttp and Go send none unless they are told. */
Test(requests, a_body_without_a_content_type_is_read_as_that_of_curl)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");
    char headers[128], path[96];
    static const char *const moves[] = {"7g7f", "move=3c3d", "8h2b+\n", " {\"move\":\"3a2b\"}"};
    struct answer answer = ask(&house, "POST", "/v1/games", NULL, "variant=shogi&undo=free");

    assert_status(&answer, 201);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", game.token);
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof(path), "/v1/games/%s/moves/%d", game.id, i + 1);
        answer = ask(&house, "PUT", path, headers, moves[i]);
        assert_status(&answer, 201);
    }
}

Test(requests, what_cannot_be_read_is_refused_with_the_content_type)
{
    static const char *const rows[][3] = {{"", "shogi", "The request has no Content-Type"},
                                          {"Content-Type: application/json\r\n", "variant=shogi",
                                           "The Content-Type is application/json."},
                                          {"", "{\"variant\":", NULL}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct answer answer = ask(&house, "POST", "/v1/games", rows[i][0], rows[i][1]);
        const char *detail = text_of(&answer, "detail");

        assert_status(&answer, 400);
        cr_assert(rows[i][2] != NULL ? strstr(detail, rows[i][2]) != NULL
                                     : strstr(detail, "Content-Type") == NULL,
                  "%s", detail);
    }
}

Test(requests, an_unknown_field_is_named_by_its_pointer)
{
    struct answer answer = ask_as(&house, NULL, "POST", "/v1/games",
                                  "{\"variant\":\"jungle\",\"seats\":[{\"me\":true,\"nmae\":\"A\"},"
                                  "{\"open\":true}]}");

    assert_problem(&answer, 422, "unknown-field");
    cr_assert_str_eq(text_of(&answer, "pointer"), "/seats/0/nmae");
}

Test(requests, a_body_of_64_kib_and_one_byte_is_413)
{
    char *body = malloc((64 << 10) + 2);
    struct answer answer;

    memset(body, ' ', (64 << 10) + 1);
    body[(64 << 10) + 1] = '\0';
    answer = ask(&house, "POST", "/v1/games", "Content-Type: application/json\r\n", body);
    assert_problem(&answer, 413, "body-too-large");
    free(body);
}

Test(requests, a_form_of_too_many_fields_is_refused_before_it_costs_anything)
{
    char *body = calloc(1, 64 << 10);
    struct answer answer;
    size_t len = 0;

    for (int i = 0; i < 65; i++)
        len += (size_t)sprintf(body + len, "f%d=1&", i);
    answer = ask(&house, "POST", "/v1/games", "Content-Type: application/x-www-form-urlencoded\r\n",
                 body);
    assert_problem(&answer, 400, "malformed-json");
    free(body);
}

Test(requests, an_address_of_more_than_8_kib_is_414)
{
    char *path = malloc(9000);
    struct answer answer;

    memset(path, 'a', 8999);
    path[0] = '/';
    path[8999] = '\0';
    answer = ask(&house, "GET", path, NULL, NULL);
    assert_problem(&answer, 414, "url-too-long");
    free(path);
}

Test(requests, head_has_the_headers_of_get_and_no_body)
{
    struct answer answer = ask(&house, "HEAD", "/healthz", NULL, NULL);
    char length[256];

    assert_status(&answer, 200);
    cr_assert_str_neq(http_header(&answer.reply, "Content-Length", length), "0");
}

Test(requests, options_and_405_name_the_methods)
{
    struct answer options = ask(&house, "OPTIONS", "/v1/players", NULL, NULL);
    struct answer wrong = ask(&house, "PUT", "/v1/players", NULL, NULL);
    char allow[256];

    assert_status(&options, 204);
    cr_assert_str_eq(http_header(&options.reply, "Allow", allow), "GET, HEAD, POST, OPTIONS");
    assert_status(&wrong, 405);
    cr_assert_str_eq(http_header(&wrong.reply, "Allow", allow), "GET, HEAD, POST, OPTIONS");
}

Test(requests, a_request_id_comes_back)
{
    struct answer answer = ask(&house, "GET", "/nowhere", "Request-Id: abc-1\r\n", NULL);
    char id[256];

    cr_assert_str_eq(http_header(&answer.reply, "Request-Id", id), "abc-1");
    cr_assert_str_eq(text_of(&answer, "request_id"), "abc-1");
}

Test(requests, one_connection_serves_one_request_after_the_other)
{
    int fd = http_connect(house.plyd.port);

    for (int i = 0; i < 3; i++) {
        struct http_reply reply;

        http_send(fd, "GET", "/healthz", NULL, NULL, 0);
        http_receive(fd, "GET", &reply);
        cr_assert_eq(reply.status, 200);
        http_free(&reply);
    }
}

Test(requests, if_match_takes_a_list_and_a_weak_tag_is_never_the_same)
{
    static const struct {
        const char *tags;
        int status;
    } cases[] = {{"\"1\"", 200},
                 {"\"7\", \"1\"", 200},
                 {"*", 200},
                 {"W/\"1\"", 412},
                 {"\"2\"", 412},
                 {"W/\"1\",\"1\"", 200},
                 {"\"99999999999\"", 412},
                 {"1", 400},
                 {"\"1", 400},
                 {"\"1\" \"2\"x", 400},
                 {"", 400}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
        char path[128], headers[256];
        struct answer answer;

        snprintf(path, sizeof(path), "/v1/games/%s/resign", game.id);
        snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nIf-Match: %s\r\n",
                 game.token, cases[i].tags);
        answer = ask(&house, "POST", path, headers, NULL);
        assert_status(&answer, cases[i].status);
    }
}

Test(requests, an_aborted_game_is_over_for_a_player_who_would_join_it)
{
    struct game game =
        new_game(&house, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    struct answer answer = ask_at(&house, game.token, "POST", "", "/v1/games/%s/abort", game.id);

    assert_status(&answer, 200);
    answer = ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/join", game.id);
    assert_problem(&answer, 409, "game-over");
}
