/* test_framing.c - where requests end, and what is refused because that is not certain. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/net/framing.h"

#define GET     "GET / HTTP/1.1\r\n"
#define HOST    "Host: x\r\n"
#define CHUNKED "Transfer-Encoding: chunked\r\n"
#define POST    "POST / HTTP/1.1\r\n" HOST

struct row {
    const char *bytes;
    size_t len;
    unsigned heads, requests; /* that are found in them */
};

#define ROW(text, heads, requests)                  \
    {                                               \
        text, sizeof(text) - 1, (heads), (requests) \
    }

/* Copies a piece of a text into memory of its own, so that a sanitizer sees every read behind it.
 */
static size_t read_into(struct framing *framing, char *left, const char *bytes, size_t len)
{
    char *copy = malloc(len > 0 ? len : 1);
    size_t kept;

    memcpy(copy, bytes, len);
    kept = framing_read(framing, copy, len);
    memcpy(left, copy, kept);
    free(copy);
    return kept;
}

static void read_piece(struct framing *framing, const char *bytes, size_t len)
{
    char left[4096];

    cr_assert_leq(len, sizeof(left));
    read_into(framing, left, bytes, len);
}

static bool same(const struct framing *a, const struct framing *b)
{
    return a->heads == b->heads && a->requests == b->requests && a->wrong == b->wrong &&
           framing_in_request(a) == framing_in_request(b);
}

/* Reads a text at once, cut in two at every place, and byte by byte. All must find the same. */
static struct framing read_all(const struct row *row)
{
    struct framing whole = {.state = 0}, bytes = {.state = 0};

    read_piece(&whole, row->bytes, row->len);
    for (size_t cut = 0; cut <= row->len; cut++) {
        struct framing framing = {.state = 0};

        read_piece(&framing, row->bytes, cut);
        read_piece(&framing, row->bytes + cut, row->len - cut);
        cr_assert(same(&whole, &framing), "cut at %zu: %s", cut, row->bytes);
    }
    for (size_t i = 0; i < row->len; i++)
        read_piece(&bytes, row->bytes + i, 1);
    cr_assert(same(&whole, &bytes), "byte by byte: %s", row->bytes);
    return whole;
}

Test(framing, well_formed_requests_are_counted)
{
    static const struct row rows[] = {
        ROW("", 0, 0),
        ROW("\r\n\r\n", 0, 0),
        ROW(GET HOST "\r\n", 1, 1),
        ROW("\r\n" GET HOST "\r\n\r\n", 1, 1),
        ROW("GET / HTTP/1.0\r\n\r\n", 1, 1),
        ROW(GET "Host:\r\nX:\r\nY:z\r\nZ: \t a b\t \r\n\r\n", 1, 1),
        ROW(GET "host: [::1]:80\r\n!#$%&'*+-.^_`|~0aZ: \xff\r\n\r\n", 1, 1),
        ROW("OPTIONS * HTTP/1.1\r\n" HOST "\r\n", 1, 1),
        ROW("GET /\xc3\xa9?a={b} HTTP/1.1\r\n" HOST "\r\n", 1, 1),
        ROW(GET HOST "\r\n" GET HOST "\r\n" GET HOST "\r\n", 3, 3),
        ROW(POST "Content-Length: 0\r\n\r\n" GET HOST "\r\n", 2, 2),
        ROW(POST "content-length:  2\r\n\r\n{}" GET HOST "\r\n", 2, 2),
        ROW(POST "Content-Length: 10\r\n\r\n\n\r\0GET / \r", 1, 1),
        ROW(POST "Content-Length: 999999999999999999\r\n\r\nabc", 1, 0),
        ROW(POST CHUNKED "\r\n0\r\n\r\n" GET HOST "\r\n", 2, 2),
        ROW(POST "transfer-encoding:CHUNKED\r\n\r\n2\r\n\r\n\r\n00\r\n\r\n", 1, 1),
        ROW(POST CHUNKED "\r\n2;a=\"b c\";d\r\n{}\r\nA\r\n0123456789\r\n0\r\n\r\n", 1, 1),
        ROW(POST CHUNKED "\r\n0;a\r\nX: y\r\nZ:\r\n\r\n" GET HOST "\r\n", 2, 2),
        ROW(POST CHUNKED "\r\nfffffffffffffff\r\n0\r\n\r\n", 1, 0),
        ROW(GET HOST "Content-Lengthy: x\r\nA-Transfer-Encoding: y\r\n\r\n", 1, 1),
        ROW(POST "X_Y: z\r\nContent-Length: 2\r\n\r\n{}", 1, 1),
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct framing framing = read_all(&rows[i]);

        cr_expect_null(framing.wrong, "%s: %s", framing.wrong, rows[i].bytes);
        cr_expect_eq(framing.heads, rows[i].heads, "%s", rows[i].bytes);
        cr_expect_eq(framing.requests, rows[i].requests, "%s", rows[i].bytes);
    }
}

