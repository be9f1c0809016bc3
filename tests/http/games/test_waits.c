/* test_waits.c - the long poll, Prefer: wait. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/http/house.h"
#include "tests/support/now.h"

/* Shorter than the time that clients ask to wait for: a client that only the end of that time wakes
 * has missed the news. */
HOUSE_SUITE(waits, house_open, HOUSE_PATIENCE_S);

/* A number of /metrics. */
static int number_at(int port, const char *line)
{
    struct http_reply reply;
    const char *at;
    int number;

    http_request(port, &reply, "GET", "/metrics", NULL, NULL);
    at = strstr(reply.body, line);
    cr_assert_not_null(at);
    number = atoi(at + strlen(line));
    http_free(&reply);
    return number;
}

static int waiting(int port)
{
    return number_at(port, "\nplyd_waits ");
}

/* How many waits have ended early for this reason. */
static int ended(int port, const char *because)
{
    char line[80];

    snprintf(line, sizeof(line), "\nplyd_waits_ended_early_total{because=\"%s\"} ", because);
    return number_at(port, line);
}

/* Sends a request that is to wait. Returns its connection once it waits. */
static int begin_to_wait(int port, const char *path, const char *headers)
{
    int before = waiting(port), fd = http_connect(port);

    http_send(fd, "GET", path, headers, NULL, 0);
    while (waiting(port) <= before) {
    }
    return fd;
}

static struct answer end_of_wait(int fd, const char *path)
{
    struct http_reply reply;

    http_receive(fd, "GET", &reply);
    close(fd);
    return answer_of(&house, "GET", path, reply);
}

static struct game new_jungle(char path[64])
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");

    snprintf(path, 64, "/v1/games/%s", game.id);
    return game;
}

Test(waits, a_client_that_waits_at_a_game_hears_of_a_move_when_it_is_played)
{
    char path[64];
    struct game game = new_jungle(path);
    int fd = begin_to_wait(house.plyd.port, path, "If-None-Match: \"1\"\r\nPrefer: wait=50\r\n");
    struct answer answer;
    char applied[256];

    play(&house, &game, "g3g4");
    answer = end_of_wait(fd, path);
    assert_status(&answer, 200);
    cr_assert_eq(number_of(&answer, "ply"), 1);
    cr_assert_str_eq(http_header(&answer.reply, "Preference-Applied", applied), "wait=50");
    cr_assert_eq(waiting(house.plyd.port), 0);
}

Test(waits, a_client_that_waits_at_the_log_gets_the_new_events)
{
    char path[64], events[128];
    struct game game = new_jungle(path);
    struct answer answer;
    int fd;

    snprintf(events, sizeof(events), "%s/events?after=1", path);
    fd = begin_to_wait(house.plyd.port, events, "Prefer: respond-async, wait=50\r\n");
    play(&house, &game, "g3g4");
    answer = end_of_wait(fd, events);
    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "items.0.move"), "g3g4");
}

static void await_waiting(int port, int count)
{
    while (waiting(port) != count) {
    }
}

/* A client that has closed its side looks the same whether it still reads or has gone. */
Test(waits, half_closed_connections_that_wait_are_answered_at_once)
{
    enum { WAITERS = 8 };
    char path[64];
    int fd[WAITERS];

    new_jungle(path);
    for (int i = 0; i < WAITERS; i++)
        fd[i] = begin_to_wait(house.plyd.port, path, "If-None-Match: \"1\"\r\nPrefer: wait=50\r\n");
    for (int i = 0; i < WAITERS; i++)
        shutdown(fd[i], SHUT_WR);
    for (int i = 0; i < WAITERS; i++) {
        struct answer answer = end_of_wait(fd[i], path);

        assert_status(&answer, 304);
    }
    cr_assert_eq(waiting(house.plyd.port), 0);
}

