/* test_feeds.c - the events of all games of a player: as a stream, page by page, and asked for
 * again when nothing has happened. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/http/house.h"
#include "tests/support/hours.h"
#include "tests/support/pg.h"
#include "tests/support/stream.h"

#define SSE   "Accept: text/event-stream\r\n"
#define LINES "Accept: application/x-ndjson\r\n"

static struct house house;
static struct player ada, mia, eve;

static void open_house(void)
{
    house_open(&house);
    ada = new_player(&house, "Ada");
    mia = new_player(&house, "Mia");
    eve = new_player(&house, "Eve");
}

static void close_house(void)
{
    house_close(&house);
}

TestSuite(feeds, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

/* ---- asking ---- */

/* Opens a stream of a player's games; `rest` follows the address. Anything but a stream fails. */
static struct stream follow(int port, const char *token, const char *rest, const char *headers)
{
    char path[256], all[512] = "";
    struct http_reply head;
    struct stream stream;
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/me/events%s", rest);
    if (token != NULL)
        snprintf(all, sizeof(all), "Authorization: Bearer %s\r\n", token);
    strcat(all, headers);
    stream_open(&stream, port, path, all, &head);
    answer = answer_of(&house, "GET", path, head);
    assert_status(&answer, 200);
    return stream;
}

static struct stream_message next(struct stream *stream)
{
    struct stream_message message;

    cr_assert(stream_message(stream, &message), "the stream has ended");
    return message;
}

/* What a message is about. */
struct sent_events {
    char game[32], cursor[80], type[32];
    int version;
};

static struct sent_events told_of(const cJSON *json)
{
    struct sent_events told = {.version = cJSON_GetObjectItem(json, "version")->valueint};

    snprintf(told.game, sizeof(told.game), "%s", cJSON_GetObjectItem(json, "game")->valuestring);
    snprintf(told.type, sizeof(told.type), "%s", cJSON_GetObjectItem(json, "type")->valuestring);
    snprintf(told.cursor, sizeof(told.cursor), "%s",
             cJSON_GetObjectItem(json, "cursor")->valuestring);
    return told;
}

static struct sent_events read_event(const char *data)
{
    cJSON *json = cJSON_Parse(data);
    struct sent_events told;

    cr_assert_not_null(json, "%s", data);
    told = told_of(json);
    cJSON_Delete(json);
    return told;
}

static struct sent_events next_event(struct stream *stream)
{
    struct stream_message message = next(stream);
    struct sent_events told = read_event(message.data);

    cr_assert_str_eq(message.cursor, told.cursor);
    cr_assert_str_eq(message.event, told.type);
    return told;
}

static void assert_told(const struct sent_events *told, const char *game, int version,
                        const char *type)
{
    cr_assert(strcmp(told->game, game) == 0 && told->version == version,
              "%s %d %s is told, not %s %d %s", told->game, told->version, told->type, game,
              version, type);
    cr_assert_str_eq(told->type, type);
}

static void assert_next(struct stream *stream, const char *game, int version, const char *type)
{
    struct sent_events told = next_event(stream);

    assert_told(&told, game, version, type);
}

static struct game game_of(const struct player *player)
{
    return new_game_of(&house, player->token, "{\"variant\":\"jungle\"}");
}

static void play_at(int port, const struct game *game, const char *move)
{
    char headers[160], path[80];
    struct http_reply reply;

    snprintf(path, sizeof(path), "/v1/games/%s/moves", game->id);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nContent-Type: text/plain\r\n",
             game->token);
    http_request(port, &reply, "POST", path, headers, move);
    cr_assert_eq(reply.status, 201, "%s", reply.body);
    http_free(&reply);
}

static struct answer page(const char *token, const char *rest)
{
    return ask_at(&house, token, "GET", NULL, "/v1/me/events%s", rest);
}

/* ---- what is told ---- */

Test(feeds, a_move_in_any_game_of_a_player_is_told_when_it_is_played)
{
    struct game a = game_of(&ada), b = game_of(&ada);
    struct stream stream = follow(house.plyd.port, ada.token, "", SSE);

    play(&house, &a, "g3g4");
    assert_next(&stream, a.id, 2, "move");
    play(&house, &b, "g3g4");
    assert_next(&stream, b.id, 2, "move");
    play(&house, &a, "a7a6");
    assert_next(&stream, a.id, 3, "move");
    stream_close(&stream);
}

