/* test_peers.c - a daemon that is alone does not look for news of others, and notices them when
 * they come. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "house.h"
#include "tests/support/backoff.h"
#include "tests/support/now.h"
#include "tests/support/stream.h"

static struct house house;
static struct player ada;
static struct game game;

/* One of each that waits for news of the game: a wait, a stream of it, and one of all games. */
static int waiter;
static struct stream stream, feed;
static char path[80];

static int number_at(int port, const char *line)
{
    struct http_reply reply;
    const char *at;
    int number;

    http_request(port, &reply, "GET", "/metrics", NULL, NULL);
    at = strstr(reply.body, line);
    number = at == NULL ? 0 : atoi(at + strlen(line));
    http_free(&reply);
    return number;
}

/* How many statements of a kind the first daemon has sent. */
static int statements(const char *kind)
{
    char line[100];

    snprintf(line, sizeof(line), "\nplyd_db_batch_members_count{kind=\"%s\"} ", kind);
    return number_at(house.plyd.port, line);
}

/* Of how many games it has asked the database for their versions. */
static int versions_asked(void)
{
    return number_at(house.plyd.port, "\nplyd_db_batch_members_sum{kind=\"version\"} ");
}

static void open_stream(struct stream *opened, const char *address)
{
    struct http_reply head;
    char headers[200];

    snprintf(headers, sizeof(headers), "Accept: text/event-stream\r\nAuthorization: Bearer %s\r\n",
             ada.token);
    stream_open(opened, house.plyd.port, address, headers, &head);
    cr_assert_eq(head.status, 200);
    http_free(&head);
}

static void begin_to_wait(void)
{
    char etag[60];

    snprintf(etag, sizeof(etag), "If-None-Match: \"1\"\r\nPrefer: wait=50\r\n");
    waiter = http_connect(house.plyd.port);
    http_send(waiter, "GET", path, etag, NULL, 0);
    for (int looks = 0; number_at(house.plyd.port, "\nplyd_waits ") == 0; looks++)
        back_off(looks);
}

/* A request waits for a minute at most, and what is to be seen before the news may take longer. */
static void wait_anew(void)
{
    close(waiter);
    for (int looks = 0; number_at(house.plyd.port, "\nplyd_waits ") > 0; looks++)
        back_off(looks);
    begin_to_wait();
}

/* One daemon from the start: the heartbeat of another one would be that of a peer for a while. */
static void open_house(void)
{
    char events[100];

    setenv("PLYD_LOOPS", "1", 1);
    house_open(&house);
    ada = new_player(&house, "Ada");
    game = new_game_of(&house, ada.token, "{\"variant\":\"jungle\"}");
    snprintf(path, sizeof(path), "/v1/games/%s", game.id);
    snprintf(events, sizeof(events), "%s/events", path);
    open_stream(&stream, events);
    open_stream(&feed, "/v1/me/events");
    begin_to_wait();
}

static void close_house(void)
{
    stream_close(&stream);
    stream_close(&feed);
    close(waiter);
    house_close(&house);
}

TestSuite(peers, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

/* It looks once a second who else is there. */
static void await_looks(int count)
{
    int before = statements("daemons");

    for (int looks = 0; statements("daemons") < before + count; looks++)
        back_off(looks);
}

static void assert_heard(void)
{
    struct stream_message message;
    struct http_reply reply;

    cr_assert(stream_message(&stream, &message));
    cr_assert_eq(message.id, 2);
    cr_assert(stream_message(&feed, &message));
    cr_assert_not_null(strstr(message.data, "\"version\":2,"));
    http_receive(waiter, "GET", &reply);
    cr_assert_eq(reply.status, 200);
    http_free(&reply);
}

static void play_at(int port)
{
    struct http_reply reply;
    char address[100], headers[200];

    snprintf(address, sizeof(address), "%s/moves", path);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nContent-Type: text/plain\r\n",
             game.token);
    http_request(port, &reply, "POST", address, headers, "g3g4");
    cr_assert_eq(reply.status, 201, "%s", reply.body);
    http_free(&reply);
}

/* It looks once a second who else is there: so seconds are counted by itself. */
static void assert_within_looks(int before, int count)
{
    cr_assert_leq(statements("daemons") - before, count);
}

Test(peers, a_daemon_that_is_alone_looks_up_no_versions)
{
    int versions, states;

    await_looks(2);
    versions = statements("version");
    states = statements("player_state");
    await_looks(4);
    cr_assert_eq(statements("version"), versions);
    cr_assert_eq(statements("player_state"), states);
    wait_anew();
    play_at(house.plyd.port);
    assert_heard();
}

Test(peers, a_daemon_that_starts_is_noticed_by_those_who_wait_already)
{
    int before;

    await_looks(2);
    wait_anew();
    house_open_second(&house);
    before = statements("daemons");
    play_at(house.second.port);
    assert_heard();
    assert_within_looks(before, 4);
}

Test(peers, a_daemon_that_was_frozen_and_goes_on_is_noticed_again)
{
    int before;

    house_open_second(&house);
    kill(house.second.pid, SIGSTOP);
    await_looks(6);
    house_sql(&house, "update daemons set at = at - interval '1 minute'");
    await_looks(2);
    wait_anew();
    kill(house.second.pid, SIGCONT);
    before = statements("daemons");
    play_at(house.second.port);
    assert_heard();
    assert_within_looks(before, 4);
}

/* A stream has it looked up every 50 ms; the request that waits adds nothing to that. */
Test(peers, a_game_that_is_followed_and_waited_for_is_looked_up_once_for_both)
{
    enum { LOOKS = 60 };
    double began;
    int before;

    house_open_second(&house);
    before = versions_asked();
    while (versions_asked() == before) {
    }
    before = versions_asked();
    began = seconds_now();
    while (versions_asked() < before + LOOKS) {
    }
    cr_assert_geq(seconds_now() - began, 0.05 * (LOOKS - 2));
    wait_anew();
    play_at(house.second.port);
    assert_heard();
}

Test(peers, what_nobody_announced_is_found_all_the_same)
{
    await_looks(2);
    wait_anew();
    house_sql(&house, "with e as (update games set version = 2 returning id)"
                      " insert into events (game_id, version, kind, seat, line, ply, key, at)"
                      " select id, 2, 6, 1, 1, 0, 0, now() from e");
    assert_heard();
}

Test(peers, an_event_of_a_kind_that_only_a_newer_one_knows_is_told_as_unknown)
{
    struct answer answer;

    await_looks(2);
    wait_anew();
    house_sql(&house, "with e as (update games set version = 2 returning id)"
                      " insert into events (game_id, version, kind, seat, line, ply, key, at)"
                      " select id, 2, 999, 1, 1, 0, 0, now() from e");
    assert_heard();
    answer = ask_at(&house, ada.token, "GET", NULL, "/v1/games/%s/events", game.id);
    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "items.1.type"), "unknown");
}

Test(peers, loops_of_one_daemon_tell_each_other)
{
    struct stream streams[8];
    struct stream_message message;
    char address[100];

    plyd_close(&house.plyd);
    plyd_start(&house.plyd, house.database, "--loops", "4", NULL);
    snprintf(address, sizeof(address), "%s/events", path);
    for (int i = 0; i < 8; i++)
        open_stream(&streams[i], address);
    await_looks(8);
    play_at(house.plyd.port);
    for (int i = 0; i < 8; i++) {
        cr_assert(stream_message(&streams[i], &message));
        cr_assert_eq(message.id, 2);
        stream_close(&streams[i]);
    }
}