Test(waits, a_client_that_has_gone_does_not_wait_any_longer)
{
    enum { WAITERS = 100 };
    static const char wish[] = "If-None-Match: \"1\"\r\nPrefer: wait=60\r\n";
    struct linger reset = {1, 0};
    char path[64];
    int fd[WAITERS];

    new_jungle(path);
    for (int i = 0; i < WAITERS; i++)
        fd[i] = begin_to_wait(house.plyd.port, path, wish);
    for (int i = 0; i < WAITERS; i++) {
        if (i % 2 == 0)
            setsockopt(fd[i], SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
        close(fd[i]);
    }
    await_waiting(house.plyd.port, 0);
    cr_assert_eq(ended(house.plyd.port, "closed"), WAITERS);
}

Test(waits, a_connection_goes_on_after_its_wait)
{
    static const char wish[] = "If-None-Match: \"1\"\r\nPrefer: wait=50\r\nOrigin: http://x\r\n"
                               "Request-Id: the-third-one\r\n";
    char path[64], value[256];
    struct game game = new_jungle(path);
    int fd = begin_to_wait(house.plyd.port, path, wish);

    play(&house, &game, "g3g4");
    for (int i = 0; i < 2; i++) {
        struct http_reply reply;
        struct answer answer;

        http_receive(fd, "GET", &reply);
        answer = answer_of(&house, "GET", path, reply);
        assert_status(&answer, 200);
        cr_assert_eq(number_of(&answer, "ply"), 1);
        cr_assert_str_eq(http_header(&reply, "Request-Id", value), "the-third-one");
        cr_assert_not_null(http_header(&reply, "Access-Control-Expose-Headers", value));
        cr_assert_null(http_header(&reply, "Connection", value));
        if (i == 0)
            http_send(fd, "GET", path, wish, NULL, 0);
    }
    close(fd);
}

Test(waits, a_request_that_comes_during_a_wait_is_answered_after_it)
{
    char path[64];
    struct game game = new_jungle(path);
    int fd = begin_to_wait(house.plyd.port, path, "If-None-Match: \"1\"\r\nPrefer: wait=50\r\n");
    struct http_reply reply;

    http_send(fd, "GET", "/healthz", NULL, NULL, 0);
    play(&house, &game, "g3g4");
    http_receive(fd, "GET", &reply);
    cr_assert_eq(reply.status, 200);
    cr_assert_not_null(strstr(reply.body, "\"ply\":1"));
    http_free(&reply);
    http_receive(fd, "GET", &reply);
    cr_assert_eq(reply.status, 200);
    cr_assert_null(strstr(reply.body, "\"ply\""));
    http_free(&reply);
    close(fd);
}

/* libmicrohttpd may have read the second one with the first. */
Test(waits, a_request_with_another_one_right_behind_it_does_not_wait)
{
    char path[64], text[512];
    struct http_reply reply;
    int fd = http_connect(house.plyd.port);

    new_jungle(path);
    snprintf(text, sizeof(text),
             "GET %s HTTP/1.1\r\nHost: x\r\nIf-None-Match: \"1\"\r\nPrefer: wait=50\r\n\r\n"
             "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
             path);
    cr_assert_eq(send(fd, text, strlen(text), MSG_NOSIGNAL), (ssize_t)strlen(text));
    http_receive(fd, "GET", &reply);
    cr_assert_eq(reply.status, 304);
    http_free(&reply);
    http_receive(fd, "GET", &reply);
    cr_assert_eq(reply.status, 200);
    http_free(&reply);
    close(fd);
}

/* It would have to be read again with its chunks. */
Test(waits, a_request_with_an_empty_body_in_chunks_does_not_wait)
{
    char path[64], text[512];
    struct http_reply reply;
    int fd = http_connect(house.plyd.port);

    new_jungle(path);
    snprintf(text, sizeof(text),
             "GET %s HTTP/1.1\r\nHost: x\r\nIf-None-Match: \"1\"\r\nPrefer: wait=2\r\n"
             "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
             path);
    cr_assert_eq(send(fd, text, strlen(text), MSG_NOSIGNAL), (ssize_t)strlen(text));
    http_receive(fd, "GET", &reply);
    cr_assert_eq(reply.status, 304);
    http_free(&reply);
    http_send(fd, "GET", "/healthz", NULL, NULL, 0);
    http_receive(fd, "GET", &reply);
    cr_assert_eq(reply.status, 200);
    http_free(&reply);
    close(fd);
}

Test(waits, a_move_at_another_daemon_is_heard_of)
{
    char path[64];
    struct game game = new_jungle(path);
    struct answer answer;
    int fd;

    house_open_second(&house);
    fd = begin_to_wait(house.second.port, path, "If-None-Match: \"1\"\r\nPrefer: wait=50\r\n");
    play(&house, &game, "g3g4");
    answer = end_of_wait(fd, path);
    assert_status(&answer, 200);
    cr_assert_eq(number_of(&answer, "ply"), 1);
}

/* ---- all games of a player ---- */

/* The headers of a player who waits; `etag` NULL: without one. */
static const char *wish_of(const struct player *player, const char *etag, int wait_s)
{
    static char headers[512];

    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nPrefer: wait=%d\r\n%s%s%s",
             player->token, wait_s, etag == NULL ? "" : "If-None-Match: ", etag == NULL ? "" : etag,
             etag == NULL ? "" : "\r\n");
    return headers;
}

