/* test_streams.c - the events of a game as streams, and tickets for them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "rules/rules.h"
#include "tests/http/house.h"
#include "tests/support/stream.h"

#define SSE   "Accept: text/event-stream\r\n"
#define LINES "Accept: application/x-ndjson\r\n"

HOUSE_SUITE(streams, house_open, HOUSE_PATIENCE_S);

/* ---- asking ---- */

/* Opens a stream of a game; `rest` follows the address. Anything but a stream fails the test. */
static struct stream follow(int port, const struct game *game, const char *rest,
                            const char *headers)
{
    struct http_reply head;
    struct stream stream;
    struct answer answer;
    char path[256];

    snprintf(path, sizeof(path), "/v1/games/%s/events%s", game->id, rest);
    stream_open(&stream, port, path, headers, &head);
    answer = answer_of(&house, "GET", path, head);
    assert_status(&answer, 200);
    return stream;
}

static struct answer refused(int port, const struct game *game, const char *rest,
                             const char *headers)
{
    struct http_reply reply;
    char path[256];

    snprintf(path, sizeof(path), "/v1/games/%s/events%s", game->id, rest);
    http_request(port, &reply, "GET", path, headers, NULL);
    return answer_of(&house, "GET", path, reply);
}

static void assert_refused(int port, const struct game *game, const char *rest, const char *headers,
                           int status, const char *code)
{
    struct answer answer = refused(port, game, rest, headers);

    assert_problem(&answer, status, code);
}

static struct game new_jungle(void)
{
    return new_game(&house, "{\"variant\":\"jungle\"}");
}

/* The rats go to and fro, for ever. */
static void play_on(const struct game *game, int from, int to)
{
    static const char *const moves[] = {"g3g4", "a7a6", "g4g3", "a6a7"};

    for (int ply = from; ply < to; ply++)
        play(&house, game, moves[ply % 4]);
}

/* Four moves, ten times, in one request. */
enum { TO_AND_FRO = 40 };
static void play_to_and_fro(const struct game *game)
{
    char body[TO_AND_FRO * 8] = "{\"moves\":[";

    for (int i = 0; i < TO_AND_FRO; i += 4)
        strcat(body, &",\"g3g4\",\"a7a6\",\"g4g3\",\"a6a7\""[i == 0]);
    strcat(body, "]}");
    struct answer answer =
        ask_at(&house, game->token, "POST", body, "/v1/games/%s/moves", game->id);

    assert_status(&answer, 201);
}

static struct game new_long(void)
{
    return new_game(&house,
                    "{\"variant\":\"jungle\",\"options\":{\"draw_rounds\":0,\"repetition\":0}}");
}

static struct stream_message next(struct stream *stream)
{
    struct stream_message message;

    cr_assert(stream_message(stream, &message), "the stream has ended");
    return message;
}

/* A number of /metrics. */
static int number_at(int port, const char *name)
{
    struct http_reply reply;
    char line[128];
    const char *at;
    int number;

    snprintf(line, sizeof(line), "\n%s ", name);
    http_request(port, &reply, "GET", "/metrics", NULL, NULL);
    at = strstr(reply.body, line);
    cr_assert_not_null(at, "%s", name);
    number = atoi(at + strlen(line));
    http_free(&reply);
    return number;
}

static void await_number(int port, const char *name, int number)
{
    while (number_at(port, name) != number) {
    }
}

/* ---- what is told ---- */

Test(streams, a_move_is_told_when_it_is_played)
{
    struct game game = new_jungle();
    struct stream stream = follow(house.plyd.port, &game, "", SSE);
    struct stream_message message;

    play(&house, &game, "g3g4");
    message = next(&stream);
    cr_assert_eq(message.id, 2);
    cr_assert_str_eq(message.event, "move");
    cr_assert_not_null(strstr(message.data, "\"move\":\"g3g4\""));
    stream_close(&stream);
}