Test(framing, what_could_be_read_in_two_ways_is_wrong_and_nothing_behind_it_counts)
{
    static const struct row rows[] = {
        ROW(" " GET HOST "\r\n", 0, 0),
        ROW("\n" GET HOST "\r\n", 0, 0),
        ROW("\r" GET HOST "\r\n", 0, 0),
        ROW("GET  / HTTP/1.1\r\n" HOST "\r\n", 0, 0),
        ROW("GET /  HTTP/1.1\r\n" HOST "\r\n", 0, 0),
        ROW("GET / HTTP/1.1 \r\n" HOST "\r\n", 0, 0),
        ROW("GET / HTTP/1.2\r\n" HOST "\r\n", 0, 0),
        ROW("GET / HTTP/1.10\r\n" HOST "\r\n", 0, 0),
        ROW("GET / http/1.1\r\n" HOST "\r\n", 0, 0),
        ROW("GET /\r\n" HOST "\r\n", 0, 0),
        ROW("GET /a\tb HTTP/1.1\r\n" HOST "\r\n", 0, 0),
        ROW("GET / HTTP/1.1\n" HOST "\r\n", 0, 0),
        ROW(GET "\r\n", 0, 0),
        ROW(GET HOST HOST "\r\n", 0, 0),
        ROW(GET "Host: a b\r\n\r\n", 0, 0),
        ROW("GET / HTTP/1.0\r\n" HOST "Host: y\r\n\r\n", 0, 0),
        ROW(GET " X: y\r\n" HOST "\r\n", 0, 0),
        ROW(GET HOST "X: y\r\n z\r\n\r\n", 0, 0),
        ROW(GET HOST "X : y\r\n\r\n", 0, 0),
        ROW(GET HOST ": y\r\n\r\n", 0, 0),
        ROW(GET HOST "X\r\n\r\n", 0, 0),
        ROW(GET HOST "X\1: y\r\n\r\n", 0, 0),
        ROW(GET HOST "X: a\0b\r\n\r\n", 0, 0),
        ROW(GET HOST "X: a\rb\r\n\r\n", 0, 0),
        ROW(GET HOST "X: a\n\r\n", 0, 0),
        ROW(GET HOST "X: a\0\n\r\n", 0, 0),
        ROW(GET HOST "\n", 0, 0),
        ROW(POST "Content-Length: 1\r\nContent-Length: 1\r\n\r\n1", 0, 0),
        ROW(POST "Content-Length: 1\r\n" CHUNKED "\r\n", 0, 0),
        ROW(POST CHUNKED CHUNKED "\r\n", 0, 0),
        ROW("POST / HTTP/1.0\r\n" CHUNKED "\r\n0\r\n\r\n", 0, 0),
        ROW(POST "Content-Length:\r\n\r\n", 0, 0),
        ROW(POST "Content-Length: 01\r\n\r\n1", 0, 0),
        ROW(POST "Content-Length: +1\r\n\r\n1", 0, 0),
        ROW(POST "Content-Length: 1 \r\n\r\n1", 0, 0),
        ROW(POST "Content-Length:\t1\r\n\r\n1", 0, 0),
        ROW(POST "Content-Length: 1234567890123456789\r\n\r\n1", 0, 0),
        ROW(POST "Content_Length: 1\r\n\r\n1", 0, 0),
        ROW(POST "Transfer_Encoding: chunked\r\n\r\n0\r\n\r\n", 0, 0),
        ROW(POST "Transfer-Encoding:\r\n\r\n", 0, 0),
        ROW(POST "Transfer-Encoding: chunked \r\n\r\n", 0, 0),
        ROW(POST "Transfer-Encoding: xchunked\r\n\r\n", 0, 0),
        ROW(POST "Transfer-Encoding: identity\r\n\r\n", 0, 0),
        ROW(POST CHUNKED "\r\n\r\n", 1, 0),
        ROW(POST CHUNKED "\r\n 0\r\n\r\n", 1, 0),
        ROW(POST CHUNKED "\r\n0 \r\n\r\n", 1, 0),
        ROW(POST CHUNKED "\r\n0x0\r\n\r\n", 1, 0),
        ROW(POST CHUNKED "\r\n0\n\r\n", 1, 0),
        ROW(POST CHUNKED "\r\n0\r\n\n", 1, 0),
        ROW(POST CHUNKED "\r\n0;a\n\r\n", 1, 0),
        ROW(POST CHUNKED "\r\n2\r\n{}0\r\n\r\n", 1, 0),
        ROW(POST CHUNKED "\r\n2\r\n{}\n0\r\n\r\n", 1, 0),
        ROW(POST CHUNKED "\r\n0000000000000001\r\n1\r\n0\r\n\r\n", 1, 0),
        ROW(POST CHUNKED "\r\n0\r\nContent-Length: 1\r\n\r\n1", 1, 0),
        ROW(POST CHUNKED "\r\n0\r\n X: y\r\n\r\n", 1, 0),
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct framing framing = read_all(&rows[i]);

        cr_expect_not_null(framing.wrong, "%s", rows[i].bytes);
        cr_expect_eq(framing.heads, rows[i].heads, "%s", rows[i].bytes);
        cr_expect_eq(framing.requests, rows[i].requests, "%s", rows[i].bytes);
        read_piece(&framing, GET HOST "\r\n", strlen(GET HOST "\r\n"));
        cr_expect_eq(framing.heads, rows[i].heads, "%s: and one more", rows[i].bytes);
    }
}