/* The page of events from now on: its ETag, and the address behind its cursor. */
static void stand_at_the_end(const struct player *player, char etag[256], char path[128])
{
    struct answer answer = ask_as(&house, player->token, "GET", "/v1/me/events", NULL);

    assert_status(&answer, 200);
    cr_assert_not_null(http_header(&answer.reply, "ETag", etag));
    snprintf(path, 128, "/v1/me/events?after=%s", text_of(&answer, "cursor"));
}

/* That the wait ends with news. */
static void assert_heard(int fd, const char *path, const char *what)
{
    struct answer answer = end_of_wait(fd, path);
    char applied[256];

    assert_status(&answer, 200);
    cr_assert_not_null(strstr(answer.reply.body, what), "%s", answer.reply.body);
    cr_assert_str_eq(http_header(&answer.reply, "Preference-Applied", applied), "wait=50");
}

Test(waits, a_player_hears_of_a_move_in_any_game_when_it_is_played)
{
    struct player ada = new_player(&house, "Ada");
    struct game first = new_game_of(&house, ada.token, "{\"variant\":\"jungle\"}");
    struct game second = new_game_of(&house, ada.token, "{\"variant\":\"jungle\"}");
    char etag[256], path[128];
    int fd;

    stand_at_the_end(&ada, etag, path);
    fd = begin_to_wait(house.plyd.port, path, wish_of(&ada, etag, 50));
    play(&house, &second, "g3g4");
    assert_heard(fd, path, second.id);
    stand_at_the_end(&ada, etag, path);
    fd = begin_to_wait(house.plyd.port, path, wish_of(&ada, etag, 50));
    play(&house, &first, "g3g4");
    assert_heard(fd, path, first.id);
    cr_assert_eq(waiting(house.plyd.port), 0);
}

/* What was written a moment before the cursor comes once more, and there is nothing to wait for. So
 * this player has no games yet. */
Test(waits, a_player_who_stands_at_the_end_needs_no_etag_and_hears_of_a_new_game)
{
    struct player ada = new_player(&house, "Ada");
    char etag[256], path[128];
    struct game game;
    int fd;

    stand_at_the_end(&ada, etag, path);
    fd = begin_to_wait(house.plyd.port, path, wish_of(&ada, NULL, 50));
    game = new_game_of(&house, ada.token, "{\"variant\":\"jungle\"}");
    assert_heard(fd, path, game.id);
}

Test(waits, a_player_hears_of_a_move_at_another_daemon)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = new_game_of(&house, ada.token, "{\"variant\":\"jungle\"}");
    char etag[256], path[128];
    int fd;

    house_open_second(&house);
    stand_at_the_end(&ada, etag, path);
    fd = begin_to_wait(house.second.port, path, wish_of(&ada, etag, 50));
    play(&house, &game, "g3g4");
    assert_heard(fd, path, "\"move\":\"g3g4\"");
}

Test(waits, lists_of_a_players_games_wait_as_well)
{
    static const char *const paths[] = {"/v1/me/games", "/v1/me/next"};
    struct player ada = new_player(&house, "Ada");
    struct game game = new_game_of(&house, ada.token, "{\"variant\":\"jungle\"}");

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        struct answer answer = ask_as(&house, ada.token, "GET", paths[i], NULL);
        char etag[256];
        int fd;

        cr_assert_not_null(http_header(&answer.reply, "ETag", etag));
        fd = begin_to_wait(house.plyd.port, paths[i], wish_of(&ada, etag, 50));
        play(&house, &game, i == 0 ? "g3g4" : "a7a6");
        assert_heard(fd, paths[i], i == 0 ? "\"ply\":1" : "\"ply\":2");
    }
}