/* What was written by this loop, what was read from the log, and the list. */
static void assert_same_as_list(const struct game *game, const char *form, bool live)
{
    struct answer list;
    struct stream stream;
    int count;

    if (live)
        stream = follow(house.plyd.port, game, "?after=0", form);
    play(&house, game, "g3g4 a7a6");
    list = ask_at(&house, game->token, "POST", "{}", "/v1/games/%s/undo", game->id);
    play(&house, game, "a7b7");
    list = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/events", game->id);
    if (!live)
        stream = follow(house.plyd.port, game, "?after=0", form);
    count = cJSON_GetArraySize(member(&list, "items"));
    for (int i = 0; i < count; i++) {
        char *item = cJSON_PrintUnformatted(cJSON_GetArrayItem(member(&list, "items"), i));
        const char *line = NULL;

        if (strcmp(form, LINES) == 0)
            cr_assert(stream_line(&stream, &line));
        else
            line = next(&stream).data;
        cr_assert_str_eq(line, item);
        free(item);
    }
    stream_close(&stream);
}

Test(streams, messages_hold_what_the_list_has)
{
    struct game game = new_jungle();

    assert_same_as_list(&game, SSE, true);
}

Test(streams, messages_from_the_past_hold_what_the_list_has)
{
    struct game game = new_jungle();

    assert_same_as_list(&game, SSE, false);
}

Test(streams, lines_hold_what_the_list_has)
{
    struct game game = new_jungle();

    assert_same_as_list(&game, LINES, true);
}

Test(streams, with_after_a_stream_begins_behind_that_version)
{
    struct game game = new_long();
    struct stream stream;

    play_on(&game, 0, 100);
    stream = follow(house.plyd.port, &game, "?after=17", SSE);
    for (int id = 18; id <= 101; id++)
        cr_assert_eq(next(&stream).id, id);
    play_on(&game, 100, 101);
    cr_assert_eq(next(&stream).id, 102);
    stream_close(&stream);
}

Test(streams, without_it_a_stream_begins_with_what_comes_from_now_on)
{
    struct game game = new_jungle();
    struct stream stream;

    play(&house, &game, "g3g4 a7a6");
    stream = follow(house.plyd.port, &game, "", SSE);
    play(&house, &game, "g4g3");
    cr_assert_eq(next(&stream).id, 4);
    stream_close(&stream);
}

Test(streams, a_browser_that_comes_back_goes_on_where_it_was)
{
    static const char *const addresses[] = {"", "?after=1", "?snapshot=true"};
    struct game game = new_jungle();

    play(&house, &game, "g3g4 a7a6 g4g3");
    for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
        struct stream stream =
            follow(house.plyd.port, &game, addresses[i], SSE "Last-Event-ID: 2\r\n");

        cr_assert_eq(next(&stream).id, 3);
        cr_assert_eq(next(&stream).id, 4);
        stream_close(&stream);
    }
}

Test(streams, blanks_behind_the_last_id_are_no_part_of_it)
{
    struct game game = new_jungle();
    struct stream stream;

    play(&house, &game, "g3g4 a7a6");
    stream = follow(house.plyd.port, &game, "", SSE "Last-Event-ID: 2 \t\r\n");
    cr_assert_eq(next(&stream).id, 3);
    stream_close(&stream);
}

Test(streams, a_snapshot_is_the_game_as_it_is_and_its_events_follow)
{
    struct game game = new_jungle();
    struct stream_message message;
    char headers[160];
    struct stream stream;
    cJSON *json;

    play(&house, &game, "g3g4");
    snprintf(headers, sizeof(headers), SSE "Authorization: Bearer %s\r\n", game.token);
    stream = follow(house.plyd.port, &game, "?snapshot=true", headers);
    message = next(&stream);
    cr_assert_eq(message.id, 2);
    cr_assert_str_eq(message.event, "game");
    json = cJSON_Parse(message.data);
    cr_assert_str_eq(cJSON_GetObjectItem(json, "type")->valuestring, "game");
    cr_assert_eq(cJSON_GetObjectItem(json, "ply")->valueint, 1);
    cr_assert_not_null(cJSON_GetObjectItem(json, "you"));
    cJSON_Delete(json);
    play(&house, &game, "a7a6");
    cr_assert_eq(next(&stream).id, 3);
    stream_close(&stream);
}