/* Whoever counts them in a byte finds one where there are 257. */
Test(framing, a_header_that_comes_once_is_wrong_however_often_it_comes)
{
    static const char *const lines[] = {HOST, "Content-Length: 0\r\n", CHUNKED};

    for (size_t i = 0; i < 3; i++)
        for (size_t count = 2; count < 600; count++) {
            struct framing framing = {.state = 0};
            char text[32000] = "POST / HTTP/1.1\r\n", *at = text + strlen(text);

            if (i > 0)
                at = stpcpy(at, HOST);
            for (size_t n = 0; n < count; n++)
                at = stpcpy(at, lines[i]);
            at = stpcpy(at, "\r\n");
            framing_read(&framing, text, (size_t)(at - text));
            cr_expect_not_null(framing.wrong, "%zu times %s", count, lines[i]);
        }
}

Test(framing, a_request_has_begun_from_its_first_byte_to_its_last)
{
    static const char request[] = POST "Content-Length: 2\r\n\r\n{}";
    struct framing framing = {.state = 0};

    for (size_t i = 0; i < sizeof(request) - 1; i++) {
        cr_assert_eq(framing_in_request(&framing), i > 0, "before byte %zu", i);
        read_piece(&framing, request + i, 1);
    }
    cr_assert_not(framing_in_request(&framing));
    read_piece(&framing, "\r\n", 2);
    cr_assert_not(framing_in_request(&framing), "an empty line begins nothing");
}

/* ---- what is left of the bytes ---- */

static void assert_left(const char *text, const char *expected)
{
    size_t len = strlen(text);

    for (size_t cut = 0; cut <= len; cut++) {
        struct framing framing = {.state = 0};
        char left[512];
        size_t kept = read_into(&framing, left, text, cut);

        kept += read_into(&framing, left + kept, text + cut, len - cut);
        left[kept] = '\0';
        cr_expect_str_eq(left, expected, "cut at %zu", cut);
    }
}

Test(framing, the_extensions_of_chunks_are_taken_out)
{
    assert_left(POST CHUNKED
                "\r\n2;a=\"b c\";d\r\n;}\r\nA\r\n;123456;89\r\n0;\r\nX: ;\r\n\r\n" GET HOST "\r\n",
                POST CHUNKED "\r\n2\r\n;}\r\nA\r\n;123456;89\r\n0\r\nX: ;\r\n\r\n" GET HOST "\r\n");
}

Test(framing, of_a_request_in_which_something_is_wrong_nothing_is_left)
{
    static const char bytes[] = GET HOST "\r\n" POST "Content-Length: +1\r\n\r\n1";
    struct framing framing = {.state = 0};
    char left[512];
    size_t kept = read_into(&framing, left, bytes, strlen(bytes));

    left[kept] = '\0';
    cr_expect_str_eq(left, GET HOST "\r\n");
    cr_expect_eq(read_into(&framing, left, GET HOST "\r\n", strlen(GET HOST "\r\n")), 0);
}

/* ---- what libmicrohttpd is spared ---- */

Test(framing, the_name_of_cookies_is_changed_wherever_the_bytes_are_cut)
{
    static const char said[] = GET HOST "Cookie: a=b\r\nX-Cookie: c\r\n\r\n",
                      told[] = GET HOST "Cooki_: a=b\r\nX-Cookie: c\r\n\r\n";

    for (size_t cut = 0; cut < strlen(said); cut++) {
        struct framing framing = {0};
        char left[256];
        size_t len = read_into(&framing, left, said, cut);

        len += read_into(&framing, left + len, said + cut, strlen(said) - cut);
        cr_assert_eq(len, strlen(told));
        cr_assert_eq(memcmp(left, told, len), 0, "%zu: %.*s", cut, (int)len, left);
        cr_assert_eq(framing.requests, 1);
    }
}

