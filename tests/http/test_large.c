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
#include "raw.h"

enum { KIB = 1 << 10, MIB = 1 << 20, CROWD = 40, TRIES = 10 };

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

/* Sends the headers and the beginning of the body, as far as the kernel takes that. `client`: its
 * address, by the word of a proxy; NULL: there is none. */
static struct import begin_import_of(int port, const char *client, size_t bytes, size_t first)
{
    struct import import = {http_connect(port), record_of(bytes), first};
    char headers[200];
    int len = snprintf(headers, sizeof(headers),
                       "POST /v1/games/import HTTP/1.1\r\nHost: x\r\n%s%s%s"
                       "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
                       client == NULL ? "" : "X-Forwarded-For: ", client == NULL ? "" : client,
                       client == NULL ? "" : "\r\n", bytes);

    cr_assert_eq(send(import.fd, headers, (size_t)len, MSG_NOSIGNAL), len);
    import.sent = 0;
    for (ssize_t n = 1; import.sent < first && n > 0; import.sent += n > 0 ? (size_t)n : 0)
        n = send(import.fd, import.record + import.sent, first - import.sent,
                 MSG_NOSIGNAL | MSG_DONTWAIT);
    return import;
}

/* The same, all of it. */
static struct import begin_import(int port, size_t bytes, size_t first)
{
    struct import import = begin_import_of(port, NULL, bytes, first);

    for (ssize_t n; import.sent < first; import.sent += (size_t)n) {
        n = send(import.fd, import.record + import.sent, first - import.sent, MSG_NOSIGNAL);
        cr_assert_gt(n, 0);
    }
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

/* Takes the answer, which must have this status. */
static void expect_end(struct import *import, int status)
{
    struct answer answer = {.status = 0};
    char value[256];

    http_receive(import->fd, "POST", &answer.reply);
    answer = answer_of(&house, "POST", "/v1/games/import", answer.reply);
    cr_expect_eq(answer.status, status, "%d", answer.status);
    if (status == 503)
        cr_expect_not_null(http_header(&answer.reply, "Retry-After", value));
    close(import->fd);
    free(import->record);
}

/* ---- turns ---- */

/* A daemon whose bodies have a quarter of a MiB together. */
static void start_small(const char *idle_s)
{
    plyd_start(&house.second, house.database, "--loops", "1", "--request-memory", "1", "--idle-s",
               idle_s, "--db-deadline-ms", "60000", NULL);
}

enum { HOLDERS = 3 };

/* Imports that hold all memory there is for bodies, of which one goes beyond that, while they wait
 * for the database. */
static PGconn *hold_all_memory(struct import import[HOLDERS])
{
    PGconn *lock = PQconnectdb(house.database);

    PQclear(PQexec(lock, "begin"));
    PQclear(PQexec(lock, "lock table games"));
    for (int i = 0; i < HOLDERS; i++) {
        import[i] = begin_import(house.second.port, 120 * KIB, 120 * KIB);
        wait_until_read(house.second.port);
    }
    return lock;
}

Test(large, bodies_wait_for_memory_and_others_do_not)
{
    struct import first[HOLDERS], next;
    struct http_reply reply;
    PGconn *lock;

    start_small("60");
    lock = hold_all_memory(first);
    next = begin_import(house.second.port, 100 * KIB, 100 * KIB);
    http_request(house.second.port, &reply, "POST", "/v1/variants/tictactoe/check",
                 "Content-Type: application/json\r\n", "{\"moves\":[\"b2\"]}");
    cr_expect_eq(reply.status, 200);
    http_free(&reply);
    cr_expect_not(is_answered(&next), "it did not wait");
    PQfinish(lock);
    for (int i = 0; i < HOLDERS; i++)
        expect_end(&first[i], 201);
    expect_end(&next, 201);
}

Test(large, those_whose_turn_does_not_come_are_refused_when_their_time_is_over)
{
    struct import first[HOLDERS];
    PGconn *lock;

    start_small("1");
    lock = hold_all_memory(first);
    for (int i = 1; i < HOLDERS; i++)
        expect_end(&first[i], 503);
    PQfinish(lock);
    expect_end(&first[0], 201);
}

/* ---- requests right behind others ---- */

enum { IN_LINE = 4, LINES = 12, ROUNDS = 5 };

/* Requests with bodies in chunks, which no program sends in one length, and one that ends the
 * connection. */
static char *pipelined(void)
{
    enum { CHUNK = 20000, CHUNKS = 12 };
    char *text = malloc((size_t)(IN_LINE + 1) * (CHUNKS + 1) * (CHUNK + 100)), *at = text;

    for (int i = 0; i < IN_LINE; i++) {
        at += sprintf(at, "POST /v1/games/import HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\n"
                          "Transfer-Encoding: chunked\r\n\r\n");
        for (int chunk = 0; chunk < CHUNKS; chunk++)
            at += sprintf(at, "%x\r\n%*s\r\n", CHUNK - i, CHUNK - i, "");
        at += sprintf(at, "0\r\n\r\n");
    }
    sprintf(at, "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    return text;
}

static void *send_line(void *text)
{
    char *statuses = malloc(RAW_STATUSES);

    raw_statuses(raw_hear(raw_say(house.second.port, text, strlen(text))), statuses);
    return statuses;
}

/* A body that waits for memory leaves libmicrohttpd with a full buffer, which it then makes larger.
 * What it reads behind the body must not take the place of the head of the answer. */
Test(large, those_that_wait_are_answered_though_others_come_right_behind_them)
{
    char *text = pipelined();
    pthread_t thread[LINES];
    void *statuses;

    start_small("60");
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < LINES; i++)
            cr_assert_eq(pthread_create(&thread[i], NULL, send_line, text), 0);
        for (int i = 0; i < LINES; i++) {
            pthread_join(thread[i], &statuses);
            cr_expect_str_eq(statuses, "422 422 422 422 200");
        }
    }
}