Test(streams, a_game_that_ends_is_told_on)
{
    struct game game = new_jungle();
    struct stream stream = follow(house.plyd.port, &game, "", SSE);
    struct answer answer = ask_at(&house, game.token, "POST", "{}", "/v1/games/%s/resign", game.id);

    assert_status(&answer, 200);
    cr_assert_str_eq(next(&stream).event, "resigned");
    cr_assert_eq(number_at(house.plyd.port, "plyd_streams"), 1);
    stream_close(&stream);
}

Test(streams, two_of_a_game_are_told_the_same)
{
    struct game game = new_jungle();
    struct stream a = follow(house.plyd.port, &game, "", SSE);
    struct stream b = follow(house.plyd.port, &game, "?after=0", SSE);
    struct stream c = follow(house.plyd.port, &game, "", LINES);
    const char *line;

    play(&house, &game, "g3g4 a7a6");
    cr_assert_eq(next(&a).id, 2);
    cr_assert_eq(next(&a).id, 3);
    for (int id = 1; id <= 3; id++)
        cr_assert_eq(next(&b).id, id);
    cr_assert(stream_line(&c, &line));
    cr_assert_not_null(strstr(line, "\"version\":2,"));
    stream_close(&a);
    stream_close(&b);
    stream_close(&c);
}

Test(streams, headers_keep_caches_and_proxies_from_holding_it_back)
{
    static const char *const lines[] = {"Cache-Control: no-cache\r\n",
                                        "X-Accel-Buffering: no\r\n",
                                        "Connection: close\r\n",
                                        "Content-Type: text/event-stream; charset=utf-8\r\n",
                                        "Access-Control-Allow-Origin: *\r\n",
                                        "Request-Id: mine\r\n"};
    struct game game = new_jungle();
    struct http_reply head;
    struct stream stream;
    char path[128];

    snprintf(path, sizeof(path), "/v1/games/%s/events", game.id);
    stream_open(&stream, house.plyd.port, path, SSE "Request-Id: mine\r\nOrigin: http://x\r\n",
                &head);
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        cr_assert_not_null(strstr(head.headers, lines[i]), "%s", lines[i]);
    cr_assert_null(strstr(head.headers, "Content-Length"));
    http_free(&head);
    stream_close(&stream);
}

Test(streams, curl_shows_it_as_it_comes)
{
    struct game game = new_jungle();
    char command[256], text[512] = "";
    FILE *curl;

    snprintf(command, sizeof(command),
             "curl -sN --max-time 20 -H 'Accept: text/event-stream' "
             "'http://127.0.0.1:%d/v1/games/%s/events?after=0' | head -5",
             house.plyd.port, game.id);
    curl = popen(command, "r");
    cr_assert_not_null(curl);
    for (int line = 0; line < 5; line++)
        cr_assert_not_null(fgets(text + strlen(text), 256, curl));
    cr_assert_not_null(strstr(text, "retry: "));
    cr_assert_not_null(strstr(text, "\n\nid: 1\nevent: created\ndata: {\"version\":1,"), "%s",
                       text);
    play(&house, &game, "g3g4 a7a6"); /* curl finds out that nobody reads */
    pclose(curl);
}

/* ---- what is refused ---- */