Test(feeds, games_that_begin_while_a_stream_is_open_are_on_it)
{
    struct stream stream = follow(house.plyd.port, ada.token, "", SSE);
    struct game mine = game_of(&ada), theirs;
    struct answer answer;
    struct sent_events told;

    assert_next(&stream, mine.id, 1, "created");
    theirs = new_game_of(&house, mia.token,
                         "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    answer = ask_at(&house, ada.token, "POST", "{}", "/v1/games/%s/join", theirs.id);
    assert_status(&answer, 200);
    told = next_event(&stream);
    if (told.version == 1) /* it was made a moment ago */
        told = next_event(&stream);
    assert_told(&told, theirs.id, 2, "joined");
    answer = ask_at(&house, mine.token, "POST", "{}", "/v1/games/%s/resign", mine.id);
    assert_next(&stream, mine.id, 2, "resigned");
    answer = ask_at(&house, mine.token, "POST", "{}", "/v1/games/%s/rematch", mine.id);
    assert_status(&answer, 201);
    told = next_event(&stream);
    if (strcmp(told.game, mine.id) == 0)
        told = next_event(&stream);
    assert_told(&told, text_of(&answer, "id"), 1, "created");
    stream_close(&stream);
}

Test(feeds, games_of_others_are_not_on_it)
{
    struct stream stream = follow(house.plyd.port, eve.token, "", SSE);
    struct game theirs = game_of(&ada), mine;

    play(&house, &theirs, "g3g4");
    mine = game_of(&eve);
    assert_next(&stream, mine.id, 1, "created");
    stream_close(&stream);
}

Test(feeds, what_another_daemon_writes_is_told)
{
    struct game game = game_of(&ada);
    struct stream stream;

    house_open_second(&house);
    stream = follow(house.plyd.port, ada.token, "", SSE);
    play_at(house.second.port, &game, "g3g4");
    assert_next(&stream, game.id, 2, "move");
    stream_close(&stream);
}

Test(feeds, lines_have_the_same_objects)
{
    struct game game = game_of(&ada);
    struct stream stream = follow(house.plyd.port, ada.token, "", LINES);
    struct sent_events told;
    const char *line;

    play(&house, &game, "g3g4");
    cr_assert(stream_line(&stream, &line));
    told = read_event(line);
    assert_told(&told, game.id, 2, "move");
    stream_close(&stream);
}

/* ---- going on ---- */

enum { GAMES = 5, MOVES = 30 };

static const char *const moves[] = {"g3g4", "a7a6", "g4g3", "a6a7"};

static void make_games(struct game *games, int count)
{
    for (int i = 0; i < count; i++)
        games[i] = new_game_of(
            &house, ada.token,
            "{\"variant\":\"jungle\",\"options\":{\"draw_rounds\":0,\"repetition\":0}}");
}

static int game_at(const struct game *games, const char *id)
{
    int i = 0;

    while (strcmp(games[i].id, id) != 0)
        i++;
    return i;
}

/* Events come in order for each game, and none is missed; one may come again. */
static void hear(const struct game games[GAMES], int heard[GAMES], const struct sent_events *told)
{
    int *last = &heard[game_at(games, told->game)];

    cr_assert_leq(told->version, *last + 1, "version %d after %d", told->version, *last);
    if (told->version > *last)
        *last = told->version;
}

static void hear_page(const struct game games[GAMES], int heard[GAMES], const struct answer *page)
{
    const cJSON *item;

    cJSON_ArrayForEach(item, member(page, "items"))
    {
        struct sent_events told = told_of(item);

        hear(games, heard, &told);
    }
}

static int sum(const int heard[GAMES])
{
    int all = 0;

    for (int i = 0; i < GAMES; i++)
        all += heard[i];
    return all;
}

Test(feeds, a_client_that_is_cut_after_any_message_goes_on_at_any_daemon)
{
    struct game games[GAMES];
    int heard[GAMES] = {0}, ports[2];
    char headers[200] = SSE;
    int streams = 0;

    make_games(games, GAMES);
    house_open_second(&house);
    ports[0] = house.plyd.port;
    ports[1] = house.second.port;
    for (int i = 0; i < MOVES * GAMES; i++)
        play_at(ports[i % 2], &games[i % GAMES], moves[i / GAMES % 4]);
    while (sum(heard) < (MOVES + 1) * GAMES) {
        struct stream stream = follow(ports[streams % 2], ada.token, "?after=0", headers);
        int count = 1 + streams++ * 7 % 23;

        while (count-- > 0 && sum(heard) < (MOVES + 1) * GAMES) {
            struct sent_events told = next_event(&stream);

            hear(games, heard, &told);
            snprintf(headers, sizeof(headers), SSE "Last-Event-ID: %s\r\n", told.cursor);
        }
        stream_close(&stream);
    }
}

Test(feeds, blanks_behind_the_last_id_are_no_part_of_it)
{
    struct game game = game_of(&ada);
    struct stream stream = follow(house.plyd.port, ada.token, "?after=0", SSE);
    struct sent_events told = next_event(&stream);
    char headers[200];

    stream_close(&stream);
    snprintf(headers, sizeof(headers), SSE "Last-Event-ID: %s \t\r\n", told.cursor);
    stream = follow(house.plyd.port, ada.token, "", headers);
    play_at(house.plyd.port, &game, moves[0]);
    while (told.version != 2)
        told = next_event(&stream);
    stream_close(&stream);
}

Test(feeds, a_long_past_is_told_page_by_page_and_each_event_once)
{
    struct game games[GAMES];
    int heard[GAMES] = {0};
    struct stream stream;

    make_games(games, GAMES);
    for (int i = 0; i < MOVES * GAMES; i++)
        play(&house, &games[i % GAMES], moves[i / GAMES % 4]);
    stream = follow(house.plyd.port, ada.token, "?after=0", SSE);
    for (int i = 0; i < (MOVES + 1) * GAMES; i++) {
        struct sent_events told = next_event(&stream);

        cr_assert_eq(told.version, heard[game_at(games, told.game)] + 1);
        hear(games, heard, &told);
    }
    play(&house, &games[2], moves[MOVES % 4]);
    assert_next(&stream, games[2].id, MOVES + 2, "move");
    stream_close(&stream);
}

Test(feeds, pages_lead_through_everything_and_then_to_what_is_new)
{
    struct game games[GAMES];
    int heard[GAMES] = {0}, pages = 0;
    struct answer answer;
    char cursor[100] = "?after=0&limit=7";

    make_games(games, GAMES);
    for (int i = 0; i < 20; i++)
        play(&house, &games[i % GAMES], moves[i / GAMES % 4]);
    do {
        char *rest;

        answer = page(ada.token, cursor);
        assert_status(&answer, 200);
        cr_assert_leq(cJSON_GetArraySize(member(&answer, "items")), 7);
        hear_page(games, heard, &answer);
        rest = cJSON_IsNull(member(&answer, "next")) ? NULL : strchr(text_of(&answer, "next"), '?');
        snprintf(cursor, sizeof(cursor), "%s", rest == NULL ? "" : rest);
        if (rest == NULL)
            snprintf(cursor + 90, 10, " ");
        pages++;
    } while (cursor[0] != '\0');
    cr_assert_eq(sum(heard), 20 + GAMES);
    cr_assert_eq(pages, 4);
    snprintf(cursor, sizeof(cursor), "?after=%s", text_of(&answer, "cursor"));
    play(&house, &games[3], moves[4 % 4]);
    answer = page(ada.token, cursor);
    hear_page(games, heard, &answer);
    cr_assert_eq(sum(heard), 21 + GAMES);
}

Test(feeds, without_a_cursor_a_page_has_one_and_no_events)
{
    struct game game = game_of(&ada);
    struct answer answer = page(ada.token, "");
    char rest[100];

    assert_status(&answer, 200);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 0);
    cr_assert(cJSON_IsNull(member(&answer, "next")));
    snprintf(rest, sizeof(rest), "?after=%s", text_of(&answer, "cursor"));
    play(&house, &game, "g3g4");
    answer = page(ada.token, rest);
    cr_assert_not_null(strstr(answer.reply.body, "\"move\":\"g3g4\""));
}

