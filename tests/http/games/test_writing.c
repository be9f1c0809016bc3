/* test_writing.c - messages to each other, and notes to oneself. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/http/house.h"
#include "tests/support/stream.h"

static struct house house;
static struct game one, two; /* a private game of two people, with the token of each */

static void open_house(void)
{
    struct answer joined;

    house_share(&house);
    one = two = new_game(&house, "{\"variant\":\"jungle\",\"visibility\":\"private\","
                                 "\"seats\":[{\"me\":true},{\"open\":true}]}");
    joined = ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/join", one.id);
    assert_status(&joined, 200);
    snprintf(two.token, sizeof(two.token), "%s", text_of(&joined, "token"));
    play(&house, &one, "g3g4");
}

static void close_house(void)
{
    house_close_verified(&house);
}

TestSuite(writing, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

static struct answer post(const struct game *game, const char *body)
{
    return ask_at(&house, game->token, "POST", body, "/v1/games/%s/messages", game->id);
}

static struct answer note(const struct game *game, int ply, const char *body)
{
    return ask_at(&house, game->token, body == NULL ? "DELETE" : "PUT", body,
                  "/v1/games/%s/notes/%d", game->id, ply);
}

static struct answer notes(const struct game *game)
{
    return ask_at(&house, game->token, "GET", NULL, "/v1/games/%s/notes", game->id);
}

/* A JSON body with a text of so many characters of three bytes each. */
static char *long_text(size_t characters)
{
    char *body = malloc(3 * characters + 32);
    size_t len = (size_t)sprintf(body, "{\"text\":\"");

    for (size_t i = 0; i < characters; i++)
        len += (size_t)sprintf(body + len, "\xe6\xad\xa9");
    sprintf(body + len, "\"}");
    return body;
}

/* ---- messages ---- */

Test(writing, a_message_is_an_event_at_a_ply_that_both_sides_see)
{
    struct answer posted = post(&one, "{\"text\":\" Good luck!\\nAnd have fun. \",\"ply\":0}");
    struct answer events =
        ask_at(&house, two.token, "GET", NULL, "/v1/games/%s/events?type=message", one.id);

    assert_status(&posted, 201);
    cr_assert_str_eq(text_of(&posted, "message.text"), "Good luck!\nAnd have fun.");
    cr_assert_eq(number_of(&posted, "message.seat"), 1);
    cr_assert_eq(number_of(&posted, "message.ply"), 0);
    cr_assert_eq(number_of(&posted, "message.version"), number_of(&posted, "game.version"));
    cr_assert_eq(cJSON_GetArraySize(member(&events, "items")), 1);
    cr_assert_str_eq(text_of(&events, "items.0.data.text"), "Good luck!\nAnd have fun.");
    cr_assert_eq(number_of(&events, "items.0.data.ply"), 0);
    cr_assert_eq(number_of(&events, "items.0.seat"), 1);
}

/* Each place that shows messages. */
static const struct place {
    const char *path, *accept;
    bool endless; /* a stream, which is read up to the move behind the message */
} places[] = {{"events", "application/json", false},
              {"events?type=message", "application/json", false},
              {"events", "text/plain", false},
              {"events?after=0", "text/event-stream", true},
              {"events?after=0", "application/x-ndjson", true},
              {"export?format=json", "application/json", false},
              {"export", "application/json", false}};

/* What somebody is shown there. The caller frees it. */
static char *shown(const struct game *game, const struct place *place, const char *token)
{
    char path[96], headers[256], *text;
    struct http_reply reply;
    struct stream stream;
    const char *line;

    snprintf(path, sizeof(path), "/v1/games/%s/%s", game->id, place->path);
    snprintf(headers, sizeof(headers), "Accept: %s\r\n%s%s%s", place->accept,
             token == NULL ? "" : "Authorization: Bearer ", token == NULL ? "" : token,
             token == NULL ? "" : "\r\n");
    if (!place->endless) {
        struct answer answer = ask(&house, "GET", path, headers, NULL);

        assert_status(&answer, 200);
        text = strdup(answer.reply.body);
        return text;
    }
    stream_open(&stream, house.plyd.port, path, headers, &reply);
    cr_assert_eq(reply.status, 200, "%s", reply.body);
    http_free(&reply);
    text = calloc(1, 1 << 14);
    while (strstr(text, "g3g4") == NULL && stream_line(&stream, &line))
        strcat(text, line);
    stream_close(&stream);
    return text;
}

Test(writing, messages_of_a_game_that_is_not_public_are_told_to_its_players_alone_in_each_place)
{
    static const char *const visibilities[] = {"public", "unlisted"};
    struct player ada = new_player(&house, "Ada"), eve = new_player(&house, "Eve");
    char body[128];

    for (int v = 0; v < 2; v++) {
        struct game game;
        struct answer said;

        snprintf(body, sizeof(body), "{\"variant\":\"jungle\",\"visibility\":\"%s\"}",
                 visibilities[v]);
        game = new_game_of(&house, ada.token, body);
        said = ask_at(&house, ada.token, "POST", "A word", "/v1/games/%s/messages", game.id);
        assert_status(&said, 201);
        play(&house, &game, "g3g4");
        for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
            const char *const tokens[] = {ada.token, game.token, eve.token, NULL};

            for (size_t who = 0; who < sizeof(tokens) / sizeof(tokens[0]); who++) {
                char *text = shown(&game, &places[i], tokens[who]);
                bool reads = who < 2 || v == 0;

                cr_expect_not_null(strstr(text, "message"), "%s %s", places[i].path, text);
                cr_expect_eq(strstr(text, "A word") != NULL, reads, "%s %s, who %zu: %s",
                             places[i].path, places[i].accept, who, text);
                free(text);
            }
        }
    }
}

