/* test_drain.c - a daemon that is told to stop while requests wait and others are still coming. */
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

#include "new_game.h"
#include "tests/support/backoff.h"
#include "tests/support/http.h"
#include "tests/support/pg.h"
#include "tests/support/plyd.h"
#include "tests/support/shuffle.h"

enum { CLIENTS = 400 };

static void send_text(int fd, const char *text)
{
    cr_assert_eq(send(fd, text, strlen(text), MSG_NOSIGNAL), (ssize_t)strlen(text));
}

Test(drain, waiting_requests_are_ended_and_late_ones_do_no_harm)
{
    static int waiting[CLIENTS], late[CLIENTS];
    char id[NEW_GAME_ID], token[NEW_GAME_TOKEN], path[128], headers[160], partial[256];
    struct pg_cluster cluster;
    struct plyd plyd;

    pg_cluster_start(&cluster, NULL);
    plyd_migrate(cluster.url);
    plyd_start(&plyd, cluster.url, "--drain-s", "0", "--db-deadline-ms", "30000", NULL);
    new_game(plyd.port, "{\"variant\":\"jungle\"}", id, token);
    snprintf(path, sizeof(path), "/v1/games/%s/moves/1", id);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nContent-Type: text/plain\r\n",
             token);
    snprintf(partial, sizeof(partial), "GET /v1/games/%s HTTP/1.1\r\nHost: test\r\n", id);
    pg_cluster_freeze(&cluster);
    for (int i = 0; i < CLIENTS; i++) {
        waiting[i] = http_connect(plyd.port);
        late[i] = http_connect(plyd.port);
        http_send(waiting[i], "PUT", path, headers, "a3a4", 4);
        send_text(late[i], i % 2 ? partial : "GET /metrics HTTP/1.1\r\nHost: test\r\n");
    }
    kill(plyd.pid, SIGTERM);
    for (int i = 0; i < CLIENTS; i++) {
        nanosleep(&(struct timespec){0, 20000}, NULL); /* spread over the daemon's last moments */
        send(late[i], "\r\n", 2, MSG_NOSIGNAL);        /* the daemon may have gone by now */
    }
    cr_assert_eq(plyd_stop(&plyd), 0);
    pg_cluster_thaw(&cluster);
    for (int i = 0; i < CLIENTS; i++) {
        struct http_reply reply;

        http_receive(waiting[i], "PUT", &reply);
        cr_assert(reply.status == 503 || reply.status == 0);
        http_free(&reply);
        close(waiting[i]);
        close(late[i]);
    }
    pg_cluster_remove(&cluster);
}

/* ---- what has begun is finished ---- */

#define LONG_DRAIN_S "600"

static char *database;
static struct plyd plyd;

static void start(const char *drain_s)
{
    database = pg_test_database();
    plyd_migrate(database);
    plyd_start(&plyd, database, "--drain-s", drain_s, "--loops", "1", NULL);
}

/* Tells the daemon to stop and waits until it knows. */
static void begin_stop(void)
{
    kill(plyd.pid, SIGTERM);
    for (int looks = 0; !plyd_logged(&plyd, "\"draining\""); looks++)
        back_off(looks);
}

/* The daemon ends as it should, with all answered or after the time of its --drain-s. */
static void finish_drain(bool is_cut)
{
    kill(plyd.pid, SIGTERM);
    cr_assert_eq(plyd_wait(&plyd), 0);
    cr_assert_eq(plyd_logged(&plyd, "\"drain-cut\"") != 0, is_cut);
    unlink(plyd.log);
    pg_test_drop(database);
}

static void finish_stop(void)
{
    finish_drain(false);
}

/* A connection that takes few bytes at a time. */
static int connect_narrow(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((in_port_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), bytes = 2048;

    cr_assert_eq(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes)), 0);
    cr_assert_eq(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    return fd;
}

enum { PIPELINED = 80 };

/* Far more than the sockets hold: the daemon is stuck in the middle of an answer. */
static void ask_for_much(int fd)
{
    for (int i = 0; i < PIPELINED; i++)
        http_send(fd, "GET", "/openapi.json", NULL, NULL, 0);
}

static void assert_answers(const char *path, int status, const char *header)
{
    struct http_reply reply;

    http_request(plyd.port, &reply, "GET", path, "Connection: keep-alive\r\n", NULL);
    cr_assert_eq(reply.status, status, "%s: %d", path, reply.status);
    cr_assert_not_null(strstr(reply.headers, header), "%s: %s", path, reply.headers);
    http_free(&reply);
}

