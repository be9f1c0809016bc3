/* test_citus.c - kill -9 of a worker of Citus under load (make drill-citus). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "players.h"
#include "tests/support/pg.h"
#include "tests/support/plyd.h"

enum { PLAYERS = 16, MOVES_BETWEEN = 150 };

static int rounds(void)
{
    const char *text = getenv("PLYD_TEST_FAULT_ROUNDS");

    return text == NULL ? 2 : atoi(text);
}

static void run(const char *command)
{
    cr_assert_eq(system(command), 0, "%s", command);
}

/* The clients change over from one daemon to the other, so that each game is written by both. */
Test(citus, a_worker_killed_under_load_loses_and_doubles_nothing, .timeout = 900)
{
    struct plyd plyd[2];
    struct players players;
    const char *worker = getenv("PLYD_TEST_WORKER");
    char command[512];

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
        snprintf(command, sizeof(command), "scripts/postgres.sh signal %s KILL", worker);
        run(command);
        run("scripts/citus.sh start worker1");
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
