/* test_citus.c - kill -9 of a worker of Citus (make drill-citus). */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "new_game.h"
#include "players.h"
#include "rounds.h"
#include "tests/support/pg.h"
#include "tests/support/plyd.h"

enum { PLAYERS = 16, MOVES_BETWEEN = 150, GAMES = 24 };

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
    char id[NEW_GAME_ID], token[NEW_GAME_TOKEN];
};

/* A request of the player of both sides. Returns the status. */
static int ask(int port, const struct game *game, const char *method, const char *what,
               const char *body, char *answer)
{
    char request[4096]; /* for the compiler, which does not see where an id ends */

    snprintf(request, sizeof(request),
             "%s /v1/games/%s/%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
             "Content-Type: text/plain\r\nContent-Length: %zu\r\n\r\n%s",
             method, game->id, what, game->token, strlen(body), body);
    return stubborn_once(port, request, answer);
}

static int move(int port, const struct game *game, char *answer)
{
    return ask(port, game, "PUT", "moves/1", "a3a4", answer);
}

/* A game that ends is written in more places: the work that is due for it, the list of public
 * games. */
static int resign(int port, const struct game *game, char *answer)
{
    return ask(port, game, "POST", "resign", "", answer);
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

/* What became of a step that was tried in every game. */
struct step {
    int done, refused;
};

static void count(struct step *step, int status)
{
    step->done += status == 200 || status == 201;
    step->refused += status == 503;
}

static void assert_step(const struct step *step, const char *what, int there)
{
    cr_assert_eq(step->done, GAMES - there, "of %d games on workers that are there, %d %s",
                 GAMES - there, step->done, what);
    cr_assert_eq(step->refused, there, "of %d games of the worker that is away, %d were refused",
                 there, step->refused);
}

static void assert_all_end(int port, const struct game *games, const bool *over, char *answer)
{
    for (int i = 0; i < GAMES; i++) {
        int status = over[i] ? 200 : move(port, &games[i], answer);
        cr_assert(status == 201 || status == 200, "%d: %.500s", status, answer);
        status = over[i] ? 200 : resign(port, &games[i], answer);
        cr_assert_eq(status, 200, "%d: %.500s", status, answer);
    }
}

Test(citus, while_a_worker_is_away_the_games_of_the_others_go_on, .timeout = 300)
{
    const char *worker = getenv("PLYD_TEST_WORKER");
    struct step moved = {0}, resigned = {0};
    struct game games[GAMES];
    bool over[GAMES];
    struct plyd plyd;
    int there;

    if (worker == NULL)
        cr_skip_test("there is no worker to be killed");
    char *url = pg_test_database(), *answer = malloc(STUBBORN_ANSWER_MAX);
    plyd_start(&plyd, url, "--db-deadline-ms", "4000", NULL);
    for (int i = 0; i < GAMES; i++)
        new_game(plyd.port, "{\"variant\":\"jungle\"}", games[i].id, games[i].token);
    there = games_there(url);
    kill_worker(worker);
    for (int i = 0; i < GAMES; i++) {
        count(&moved, move(plyd.port, &games[i], answer));
        int status = resign(plyd.port, &games[i], answer);
        over[i] = status == 200;
        count(&resigned, status);
    }
    start_worker();
    assert_step(&moved, "went on", there);
    assert_step(&resigned, "ended", there);
    assert_all_end(plyd.port, games, over, answer);
    printf("a worker away: %d of %d games went on and ended, and all when it was back\n",
           resigned.done, GAMES);
    free(answer);
    cr_assert_eq(plyd_stop(&plyd), 0);
    cr_assert(plyd_verified(url), "a stored game does not replay");
    pg_test_drop(url);
}
