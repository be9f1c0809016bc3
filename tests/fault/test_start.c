/* test_start.c - starting while the database is not up yet, or not to be had at all. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/backoff.h"
#include "tests/support/hours.h"
#include "tests/support/http.h"
#include "tests/support/pg.h"
#include "tests/support/plyd.h"
#include "tests/support/ready.h"

static const char waiting[] = "\"event\":\"waiting-for-database\",\"at_most\":";

/* ---- servers that are not up yet ---- */

Test(start, serve_waits_for_a_server_that_comes_up_later)
{
    struct pg_cluster cluster;
    struct plyd plyd;

    pg_cluster_start(&cluster, NULL);
    plyd_migrate(cluster.url);
    pg_cluster_stop(&cluster);
    plyd_run(&plyd, "serve", cluster.url, NULL);
    plyd_await(&plyd, waiting);
    pg_cluster_restart(&cluster);
    plyd_await(&plyd, "\"listening\"");
    cr_assert_eq(plyd_stop(&plyd), 0);
    pg_cluster_remove(&cluster);
}

Test(start, migrate_waits_for_a_server_that_comes_up_later)
{
    struct pg_cluster cluster;
    struct plyd plyd;

    pg_cluster_start(&cluster, NULL);
    pg_cluster_stop(&cluster);
    plyd_run(&plyd, "migrate", cluster.url, NULL);
    plyd_await(&plyd, waiting);
    pg_cluster_restart(&cluster);
    cr_assert_eq(plyd_wait(&plyd), 0);
    plyd_forget(&plyd);
    pg_cluster_remove(&cluster);
}

/* It says so after its first attempt, which takes its time on a slow machine. */
static void assert_waits(const char *command, const char *database)
{
    struct plyd plyd;

    plyd_run(&plyd, command, database, "--db-wait-s", "6", NULL);
    cr_assert_eq(plyd_wait(&plyd), 1, "%s %s", command, database);
    cr_assert(plyd_logged(&plyd, waiting), "%s %s: see %s", command, database, plyd.log);
    cr_assert(plyd_logged(&plyd, "cannot reach the database: not up after 6 s: "), "see %s",
              plyd.log);
    plyd_forget(&plyd);
}

Test(start, the_deadline_ends_the_wait_with_the_reason)
{
    assert_waits("serve", "host=/nonexistent");
    assert_waits("migrate", "host=127.0.0.1 port=1");
    assert_waits("serve", "host=plyd.invalid");
}

Test(start, standbys_are_waited_for_since_one_may_become_the_primary)
{
    char url[2048];

    snprintf(url, sizeof(url), "%s%coptions=-cdefault_transaction_read_only%%3Don", pg_test_url(),
             strchr(pg_test_url(), '?') == NULL ? '?' : '&');
    assert_waits("serve", url);
}

Test(start, without_a_wait_there_is_one_attempt)
{
    struct plyd plyd;

    plyd_run(&plyd, "serve", "host=/nonexistent", "--db-wait-s", "0", NULL);
    cr_assert_eq(plyd_wait(&plyd), 1);
    cr_assert_not(plyd_logged(&plyd, waiting), "see %s", plyd.log);
    cr_assert(plyd_logged(&plyd, "cannot reach the database: connection to server"), "see %s",
              plyd.log);
    plyd_forget(&plyd);
}

/* ---- a server of our own that refuses everybody ---- */

/* Answers each connection with one error, as PostgreSQL writes it. */
static _Noreturn void refuse_all(int listener, const char *sqlstate)
{
    char request[512], answer[128] = "E", *at = answer + 5;
    uint32_t length;

    at += sprintf(at, "SFATAL%cVFATAL%cC%s%cMno%c", 0, 0, sqlstate, 0, 0) + 1;
    length = htonl((uint32_t)(at - answer - 1));
    memcpy(answer + 1, &length, sizeof(length));
    for (;;) {
        int fd = accept(listener, NULL, NULL);

        if (recv(fd, request, sizeof(request), 0) > 0)
            send(fd, answer, (size_t)(at - answer), MSG_NOSIGNAL);
        close(fd);
    }
}

static pid_t start_refusing(const char *sqlstate, char url[128])
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(address);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    pid_t pid;

    cr_assert_eq(bind(listener, (const struct sockaddr *)&address, len), 0);
    cr_assert_eq(listen(listener, 8), 0);
    getsockname(listener, (struct sockaddr *)&address, &len);
    snprintf(url, 128, "host=127.0.0.1 port=%u sslmode=disable gssencmode=disable",
             ntohs(address.sin_port));
    pid = fork();
    if (pid == 0)
        refuse_all(listener, sqlstate);
    close(listener);
    return pid;
}

Test(start, a_server_that_is_starting_is_waited_for)
{
    char url[128];
    pid_t server = start_refusing("57P03", url);

    assert_waits("serve", url);
    kill(server, SIGKILL);
}

/* ---- a server that refuses, and a good one behind it ---- */

/* The folder of a server's socket, which is its host. */
static void socket_of(const struct pg_cluster *cluster, char host[512])
{
    PQconninfoOption *options = PQconninfoParse(cluster->url, NULL), *option = options;

    while (strcmp(option->keyword, "host") != 0)
        option++;
    snprintf(host, 512, "%s", option->val);
    PQconninfoFree(options);
}

