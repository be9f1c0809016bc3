/*
 * test_smuggling.c - requests whose end two servers could find in two places. Each has a second
 * request in what might be its body. However it is written, one answer comes or the connection
 * ends, and the second request is never carried out.
 */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "house.h"
#include "raw.h"

enum { BATCH = 500, HEAD_MAX = 1024, VARIANT_MAX = 4096, NAME = 40 };

static struct house house;
static struct game game;
static PGconn *database;

static void open_house(void)
{
    house_open(&house);
    /* A connection that waits for the rest of a request is closed after a second. */
    plyd_start(&house.second, house.database, "--idle-s", "1", NULL);
    game = new_game(&house, "{\"variant\":\"jungle\"}");
    database = PQconnectdb(house.database);
    cr_assert_eq(PQstatus(database), CONNECTION_OK);
}

static void close_house(void)
{
    PQfinish(database);
    house_close(&house);
}

TestSuite(smuggling, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

/* ---- bytes ---- */

struct bytes {
    size_t len;
    char at[VARIANT_MAX];
};

static void add(struct bytes *bytes, const char *more, size_t len)
{
    cr_assert_leq(bytes->len + len, sizeof(bytes->at));
    memcpy(bytes->at + bytes->len, more, len);
    bytes->len += len;
}

static void add_text(struct bytes *bytes, const char *text)
{
    add(bytes, text, strlen(text));
}

/* As it would be written in C. */
static const char *shown(const struct bytes *bytes)
{
    static char text[4 * VARIANT_MAX + 1];
    size_t len = 0;

    for (size_t i = 0; i < bytes->len; i++) {
        unsigned char c = (unsigned char)bytes->at[i];

        if (c == '\n' || c == '\r')
            len += (size_t)sprintf(text + len, c == '\n' ? "\\n" : "\\r");
        else
            len += (size_t)sprintf(text + len, c >= ' ' && c < 127 ? "%c" : "\\x%02x", c);
    }
    text[len] = '\0';
    return text;
}

/* ---- the second request ---- */

/* Every other one makes a player with the variant's number, the others play a move. */
static void add_second(struct bytes *bytes, int number)
{
    char text[512];

    if (number % 2 == 0)
        snprintf(text, sizeof(text),
                 "POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                 "Content-Length: 25\r\n\r\n{\"name\":\"smuggled-%05d\"}",
                 number);
    else
        snprintf(text, sizeof(text),
                 "PUT /v1/games/%s/moves/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
                 "Content-Type: text/plain\r\nContent-Length: 4\r\n\r\na3a4",
                 game.id, game.token);
    add_text(bytes, text);
}

/* How many of the second requests were carried out. */
static int carried_out(void)
{
    PGresult *result =
        PQexec(database, "select (select count(*) from players where name like 'smuggled-%') +"
                         " (select count(*) from events where move is not null)");
    int number;

    cr_assert_eq(PQntuples(result), 1, "%s", PQerrorMessage(database));
    number = atoi(PQgetvalue(result, 0, 0));
    PQclear(result);
    return number;
}

/* ---- saying variants, many at a time ---- */

static struct bytes said[BATCH];
static int connection[BATCH];
static int nsaid, count;

/* How many final answers there are in a list of statuses: "100 201" is one. */
static int final_answers(const char *statuses)
{
    int answers = 0;

    for (; *statuses != '\0'; statuses += statuses[3] == ' ' ? 4 : 3)
        answers += *statuses != '1';
    return answers;
}

static void hear_all(void)
{
    char statuses[RAW_STATUSES];

    for (int i = 0; i < nsaid; i++) {
        char *text = raw_hear(connection[i]);

        raw_statuses(text, statuses);
        cr_expect_leq(final_answers(statuses), 1, "%s: %s", statuses, shown(&said[i]));
        free(text);
    }
    cr_assert_eq(carried_out(), 0, "one of the %d before variant %d", nsaid, count);
    nsaid = 0;
}

static void say(const struct bytes *bytes)
{
    said[nsaid] = *bytes;
    connection[nsaid++] = raw_say(house.second.port, bytes->at, bytes->len);
    count++;
    if (nsaid == BATCH)
        hear_all();
}

/* ---- heads ---- */

/* What the body may look like. */
enum body { PLAIN, LAST_CHUNK, CHUNK, BODIES };

static void make_body(struct bytes *body, enum body kind)
{
    struct bytes second = {.len = 0};
    char size[32];

    body->len = 0;
    add_second(&second, count);
    if (kind == LAST_CHUNK)
        add_text(body, "0\r\n\r\n");
    if (kind == CHUNK) {
        snprintf(size, sizeof(size), "%zx\r\n", second.len);
        add_text(body, size);
    }
    add(body, second.at, second.len);
    if (kind == CHUNK)
        add_text(body, "\r\n0\r\n\r\n");
}

/* Adds a part of a head, in which '#' stands for the length of the body. */
static void add_part(struct bytes *bytes, const char *part, size_t len, size_t length)
{
    char digits[32];

    for (size_t i = 0; i < len; i++) {
        snprintf(digits, sizeof(digits), "%zu", length);
        if (part[i] == '#')
            add_text(bytes, digits);
        else
            add(bytes, part + i, 1);
    }
}

static void say_head(const char *first_line, const char *head, size_t len, enum body kind)
{
    struct bytes bytes = {.len = 0}, body;

    make_body(&body, kind);
    add_text(&bytes, first_line);
    add_part(&bytes, head, len, body.len);
    add(&bytes, body.at, body.len);
    say(&bytes);
}

/* A line of a head at each place, behind each first line, before each body. */
static void say_line(const char *line, size_t len)
{
    static const char *const first[] = {
        "GET /healthz HTTP/1.1\r\n",
        "POST /v1/games HTTP/1.1\r\n",
    };
    static const char *const around[][2] = {
        {"", "Host: x\r\nX-Y: z\r\n\r\n"},
        {"Host: x\r\n", "X-Y: z\r\n\r\n"},
        {"Host: x\r\nX-Y: z\r\n", "\r\n"},
    };

    for (int i = 0; i < 2; i++)
        for (int place = 0; place < 3; place++)
            for (int kind = PLAIN; kind < BODIES; kind++) {
                char head[HEAD_MAX];
                size_t before = strlen(around[place][0]), after = strlen(around[place][1]);

                memcpy(head, around[place][0], before);
                memcpy(head + before, line, len);
                memcpy(head + before + len, around[place][1], after);
                say_head(first[i], head, before + len + after, (enum body)kind);
            }
}

/* A line with a byte in it, or behind it. */
static void say_line_with(const char *line, size_t at, char byte)
{
    char changed[128];
    size_t len = strlen(line);

    memcpy(changed, line, at);
    changed[at] = byte;
    memcpy(changed + at + 1, line + at, len - at);
    say_line(changed, len + 1);
}

/* ---- the variants ---- */

/* Bytes that no name has. ':' would only make it another name. */
static const char bad_in_names[] =
    "\0\1\2\3\4\5\6\7\10\t\n\13\14\r\16\17\20\21\22\23\24\25\26\27\30\31\32\33\34\35\36\37 "
    "\"(),/;<=>?@[\\]{}\177\200\205\240\377";

Test(smuggling, a_header_that_says_where_the_body_ends_cannot_be_disguised_by_a_byte_in_its_name)
{
    static const char *const lines[] = {"Content-Length: #\r\n", "Transfer-Encoding: chunked\r\n"};

    for (size_t i = 0; i < sizeof(bad_in_names) - 1; i++)
        for (size_t j = 0; j < 2; j++) {
            size_t colon = strcspn(lines[j], ":");

            say_line_with(lines[j], 0, bad_in_names[i]);
            say_line_with(lines[j], colon / 2, bad_in_names[i]);
            say_line_with(lines[j], colon, bad_in_names[i]);
        }
    hear_all();
    cr_assert_gt(count, 5000);
}

/* Blanks around a value are allowed, but for a tab before one of these; the chunks are real then.
 */
Test(smuggling, a_header_that_says_where_the_body_ends_cannot_be_disguised_by_a_byte_in_its_value)
{
    static const char *const lines[] = {"Content-Length: #0\r\n", "Transfer-Encoding: chunked\r\n"};
    static const char bytes[] = "\0\1\7\10\t\13\14\r\16\33\37 +-,;.'\"_x\177\200\205\240\377";

    for (size_t i = 0; i < sizeof(bytes) - 1; i++)
        for (size_t j = 0; j < 2; j++) {
            size_t value = strcspn(lines[j], ":") + 2, end = strlen(lines[j]) - 2;

            if (bytes[i] != ' ')
                say_line_with(lines[j], value, bytes[i]);
            say_line_with(lines[j], value + 1, bytes[i]);
            say_line_with(lines[j], end, bytes[i]);
        }
    hear_all();
    cr_assert_gt(count, 2000);
}

struct line {
    const char *bytes;
    size_t len;
};

#define LINE(text)                           \
    {                                        \
        text "\r\n", sizeof(text "\r\n") - 1 \
    }
#define CHUNKED "Transfer-Encoding: chunked"

static const struct line lines[] = {
    LINE("Content-Length: 0\r\nContent-Length: #"),
    LINE("Content-Length: #\r\nContent-Length: 0"),
    LINE("Content-Length: #\r\nContent-Length: #"),
    LINE("Content-Length: #, #"),
    LINE("Content-Length: #,0"),
    LINE("Content-Length: 0,#"),
    LINE("Content-Length: +#"),
    LINE("Content-Length: -#"),
    LINE("Content-Length: 0#"),
    LINE("Content-Length: 00000000000000000000#"),
    LINE("Content-Length: 0x#"),
    LINE("Content-Length: #.0"),
    LINE("Content-Length: #e0"),
    LINE("Content-Length: # bytes"),
    LINE("Content-Length: \"#\""),
    LINE("Content-Length:\t#"),
    LINE("Content-Length: 18446744073709551616"),
    LINE("Content-Length: 18446744073709551617"),
    LINE("Content-Length: 9223372036854775808"),
    LINE("Content-Length: 999999999999999999999999999999"),
    LINE("Content-Length:"),
    LINE("Content-Length: "),
    LINE("Content-Length"),
    LINE("Content_Length: #"),
    LINE("Content-Length:\r\n #"),
    LINE("Content-Length:\r\n\t#"),
    LINE("Content-Length:\n #"),
    LINE("Content-Length: 0\r\n #"),
    LINE("Content-Length: #\r\n 0"),
    LINE("X: y\r\n Content-Length: #"),
    LINE("X: y\r\n\tContent-Length: #"),
    LINE("X: y\rContent-Length: #"),
    LINE("X: y\nContent-Length: #"),
    LINE("X: y\0\nContent-Length: #"),
    LINE("X: y\0\r\nContent-Length: #"),
    LINE("X: y\0\0Content-Length\0 #"),
    LINE("X\0 y\0\0Content-Length: #"),
    LINE("X: y\r\r\nContent-Length: #"),
    LINE("X: y\r\n\0\nContent-Length: #"),
    LINE("X: y\n\nContent-Length: #"),
    LINE("X: y\n\r\nContent-Length: #"),
    LINE("X: y\r\n\nContent-Length: #"),
    LINE("X: y\r\n\rContent-Length: #"),
    LINE("X: y\r\n \r\nContent-Length: #"),
    LINE("X: y\r\n\t\r\nContent-Length: #"),
    LINE("X: y\r\n:\r\nContent-Length: #"),
    LINE(": y\r\nContent-Length: #"),
    LINE("no colon\r\nContent-Length: #"),
    LINE(CHUNKED "\r\nContent-Length: #"),
    LINE("Content-Length: #\r\n" CHUNKED),
    LINE("Content-Length: 0\r\n" CHUNKED),
    LINE(CHUNKED "\r\nContent-Length: 0"),
    LINE(CHUNKED "\r\nContent-Length : #"),
    LINE(CHUNKED "\r\n Content-Length: #"),
    LINE("Content-Length: #\r\nTransfer-Encoding : chunked"),
    LINE("Content-Length: #\r\nTransfer-Encoding: xchunked"),
    LINE("Content-Length: #\r\nTransfer_Encoding: chunked"),
    LINE(CHUNKED "\r\n" CHUNKED),
    LINE(CHUNKED "\r\nTransfer-Encoding: identity"),
    LINE("Transfer-Encoding: identity\r\n" CHUNKED),
    LINE(CHUNKED "\r\nTransfer-Encoding: x"),
    LINE(CHUNKED "\r\nTransfer-Encoding:"),
    LINE("Transfer-Encoding:\r\n" CHUNKED),
    LINE("Transfer-Encoding:"),
    LINE("Transfer-Encoding: identity"),
    LINE("Transfer-Encoding: identity, chunked"),
    LINE("Transfer-Encoding: chunked, identity"),
    LINE("Transfer-Encoding: chunked, chunked"),
    LINE("Transfer-Encoding: gzip, chunked"),
    LINE("Transfer-Encoding: chunked, gzip"),
    LINE("Transfer-Encoding: chunked,"),
    LINE("Transfer-Encoding: ,chunked"),
    LINE("Transfer-Encoding: chunked;q=1"),
    LINE("Transfer-Encoding: \"chunked\""),
    LINE("Transfer-Encoding: 'chunked'"),
    LINE("Transfer-Encoding: xchunked"),
    LINE("Transfer-Encoding: chunkedx"),
    LINE("Transfer-Encoding: chunk"),
    LINE("Transfer-Encoding: chunked chunked"),
    LINE("Transfer-Encoding: chunKed\t"),
    LINE("Transfer-Encoding:\13chunked"),
    LINE("Transfer-Encoding:\tchunked"),
    LINE("Transfer-Encoding:\r\n chunked"),
    LINE("Transfer-Encoding:\n chunked"),
    LINE("Transfer-Encoding\r\n : chunked"),
    LINE("Transfer-Encoding: chunked\r\n x"),
    LINE("Transfer_Encoding: chunked"),
    LINE("X: y\r\n " CHUNKED),
    LINE("X: y\r" CHUNKED),
    LINE("X: y\n" CHUNKED "\nZ: z"),
    LINE("X: y\0\n" CHUNKED),
    LINE("Host: y\r\nContent-Length: #"),
    LINE("Host: x\r\nContent-Length: #"),
    LINE("Expect: 100-continue\r\nContent-Length: #\r\nContent-Length: 0"),
    LINE("Expect: 100-continue\r\nContent-Length : #"),
    LINE("Connection: Content-Length\r\nContent-Length : #"),
    LINE("Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length : #"),
};

Test(smuggling, lengths_and_encodings_that_contradict_each_other_or_are_no_standard)
{
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        say_line(lines[i].bytes, lines[i].len);
    hear_all();
    cr_assert_gt(count, 1500);
}

/* The first line, in front of a head that is in order. */
Test(smuggling, first_lines_that_are_no_standard)
{
    static const char *const first[] = {
        "GET /healthz HTTP/1.10\r\n",
        "GET /healthz HTTP/1.2\r\n",
        "GET /healthz HTTP/1.9\r\n",
        "GET /healthz HTTP/01.1\r\n",
        "GET /healthz HTTP/1.1 \r\n",
        "GET /healthz HTTP/1.1\t\r\n",
        "GET /healthz HTTP/1.1x\r\n",
        "GET /healthz http/1.1\r\n",
        "GET /healthz HTTP/2.0\r\n",
        "GET /healthz HTTP/0.9\r\n",
        "GET /healthz HTTP/1.1\n",
        "GET /healthz HTTP/1.1\r",
        "GET /healthz HTTP/1.1\r\r\n",
        "GET /healthz\r\n",
        "GET /healthz \r\n",
        "GET  /healthz HTTP/1.1\r\n",
        "GET /healthz  HTTP/1.1\r\n",
        "GET\t/healthz HTTP/1.1\r\n",
        "GET /healthz\tHTTP/1.1\r\n",
        " GET /healthz HTTP/1.1\r\n",
        "\tGET /healthz HTTP/1.1\r\n",
        "\nGET /healthz HTTP/1.1\r\n",
        "\rGET /healthz HTTP/1.1\r\n",
        "\13GET /healthz HTTP/1.1\r\n",
        "GET /heal thz HTTP/1.1\r\n",
        "GET /heal\1thz HTTP/1.1\r\n",
        "GET /heal\177thz HTTP/1.1\r\n",
        "GET /healthz? HTTP/1.1 HTTP/1.1\r\n",
        "GET http://y/healthz HTTP/1.1\r\n",
        "GET http://x@y/healthz HTTP/1.1\r\n",
        "GET http://x:81/healthz HTTP/1.1\r\n",
        "G(T /healthz HTTP/1.1\r\n",
        "\xc2\xa0GET /healthz HTTP/1.1\r\n",
    };
    static const char plain[] = "Host: x\r\nContent-Length: #\r\n\r\n";
    static const char disguised[] = "Host: x\r\nContent-Length : #\r\n\r\n";
    static const char chunked[] = "Host: x\r\nTransfer-Encoding: chunked\r\n\r\n";

    for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
        say_head(first[i], plain, sizeof(plain) - 1, PLAIN);
        say_head(first[i], disguised, sizeof(disguised) - 1, PLAIN);
        say_head(first[i], chunked, sizeof(chunked) - 1, CHUNK);
        say_head(first[i], chunked, sizeof(chunked) - 1, LAST_CHUNK);
    }
    for (int kind = PLAIN; kind < BODIES; kind++)
        say_head("GET /healthz HTTP/1.0\r\n", chunked, sizeof(chunked) - 1, (enum body)kind);
    hear_all();
}

Test(smuggling, hosts_that_contradict_each_other_or_are_none)
{
    static const char *const hosts[] = {"",
                                        "Host: x\r\nHost: x\r\n",
                                        "Host: x\r\nHost: y\r\n",
                                        "Host: x\r\nhost: y\r\n",
                                        "Host: x\r\nHost : y\r\n",
                                        "Host: x\r\n Host: y\r\n",
                                        "Host: x, y\r\n",
                                        "Host: x y\r\n",
                                        "Host: x/y\r\n",
                                        "Host: x@y\r\n",
                                        "Host: x\ty\r\n",
                                        "Host : x\r\n",
                                        " Host: x\r\n",
                                        "Host: x\\y\r\n",
                                        "Host: \"x\"\r\n"};
    static const char *const ends[] = {"\r\n", "Content-Length: #\r\n\r\n"};

    for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++)
        for (size_t j = 0; j < 2; j++) {
            char head[HEAD_MAX];

            snprintf(head, sizeof(head), "%s%s", hosts[i], ends[j]);
            say_head("GET /healthz HTTP/1.1\r\n", head, strlen(head), PLAIN);
        }
    hear_all();
}