Test(streams, wishes_that_cannot_be_are_refused)
{
    struct game game = new_jungle();
    int port = house.plyd.port;

    assert_refused(port, &game, "", SSE "Last-Event-ID: x\r\n", 400, "bad-parameter");
    assert_refused(port, &game, "", SSE "Last-Event-ID: -1\r\n", 400, "bad-parameter");
    assert_refused(port, &game, "", SSE "Last-Event-ID: 99999999999\r\n", 400, "bad-parameter");
    assert_refused(port, &game, "?after=1&snapshot=true", SSE, 400, "bad-parameter");
    assert_refused(port, &game, "?limit=1", SSE, 422, "unknown-field");
    assert_refused(port, &game, "?after=x", LINES, 400, "bad-parameter");
    assert_refused(port, &game, "?ticket=plyd_ticket_made_up", SSE, 401, "token-unknown");
    snprintf(game.id, sizeof(game.id), "0123456789abcdefghjkmnpqr0");
    assert_refused(port, &game, "", SSE, 404, "no-such-game");
}

Test(streams, head_has_the_headers_alone)
{
    struct game game = new_jungle();
    struct answer answer;
    char path[128];

    snprintf(path, sizeof(path), "/v1/games/%s/events", game.id);
    answer = ask(&house, "HEAD", path, SSE, NULL);
    assert_status(&answer, 200);
    cr_assert_eq(number_at(house.plyd.port, "plyd_streams_opened_total"), 0);
}

/* ---- private games ---- */

static struct game new_private(char headers[160])
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\",\"visibility\":\"private\"}");

    snprintf(headers, 160, SSE "Authorization: Bearer %s\r\n", game.token);
    return game;
}

static void replace_token(struct game *game)
{
    char headers[256], path[128];
    struct answer answer;

    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nIdempotency-Key: 0123456789-0123456789-0123456789-01\r\n",
             game->token);
    snprintf(path, sizeof(path), "/v1/games/%s/token", game->id);
    answer = ask(&house, "POST", path, headers, NULL);
    assert_status(&answer, 200);
    snprintf(game->token, sizeof(game->token), "%s", text_of(&answer, "token"));
}

static void assert_ended(struct stream *stream)
{
    struct stream_message message;

    cr_assert_not(stream_message(stream, &message), "%d %s", message.id, message.data);
    stream_close(stream);
}

Test(streams, a_private_game_is_told_to_its_players_alone)
{
    char headers[160];
    struct game game = new_private(headers);
    struct stream stream;

    assert_refused(house.plyd.port, &game, "", SSE, 404, "no-such-game");
    stream = follow(house.plyd.port, &game, "", headers);
    play(&house, &game, "g3g4");
    cr_assert_eq(next(&stream).id, 2);
    stream_close(&stream);
}

Test(streams, a_token_that_was_replaced_is_told_nothing_more_of_a_private_game)
{
    char headers[160];
    struct game game = new_private(headers);
    struct stream here = follow(house.plyd.port, &game, "", headers), there;

    house_open_second(&house);
    there = follow(house.second.port, &game, "", headers);
    replace_token(&game);
    assert_ended(&here);
    assert_ended(&there);
    cr_assert_eq(number_at(house.plyd.port, "plyd_streams_ended_total{because=\"refused\"}"), 1);
}

/* ---- unlisted games ---- */

/* The text of a message that is told next; NULL: it is withheld. */
static const char *told_text(struct stream *stream)
{
    struct stream_message message = next(stream);

    cr_assert_str_eq(message.event, "message");
    return strstr(message.data, "A word");
}

static void say(const struct game *game)
{
    struct answer answer =
        ask_at(&house, game->token, "POST", "A word", "/v1/games/%s/messages", game->id);

    assert_status(&answer, 201);
}

