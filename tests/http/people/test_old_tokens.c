/* test_old_tokens.c - what becomes of streams and waits when the token of the player who opened
 * them is replaced. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/http/house.h"
#include "tests/support/stream.h"

/* Shorter than what clients ask to wait for. */
HOUSE_SUITE(old_tokens, house_open, HOUSE_PATIENCE_S);

static struct game new_seen(const struct player *player, const char *visibility)
{
    char body[64];

    snprintf(body, sizeof(body), "{\"variant\":\"jungle\",\"visibility\":\"%s\"}", visibility);
    return new_game_of(&house, player->token, body);
}

static struct game new_private(const struct player *player)
{
    return new_seen(player, "private");
}

/* ---- streams ---- */

static struct stream follow(int port, const char *path, const struct player *player)
{
    struct http_reply head;
    struct stream stream;
    char headers[200];

    snprintf(headers, sizeof(headers), "Accept: text/event-stream\r\nAuthorization: Bearer %s\r\n",
             player->token);
    stream_open(&stream, port, path, headers, &head);
    cr_assert_eq(head.status, 200, "%s", head.body);
    http_free(&head);
    return stream;
}

/* Nothing is written meanwhile that a stream could hear of. */
static void assert_ended(struct stream *stream)
{
    struct stream_message message;

    cr_assert_not(stream_message(stream, &message), "%d %s", message.id, message.data);
    stream_close(stream);
}

/* Games that are not told to everybody, and what somebody with an old token is told of them. */
static const struct {
    const char *visibility;
    int status;
    const char *code;
} seen[] = {{"private", 404, "no-such-game"}, {"unlisted", 401, "token-unknown"}};

enum { SEEN = sizeof(seen) / sizeof(seen[0]) };

Test(old_tokens, a_stream_of_a_game_that_is_not_public_ends_at_every_daemon)
{
    struct player ada = new_player(&house, "Ada");
    struct stream here[SEEN], there[SEEN];
    char path[64];

    house_open_second(&house);
    for (int i = 0; i < SEEN; i++) {
        struct game game = new_seen(&ada, seen[i].visibility);

        snprintf(path, sizeof(path), "/v1/games/%s/events", game.id);
        here[i] = follow(house.plyd.port, path, &ada);
        there[i] = follow(house.second.port, path, &ada);
    }
    replace_player_token(&house, &ada);
    for (int i = 0; i < SEEN; i++) {
        assert_ended(&here[i]);
        assert_ended(&there[i]);
    }
}

Test(old_tokens, a_stream_of_all_games_ends_at_every_daemon)
{
    struct player ada = new_player(&house, "Ada");
    struct stream here, there;

    house_open_second(&house);
    here = follow(house.plyd.port, "/v1/me/events", &ada);
    there = follow(house.second.port, "/v1/me/events", &ada);
    replace_player_token(&house, &ada);
    assert_ended(&here);
    assert_ended(&there);
}

Test(old_tokens, a_stream_of_a_private_game_goes_on_with_the_seats_own_token)
{
    struct player ada = new_player(&house, "Ada"), seat;
    struct game game = new_private(&ada);
    struct stream_message message;
    struct stream stream;
    char path[64];

    snprintf(seat.token, sizeof(seat.token), "%s", game.token);
    snprintf(path, sizeof(path), "/v1/games/%s/events", game.id);
    stream = follow(house.plyd.port, path, &seat);
    replace_player_token(&house, &ada);
    play(&house, &game, "g3g4");
    cr_assert(stream_message(&stream, &message));
    cr_assert_eq(message.id, 2);
    stream_close(&stream);
}

Test(old_tokens, a_ticket_for_a_private_game_ends)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = new_private(&ada);
    struct http_reply reply;
    struct answer answer;
    char path[300];

    answer = ask_at(&house, ada.token, "POST", NULL, "/v1/games/%s/ticket", game.id);
    snprintf(path, sizeof(path), "/v1/games/%s/events?snapshot=true&ticket=%s", game.id,
             text_of(&answer, "ticket"));
    replace_player_token(&house, &ada);
    http_request(house.plyd.port, &reply, "GET", path, "Accept: text/event-stream\r\n", NULL);
    answer = answer_of(&house, "GET", path, reply);
    assert_problem(&answer, 401, "token-unknown");
}

/* How many players this daemon has asked the database for. */
static int players_asked(void)
{
    static const char name[] = "\nplyd_db_batch_members_sum{kind=\"player\"} ";
    struct http_reply reply;
    const char *at;
    int number;

    http_request(house.plyd.port, &reply, "GET", "/metrics", NULL, NULL);
    at = strstr(reply.body, name);
    cr_assert_not_null(at);
    number = atoi(at + strlen(name));
    http_free(&reply);
    return number;
}

/* Else a client with thousands of streams would have as many looked up, and each compared with all.
 */
