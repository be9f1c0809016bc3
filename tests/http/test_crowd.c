/*
 * test_crowd.c - clients in great numbers that hang, break off or never read. The others are
 * served, and when they are gone the daemon has what it had before.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "house.h"
#include "tests/support/backoff.h"
#include "tests/support/usage.h"

enum { IDLE = 10000, RESETS = 400, ROUNDS = 12, DEAF = 100, POOL = 8, MIB = 1 << 20 };

HOUSE_SUITE(crowd, house_open, HOUSE_PATIENCE_S);

static int descriptors(const struct plyd *plyd)
{
    char path[32];
    DIR *dir;
    int count = 0;

    snprintf(path, sizeof(path), "/proc/%d/fd", (int)plyd->pid);
    dir = opendir(path);
    cr_assert_not_null(dir);
    while (readdir(dir) != NULL)
        count++;
    closedir(dir);
    return count;
}

/* What the daemon holds: taken before a crowd comes, and compared when it is gone. */
struct holding {
    int descriptors;
    double memory;
};

static struct holding holding_of(const struct plyd *plyd)
{
    return (struct holding){descriptors(plyd), usage_memory(plyd->pid)};
}

/* Waits until the daemon has no more descriptors than before. Connections to the database may be
 * more: it may just have made them. */
static void wait_until_gone(const struct plyd *plyd, const struct holding *before)
{
    for (int looks = 0; descriptors(plyd) > before->descriptors + POOL; looks++)
        back_off(looks);
}

/* Memory is not compared under AddressSanitizer, which keeps for a while what was freed, nor where
 * the daemon runs under ThreadSanitizer, whose notes about memory count with it. */
static void expect_memory(const struct plyd *plyd, const struct holding *before, double more)
{
    double grown = usage_memory(plyd->pid) - before->memory;

#ifdef __SANITIZE_ADDRESS__
    grown = 0;
#endif
    if (getenv("TSAN_OPTIONS") != NULL)
        grown = 0;
    cr_expect_lt(grown, more, "%.1f MiB more", grown / MIB);
}

static void expect_service(int port, int requests)
{
    for (int i = 0; i < requests; i++) {
        struct http_reply reply;

        http_request(port, &reply, "POST", "/v1/games", "Content-Type: application/json\r\n",
                     "{\"variant\":\"tictactoe\"}");
        cr_assert_eq(reply.status, 201);
        http_free(&reply);
    }
}

/* ---- those who hang ---- */

/* As many connections as this process may open, 10,000 at most. */
static int crowd_size(void)
{
    struct rlimit limit;

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur < IDLE + 200 ? (int)limit.rlim_cur - 200 : IDLE;
}

Test(crowd, ten_thousand_idle_connections_hold_nobody_up)
{
    static const char begun[] = "GET /healthz HTTP/1.1\r\nHost: x\r\n";
    struct holding before = holding_of(&house.plyd);
    int crowd = crowd_size(), *fd = malloc((size_t)crowd * sizeof(*fd));

    for (int i = 0; i < crowd; i++) {
        fd[i] = http_connect(house.plyd.port);
        if (i % 2 == 0)
            send(fd[i], begun, strlen(begun), MSG_NOSIGNAL);
    }
    expect_service(house.plyd.port, 200);
    cr_expect_gt(descriptors(&house.plyd), crowd, "they were not all let in");
    for (int i = 0; i < crowd; i++)
        close(fd[i]);
    free(fd);
    wait_until_gone(&house.plyd, &before);
}

static long cut_because(int port, const char *reason)
{
    char line[128];
    struct http_reply reply;
    const char *at;
    long count;

    snprintf(line, sizeof(line), "plyd_http_connections_cut_total{because=\"%s\"} ", reason);
    http_request(port, &reply, "GET", "/metrics", NULL, NULL);
    at = strstr(reply.body, line);
    cr_assert_not_null(at, "%s", line);
    count = atol(at + strlen(line));
    http_free(&reply);
    return count;
}

