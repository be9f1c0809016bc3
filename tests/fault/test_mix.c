/*
 * test_mix.c - kill -9 of two daemons and their PostgreSQL while all that clients do is under way:
 * moves, plans, offers, undo, streams, webhooks, imports, games against the engine.
 *
 * Nothing that was acknowledged is lost, and nothing is there twice. Streams and webhooks tell the
 * whole log of each game in its order. rounds.h says how often.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "followers.h"
#include "friends.h"
#include "importers.h"
#include "players.h"
#include "rounds.h"
#include "tests/support/backoff.h"
#include "tests/support/pg.h"
#include "tests/support/pgbench.h"
#include "tests/support/plyd.h"
#include "tests/support/receiver.h"

enum {
    KILLS_LONG = 40,
    DAEMONS = 2,
    PAIRS = 6,
    LONERS = 2,
    AGAINST_ENGINE = 3,
    IMPORTERS = 2,
    DEEDS_BETWEEN = 100,
    PAUSE_MS = 10, /* of a client between two requests, so that webhooks keep up */
    VERSIONS = 8 * FRIENDS_EVENTS_MAX
};

enum victim { POSTGRES = 1 << DAEMONS };

static struct site {
    struct pg_cluster cluster;
    struct plyd plyd[DAEMONS];
    struct receiver receiver;
    struct friends friends;
    struct players loners, against_engine;
    struct importers importers;
    struct followers followers;
} site;

/* ---- the site ---- */

static void start_daemon(int i)
{
    plyd_start(&site.plyd[i], site.cluster.url, "--webhooks-private", "1", "--quota-token", "0",
               "--quota-address", "0", "--quota-token-games", "0", "--quota-address-games", "0",
               "--loops", "1", NULL);
}

static void tell_ports(struct stubborn *net)
{
    net->port = site.plyd[0].port;
    net->other = site.plyd[1].port;
    net->pause_ms = PAUSE_MS;
}

static void tell_all_ports(void)
{
    tell_ports(&site.friends.net);
    tell_ports(&site.loners.net);
    tell_ports(&site.against_engine.net);
    tell_ports(&site.importers.net);
}

static void open_site(void)
{
    int port;

    pg_cluster_start(&site.cluster, NULL);
    plyd_migrate(site.cluster.url);
    for (int i = 0; i < DAEMONS; i++)
        start_daemon(i);
    receiver_start(&site.receiver);
    port = site.plyd[0].port;
    friends_start_told(&site.friends, PAIRS, port, site.receiver.port);
    followers_start(&site.followers, &site.friends);
    players_start(&site.loners, LONERS, port);
    players_start_against_engine(&site.against_engine, AGAINST_ENGINE, port);
    importers_start(&site.importers, IMPORTERS, port);
    tell_all_ports();
}

/* A set of daemons, by bits, and PostgreSQL. */
static void kill_once(unsigned victims)
{
    if (victims & POSTGRES)
        pg_cluster_kill9(&site.cluster);
    for (int i = 0; i < DAEMONS; i++)
        if (victims >> i & 1)
            plyd_kill9(&site.plyd[i]);
    if (victims & POSTGRES)
        pg_cluster_restart(&site.cluster);
    for (int i = 0; i < DAEMONS; i++)
        if (victims >> i & 1)
            start_daemon(i);
    tell_all_ports();
}

static void close_site(void)
{
    for (int i = 0; i < DAEMONS; i++)
        cr_assert_eq(plyd_stop(&site.plyd[i]), 0);
    cr_assert(plyd_verified(site.cluster.url), "a stored game does not replay");
    receiver_stop(&site.receiver);
    pg_cluster_remove(&site.cluster);
}

/* ---- judging ---- */

static int games_of(const struct players *players)
{
    int games = 0;

    for (int i = 0; i < players->count; i++)
        games += players->player[i].ngames;
    return games;
}

/* Each version of a game came, the first time in its order. */
static void await_webhooks_of(const struct followed *game)
{
    char *wanted = calloc(1, VERSIONS), *text = calloc(1, VERSIONS);

    for (int version = 1; version <= game->heard; version++)
        sprintf(wanted + strlen(wanted), "%s%d", version > 1 ? " " : "", version);
    for (int looks = 0;; looks++) {
        receiver_versions(&site.receiver, game->id, text, VERSIONS);
        if (strcmp(text, wanted) == 0)
            break;
        cr_assert_eq(strncmp(text, wanted, strlen(text)), 0, "the webhook was told of %s: %s",
                     game->id, text);
        back_off(looks);
    }
    free(wanted);
    free(text);
}

/* Followers have heard of each game as far as it went. */
static void judge_webhooks(void)
{
    for (int i = 0; i < site.followers.count; i++)
        for (int g = 0; g < site.followers.follower[i].games; g++)
            if (!site.followers.follower[i].of_player)
                await_webhooks_of(&site.followers.follower[i].game[g]);
}

static void judge(void)
{
    int games = games_of(&site.loners) + games_of(&site.against_engine);

    for (int i = 0; i < site.friends.count; i++)
        games += site.friends.pairs[i].ngames;
    judge_webhooks();
    followers_judge(&site.followers);
    friends_judge(&site.friends);
    players_judge(&site.loners);
    players_judge(&site.against_engine);
    games += importers_judge(&site.importers);
    cr_assert_eq((int)pgbench_number(site.cluster.url, "select count(*) from games"), games,
                 "games were made that nobody knows");
}

/* ---- the test ---- */

static void stop_all(void)
{
    friends_stop(&site.friends);
    players_stop(&site.loners);
    players_stop(&site.against_engine);
    importers_stop(&site.importers);
    followers_stop(&site.followers);
}

static void tell(int kills)
{
    printf("mix: %d kills; %llu deeds of friends, %llu moves alone, %llu against the engine, %llu "
           "imports; streams were opened %llu times and told %llu events, %llu again; %zu "
           "messages to webhooks\n",
           kills, (unsigned long long)site.friends.acknowledged,
           (unsigned long long)site.loners.acknowledged,
           (unsigned long long)site.against_engine.acknowledged,
           (unsigned long long)site.importers.jobs, (unsigned long long)site.followers.connections,
           (unsigned long long)site.followers.told, (unsigned long long)site.followers.again,
           receiver_count(&site.receiver));
}

Test(mix, kills_beside_all_that_clients_do_lose_and_double_nothing)
{
    static const unsigned victims[] = {1, POSTGRES | 2, 2, POSTGRES, 1 | 2, POSTGRES | 1 | 2};
    int kills = rounds_long(KILLS_LONG);

    open_site();
    for (int i = 0; i < kills; i++) {
        friends_progress(&site.friends, DEEDS_BETWEEN);
        kill_once(victims[(size_t)i % (sizeof(victims) / sizeof(victims[0]))]);
    }
    friends_progress(&site.friends, DEEDS_BETWEEN);
    players_progress(&site.against_engine, AGAINST_ENGINE);
    stop_all();
    tell(kills);
    judge();
    close_site();
}