/* ---- chunks ---- */

/* How a chunk with the second request may be written badly. '#' is its size, '@' the request. */
static const struct line chunks[] = {
    LINE("#\n@\r\n0\r\n"),
    LINE("#\r@\r\n0\r\n"),
    LINE("#\r\r\n@\r\n0\r\n"),
    LINE("#\n\r@\r\n0\r\n"),
    LINE(" #\r\n@\r\n0\r\n"),
    LINE("# \r\n@\r\n0\r\n"),
    LINE("#\t\r\n@\r\n0\r\n"),
    LINE("+#\r\n@\r\n0\r\n"),
    LINE("-#\r\n@\r\n0\r\n"),
    LINE("0x#\r\n@\r\n0\r\n"),
    LINE("#h\r\n@\r\n0\r\n"),
    LINE("#,\r\n@\r\n0\r\n"),
    LINE("#\0\r\n@\r\n0\r\n"),
    LINE("#_\r\n@\r\n0\r\n"),
    LINE("\r\n#\r\n@\r\n0\r\n"),
    LINE("\n#\r\n@\r\n0\r\n"),
    LINE("10000000000000000#\r\n@\r\n0\r\n"),
    LINE("ffffffffffffffff\r\n@\r\n0\r\n"),
    LINE("#;\n@\r\n0\r\n"),
    LINE("#;a\n@\r\n0\r\n"),
    LINE("#;a=b\r@\r\n0\r\n"),
    LINE("#;a=\"\n\"\r\n@\r\n0\r\n"),
    LINE("#;a\0\r\n@\r\n0\r\n"),
    LINE("#;a\13\r\n@\r\n0\r\n"),
    LINE("# ;a\r\n@\r\n0\r\n"),
    LINE(";a\r\n@\r\n0\r\n"),
    LINE("#\r\n@\n0\r\n"),
    LINE("#\r\n@\r0\r\n"),
    LINE("#\r\n@0\r\n"),
    LINE("#\r\n@xx0\r\n"),
    LINE("#\r\n@ \r\n0\r\n"),
    LINE("#\r\n@\n\n0\r\n"),
    LINE("0\n\r\n@"),
    LINE("0\n\n@"),
    LINE("0\r\n\n@"),
    LINE("0\r\r\n\r\n@"),
    LINE("0 \r\n\r\n@"),
    LINE("0;\n\r\n@"),
    LINE("0;a\n\r\n@"),
    LINE("0x0\r\n\r\n@"),
    LINE("-0\r\n\r\n@"),
    LINE("+0\r\n\r\n@"),
    LINE("00000000000000000000\r\n\r\n@"),
    LINE("g\r\n\r\n@"),
    LINE("\r\n\r\n@"),
    LINE("0\r\nX: y\n\r\n@"),
    LINE("0\r\nX: y\r\n\n@"),
    LINE("0\r\nX: y\n\n@"),
    LINE("0\r\nX : y\r\n\r\n@"),
    LINE("0\r\n X: y\r\n\r\n@"),
    LINE("0\r\nX: y\r\n z\r\n\r\n@"),
    LINE("0\r\nX: y\r\r\n\r\n@"),
    LINE("0\r\nX: y\0\n\r\n@"),
    LINE("0\r\nX\r\n\r\n@"),
    LINE("0\r\nContent-Length: #\r\n\r\n@"),
    LINE("0\r\n" CHUNKED "\r\n\r\n@"),
    LINE("0\r\nHost: y\r\n\r\n@"),
};

