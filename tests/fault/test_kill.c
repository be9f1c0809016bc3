/*
 * test_kill.c - kill -9 of the daemon, of PostgreSQL and of both, under load.
 *
 * PLYD_TEST_FAULT_ROUNDS says how often (2 if it is not set; the full test is 20).
 */
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

enum victim { DAEMON = 1, POSTGRES = 2 };

static void kill_under_load(unsigned victims, const char *what)
{
    struct pg_cluster cluster;
    struct plyd plyd;
    struct players players;

    pg_cluster_start(&cluster, NULL);
    plyd_migrate(cluster.url);
    plyd_start(&plyd, cluster.url, NULL);
    players_start(&players, PLAYERS, plyd.port);
    for (int i = 0; i < rounds(); i++) {
        players_progress(&players, MOVES_BETWEEN);
        if (victims & POSTGRES)
            pg_cluster_kill9(&cluster);
        if (victims & DAEMON)
            plyd_kill9(&plyd);
        if (victims & POSTGRES)
            pg_cluster_restart(&cluster);
        if (victims & DAEMON) {
            plyd_start(&plyd, cluster.url, NULL);
            players.port = plyd.port;
        }
    }
    players_progress(&players, MOVES_BETWEEN);
    players_stop(&players);
    printf("%s: %d kills, %llu moves acknowledged, %llu requests repeated, %llu of them had "
           "been carried out\n",
           what, rounds(), (unsigned long long)players.acknowledged,
           (unsigned long long)players.repeated, (unsigned long long)players.replayed);
    players_judge(&players);
    cr_assert_eq(plyd_stop(&plyd), 0);
    cr_assert(plyd_verified(cluster.url), "a stored game does not replay");
    pg_cluster_remove(&cluster);
}

Test(kill, a_daemon_killed_under_load_loses_and_doubles_nothing, .timeout = 900)
{
    kill_under_load(DAEMON, "plyd");
}

Test(kill, a_postgres_killed_under_load_loses_and_doubles_nothing, .timeout = 900)
{
    kill_under_load(POSTGRES, "PostgreSQL");
}

Test(kill, both_killed_under_load_lose_and_double_nothing, .timeout = 900)
{
    kill_under_load(DAEMON | POSTGRES, "both");
}
