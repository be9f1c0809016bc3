/* test_streams.c - streams while PostgreSQL is stopped, killed and started again, and while daemons
 * are killed: they stay open or can be taken up again, and no event is missed. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "new_game.h"
#include "tests/support/pg.h"
#include "tests/support/plyd.h"
#include "tests/support/stream.h"

enum { READERS = 4, OUTAGES = 2, MOVES = 10 };

static struct pg_cluster cluster;
static struct plyd plyd[2];
static char id[NEW_GAME_ID], token[NEW_GAME_TOKEN];

static void open_all(void)
{
    pg_cluster_start(&cluster, NULL);
    plyd_migrate(cluster.url);
    for (int i = 0; i < 2; i++)
        plyd_start(&plyd[i], cluster.url, NULL);
    new_game(plyd[0].port,
             "{\"variant\":\"jungle\",\"options\":{\"draw_rounds\":0,\"repetition\":0}}", id,
             token);
}

static void close_all(void)
{
    for (int i = 0; i < 2; i++)
        plyd_close(&plyd[i]);
    pg_cluster_remove(&cluster);
}

TestSuite(streams, .init = open_all, .fini = close_all);

/* Repeats a move until it is acknowledged, as a client would. */
static void put_move_in(const char *game, const char *bearer, int ply)
{
    static const char *const moves[] = {"g3g4", "a7a6", "g4g3", "a6a7"};
    char path[128], headers[256];
    int status = 0;

    snprintf(path, sizeof(path), "/v1/games/%s/moves/%d", game, ply);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nContent-Type: text/plain\r\n",
             bearer);
    while (status != 200 && status != 201) {
        struct http_reply reply;

        http_request(plyd[ply % 2].port, &reply, "PUT", path, headers, moves[(ply - 1) % 4]);
        status = reply.status;
        http_free(&reply);
    }
}

static void put_move(int ply)
{
    put_move_in(id, token, ply);
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

/* ---- all games of a player ---- */

enum { GAMES = 3, KILLS = 4 };

static char player[96];
static struct {
    char id[32];
    int ply;   /* of the last move that was acknowledged */
    int heard; /* the last version */
} games[GAMES];

static void post(const char *path, const char *headers, const char *body, const char *name,
                 char *value, size_t size)
{
    struct http_reply reply;

    http_request(plyd[0].port, &reply, "POST", path, headers, body);
    cr_assert_eq(reply.status, 201, "%.300s", reply.body);
    cr_assert(http_copy_member(reply.body, name, value, size), "%.300s", reply.body);
    http_free(&reply);
}

static void create_player_games(void)
{
    char headers[200];

    post("/v1/players", "Content-Type: application/json\r\n", "{\"name\":\"Ada\"}", "token", player,
         sizeof(player));
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nContent-Type: application/json\r\n", player);
    for (int i = 0; i < GAMES; i++)
        post("/v1/games", headers,
             "{\"variant\":\"jungle\",\"options\":{\"draw_rounds\":0,\"repetition\":0}}", "id",
             games[i].id, sizeof(games[i].id));
}

/* Plays on in a game until it is acknowledged by the daemon. */
static void play_on(int game)
{
    put_move_in(games[game].id, player, ++games[game].ply);
}

/* Opens a stream behind a cursor at a daemon that is up. */
static void follow(struct stream *stream, int daemon, const char *cursor)
{
    struct http_reply head = {0};
    char headers[300], path[160];

    snprintf(headers, sizeof(headers), "Accept: text/event-stream\r\nAuthorization: Bearer %s\r\n",
             player);
    snprintf(path, sizeof(path), "/v1/me/events?after=%s", cursor);
    stream_open(stream, plyd[daemon].port, path, headers, &head);
    cr_assert_eq(head.status, 200);
    http_free(&head);
}

/* Hears messages until all that was acknowledged was told. False: the stream has ended before. */
static bool hear_all(struct stream *stream, char cursor[80])
{
    struct stream_message message;

    for (;;) {
        int missing = 0, version;
        char game[32];

        for (int i = 0; i < GAMES; i++)
            missing += games[i].heard < games[i].ply + 1;
        if (missing == 0)
            return true;
        if (!stream_message(stream, &message))
            return false;
        snprintf(cursor, 80, "%s", message.cursor);
        cr_assert(http_copy_member(message.data, "game", game, sizeof(game)));
        version = atoi(strstr(message.data, "\"version\":") + strlen("\"version\":"));
        for (int i = 0; i < GAMES; i++)
            if (strcmp(game, games[i].id) == 0) {
                cr_assert_leq(version, games[i].heard + 1, "%d after %d", version, games[i].heard);
                if (version > games[i].heard)
                    games[i].heard = version;
            }
    }
}

Test(streams, while_the_database_restarts_a_stream_of_all_games_misses_nothing)
{
    struct stream stream;
    char cursor[80] = "0";

    create_player_games();
    follow(&stream, 0, cursor);
    for (int outage = 0; outage < OUTAGES; outage++) {
        for (int i = 0; i < MOVES; i++)
            play_on(i % GAMES);
        if (outage % 2 == 0)
            pg_cluster_stop(&cluster);
        else
            pg_cluster_kill9(&cluster);
        pg_cluster_restart(&cluster);
        play_on(outage % GAMES);
        cr_assert(hear_all(&stream, cursor), "the stream has ended");
    }
    stream_close(&stream);
}

Test(streams, a_reader_of_all_games_whose_daemon_is_killed_goes_on_at_another_and_misses_nothing)
{
    struct stream stream;
    char cursor[80] = "0";

    create_player_games();
    for (int kill = 0; kill < KILLS; kill++) {
        int daemon = kill % 2;

        follow(&stream, daemon, cursor);
        for (int i = 0; i < MOVES; i++)
            play_on((kill + i) % GAMES);
        if (kill % 3 != 2)
            hear_all(&stream, cursor);
        for (int i = 0; i < MOVES; i++)
            play_on(i % GAMES);
        plyd_kill9(&plyd[daemon]);
        hear_all(&stream, cursor);
        stream_close(&stream);
        plyd_start(&plyd[daemon], cluster.url, NULL);
    }
    follow(&stream, 0, cursor);
    cr_assert(hear_all(&stream, cursor), "the stream has ended");
    stream_close(&stream);
}
