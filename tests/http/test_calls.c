/* test_calls.c - how often the daemon asks the kernel. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "house.h"
#include "tests/support/backoff.h"
#include "tests/support/calls.h"
#include "tests/support/receiver.h"
#include "tests/support/stream.h"

enum { TURNS = 100, READERS = 64, MOVES = 5 };

static struct house house;
static struct calls calls;
static struct game game;
static char path[80], headers[200];

static void be_at(struct game at)
{
    game = at;
    snprintf(path, sizeof(path), "/v1/games/%s", game.id);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nContent-Type: text/plain\r\n",
             game.token);
}

/* A sanitizer's daemon makes calls of its own. */
static void open_house(void)
{
    if (strcmp(plyd_program(), "build/release/plyd") != 0)
        cr_skip_test("the calls are counted of the daemon of FLAVOUR=release");
    setenv("PLYD_LOOPS", "1", 1);
    setenv("PLYD_WEBHOOKS_PRIVATE", "1", 1);
    house_open(&house);
    be_at(new_game(&house, "{\"variant\":\"jungle\"}"));
    calls_begin(&calls, house.plyd.pid);
}

static void close_house(void)
{
    calls_end(&calls);
    house_close(&house);
}

TestSuite(calls, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

/* The heartbeat and what else a daemon does by itself fall into some of the turns, and a busy
 * machine divides what could be done at once. The least is what the work itself takes. So there are
 * turns until one takes no more than `most`, and TURNS of them at most. */
struct turns {
    int most, count, least, before;
};

static bool another_turn(struct turns *turns)
{
    if (turns->count == TURNS || (turns->count > 0 && turns->least <= turns->most))
        return false;
    turns->before = calls_so_far(&calls);
    return true;
}

static void end_turn(struct turns *turns)
{
    int taken = calls_so_far(&calls) - turns->before;

    turns->least = turns->count++ == 0 || taken < turns->least ? taken : turns->least;
}

static void assert_few(const struct turns *turns)
{
    cr_assert_leq(turns->least, turns->most, "%d, and not %d", turns->least, turns->most);
}

static void take(int fd, const char *method, int status)
{
    struct http_reply reply;

    http_receive(fd, method, &reply);
    cr_assert_eq(reply.status, status, "%s", reply.body);
    http_free(&reply);
}

static void put_move(int fd, int ply)
{
    static const char *const moves[] = {"a3a4", "a7a6", "a4a3", "a6a7"};
    char address[120];

    snprintf(address, sizeof(address), "%s/moves/%d", path, ply);
    http_send(fd, "PUT", address, headers, moves[(ply - 1) % 4], 4);
    take(fd, "PUT", 201);
}

/* It waits for the request, reads it, sends the statement, waits, is told of the answer, reads it,
 * and sends ours. */
Test(calls, a_lone_move_takes_eight_at_most)
{
    int fd = http_connect(house.plyd.port), plies = 0;
    struct turns turns = {.most = 8 * MOVES};

    put_move(fd, ++plies); /* it is new, and libmicrohttpd begins to watch it */
    while (another_turn(&turns)) {
        for (int i = 0; i < MOVES; i++)
            put_move(fd, ++plies);
        end_turn(&turns);
    }
    close(fd);
    assert_few(&turns);
}

static void read_all(const int fd[READERS])
{
    for (int i = 0; i < READERS; i++)
        http_send(fd[i], "GET", path, headers, NULL, 0);
}

static void take_all(const int fd[READERS])
{
    for (int i = 0; i < READERS; i++)
        take(fd[i], "GET", 200);
}

/* Each is read and answered; all else is done once for all. What they send is there when the loop
 * looks: one request more has it look soon, before connections have rested for long enough to leave
 * libmicrohttpd. */
Test(calls, a_read_beside_others_takes_little_more_than_two)
{
    int fd[READERS], one_more = http_connect(house.plyd.port);
    struct turns turns = {.most = 21 * (READERS + 1) / 10};

    for (int i = 0; i < READERS; i++)
        fd[i] = http_connect(house.plyd.port);
    read_all(fd);
    take_all(fd);
    while (another_turn(&turns)) {
        calls_hold(&calls);
        http_send(one_more, "GET", "/healthz", NULL, NULL, 0);
        calls_await_hold(&calls);
        turns.before = calls_so_far(&calls);
        read_all(fd);
        calls_let_go(&calls);
        take_all(fd);
        take(one_more, "GET", 200);
        end_turn(&turns);
    }
    for (int i = 0; i < READERS; i++)
        close(fd[i]);
    close(one_more);
    assert_few(&turns);
}

/* Waits for news of the game, as of a version, on a connection that stays. It comes to
 * libmicrohttpd and leaves it again, and is answered outside. */
static void begin_to_wait(int fd, int version)
{
    char lines[100];

    snprintf(lines, sizeof(lines), "If-None-Match: \"%d\"\r\nPrefer: wait=50\r\n", version);
    http_send(fd, "GET", path, lines, NULL, 0);
}

Test(calls, a_wait_that_ends_with_a_move_takes_thirty_with_it_at_most)
{
    int fd = http_connect(house.plyd.port), waiter = http_connect(house.plyd.port), plies = 0;
    struct turns turns = {.most = 30};

    put_move(fd, ++plies);
    while (another_turn(&turns)) {
        begin_to_wait(waiter, plies + 1);
        put_move(fd, ++plies);
        take(waiter, "GET", 200);
        end_turn(&turns);
    }
    close(waiter);
    close(fd);
    assert_few(&turns);
}

Test(calls, a_stream_that_is_told_of_a_move_takes_ten_with_it_at_most)
{
    int fd = http_connect(house.plyd.port), plies = 0;
    struct turns turns = {.most = 10};
    struct stream stream;
    struct stream_message message;
    struct http_reply head;
    char address[100];

    snprintf(address, sizeof(address), "%s/events", path);
    stream_open(&stream, house.plyd.port, address, "Accept: text/event-stream\r\n", &head);
    cr_assert_eq(head.status, 200);
    http_free(&head);
    put_move(fd, ++plies);
    cr_assert(stream_message(&stream, &message));
    while (another_turn(&turns)) {
        put_move(fd, ++plies);
        cr_assert(stream_message(&stream, &message));
        end_turn(&turns);
    }
    stream_close(&stream);
    close(fd);
    assert_few(&turns);
}

/* The engine thinks in a thread of its own, whose calls are not the loop's. */
Test(calls, a_search_that_is_answered_takes_twelve_at_most)
{
    static const char body[] = "{\"nodes\":1000}";
    static const char json[] = "Content-Type: application/json\r\n";
    int fd = http_connect(house.plyd.port);
    struct turns turns = {.most = 12};

    while (another_turn(&turns)) {
        http_send(fd, "POST", "/v1/variants/tictactoe/analyse", json, body, sizeof(body) - 1);
        take(fd, "POST", 200);
        end_turn(&turns);
    }
    close(fd);
    assert_few(&turns);
}

/* From now on a game of a player is played, who has a webhook. */
static void add_webhook(const struct receiver *receiver)
{
    struct player player = new_player(&house, "Ada");
    struct answer answer;
    char body[80];

    snprintf(body, sizeof(body), "{\"url\":\"http://127.0.0.1:%d/\"}", receiver->port);
    answer = ask_as(&house, player.token, "POST", "/v1/webhooks", body);
    assert_status(&answer, 201);
    be_at(new_game_of(&house, player.token, "{\"variant\":\"jungle\"}"));
}

/* The move makes it due. It is claimed, sent by a connection of its own, and settled, which may be
 * when the next move has come. */
Test(calls, a_webhook_that_is_told_of_a_move_takes_fifty_with_it_at_most)
{
    int fd = http_connect(house.plyd.port), plies = 0;
    struct turns turns = {.most = 50 * MOVES};
    struct receiver receiver;

    receiver_start(&receiver);
    add_webhook(&receiver);
    while (another_turn(&turns)) {
        for (int i = 0; i < MOVES; i++) {
            put_move(fd, ++plies);
            receiver_await(&receiver, (size_t)plies);
        }
        end_turn(&turns);
    }
    receiver_stop(&receiver);
    close(fd);
    assert_few(&turns);
}

/* When the heart of the daemon beat last, as the database has it. */
static void last_beat(PGconn *pg, char at[64])
{
    PGresult *result = PQexec(pg, "select at from pulse");

    cr_assert_eq(PQntuples(result), 1);
    snprintf(at, 64, "%s", PQgetvalue(result, 0, 0));
    PQclear(result);
}

static void await_beat(PGconn *pg)
{
    char before[64], now[64];

    last_beat(pg, before);
    strcpy(now, before);
    for (int looks = 0; strcmp(now, before) == 0; looks++) {
        back_off(looks);
        last_beat(pg, now);
    }
}

/* In a second it beats, looks for due work, and looks whether its sessions are still good. */
Test(calls, a_daemon_with_nothing_to_do_takes_twenty_between_two_beats_at_most)
{
    PGconn *pg = PQconnectdb(house.database);
    struct turns turns = {.most = 20};

    await_beat(pg);
    while (another_turn(&turns)) {
        await_beat(pg);
        end_turn(&turns);
    }
    PQfinish(pg);
    assert_few(&turns);
}
