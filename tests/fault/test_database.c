/* test_database.c - PostgreSQL frozen, gone and out of space: clear answers in time, and recovery.
 */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "new_game.h"
#include "tests/support/backoff.h"
#include "tests/support/http.h"
#include "tests/support/pg.h"
#include "tests/support/plyd.h"

static struct pg_cluster cluster;
static struct plyd plyd, hasty; /* which soon gives the database up: it is asked in the fault */
static char id[NEW_GAME_ID], token[NEW_GAME_TOKEN];

static void open_all(void)
{
    pg_cluster_start(&cluster, NULL);
    plyd_migrate(cluster.url);
    plyd_start(&plyd, cluster.url, "--db-deadline-ms", "60000", NULL);
    plyd_start(&hasty, cluster.url, "--db-deadline-ms", "1000", NULL);
    new_game(plyd.port, "{\"variant\":\"jungle\"}", id, token);
}

static void close_all(void)
{
    plyd_close(&hasty);
    plyd_close(&plyd);
    pg_cluster_remove(&cluster);
}

TestSuite(database, .init = open_all, .fini = close_all);

/* Puts a move. Returns the status; `code` is that of the problem. */
static int put_move(const struct plyd *at, int ply, const char *move, char code[64])
{
    char path[128], headers[256];
    struct http_reply reply;
    int status;

    snprintf(path, sizeof(path), "/v1/games/%s/moves/%d", id, ply);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nContent-Type: text/plain\r\n",
             token);
    http_request(at->port, &reply, "PUT", path, headers, move);
    status = reply.status;
    code[0] = '\0';
    if (status >= 400)
        cr_assert(http_copy_member(reply.body, "code", code, 64), "%.300s", reply.body);
    http_free(&reply);
    return status;
}

static int get_status(const struct plyd *at, const char *path)
{
    struct http_reply reply;
    int status;

    http_request(at->port, &reply, "GET", path, NULL, NULL);
    status = reply.status;
    http_free(&reply);
    return status;
}

static void wait_for_status(const struct plyd *at, const char *path, int status)
{
    for (int looks = 0; get_status(at, path) != status; looks++)
        back_off(looks);
}

static void wait_until_ready(void)
{
    wait_for_status(&plyd, "/readyz", 200);
    wait_for_status(&hasty, "/readyz", 200);
}

/* Has the daemon read the game, so that it need not do so in the fault. */
static void make_known(const struct plyd *at)
{
    char path[64];

    snprintf(path, sizeof(path), "/v1/games/%s", id);
    wait_for_status(at, path, 200);
}

Test(database, a_frozen_server_is_503_in_time_and_the_retry_decides)
{
    char code[64];

    cr_assert_eq(put_move(&plyd, 1, "a3a4", code), 201);
    make_known(&hasty);
    pg_cluster_freeze(&cluster);
    cr_assert_eq(put_move(&hasty, 2, "g7g6", code), 503);
    cr_assert_str_eq(code, "database-down");
    cr_assert_eq(get_status(&hasty, "/healthz"), 200, "the loop was held up");
    pg_cluster_thaw(&cluster);
    wait_until_ready();
    int status = put_move(&plyd, 2, "g7g6", code);
    cr_assert(status == 201 || status == 200, "%d %s", status, code);
    cr_assert_eq(put_move(&plyd, 2, "g7g6", code), 200);
    cr_assert_eq(put_move(&plyd, 3, "a4a5", code), 201);
}

Test(database, a_server_that_is_gone_is_503_and_comes_back_by_itself)
{
    char code[64];

    pg_cluster_stop(&cluster);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(put_move(&hasty, 1, "a3a4", code), 503);
        cr_assert_str_eq(code, "database-down");
    }
    cr_assert_eq(get_status(&hasty, "/readyz"), 503);
    cr_assert_eq(get_status(&hasty, "/healthz"), 200);
    pg_cluster_restart(&cluster);
    wait_until_ready();
    cr_assert_eq(put_move(&plyd, 1, "a3a4", code), 201);
}

Test(database, a_restart_is_ridden_out_without_a_refusal)
{
    char code[64];

    cr_assert_eq(put_move(&plyd, 1, "a3a4", code), 201);
    pg_cluster_stop(&cluster);
    pg_cluster_restart(&cluster);
    cr_assert_eq(put_move(&plyd, 2, "g7g6", code), 201, "%s", code);
}

