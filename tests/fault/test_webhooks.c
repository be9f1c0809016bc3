/* test_webhooks.c - kill -9 of the daemons while a receiver is told of games: every event comes at
 * least once, and those of a game come in order. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/backoff.h"
#include "tests/support/http.h"
#include "tests/support/long.h"
#include "tests/support/pg.h"
#include "tests/support/plyd.h"
#include "tests/support/ready.h"
#include "tests/support/receiver.h"

enum { GAMES = 2, MOVES = 10, PLIES_LOOKED_AT = 5 };

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

static void open_receiver(void)
{
    char body[128], hook[32];

    receiver_start(&receiver);
    receiver_answers(&receiver, RECEIVER_OK, sizeof(RECEIVER_OK) - 1, true);
    ask(0, "POST", "/v1/players", "{\"name\":\"Ada\"}", 201, "token", token, sizeof(token));
    snprintf(body, sizeof(body), "{\"url\":\"http://127.0.0.1:%d/\"}", receiver.port);
    ask(0, "POST", "/v1/webhooks", body, 201, "id", hook, sizeof(hook));
    for (int i = 0; i < GAMES; i++)
        ask(0, "POST", "/v1/games",
            "{\"variant\":\"jungle\",\"options\":{\"draw_rounds\":0,\"repetition\":0}}", 201, "id",
            id[i], sizeof(id[i]));
    receiver_await(&receiver, GAMES);
}

static void open_all(void)
{
    database = ready_borrow();
    for (int i = 0; i < 2; i++)
        start(i);
    open_receiver();
}

static void close_all(void)
{
    for (int i = 0; i < 2; i++)
        plyd_close(&plyd[i]);
    receiver_stop(&receiver);
    ready_return(database);
}

TestSuite(webhooks, .init = open_all, .fini = close_all);

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
    char text[256] = "";

    for (int looks = 0; strcmp(text, versions) != 0; looks++) {
        back_off(looks);
        receiver_versions(&receiver, game, text, sizeof(text));
    }
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

/* ---- who sends ---- */

static void await_silence(void)
{
    for (int looks = 0; receiver_under_way(&receiver) > 0; looks++)
        back_off(looks);
}

/* A message about a ply is under way, to which nobody answers. */
static void begin_to_send(int ply)
{
    size_t before = receiver_count(&receiver);

    await_silence();
    receiver_falls_silent(&receiver);
    put_move(0, ply);
    receiver_await(&receiver, before + 1);
}

static long metric(int i, const char *name)
{
    struct http_reply reply;
    char line[80];
    const char *at;
    long value;

    snprintf(line, sizeof(line), "\n%s ", name);
    http_request(plyd[i].port, &reply, "GET", "/metrics", NULL, NULL);
    at = strstr(reply.body, line);
    cr_assert_not_null(at, "%s", name);
    value = strtol(at + strlen(line), NULL, 10);
    http_free(&reply);
    return value;
}

static bool is_sending(int i)
{
    return metric(i, "plyd_webhooks_at_work") > 0;
}

static void run_sql(const char *command)
{
    PGconn *pg = PQconnectdb(database);
    PGresult *result = PQexec(pg, command);

    cr_assert_eq(PQresultStatus(result), PGRES_COMMAND_OK, "%s", PQerrorMessage(pg));
    PQclear(result);
    PQfinish(pg);
}

/* The lease alone would end tomorrow. */
Test(webhooks, when_the_daemon_that_sends_is_killed_the_other_goes_on_long_before_its_lease_ends)
{
    const struct receiver_message *first, *second;
    size_t count;
    int sender;

    begin_to_send(1);
    count = receiver_count(&receiver);
    sender = is_sending(0) ? 0 : 1;
    cr_assert(is_sending(sender));
    plyd_kill9(&plyd[sender]);
    run_sql(
        "update due set leased_until = leased_until + interval '1 day' where leased_until > at");
    receiver_answers(&receiver, RECEIVER_OK, sizeof(RECEIVER_OK) - 1, false);
    receiver_await(&receiver, count + 1);
    first = receiver_message(&receiver, count - 1);
    second = receiver_message(&receiver, count);
    cr_assert_str_eq(second->id, first->id);
    cr_assert_eq(receiver_most_at_once(&receiver), 1);
    start(sender);
}

static struct pg_cluster cluster;

static void open_cluster(void)
{
    pg_cluster_start(&cluster, NULL);
    database = cluster.url;
    plyd_migrate(database);
    for (int i = 0; i < 2; i++)
        start(i);
    open_receiver();
}

static void close_cluster(void)
{
    for (int i = 0; i < 2; i++)
        plyd_close(&plyd[i]);
    receiver_stop(&receiver);
    pg_cluster_remove(&cluster);
}

TestSuite(webhooks_cut, .init = open_cluster, .fini = close_cluster);

/* Of both daemons, once neither waits for an answer any more. */
static long timeouts(void)
{
    long count = 0;

    for (int i = 0; i < 2; i++) {
        for (int looks = 0; is_sending(i); looks++)
            back_off(looks);
        count += metric(i, "plyd_webhook_attempts_total{result=\"timeout\"}");
    }
    return count;
}

/* Whether what is sent of a ply is given up while the database is frozen, and does not fail, which
 * is counted. */
static bool is_given_up(int ply)
{
    long before = timeouts();
    bool given_up;

    begin_to_send(ply);
    pg_cluster_freeze(&cluster);
    await_silence();
    given_up = timeouts() == before;
    pg_cluster_thaw(&cluster);
    return given_up;
}

/* Another one may be about to send the same. What began to be sent long before all was frozen may
 * fail before it is given up; then the next ply is looked at. A daemon that never gives up has
 * none. */
Test(webhooks_cut, a_daemon_that_hears_nothing_of_the_database_gives_up_what_it_sends)
{
    char versions[64] = "1";
    bool given_up = false;

    for (int ply = 1; !given_up; ply++) {
        cr_assert_leq(ply, PLIES_LOOKED_AT);
        given_up = is_given_up(ply);
        receiver_answers(&receiver, RECEIVER_OK, sizeof(RECEIVER_OK) - 1, false);
        sprintf(versions + strlen(versions), " %d", ply + 1);
        await_versions(id[0], versions);
    }
}