static void say_chunk(const struct line *chunk)
{
    static const char *const heads[] = {
        "POST /v1/games HTTP/1.1\r\nHost: x\r\n" CHUNKED "\r\n\r\n",
        "POST /v1/games HTTP/1.1\r\n" CHUNKED "\r\nHost: x\r\nContent-Type: text/plain\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\ntransfer-encoding:chunked\r\n\r\n",
        "POST /v1/games HTTP/1.1\r\nHost: x\r\n" CHUNKED "\r\n\r\n2\r\n{}\r\n",
    };

    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
        struct bytes bytes = {.len = 0}, second = {.len = 0};
        char size[32];

        add_second(&second, count);
        snprintf(size, sizeof(size), "%zx", second.len);
        add_text(&bytes, heads[i]);
        for (size_t j = 0; j < chunk->len; j++) {
            if (chunk->bytes[j] == '#')
                add_text(&bytes, size);
            else if (chunk->bytes[j] == '@')
                add(&bytes, second.at, second.len);
            else
                add(&bytes, chunk->bytes + j, 1);
        }
        say(&bytes);
    }
}

Test(smuggling, chunks_that_are_no_standard)
{
    for (size_t i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++)
        say_chunk(&chunks[i]);
    hear_all();
    cr_assert_gt(count, 200);
}