/* ---- going on from every event ---- */

enum { MANY = 30, LONG = 2, PAST_EVENTS = 320 };

/* All events of a player's games, in the order in which a stream has told them. */
struct past {
    struct game games[MANY];
    struct sent_events event[PAST_EVENTS];
    cJSON *json[PAST_EVENTS]; /* without what the log of a game does not say */
    size_t count;
};

/* Most games have so few events that a page of the database ends with its games, and the last ones
 * have more than a page. All of this is so old that no pass finds it a second time. */
static size_t make_past(struct past *past)
{
    size_t count = MANY;

    make_games(past->games, MANY);
    for (int i = 0; i < MANY; i++)
        for (int n = 0; n < (i < MANY - LONG ? i % 2 : 70); n++, count++)
            play(&house, &past->games[i], moves[n % 4]);
    house_sql(&house, "update events set written_at ="
                      " (written_at at time zone 'UTC' - interval '1 hour') at time zone 'UTC'");
    return count;
}

static void read_past(struct past *past, size_t count)
{
    struct stream stream = follow(house.plyd.port, ada.token, "?after=0", SSE);

    cr_assert_leq(count, PAST_EVENTS);
    while (past->count < count) {
        cJSON *json = cJSON_Parse(next(&stream).data);

        past->event[past->count] = told_of(json);
        cJSON_DeleteItemFromObject(json, "game");
        cJSON_DeleteItemFromObject(json, "cursor");
        past->json[past->count++] = json;
    }
    stream_close(&stream);
}

