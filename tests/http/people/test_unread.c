/* test_unread.c - how far a player has read follows them to each device, and what is new behind
 * that is counted. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/http/house.h"
#include "tests/http/mask.h"

static struct house house;
static struct player ada, mia, eve;

static void open_house(void)
{
    house_share(&house);
    ada = new_player(&house, "Ada");
    mia = new_player(&house, "Mia");
    eve = new_player(&house, "Eve");
}

static void close_house(void)
{
    house_close(&house);
}

TestSuite(unread, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

/* A game of Ada, whose turn is first, and Mia. */
static struct game game_of_two(const char *visibility)
{
    struct answer answer;
    struct game game;
    char body[200];

    snprintf(body, sizeof(body),
             "{\"variant\":\"jungle\",\"visibility\":\"%s\","
             "\"seats\":[{\"me\":true},{\"open\":true}]}",
             visibility);
    game = new_game_of(&house, ada.token, body);
    answer = ask_at(&house, mia.token, "POST", "{}", "/v1/games/%s/join", game.id);
    assert_status(&answer, 200);
    return game;
}

static void do_it(const struct player *player, const struct game *game, const char *what,
                  const char *body)
{
    struct answer answer =
        ask_at(&house, player->token, "POST", body, "/v1/games/%s/%s", game->id, what);

    cr_assert_eq(answer.status / 100, 2, "%s", answer.reply.body);
}

static struct answer mark(const char *token, const char *id, int version)
{
    char body[100];

    snprintf(body, sizeof(body), "{\"games\":{\"%s\":%d}}", id, version);
    return ask_as(&house, token, "PUT", "/v1/me/read", body);
}

static void read_up_to(const struct player *player, const struct game *game, int version)
{
    struct answer answer = mark(player->token, game->id, version);

    assert_status(&answer, 204);
}

static struct answer mine(const char *token, const char *query)
{
    struct answer answer = ask_at(&house, token, "GET", NULL, "/v1/me/games%s", query);

    assert_status(&answer, 200);
    return answer;
}

/* Of the one game that the player has. */
static void assert_news(const struct player *player, int read, int unread)
{
    struct answer answer = mine(player->token, "");

    cr_assert_eq(number_of(&answer, "items.0.read"), read, "%s", answer.reply.body);
    cr_assert_eq(number_of(&answer, "items.0.unread"), unread, "%s", answer.reply.body);
}

/* ---- what is new ---- */

Test(unread, moves_and_messages_of_others_are_new_and_ones_own_are_not)
{
    struct game game = game_of_two("unlisted"); /* created, joined */

    assert_news(&ada, 0, 1);
    assert_news(&mia, 0, 0);
    do_it(&ada, &game, "moves", "{\"move\":\"g3g4\"}");
    do_it(&ada, &game, "messages", "{\"text\":\"Hello!\"}");
    assert_news(&ada, 0, 1);
    assert_news(&mia, 0, 2);
    do_it(&mia, &game, "moves", "{\"move\":\"a7a6\"}");
    assert_news(&ada, 0, 2);
    assert_news(&mia, 0, 2);
}

Test(unread, what_was_read_is_not_new_and_what_follows_is)
{
    struct game game = game_of_two("unlisted");

    do_it(&ada, &game, "moves", "{\"move\":\"g3g4\"}");
    read_up_to(&mia, &game, 3);
    assert_news(&mia, 3, 0);
    do_it(&ada, &game, "messages", "{\"text\":\"Hello!\"}");
    assert_news(&mia, 3, 1);
}

Test(unread, a_game_that_one_has_made_is_not_new_to_oneself)
{
    new_game_of(&house, ada.token, "{\"variant\":\"jungle\"}");
    assert_news(&ada, 0, 0);
}