/* Nobody gives way of whom a byte has come that was not read yet. */
static void wait_until_let_in(int port)
{
    for (int status = 0; status != 200;) {
        struct http_reply reply;

        http_request(port, &reply, "GET", "/healthz", NULL, NULL);
        status = reply.status;
        http_free(&reply);
    }
}

Test(crowd, connections_that_hold_all_places_give_way_to_those_who_ask)
{
    enum { PLACES = 40, HOLDERS = 60 };
    static const char body[] = "POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{";
    static const char *const begun[] = {"", "G", "GET /healthz HTTP/1.1\r\nHost: x\r\n", body};

    plyd_start(&house.second, house.database, "--loops", "1", "--connections", "40", "--log-level",
               "debug", NULL);
    for (size_t i = 0; i < sizeof(begun) / sizeof(begun[0]); i++) {
        int fd[HOLDERS];

        for (int k = 0; k < HOLDERS; k++) {
            fd[k] = http_connect(house.second.port);
            send(fd[k], begun[i], strlen(begun[i]), MSG_NOSIGNAL);
        }
        wait_until_let_in(house.second.port);
        expect_service(house.second.port, 3);
        for (int k = 0; k < HOLDERS; k++)
            close(fd[k]);
    }
    cr_expect_geq(cut_because(house.second.port, "idle"), HOLDERS - PLACES);
    cr_expect_eq(cut_because(house.second.port, "address"), 0);
    plyd_await_log(&house.second);
    cr_expect(plyd_logged(&house.second, "\"connection-cut\",\"because\":\"idle\""));
}

/* If they took all descriptors, no other connection could be accepted, and none would be cut. */
Test(crowd, connections_leave_descriptors_to_those_who_ask_where_there_are_few)
{
    enum { FEW = 400, HOLDERS = 380, PLACES = 300 };
    int fd[HOLDERS];

    setrlimit(RLIMIT_NOFILE, &(struct rlimit){FEW, FEW});
    plyd_start(&house.second, house.database, "--loops", "1", "--connections", "1000", NULL);
    cr_expect(plyd_logged(&house.second, "few-descriptors"));
    for (int i = 0; i < HOLDERS; i++)
        fd[i] = http_connect(house.second.port);
    expect_service(house.second.port, 3);
    cr_expect_geq(cut_because(house.second.port, "idle"), HOLDERS - PLACES);
    for (int i = 0; i < HOLDERS; i++)
        close(fd[i]);
}

/* ---- those who break off ---- */

static void reset(int fd)
{
    struct linger now = {1, 0};

    setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
    close(fd);
}

/* Sends a text, receives `wanted` bytes of the answer, and breaks off. */
static void break_off(int port, const char *text, size_t wanted)
{
    int fd = http_connect(port);
    char bytes[256];

    send(fd, text, strlen(text), MSG_NOSIGNAL);
    if (wanted > 0)
        recv(fd, bytes, wanted < sizeof(bytes) ? wanted : sizeof(bytes), 0);
    reset(fd);
}

/* All at once: the most memory that so many clients can cause. What the allocator keeps of it
 * depends on how many of them the daemon has at a time, so what comes later is compared with this.
 */
static void break_off_together(int port, const char *text)
{
    int fd[RESETS];

    for (int i = 0; i < RESETS; i++) {
        fd[i] = http_connect(port);
        send(fd[i], text, strlen(text), MSG_NOSIGNAL);
    }
    for (int i = 0; i < RESETS; i++)
        reset(fd[i]);
}

/* One that comes later is served, so the daemon has met all before it: those that it has not taken
 * yet are no descriptors of its own. */
static void wait_until_ended(const struct holding *begun)
{
    expect_service(house.plyd.port, 1);
    wait_until_gone(&house.plyd, begun);
}