Test(old_tokens, a_player_is_looked_up_once_however_many_streams_they_have)
{
    enum { STREAMS = 20 };
    struct player ada = new_player(&house, "Ada");
    struct stream stream[STREAMS];
    int before, after;

    for (int i = 0; i < STREAMS; i++)
        stream[i] = follow(house.plyd.port, "/v1/me/events", &ada);
    before = players_asked();
    while ((after = players_asked()) == before) {
    }
    cr_assert_lt(after - before, STREAMS / 2);
    for (int i = 0; i < STREAMS; i++)
        stream_close(&stream[i]);
}

/* Whichever of them has been closed meanwhile. */
Test(old_tokens, the_streams_that_are_left_end)
{
    enum { STREAMS = 4 };
    struct player ada = new_player(&house, "Ada");
    struct stream stream[STREAMS];

    house_open_second(&house);
    for (int i = 0; i < STREAMS; i++)
        stream[i] = follow(house.second.port, "/v1/me/events", &ada);
    stream_close(&stream[0]);
    stream_close(&stream[STREAMS - 1]);
    replace_player_token(&house, &ada);
    for (int i = 1; i < STREAMS - 1; i++)
        assert_ended(&stream[i]);
}

/* ---- waits ---- */

static int waiting(int port)
{
    struct http_reply reply;
    const char *at;
    int number;

    http_request(port, &reply, "GET", "/metrics", NULL, NULL);
    at = strstr(reply.body, "\nplyd_waits ");
    cr_assert_not_null(at);
    number = atoi(at + strlen("\nplyd_waits "));
    http_free(&reply);
    return number;
}

static int begin_to_wait(int port, const char *method, const char *path, const char *token,
                         const char *headers, const char *body)
{
    int before = waiting(port), fd = http_connect(port);
    char all[300];

    snprintf(all, sizeof(all), "Authorization: Bearer %s\r\nPrefer: wait=50\r\n%s", token, headers);
    http_send(fd, method, path, all, body, body == NULL ? 0 : strlen(body));
    while (waiting(port) <= before) {
    }
    return fd;
}

static void assert_refused(int fd, const char *method, const char *path, int status,
                           const char *code)
{
    struct http_reply reply;
    struct answer answer;

    http_receive(fd, method, &reply);
    close(fd);
    answer = answer_of(&house, method, path, reply);
    assert_problem(&answer, status, code);
}

/* Who waited before and is not answered yet shows that the others were, before their time was up.
 */
static void assert_still_waits(int fd)
{
    char byte;

    cr_assert_lt(recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT), 0, "the time is up");
    close(fd);
}

Test(old_tokens, whoever_waits_at_a_game_that_is_not_public_waits_no_longer_at_any_daemon)
{
    static const char known[] = "If-None-Match: \"1\"\r\n";

    house_open_second(&house);
    for (int i = 0; i < SEEN; i++) {
        struct player ada = new_player(&house, "Ada"), mia = new_player(&house, "Mia");
        struct game game = new_seen(&ada, seen[i].visibility), other = new_private(&mia);
        char path[64], others[64], events[80];
        int first, here, there, log;

        snprintf(path, sizeof(path), "/v1/games/%s", game.id);
        snprintf(others, sizeof(others), "/v1/games/%s", other.id);
        snprintf(events, sizeof(events), "%s/events?after=1", path);
        first = begin_to_wait(house.plyd.port, "GET", others, mia.token, known, NULL);
        here = begin_to_wait(house.plyd.port, "GET", path, ada.token, known, NULL);
        log = begin_to_wait(house.plyd.port, "GET", events, ada.token, "", NULL);
        there = begin_to_wait(house.second.port, "GET", path, ada.token, known, NULL);
        replace_player_token(&house, &ada);
        assert_refused(here, "GET", path, seen[i].status, seen[i].code);
        assert_refused(log, "GET", events, seen[i].status, seen[i].code);
        assert_refused(there, "GET", path, seen[i].status, seen[i].code);
        assert_still_waits(first);
    }
}

/* Nobody thinks here, so the answer to the move does not come. */
Test(old_tokens, a_move_that_waits_for_the_answer_of_a_computer_waits_no_longer)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = new_game_of(&house, ada.token,
                                   "{\"variant\":\"jungle\",\"visibility\":\"private\",\"seats\":[{"
                                   "\"me\":true},{\"engine\":\"plyd\",\"level\":8}]}");
    char path[80];
    int fd;

    cr_assert_eq(plyd_stop(&house.plyd), 0);
    plyd_start(&house.plyd, house.database, "--thinkers", "0", NULL);
    snprintf(path, sizeof(path), "/v1/games/%s/moves/1", game.id);
    fd = begin_to_wait(house.plyd.port, "PUT", path, ada.token, "Content-Type: text/plain\r\n",
                       "g3g4");
    replace_player_token(&house, &ada);
    assert_refused(fd, "PUT", path, 401, "token-unknown");
}