/* ---- bodies that stand still ---- */

Test(large, a_body_that_stands_still_gives_its_memory_to_others_who_wait_for_it)
{
    struct import slow[HOLDERS], other;
    int refused = 0;

    start_small("60");
    for (int i = 0; i < HOLDERS; i++) {
        slow[i] = begin_import(house.second.port, 120 * KIB, 120 * KIB - 1);
        wait_until_read(house.second.port);
    }
    other = begin_import(house.second.port, 100 * KIB, 100 * KIB);
    expect_end(&other, 201);
    for (int i = 0; i < HOLDERS; i++) {
        bool is_refused = is_answered(&slow[i]);

        refused += is_refused;
        if (!is_refused)
            finish_import(&slow[i]);
        expect_end(&slow[i], is_refused ? 408 : 201);
    }
    cr_expect_eq(refused, 1, "%d: one is enough", refused);
}

/* Bodies of 1 MB of one client, of which all has come but a byte. */
static void stall(struct import *import, int count, const char *client)
{
    for (int i = 0; i < count; i++)
        import[i] = begin_import_of(house.second.port, client, MIB, MIB - 1);
    wait_until_read(house.second.port);
}

static int count_answered(const struct import *import, int count)
{
    int answered = 0;

    for (int i = 0; i < count; i++)
        answered += is_answered(&import[i]);
    return answered;
}

static void drop(struct import *import, int count)
{
    for (int i = 0; i < count; i++) {
        close(import[i].fd);
        free(import[i].record);
    }
}

/* How many of the stalled bodies are gone when another's import is done. */
static int count_gone(int count, const char *attacker, const char *other)
{
    struct import stalled[CROWD], import;
    int gone;

    stall(stalled, count, attacker);
    import = begin_import_of(house.second.port, other, 150 * KIB, 0);
    finish_import(&import);
    expect_end(&import, 201);
    gone = count_answered(stalled, count);
    drop(stalled, count);
    return gone;
}

/* The stalled ones are still there when the other's import is done: it did not wait for them. Where
 * they wait for each other they also push each other out, half a second after their last byte. So
 * on a slow machine some may be gone by then, but not each time; those that the import waits for
 * are. */
static void import_beside(const char *attacker, const char *other)
{
    static const int counts[] = {1, 2, 8, CROWD};

    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        int most = counts[i] >= 8 ? counts[i] / 2 : 0, tries = 1;

        while (count_gone(counts[i], attacker, other) > most && tries < TRIES)
            tries++;
        cr_expect_lt(tries, TRIES, "%d stalled", counts[i]);
    }
}

Test(large, an_import_does_not_wait_for_the_stalled_bodies_of_another_address)
{
    plyd_start(&house.second, house.database, "--loops", "1", "--trusted-proxies", "1", NULL);
    import_beside("203.0.113.7", "203.0.113.8");
}

/* Each connection is a client then. */
Test(large, an_import_does_not_wait_for_stalled_bodies_where_addresses_are_not_counted)
{
    plyd_start(&house.second, house.database, "--loops", "1", NULL);
    import_beside(NULL, NULL);
}

/* ---- who may send one ---- */

/* Sends a head that announces 16 MiB, and returns the answer, up to its end. */
static char *hear_of_head(const char *path, const char *headers)
{
    char head[512];
    int len = snprintf(head, sizeof(head),
                       "POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: 16777216\r\n%s\r\n", path,
                       headers);

    return raw_hear(raw_say(house.plyd.port, head, (size_t)len));
}

