/*
 * test_protocol.c - HTTP as it should not be spoken: one answer a request or none, and nothing that
 * two servers could read in two ways.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "house.h"
#include "raw.h"
#include "written.h"

static struct house house;

static void open_house(void)
{
    house_open(&house);
    plyd_start(&house.second, house.database, "--idle-s", "1", NULL);
}

static void close_house(void)
{
    house_close(&house);
}

TestSuite(protocol, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

#define HOST    "Host: x\r\n"
#define LAST    "Host: x\r\nConnection: close\r\n"
#define GET     "GET /healthz HTTP/1.1\r\n" LAST "\r\n"
#define CREATE  "POST /v1/games HTTP/1.1\r\n"
#define GAME    "Content-Length: 20\r\n\r\n{\"variant\":\"jungle\"}"
#define CHUNKED "Transfer-Encoding: chunked\r\n"

struct row {
    const char *what;
    const char *sent;     /* as in written.h */
    const char *statuses; /* of the answers; x is any digit, "..." the end of the connection */
};

static const struct row rows[] = {
    {"HTTP/1.0", "GET /healthz HTTP/1.0\r\n\r\n", "200"},
    {"HTTP/0.9", "GET /healthz\r\n", "4xx"},
    {"HTTP/2 by prior knowledge", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "400"},
    {"a version that is none", "GET /healthz HTTP/x.y\r\n\r\n", "4xx"},
    {"TLS", "{0x16}{0x03}{0x01}{0x02}{0x01}{0xfc}{0x03}{0x03}", "400"},
    {"bare line feeds", "GET /healthz HTTP/1.1\nHost: x\nConnection: close\n\n", "400"},
    {"blank lines before the request", "\r\n\r\n" GET, "200"},
    {"a folded header", "GET /healthz HTTP/1.1\r\nX: a\r\n b\r\n" LAST "\r\n", "400"},
    {"a header without a colon", "GET /healthz HTTP/1.1\r\nabc\r\n" LAST "\r\n", "400"},
    {"a header with a NUL", "GET /healthz HTTP/1.1\r\nX: a{0x00}b\r\n" LAST "\r\n", "xxx"},
    {"the whole address", "GET http://X/healthz?x HTTP/1.1\r\n" LAST "\r\n", "200"},
    {"the whole address of another host", "GET http://other/healthz HTTP/1.1\r\n" HOST "\r\n" GET,
     "400"},
    {"the whole address of nothing", "GET https://x HTTP/1.1\r\n" LAST "\r\n", "200"},
    {"CONNECT", "CONNECT other:80 HTTP/1.1\r\n" LAST "\r\n", "4xx"},
    {"OPTIONS of the server", "OPTIONS * HTTP/1.1\r\n" LAST "\r\n", "xxx"},
    {"a method in small letters", "get /healthz HTTP/1.1\r\n" LAST "\r\n", "405"},
    {"a method of 5000 letters", "{G*5000} /healthz HTTP/1.1\r\n" LAST "\r\n", "4xx"},
    {"a blank in the address", "GET /health z HTTP/1.1\r\n" LAST "\r\n", "4xx"},
    {"1000 headers", "GET /healthz HTTP/1.1\r\n{X: y\r\n*1000}" LAST "\r\n", "431"},
    {"10000 headers", "GET /healthz HTTP/1.1\r\n{X: y\r\n*10000}" LAST "\r\n", "431"},
    {"a header of 20 KiB", "GET /healthz HTTP/1.1\r\nX: {y*20480}\r\n" LAST "\r\n", "431"},
    {"an address of 20 KiB", "GET /{y*20480} HTTP/1.1\r\n" LAST "\r\n", "414"},
    {"an address of 9 KiB", "GET /{y*9216} HTTP/1.1\r\n" LAST "\r\n", "414"},
    {"a body where none is looked for",
     "GET /healthz HTTP/1.1\r\n" HOST "Content-Length: 4\r\n\r\nGET " GET, "200 200"},
    {"a body that is expected", CREATE LAST "Expect: 100-continue\r\n" GAME, "201"},
    {"an expected body that is too large",
     CREATE HOST "Expect: 100-continue\r\nContent-Length: 65537\r\n\r\n", "413"},
    {"a body that is too large", CREATE LAST "Content-Length: 65537\r\n\r\n{x*65537}", "413"},
    {"a body that is much too large", CREATE HOST "Content-Length: 9999999\r\n\r\n", "413"},
    {"a length below zero", CREATE HOST "Content-Length: -3\r\n\r\n{}", "400"},
    {"a length in another base", CREATE HOST "Content-Length: 0x3\r\n\r\n{} ", "400"},
    {"a length past 64 bits", CREATE HOST "Content-Length: {9*30}\r\n\r\n{}", "400"},
    {"two lengths in one", CREATE HOST "Content-Length: 3, 3\r\n\r\n{} ", "400"},
    {"two lengths", CREATE HOST "Content-Length: 3\r\nContent-Length: 30\r\n\r\n{} " GET, "400"},
    {"the same length twice", CREATE HOST "Content-Length: 3\r\nContent-Length: 3\r\n\r\n{} " GET,
     "400"},
    {"a length and chunks",
     CREATE HOST "Content-Length: 4\r\n" CHUNKED "\r\n2\r\n{}\r\n0\r\n\r\n" GET, "400"},
    {"chunks and a length", CREATE HOST CHUNKED "Content-Length: 4\r\n\r\n2\r\n{}\r\n0\r\n\r\n" GET,
     "400"},
    {"an encoding that nobody knows", CREATE HOST "Transfer-Encoding: xchunked\r\n\r\n{}" GET,
     "400"},
    {"chunks inside another encoding",
     CREATE HOST "Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n" GET, "400"},
    {"a chunk whose length is no number", CREATE HOST CHUNKED "\r\nzz\r\n{}\r\n0\r\n\r\n", "400"},
    {"a chunk past 64 bits", CREATE HOST CHUNKED "\r\n{f*18}\r\n{}\r\n", "400"},
    {"a chunk with an extension", CREATE HOST CHUNKED "\r\n2;a=b\r\n{}\r\n0\r\n\r\n" GET,
     "400 200"},
    {"trailers", CREATE HOST CHUNKED "\r\n2\r\n{}\r\n0\r\nX: y\r\n\r\n" GET, "400 200"},
    {"chunks that are too large", CREATE LAST CHUNKED "\r\n11000\r\n{x*69632}\r\n0\r\n\r\n", "413"},
    {"a body that is shorter than it says", CREATE HOST "Content-Length: 20\r\n\r\n{", ""},
    {"a body that never comes", CREATE HOST "Content-Length: 20\r\n\r\n", ""},
    {"a header that never ends", "GET /healthz HTTP/1.1\r\nX: y", ""},
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static int fits(const char *pattern, const char *statuses)
{
    size_t len = strlen(pattern), cut = len >= 3 && strcmp(pattern + len - 3, "...") == 0 ? 3 : 0;

    if (cut == 0 && strlen(statuses) != len)
        return 0;
    for (size_t i = 0; i < len - cut; i++)
        if (pattern[i] != statuses[i] && (pattern[i] != 'x' || statuses[i] == ' '))
            return 0;
    return 1;
}

/* A server need not say 100 Continue to a client whose body has come already. */
static void check_answers(const struct row *row, const char *text)
{
    char all[RAW_STATUSES];
    const char *statuses = all;

    raw_statuses(text, all);
    if (strncmp(statuses, "100 ", 4) == 0)
        statuses += 4;
    cr_expect(fits(row->statuses, statuses), "%s: '%s' instead of '%s'\n%.800s", row->what,
              statuses, row->statuses, text);
}

static int say(const char *written)
{
    size_t len;
    char *bytes = written_text(written, NULL, &len);
    int fd = raw_say(house.second.port, bytes, len);

    free(bytes);
    return fd;
}

Test(protocol, every_request_gets_one_answer_or_none)
{
    int fd[ROWS];

    for (size_t i = 0; i < ROWS; i++)
        fd[i] = say(rows[i].sent);
    for (size_t i = 0; i < ROWS; i++) {
        char *text = raw_hear(fd[i]);

        check_answers(&rows[i], text);
        free(text);
    }
    free(raw_hear(say(GET)));
}

/* ---- manners that are allowed ---- */

Test(protocol, requests_in_one_write_are_answered_in_their_order)
{
    enum { REQUESTS = 64 };
    static const char *const paths[] = {"/healthz", "/v1/games/%s", "/nothing",
                                        "/v1/games/%s/legal-moves"};
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    char all[REQUESTS * 160] = "";
    struct http_reply reply;
    int fd = http_connect(house.plyd.port);

    for (int i = 0; i < REQUESTS; i++) {
        char path[64];

        snprintf(path, sizeof(path), paths[i % 4], game.id);
        snprintf(all + strlen(all), sizeof(all) - strlen(all),
                 "GET %s HTTP/1.1\r\nHost: x\r\nRequest-Id: %d\r\n\r\n", path, i);
    }
    cr_assert_eq(send(fd, all, strlen(all), MSG_NOSIGNAL), (ssize_t)strlen(all));
    for (int i = 0; i < REQUESTS; i++) {
        char id[256];

        http_receive(fd, "GET", &reply);
        cr_assert_eq(reply.status, i % 4 == 2 ? 404 : 200);
        cr_assert_eq(atoi(http_header(&reply, "Request-Id", id)), i);
        http_free(&reply);
    }
    close(fd);
}

Test(protocol, a_half_closed_connection_still_gets_its_answers)
{
    struct http_reply reply;
    int fd = http_connect(house.plyd.port);

    http_send(fd, "POST", "/v1/games", "Content-Type: application/json\r\n",
              "{\"variant\":\"jungle\"}", 20);
    shutdown(fd, SHUT_WR);
    http_receive(fd, "POST", &reply);
    cr_assert_eq(reply.status, 201);
    http_free(&reply);
    close(fd);
}

/* Each of them waits for the database, and the end is there meanwhile. */
Test(protocol, all_requests_before_the_end_of_a_half_closed_connection_are_answered)
{
    enum { CLIENTS = 16 };
    static const char requests[] = CREATE HOST GAME CREATE HOST GAME CREATE HOST GAME;
    int fd[CLIENTS];

    for (int i = 0; i < CLIENTS; i++) {
        fd[i] = raw_say(house.plyd.port, requests, sizeof(requests) - 1);
        shutdown(fd[i], SHUT_WR);
    }
    for (int i = 0; i < CLIENTS; i++) {
        char *text = raw_hear(fd[i]), statuses[RAW_STATUSES];

        raw_statuses(text, statuses);
        cr_expect_str_eq(statuses, "201 201 201", "client %d", i);
        free(text);
    }
}

/* The daemon is frozen meanwhile, so it is told of both at once: of what it reads and of the end.
 */
Test(protocol, a_client_that_ends_within_a_head_is_let_go)
{
    struct http_reply reply;
    int fd = http_connect(house.plyd.port);
    char *text;

    http_send(fd, "GET", "/healthz", NULL, NULL, 0);
    http_receive(fd, "GET", &reply);
    http_free(&reply);
    kill(house.plyd.pid, SIGSTOP);
    cr_assert_eq(send(fd, "GET /healthz HTTP", 17, 0), 17);
    shutdown(fd, SHUT_WR);
    kill(house.plyd.pid, SIGCONT);
    text = raw_hear(fd);
    cr_expect_str_empty(text);
    free(text);
}

/* Many clients have an answer to come at the same time, beside one that asked before and is silent.
 * None may fare worse for not being the only client, or the first. */
Test(protocol, half_closed_connections_all_get_their_answers_at_once)
{
    enum { CLIENTS = 32 };
    struct http_reply reply;
    int fd[CLIENTS], silent = http_connect(house.plyd.port);

    http_send(silent, "GET", "/healthz", NULL, NULL, 0);
    http_receive(silent, "GET", &reply);
    http_free(&reply);
    for (int i = 0; i < CLIENTS; i++) {
        fd[i] = http_connect(house.plyd.port);
        http_send(fd[i], "POST", "/v1/games", "Content-Type: application/json\r\n",
                  "{\"variant\":\"jungle\"}", 20);
        shutdown(fd[i], SHUT_WR);
    }
    for (int i = 0; i < CLIENTS; i++) {
        http_receive(fd[i], "POST", &reply);
        cr_expect_eq(reply.status, 201, "client %d got %d", i, reply.status);
        http_free(&reply);
        close(fd[i]);
    }
    close(silent);
}
