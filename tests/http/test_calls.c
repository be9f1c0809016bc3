/* test_calls.c - how often the daemon asks the kernel. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "house.h"
#include "tests/support/calls.h"

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

static int by_size(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The heartbeat and what else a daemon does by itself fall into some of the turns. */
static int median(int count[TURNS])
{
    qsort(count, TURNS, sizeof(*count), by_size);
    return count[TURNS / 2];
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
    cr_assert_leq(median(count), 8, "%d", median(count));
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

/* Each is read and answered; all else is done once for all. */
Test(calls, a_read_beside_others_takes_little_more_than_two)
{
    int fd[READERS], count[TURNS];

    for (int i = 0; i < READERS; i++)
        fd[i] = http_connect(house.plyd.port);
    read_all(fd);
    take_all(fd);
    for (int i = 0; i < TURNS; i++) {
        int before;

        calls_hold(&calls);
        before = calls_so_far(&calls);
        read_all(fd);
        calls_let_go(&calls);
        take_all(fd);
        count[i] = calls_so_far(&calls) - before;
    }
    for (int i = 0; i < READERS; i++)
        close(fd[i]);
    cr_assert_leq(10 * median(count), 21 * READERS, "%d for %d reads", median(count), READERS);
}
