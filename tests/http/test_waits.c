/* test_waits.c - the long poll, Prefer: wait. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "house.h"

static struct house house;

static void open_house(void)
{
    house_open(&house);
}

static void close_house(void)
{
    house_close(&house);
}

/* Shorter than the time that clients ask to wait for: a client that only the end of that time wakes
 * has missed the news. */
TestSuite(waits, .init = open_house, .fini = close_house, .timeout = 40);

static int waiting(int port)
{
    static const char line[] = "\nplyd_waits ";
    struct http_reply reply;
    const char *at;
    int count;

    http_request(port, &reply, "GET", "/metrics", NULL, NULL);
    at = strstr(reply.body, line);
    cr_assert_not_null(at);
    count = atoi(at + strlen(line));
    http_free(&reply);
    return count;
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

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
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
    answer_free(&answer);
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
    answer_free(&answer);
}

Test(waits, half_closed_connections_that_wait_all_hear_of_the_move)
{
    enum { WAITERS = 8 };
    char path[64];
    struct game game = new_jungle(path);
    int fd[WAITERS];

    for (int i = 0; i < WAITERS; i++) {
        fd[i] = begin_to_wait(house.plyd.port, path, "If-None-Match: \"1\"\r\nPrefer: wait=50\r\n");
        shutdown(fd[i], SHUT_WR);
    }
    play(&house, &game, "g3g4");
    for (int i = 0; i < WAITERS; i++) {
        struct answer answer = end_of_wait(fd[i], path);

        assert_status(&answer, 200);
        cr_assert_eq(number_of(&answer, "ply"), 1);
        answer_free(&answer);
    }
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
    answer_free(&answer);
}

Test(waits, without_news_the_answer_comes_when_the_time_is_over)
{
    char path[64], events[128];
    double began = seconds();
    struct answer answer;
    int fd, log;

    new_jungle(path);
    snprintf(events, sizeof(events), "%s/events?after=1", path);
    fd = begin_to_wait(house.plyd.port, path, "If-None-Match: \"1\"\r\nPrefer: wait=1\r\n");
    log = begin_to_wait(house.plyd.port, events, "Prefer: wait=1\r\n");
    answer = end_of_wait(fd, path);
    assert_status(&answer, 304);
    answer_free(&answer);
    answer = end_of_wait(log, events);
    assert_status(&answer, 200);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 0);
    cr_assert_geq(seconds() - began, 1.0);
    answer_free(&answer);
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
        answer_free(&answer);
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
        answer_free(&answer);
    }
}

Test(waits, when_too_many_wait_the_next_one_is_answered_at_once)
{
    static const char headers[] = "If-None-Match: \"1\"\r\nPrefer: wait=50\r\n";
    char path[64], applied[256];
    struct game game = new_jungle(path);
    struct http_reply reply;
    struct answer answer;
    int fd;

    plyd_start(&house.second, house.database, "--waits", "1", "--loops", "1", NULL);
    fd = begin_to_wait(house.second.port, path, headers);
    http_request(house.second.port, &reply, "GET", path, headers, NULL);
    cr_assert_eq(reply.status, 304);
    cr_assert_null(http_header(&reply, "Preference-Applied", applied));
    http_free(&reply);
    play(&house, &game, "g3g4");
    answer = end_of_wait(fd, path);
    assert_status(&answer, 200);
    answer_free(&answer);
}

Test(waits, a_daemon_that_stops_answers_the_clients_that_wait)
{
    char path[64];
    struct answer answer;
    int fd;

    new_jungle(path);
    plyd_start(&house.second, house.database, NULL);
    fd = begin_to_wait(house.second.port, path, "If-None-Match: \"1\"\r\nPrefer: wait=50\r\n");
    cr_assert_eq(plyd_stop(&house.second), 0);
    house.second.port = 0;
    answer = end_of_wait(fd, path);
    assert_status(&answer, 304);
    answer_free(&answer);
}