/* What was told of a game is its log. */
static void assert_log(const struct past *past, const struct game *game)
{
    struct answer log =
        ask_at(&house, ada.token, "GET", NULL, "/v1/games/%s/events?limit=200", game->id);
    const cJSON *item = member(&log, "items")->child;

    for (size_t i = 0; i < past->count; i++) {
        if (strcmp(past->event[i].game, game->id) != 0)
            continue;
        cr_assert(cJSON_Compare(past->json[i], item, true), "version %d of %s is told wrongly",
                  past->event[i].version, game->id);
        item = item->next;
    }
    cr_assert_null(item, "%s is not told to its end", game->id);
}

static struct past open_past(void)
{
    struct past past = {.count = 0};

    read_past(&past, make_past(&past));
    for (int i = 0; i < MANY; i++)
        assert_log(&past, &past.games[i]);
    return past;
}

static void close_past(struct past *past)
{
    for (size_t i = 0; i < past->count; i++)
        cJSON_Delete(past->json[i]);
}

static void assert_past(const struct past *past, size_t at, const struct sent_events *told)
{
    const struct sent_events *event = &past->event[at];

    cr_assert_lt(at, past->count, "%s %d is told once more", told->game, told->version);
    assert_told(told, event->game, event->version, event->type);
}

/* Another move of the game that is told last, so it stands behind all that is old. */
static struct sent_events play_last(const struct past *past)
{
    struct sent_events told = past->event[past->count - 1];

    play(&house, &past->games[game_at(past->games, told.game)], moves[(told.version - 1) % 4]);
    told.version++;
    return told;
}

Test(feeds, a_stream_goes_on_from_any_event_with_the_rest_each_once)
{
    struct past past = open_past();
    struct sent_events fresh = play_last(&past);

    for (size_t i = 0; i < past.count; i++) {
        char rest[120] = "?after=0", headers[200] = SSE;
        struct stream stream;

        if (i % 2 == 0)
            snprintf(rest, sizeof(rest), "?after=%s", past.event[i].cursor);
        else
            snprintf(headers, sizeof(headers), SSE "Last-Event-ID: %s\r\n", past.event[i].cursor);
        stream = follow(house.plyd.port, ada.token, rest, headers);
        for (size_t at = i + 1; at < past.count; at++) {
            struct sent_events told = next_event(&stream);

            assert_past(&past, at, &told);
        }
        assert_next(&stream, fresh.game, fresh.version, "move");
        stream_close(&stream);
    }
    close_past(&past);
}

/* Each page is asked for behind the last event of the one before, or as that one says. */
static void assert_pages(const struct past *past, int limit, bool by_next)
{
    char path[200];
    size_t at = 0;

    snprintf(path, sizeof(path), "/v1/me/events?after=0&limit=%d", limit);
    while (path[0] != '\0') {
        struct answer answer = ask_as(&house, ada.token, "GET", path, NULL);
        const cJSON *item;

        assert_status(&answer, 200);
        path[0] = '\0';
        cJSON_ArrayForEach(item, member(&answer, "items"))
        {
            struct sent_events told = told_of(item);

            assert_past(past, at++, &told);
            snprintf(path, sizeof(path), "/v1/me/events?after=%s&limit=%d", told.cursor, limit);
        }
        if (by_next)
            snprintf(path, sizeof(path), "%s",
                     cJSON_IsNull(member(&answer, "next")) ? "" : text_of(&answer, "next"));
    }
    cr_assert_eq(at, past->count, "the last page ends after %zu of %zu", at, past->count);
}