/* Every way to the database goes by the list: the first connection of a program, those of the
 * daemon, those of the readers of `verify`. */
static void assert_served(const char *list)
{
    struct http_reply reply;
    struct plyd plyd;
    int status;

    plyd_migrate(list);
    cr_assert(plyd_verified(list), "%s", list);
    plyd_start(&plyd, list, NULL);
    plyd_await(&plyd, "database connected");
    do {
        http_request(plyd.port, &reply, "POST", "/v1/games", "Content-Type: application/json\r\n",
                     "{\"variant\":\"tictactoe\"}");
        status = reply.status;
        http_free(&reply);
    } while (status == 503);
    cr_assert_eq(status, 201, "%s", list);
    cr_assert_eq(plyd_stop(&plyd), 0);
}

Test(start, a_server_that_refuses_does_not_keep_it_from_a_good_one_behind)
{
    static const char *const codes[] = {"3D000", "53300", "57P03", "28P01"};
    char good[512], refusing[128], list[1024];
    struct pg_cluster cluster;
    int port;

    pg_cluster_start(&cluster, NULL);
    socket_of(&cluster, good);
    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        pid_t server = start_refusing(codes[i], refusing);

        cr_assert_eq(sscanf(refusing, "host=127.0.0.1 port=%d", &port), 1);
        snprintf(list, sizeof(list),
                 "host=127.0.0.1,%s,127.0.0.1 port=%d,5432,%d user=plyd dbname=plyd"
                 " sslmode=disable gssencmode=disable",
                 good, port, port);
        assert_served(list);
        kill(server, SIGKILL);
    }
    pg_cluster_remove(&cluster);
}

Test(start, a_server_without_the_database_does_not_keep_it_from_one_that_has_it)
{
    struct pg_cluster without, with;
    char first[512], second[512], list[1200];
    PGconn *pg;

    pg_cluster_start(&without, NULL);
    pg_cluster_start(&with, NULL);
    pg = PQconnectdb(with.url);
    PQclear(PQexec(pg, "create database late"));
    PQfinish(pg);
    socket_of(&without, first);
    socket_of(&with, second);
    snprintf(list, sizeof(list), "host=%s,%s port=5432 user=plyd dbname=late", first, second);
    assert_served(list);
    pg_cluster_remove(&without);
    pg_cluster_remove(&with);
}

Test(start, a_server_with_too_many_clients_does_not_keep_it_from_another_one)
{
    enum { ROOM = 4 };
    struct pg_cluster crowded, roomy;
    char first[512], second[512], list[1200];
    PGconn *client[ROOM];

    pg_cluster_start(&crowded, "max_connections=4", "superuser_reserved_connections=0",
                     "max_wal_senders=0", NULL);
    pg_cluster_start(&roomy, NULL);
    for (int i = 0; i < ROOM; i++)
        client[i] = PQconnectdb(crowded.url);
    cr_assert_eq(PQstatus(client[ROOM - 1]), CONNECTION_OK);
    socket_of(&crowded, first);
    socket_of(&roomy, second);
    snprintf(list, sizeof(list), "host=%s,%s port=5432 user=plyd dbname=plyd", first, second);
    assert_served(list);
    for (int i = 0; i < ROOM; i++)
        PQfinish(client[i]);
    pg_cluster_remove(&crowded);
    pg_cluster_remove(&roomy);
}

Test(start, a_good_server_is_waited_for_while_another_one_refuses)
{
    char refusing[128], list[512];
    pid_t server = start_refusing("3D000", refusing);
    int port;

    cr_assert_eq(sscanf(refusing, "host=127.0.0.1 port=%d", &port), 1);
    snprintf(list, sizeof(list),
             "host=127.0.0.1,/nonexistent port=%d,5432 sslmode=disable gssencmode=disable", port);
    assert_waits("serve", list);
    kill(server, SIGKILL);
}

/* ---- answers that waiting does not change ---- */

static void assert_refused(const char *command, const char *database, const char *why)
{
    struct plyd plyd;

    plyd_run(&plyd, command, database, "--db-wait-s", "3600", NULL);
    cr_assert_eq(plyd_wait(&plyd), 1, "%s", database);
    cr_assert(!plyd_logged(&plyd, waiting) || plyd_logged(&plyd, "timeout expired"), "%s: see %s",
              database, plyd.log); /* where a connection takes so long */
    cr_assert(plyd_logged(&plyd, why), "%s: see %s", database, plyd.log);
    plyd_forget(&plyd);
}

Test(start, a_database_or_role_that_does_not_exist_is_told_at_once)
{
    char url[2048];

    snprintf(url, sizeof(url), "%s%cdbname=nowhere", pg_test_url(),
             strchr(pg_test_url(), '?') == NULL ? '?' : '&');
    assert_refused("serve", url, "database \"nowhere\" does not exist");
    snprintf(url, sizeof(url), "%s%cuser=nobody_at_all", pg_test_url(),
             strchr(pg_test_url(), '?') == NULL ? '?' : '&');
    assert_refused("serve", url, "role \"nobody_at_all\" does not exist");
}

