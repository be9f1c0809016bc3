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
#include "tests/support/stream.h"

enum { TURNS = 15, READERS = 64 };

static struct house house;
static struct calls calls;
static struct game game;
static char path[80], headers[200];

/* A sanitizer's daemon makes calls of its own. */
static void open_house(void)
{
    if (strcmp(plyd_program(), "build/release/plyd") != 0)
        cr_skip_test("the calls are counted of the daemon of FLAVOUR=release");
    setenv("PLYD_LOOPS", "1", 1);
    house_open(&house);
    game = new_game(&house, "{\"variant\":\"jungle\"}");
    snprintf(path, sizeof(path), "/v1/games/%s", game.id);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nContent-Type: text/plain\r\n",
             game.token);
    calls_begin(&calls, house.plyd.pid);
}

static void close_house(void)
{
    calls_end(&calls);
    house_close(&house);
}

TestSuite(calls, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

/* The heartbeat and what else a daemon does by itself fall into some of the turns, and a busy
 * machine divides what could be done at once. The least is what the work itself takes. */
static int least(const int count[TURNS])
{
    int found = count[0];

    for (int i = 1; i < TURNS; i++)
        if (count[i] < found)
            found = count[i];
    return found;
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
    int fd = http_connect(house.plyd.port), count[TURNS], plies = 0;

    put_move(fd, ++plies); /* it is new, and libmicrohttpd begins to watch it */
    for (int i = 0; i < TURNS; i++) {
        int before = calls_so_far(&calls);

        put_move(fd, ++plies);
        count[i] = calls_so_far(&calls) - before;
    }
    close(fd);
    cr_assert_leq(least(count), 8, "%d", least(count));
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
    int fd[READERS], one_more = http_connect(house.plyd.port), count[TURNS];

    for (int i = 0; i < READERS; i++)
        fd[i] = http_connect(house.plyd.port);
    read_all(fd);
    take_all(fd);
    for (int i = 0; i < TURNS; i++) {
        int before;

        calls_hold(&calls);
        http_send(one_more, "GET", "/healthz", NULL, NULL, 0);
        calls_await_hold(&calls);
        before = calls_so_far(&calls);
        read_all(fd);
        calls_let_go(&calls);
        take_all(fd);
        take(one_more, "GET", 200);
        count[i] = calls_so_far(&calls) - before;
    }
    for (int i = 0; i < READERS; i++)
        close(fd[i]);
    close(one_more);
    cr_assert_leq(10 * least(count), 21 * (READERS + 1), "%d for %d reads", least(count),
                  READERS + 1);
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
    int fd = http_connect(house.plyd.port), waiter = http_connect(house.plyd.port);
    int count[TURNS];

    put_move(fd, 1);
    for (int i = 0; i < TURNS; i++) {
        int before = calls_so_far(&calls);

        begin_to_wait(waiter, i + 2);
        put_move(fd, i + 2);
        take(waiter, "GET", 200);
        count[i] = calls_so_far(&calls) - before;
    }
    close(waiter);
    close(fd);
    cr_assert_leq(least(count), 30, "%d", least(count));
}

Test(calls, a_stream_that_is_told_of_a_move_takes_ten_with_it_at_most)
{
    int fd = http_connect(house.plyd.port), count[TURNS];
    struct stream stream;
    struct stream_message message;
    struct http_reply head;
    char address[100];

    snprintf(address, sizeof(address), "%s/events", path);
    stream_open(&stream, house.plyd.port, address, "Accept: text/event-stream\r\n", &head);
    cr_assert_eq(head.status, 200);
    http_free(&head);
    put_move(fd, 1);
    cr_assert(stream_message(&stream, &message));
    for (int i = 0; i < TURNS; i++) {
        int before = calls_so_far(&calls);

        put_move(fd, i + 2);
        cr_assert(stream_message(&stream, &message));
        count[i] = calls_so_far(&calls) - before;
    }
    stream_close(&stream);
    close(fd);
    cr_assert_leq(least(count), 10, "%d", least(count));
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
    int count[TURNS];

    await_beat(pg);
    for (int i = 0; i < TURNS; i++) {
        int before = calls_so_far(&calls);

        await_beat(pg);
        count[i] = calls_so_far(&calls) - before;
    }
    PQfinish(pg);
    cr_assert_leq(least(count), 20, "%d", least(count));
}