static void run_sql(const char *command)
{
    PGconn *pg = PQconnectdb(cluster.url);
    PGresult *result = PQexec(pg, command);

    cr_assert_str_eq(PQresultErrorMessage(result), "", "%s", command);
    PQclear(result);
    PQfinish(pg);
}

Test(database, one_that_becomes_read_only_is_not_ready_though_nobody_writes)
{
    run_sql("alter system set default_transaction_read_only = on");
    run_sql("select pg_reload_conf()");
    wait_for_status(&plyd, "/readyz", 503);
    run_sql("alter system set default_transaction_read_only = off");
    run_sql("select pg_reload_conf()");
    wait_until_ready();
}

/* Ends the waits for the standby, which commits what waits. */
static void cut_waits_short(void)
{
    run_sql("do $$ begin loop"
            " perform pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep';"
            " exit when found; perform pg_sleep(0.01);"
            " perform pg_stat_clear_snapshot(); end loop; end $$");
}

/* Sends a move with a key. */
static int post_move(const struct plyd *at, const char *move, const char *key)
{
    char path[128], headers[256];
    struct http_reply reply;
    int status;

    snprintf(path, sizeof(path), "/v1/games/%s/moves", id);
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nContent-Type: text/plain\r\nIdempotency-Key: %s\r\n",
             token, key);
    http_request(at->port, &reply, "POST", path, headers, move);
    status = reply.status;
    http_free(&reply);
    return status;
}

/* Waits until commits wait for a standby: the server takes note of a setting in its own time. */
static void wait_until_commits_wait(void)
{
    int status = 201;

    for (int looks = 0; status != 503; looks++) {
        struct http_reply reply;

        back_off(looks);
        http_request(hasty.port, &reply, "POST", "/v1/games", "Content-Type: application/json\r\n",
                     "{\"variant\":\"jungle\"}");
        status = reply.status;
        http_free(&reply);
    }
    cut_waits_short();
    wait_until_ready();
}

/* Everybody can see the two moves, but a failover would lose them. */
Test(database, a_move_that_no_standby_has_confirmed_is_not_told_as_made)
{
    char code[64];

    make_known(&hasty);
    run_sql("alter system set synchronous_standby_names = nobody");
    run_sql("select pg_reload_conf()");
    wait_until_commits_wait();
    cr_assert_eq(put_move(&hasty, 1, "a3a4", code), 503);
    cut_waits_short();
    wait_until_ready();
    cr_assert_eq(put_move(&hasty, 1, "a3a4", code), 503, "it is told as made");
    cr_assert_eq(post_move(&hasty, "g7g6", "the answer to it"), 503);
    cut_waits_short();
    wait_until_ready();
    cr_assert_eq(post_move(&hasty, "g7g6", "the answer to it"), 503, "it is told as made");
    run_sql("alter system reset synchronous_standby_names");
    run_sql("select pg_reload_conf()");
    cr_assert_eq(put_move(&plyd, 1, "a3a4", code), 200, "%s", code);
    cr_assert_eq(post_move(&plyd, "g7g6", "the answer to it"), 201);
}

static bool is_so(const char *question)
{
    PGconn *pg = PQconnectdb(cluster.url);
    PGresult *result = PQexec(pg, question);
    bool so = PQntuples(result) == 1 && strcmp(PQgetvalue(result, 0, 0), "t") == 0;

    cr_assert_str_eq(PQresultErrorMessage(result), "", "%s", question);
    PQclear(result);
    PQfinish(pg);
    return so;
}

static void wait_until(const char *question)
{
    for (int looks = 0; !is_so(question); looks++)
        back_off(looks);
}

static int claims_of(const struct plyd *at)
{
    static const char name[] = "plyd_db_batch_members_count{kind=\"claim_due\"} ";
    struct http_reply reply;
    const char *line;
    int count;

    http_request(at->port, &reply, "GET", "/metrics", NULL, NULL);
    line = strstr(reply.body, name);
    cr_assert_not_null(line);
    count = atoi(line + strlen(name));
    http_free(&reply);
    return count;
}

/* The answer to the claim is lost, and its lease ends tomorrow. One daemon stands still meanwhile:
 * it would give its claim up after a second, and then nobody waits any more. */
