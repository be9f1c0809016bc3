/*
 * test_large.c - requests with large bodies take turns: they share a bounded memory, and nobody
 * else waits for them.
 */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "house.h"

enum { KIB = 1 << 10, MIB = 1 << 20, CROWD = 40 };

HOUSE_SUITE(large, house_open, HOUSE_PATIENCE_S);

/* ---- imports ---- */

/* A record of so many bytes, most of which are a comment. */
static char *record_of(size_t bytes)
{
    static const char begin[] = "{\"format\":\"plyd-record\",\"format_version\":1,"
                                "\"variant\":\"tictactoe\",\"moves\":[{\"move\":\"b2\"}],"
                                "\"comment\":\"";
    char *text = malloc(bytes + 1);

    snprintf(text, bytes + 1, "%s%0*d\"}", begin, (int)(bytes - strlen(begin)) - 2, 0);
    return text;
}

/* An import on a connection of its own. */
struct import {
    int fd;
    char *record;
    size_t sent;
};

/* Sends the headers and the beginning of the body. */
static struct import begin_import(int port, size_t bytes, size_t first)
{
    struct import import = {http_connect(port), record_of(bytes), first};
    char headers[160];
    int len = snprintf(headers, sizeof(headers),
                       "POST /v1/games/import HTTP/1.1\r\nHost: x\r\n"
                       "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
                       bytes);

    cr_assert_eq(send(import.fd, headers, (size_t)len, MSG_NOSIGNAL), len);
    cr_assert_eq(send(import.fd, import.record, first, MSG_NOSIGNAL), (ssize_t)first);
    return import;
}

/* A client that came later was served, so what an import sent before was read. */
static void wait_until_read(int port)
{
    for (int i = 0; i < 2; i++) {
        struct http_reply reply;

        http_request(port, &reply, "GET", "/healthz", NULL, NULL);
        cr_assert_eq(reply.status, 200);
        http_free(&reply);
    }
}

static void finish_import(struct import *import)
{
    size_t left = strlen(import->record) - import->sent;

    cr_assert_eq(send(import->fd, import->record + import->sent, left, MSG_NOSIGNAL),
                 (ssize_t)left);
}

static bool is_answered(const struct import *import)
{
    struct pollfd fd = {.fd = import->fd, .events = POLLIN};

    return poll(&fd, 1, 0) > 0;
}

/* Takes the answer, which must have this status; 0: the connection is closed without one. */
static void expect_end(struct import *import, int status)
{
    struct answer answer = {.status = 0};
    char value[256];

    http_receive(import->fd, "POST", &answer.reply);
    cr_expect_eq(answer.reply.status, status, "%d", answer.reply.status);
    if (answer.reply.status == 0) {
        http_free(&answer.reply);
    } else {
        answer = answer_of(&house, "POST", "/v1/games/import", answer.reply);
        if (status == 503)
            cr_expect_not_null(http_header(&answer.reply, "Retry-After", value));
        answer_free(&answer);
    }
    close(import->fd);
    free(import->record);
}

/* ---- turns ---- */

Test(large, bodies_wait_for_memory_and_moves_do_not)
{
    struct import first, second;
    struct house other = house;
    struct game game;

    plyd_start(&house.second, house.database, "--loops", "1", "--request-memory", "1", NULL);
    other.plyd = house.second;
    first = begin_import(house.second.port, 300 * KIB, 100);
    wait_until_read(house.second.port);
    game = new_game(&other, "{\"variant\":\"tictactoe\"}");
    second = begin_import(house.second.port, 100 * KIB, 100 * KIB);
    play(&other, &game, "b2 a1 c3");
    cr_expect_not(is_answered(&second), "it did not wait");
    finish_import(&first);
    expect_end(&first, 201);
    expect_end(&second, 201);
}

Test(large, a_body_that_does_not_arrive_is_cut_when_others_wait_for_its_memory)
{
    struct import slow, second;

    plyd_start(&house.second, house.database, "--loops", "1", "--request-memory", "1", NULL);
    slow = begin_import(house.second.port, 300 * KIB, 100);
    wait_until_read(house.second.port);
    second = begin_import(house.second.port, 100 * KIB, 100 * KIB);
    expect_end(&second, 201);
    expect_end(&slow, 0);
}

Test(large, a_body_whose_turn_does_not_come_is_read_and_refused)
{
    PGconn *lock = PQconnectdb(house.database);
    struct import first, second;

    plyd_start(&house.second, house.database, "--loops", "1", "--request-memory", "1", "--idle-s",
               "1", "--db-deadline-ms", "60000", NULL);
    PQclear(PQexec(lock, "begin"));
    PQclear(PQexec(lock, "lock table games"));
    first = begin_import(house.second.port, 300 * KIB, 300 * KIB);
    wait_until_read(house.second.port);
    second = begin_import(house.second.port, 100 * KIB, 100 * KIB);
    expect_end(&second, 503);
    PQfinish(lock);
    expect_end(&first, 201);
}

/* ---- memory ---- */

/* The most memory that the daemon ever held, in KiB. */
static long peak_kib(const struct plyd *plyd)
{
    char path[32], line[128];
    long kib = 0;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/status", (int)plyd->pid);
    file = fopen(path, "r");
    cr_assert_not_null(file);
    while (fgets(line, sizeof(line), file) != NULL)
        sscanf(line, "VmHWM: %ld", &kib);
    fclose(file);
    return kib;
}

static void *import_whole(void *context)
{
    struct import *import = context;
    struct http_reply reply;

    http_send(import->fd, "POST", "/v1/games/import", "Content-Type: application/json\r\n",
              import->record, MIB);
    http_receive(import->fd, "POST", &reply);
    import->sent = (size_t)reply.status;
    http_free(&reply);
    close(import->fd);
    free(import->record);
    return NULL;
}

/* Sanitizers hold memory of their own, so there it only counts that all are done. */
Test(large, forty_imports_of_1_MiB_at_once_are_all_done_in_a_bounded_memory)
{
    struct import import[CROWD];
    pthread_t thread[CROWD];

    for (int i = 0; i < CROWD; i++) {
        import[i] = (struct import){http_connect(house.plyd.port), record_of(MIB), 0};
        pthread_create(&thread[i], NULL, import_whole, &import[i]);
    }
    for (int i = 0; i < CROWD; i++) {
        pthread_join(thread[i], NULL);
        cr_expect_eq(import[i].sent, 201, "%zu", import[i].sent);
    }
#ifndef __SANITIZE_ADDRESS__
    if (getenv("TSAN_OPTIONS") == NULL)
        cr_expect_lt(peak_kib(&house.plyd), 64 * KIB, "%ld KiB", peak_kib(&house.plyd));
#endif
}