/* A head with so many lines, each of `bytes` bytes beside its end. */
static void read_head(struct framing *framing, const char *first, int lines, size_t bytes)
{
    char *line = malloc(bytes + 3), left[16384];

    memset(line, 'v', bytes);
    memcpy(line, "h:", 2);
    memcpy(line + bytes, "\r\n", 3);
    read_into(framing, left, first, strlen(first));
    for (int i = 0; i < lines && framing->wrong == NULL; i++)
        read_into(framing, left, line, strlen(line));
    read_into(framing, left, "\r\n", 2);
    free(line);
}

Test(framing, a_head_has_13_KiB_at_most_and_each_of_its_lines_64_bytes_beside_its_text)
{
    static const struct {
        int lines;
        size_t bytes;
        bool too_long;
    } rows[] = {{1, 13000, false}, {1, 13300, true}, {150, 10, false},
                {180, 10, true},   {50, 150, false}, {70, 150, true}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct framing framing = {0};

        read_head(&framing, GET HOST, rows[i].lines, rows[i].bytes);
        cr_assert_eq(framing.too_long, rows[i].too_long ? FRAMING_HEADERS_LONG : FRAMING_SHORT,
                     "%d %zu", rows[i].lines, rows[i].bytes);
        cr_assert_eq(framing.heads, rows[i].too_long ? 0 : 1);
    }
}

/* The control character comes behind what was too much already. */
Test(framing, what_is_wrong_behind_a_head_that_is_too_long_does_not_hide_that)
{
    static char text[14000] = GET HOST "h:";
    struct framing whole = {0}, bytes = {0};
    char left[sizeof(text)];

    memset(text + strlen(text), 'v', 13500);
    strcat(text, "\x01");
    read_into(&whole, left, text, strlen(text));
    for (size_t i = 0; i < strlen(text); i++)
        read_into(&bytes, left, text + i, 1);
    cr_assert_eq(whole.too_long, FRAMING_HEADERS_LONG);
    cr_assert(same(&whole, &bytes));
}

/* The byte that would have been too much is what is wrong. */
Test(framing, what_is_wrong_in_a_head_that_is_just_short_enough_is_told_as_that)
{
    struct framing framing = {0}, before;
    char left[sizeof(GET HOST "h:")];

    read_into(&framing, left, GET HOST "h:", sizeof(left) - 1);
    do {
        before = framing;
        read_into(&framing, left, "v", 1);
    } while (framing.wrong == NULL);
    cr_assert_eq(framing.too_long, FRAMING_HEADERS_LONG);
    read_into(&before, left, "\x01", 1);
    cr_assert_not_null(before.wrong);
    cr_assert_eq(before.too_long, FRAMING_SHORT);
}

Test(framing, each_head_is_weighed_for_itself)
{
    struct framing framing = {0};

    for (int i = 0; i < 10; i++)
        read_head(&framing, GET HOST, 10, 300);
    cr_assert_eq(framing.requests, 10);
}

Test(framing, an_address_that_is_too_long_is_told_from_headers_that_are)
{
    static char first[14000] = "GET /";
    struct framing framing = {0};

    memset(first + 5, 'y', 13500);
    read_head(&framing, first, 0, 2);
    cr_assert_eq(framing.too_long, FRAMING_ADDRESS_LONG);
}

/* ---- how much may be read at once ---- */

static size_t may_read_behind(const char *text)
{
    struct framing framing = {.heads = 0};
    char copy[200];

    framing_read(&framing, strcpy(copy, text), strlen(text));
    cr_assert_null(framing.wrong, "%s", framing.wrong);
    return framing_may_read(&framing, 100000);
}

Test(framing, of_what_is_behind_a_body_no_more_is_read_than_leaves_room_for_an_answer)
{
    static const char head[] = "POST / HTTP/1.1\r\nHost: x\r\n";
    char text[200];

    cr_assert_eq(may_read_behind(""), 100000);
    cr_assert_eq(may_read_behind(head), 100000);
    snprintf(text, sizeof(text), "%sContent-Length: 70000\r\n\r\nabc", head);
    cr_assert_eq(may_read_behind(text), 69997 + FRAMING_BEHIND);
    snprintf(text, sizeof(text), "%sContent-Length: 99999\r\n\r\nabc", head);
    cr_assert_eq(may_read_behind(text), 100000);
    snprintf(text, sizeof(text), "%sContent-Length: 3\r\n\r\nabc", head);
    cr_assert_eq(may_read_behind(text), 100000);
    snprintf(text, sizeof(text), "%sTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", head);
    cr_assert_eq(may_read_behind(text), FRAMING_BEHIND);
    snprintf(text, sizeof(text), "%sTransfer-Encoding: chunked\r\n\r\n0\r\nTrailer: x", head);
    cr_assert_eq(may_read_behind(text), FRAMING_BEHIND);
}