Test(database, due_work_whose_claim_was_not_answered_is_claimed_again)
{
    static const char tomorrow[] = "select count(*) = 1 from due where leased_until > now() + "
                                   "interval '1 hour'";
    PGconn *pg = PQconnectdb(cluster.url);
    int claims;

    run_sql("alter system set synchronous_standby_names = nobody");
    run_sql("select pg_reload_conf()");
    wait_until_commits_wait();
    kill(hasty.pid, SIGSTOP);
    run_sql("set synchronous_commit = local;"
            " insert into due select gen_random_uuid(), 1, now(), now()");
    wait_until("select count(*) = 1 from pg_stat_activity"
               " where wait_event = 'SyncRep' and query like 'update due set leased_until%'");
    cr_assert(PQsendQuery(pg, "set synchronous_commit = local;"
                              " update due set leased_until = leased_until + interval '1 day'"));
    wait_until("select count(*) > 0 from pg_stat_activity where wait_event_type = 'Lock'"
               " and query like '%1 day%'");
    cut_waits_short();
    wait_until(tomorrow);
    claims = claims_of(&plyd);
    run_sql("alter system reset synchronous_standby_names");
    run_sql("select pg_reload_conf()");
    for (int looks = 0; is_so(tomorrow) && claims_of(&plyd) < claims + 20; looks++)
        back_off(looks);
    kill(hasty.pid, SIGCONT);
    cr_assert_not(is_so(tomorrow), "it waits for its lease");
    PQfinish(pg);
}

Test(database, sigterm_answers_what_is_in_flight_and_exits_with_0)
{
    char code[64];

    cr_assert_eq(put_move(&plyd, 1, "a3a4", code), 201);
    cr_assert_eq(plyd_stop(&plyd), 0);
    plyd_start(&plyd, cluster.url, "--db-deadline-ms", "60000", NULL);
    cr_assert_eq(put_move(&plyd, 2, "g7g6", code), 201);
}

/* Waits until all four connections are there. A server process that begins while the others are
 * frozen would not be frozen itself. */
static void wait_until_connected(int port)
{
    int connected = 0;

    for (int looks = 0; !connected; looks++) {
        struct http_reply reply;

        back_off(looks);
        http_request(port, &reply, "GET", "/metrics", NULL, NULL);
        connected = strstr(reply.body, "plyd_db_connections{state=\"connected\"} 4\n") != NULL;
        http_free(&reply);
    }
}

/* Waits until so many of the connections have an answer. */
static void await_answers(const int *fd, int count, int wanted)
{
    struct pollfd polled[64];

    for (int looks = 0, ready = 0; ready < wanted; looks++) {
        back_off(looks);
        for (int i = 0; i < count; i++)
            polled[i] = (struct pollfd){fd[i], POLLIN, 0};
        ready = poll(polled, (nfds_t)count, 0);
    }
}

/* Four requests may wait, and at most as many are on their way on each of the four connections. All
 * others are answered at once, and not at the deadline of a minute. */
Test(database, more_requests_than_may_wait_are_503_overloaded_at_once)
{
    enum { CLIENTS = 64, WAITING = 4, REFUSED = CLIENTS - 5 * WAITING };
    struct http_reply reply;
    struct plyd small;
    int fd[CLIENTS], overloaded = 0;

    plyd_start(&small, cluster.url, "--db-deadline-ms", "60000", "--db-queue", "4", "--loops", "1",
               NULL);
    for (int i = 0; i < CLIENTS; i++)
        fd[i] = http_connect(small.port);
    wait_until_connected(small.port);
    pg_cluster_freeze(&cluster);
    for (int i = 0; i < CLIENTS; i++)
        http_send(fd[i], "POST", "/v1/games", "Content-Type: application/json\r\n",
                  "{\"variant\":\"jungle\"}", 20);
    await_answers(fd, CLIENTS, REFUSED);
    pg_cluster_thaw(&cluster);
    for (int i = 0; i < CLIENTS; i++) {
        http_receive(fd[i], "POST", &reply);
        overloaded += reply.status == 503 && strstr(reply.body, "\"overloaded\"") != NULL;
        http_free(&reply);
        close(fd[i]);
    }
    cr_assert_geq(overloaded, REFUSED);
    cr_assert_eq(plyd_stop(&small), 0);
}