Test(unread, a_challenge_is_new_to_whom_it_asks_and_not_to_who_asks)
{
    char body[200];

    snprintf(body, sizeof(body),
             "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"player\":\"%s\"}]}", mia.id);
    new_game_of(&house, ada.token, body);
    assert_news(&ada, 0, 0);
    assert_news(&mia, 0, 1);
}

Test(unread, no_more_than_the_last_fifty_events_are_counted)
{
    struct game game = game_of_two("unlisted");

    for (int i = 0; i < 19; i++) /* a seat may write twenty in a row */
        do_it(&ada, &game, "messages", "{\"text\":\"Hello!\"}");
    do_it(&mia, &game, "messages", "{\"text\":\"Hello!\"}");
    for (int i = 0; i < 19; i++)
        do_it(&ada, &game, "messages", "{\"text\":\"Hello!\"}");
    do_it(&mia, &game, "messages", "{\"text\":\"Hello!\"}");
    for (int i = 0; i < 19; i++)
        do_it(&ada, &game, "messages", "{\"text\":\"Hello!\"}");
    assert_news(&mia, 0, 48);
}

Test(unread, only_the_list_of_ones_own_games_says_what_is_new)
{
    struct game game = game_of_two("public");
    struct answer answer = ask_at(&house, mia.token, "GET", NULL, "/v1/games/%s", game.id);

    cr_assert_not(has(&answer, "unread") || has(&answer, "read"));
    answer = ask_as(&house, mia.token, "GET", "/v1/games?limit=1", NULL);
    cr_assert_not(has(&answer, "items.0.unread") || has(&answer, "waiting"));
    answer = ask_at(&house, mia.token, "GET", NULL, "/v1/games?player=%s", ada.id);
    cr_assert_not(has(&answer, "items.0.unread") || has(&answer, "items.0.read"));
}

Test(unread, a_client_may_ask_for_what_is_new_alone)
{
    struct answer answer;

    game_of_two("unlisted");
    answer = mine(ada.token, "?fields=unread");
    cr_assert_eq(number_of(&answer, "items.0.unread"), 1);
    cr_assert_not(has(&answer, "items.0.read") || has(&answer, "items.0.status"));
    answer = mine(ada.token, "?fields=read,ply");
    cr_assert_eq(number_of(&answer, "items.0.read"), 0);
    cr_assert_not(has(&answer, "items.0.unread"));
}

/* ---- devices ---- */

Test(unread, the_other_device_learns_what_was_read)
{
    struct game game = game_of_two("unlisted");
    struct answer phone =
        ask_as(&house, ada.token, "POST", "/v1/me/tokens", "{\"name\":\"phone\"}");
    struct answer answer = mark(text_of(&phone, "token"), game.id, 2);

    assert_status(&answer, 204);
    assert_news(&ada, 2, 0);
}

Test(unread, a_device_that_comes_late_turns_nothing_back)
{
    struct game game = game_of_two("unlisted");

    do_it(&ada, &game, "moves", "{\"move\":\"g3g4\"}");
    read_up_to(&mia, &game, 3);
    read_up_to(&mia, &game, 1);
    read_up_to(&mia, &game, 3);
    assert_news(&mia, 3, 0);
}

Test(unread, nobody_has_read_what_has_not_happened)
{
    struct game game = game_of_two("unlisted");

    read_up_to(&mia, &game, 999999999);
    do_it(&ada, &game, "moves", "{\"move\":\"g3g4\"}");
    assert_news(&mia, 2, 1);
}

Test(unread, several_games_are_marked_at_once_fifty_at_most)
{
    struct game one = game_of_two("unlisted"), two = game_of_two("unlisted");
    char body[4000];
    struct answer answer;

    snprintf(body, sizeof(body), "{\"games\":{\"%s\":2,\"%s\":1}}", one.id, two.id);
    answer = ask_as(&house, ada.token, "PUT", "/v1/me/read", body);
    assert_status(&answer, 204);
    answer = mine(ada.token, "?fields=read");
    cr_assert_eq(number_of(&answer, "items.0.read") + number_of(&answer, "items.1.read"), 3);
    for (int count = 50; count <= 51; count++) {
        char *end = body + sprintf(body, "{\"games\":{");

        for (int i = 0; i < count; i++)
            end += sprintf(end, "%s\"%025d0\":1", i > 0 ? "," : "", i);
        sprintf(end, "}}");
        answer = ask_as(&house, ada.token, "PUT", "/v1/me/read", body);
        assert_status(&answer, count == 50 ? 204 : 400);
    }
}