static void expect_refused(char *heard, const char *status, const char *code)
{
    cr_expect_eq(strncmp(heard, status, strlen(status)), 0, "%s", heard);
    cr_expect_not_null(strstr(heard, code), "%s", heard);
    cr_expect_null(strstr(heard, "100 Continue"), "%s", heard);
    free(heard);
}

Test(large, who_may_not_send_a_large_body_is_told_so_before_it_comes)
{
    static const char unknown[] = "Authorization: Bearer plyd_player_06h0944x9h3frwar6tcb3kcmmg_"
                                  "e6szfrdhp82vzv86xgvtv6jkr5assgx0\r\n";

    expect_refused(hear_of_head("/v1/me/imports", ""), "HTTP/1.1 401 ", "token-missing");
    expect_refused(hear_of_head("/v1/me/imports", "Expect: 100-continue\r\n"), "HTTP/1.1 401 ",
                   "token-missing");
    expect_refused(hear_of_head("/v1/me/imports", unknown), "HTTP/1.1 401 ", "token-unknown");
    expect_refused(hear_of_head("/v1/me/imports/7", ""), "HTTP/1.1 404 ", "no-such-route");
    expect_refused(hear_of_head("/v1/me/imports", "Content-Encoding: gzip\r\n"), "HTTP/1.1 415 ",
                   "unsupported-media-type");
    expect_refused(hear_of_head("/v1/me/imports", "Accept: image/png\r\n"), "HTTP/1.1 406 ",
                   "not-acceptable");
}

Test(large, who_has_used_up_a_quota_is_told_so_before_the_body_comes)
{
    char *heard;

    plyd_start(&house.second, house.database, "--loops", "1", "--trusted-proxies", "1",
               "--quota-address", "1", "--quota-window-s", "86400", NULL);
    house.plyd.port ^= house.second.port;
    house.second.port ^= house.plyd.port;
    house.plyd.port ^= house.second.port;
    heard = hear_of_head("/v1/me/imports", "X-Forwarded-For: 203.0.113.7\r\n");
    expect_refused(heard, "HTTP/1.1 401 ", "token-missing");
    heard = hear_of_head("/v1/me/imports", "X-Forwarded-For: 203.0.113.7\r\n");
    expect_refused(heard, "HTTP/1.1 429 ", "quota-exceeded");
}

Test(large, a_player_is_asked_to_go_on_with_the_body)
{
    struct player player = new_player(&house, "Ada");
    char head[400], answer[640] = "";
    int fd, len = snprintf(head, sizeof(head),
                           "POST /v1/me/imports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
                           "Content-Length: 100000\r\nExpect: 100-continue\r\n\r\n",
                           player.token);

    fd = raw_say(house.plyd.port, head, (size_t)len);
    cr_assert_gt(recv(fd, answer, sizeof(answer) - 1, 0), 0);
    cr_assert_eq(strncmp(answer, "HTTP/1.1 100 Continue\r\n", 23), 0, "%s", answer);
    close(fd);
}

/* It has sent more than the kernel keeps for a connection, and is not reset. */
Test(large, a_client_that_sends_its_whole_body_before_it_listens_hears_that_it_was_refused)
{
    enum { MUCH = 2 << 20 };
    char *bytes = malloc(MUCH), *heard;
    int len = snprintf(bytes, 200,
                       "POST /v1/me/imports HTTP/1.1\r\nHost: x\r\n"
                       "Content-Length: 2000000\r\n\r\n");

    memset(bytes + len, ' ', 2000000);
    heard = raw_hear(raw_say(house.plyd.port, bytes, (size_t)len + 2000000));
    expect_refused(heard, "HTTP/1.1 401 ", "token-missing");
    free(bytes);
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

    plyd_start(&house.second, house.database, "--idle-s", "600", "--db-deadline-ms", "60000", NULL);
    for (int i = 0; i < CROWD; i++) {
        import[i] = (struct import){http_connect(house.second.port), record_of(MIB), 0};
        pthread_create(&thread[i], NULL, import_whole, &import[i]);
    }
    for (int i = 0; i < CROWD; i++) {
        pthread_join(thread[i], NULL);
        cr_expect_eq(import[i].sent, 201, "%zu", import[i].sent);
    }
#ifndef __SANITIZE_ADDRESS__
    if (getenv("TSAN_OPTIONS") == NULL)
        cr_expect_lt(peak_kib(&house.second), 64 * KIB, "%ld KiB", peak_kib(&house.second));
#endif
}