Test(feeds, pages_of_any_length_lead_through_all_games_by_their_events_and_by_their_next)
{
    static const int limits[] = {5, 8, 9, 64, 200};
    struct past past = open_past();

    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        assert_pages(&past, limits[i], false);
        assert_pages(&past, limits[i], true);
    }
    close_past(&past);
}

/* ---- at the very moment ---- */

/* A house where the server's time stands still: that of what is written, and of a pass's end. The
 * column's default was made before, and has another now(). */
static void open_still_house(void)
{
    house.database = hours_borrow();
    house_sql(&house, "create table moment as select pg_catalog.now() - interval '1 hour' as at;"
                      " create function now() returns timestamptz language sql stable"
                      " as 'select at from moment';"
                      " create function stamp() returns trigger language plpgsql"
                      " as 'begin new.written_at := now(); return new; end';"
                      " create trigger stamp before insert on events"
                      " for each row execute function stamp()");
    house_open_on(&house, house.database);
    ada = new_player(&house, "Ada");
}

/* Each pass finds the first game again, and the third the second game, too. */
Test(feed_moments, what_was_written_when_a_pass_ends_is_told_once, .timeout = HOUSE_PATIENCE_S)
{
    struct game first, second;
    struct stream stream;

    PG_PLAIN_ONLY("another now(), and a trigger");
    open_still_house();
    first = game_of(&ada);
    house_sql(&house, "update moment set at = at + interval '1 second'");
    stream = follow(house.plyd.port, ada.token, "?after=0", SSE);
    assert_next(&stream, first.id, 1, "created");
    second = game_of(&ada);
    assert_next(&stream, second.id, 1, "created");
    play(&house, &second, "g3g4");
    assert_next(&stream, second.id, 2, "move");
    play(&house, &first, "g3g4");
    assert_next(&stream, first.id, 2, "move");
    stream_close(&stream);
    close_house();
}

/* ---- 304 ---- */

/* Asks with the ETag of the answer before. */
static int asked_again(const char *path, const char *etag)
{
    char headers[512];
    struct answer answer;
    int status;

    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nIf-None-Match: %s\r\n",
             ada.token, etag);
    answer = ask(&house, "GET", path, headers, NULL);
    status = answer.status;
    return status;
}

Test(feeds, what_a_player_asks_for_again_is_304_until_something_happens_in_a_game)
{
    static const char *const paths[] = {"/v1/me/games", "/v1/me/next", "/v1/me/events?after=0"};
    struct game game = game_of(&ada), other = game_of(&mia);

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        struct answer answer = ask_as(&house, ada.token, "GET", paths[i], NULL);
        char etag[256];

        assert_status(&answer, 200);
        cr_assert(http_header(&answer.reply, "ETag", etag) != NULL);
        cr_assert_eq(asked_again(paths[i], etag), 304, "%s", paths[i]);
        play(&house, &other, moves[i]);
        cr_assert_eq(asked_again(paths[i], etag), 304, "%s", paths[i]);
        play(&house, &game, moves[i]);
        cr_assert_eq(asked_again(paths[i], etag), 200, "%s", paths[i]);
    }
}

/* ---- who may ask ---- */

static void assert_refused(const char *token, const char *rest, const char *form, int status,
                           const char *code)
{
    char headers[300] = "", path[300];
    struct answer answer;

    if (token != NULL)
        snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", token);
    strcat(headers, form);
    snprintf(path, sizeof(path), "/v1/me/events%s", rest);
    answer = ask(&house, "GET", path, headers, NULL);
    assert_problem(&answer, status, code);
}

Test(feeds, only_players_have_one)
{
    struct game game = game_of(&ada);

    assert_refused(NULL, "", "", 401, "token-missing");
    assert_refused(NULL, "", SSE, 401, "token-missing");
    assert_refused(game.token, "", SSE, 401, "token-unknown");
}

Test(feeds, a_text_that_is_no_cursor_is_refused)
{
    assert_refused(ada.token, "?after=17", "", 400, "bad-cursor");
    assert_refused(ada.token, "?after=17", SSE, 400, "bad-cursor");
    assert_refused(ada.token, "", SSE "Last-Event-ID: 17\r\n", 400, "bad-cursor");
}

static void get_ticket(const char *token, const char *path, char rest[256])
{
    struct answer answer = ask_as(&house, token, "POST", path, NULL);

    assert_status(&answer, 201);
    snprintf(rest, 256, "?ticket=%s", text_of(&answer, "ticket"));
}

