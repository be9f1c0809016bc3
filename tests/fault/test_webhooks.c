/* test_webhooks.c - kill -9 of the daemons while a receiver is told of games: every event comes at
 * least once, and those of a game come in order. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/http.h"
#include "tests/support/long.h"
#include "tests/support/plyd.h"
#include "tests/support/ready.h"
#include "tests/support/receiver.h"

enum { GAMES = 2, MOVES = 10, PATIENCE_S = 200 };

static char *database;
static struct plyd plyd[2];
static struct receiver receiver;
static char token[96], id[GAMES][32];

static void start(int i)
{
    plyd_start(&plyd[i], database, "--webhooks-private", "1", NULL);
}

/* Repeats a request until it was done, as a client would. Returns a member of the answer. */
static void ask(int daemon, const char *method, const char *path, const char *body, int status,
                const char *name, char *value, size_t size)
{
    char headers[256] = "Content-Type: application/json\r\n";
    struct http_reply reply = {.status = 0};

    if (token[0] != '\0')
        snprintf(headers + strlen(headers), sizeof(headers) - strlen(headers),
                 "Authorization: Bearer %s\r\n", token);
    http_request(plyd[daemon].port, &reply, method, path, headers, body);
    cr_assert(reply.status == status || reply.status == 200, "%s: %d %.300s", path, reply.status,
              reply.body);
    cr_assert(name == NULL || http_copy_member(reply.body, name, value, size), "%.300s",
              reply.body);
    http_free(&reply);
}

static void open_all(void)
{
    char body[128], hook[32];

    database = ready_borrow();
    for (int i = 0; i < 2; i++)
        start(i);
    receiver_start(&receiver);
    receiver_answers(&receiver, RECEIVER_OK, sizeof(RECEIVER_OK) - 1, true);
    ask(0, "POST", "/v1/players", "{\"name\":\"Ada\"}", 201, "token", token, sizeof(token));
    snprintf(body, sizeof(body), "{\"url\":\"http://127.0.0.1:%d/\"}", receiver.port);
    ask(0, "POST", "/v1/webhooks", body, 201, "id", hook, sizeof(hook));
    for (int i = 0; i < GAMES; i++)
        ask(0, "POST", "/v1/games",
            "{\"variant\":\"jungle\",\"options\":{\"draw_rounds\":0,\"repetition\":0}}", 201, "id",
            id[i], sizeof(id[i]));
}

static void close_all(void)
{
    for (int i = 0; i < 2; i++)
        plyd_close(&plyd[i]);
    receiver_stop(&receiver);
    ready_return(database);
}

TestSuite(webhooks, .init = open_all, .fini = close_all, .timeout = 300);

static void put_move(int game, int ply)
{
    static const char *const moves[] = {"g3g4", "a7a6", "g4g3", "a6a7"};
    char path[128], body[32];

    snprintf(path, sizeof(path), "/v1/games/%s/moves/%d", id[game], ply);
    snprintf(body, sizeof(body), "{\"move\":\"%s\"}", moves[(ply - 1) % 4]);
    ask(ply % 2, "PUT", path, body, 201, NULL, NULL, 0);
}

static void await_versions(const char *game, const char *versions)
{
    time_t since = time(NULL);
    char text[256];

    do {
        cr_assert_lt(time(NULL) - since, PATIENCE_S, "%s, not %s", text, versions);
        usleep(10000);
        receiver_versions(&receiver, game, text, sizeof(text));
    } while (strcmp(text, versions) != 0);
}

Test(webhooks, killed_daemons_tell_everything_at_least_once_and_in_order)
{
    int kills = (int)long_or_short(3, 1), ply = 0;
    char versions[256] = "1";
    size_t len = 1;

    for (int kill = 0; kill < kills; kill++) {
        size_t before = receiver_count(&receiver);

        for (int i = 0; i < MOVES; i++) {
            ply++;
            for (int game = 0; game < GAMES; game++)
                put_move(game, ply);
            len += (size_t)snprintf(versions + len, sizeof(versions) - len, " %d", ply + 1);
        }
        receiver_await(&receiver, before + 3); /* the next ones are under way */
        for (int i = 0; i < 2; i++)
            plyd_kill9(&plyd[i]);
        for (int i = 0; i < 2; i++)
            start(i);
    }
    for (int game = 0; game < GAMES; game++)
        await_versions(id[game], versions);
    printf("webhooks: %d kills, %d events, %zu messages\n", kills, GAMES * (ply + 1),
           receiver_count(&receiver));
}
