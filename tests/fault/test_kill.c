/*
 * test_kill.c - kill -9 of the daemon, of PostgreSQL and of both, under load.
 *
 * rounds.h says how often.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "friends.h"
#include "players.h"
#include "rounds.h"
#include "tests/support/pg.h"
#include "tests/support/plyd.h"

enum { PLAYERS = 16, MOVES_BETWEEN = 150, PAIRS = 12, DEEDS_BETWEEN = 150 };

enum victim { DAEMON = 1, POSTGRES = 2 };

struct site {
    struct pg_cluster cluster;
    struct plyd plyd;
};

static void open_site(struct site *site)
{
    pg_cluster_start(&site->cluster, NULL);
    plyd_migrate(site->cluster.url);
    plyd_start(&site->plyd, site->cluster.url, NULL);
}

/* The clients are told where the daemon is then. */
static void kill_once(struct site *site, unsigned victims, struct stubborn *net)
{
    if (victims & POSTGRES)
        pg_cluster_kill9(&site->cluster);
    if (victims & DAEMON)
        plyd_kill9(&site->plyd);
    if (victims & POSTGRES)
        pg_cluster_restart(&site->cluster);
    if (victims & DAEMON) {
        plyd_start(&site->plyd, site->cluster.url, NULL);
        net->port = site->plyd.port;
    }
}

static void close_site(struct site *site)
{
    cr_assert_eq(plyd_stop(&site->plyd), 0);
    cr_assert(plyd_verified(site->cluster.url), "a stored game does not replay");
    pg_cluster_remove(&site->cluster);
}

static void kill_under_load(unsigned victims, const char *what)
{
    struct site site;
    struct players players;

    open_site(&site);
    players_start(&players, PLAYERS, site.plyd.port);
    for (int i = 0; i < rounds(); i++) {
        players_progress(&players, MOVES_BETWEEN);
        kill_once(&site, victims, &players.net);
    }
    players_progress(&players, MOVES_BETWEEN);
    players_stop(&players);
    printf("%s: %d kills, %llu moves acknowledged, %llu requests repeated, %llu of them had "
           "been carried out\n",
           what, rounds(), (unsigned long long)players.acknowledged,
           (unsigned long long)players.net.repeated, (unsigned long long)players.replayed);
    players_judge(&players);
    close_site(&site);
}

static void kill_among_friends(unsigned victims, const char *what)
{
    struct site site;
    struct friends friends;

    open_site(&site);
    friends_start(&friends, PAIRS, site.plyd.port);
    for (int i = 0; i < rounds(); i++) {
        friends_progress(&friends, DEEDS_BETWEEN);
        kill_once(&site, victims, &friends.net);
    }
    friends_progress(&friends, DEEDS_BETWEEN);
    friends_stop(&friends);
    printf("%s, among friends: %d kills, %llu deeds acknowledged, among them %llu moves, %llu "
           "offers, %llu moves that a plan answered; %llu requests repeated, %llu of them had been "
           "carried out\n",
           what, rounds(), (unsigned long long)friends.acknowledged,
           (unsigned long long)friends.moves, (unsigned long long)friends.offers,
           (unsigned long long)friends.plans, (unsigned long long)friends.net.repeated,
           (unsigned long long)friends.replayed);
    friends_judge(&friends);
    close_site(&site);
}

Test(kill, a_daemon_killed_under_load_loses_and_doubles_nothing)
{
    kill_under_load(DAEMON, "plyd");
}

Test(kill, a_postgres_killed_under_load_loses_and_doubles_nothing)
{
    kill_under_load(POSTGRES, "PostgreSQL");
}

Test(kill, both_killed_under_load_lose_and_double_nothing)
{
    kill_under_load(DAEMON | POSTGRES, "both");
}

Test(kill, a_daemon_killed_among_friends_loses_and_doubles_nothing)
{
    kill_among_friends(DAEMON, "plyd");
}

Test(kill, a_postgres_killed_among_friends_loses_and_doubles_nothing)
{
    kill_among_friends(POSTGRES, "PostgreSQL");
}

Test(kill, both_killed_among_friends_lose_and_double_nothing)
{
    kill_among_friends(DAEMON | POSTGRES, "both");
}