Test(writing, a_message_that_is_withheld_is_an_event_with_its_ply_and_has_another_tag)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer said = ask_at(&house, game.token, "POST", "{\"text\":\"A word\",\"ply\":0}",
                                "/v1/games/%s/messages", game.id);
    struct answer mine = ask_at(&house, game.token, "GET", NULL, "/v1/games/%s/events", game.id);
    struct answer others = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/events", game.id);
    char tags[2][256];

    assert_status(&said, 201);
    cr_assert_str_eq(text_of(&others, "items.1.type"), "message");
    cr_assert_eq(number_of(&others, "items.1.version"), 2);
    cr_assert_eq(number_of(&others, "items.1.data.ply"), 0);
    cr_assert_not(has(&others, "items.1.data.text"));
    cr_assert_str_neq(http_header(&mine.reply, "ETag", tags[0]),
                      http_header(&others.reply, "ETag", tags[1]));
}

Test(writing, a_record_without_the_texts_of_messages_is_a_game_again)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer said =
        ask_at(&house, game.token, "POST", "A word", "/v1/games/%s/messages", game.id);
    struct answer record =
        ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/export?format=json", game.id);
    struct answer copy = ask_at(&house, NULL, "POST", record.reply.body, "/v1/games/import");

    assert_status(&said, 201);
    assert_status(&copy, 201);
    cr_assert_eq(number_of(&copy, "version"), number_of(&said, "game.version"));
}

Test(writing, a_message_may_come_as_bare_text_and_is_about_the_present_ply)
{
    struct answer posted = post(&two, "Well done");

    assert_status(&posted, 201);
    cr_assert_eq(number_of(&posted, "message.ply"), 1);
    cr_assert_eq(number_of(&posted, "message.seat"), 2);
}

Test(writing, the_lines_of_a_form_end_with_a_newline_alone)
{
    char headers[200], path[64];
    struct answer posted;

    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nContent-Type: application/x-www-form-urlencoded\r\n",
             one.token);
    snprintf(path, sizeof(path), "/v1/games/%s/messages", one.id);
    posted = ask(&house, "POST", path, headers, "text=two%0D%0Alines");
    assert_status(&posted, 201);
    cr_assert_str_eq(text_of(&posted, "message.text"), "two\nlines");
}