/* ---- what is no smuggling ---- */

Test(smuggling, a_second_request_behind_a_well_formed_one_is_carried_out)
{
    static const char plain[] = "Host: x\r\n\r\n";
    static const char chunked[] = "Host: x\r\n" CHUNKED "\r\nX: y\r\n\r\n";
    struct bytes bytes = {.len = 0};
    char statuses[RAW_STATUSES], *text;

    add_text(&bytes, "GET /healthz HTTP/1.1\r\n");
    add_text(&bytes, plain);
    add_second(&bytes, 2);
    add_text(&bytes, "POST /v1/games HTTP/1.1\r\n");
    add_text(&bytes, chunked);
    add_text(&bytes, "1;a=b\r\n{\r\n00001\r\n}\r\n0\r\nX: y\r\n\r\n");
    add_second(&bytes, 3);
    text = raw_hear(raw_say(house.second.port, bytes.at, bytes.len));
    raw_statuses(text, statuses);
    cr_assert_str_eq(statuses, "200 201 400 201", "%s", text);
    cr_assert_eq(carried_out(), 2);
    free(text);
}

Test(smuggling, a_malformed_request_gets_its_code_and_ends_the_connection)
{
    struct bytes bytes = {.len = 0};
    char statuses[RAW_STATUSES], *text;

    add_text(&bytes, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
                     "GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length : 4\r\n\r\n");
    add_second(&bytes, 4);
    text = raw_hear(raw_say(house.plyd.port, bytes.at, bytes.len));
    raw_statuses(text, statuses);
    cr_assert_str_eq(statuses, "200 400");
    cr_assert_not_null(strstr(text, "Connection: close"));
    cr_assert_not_null(strstr(text, "\"code\":\"malformed-request\""));
    cr_assert_eq(carried_out(), 0);
    free(text);
}