Test(drain, a_daemon_that_takes_its_leave_serves_and_says_that_it_is_not_ready)
{
    database = pg_test_database();
    plyd_migrate(database);
    plyd_start(&plyd, database, "--leave-s", "600", "--loops", "2", NULL);
    kill(plyd.pid, SIGTERM);
    plyd_await(&plyd, "\"leaving\"");
    for (int i = 0; i < 20; i++) { /* at either loop */
        assert_answers("/readyz", 503, "Connection: close");
        assert_answers("/v1/games", 200, "Connection: close");
    }
    cr_assert_not(plyd_logged(&plyd, "\"draining\""));
    finish_stop(); /* another signal cuts it short */
}

Test(drain, slow_readers_get_every_answer_that_they_asked_for_to_the_last_byte)
{
    enum { READERS = 4 };
    int fd[READERS];
    struct http_reply whole, reply;

    start(LONG_DRAIN_S);
    http_request(plyd.port, &whole, "GET", "/openapi.json", NULL, NULL);
    cr_assert_gt(whole.len * PIPELINED, (size_t)(8 << 20));
    for (int i = 0; i < READERS; i++) {
        fd[i] = connect_narrow(plyd.port);
        ask_for_much(fd[i]);
        http_receive(fd[i], "GET", &reply);
        http_free(&reply);
    }
    begin_stop();
    for (int i = 0; i < READERS; i++) {
        for (int n = 1; n < PIPELINED; n++) {
            http_receive(fd[i], "GET", &reply);
            cr_assert_eq(reply.status, 200, "reader %d, answer %d", i, n);
            cr_assert_eq(reply.len, whole.len);
            cr_assert_eq(memcmp(reply.body, whole.body, whole.len), 0);
            http_free(&reply);
        }
        close(fd[i]);
    }
    finish_stop();
    http_free(&whole);
}

Test(drain, a_reader_that_stops_reading_is_cut_in_the_end)
{
    int fd;

    start("1");
    fd = connect_narrow(plyd.port);
    ask_for_much(fd);
    begin_stop();
    finish_drain(true);
    close(fd);
}

Test(drain, a_request_is_answered_that_was_half_sent)
{
    static const char first[] = "POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n"
                                "Content-Type: application/json\r\n\r\n{\"variant\":\"jungle\"}";
    struct http_reply reply;
    size_t cuts[] = {1, 30, sizeof(first) - 22, sizeof(first) - 21, sizeof(first) - 10};
    int fd[sizeof(cuts) / sizeof(cuts[0])];

    start(LONG_DRAIN_S);
    for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
        fd[i] = http_connect(plyd.port);
        cr_assert_eq(send(fd[i], first, cuts[i], 0), (ssize_t)cuts[i]);
    }
    begin_stop();
    for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
        char connection[256];

        send_text(fd[i], first + cuts[i]);
        http_receive(fd[i], "POST", &reply);
        cr_assert_eq(reply.status, 201, "cut at %zu: %s", cuts[i], reply.body);
        cr_assert_str_eq(http_header(&reply, "Connection", connection), "close");
        http_free(&reply);
        close(fd[i]);
    }
    finish_stop();
}

/* Waits until nobody listens any more: by then every answer is one of a daemon that drains. */
static void await_closed_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((in_port_t)plyd.port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = -1, refused = 0;

    while (!refused) {
        fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        refused = connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0;
        close(fd);
    }
}

Test(drain, of_requests_that_were_sent_together_the_last_is_told_that_the_connection_ends)
{
    static const char request[] = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
    char together[3 * sizeof(request)];
    int fd;

    start(LONG_DRAIN_S);
    snprintf(together, sizeof(together), "%s%s%s", request, request, request);
    fd = http_connect(plyd.port);
    cr_assert_eq(send(fd, together, 1, 0), 1);
    begin_stop();
    await_closed_port();
    send_text(fd, together + 1);
    for (int i = 0; i < 3; i++) {
        struct http_reply reply;
        char connection[256] = "";

        http_receive(fd, "GET", &reply);
        cr_assert_eq(reply.status, 200, "answer %d", i);
        http_header(&reply, "Connection", connection);
        cr_assert_eq(strcmp(connection, "close") == 0, i == 2, "answer %d: %s", i, reply.headers);
        http_free(&reply);
    }
    close(fd);
    finish_stop();
}

static void await_waiting(void)
{
    int waiting = 0;

    while (!waiting) {
        struct http_reply reply;

        http_request(plyd.port, &reply, "GET", "/metrics", NULL, NULL);
        waiting = strstr(reply.body, "\nplyd_waits 1\n") != NULL;
        http_free(&reply);
    }
}