static struct answer mine_if_changed(const struct player *player, const char *etag)
{
    char headers[400];

    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nIf-None-Match: %s\r\n",
             player->token, etag);
    return ask(&house, "GET", "/v1/me/games", headers, NULL);
}

Test(unread, a_list_that_was_seen_before_is_another_one_once_something_was_read)
{
    struct game game = game_of_two("unlisted");
    struct answer answer = mine(mia.token, "");
    char etag[256];

    cr_assert_not_null(http_header(&answer.reply, "ETag", etag));
    answer = mine_if_changed(&mia, etag);
    assert_status(&answer, 304);
    read_up_to(&ada, &game, 2);
    answer = mine_if_changed(&mia, etag);
    assert_status(&answer, 304);
    read_up_to(&mia, &game, 2);
    answer = mine_if_changed(&mia, etag);
    assert_status(&answer, 200);
    cr_assert_eq(number_of(&answer, "items.0.read"), 2);
}

/* ---- how many wait ---- */

static int waiting(const struct player *player, const char *query)
{
    struct answer answer = mine(player->token, query);

    return number_of(&answer, "waiting");
}

Test(unread, the_list_says_in_how_many_games_it_is_ones_turn_whatever_was_asked_for)
{
    struct game first = game_of_two("unlisted");

    game_of_two("private");
    new_game_of(&house, ada.token,
                "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    cr_assert_eq(waiting(&ada, ""), 2);
    cr_assert_eq(waiting(&mia, ""), 0);
    do_it(&ada, &first, "moves", "{\"move\":\"g3g4\"}");
    cr_assert_eq(waiting(&ada, "?status=finished&limit=1"), 1);
    cr_assert_eq(waiting(&mia, "?fields=ply"), 1);
    do_it(&ada, &first, "resign", "{}");
    cr_assert_eq(waiting(&mia, ""), 0);
}

/* ---- games that are over ---- */

Test(unread, games_that_ended_after_a_time_are_listed_alone)
{
    struct game over = game_of_two("unlisted");
    struct answer answer;

    game_of_two("unlisted");
    do_it(&ada, &over, "moves", "{\"move\":\"g3g4\"}");
    do_it(&mia, &over, "moves", "{\"move\":\"a7a6\"}");
    do_it(&ada, &over, "resign", "{}");
    answer = mine(ada.token, "?ended_after=2020-01-01T00:00:00Z");
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 1);
    cr_assert_str_eq(text_of(&answer, "items.0.id"), over.id);
    answer = mine(ada.token, "?ended_after=1970-01-01T00:00:00Z");
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 1, "since time began");
    answer = mine(ada.token, "?status=finished&ended_after=2999-01-01");
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 0);
    answer = mine(ada.token, "?status=active&ended_after=2020-01-01");
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 0);
}

Test(unread, a_message_behind_the_end_of_a_game_does_not_move_it)
{
    struct game over = game_of_two("unlisted");
    struct answer before, after;

    do_it(&ada, &over, "moves", "{\"move\":\"g3g4\"}");
    do_it(&mia, &over, "resign", "{}");
    before = mine(ada.token, "?fields=ended_at");
    do_it(&mia, &over, "messages", "{\"text\":\"Thank you!\"}");
    after = mine(ada.token, "?fields=ended_at");
    cr_assert_str_eq(text_of(&before, "items.0.ended_at"), text_of(&after, "items.0.ended_at"));
}

