/*
 * test_failover.c - two daemons and a cluster of three servers under Patroni, while nodes of it are
 * killed, frozen and exchanged. `make drill-patroni` runs it, by cluster.sh.
 *
 * In each test players and friends go on through a fault, and each attempt goes to the other
 * daemon. Nothing that was acknowledged may be lost or doubled, every attempt must be answered, and
 * `plyd verify` must agree, on the primary and on a standby. Each test prints a line of the table
 * of docs/failover.md.
 */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fault/friends.h"
#include "tests/fault/players.h"
#include "tests/support/http.h"
#include "tests/support/now.h"
#include "tests/support/plyd.h"

enum {
    PLAYERS = 4,
    PAIRS = 2,
    PAUSE_MS = 40,
    STEPS = 200, /* acknowledged before the fault, after it, and after it is mended */
    PATIENCE_S = 200,
    STALL_S = 12,
    SETTLED_S = 2 /* what was under way at a fault is answered by then */
};

/* ---- the cluster ---- */

__attribute__((format(printf, 1, 2))) static void cluster(const char *format, ...)
{
    char words[128], command[256];
    va_list values;

    va_start(values, format);
    vsnprintf(words, sizeof(words), format, values);
    va_end(values);
    snprintf(command, sizeof(command), "tests/failover/cluster.sh %s >/dev/null", words);
    cr_assert_eq(system(command), 0, "%s", command);
}

/* 0: there is none just now. */
static int node_of(const char *role)
{
    char command[64], line[16] = "";
    FILE *out;

    snprintf(command, sizeof(command), "tests/failover/cluster.sh %s", role);
    out = popen(command, "r");
    if (fgets(line, sizeof(line), out) == NULL)
        line[0] = '\0';
    pclose(out);
    return atoi(line);
}

/* The connection string of this test's database by the way of this name. */
static void read_url(const char *name, char url[256])
{
    char path[256];
    size_t length;
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", getenv("PLYD_FAILOVER"), name);
    file = fopen(path, "r");
    cr_assert_not_null(file, "%s: run it by `make drill-patroni`", path);
    cr_assert_not_null(fgets(url, 256, file));
    fclose(file);
    length = strcspn(url, "\n");
    snprintf(url + length, 256 - length, "drill_%d", (int)getpid());
}

/* ---- the site ---- */

/* What a daemon said of itself since the fault. */
struct story {
    int status;
    char text[128];
};

static struct site {
    int primary, standby, third; /* nodes, as they were before the fault */
    struct plyd plyd[2];
    struct players players;
    struct friends friends;
    _Atomic bool over;
    _Atomic double faulted_at, longest_gap; /* seconds; 0: not yet */
    struct story story[2];
    pthread_t watcher;
} site;

static uint64_t acknowledged(void)
{
    return site.players.acknowledged + site.friends.acknowledged;
}

static void note_readiness(int daemon)
{
    struct story *story = &site.story[daemon];
    size_t have = strlen(story->text);
    struct http_reply reply;

    http_request(site.plyd[daemon].port, &reply, "GET", "/readyz", NULL, NULL);
    if (reply.status != story->status && site.faulted_at != 0)
        snprintf(story->text + have, sizeof(story->text) - have, " %d at %.1f", reply.status,
                 seconds_now() - site.faulted_at);
    story->status = reply.status;
    http_free(&reply);
}

static void *watch(void *cls)
{
    double last = seconds_now();
    uint64_t seen = acknowledged();

    for (int turn = 0; !site.over; turn++) {
        uint64_t count = acknowledged();

        if (count != seen) {
            double gap = seconds_now() - last;

            if (site.faulted_at != 0 && gap > site.longest_gap)
                site.longest_gap = gap;
            last += gap;
            seen = count;
        }
        if (turn % 10 == 0)
            note_readiness(turn / 10 % 2);
        stubborn_pause_ms(10);
    }
    return cls;
}

static void progress(void)
{
    uint64_t goal = acknowledged() + STEPS;
    double begin = seconds_now();

    while (acknowledged() < goal) {
        cr_assert_lt(seconds_now() - begin, PATIENCE_S, "nothing is acknowledged any more");
        stubborn_pause_ms(20);
    }
}

static void go_between(struct stubborn *net)
{
    net->other = site.plyd[1].port;
    net->pause_ms = PAUSE_MS;
}

static void open_site(const char *through)
{
    char url[256];

    cluster("settle");
    cluster("database drill_%d", (int)getpid());
    read_url(through, url);
    site.primary = node_of("primary");
    site.standby = node_of("standby");
    site.third = 6 - site.primary - site.standby;
    plyd_migrate(url);
    for (int i = 0; i < 2; i++)
        plyd_start(&site.plyd[i], url, "--quota-address", "0", "--quota-address-games", "0", NULL);
    players_start(&site.players, PLAYERS, site.plyd[0].port);
    friends_start(&site.friends, PAIRS, site.plyd[0].port);
    go_between(&site.players.net);
    go_between(&site.friends.net);
    pthread_create(&site.watcher, NULL, watch, NULL);
    progress();
    site.faulted_at = seconds_now();
}

static void verify(int node)
{
    char name[16], url[256];

    snprintf(name, sizeof(name), "url.%d", node);
    read_url(name, url);
    cr_assert(plyd_verified(url), "a game of node %d does not replay", node);
}

