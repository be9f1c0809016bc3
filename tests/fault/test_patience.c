/*
 * test_patience.c - a game that another session holds locked, and a long queue of requests at it.
 */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "new_game.h"
#include "tests/support/http.h"
#include "tests/support/pg.h"
#include "tests/support/plyd.h"

enum { CLIENTS = 16, DEADLINE_S = 1 };

/* Opens a session that has all games locked until it is finished. */
static PGconn *lock_games(const char *url)
{
    PGconn *pg = PQconnectdb(url);

    PQclear(PQexec(pg, "begin"));
    PQclear(PQexec(pg, "select 1 from games for update"));
    cr_assert_eq(PQtransactionStatus(pg), PQTRANS_INTRANS);
    return pg;
}

Test(patience, a_queue_at_a_locked_game_is_answered_before_long, .timeout = 120)
{
    char id[NEW_GAME_ID], token[NEW_GAME_TOKEN], path[128], headers[160];
    int fd[CLIENTS];
    struct pg_cluster cluster;
    struct plyd plyd;
    struct http_reply reply;
    time_t begin;
    PGconn *pg;

    pg_cluster_start(&cluster, NULL);
    plyd_migrate(cluster.url);
    plyd_start(&plyd, cluster.url, "--db-deadline-ms", "1000", NULL);
    new_game(plyd.port, "{\"variant\":\"jungle\"}", id, token);
    snprintf(path, sizeof(path), "/v1/games/%s/moves/1", id);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nContent-Type: text/plain\r\n",
             token);
    pg = lock_games(cluster.url);
    begin = time(NULL);
    for (int i = 0; i < CLIENTS; i++) {
        fd[i] = http_connect(plyd.port);
        http_send(fd[i], "PUT", path, headers, "a3a4", 4);
    }
    for (int i = 0; i < CLIENTS; i++) {
        http_receive(fd[i], "PUT", &reply);
        cr_assert_eq(reply.status, 503);
        http_free(&reply);
        close(fd[i]);
    }
    cr_assert_lt(time(NULL) - begin, 6 * DEADLINE_S, "the last one waited for all the others");
    PQfinish(pg);
    cr_assert_eq(plyd_stop(&plyd), 0);
    pg_cluster_remove(&cluster);
}