Test(feeds, a_ticket_opens_one_stream_at_any_daemon)
{
    struct game game = game_of(&ada);
    struct stream stream;
    char rest[256];

    house_open_second(&house);
    get_ticket(ada.token, "/v1/me/ticket", rest);
    stream = follow(house.second.port, NULL, rest, SSE);
    assert_refused(NULL, rest, SSE, 401, "token-unknown");
    play_at(house.second.port, &game, "g3g4");
    assert_next(&stream, game.id, 2, "move");
    stream_close(&stream);
}

Test(feeds, a_ticket_of_a_game_is_not_for_it_nor_the_other_way_round)
{
    struct game game = game_of(&ada);
    struct answer answer;
    char rest[256], path[64], all[340];

    snprintf(path, sizeof(path), "/v1/games/%s/ticket", game.id);
    get_ticket(ada.token, path, rest);
    assert_refused(NULL, rest, SSE, 401, "token-unknown");
    get_ticket(ada.token, "/v1/me/ticket", rest);
    snprintf(all, sizeof(all), "/v1/games/%s/events%s", game.id, rest);
    answer = ask(&house, "GET", all, SSE, NULL);
    assert_problem(&answer, 401, "token-unknown");
}

Test(feeds, a_ticket_ends_with_the_token_that_made_it)
{
    char rest[256];

    get_ticket(ada.token, "/v1/me/ticket", rest);
    replace_player_token(&house, &ada);
    assert_refused(NULL, rest, SSE, 401, "token-unknown");
}

Test(feeds, a_stream_ends_when_its_token_is_replaced)
{
    struct stream stream = follow(house.plyd.port, ada.token, "", SSE);
    struct stream_message message;

    replace_player_token(&house, &ada);
    cr_assert_not(stream_message(&stream, &message));
    stream_close(&stream);
}

/* ---- quotas ---- */

enum { IN_ALL = 1200, AT_ONCE = 40 }; /* plies: some 400 KiB of events */

static void play_long(const struct game *game)
{
    char body[AT_ONCE * 8] = "{\"moves\":[";

    for (int i = 0; i < AT_ONCE; i++)
        sprintf(body + strlen(body), "%s\"%s\"", i == 0 ? "" : ",", moves[i % 4]);
    strcat(body, "]}");
    for (int i = 0; i < IN_ALL; i += AT_ONCE) {
        struct answer answer =
            ask_at(&house, game->token, "POST", body, "/v1/games/%s/moves", game->id);

        assert_status(&answer, 201);
    }
}

/* A stream of a daemon that allows so little that these events are too much. */
static struct stream follow_on_little(const char *rest)
{
    plyd_start(&house.second, house.database, "--trusted-proxies", "1", "--quota-address", "4",
               "--quota-window-s", "3600", "--loops", "1", NULL);
    return follow(house.second.port, ada.token, rest, SSE "X-Forwarded-For: 203.0.113.9\r\n");
}

static int heard_in_all(struct stream *stream)
{
    struct stream_message message;
    int count = 0;

    while (count < IN_ALL && stream_message(stream, &message))
        count++;
    return count;
}

static struct game new_long(void)
{
    return new_game_of(&house, ada.token,
                       "{\"variant\":\"jungle\",\"options\":{\"draw_rounds\":0,\"repetition\":0}}");
}

Test(feeds, the_past_is_charged_as_pages_are)
{
    struct game game = new_long();
    struct stream stream;

    play_long(&game);
    stream = follow_on_little("?after=0");
    cr_assert_lt(heard_in_all(&stream), IN_ALL, "it is told no more than the quota allows");
    stream_close(&stream);
}

Test(feeds, what_is_new_costs_nothing)
{
    struct game game = new_long();
    struct stream stream = follow_on_little("");

    play_long(&game);
    cr_assert_eq(heard_in_all(&stream), IN_ALL);
    stream_close(&stream);
}

/* It has heard of a look, so it is not about to have another one that finds something. */
Test(feeds, a_stream_that_is_up_to_date_ends_when_its_token_is_replaced)
{
    struct game game = game_of(&ada);
    struct stream stream = follow(house.plyd.port, ada.token, "", SSE);
    struct stream_message message;

    house_open_second(&house);
    play_at(house.second.port, &game, moves[0]);
    assert_next(&stream, game.id, 2, "move");
    replace_player_token(&house, &ada);
    cr_assert_not(stream_message(&stream, &message));
    stream_close(&stream);
}