Test(streams,
     what_players_write_in_a_public_game_is_told_to_all_though_it_was_followed_as_a_challenge)
{
    struct player ada = new_player(&house, "Ada"), mia = new_player(&house, "Mia");
    char body[256], headers[160];
    struct stream players, strangers;
    struct game game;

    snprintf(body, sizeof(body),
             "{\"variant\":\"jungle\",\"visibility\":\"public\","
             "\"seats\":[{\"me\":true},{\"player\":\"%s\"}]}",
             mia.id);
    game = new_game_of(&house, ada.token, body);
    snprintf(headers, sizeof(headers), SSE "Authorization: Bearer %s\r\n", mia.token);
    players = follow(house.plyd.port, &game, "", headers);
    ask_at(&house, mia.token, "POST", "{}", "/v1/games/%s/join", game.id);
    cr_assert_str_eq(next(&players).event, "joined");
    strangers = follow(house.plyd.port, &game, "", SSE);
    say(&game);
    cr_assert_not_null(told_text(&players));
    cr_assert_not_null(told_text(&strangers));
    stream_close(&players);
    stream_close(&strangers);
}

Test(streams, what_players_write_in_an_unlisted_game_is_told_to_players_alone_at_every_daemon)
{
    struct game game = new_jungle();
    char headers[160];
    int ports[2];

    house_open_second(&house);
    ports[0] = house.plyd.port;
    ports[1] = house.second.port;
    snprintf(headers, sizeof(headers), SSE "Authorization: Bearer %s\r\n", game.token);
    for (int i = 0; i < 2; i++) {
        struct stream player = follow(ports[i], &game, "", headers);
        struct stream stranger = follow(ports[i], &game, "", SSE);

        say(&game);
        cr_assert_not_null(told_text(&player));
        cr_assert_null(told_text(&stranger));
        stream_close(&player);
        stream_close(&stranger);
    }
}

Test(streams, whoever_takes_a_seat_of_an_unlisted_game_reads_messages_from_then_on)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},"
                                        "{\"open\":true}]}");
    struct player bob = new_player(&house, "Bob");
    struct stream stream;
    struct answer joined;
    char headers[200];

    snprintf(headers, sizeof(headers), SSE "Authorization: Bearer %s\r\n", bob.token);
    stream = follow(house.plyd.port, &game, "", headers);
    say(&game);
    cr_assert_null(told_text(&stream));
    joined = ask_at(&house, bob.token, "POST", "{}", "/v1/games/%s/join", game.id);
    assert_status(&joined, 200);
    cr_assert_str_eq(next(&stream).event, "joined");
    say(&game);
    cr_assert_not_null(told_text(&stream));
    stream_close(&stream);
}

Test(streams, a_token_that_was_replaced_is_told_nothing_more_of_an_unlisted_game)
{
    struct game game = new_jungle();
    struct stream here, there, stranger;
    char headers[160];

    house_open_second(&house);
    snprintf(headers, sizeof(headers), SSE "Authorization: Bearer %s\r\n", game.token);
    here = follow(house.plyd.port, &game, "", headers);
    there = follow(house.second.port, &game, "", headers);
    stranger = follow(house.plyd.port, &game, "", SSE);
    replace_token(&game);
    assert_ended(&here);
    assert_ended(&there);
    cr_assert_str_eq(next(&stranger).event, "seat");
    stream_close(&stranger);
}

/* ---- several daemons ---- */

Test(streams, what_another_daemon_writes_is_told)
{
    struct game game = new_jungle();
    struct stream stream;

    house_open_second(&house);
    stream = follow(house.second.port, &game, "", SSE);
    play(&house, &game, "g3g4 a7a6");
    cr_assert_eq(next(&stream).id, 2);
    cr_assert_eq(next(&stream).id, 3);
    stream_close(&stream);
}

enum { READERS = 8, CUT_MOVES = 300 };

struct cut_reader {
    struct stream stream;
    int id; /* the last that it had */
    int cuts;
    bool lines;
};