static void print_row(const char *what)
{
    unsigned long long told_again = site.players.replayed;
    double load = 0;

    told_again += site.friends.replayed;
    getloadavg(&load, 1);
    printf("| %s | %llu | 0 | 0 | %.1f | %llu | %s;%s | %.0f |\n", what,
           (unsigned long long)acknowledged(), site.longest_gap, told_again,
           site.story[0].text[0] != '\0' ? site.story[0].text : " 200",
           site.story[1].text[0] != '\0' ? site.story[1].text : " 200", load);
}

/* A row is printed when all of this was found to be so. */
static void close_site(const char *what)
{
    unsigned long long unanswered;

    cluster("settle");
    players_stop(&site.players);
    friends_stop(&site.friends);
    unanswered = site.players.net.unanswered;
    site.over = true;
    pthread_join(site.watcher, NULL);
    unanswered += site.friends.net.unanswered;
    cr_assert_eq(unanswered, 0, "%llu attempts had no answer", unanswered);
    players_judge(&site.players);
    friends_judge(&site.friends);
    verify(node_of("primary"));
    verify(node_of("standby"));
    for (int i = 0; i < 2; i++)
        cr_assert_eq(plyd_stop(&site.plyd[i]), 0);
    print_row(what);
}

/* ---- faults ---- */

static void kill_node(int node)
{
    cluster("signal %d node KILL", node);
}

static void start_node(int node)
{
    cluster("start %d", node);
}

static void kill_primary(void)
{
    kill_node(site.primary);
}

static void start_primary(void)
{
    start_node(site.primary);
}

static void kill_standby(void)
{
    kill_node(site.standby);
}

static void start_standby(void)
{
    start_node(site.standby);
}

static void kill_primary_server(void)
{
    cluster("signal %d postgres KILL", site.primary);
}

static void switch_over(void)
{
    cluster("switchover");
}

static void freeze_primary(void)
{
    cluster("signal %d node STOP", site.primary);
}

/* Its Patroni goes on last: for a while it is a primary that nobody looks after. */
static void thaw_primary(void)
{
    cluster("signal %d postgres CONT", site.primary);
    cluster("signal %d patroni CONT", site.primary);
}

/* Its server goes on as the primary until another one is made, and does not know of that. */
static void await_takeover(void)
{
    double begin = seconds_now();
    int node = 0;

    while (node == 0 || node == site.primary) {
        cr_assert_lt(seconds_now() - begin, PATIENCE_S, "no other primary is made");
        node = node_of("primary");
    }
}

static void freeze_patroni(void)
{
    cluster("signal %d patroni STOP", site.primary);
    await_takeover();
}

static void kill_patroni(void)
{
    cluster("signal %d patroni KILL", site.primary);
    await_takeover();
}

static void thaw_patroni(void)
{
    cluster("signal %d patroni CONT", site.primary);
}

/* Strict: no write is acknowledged without a standby, and each has its answer all the same. */
static void kill_both_standbys(void)
{
    uint64_t count;

    kill_node(site.standby);
    kill_node(site.third);
    stubborn_pause_ms(SETTLED_S * 1000);
    count = acknowledged();
    stubborn_pause_ms(STALL_S * 1000);
    cr_assert_eq(acknowledged(), count, "acknowledged without a standby");
    start_node(site.standby);
    start_node(site.third);
}

static void nothing(void)
{
}

static void drill(const char *what, const char *through, void (*cause)(void), void (*mend)(void))
{
    open_site(through);
    cause();
    progress();
    mend();
    progress();
    close_site(what);
}

#define DRILL(name, what, through, cause, mend) \
    Test(failover, name, .timeout = 900)        \
    {                                           \
        drill(what, through, cause, mend);      \
    }

DRILL(a_primary_that_is_killed_with_its_patroni, "kill -9 of the primary's node", "hosts",
      kill_primary, start_primary)
DRILL(a_server_that_is_killed_alone, "kill -9 of the primary's server only", "hosts",
      kill_primary_server, nothing)
DRILL(a_planned_switchover, "planned switchover", "hosts", switch_over, nothing)
DRILL(a_primary_that_is_frozen_and_comes_back, "SIGSTOP of the primary's node, SIGCONT later",
      "hosts", freeze_primary, thaw_primary)
DRILL(a_patroni_that_is_frozen_and_comes_back, "SIGSTOP of the primary's Patroni, SIGCONT later",
      "hosts", freeze_patroni, thaw_patroni)
DRILL(a_patroni_that_is_killed_and_leaves_its_server_alone, "kill -9 of the primary's Patroni only",
      "hosts", kill_patroni, start_primary)
DRILL(a_synchronous_standby_that_is_killed, "kill -9 of the synchronous standby's node", "hosts",
      kill_standby, start_standby)
DRILL(both_standbys_gone, "kill -9 of both standbys' nodes", "hosts", kill_both_standbys, nothing)
DRILL(a_primary_behind_haproxy_that_is_killed, "kill -9 of the primary's node, through HAProxy",
      "balanced", kill_primary, start_primary)
DRILL(a_primary_behind_haproxy_that_is_frozen, "SIGSTOP of the primary's node, through HAProxy",
      "balanced", freeze_primary, thaw_primary)
