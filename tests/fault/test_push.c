/* test_push.c - kill -9 of the daemons while a phone is told that it is its player's move: each
 * turn is told at least once. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/awaited.h"
#include "tests/support/http.h"
#include "tests/support/long.h"
#include "tests/support/plyd.h"
#include "tests/support/ready.h"
#include "tests/support/receiver.h"
#include "tests/support/subscriber.h"

static char *database;
static struct plyd plyd[2];
static struct receiver service;
static struct subscriber phone;
static char ada[96], bo[96], game[32];

static void start(int i)
{
    plyd_start(&plyd[i], database, "--webhooks-private", "1", NULL);
}

/* Takes a member of the answer, unless `name` is NULL. */
static void ask(int daemon, const char *token, const char *method, const char *path,
                const char *body, const char *name, char *value, size_t size)
{
    char headers[256] = "Content-Type: application/json\r\n";
    struct http_reply reply = {.status = 0};

    if (token != NULL)
        snprintf(headers + strlen(headers), sizeof(headers) - strlen(headers),
                 "Authorization: Bearer %s\r\n", token);
    http_request(plyd[daemon].port, &reply, method, path, headers, body);
    cr_assert_eq(reply.status / 100, 2, "%s: %d %.300s", path, reply.status, reply.body);
    cr_assert(name == NULL || http_copy_member(reply.body, name, value, size), "%.300s",
              reply.body);
    http_free(&reply);
}

/* Ada's phone is told from now on; `more` are further members. */
static void subscribe(const char *more)
{
    char endpoint[64], *body;

    snprintf(endpoint, sizeof(endpoint), "http://127.0.0.1:%d/", service.port);
    body = subscriber_json(&phone, endpoint, more);
    ask(0, ada, "POST", "/v1/me/subscriptions", body, NULL, NULL, 0);
    free(body);
}

static void open_all(void)
{
    char path[64];

    database = ready_borrow();
    for (int i = 0; i < 2; i++)
        start(i);
    receiver_start(&service);
    receiver_answers(&service, RECEIVER_OK, sizeof(RECEIVER_OK) - 1, true);
    subscriber_make(&phone);
    ask(0, NULL, "POST", "/v1/players", "{\"name\":\"Ada\"}", "token", ada, sizeof(ada));
    ask(0, NULL, "POST", "/v1/players", "{\"name\":\"Bo\"}", "token", bo, sizeof(bo));
    ask(0, ada, "POST", "/v1/games",
        "{\"variant\":\"jungle\",\"options\":{\"draw_rounds\":0,\"repetition\":0},"
        "\"seats\":[{\"open\":true},{\"me\":true}]}",
        "id", game, sizeof(game));
    snprintf(path, sizeof(path), "/v1/games/%s/join", game);
    ask(0, bo, "POST", path, "{}", NULL, NULL, 0);
    subscribe("");
    await_query(database, "select bool_and(hooks <> 0) from games");
}

static void close_all(void)
{
    for (int i = 0; i < 2; i++)
        plyd_close(&plyd[i]);
    receiver_stop(&service);
    ready_return(database);
}

TestSuite(push, .init = open_all, .fini = close_all);

static void move(const char *token, int ply)
{
    static const char *const moves[] = {"g3g4", "a7a6", "g4g3", "a6a7"};
    char path[96], body[32];

    snprintf(path, sizeof(path), "/v1/games/%s/moves/%d", game, ply);
    snprintf(body, sizeof(body), "{\"move\":\"%s\"}", moves[(ply - 1) % 4]);
    ask(ply % 2, token, "PUT", path, body, NULL, NULL, 0);
}

static void restart_killed(void)
{
    for (int i = 0; i < 2; i++)
        plyd_kill9(&plyd[i]);
    for (int i = 0; i < 2; i++)
        start(i);
}

Test(push, killed_daemons_tell_of_each_turn_at_least_once)
{
    int turns = (int)long_or_short(10, 3);

    for (int turn = 0; turn < turns; turn++) {
        size_t before = receiver_count(&service);

        move(bo, 2 * turn + 1);
        receiver_await(&service, before + 1); /* its answer is under way, byte by byte */
        restart_killed();
        await_query(database,
                    "select bool_and(known = sent) and not exists (select from due where kind = 5)"
                    " from webhook_games");
        cr_assert_geq(receiver_count(&service), before + 1);
        move(ada, 2 * turn + 2);
    }
    for (size_t i = 0; i < receiver_count(&service); i++) {
        const struct receiver_message *message = receiver_message(&service, i);
        char *text = subscriber_read(&phone, message->body, message->len);

        cr_assert_not_null(strstr(text, "\"body\":\"It is your move.\""), "%s", text);
        free(text);
    }
}

/* Its hour has come, as often as the test wants it to. */
Test(push, killed_daemons_tell_a_digest_at_least_once_and_twice_at_most)
{
    int days = (int)long_or_short(10, 3);

    subscribe(",\"digest\":{\"at\":\"00:00\"}");
    move(bo, 1);
    await_query(database, "select bool_and(waits) from webhook_games");
    for (int day = 0; day < days; day++) {
        size_t before = receiver_count(&service);

        await_query(database,
                    "with hour as (update webhooks set digest_at = clock_timestamp() returning id)"
                    " update due set at = clock_timestamp(), leased_until = clock_timestamp()"
                    " where kind = 6 returning true");
        receiver_await(&service, before + 1);
        restart_killed();
        await_query(database, "select digest_at > clock_timestamp() from webhooks");
        cr_assert_leq(receiver_count(&service), before + 2);
    }
    for (size_t i = 0; i < receiver_count(&service); i++) {
        const struct receiver_message *message = receiver_message(&service, i);
        char *text = subscriber_read(&phone, message->body, message->len);

        cr_assert_not_null(strstr(text, "\"body\":\"1 game waits for you.\""), "%s", text);
        free(text);
    }
}
