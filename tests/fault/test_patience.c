/*
 * test_patience.c - a game that another session holds locked, and a long queue of requests at it.
 */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "new_game.h"
#include "tests/support/http.h"
#include "tests/support/now.h"
#include "tests/support/pg.h"
#include "tests/support/plyd.h"

enum { CLIENTS = 16 };

/* Opens a session that has all games locked until it is finished. */
static PGconn *lock_games(const char *url)
{
    PGconn *pg = PQconnectdb(url);

    PQclear(PQexec(pg, "begin"));
    PQclear(PQexec(pg, "select 1 from games for update"));
    cr_assert_eq(PQtransactionStatus(pg), PQTRANS_INTRANS);
    return pg;
}

/* Sends so many moves at once to the daemon, all of which are refused. Returns how long that took.
 */
static double refuse_all(int port, const char *id, const char *token, int clients)
{
    char path[128], headers[160];
    double begun = seconds_now();
    struct http_reply reply;
    int fd[CLIENTS];

    snprintf(path, sizeof(path), "/v1/games/%s/moves/1", id);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nContent-Type: text/plain\r\n",
             token);
    for (int i = 0; i < clients; i++) {
        fd[i] = http_connect(port);
        http_send(fd[i], "PUT", path, headers, "a3a4", 4);
    }
    for (int i = 0; i < clients; i++) {
        http_receive(fd[i], "PUT", &reply);
        cr_assert_eq(reply.status, 503);
        http_free(&reply);
        close(fd[i]);
    }
    return seconds_now() - begun;
}

Test(patience, a_queue_at_a_locked_game_is_answered_before_long)
{
    char id[NEW_GAME_ID], token[NEW_GAME_TOKEN];
    struct pg_cluster cluster;
    struct plyd plyd;
    double alone;
    PGconn *pg;

    pg_cluster_start(&cluster, NULL);
    plyd_migrate(cluster.url);
    plyd_start(&plyd, cluster.url, "--db-deadline-ms", "1000", NULL);
    new_game(plyd.port, "{\"variant\":\"jungle\"}", id, token);
    pg = lock_games(cluster.url);
    alone = refuse_all(plyd.port, id, token, 1);
    cr_assert_lt(refuse_all(plyd.port, id, token, CLIENTS), 6 * alone,
                 "the last one waited for all the others");
    PQfinish(pg);
    cr_assert_eq(plyd_stop(&plyd), 0);
    pg_cluster_remove(&cluster);
}