static void resume(struct cut_reader *reader, const struct game *game, uint64_t *seed)
{
    int port = rules_choose(seed, 2) == 0 ? house.plyd.port : house.second.port;
    char rest[32] = "", headers[96];
    bool by_header = !reader->lines && rules_choose(seed, 2) == 0;

    snprintf(headers, sizeof(headers), "%s", reader->lines ? LINES : SSE);
    if (by_header)
        sprintf(headers + strlen(headers), "Last-Event-ID: %d\r\n", reader->id);
    else
        sprintf(rest, "?after=%d", reader->id);
    reader->stream = follow(port, game, rest, headers);
}

/* Takes a message, which must be the one behind the last. */
static void read_one(struct cut_reader *reader)
{
    const char *line;
    int id;

    if (reader->lines) {
        cr_assert(stream_line(&reader->stream, &line));
        cr_assert_eq(sscanf(line, "{\"version\":%d,", &id), 1);
    } else {
        id = next(&reader->stream).id;
    }
    cr_assert_eq(id, reader->id + 1);
    reader->id = id;
}

/* Takes some of what has come and leaves the rest, perhaps in the middle of a message. */
static void cut(struct cut_reader *reader, const struct game *game, int version, uint64_t *seed)
{
    for (int n = (int)rules_choose(seed, 6); n > 0 && reader->id < version; n--)
        read_one(reader);
    stream_close(&reader->stream);
    reader->cuts++;
    resume(reader, game, seed);
}

Test(streams, readers_that_are_cut_and_resume_at_any_daemon_have_every_event_once_and_in_order)
{
    static struct cut_reader readers[READERS];
    struct game game = new_long();
    uint64_t seed = 20261122;
    int version = 1, cuts = 0;

    house_open_second(&house);
    for (int i = 0; i < READERS; i++) {
        readers[i].lines = i % 3 == 0;
        resume(&readers[i], &game, &seed);
    }
    for (int ply = 0; ply < CUT_MOVES; ply++) {
        int first = house.plyd.port;

        if (rules_choose(&seed, 2) == 0)
            house.plyd.port = house.second.port; /* where play() goes */
        play_on(&game, ply, ply + 1);
        house.plyd.port = first;
        version++;
        if (rules_choose(&seed, 3) == 0)
            cut(&readers[rules_choose(&seed, READERS)], &game, version, &seed);
    }
    for (int i = 0; i < READERS; i++) {
        while (readers[i].id < version)
            read_one(&readers[i]);
        cuts += readers[i].cuts;
        stream_close(&readers[i].stream);
    }
    cr_assert_gt(cuts, CUT_MOVES / 5);
}

/* ---- clients that do not behave ---- */

/* Its moves are made in few requests: a client that has read nothing for STREAMS_PATIENCE_US is
 * cut. */
Test(streams, a_client_that_does_not_read_holds_up_nobody)
{
    enum { MOVES = 600 };
    struct game game = new_long();
    struct stream slow, quick;

    slow = follow(house.plyd.port, &game, "?after=0", SSE);
    quick = follow(house.plyd.port, &game, "?after=0", SSE);
    setsockopt(slow.fd, SOL_SOCKET, SO_RCVBUF, &(int){2304}, sizeof(int));
    for (int ply = 0; ply < MOVES; ply += TO_AND_FRO) {
        play_to_and_fro(&game);
        for (int i = 1; i <= TO_AND_FRO; i++)
            cr_assert_eq(next(&quick).id, ply + i);
    }
    for (int id = 1; id <= MOVES; id++)
        cr_assert_eq(next(&slow).id, id, "it has missed nothing, since it was not cut yet");
    stream_close(&slow);
    stream_close(&quick);
}

Test(streams, a_client_that_has_gone_is_noticed)
{
    struct game game = new_jungle();
    struct stream closed = follow(house.plyd.port, &game, "", SSE);
    struct stream half = follow(house.plyd.port, &game, "", SSE);

    cr_assert_eq(number_at(house.plyd.port, "plyd_streams"), 2);
    stream_close(&closed);
    await_number(house.plyd.port, "plyd_streams", 1);
    shutdown(half.fd, SHUT_WR);
    assert_ended(&half);
    await_number(house.plyd.port, "plyd_streams", 0);
    cr_assert_eq(number_at(house.plyd.port, "plyd_streams_ended_total{because=\"closed\"}"), 2);
}

