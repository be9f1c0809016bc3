/* test_streams.c - streams while PostgreSQL is stopped, killed and started again: they stay open,
 * and tell every event once and in order. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/pg.h"
#include "tests/support/plyd.h"
#include "tests/support/stream.h"

enum { READERS = 4, OUTAGES = 2, MOVES = 10 };

static struct pg_cluster cluster;
static struct plyd plyd[2];
static char id[32], token[64];

static void create_game(void)
{
    struct http_reply reply;

    http_request(plyd[0].port, &reply, "POST", "/v1/games", "Content-Type: application/json\r\n",
                 "{\"variant\":\"jungle\",\"options\":{\"draw_rounds\":0,\"repetition\":0}}");
    cr_assert_eq(reply.status, 201, "%.300s", reply.body);
    cr_assert(http_copy_member(reply.body, "id", id, sizeof(id)), "%.300s", reply.body);
    cr_assert(http_copy_member(reply.body, "token", token, sizeof(token)), "%.300s", reply.body);
    http_free(&reply);
}

static void open_all(void)
{
    pg_cluster_start(&cluster, NULL);
    plyd_migrate(cluster.url);
    for (int i = 0; i < 2; i++)
        plyd_start(&plyd[i], cluster.url, "--db-deadline-ms", "1000", NULL);
    create_game();
}

static void close_all(void)
{
    for (int i = 0; i < 2; i++)
        plyd_close(&plyd[i]);
    pg_cluster_remove(&cluster);
}

TestSuite(streams, .init = open_all, .fini = close_all, .timeout = 120);

/* Repeats a move until it is acknowledged, as a client would. */
static void put_move(int ply)
{
    static const char *const moves[] = {"g3g4", "a7a6", "g4g3", "a6a7"};
    char path[128], headers[256];
    int status = 0;

    snprintf(path, sizeof(path), "/v1/games/%s/moves/%d", id, ply);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nContent-Type: text/plain\r\n",
             token);
    while (status != 200 && status != 201) {
        struct http_reply reply;

        http_request(plyd[ply % 2].port, &reply, "PUT", path, headers, moves[(ply - 1) % 4]);
        status = reply.status;
        http_free(&reply);
    }
}

static void hear(struct stream *stream, int from, int to)
{
    struct stream_message message;

    for (int version = from; version <= to; version++) {
        cr_assert(stream_message(stream, &message), "the stream has ended before %d", version);
        cr_assert_eq(message.id, version);
    }
}

Test(streams, while_the_database_restarts_streams_stay_and_tell_everything_once_and_in_order)
{
    struct stream stream[READERS];
    char path[128];
    int ply = 0;

    snprintf(path, sizeof(path), "/v1/games/%s/events?after=0", id);
    for (int i = 0; i < READERS; i++) {
        struct http_reply head;

        stream_open(&stream[i], plyd[i % 2].port, path, "Accept: text/event-stream\r\n", &head);
        cr_assert_eq(head.status, 200);
        http_free(&head);
        hear(&stream[i], 1, 1);
    }
    for (int outage = 0; outage < OUTAGES; outage++) {
        for (int i = 0; i < MOVES; i++)
            put_move(++ply);
        if (outage % 2 == 0)
            pg_cluster_stop(&cluster);
        else
            pg_cluster_kill9(&cluster);
        pg_cluster_restart(&cluster);
        put_move(++ply);
        for (int i = 0; i < READERS; i++)
            hear(&stream[i], ply + 1 - MOVES, ply + 1);
    }
    for (int i = 0; i < READERS; i++)
        stream_close(&stream[i]);
}