Test(unread, a_page_of_games_that_ended_leads_to_the_next_one_of_these)
{
    struct answer answer;

    for (int i = 0; i < 2; i++) {
        struct game game = game_of_two("unlisted");

        do_it(&ada, &game, "moves", "{\"move\":\"g3g4\"}");
        do_it(&mia, &game, "moves", "{\"move\":\"a7a6\"}");
        do_it(&ada, &game, "resign", "{}");
    }
    game_of_two("unlisted");
    answer = mine(ada.token, "?ended_after=2020-01-01T00:00:00Z&limit=1");
    answer = ask_as(&house, ada.token, "GET", text_of(&answer, "next"), NULL);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 1);
    cr_assert(cJSON_IsNull(member(&answer, "next")));
}

/* ---- what nobody learns ---- */

/* Somebody who holds no seat marks one game and a game that there is not, in this way. */
static void assert_same(const char *token, const char *id, int version)
{
    struct answer there = mark(token, id, version);
    struct answer not_there = mark(token, "00000000000000000000000000", version);

    mask_text(there.reply.body);
    mask_text(not_there.reply.body);
    cr_assert_eq(there.status, not_there.status);
    cr_assert_str_eq(there.reply.body, not_there.reply.body);
}

Test(unread, in_fifty_tries_a_stranger_learns_nothing_of_a_private_game_and_changes_nothing)
{
    static const char *const visibilities[] = {"private", "unlisted", "public"};
    struct answer mine_before, answer;

    for (int i = 0; i < 50; i++) {
        struct game game =
            i % 10 == 0 ? game_of_two(visibilities[i / 10 % 3]) : (struct game){{0}, {0}};
        static char id[32];

        if (game.id[0] != '\0')
            snprintf(id, sizeof(id), "%s", game.id);
        assert_same(eve.token, id, i * i);
    }
    answer = mine(eve.token, "");
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 0);
    cr_assert_eq(number_of(&answer, "waiting"), 0);
    mine_before = mine(mia.token, "?fields=read");
    for (int i = 0; i < 5; i++) {
        char path[32];

        snprintf(path, sizeof(path), "items.%d.read", i);
        cr_assert_eq(number_of(&mine_before, path), 0);
    }
}

Test(unread, the_opponent_does_not_learn_how_far_one_has_read)
{
    struct game game = game_of_two("unlisted");
    struct answer before = mine(ada.token, ""), after;
    char etag_before[256], etag_after[256];

    read_up_to(&mia, &game, 2);
    after = mine(ada.token, "");
    cr_assert_str_eq(before.reply.body, after.reply.body);
    http_header(&before.reply, "ETag", etag_before);
    http_header(&after.reply, "ETag", etag_after);
    cr_assert_str_eq(etag_before, etag_after);
}

Test(unread, whoever_is_challenged_reads_that_and_their_own_word_is_not_new)
{
    struct game game;
    char body[120];

    snprintf(body, sizeof(body),
             "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"player\":\"%s\"}]}", mia.id);
    game = new_game_of(&house, ada.token, body);
    assert_news(&mia, 0, 1);
    read_up_to(&mia, &game, 2);
    assert_news(&mia, 2, 0);
    do_it(&mia, &game, "decline", "{\"text\":\"Not this week.\"}");
    assert_news(&mia, 2, 0);
    assert_news(&ada, 0, 1);
}

Test(unread, whoever_is_not_told_of_a_challenge_marks_nothing_in_it)
{
    struct answer answer = ask_at(&house, mia.token, "PUT", NULL, "/v1/me/blocks/%s", ada.id);
    struct game game;
    char body[200];

    snprintf(body, sizeof(body),
             "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"player\":\"%s\"}]}", mia.id);
    game = new_game_of(&house, ada.token, body);
    assert_same(mia.token, game.id, 2);
    answer = mine(mia.token, "");
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 0);
    assert_news(&ada, 0, 0);
}
