/* test_subscribed.c - what calendars and feed readers read of a player's games. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/http/house.h"

HOUSE_SUITE(subscribed, house_share, HOUSE_PATIENCE_S);

static const char calendar[] = "/v1/me/deadlines.ics", feed[] = "/v1/me/games.atom";

static struct player ada, bob;

/* A game of Ada's, in which she is to move against Bob, with so many days for it (0: for ever). */
static struct game game_of_both(int days)
{
    char body[160], clock[64] = "";
    struct answer joined;
    struct game game;

    if (*ada.token == '\0') {
        ada = new_player(&house, "Ada");
        bob = new_player(&house, "Bob, the 2nd; <b>\\\\");
    }
    if (days > 0)
        snprintf(clock, sizeof(clock), ",\"clock\":{\"kind\":\"days\",\"days\":%d}", days);
    snprintf(body, sizeof(body),
             "{\"variant\":\"tictactoe\",\"seats\":[{\"me\":true},{\"open\":true}]%s}", clock);
    game = new_game_of(&house, ada.token, body);
    joined = ask_at(&house, bob.token, "POST", "{}", "/v1/games/%s/join", game.id);
    assert_status(&joined, 200);
    return game;
}

static void play_as(const struct game *game, const char *token, const char *move)
{
    char body[32];
    struct answer answer;

    snprintf(body, sizeof(body), "{\"move\":\"%s\"}", move);
    answer = ask_at(&house, token, "POST", body, "/v1/games/%s/moves", game->id);
    assert_status(&answer, 201);
}

/* It lives as long as the test. */
static const char *read_as(const char *token, const char *path)
{
    struct answer answer = ask_as(&house, token, "GET", path, NULL);

    assert_status(&answer, 200);
    return answer.reply.body;
}

static int count_of(const char *text, const char *what)
{
    int count = 0;

    while ((text = strstr(text, what)) != NULL) {
        count++;
        text += strlen(what);
    }
    return count;
}

static void assert_has(const char *text, const char *what)
{
    cr_assert_not_null(strstr(text, what), "\"%s\" is missing in %s", what, text);
}

/* A time of JSON as calendars have it: 20260531T120000Z. */
static void calendar_time(const char *json, char *text)
{
    for (; *json != '.'; json++)
        if (*json != '-' && *json != ':')
            *text++ = *json;
    strcpy(text, "Z");
}

/* ---- the calendar ---- */

Test(subscribed, the_calendar_has_an_entry_at_each_deadline_of_mine)
{
    struct game game = game_of_both(3), timeless = game_of_both(0);
    struct answer answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", game.id);
    const char *text = read_as(ada.token, calendar);
    char line[128] = "\r\nDTSTART:";

    calendar_time(text_of(&answer, "clock.deadline_at"), line + strlen(line));
    cr_assert_eq(count_of(text, "BEGIN:VEVENT\r\n"), 1, "%s", text);
    assert_has(text, line);
    snprintf(line, sizeof(line), "\r\nUID:%s-1-0@plyd\r\n", game.id);
    assert_has(text, line);
    assert_has(text, "\r\nTRIGGER:-PT1080M\r\n"); /* a quarter of three days */
    snprintf(line, sizeof(line), "/play/%s\r\n", game.id);
    assert_has(text, line);
    cr_assert_null(strstr(text, timeless.id));
    cr_assert_str_eq(text + strlen(text) - 15, "END:VCALENDAR\r\n");
}

Test(subscribed, the_calendar_does_not_ring_more_than_a_day_before)
{
    struct game game = game_of_both(14);
    const char *text;

    play_as(&game, ada.token, "a1");
    play_as(&game, bob.token, "b1");
    text = read_as(ada.token, calendar);
    assert_has(text, "\r\nTRIGGER:-PT1440M\r\n");
}

Test(subscribed, a_move_takes_the_deadline_from_one_calendar_to_the_other)
{
    struct game game = game_of_both(3);
    const char *text;

    play_as(&game, ada.token, "a1");
    text = read_as(ada.token, calendar);
    cr_assert_null(strstr(text, "VEVENT"), "%s", text);
    text = read_as(bob.token, calendar);
    cr_assert_eq(count_of(text, "BEGIN:VEVENT\r\n"), 1, "%s", text);
}

Test(subscribed, lines_of_the_calendar_are_short_whole_characters_and_escaped)
{
    const char *line, *end;
    bool went_on = false;

    game_of_both(3);
    line = read_as(ada.token, "/v1/me/deadlines.ics?lang=ja");
    for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        cr_assert(end > line && end[-1] == '\r', "%.80s", line);
        cr_assert_leq(end - line, 76, "%.80s", line);
        went_on |= line[0] == ' ';
        cr_assert((line[line[0] == ' '] & 0xc0) != 0x80, "%.80s", line);
    }
    cr_assert_str_empty(line);
    cr_assert(went_on);
}