/* There will be no answer to it: the stream has the connection. */
Test(streams, a_request_behind_that_for_a_stream_is_ignored)
{
    struct game game = new_jungle();
    char text[512];
    struct stream stream = {.text = calloc(1, 1)};
    struct stream_message message;

    stream.fd = http_connect(house.plyd.port);
    snprintf(text, sizeof(text),
             "GET /v1/games/%s/events HTTP/1.1\r\nHost: x\r\n" SSE "\r\n"
             "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
             game.id);
    cr_assert_eq(send(stream.fd, text, strlen(text), MSG_NOSIGNAL), (ssize_t)strlen(text));
    await_number(house.plyd.port, "plyd_streams", 1);
    play(&house, &game, "g3g4");
    cr_assert(stream_message(&stream, &message));
    cr_assert_eq(message.id, 2);
    stream_close(&stream);
}

/* ---- bounds ---- */

static void start_small(const char *streams)
{
    plyd_start(&house.second, house.database, "--streams", streams, "--loops", "1",
               "--trusted-proxies", "1", NULL);
}

Test(streams, beyond_the_bound_of_an_address_its_next_stream_is_refused)
{
    struct game game = new_jungle(), other = new_jungle();
    struct stream a, b, c;
    int port;

    start_small("8");
    port = house.second.port;
    a = follow(port, &game, "", SSE "X-Forwarded-For: 203.0.113.7\r\n");
    b = follow(port, &other, "", SSE "X-Forwarded-For: 203.0.113.7\r\n");
    assert_refused(port, &game, "", SSE "X-Forwarded-For: 203.0.113.7\r\n", 429,
                   "too-many-streams");
    c = follow(port, &game, "", SSE "X-Forwarded-For: 203.0.113.8\r\n");
    stream_close(&a);
    await_number(port, "plyd_streams", 2);
    a = follow(port, &game, "", SSE "X-Forwarded-For: 203.0.113.7\r\n");
    stream_close(&a);
    stream_close(&b);
    stream_close(&c);
}

Test(streams, half_of_all_streams_may_follow_one_game)
{
    struct game game = new_jungle(), other = new_jungle();
    struct stream stream[4];

    start_small("4");
    stream[0] = follow(house.second.port, &game, "", SSE);
    stream[1] = follow(house.second.port, &game, "", SSE);
    assert_refused(house.second.port, &game, "", SSE, 503, "overloaded");
    stream[2] = follow(house.second.port, &other, "", SSE);
    stream[3] = follow(house.second.port, &other, "", SSE);
    other = new_jungle();
    assert_refused(house.second.port, &other, "", SSE, 503, "overloaded");
    for (int i = 0; i < 4; i++)
        stream_close(&stream[i]);
}

Test(streams, without_a_limit_above_zero_there_are_none)
{
    struct game game = new_jungle();

    start_small("0");
    assert_refused(house.second.port, &game, "", SSE, 503, "overloaded");
}

/* ---- the end of a daemon ---- */

Test(streams, a_daemon_that_stops_says_so_and_ends_its_streams)
{
    struct game game = new_jungle();
    struct stream stream[40];

    plyd_start(&house.second, house.database, NULL);
    for (int i = 0; i < 40; i++)
        stream[i] = follow(house.second.port, &game, "", i % 2 == 0 ? SSE : LINES);
    cr_assert_eq(plyd_stop(&house.second), 0);
    house.second.port = 0;
    for (int i = 0; i < 40; i++) {
        char *rest = stream_rest(&stream[i]);

        if (i % 2 == 0)
            cr_assert_not_null(strstr(rest, "\n\n: The daemon stops. Connect again.\n\n"));
        else
            cr_assert_str_eq(rest, "");
        free(rest);
        stream_close(&stream[i]);
    }
}

