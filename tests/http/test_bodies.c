/*
 * test_bodies.c - requests with bodies of which any byte is another one: lengths, chunks, headers,
 * what was sent twice or not at all, and clients that stop in the middle. Whatever comes, the
 * daemon answers with a status of its contract or ends the connection, and serves the next one.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "house.h"
#include "raw.h"
#include "rules/rules.h"
#include "tests/support/long.h"

HOUSE_SUITE(bodies, house_open, 3600);

enum { SIZE = 256 << 10, SHORT = 3000, LONG = 100000, CHANGES = 4 };

static uint64_t seed = 1;

static size_t below(size_t n)
{
    return rules_choose(&seed, n);
}

/* ---- requests that are in order ---- */

static char token[96];

static size_t add_chunks(char *at, size_t bytes)
{
    char *end = at;

    while (bytes > 0) {
        size_t len = 1 + below(bytes > 20000 ? 20000 : bytes);

        end += sprintf(end, "%zx%s\r\n", len, below(8) == 0 ? ";a=b" : "");
        memset(end, ' ', len);
        end += len;
        end += sprintf(end, "\r\n");
        bytes -= len;
    }
    return (size_t)(end + sprintf(end, "0\r\n\r\n") - at);
}

static size_t make_request(char *text)
{
    static const char *const paths[] = {"/v1/games/import", "/v1/me/imports", "/v1/games/analyse",
                                        "/v1/games", "/v1/variants/shogi/check"};
    static const size_t sizes[] = {0, 2, 600, 5000, 65536, 65537, 100000, 180000};
    size_t bytes = sizes[below(sizeof(sizes) / sizeof(sizes[0]))];
    char *at = text + sprintf(text, "POST %s HTTP/1.1\r\nHost: x\r\n", paths[below(5)]);

    if (below(2) == 0)
        at += sprintf(at, "Authorization: Bearer %s\r\n", token);
    if (below(8) == 0)
        at += sprintf(at, "Expect: 100-continue\r\n");
    if (below(2) == 0) {
        at += sprintf(at, "Transfer-Encoding: chunked\r\n\r\n");
        return (size_t)(at + add_chunks(at, bytes) - text);
    }
    at += sprintf(at, "Content-Length: %zu\r\n\r\n", bytes);
    memset(at, ' ', bytes);
    return (size_t)(at + bytes - text);
}

/* ---- and what becomes of them ---- */

/* Most of a large request is its body, and what matters stands before it. */
static size_t somewhere(size_t len)
{
    return below(len < 400 || below(4) == 0 ? len : 400);
}

static size_t change(char *text, size_t len)
{
    static const char bytes[] = "\r\n\0 :;0123456789abcdef,-x";
    size_t at = somewhere(len), part = 1 + below(40);

    if (part > len - at)
        part = len - at;
    switch (below(4)) {
    case 0:
        text[at] = (char)below(256);
        return len;
    case 1:
        text[at] = bytes[below(sizeof(bytes) - 1)];
        return len;
    case 2: /* left out */
        memmove(text + at, text + at + part, len - at - part);
        return len - part;
    default: /* sent twice */
        memmove(text + at + part, text + at, len - at);
        return len + part;
    }
}

/* Sends it in up to three pieces. */
static int send_in_pieces(const char *text, size_t len)
{
    int fd = http_connect(house.plyd.port);
    size_t sent = 0;

    for (int piece = 0; sent < len && piece < 3; piece++) {
        size_t more = piece == 2 ? len - sent : 1 + below(len - sent);
        ssize_t n = send(fd, text + sent, more, MSG_NOSIGNAL);

        if (n <= 0)
            break;
        sent += (size_t)n;
    }
    return fd;
}

/* What was changed may be a request that waits for its end, and has no answer. */
static void listen_shortly(int fd)
{
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){0, 4000}, sizeof(struct timeval));
}

static void expect_answer(const char *heard)
{
    char statuses[RAW_STATUSES];

    raw_statuses(heard, statuses);
    cr_assert_null(strstr(statuses, "500"), "%s", heard);
    cr_assert_null(strstr(heard, "<html"), "%s", heard);
}

/* One request, which may be cut, or changed. One that is in order is answered. */
static void try_one(char *text)
{
    size_t len = make_request(text);
    bool in_order = below(4) == 0;
    char *heard;
    int fd;

    if (in_order)
        len += (size_t)sprintf(text + len,
                               "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    for (size_t changes = in_order ? 0 : below(CHANGES); changes > 0; changes--)
        len = change(text, len);
    if (!in_order && below(3) == 0)
        len = below(len);
    fd = send_in_pieces(text, len);
    if (!in_order && below(4) == 0) {
        close(fd);
        return;
    }
    if (!in_order)
        listen_shortly(fd);
    heard = raw_hear(fd);
    expect_answer(heard);
    cr_assert(!in_order || *heard != '\0', "%.300s", text);
    free(heard);
}

Test(bodies, whatever_comes_is_answered_or_ended_and_the_next_request_is_served)
{
    char *text = malloc(2 * SIZE);
    struct player player = new_player(&house, "Ada");
    struct answer answer;

    snprintf(token, sizeof(token), "%s", player.token);
    for (unsigned i = 0; i < long_or_short(LONG, SHORT); i++)
        try_one(text);
    free(text);
    answer = ask(&house, "GET", "/v1/games", NULL, NULL);
    assert_status(&answer, 200);
}

/* All of it is in the kernel when it is read, and libmicrohttpd is shown less than that. */
Test(bodies, chunks_with_extensions_are_read_to_their_end)
{
    enum { CHUNKS = 600 };
    char *text = malloc(SIZE), *at = text, *heard;

    at += sprintf(at, "POST /v1/variants/shogi/check HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                      "Transfer-Encoding: chunked\r\n\r\n");
    for (int i = 0; i < CHUNKS; i++)
        at += sprintf(at, "64;name=value\r\n%100s\r\n", "");
    at += sprintf(at, "0\r\n\r\n");
    heard = raw_hear(raw_say(house.plyd.port, text, (size_t)(at - text)));
    cr_assert_eq(strncmp(heard, "HTTP/1.1 400 ", 13), 0, "%s", heard);
    free(heard);
    free(text);
}