/* ---- the feed ---- */

Test(subscribed, the_feed_has_an_entry_for_each_turn_of_mine_and_each_end)
{
    struct game game = game_of_both(3), other = game_of_both(0);
    const char *text = read_as(ada.token, feed);
    char id[96];
    struct answer answer;

    cr_assert_eq(count_of(text, "<entry>"), 2, "%s", text);
    play_as(&game, ada.token, "a1");
    text = read_as(ada.token, feed);
    cr_assert_eq(count_of(text, "<entry>"), 1, "%s", text);
    play_as(&game, bob.token, "b1");
    text = read_as(ada.token, feed);
    snprintf(id, sizeof(id), "<id>tag:plyd,2026:game/%s/1/2</id>", game.id);
    assert_has(text, id);
    assert_has(text, "<summary>2. b1\n");
    answer = ask_at(&house, bob.token, "POST", "{}", "/v1/games/%s/resign", other.id);
    assert_status(&answer, 200);
    text = read_as(bob.token, feed);
    snprintf(id, sizeof(id), "<id>tag:plyd,2026:game/%s/1/0/end</id>", other.id);
    assert_has(text, id);
}

Test(subscribed, names_in_the_feed_are_no_markup)
{
    const char *text;

    game_of_both(0);
    text = read_as(ada.token, feed);
    assert_has(text, "Tic-tac-toe against Bob, the 2nd; &lt;b&gt;\\</title>");
}

/* Its tag, as Ada reads it. */
static void tag_of(const char *path, char etag[256])
{
    struct answer answer = ask_as(&house, ada.token, "GET", path, NULL);

    assert_status(&answer, 200);
    cr_assert_not_null(http_header(&answer.reply, "ETag", etag));
}

static void assert_known(const char *path, const char *etag, int status)
{
    char headers[512];
    struct answer answer;

    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nIf-None-Match: %s\r\n",
             ada.token, etag);
    answer = ask(&house, "GET", path, headers, NULL);
    assert_status(&answer, status);
}

Test(subscribed, what_is_known_is_not_sent_again)
{
    struct game game = game_of_both(3);
    char etag[256];

    tag_of(feed, etag);
    assert_known(feed, etag, 304);
    play_as(&game, ada.token, "a1");
    assert_known(feed, etag, 200);
}

Test(subscribed, what_is_known_in_one_language_is_not_in_another)
{
    char etag[256];

    game_of_both(3);
    tag_of(feed, etag);
    assert_known("/v1/me/games.atom?lang=ja", etag, 200);
}

Test(subscribed, nobody_reads_them_without_a_token)
{
    struct answer answer = ask(&house, "GET", calendar, NULL, NULL);

    assert_problem(&answer, 401, "token-missing");
    answer = ask(&house, "GET", feed, NULL, NULL);
    assert_problem(&answer, 401, "token-missing");
}

/* ---- readers ---- */

struct reader {
    char id[32], deadlines[160], news[160];
};

/* The path and query of an address that an answer shows. */
static void keep_path(char path[160], const struct answer *answer, const char *link)
{
    const char *url = text_of(answer, link), *at = strstr(url, "/v1/");

    cr_assert_not_null(at, "%s", url);
    snprintf(path, 160, "%s", at);
}

static struct reader new_reader(void)
{
    struct reader reader;
    struct answer answer;

    answer = ask_as(&house, ada.token, "POST", "/v1/me/tokens",
                    "{\"name\":\"calendar\",\"kind\":\"reader\"}");
    assert_status(&answer, 201);
    cr_assert_str_eq(text_of(&answer, "kind"), "reader");
    snprintf(reader.id, sizeof(reader.id), "%s", text_of(&answer, "id"));
    keep_path(reader.deadlines, &answer, "links.deadlines");
    keep_path(reader.news, &answer, "links.news");
    return reader;
}

static void assert_ended(const struct reader *reader)
{
    struct answer answer = ask(&house, "GET", reader->deadlines, NULL, NULL);

    assert_problem(&answer, 401, "token-unknown");
    answer = ask(&house, "GET", reader->news, NULL, NULL);
    assert_problem(&answer, 401, "token-unknown");
}

Test(subscribed, a_reader_reads_by_an_address_alone)
{
    struct game game = game_of_both(3);
    struct reader reader = new_reader();

    assert_has(read_as(NULL, reader.deadlines), game.id);
    assert_has(read_as(NULL, reader.news), "<title>Your move: Tic-tac-toe against Bob");
}