/* Once it is warm, the daemon needs no more memory, however many clients break off. */
static void break_off_often(const char *text, size_t wanted)
{
    struct holding begun = holding_of(&house.plyd), warm = begun;

    for (int round = 0; round < ROUNDS; round++) {
        if (round < ROUNDS / 2)
            break_off_together(house.plyd.port, text);
        if (round == ROUNDS / 2)
            warm = holding_of(&house.plyd);
        for (int i = 0; i < RESETS; i++)
            break_off(house.plyd.port, text, wanted);
        wait_until_ended(&begun);
    }
    expect_memory(&house.plyd, &warm, 8 * MIB);
}

Test(crowd, resets_in_the_middle_of_an_answer_leave_nothing)
{
    break_off_often("GET /openapi.yaml HTTP/1.1\r\nHost: x\r\n\r\n", 100);
}

Test(crowd, resets_in_the_middle_of_a_body_leave_nothing)
{
    char text[9000] = "POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n";

    memset(text + strlen(text), ' ', 8000);
    break_off_often(text, 0);
}

Test(crowd, resets_while_the_database_is_asked_leave_nothing)
{
    break_off_often("POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n"
                    "{\"variant\":\"jungle\"}",
                    0);
}

Test(crowd, resets_while_news_are_waited_for_leave_nothing)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    char text[256];

    snprintf(text, sizeof(text),
             "GET /v1/games/%s HTTP/1.1\r\nHost: x\r\nIf-None-Match: \"1\"\r\nPrefer: wait=1\r\n"
             "\r\n",
             game.id);
    break_off_often(text, 0);
}

/* ---- those who talk and never listen ---- */

/* Asks for long answers and reads none, until nothing more can be sent. */
static int talk_only(int port)
{
    static const char text[] = "GET /openapi.yaml HTTP/1.1\r\nHost: x\r\n\r\n";
    int fd = http_connect(port), few = 4096;

    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &few, sizeof(few));
    fcntl(fd, F_SETFL, O_NONBLOCK);
    for (int i = 0; i < 20000 && send(fd, text, strlen(text), MSG_NOSIGNAL) > 0; i++) {
    }
    return fd;
}

Test(crowd, clients_that_never_read_take_little_and_are_cut_in_the_end)
{
    struct holding before;
    int fd[DEAF];

    plyd_start(&house.second, house.database, "--idle-s", "1", NULL);
    expect_service(house.second.port, 10);
    before = holding_of(&house.second);
    for (int i = 0; i < DEAF; i++)
        fd[i] = talk_only(house.second.port);
    expect_service(house.second.port, 10);
    wait_until_gone(&house.second, &before);
    expect_memory(&house.second, &before, 16 * MIB);
    for (int i = 0; i < DEAF; i++)
        close(fd[i]);
}

/* ---- those who cost more than they send ---- */

static void expect_cheap(const char *type, const char *body)
{
    struct holding before = holding_of(&house.plyd);
    char headers[128];

    snprintf(headers, sizeof(headers), "Content-Type: %s\r\n", type);
    for (int i = 0; i < 4; i++) {
        struct answer answer = ask(&house, "POST", "/v1/games", headers, body);

        cr_assert(answer.status == 400 || answer.status == 422);
    }
    expect_memory(&house.plyd, &before, 16 * MIB);
}

Test(crowd, a_body_of_64_kib_does_not_become_a_hundred_megabytes)
{
    static char list[65000] = "{\"", form[65000] = "";
    char *at = list + 2;

    expect_service(house.plyd.port, 10);
    memset(at, 'x', 30000); /* a long name with very many elements below it */
    at += 30000;
    at += sprintf(at, "\":[0");
    while (at < list + 64000)
        at += sprintf(at, ",0");
    strcpy(at, "]}");
    expect_cheap("application/json", list);
    for (at = form; at < form + 64000;) /* objects in objects in objects */
        at += sprintf(at, "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.%d=1&", (int)(at - form));
    expect_cheap("application/x-www-form-urlencoded", form);
}
