/* test_drain.c - a daemon that is told to stop while requests wait and others are still coming. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/http.h"
#include "tests/support/pg.h"
#include "tests/support/plyd.h"

enum { CLIENTS = 400 };

static void member(const char *body, const char *key, char value[64])
{
    const char *at = strstr(body, key);

    cr_assert_not_null(at, "no %s in %.300s", key, body);
    at += strlen(key);
    snprintf(value, 64, "%.*s", (int)strcspn(at, "\""), at);
}

static void new_game(int port, char id[64], char token[64])
{
    struct http_reply reply;

    http_request(port, &reply, "POST", "/v1/games", "Content-Type: application/json\r\n",
                 "{\"variant\":\"jungle\"}");
    cr_assert_eq(reply.status, 201);
    member(reply.body, "\"id\":\"", id);
    member(reply.body, "\"token\":\"", token);
    http_free(&reply);
}

static void send_text(int fd, const char *text)
{
    cr_assert_eq(send(fd, text, strlen(text), MSG_NOSIGNAL), (ssize_t)strlen(text));
}

Test(drain, waiting_requests_are_ended_and_late_ones_do_no_harm, .timeout = 120)
{
    static int waiting[CLIENTS], late[CLIENTS];
    char id[64], token[64], path[128], headers[160], partial[256];
    struct pg_cluster cluster;
    struct plyd plyd;

    pg_cluster_start(&cluster, NULL);
    plyd_migrate(cluster.url);
    plyd_start(&plyd, cluster.url, "--drain-s", "0", "--db-deadline-ms", "30000", NULL);
    new_game(plyd.port, id, token);
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
