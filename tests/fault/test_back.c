/*
 * test_back.c - the release before, on the schema of this one: forward and back under load.
 *
 * The two programs are this one and `plyd-next`, which is this one with a made-up migration more
 * (tests/next/). If PLYD_TEST_PREVIOUS names the program of the release before (`make check-back`),
 * they are that one and this one.
 */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "friends.h"
#include "players.h"
#include "rounds.h"
#include "tests/support/backoff.h"
#include "tests/support/http.h"
#include "tests/support/pg.h"
#include "tests/support/plyd.h"

enum { PLAYERS = 8, PAIRS = 4, STEPS = 60 };

static struct site {
    const char *older, *newer; /* programs */
    struct pg_cluster cluster;
    struct plyd plyd;
    struct players players;
    struct friends friends;
} site;

static bool has_made_up(void)
{
    return getenv("PLYD_TEST_PREVIOUS") == NULL;
}

/* What the support for tests starts from now on. */
static void use(const char *program)
{
    setenv("PLYD_PROGRAM", program, 1);
}

static void make_site(void)
{
    const char *previous = getenv("PLYD_TEST_PREVIOUS"), *next = getenv("PLYD_NEXT");
    const char *own = plyd_program();

    site.older = strdup(previous != NULL ? previous : own);
    site.newer = strdup(previous != NULL ? own : next != NULL ? next : "build/release/plyd-next");
    pg_cluster_start(&site.cluster, NULL);
    use(site.older);
    plyd_migrate(site.cluster.url);
}

static void remove_site(void)
{
    pg_cluster_remove(&site.cluster);
}

TestSuite(back, .init = make_site, .fini = remove_site);

static void start(struct plyd *plyd, const char *program)
{
    use(program);
    plyd_start(plyd, site.cluster.url, "--quota-address", "0", "--quota-address-games", "0", NULL);
}

static void migrate(const char *program)
{
    use(program);
    plyd_migrate(site.cluster.url);
}

/* ---- under load ---- */

static void progress(void)
{
    players_progress(&site.players, STEPS);
    friends_progress(&site.friends, STEPS);
}

static void send_to(const struct plyd *plyd)
{
    site.players.net.port = plyd->port;
    site.friends.net.port = plyd->port;
}

/* The next one serves before the last one has ended, as behind a balancer. */
static void replace(const char *program)
{
    struct plyd last = site.plyd;

    start(&site.plyd, program);
    send_to(&site.plyd);
    cr_assert_eq(plyd_stop(&last), 0);
}

/* The last one dies, and the next one starts in its place. */
static void kill_and_start(const char *program)
{
    plyd_kill9(&site.plyd);
    start(&site.plyd, program);
    send_to(&site.plyd);
}

/* The release before and this one do not find each other's keys of those who show a token
 * (migrations/README.md), so these begin nothing by a key while one takes the other's place; moves
 * by PUT and what strangers make are under way all the while. From one release with keys of their
 * callers' own to the next this is not needed: it goes with the next migrations/PREVIOUS. */
static void change(void (*way)(const char *program), const char *program)
{
    if (!has_made_up()) {
        stubborn_hold(&site.players.net);
        stubborn_hold(&site.friends.net);
    }
    way(program);
    stubborn_go_on(&site.players.net);
    stubborn_go_on(&site.friends.net);
}

/* A daemon that runs while the database is migrated goes on, and so does the same program after a
 * crash, before it is replaced. */
static void go_forward_and_back(int round)
{
    void (*way)(const char *program) = round % 2 == 0 ? replace : kill_and_start;

    progress();
    migrate(site.newer);
    progress();
    kill_and_start(site.older);
    cr_assert(!has_made_up() || plyd_logged(&site.plyd, "\"newer-schema\""));
    progress();
    change(way, site.newer);
    progress();
    change(way, site.older);
    progress();
}

static void assert_verified(const char *program)
{
    use(program);
    cr_assert(plyd_verified(site.cluster.url), "%s", program);
}

Test(back, going_forward_and_back_under_load_loses_and_doubles_nothing)
{
    start(&site.plyd, site.older);
    players_start(&site.players, PLAYERS, site.plyd.port);
    friends_start(&site.friends, PAIRS, site.plyd.port);
    for (int i = 0; i < rounds(); i++)
        go_forward_and_back(i);
    players_stop(&site.players);
    friends_stop(&site.friends);
    printf("forward and back: %d times, %llu moves and %llu deeds of friends acknowledged, %llu "
           "requests repeated\n",
           rounds(), (unsigned long long)site.players.acknowledged,
           (unsigned long long)site.friends.acknowledged,
           (unsigned long long)(site.players.net.repeated + site.friends.net.repeated));
    players_judge(&site.players);
    friends_judge(&site.friends);
    cr_assert_eq(plyd_stop(&site.plyd), 0);
    assert_verified(site.older);
    assert_verified(site.newer);
}

/* ---- a schema on which the older program may not run ---- */

static void forbid(void)
{
    PGconn *pg = PQconnectdb(site.cluster.url);

    PQclear(PQexec(pg, "update schema_migrations set oldest = 9001 where number = 9001"));
    PQfinish(pg);
}

static void assert_refuses(const char *command)
{
    struct plyd plyd;

    plyd_run(&plyd, command, site.cluster.url, NULL);
    cr_assert_eq(plyd_wait(&plyd), 1, "%s", command);
    cr_assert(plyd_logged(&plyd, "none that knows less than 9001 may run there: use a newer plyd"),
              "%s: see %s", command, plyd.log);
    plyd_forget(&plyd);
}

static int status_of_readyz(void)
{
    struct http_reply reply;
    int status;

    http_request(site.plyd.port, &reply, "GET", "/readyz", NULL, NULL);
    status = reply.status;
    http_free(&reply);
    return status;
}

static void await_ready(void)
{
    for (int looks = 0; status_of_readyz() != 200; looks++)
        back_off(looks);
}

Test(back, a_schema_that_is_not_for_the_older_program_is_refused_by_it)
{
    if (!has_made_up())
        cr_skip_test("the release before has its schema or one that is compatible");
    migrate(site.newer);
    forbid();
    use(site.older);
    assert_refuses("serve");
    assert_refuses("migrate");
    start(&site.plyd, site.newer);
    await_ready();
    cr_assert_eq(plyd_stop(&site.plyd), 0);
}

/* The sessions that it has are good. New ones are not made. */
Test(back, a_daemon_that_meets_such_a_schema_as_it_connects_again_is_not_ready)
{
    if (!has_made_up())
        cr_skip_test("the release before has its schema or one that is compatible");
    start(&site.plyd, site.older);
    await_ready();
    migrate(site.newer);
    forbid();
    cr_assert_eq(status_of_readyz(), 200);
    pg_cluster_kill9(&site.cluster);
    pg_cluster_restart(&site.cluster);
    plyd_await(&site.plyd, "its schema is newer than this program may run on");
    cr_assert_eq(status_of_readyz(), 503);
    cr_assert_eq(plyd_stop(&site.plyd), 0);
}