Test(subscribed, a_reader_does_nothing_else)
{
    static const char *const refused[][2] = {{"GET", "/v1/games"},      {"POST", "/v1/games"},
                                             {"GET", "/v1/me"},         {"GET", "/v1/me/games"},
                                             {"GET", "/v1/me/tokens"},  {"POST", "/v1/me/ticket"},
                                             {"DELETE", "/v1/me/token"}};
    struct game game = game_of_both(3);
    struct reader reader = new_reader();
    const char *token = strstr(reader.news, "key=") + 4;
    struct answer answer;

    assert_has(read_as(token, feed), game.id);
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        answer = ask_as(&house, token, refused[i][0], refused[i][1], NULL);
        assert_problem(&answer, 401, "token-unknown");
    }
    answer = ask_at(&house, token, "POST", "{\"move\":\"a1\"}", "/v1/games/%s/moves", game.id);
    assert_problem(&answer, 401, "token-unknown");
    answer = ask_at(&house, token, "POST", NULL, "/v1/games/%s/join", game.id);
    assert_problem(&answer, 401, "token-unknown");
}

Test(subscribed, whoever_acts_by_a_readers_token_is_told_what_it_is_for)
{
    struct answer answer;

    game_of_both(3);
    answer = ask_as(&house, strstr(new_reader().news, "key=") + 4, "GET", "/v1/me/games", NULL);
    assert_problem(&answer, 401, "token-unknown");
    assert_has(text_of(&answer, "detail"), "That token only reads a calendar and a feed. ");
    answer = ask_as(&house, "plyd_nobody", "GET", "/v1/me/games", NULL);
    cr_assert_null(strstr(text_of(&answer, "detail"), "calendar"));
}

Test(subscribed, a_token_that_acts_is_no_key)
{
    char path[160];
    struct answer answer;

    game_of_both(3);
    snprintf(path, sizeof(path), "%s?key=%s", feed, ada.token);
    answer = ask(&house, "GET", path, NULL, NULL);
    assert_problem(&answer, 401, "token-unknown");
}

Test(subscribed, a_reader_is_listed_and_ended_by_itself)
{
    struct reader reader, other;
    struct answer answer;

    game_of_both(3);
    reader = new_reader();
    other = new_reader();
    answer = ask_as(&house, ada.token, "GET", "/v1/me/tokens", NULL);
    cr_assert_str_eq(text_of(&answer, "items.1.kind"), "reader");
    cr_assert_str_eq(text_of(&answer, "items.1.name"), "calendar");
    cr_assert(!has(&answer, "items.1.may_end_token_at"));
    answer = ask_at(&house, ada.token, "DELETE", NULL, "/v1/me/tokens/%s", reader.id);
    assert_status(&answer, 204);
    assert_ended(&reader);
    read_as(NULL, other.news);
}

Test(subscribed, a_reader_is_not_what_is_left_of_a_player)
{
    struct answer answer;

    game_of_both(3);
    new_reader();
    answer = ask_as(&house, ada.token, "DELETE", "/v1/me/token", NULL);
    assert_problem(&answer, 409, "last-token");
}

Test(subscribed, the_last_token_that_acts_ends_a_reader)
{
    struct reader reader;
    struct answer answer;

    game_of_both(3);
    reader = new_reader();
    answer = ask_at(&house, ada.token, "DELETE", NULL, "/v1/me/tokens/%s", reader.id);
    assert_status(&answer, 204);
    assert_ended(&reader);
}

Test(subscribed, another_token_of_the_player_ends_readers_that_are_not_kept)
{
    struct reader kept, other;
    struct answer answer;
    char body[64], headers[256];

    game_of_both(3);
    kept = new_reader();
    other = new_reader();
    snprintf(body, sizeof(body), "{\"keep\":[\"%s\"]}", kept.id);
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nIdempotency-Key: 0123456789abcdef\r\n"
             "Content-Type: application/json\r\n",
             ada.token);
    answer = ask(&house, "POST", "/v1/me/token", headers, body);
    assert_status(&answer, 200);
    assert_ended(&other);
    read_as(NULL, kept.news);
}

Test(subscribed, what_is_to_be_kept_must_be_there)
{
    struct answer answer;
    char headers[256];

    game_of_both(3);
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nIdempotency-Key: 0123456789abcdef\r\n"
             "Content-Type: application/json\r\n",
             ada.token);
    answer =
        ask(&house, "POST", "/v1/me/token", headers, "{\"keep\":[\"00000000000000000000000000\"]}");
    assert_problem(&answer, 400, "bad-parameter");
    answer = ask_as(&house, ada.token, "GET", "/v1/me", NULL);
    assert_status(&answer, 200);
}

Test(subscribed, tokens_of_unknown_kinds_are_refused)
{
    struct answer answer;

    game_of_both(3);
    answer =
        ask_as(&house, ada.token, "POST", "/v1/me/tokens", "{\"name\":\"x\",\"kind\":\"admin\"}");
    assert_problem(&answer, 400, "bad-parameter");
}