/* ---- tickets ---- */

static void get_ticket(const struct game *game, const char *token, char rest[256])
{
    struct answer answer = ask_at(&house, token, "POST", NULL, "/v1/games/%s/ticket", game->id);

    assert_status(&answer, 201);
    snprintf(rest, 256, "?ticket=%s", text_of(&answer, "ticket"));
}

Test(streams, a_ticket_opens_one_stream_at_any_daemon)
{
    char headers[160], rest[256];
    struct game game = new_private(headers);
    struct stream stream;

    house_open_second(&house);
    get_ticket(&game, game.token, rest);
    stream = follow(house.second.port, &game, rest, SSE);
    assert_refused(house.plyd.port, &game, rest, SSE, 401, "token-unknown");
    assert_refused(house.second.port, &game, rest, SSE, 401, "token-unknown");
    play(&house, &game, "g3g4");
    cr_assert_eq(next(&stream).id, 2);
    stream_close(&stream);
}

Test(streams, a_ticket_is_for_its_game_alone)
{
    char headers[160], rest[256];
    struct game game = new_private(headers), other = new_private(headers);

    get_ticket(&game, game.token, rest);
    assert_refused(house.plyd.port, &other, rest, SSE, 401, "token-unknown");
}

Test(streams, a_ticket_sees_what_its_maker_sees)
{
    char rest[256];
    struct player ada = new_player(&house, "Ada");
    struct game game = new_game_of(&house, ada.token,
                                   "{\"variant\":\"jungle\",\"visibility\":\"private\",\"seats\":[{"
                                   "\"me\":true},{\"open\":true}]}");
    struct stream stream;

    get_ticket(&game, ada.token, rest);
    strcat(rest, "&snapshot=true");
    stream = follow(house.plyd.port, &game, rest, SSE);
    cr_assert_not_null(strstr(next(&stream).data, "\"you\":{\"seats\":[1]"));
    stream_close(&stream);
}

Test(streams, a_ticket_ends_with_the_token_that_made_it)
{
    char headers[160], rest[256];
    struct game game = new_private(headers);

    get_ticket(&game, game.token, rest);
    replace_token(&game);
    assert_refused(house.plyd.port, &game, rest, SSE, 404, "no-such-game");
}

Test(streams, tickets_are_for_those_who_play)
{
    struct game game = new_jungle();
    struct player eve = new_player(&house, "Eve");
    struct answer answer = ask_at(&house, NULL, "POST", NULL, "/v1/games/%s/ticket", game.id);

    assert_problem(&answer, 401, "token-missing");
    answer = ask_at(&house, eve.token, "POST", NULL, "/v1/games/%s/ticket", game.id);
    assert_problem(&answer, 403, "not-your-seat");
}

/* ---- quotas ---- */

/* A game whose log takes some 400 KiB. */
Test(streams, the_past_is_charged_as_pages_of_the_list_are)
{
    static const char headers[] = SSE "X-Forwarded-For: 203.0.113.9\r\n";
    enum { PLIES = 1600 };
    struct game game = new_long();
    struct stream_message message;
    struct stream stream;
    int id = 0;

    play_on(&game, 0, PLIES);
    plyd_start(&house.second, house.database, "--trusted-proxies", "1", "--quota-address", "4",
               "--quota-window-s", "3600", "--loops", "1", NULL);
    stream = follow(house.second.port, &game, "?after=0", headers);
    while (stream_message(&stream, &message))
        id = message.id;
    cr_assert_gt(id, 200);
    cr_assert_lt(id, PLIES, "it is told no more than the quota allows");
    stream_close(&stream);
    assert_refused(house.second.port, &game, "?after=0", headers, 429, "quota-exceeded");
}