Test(waits, games_of_others_are_no_news_to_a_player)
{
    struct player ada = new_player(&house, "Ada"), mia = new_player(&house, "Mia");
    char etag[256], path[128], applied[256];
    struct answer answer;
    int fd;

    stand_at_the_end(&ada, etag, path);
    fd = begin_to_wait(house.plyd.port, path, wish_of(&ada, etag, 50));
    new_game_of(&house, mia.token, "{\"variant\":\"jungle\"}");
    cr_assert_eq(waiting(house.plyd.port), 1);
    shutdown(fd, SHUT_WR);
    answer = end_of_wait(fd, path);
    assert_status(&answer, 304);
    cr_assert_str_eq(http_header(&answer.reply, "Preference-Applied", applied), "wait=50");
}

Test(waits, a_player_without_news_is_answered_when_the_time_is_over)
{
    struct player ada = new_player(&house, "Ada");
    double began = seconds_now();
    char etag[256], path[128], value[256];
    struct answer answer;

    stand_at_the_end(&ada, etag, path);
    answer = ask(&house, "GET", path, wish_of(&ada, etag, 1), NULL);
    assert_status(&answer, 304);
    cr_assert_str_eq(http_header(&answer.reply, "ETag", value), etag);
    cr_assert_str_eq(http_header(&answer.reply, "Preference-Applied", value), "wait=1");
    answer = ask(&house, "GET", path, wish_of(&ada, NULL, 1), NULL);
    assert_status(&answer, 200);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 0);
    cr_assert_str_eq(http_header(&answer.reply, "ETag", value), etag);
    cr_assert_str_eq(http_header(&answer.reply, "Preference-Applied", value), "wait=1");
    cr_assert_geq(seconds_now() - began, 2.0);
}

Test(waits, a_player_without_a_cursor_gets_one_at_once)
{
    struct player ada = new_player(&house, "Ada");
    struct answer answer = ask(&house, "GET", "/v1/me/events", wish_of(&ada, NULL, 50), NULL);
    char value[256];

    assert_status(&answer, 200);
    cr_assert_null(http_header(&answer.reply, "Preference-Applied", value));
}

Test(waits, a_player_whose_token_is_replaced_waits_no_longer)
{
    static const char key[] = "Idempotency-Key: a-new-token-for-this-player\r\n";
    struct player ada = new_player(&house, "Ada");
    char etag[256], path[128], headers[300];
    struct answer answer;
    int fd;

    stand_at_the_end(&ada, etag, path);
    fd = begin_to_wait(house.plyd.port, path, wish_of(&ada, etag, 50));
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n%s", ada.token, key);
    answer = ask(&house, "POST", "/v1/me/token", headers, NULL);
    assert_status(&answer, 200);
    answer = end_of_wait(fd, path);
    assert_problem(&answer, 401, "token-unknown");
}

/* ---- the end of a wait ---- */

Test(waits, without_news_the_answer_comes_when_the_time_is_over)
{
    char path[64], events[128];
    double began = seconds_now();
    struct answer answer;
    int fd, log;

    new_jungle(path);
    snprintf(events, sizeof(events), "%s/events?after=1", path);
    fd = begin_to_wait(house.plyd.port, path, "If-None-Match: \"1\"\r\nPrefer: wait=1\r\n");
    log = begin_to_wait(house.plyd.port, events, "Prefer: wait=1\r\n");
    answer = end_of_wait(fd, path);
    assert_status(&answer, 304);
    answer = end_of_wait(log, events);
    assert_status(&answer, 200);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 0);
    cr_assert_geq(seconds_now() - began, 1.0);
}

Test(waits, a_client_that_has_missed_something_does_not_wait)
{
    static const char *const headers[] = {"If-None-Match: \"1\"\r\nPrefer: wait=50\r\n",
                                          "Prefer: wait=50\r\n",
                                          "If-None-Match: \"9\"\r\nPrefer: wait=50\r\n"};
    char path[64];
    struct game game = new_jungle(path);

    play(&house, &game, "g3g4");
    for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
        struct answer answer = ask(&house, "GET", path, headers[i], NULL);

        assert_status(&answer, 200);
    }
}