Test(drain, whoever_waits_for_news_is_sent_home_and_told_that_the_connection_ends)
{
    char id[NEW_GAME_ID], token[NEW_GAME_TOKEN], path[64], connection[256] = "";
    struct http_reply reply;
    int fd;

    start(LONG_DRAIN_S);
    new_game(plyd.port, "{\"variant\":\"jungle\"}", id, token);
    snprintf(path, sizeof(path), "/v1/games/%s", id);
    fd = http_connect(plyd.port);
    http_send(fd, "GET", path, "Prefer: wait=60\r\nIf-None-Match: \"1\"\r\n", NULL, 0);
    await_waiting();
    begin_stop();
    http_receive(fd, "GET", &reply);
    cr_assert_eq(reply.status, 304, "%d: %.300s", reply.status, reply.body);
    http_header(&reply, "Connection", connection);
    cr_assert_str_eq(connection, "close");
    http_free(&reply);
    close(fd);
    finish_stop();
}

enum { PLIES = 900, COMMENT_BYTES = 1000 };

static void ask_database(const char *question, char *answer, size_t size)
{
    PGconn *pg = PQconnectdb(database);
    PGresult *result = PQexec(pg, question);

    cr_assert_eq(PQresultStatus(result), PGRES_TUPLES_OK, "%s", PQerrorMessage(pg));
    snprintf(answer, size, "%s", PQgetvalue(result, 0, 0));
    PQclear(result);
    PQfinish(pg);
}

/* Between two pieces a session of the daemon's rests within its transaction. */
static void wait_until_on_its_way(void)
{
    char resting[8] = "0";

    while (strcmp(resting, "0") == 0)
        ask_database("select count(*) from pg_stat_activity where datname = current_database()"
                     " and state = 'idle in transaction'",
                     resting, sizeof(resting));
}

Test(drain, writes_that_go_in_pieces_are_finished_and_answered)
{
    enum { WRITES = 8 };
    char *record = shuffle_record(PLIES, COMMENT_BYTES), events[16];
    struct http_reply reply;
    int fd[WRITES];

    start(LONG_DRAIN_S);
    for (int i = 0; i < WRITES; i++) {
        fd[i] = http_connect(plyd.port);
        http_send(fd[i], "POST", "/v1/games/import", "Content-Type: application/json\r\n", record,
                  strlen(record));
    }
    wait_until_on_its_way();
    begin_stop();
    for (int i = 0; i < WRITES; i++) {
        http_receive(fd[i], "POST", &reply);
        cr_assert_eq(reply.status, 201, "%d: %.300s", reply.status, reply.body);
        http_free(&reply);
        close(fd[i]);
    }
    ask_database("select count(*) from events where kind = 1", events, sizeof(events));
    cr_assert_eq(atoi(events), WRITES * PLIES, "%s moves are there", events);
    finish_stop();
    free(record);
}

Test(drain, a_request_that_never_ends_is_cut_in_the_end)
{
    int fd;

    start("1");
    fd = http_connect(plyd.port);
    send_text(fd, "GET /healthz HTTP/1.1\r\nHost: x\r\n");
    begin_stop();
    finish_drain(true);
    close(fd);
}

/* They connect while the daemon is frozen, so it learns of all of them and of its end at once. */
Test(drain, clients_that_were_not_accepted_yet_are_answered)
{
    enum { WAITING = 100 };
    struct http_reply reply;
    int fd[WAITING];

    start(LONG_DRAIN_S);
    kill(plyd.pid, SIGSTOP);
    for (int i = 0; i < WAITING; i++) {
        fd[i] = http_connect(plyd.port);
        http_send(fd[i], "GET", "/healthz", NULL, NULL, 0);
    }
    kill(plyd.pid, SIGTERM);
    kill(plyd.pid, SIGCONT);
    for (int i = 0; i < WAITING; i++) {
        http_receive(fd[i], "GET", &reply);
        cr_assert_eq(reply.status, 200, "client %d", i);
        http_free(&reply);
        close(fd[i]);
    }
    finish_stop();
}

Test(drain, idle_connections_delay_nothing)
{
    enum { IDLE = 50 };
    struct http_reply reply;
    int fd[IDLE];

    start(LONG_DRAIN_S);
    for (int i = 0; i < IDLE; i++) {
        fd[i] = http_connect(plyd.port);
        if (i % 2 == 0)
            continue;
        http_send(fd[i], "GET", "/healthz", NULL, NULL, 0);
        http_receive(fd[i], "GET", &reply);
        cr_assert_eq(reply.status, 200);
        http_free(&reply);
    }
    begin_stop();
    finish_stop();
    for (int i = 0; i < IDLE; i++)
        close(fd[i]);
}
