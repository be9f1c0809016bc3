/* test_citus.c - kill -9 of a worker of Citus (make drill-citus). */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "players.h"
#include "tests/support/pg.h"
#include "tests/support/plyd.h"

enum { PLAYERS = 16, MOVES_BETWEEN = 150, GAMES = 24 };

static int rounds(void)
{
    const char *text = getenv("PLYD_TEST_FAULT_ROUNDS");

    return text == NULL ? 2 : atoi(text);
}

static void run(const char *command)
{
    cr_assert_eq(system(command), 0, "%s", command);
}

static void kill_worker(const char *worker)
{
    char command[512];

    snprintf(command, sizeof(command), "scripts/postgres.sh signal %s KILL", worker);
    run(command);
}

static void start_worker(void)
{
    run("scripts/citus.sh start worker1");
}

/* The clients change over from one daemon to the other, so that each game is written by both. */
Test(citus, a_worker_killed_under_load_loses_and_doubles_nothing, .timeout = 900)
{
    struct plyd plyd[2];
    struct players players;
    const char *worker = getenv("PLYD_TEST_WORKER");

    if (worker == NULL)
        cr_skip_test("there is no worker to be killed");
    char *url = pg_test_database();
    plyd_start(&plyd[0], url, NULL);
    plyd_start(&plyd[1], url, NULL);
    players_start(&players, PLAYERS, plyd[0].port);
    for (int i = 0; i < rounds(); i++) {
        players_progress(&players, MOVES_BETWEEN);
        players.net.port = plyd[1].port;
        players_progress(&players, MOVES_BETWEEN);
        kill_worker(worker);
        start_worker();
        players.net.port = plyd[0].port;
    }
    players_progress(&players, MOVES_BETWEEN);
    players_stop(&players);
    printf("a worker: %d kills, %llu moves acknowledged, %llu requests repeated, %llu of them had "
           "been carried out\n",
           rounds(), (unsigned long long)players.acknowledged,
           (unsigned long long)players.net.repeated, (unsigned long long)players.replayed);
    players_judge(&players);
    cr_assert_eq(plyd_stop(&plyd[0]), 0);
    cr_assert_eq(plyd_stop(&plyd[1]), 0);
    cr_assert(plyd_verified(url), "a stored game does not replay");
    pg_test_drop(url);
}

/* ---- a worker that stays away ---- */

struct game {
    char id[32], token[64];
};

static void new_game(int port, struct game *game, char *answer)
{
    static const char request[] =
        "POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        "Content-Length: 20\r\n\r\n{\"variant\":\"jungle\"}";

    cr_assert_eq(stubborn_once(port, request, answer), 201, "%.500s", answer);
    stubborn_member(answer, "\"id\":\"", game->id, sizeof(game->id));
    stubborn_member(answer, "\"token\":\"", game->token, sizeof(game->token));
}

/* Returns the status. */
static int move(int port, const struct game *game, char *answer)
{
    char request[4096]; /* for the compiler, which does not see where an id ends */

    snprintf(request, sizeof(request),
             "PUT /v1/games/%s/moves/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
             "Content-Type: text/plain\r\nContent-Length: 4\r\n\r\na3a4",
             game->id, game->token);
    return stubborn_once(port, request, answer);
}

/* How many games lie on the first worker. */
static int games_there(const char *url)
{
    const char *workers[] = {getenv("PLYD_TEST_CITUS")};
    PGconn *pg = PQconnectdb(url);
    PGresult *result = PQexecParams(
        pg,
        "select sum(r.result::int) from run_command_on_shards('games', 'select count(*) from %s') r"
        " join citus_shards s on s.shardid = r.shardid"
        " where strpos(split_part($1, ' ', 1), s.nodename) > 0",
        1, NULL, workers, NULL, NULL, 0);
    int count;

    cr_assert_eq(PQresultStatus(result), PGRES_TUPLES_OK, "%s", PQerrorMessage(pg));
    count = atoi(PQgetvalue(result, 0, 0));
    PQclear(result);
    PQfinish(pg);
    return count;
}

Test(citus, while_a_worker_is_away_the_games_of_the_others_go_on, .timeout = 300)
{
    const char *worker = getenv("PLYD_TEST_WORKER");
    struct game games[GAMES];
    int there, moved = 0, refused = 0;
    struct plyd plyd;

    if (worker == NULL)
        cr_skip_test("there is no worker to be killed");
    char *url = pg_test_database(), *answer = malloc(STUBBORN_ANSWER_MAX);
    plyd_start(&plyd, url, "--db-deadline-ms", "1000", NULL);
    for (int i = 0; i < GAMES; i++)
        new_game(plyd.port, &games[i], answer);
    there = games_there(url);
    kill_worker(worker);
    for (int i = 0; i < GAMES; i++) {
        int status = move(plyd.port, &games[i], answer);
        moved += status == 201;
        refused += status == 503;
    }
    start_worker();
    cr_assert_eq(moved, GAMES - there, "of %d games on workers that are there, %d went on",
                 GAMES - there, moved);
    cr_assert_eq(refused, there, "of %d games of the worker that is away, %d were refused", there,
                 refused);
    for (int i = 0; i < GAMES; i++) {
        int status = move(plyd.port, &games[i], answer);
        cr_assert(status == 201 || status == 200, "%d: %.500s", status, answer);
    }
    printf("a worker away: %d of %d games went on, and all when it was back\n", moved, GAMES);
    free(answer);
    cr_assert_eq(plyd_stop(&plyd), 0);
    cr_assert(plyd_verified(url), "a stored game does not replay");
    pg_test_drop(url);
}