Test(waits, other_values_of_prefer_are_ignored)
{
    static const char *const wishes[] = {"wait=", "wait=soon", "wait=-5", "wait=1.5", "waiting=9"};
    char path[64], headers[128];

    new_jungle(path);
    for (size_t i = 0; i < sizeof(wishes) / sizeof(wishes[0]); i++) {
        struct answer answer;

        snprintf(headers, sizeof(headers), "If-None-Match: \"1\"\r\nPrefer: %s\r\n", wishes[i]);
        answer = ask(&house, "GET", path, headers, NULL);
        assert_status(&answer, 304);
    }
}

Test(waits, when_too_many_wait_the_oldest_is_answered_at_once)
{
    static const char wish[] = "If-None-Match: \"1\"\r\nPrefer: wait=50\r\n";
    char path[64];
    struct game game = new_jungle(path);
    struct answer answer;
    int oldest, fd;

    plyd_start(&house.second, house.database, "--waits", "1", "--loops", "1", NULL);
    oldest = begin_to_wait(house.second.port, path, wish);
    fd = http_connect(house.second.port);
    http_send(fd, "GET", path, wish, NULL, 0);
    answer = end_of_wait(oldest, path);
    assert_status(&answer, 304);
    play(&house, &game, "g3g4");
    answer = end_of_wait(fd, path);
    assert_status(&answer, 200);
}

static void allow_descriptors(void)
{
    struct rlimit limit;

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

Test(waits, five_thousand_of_one_address_do_not_end_those_of_another)
{
    enum { MANY = 5000, THEIRS = 10, OF_ADDRESS = 1024 };
    static const char wish[] = "If-None-Match: \"1\"\r\nPrefer: wait=60\r\nX-Forwarded-For: %s\r\n";
    static int many[MANY];
    int theirs[THEIRS];
    char path[64], headers[128];
    struct game game = new_jungle(path);
    struct answer answer;

    allow_descriptors();
    plyd_start(&house.second, house.database, "--trusted-proxies", "1", "--quota-address", "0",
               "--loops", "1", NULL);
    snprintf(headers, sizeof(headers), wish, "203.0.113.7");
    for (int i = 0; i < THEIRS; i++)
        theirs[i] = begin_to_wait(house.second.port, path, headers);
    snprintf(headers, sizeof(headers), wish, "203.0.113.8");
    for (int i = 0; i < MANY; i++) {
        many[i] = http_connect(house.second.port);
        http_send(many[i], "GET", path, headers, NULL, 0);
    }
    while (ended(house.second.port, "address") < MANY - OF_ADDRESS) {
    }
    cr_assert_eq(waiting(house.second.port), THEIRS + OF_ADDRESS);
    play(&house, &game, "g3g4");
    for (int i = 0; i < THEIRS; i++) {
        answer = end_of_wait(theirs[i], path);
        assert_status(&answer, 200);
    }
    answer = end_of_wait(many[0], path);
    assert_status(&answer, 304);
    answer = end_of_wait(many[MANY - 1], path);
    assert_status(&answer, 200);
    for (int i = 1; i < MANY - 1; i++)
        close(many[i]);
}

Test(waits, a_daemon_that_stops_answers_the_clients_that_wait)
{
    struct player ada = new_player(&house, "Ada");
    char path[64], etag[256], events[128];
    struct answer answer;
    int at_game, at_player;

    new_jungle(path);
    stand_at_the_end(&ada, etag, events);
    plyd_start(&house.second, house.database, NULL);
    at_game = begin_to_wait(house.second.port, path, "If-None-Match: \"1\"\r\nPrefer: wait=50\r\n");
    at_player = begin_to_wait(house.second.port, events, wish_of(&ada, etag, 50));
    cr_assert_eq(plyd_stop(&house.second), 0);
    house.second.port = 0;
    answer = end_of_wait(at_game, path);
    assert_status(&answer, 304);
    answer = end_of_wait(at_player, events);
    assert_status(&answer, 304);
}
