/* test_hostile.c - clients that are slow, rude or wrong do no harm to others. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "house.h"
#include "tests/support/now.h"

HOUSE_SUITE(hostile, house_open, HOUSE_PATIENCE_S);

/* Sends a text byte by byte, one every 50 ms, until the daemon closes. Returns how many bytes it
 * took. */
static int trickle(int fd, const char *text)
{
    int taken = 0;
    char answer;

    while (*text != '\0' && send(fd, text, 1, MSG_NOSIGNAL) == 1) {
        nanosleep(&(struct timespec){0, 50000000}, NULL);
        if (recv(fd, &answer, 1, MSG_DONTWAIT | MSG_PEEK) >= 0)
            break;
        taken++;
        text++;
    }
    return taken;
}

Test(hostile, a_request_that_never_ends_is_cut_though_its_client_is_never_silent)
{
    char head[1024] = "GET /healthz HTTP/1.1\r\nHost: test\r\nX: ";
    char body[1024] = "POST /v1/games HTTP/1.1\r\nHost: test\r\nContent-Length: 60000\r\n\r\n";
    const char *const texts[] = {head, body};

    memset(head + strlen(head), 'x', 900);
    memset(body + strlen(body), 'x', 900);
    plyd_start(&house.second, house.database, "--idle-s", "1", NULL);
    for (int i = 0; i < 2; i++) {
        int fd = http_connect(house.second.port);

        cr_assert_lt((size_t)trickle(fd, texts[i]), strlen(texts[i]), "it may go on and on");
        close(fd);
    }
}

/* Sends requests for three seconds, one after the other. Returns how long nothing had been sent
 * when the connection was cut; 0: it was not. */
static double go_on(int fd)
{
    static const char request[] = "GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n";
    double begun = seconds_now(), last = begun, now = begun;
    char answer[4096];

    for (; now < begun + 3; now = seconds_now()) {
        if (send(fd, request, strlen(request), MSG_NOSIGNAL) != (ssize_t)strlen(request) ||
            recv(fd, answer, sizeof(answer), 0) <= 0)
            return seconds_now() - last;
        last = now;
    }
    return 0;
}

/* On a busy machine a second may pass between two requests. Then it is rightly cut, and another one
 * is tried. */
Test(hostile, a_connection_whose_requests_go_on_is_not_cut_for_its_age)
{
    double silent;

    plyd_start(&house.second, house.database, "--idle-s", "1", NULL);
    do {
        int fd = http_connect(house.second.port);

        silent = go_on(fd);
        cr_assert(silent == 0 || silent >= 1, "cut after a silence of %.1f s", silent);
        close(fd);
    } while (silent > 0);
}

Test(hostile, headers_that_cannot_be_digested_leave_nothing_behind)
{
    static char request[8192] = "GET /healthz HTTP/1.1\r\nHost: test\r\n";
    struct answer answer;

    for (int i = 0; i < 1000; i++)
        strcat(request, "a:b\r\n");
    strcat(request, "Connection: close\r\n\r\n");
    for (int i = 0; i < 4; i++) {
        int fd = http_connect(house.plyd.port);
        char answer_byte;

        cr_assert_eq(send(fd, request, strlen(request), MSG_NOSIGNAL), (ssize_t)strlen(request));
        while (recv(fd, &answer_byte, 1, 0) > 0) {
        }
        close(fd);
    }
    answer = ask(&house, "GET", "/healthz", NULL, NULL);
    assert_status(&answer, 200);
}

Test(hostile, thousands_of_parameters_are_refused_as_one_is)
{
    char path[4096] = "/v1/games?";
    struct answer answer;

    for (int i = 0; i < 1000; i++)
        strcat(path, "a=&");
    answer = ask(&house, "GET", path, NULL, NULL);
    assert_problem(&answer, 422, "unknown-field");
}

/* How many games the second daemon has fetched from the database so far. */
static int fetched(void)
{
    static const char line[] = "plyd_db_batch_members_sum{kind=\"game\"} ";
    struct http_reply reply;
    const char *at;
    int count;

    http_request(house.second.port, &reply, "GET", "/metrics", NULL, NULL);
    at = strstr(reply.body, line);
    cr_assert_not_null(at);
    count = atoi(at + strlen(line));
    http_free(&reply);
    return count;
}

Test(hostile, ids_that_no_game_has_push_no_game_out_of_memory)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct http_reply reply;
    char path[64];

    plyd_start(&house.second, house.database, "--cached-games", "16", "--loops", "1", NULL);
    plyd_await(&house.second, "database connected"); /* what is asked before is read again */
    for (int i = 0; i < 102; i++) {
        if (i == 0 || i == 101)
            snprintf(path, sizeof(path), "/v1/games/%s", game.id);
        else
            snprintf(path, sizeof(path), "/v1/games/%025d0", i);
        http_request(house.second.port, &reply, "GET", path, NULL, NULL);
        cr_assert_eq(reply.status, i == 0 || i == 101 ? 200 : 404);
        http_free(&reply);
    }
    cr_assert_eq(fetched(), 101);
}

Test(hostile, hundreds_of_thousands_of_captures_are_not_listed_but_may_be_played)
{
    static const char *const paths[] = {"/legal-moves", "/legal-moves?format=tree",
                                        "/legal-moves?from=a5"};
    struct game game =
        new_game(&house, "{\"variant\":\"turkish-draughts\",\"position\":"
                         "\"W:WKa5:Bc8,g8,d7,h7,a6,e6,c5,g5,b4,f4,a3,e3,h3,d2,Kc1,Kg1\"}");

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        struct answer answer =
            ask_at(&house, NULL, "GET", NULL, "/v1/games/%s%s", game.id, paths[i]);

        assert_problem(&answer, 422, "too-many-moves");
    }
    play(&house, &game, "a5xa1xd1xd3xd8xa8xa1xh1xh4xc4xc6xg6xg3xb3xb8xh8xh1");
}

Test(hostile, hundreds_of_thousands_of_captures_are_left_out_of_a_game)
{
    struct game game =
        new_game(&house, "{\"variant\":\"turkish-draughts\",\"position\":"
                         "\"W:WKa5:Bc8,g8,d7,h7,a6,e6,c5,g5,b4,f4,a3,e3,h3,d2,Kc1,Kg1\"}");
    struct answer answer = ask_at(&house, NULL, "GET", NULL,
                                  "/v1/games/%s?include=legal_moves,legal_tree,board", game.id);

    cr_assert_eq(answer.status, 200);
    cr_assert(cJSON_IsTrue(member(&answer, "legal_omitted")));
    cr_assert_not(has(&answer, "legal_moves"));
    cr_assert_not(has(&answer, "legal_tree"));
    cr_assert_not_null(member(&answer, "board"));
}