Test(writing, a_message_raises_the_version_and_hinders_no_move)
{
    struct answer posted = post(&one, "Hello"), move;

    cr_assert_eq(number_of(&posted, "game.version"), 4);
    move = ask_at(&house, two.token, "PUT", "a7a6", "/v1/games/%s/moves/2", one.id);
    assert_status(&move, 201);
}

static const struct {
    const char *body;
    int status;
    const char *code;
} bad_messages[] = {{"{}", 400, "bad-parameter"},
                    {"{\"text\":\"  \\n \"}", 400, "bad-parameter"},
                    {"{\"text\":\"bell\\u0007\"}", 400, "bad-parameter"},
                    {"{\"text\":\"carriage\\rreturn\"}", 400, "bad-parameter"},
                    {"{\"text\":\"turned \\u202e around\"}", 400, "bad-parameter"},
                    {"{\"text\":\"a\",\"ply\":-1}", 400, "bad-parameter"},
                    {"{\"text\":\"a\",\"ply\":2}", 404, "no-such-ply"},
                    {"{\"text\":\"a\",\"to\":2}", 422, "unknown-field"}};

Test(writing, what_is_no_message_is_refused)
{
    for (size_t i = 0; i < sizeof(bad_messages) / sizeof(bad_messages[0]); i++) {
        struct answer refused = post(&one, bad_messages[i].body);

        assert_problem(&refused, bad_messages[i].status, bad_messages[i].code);
    }
}

Test(writing, messages_have_1000_characters_and_notes_2000)
{
    static const struct {
        size_t characters;
        int message, note;
    } lengths[] = {{1000, 201, 200}, {1001, 400, 200}, {2000, 400, 200}, {2001, 400, 400}};

    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        char *body = long_text(lengths[i].characters);
        struct answer answer = post(&one, body);

        assert_status(&answer, lengths[i].message);
        answer = note(&one, 0, body);
        assert_status(&answer, lengths[i].note);
        free(body);
    }
}

Test(writing, a_seat_writes_200_messages_at_most)
{
    struct answer answer;

    for (int i = 0; i < 200; i++) {
        answer = post(&one, "Again");
        assert_status(&answer, 201);
    }
    answer = post(&one, "Once too often");
    assert_problem(&answer, 409, "too-many-messages");
    answer = post(&two, "I may");
    assert_status(&answer, 201);
}

Test(writing, a_repeated_message_is_written_once)
{
    char headers[256], path[64], value[256];
    struct answer first, again, events;

    snprintf(
        headers, sizeof(headers),
        "Authorization: Bearer %s\r\nContent-Type: application/json\r\nIdempotency-Key: m1\r\n",
        one.token);
    snprintf(path, sizeof(path), "/v1/games/%s/messages", one.id);
    first = ask(&house, "POST", path, headers, "{\"text\":\"Once\"}");
    again = ask(&house, "POST", path, headers, "{\"text\":\"Once\"}");
    assert_status(&first, 201);
    cr_assert_str_eq(again.reply.body, first.reply.body);
    cr_assert_str_eq(http_header(&again.reply, "Idempotent-Replayed", value), "true");
    events = ask_at(&house, one.token, "GET", NULL, "/v1/games/%s/events?type=message", one.id);
    cr_assert_eq(cJSON_GetArraySize(member(&events, "items")), 1);
}

Test(writing, only_seats_write)
{
    struct player eve = new_player(&house, "Eve");
    struct game open = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer refused =
        ask_at(&house, eve.token, "POST", "Hello", "/v1/games/%s/messages", one.id);

    assert_problem(&refused, 404, "no-such-game");
    refused = ask_at(&house, eve.token, "POST", "Hello", "/v1/games/%s/messages", open.id);
    assert_problem(&refused, 403, "not-your-seat");
    refused = ask_at(&house, eve.token, "GET", NULL, "/v1/games/%s/notes", open.id);
    assert_problem(&refused, 403, "not-your-seat");
    refused = ask_at(&house, NULL, "PUT", "x", "/v1/games/%s/notes/0", open.id);
    assert_problem(&refused, 401, "token-missing");
}