Test(start, a_wrong_password_is_told_at_once)
{
    char path[128], url[2048];
    struct pg_cluster cluster;
    FILE *rules;

    pg_cluster_start(&cluster, NULL);
    pg_cluster_stop(&cluster);
    snprintf(path, sizeof(path), "%s/data/pg_hba.conf", cluster.dir);
    rules = fopen(path, "w");
    cr_assert_not_null(rules, "%s", path);
    fputs("local postgres all trust\nlocal all all scram-sha-256\n", rules);
    fclose(rules);
    pg_cluster_restart(&cluster);
    snprintf(url, sizeof(url), "%s&password=wrong", cluster.url);
    assert_refused("serve", url, "password authentication failed");
    pg_cluster_remove(&cluster);
}

Test(start, a_connection_string_that_cannot_be_read_is_told_at_once)
{
    assert_refused("migrate", "nonsense host=x", "missing \"=\" after \"nonsense\"");
}

Test(start, a_database_in_another_encoding_is_refused_with_how_to_make_one)
{
    static const char *const options[] = {"encoding 'LATIN1' locale 'C' template template0",
                                          "encoding 'SQL_ASCII' locale 'C' template template0"};

    for (int i = 0; i < 2; i++) {
        char *database = pg_test_database_with(options[i]);

        assert_refused("migrate", database,
                       i == 0 ? "is LATIN1 and must" : "is SQL_ASCII and must");
        assert_refused("migrate", database, "createdb --encoding=UTF8");
        assert_refused("serve", database, "createdb --encoding=UTF8");
        pg_test_drop(database);
    }
}

Test(start, a_database_made_as_the_refusal_says_is_taken)
{
    char *database = pg_test_database_with("encoding 'UTF8' locale 'C' template template0");

    plyd_migrate(database);
    pg_test_drop(database);
}

/* ---- before the first connection ---- */

/* Lets programs ask for the schema and the time, but holds up what keeps a connection: it asks for
 * the timeline, too. Ended by PQfinish(). */
static PGconn *hold_up(const char *database)
{
    static const char *const steps[] = {
        "create table hours.gate ();"
        " create function hours.pg_current_wal_lsn() returns pg_lsn language sql as"
        " 'select pg_catalog.pg_current_wal_lsn() from (select count(*) from hours.gate) as g'",
        "begin; lock hours.gate"};
    PGconn *pg = PQconnectdb(database);

    for (int i = 0; i < 2; i++) {
        PGresult *result = PQexec(pg, steps[i]);

        cr_assert_eq(PQresultStatus(result), PGRES_COMMAND_OK, "%s", PQresultErrorMessage(result));
        PQclear(result);
    }
    return pg;
}

static int year_of(int64_t us)
{
    time_t s = (time_t)(us / 1000000);

    return gmtime(&s)->tm_year + 1900;
}

static bool waits_for_connection(int port)
{
    struct http_reply reply;
    bool waits;

    http_request(port, &reply, "GET", "/metrics", NULL, NULL);
    waits = strstr(reply.body, "\nplyd_db_queue 0\n") == NULL;
    http_free(&reply);
    return waits;
}

/* The machine's clock is more than a year ahead of the database's. */
Test(start, a_request_before_the_first_connection_goes_by_the_databases_time)
{
    static const int64_t day = INT64_C(24) * 3600 * 1000000;
    char *database = hours_borrow_running(), created[64];
    struct http_reply reply;
    struct plyd plyd;
    PGconn *pg;
    int fd;

    hours_pass(database, -400 * day, true);
    pg = hold_up(database);
    plyd_run(&plyd, "serve", database, "--db-deadline-ms", "60000", NULL);
    plyd_await(&plyd, "\"listening\"");
    fd = http_connect(plyd.port);
    http_send(fd, "POST", "/v1/games", "Content-Type: application/json\r\n",
              "{\"variant\":\"tictactoe\"}", strlen("{\"variant\":\"tictactoe\"}"));
    for (int looks = 0; !waits_for_connection(plyd.port); looks++)
        back_off(looks);
    PQfinish(pg);
    http_receive(fd, "POST", &reply);
    cr_assert_eq(reply.status, 201, "%.300s", reply.body);
    cr_assert(http_copy_member(reply.body, "created_at", created, sizeof(created)));
    cr_assert_eq(atoi(created), year_of(hours_database_now(database)), "%s", created);
    http_free(&reply);
    close(fd);
    cr_assert_eq(plyd_stop(&plyd), 0);
    ready_return(database);
}

/* ---- ending the wait ---- */

static int stopped_while_waiting(const char *command)
{
    struct plyd plyd;

    plyd_run(&plyd, command, "host=/nonexistent", "--db-wait-s", "3600", NULL);
    plyd_await(&plyd, waiting);
    return plyd_stop(&plyd);
}

Test(start, sigterm_ends_the_wait)
{
    cr_assert_eq(stopped_while_waiting("serve"), 0);
    cr_assert_eq(stopped_while_waiting("migrate"), 1, "nothing was migrated");
}
