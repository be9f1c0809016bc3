/* test_keys.c - an Idempotency-Key means the same wherever something is posted or put. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "house.h"
#include "tests/support/schema.h"

static struct house house;
static struct game game;
static struct player player;
static char hook[32], collection[32];

/* Whoever is to move in the game is not the one who asks, who has a plan for that. */
static void open_house(void)
{
    struct answer answer;

    house_open(&house);
    player = new_player(&house, "Ada");
    game = new_game_of(&house, player.token,
                       "{\"variant\":\"jungle\",\"seats\":[{\"open\":true},{\"me\":true}]}");
    answer = ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/join", game.id);
    assert_status(&answer, 200);
    answer_free(&answer);
    answer = ask_as(&house, player.token, "POST", "/v1/webhooks",
                    "{\"url\":\"https://receiver.invalid/plyd\"}");
    snprintf(hook, sizeof(hook), "%s", text_of(&answer, "id"));
    answer_free(&answer);
    answer = ask_as(&house, player.token, "POST", "/v1/me/collections", "{\"name\":\"Mine\"}");
    snprintf(collection, sizeof(collection), "%s", text_of(&answer, "id"));
    answer_free(&answer);
}

static void close_house(void)
{
    house_close(&house);
}

TestSuite(keys, .init = open_house, .fini = close_house);

/* A request that may be done twice without harm, and another one at the same address. */
static const struct deed {
    const char *method, *path, *place, *body, *other;
    int status;
} deeds[] = {
    {"PUT", "/v1/games/%s/plan", game.id,
     "{\"after_ply\":0,\"tree\":[{\"if\":\"a3a4\",\"then\":\"g7g6\"}]}",
     "{\"after_ply\":0,\"tree\":[{\"if\":\"a3a4\",\"then\":\"resign\"}]}", 200},
    {"PUT", "/v1/games/%s/notes/0", game.id, "{\"text\":\"one\"}", "{\"text\":\"two\"}", 200},
    {"PUT", "/v1/games/%s/notes/0", game.id, "{\"text\":\"\"}", "{\"text\":\"two\"}", 204},
    {"POST", "/v1/games/%s/ticket", game.id, "{}", "{\"a\":1}", 201},
    {"POST", "/v1/me/ticket", NULL, "{}", "{\"a\":1}", 201},
    {"POST", "/v1/me/vacation", NULL, "{\"for\":\"7d\"}", "{\"for\":\"8d\"}", 201},
    {"POST", "/v1/me/collections", NULL, "{\"name\":\"A\"}", "{\"name\":\"B\"}", 201},
    {"PUT", "/v1/me/collections/%s/games/%s", collection, "{}", "{\"a\":1}", 204},
    {"POST", "/v1/webhooks/%s/test", hook, "{}", "{\"a\":1}", 202},
};

enum { DEEDS = sizeof(deeds) / sizeof(deeds[0]) };

static struct answer act(const struct deed *deed, const char *key, const char *body)
{
    char path[160], headers[400];

    if (deed->place == NULL)
        snprintf(path, sizeof(path), "%s", deed->path);
    else
        snprintf(path, sizeof(path), deed->path, deed->place, game.id);
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nContent-Type: application/json\r\n"
             "Idempotency-Key: %s\r\n",
             player.token, key);
    return ask(&house, deed->method, path, headers, body);
}

static bool is_replayed(const struct answer *answer)
{
    char value[256];

    return http_header(&answer->reply, "Idempotent-Replayed", value) != NULL;
}

/* ---- in the contract ---- */

static bool takes_key(const cJSON *operation)
{
    const cJSON *parameter;

    cJSON_ArrayForEach(parameter, cJSON_GetObjectItem(operation, "parameters"))
    {
        const cJSON *followed = schema_follow(house.contract, parameter);

        if (strcmp(cJSON_GetObjectItem(followed, "name")->valuestring, "Idempotency-Key") == 0)
            return true;
    }
    return false;
}

Test(keys, every_operation_that_posts_or_puts_takes_one)
{
    static const char *const methods[] = {"post", "put"};
    const cJSON *path;

    cJSON_ArrayForEach(path, cJSON_GetObjectItem(house.contract, "paths"))
    {
        for (size_t i = 0; i < 2; i++) {
            const cJSON *operation = cJSON_GetObjectItem(path, methods[i]);

            cr_assert(operation == NULL || takes_key(operation), "%s %s", methods[i], path->string);
        }
    }
}