Test(writing, events_as_text_show_a_message_on_one_line)
{
    struct answer events;
    char headers[200], path[64];

    post(&one, "{\"text\":\"two\\nlines\"}");
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nAccept: text/plain\r\n",
             one.token);
    snprintf(path, sizeof(path), "/v1/games/%s/events?type=message", one.id);
    events = ask(&house, "GET", path, headers, NULL);
    cr_assert_not_null(strstr(events.reply.body, "message"));
    cr_assert_not_null(strstr(events.reply.body, ": two lines\n"));
}

Test(writing, events_of_a_type_come_in_pages_and_an_unknown_type_is_refused)
{
    struct answer answer;

    for (int i = 0; i < 3; i++)
        answer = post(&one, "Hello");
    answer =
        ask_at(&house, one.token, "GET", NULL, "/v1/games/%s/events?type=message&limit=2", one.id);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 2);
    cr_assert_not_null(strstr(text_of(&answer, "next"), "type=message"));
    struct answer rest = ask_as(&house, one.token, "GET", text_of(&answer, "next"), NULL);
    cr_assert_eq(cJSON_GetArraySize(member(&rest, "items")), 1);
    cr_assert(cJSON_IsNull(member(&rest, "next")));
    answer = ask_at(&house, one.token, "GET", NULL, "/v1/games/%s/events?type=chat", one.id);
    assert_problem(&answer, 400, "bad-parameter");
}

/* ---- notes ---- */

Test(writing, notes_are_kept_by_ply_and_replaced)
{
    struct answer answer = note(&one, 1, "{\"text\":\"first\"}");

    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "text"), "first");
    answer = note(&one, 0, "before");
    answer = note(&one, 1, "second");
    answer = notes(&one);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 2);
    cr_assert_eq(number_of(&answer, "items.0.ply"), 0);
    cr_assert_str_eq(text_of(&answer, "items.1.text"), "second");
    cr_assert(cJSON_IsNull(member(&answer, "next")));
}

Test(writing, notes_come_in_pages)
{
    struct answer answer = note(&one, 0, "a"), page;

    answer = note(&one, 1, "b");
    page = ask_at(&house, one.token, "GET", NULL, "/v1/games/%s/notes?limit=1", one.id);
    cr_assert_eq(cJSON_GetArraySize(member(&page, "items")), 1);
    answer = ask_as(&house, one.token, "GET", text_of(&page, "next"), NULL);
    cr_assert_str_eq(text_of(&answer, "items.0.text"), "b");
}

Test(writing, a_note_is_deleted_by_an_empty_text_or_by_delete)
{
    static const char *const ways[] = {"{\"text\":\"\"}", NULL, NULL};

    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        struct answer answer;

        if (i < 2)
            answer = note(&one, 1, "gone soon");
        answer = note(&one, 1, ways[i]);
        assert_status(&answer, 204);
        answer = notes(&one);
        cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 0);
    }
}

Test(writing, a_note_is_seen_by_its_seat_alone_and_changes_no_version)
{
    static const char *const paths[] = {"", "/events", "/export?format=json", "/moves", "/notes"};
    struct answer answer = note(&one, 1, "My secret plan"), mine;

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        answer = ask_at(&house, two.token, "GET", NULL, "/v1/games/%s%s", one.id, paths[i]);
        assert_status(&answer, 200);
        cr_assert_null(strstr(answer.reply.body, "secret"), "%s", paths[i]);
    }
    mine = ask_at(&house, one.token, "GET", NULL, "/v1/games/%s", one.id);
    cr_assert_eq(number_of(&mine, "version"), 3);
}

Test(writing, a_note_is_about_a_ply_that_was_reached)
{
    struct answer refused = note(&one, 2, "too early");

    assert_problem(&refused, 404, "no-such-ply");
    refused = note(&one, 1, "bell\a");
    assert_problem(&refused, 400, "bad-parameter");
}

Test(writing, somebody_who_plays_both_seats_has_one_set_of_notes)
{
    struct game alone = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer answer = note(&alone, 0, "both sides are mine");

    play(&house, &alone, "g3g4");
    answer = notes(&alone);
    cr_assert_str_eq(text_of(&answer, "items.0.text"), "both sides are mine");
}
