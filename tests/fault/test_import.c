/* test_import.c - kill -9 of the daemon in the midst of an import: each game of the file is made
 * once. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/backoff.h"
#include "tests/support/http.h"
#include "tests/support/pg.h"
#include "tests/support/plyd.h"

enum { GAMES = 4000, KILLS = 3 };

static char *database;
static struct plyd plyd;
static char headers[160], op[32];

static void ask(const char *method, const char *path, const char *body, int status,
                const char *name, char *value, size_t size)
{
    struct http_reply reply;

    http_request(plyd.port, &reply, method, path, headers, body);
    cr_assert_eq(reply.status, status, "%s: %d %.300s", path, reply.status, reply.body);
    cr_assert(http_copy_member(reply.body, name, value, size), "%.300s", reply.body);
    http_free(&reply);
}

static void open_all(void)
{
    char token[96];

    database = pg_test_database();
    plyd_migrate(database);
    plyd_start(&plyd, database, NULL);
    snprintf(headers, sizeof(headers), "Content-Type: application/json\r\n");
    ask("POST", "/v1/players", "{\"name\":\"Ada\"}", 201, "token", token, sizeof(token));
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", token);
}

static void close_all(void)
{
    plyd_close(&plyd);
    pg_test_drop(database);
}

TestSuite(import, .init = open_all, .fini = close_all);

static int count(const char *query)
{
    PGconn *connection = PQconnectdb(database);
    PGresult *result = PQexec(connection, query);
    int number;

    cr_assert_eq(PQresultStatus(result), PGRES_TUPLES_OK, "%s", PQerrorMessage(connection));
    number = atoi(PQgetvalue(result, 0, 0));
    PQclear(result);
    PQfinish(connection);
    return number;
}

static int games_made(void)
{
    char path[64];
    struct http_reply reply;
    int done;

    snprintf(path, sizeof(path), "/v1/jobs/%s", op);
    http_request(plyd.port, &reply, "GET", path, headers, NULL);
    cr_assert_eq(reply.status, 200, "%.300s", reply.body);
    done = atoi(strstr(reply.body, "\"done\":") + strlen("\"done\":"));
    http_free(&reply);
    return done;
}

static void await_games(int games)
{
    for (int looks = 0; games_made() < games; looks++)
        back_off(looks);
}

/* The file goes with the write that ends the job. */
static void await_end(void)
{
    for (int looks = 0; count("select count(*) from task_parts") != 0; looks++)
        back_off(looks);
}

Test(import, a_daemon_killed_in_the_midst_of_it_makes_every_game_once)
{
    char *file = malloc(GAMES * 20 + 1), *at = file;
    int games = 0;

    for (int i = 0; i < GAMES; i++)
        at = stpcpy(at, "startpos moves 7g7f\n");
    ask("POST", "/v1/me/imports", file, 202, "id", op, sizeof(op));
    for (int kill = 1; kill <= KILLS; kill++) {
        await_games(games + GAMES / 10);
        plyd_kill9(&plyd);
        plyd_start(&plyd, database, NULL);
        games = games_made();
    }
    await_games(GAMES);
    await_end();
    cr_assert_eq(count("select count(*) from games"), GAMES);
    cr_assert_eq(count("select count(*) from task_items where failed = 0"), GAMES);
    cr_assert_eq(count("select count(*) from task_items"
                       " where data not like '%\"line\":' || number || ',%'"),
                 0, "each game has a line of its own");
    cr_assert_eq(count("select games from collections"), GAMES);
    cr_assert_eq(count("select count(*) from collection_games"), GAMES);
    cr_assert(plyd_verified(database));
    free(file);
}