/* ---- what it does ---- */

Test(keys, a_request_that_comes_again_is_not_done_again)
{
    for (size_t i = 0; i < DEEDS; i++) {
        char key[32];
        struct answer first, again;

        snprintf(key, sizeof(key), "key-%zu", i);
        first = act(&deeds[i], key, deeds[i].body);
        again = act(&deeds[i], key, deeds[i].body);
        assert_status(&first, deeds[i].status);
        assert_status(&again, deeds[i].status);
        cr_assert_not(is_replayed(&first), "%s", deeds[i].path);
        cr_assert(is_replayed(&again), "%s", deeds[i].path);
        cr_assert_str_eq(again.reply.body, first.reply.body);
        answer_free(&first);
        answer_free(&again);
    }
}

Test(keys, another_request_under_a_used_key_is_refused)
{
    for (size_t i = 0; i < DEEDS; i++) {
        char key[32];
        struct answer first, other;

        snprintf(key, sizeof(key), "key-%zu", i);
        first = act(&deeds[i], key, deeds[i].body);
        other = act(&deeds[i], key, deeds[i].other);
        cr_assert_lt(first.status, 300, "%s", first.reply.body);
        assert_problem(&other, 422, "idempotency-key-reused");
        answer_free(&first);
        answer_free(&other);
    }
}

Test(keys, a_refused_request_leaves_its_key_free)
{
    static const struct deed note = {
        .method = "PUT", .path = "/v1/games/%s/notes/0", .place = game.id};
    struct answer refused = act(&note, "k", "{\"text\":7}"),
                  good = act(&note, "k", "{\"text\":\"7\"}");

    cr_assert_geq(refused.status, 400);
    assert_status(&good, 200);
    answer_free(&refused);
    answer_free(&good);
}

Test(keys, what_was_undone_since_is_not_done_again)
{
    static const struct deed note = {
        .method = "PUT", .path = "/v1/games/%s/notes/0", .place = game.id};
    struct answer first = act(&note, "k", "{\"text\":\"one\"}"), again, notes;

    answer_free(&first);
    first = ask_at(&house, player.token, "DELETE", NULL, "/v1/games/%s/notes/0", game.id);
    assert_status(&first, 204);
    again = act(&note, "k", "{\"text\":\"one\"}");
    cr_assert_str_eq(text_of(&again, "text"), "one");
    notes = ask_at(&house, player.token, "GET", NULL, "/v1/games/%s/notes", game.id);
    cr_assert_eq(cJSON_GetArraySize(member(&notes, "items")), 0);
    answer_free(&first);
    answer_free(&again);
    answer_free(&notes);
}

Test(keys, a_key_is_refused_elsewhere_and_free_to_others)
{
    static const struct deed note = {
        .method = "PUT", .path = "/v1/games/%s/notes/0", .place = game.id};
    static const struct deed ticket = {
        .method = "POST", .path = "/v1/games/%s/ticket", .place = game.id};
    struct answer first = act(&note, "k", "{\"text\":\"one\"}"), other = act(&ticket, "k", "{}");
    struct player mia = new_player(&house, "Mia");

    assert_status(&first, 200);
    assert_problem(&other, 422, "idempotency-key-reused");
    answer_free(&first);
    answer_free(&other);
    player = mia;
    other = act(&(struct deed){.method = "POST", .path = "/v1/me/ticket"}, "k", "{}");
    assert_status(&other, 201);
    answer_free(&other);
}

/* ---- what needs none ---- */

/* Somebody without a token could fill the database. */
Test(keys, a_question_is_answered_anew_and_nothing_is_stored)
{
    static const char *const questions[][2] = {
        {"/v1/variants/shogi/check", "{\"moves\":[\"7g7f\",\"3c3d\"]}"},
        {"/v1/variants/shogi/check", "{\"moves\":[]}"},
        {"/v1/variants/jungle/analyse", "{\"nodes\":1000}"}};

    house_sql(&house, "delete from answers");
    for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++)
        for (int again = 0; again < 2; again++) {
            struct answer answer =
                ask(&house, "POST", questions[i][0],
                    "Content-Type: application/json\r\nIdempotency-Key: k\r\n", questions[i][1]);

            assert_status(&answer, 200);
            cr_assert_not(is_replayed(&answer));
            answer_free(&answer);
        }
    house_sql(&house, "do $$ begin assert not exists (select from answers); end $$");
}
