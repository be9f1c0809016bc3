/* test_wire.c - what is no HTTP is refused by one head and one problem document, and the connection
 * ends. */
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "tests/http/house.h"
#include "tests/http/raw.h"

HOUSE_SUITE(wire, house_share, HOUSE_PATIENCE_S);

#define POST    "POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
#define CHUNKED POST "Transfer-Encoding: chunked\r\n\r\n"
#define BODY    "\r\n\r\n{\"a\":\"bc\"}"

static const char *const malformed[] = {
    POST "Content-Length: +12" BODY,
    POST "Content-Length: -1" BODY,
    POST "Content-Length: 12, 12" BODY,
    POST "Content-Length: 99999999999999999999" BODY,
    POST "Content-Length:" BODY,
    POST "Content-Length: 1x" BODY,
    POST "Content-Length: 10\r\nContent-Length: 10" BODY,
    POST "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: x\r\nX: a\x01"
    "b\r\n\r\n",
    "GET /healthz HTTP/2.0\r\nHost: x\r\n\r\n",
    "GET /healthz\r\n\r\n",
    "\x16\x03\x01\x02\r\n\r\n",
    CHUNKED "zz\r\n{}\r\n0\r\n\r\n",
    CHUNKED "2\r\n{}xx\r\n0\r\n\r\n",
};
enum { ROWS = sizeof(malformed) / sizeof(malformed[0]) };

static int count_of(const char *text, const char *word)
{
    int count = 0;

    for (; (text = strstr(text, word)) != NULL; text += strlen(word))
        count++;
    return count;
}

/* `text` is all that came. */
static void assert_refused(const char *text, const char *said)
{
    static const char first[] = "HTTP/1.1 400 Bad Request\r\n";
    const char *body = strstr(text, "\r\n\r\n"), *length = strstr(text, "Content-Length: ");

    cr_assert_eq(strncmp(text, first, strlen(first)), 0, "%s: %s", said, text);
    cr_assert_eq(count_of(text, "HTTP/1.1 400"), 1, "%s: %s", said, text);
    cr_assert(body != NULL && length != NULL && length < body, "%s: %s", said, text);
    cr_assert_eq((size_t)atoi(length + strlen("Content-Length: ")), strlen(body + 4), "%s: %s",
                 said, text);
    cr_assert_not_null(strstr(text, "\r\nConnection: close\r\n"), "%s: %s", said, text);
    cr_assert_not_null(strstr(body, "\"code\":\"malformed-request\""), "%s: %s", said, text);
}

Test(wire, what_is_malformed_is_refused_by_one_head_and_one_problem)
{
    for (size_t i = 0; i < ROWS; i++) {
        char *text = raw_hear(raw_say(house.plyd.port, malformed[i], strlen(malformed[i])));

        assert_refused(text, malformed[i]);
        free(text);
    }
}

static int say_in_two(const char *bytes, size_t cut)
{
    int fd = raw_say(house.plyd.port, bytes, cut), on = 1;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    send(fd, bytes + cut, strlen(bytes) - cut, MSG_NOSIGNAL);
    return fd;
}

Test(wire, it_is_refused_so_wherever_the_bytes_are_cut)
{
    for (size_t i = 0; i < ROWS; i++)
        for (size_t cut = 1; cut < strlen(malformed[i]); cut++) {
            char *text = raw_hear(say_in_two(malformed[i], cut));

            assert_refused(text, malformed[i]);
            free(text);
        }
}

/* The first answer is that of the request before it. */
Test(wire, behind_a_request_it_is_refused_so_once_that_is_answered)
{
    static const char good[] = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

    for (size_t i = 0; i < ROWS; i++) {
        char bytes[512], *text;
        const char *second;

        snprintf(bytes, sizeof(bytes), "%s%s", good, malformed[i]);
        text = raw_hear(raw_say(house.plyd.port, bytes, strlen(bytes)));
        cr_assert_eq(strncmp(text, "HTTP/1.1 200 OK\r\n", 17), 0, "%s", text);
        second = strstr(text, "HTTP/1.1 400");
        cr_assert_not_null(second, "%s: %s", malformed[i], text);
        assert_refused(second, malformed[i]);
        free(text);
    }
}
