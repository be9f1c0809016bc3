/* test_metadata.c - what an application keeps with a game. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/http/house.h"

HOUSE_SUITE(metadata, house_share, HOUSE_PATIENCE_S);

/* Makes a game with these metadata. */
static struct answer make(const char *token, const char *metadata)
{
    char body[3000];

    snprintf(body, sizeof(body), "{\"variant\":\"tictactoe\",\"metadata\":%s}", metadata);
    return ask_as(&house, token, "POST", "/v1/games", body);
}

static void assert_shown(const char *given, const char *shown)
{
    struct answer answer = make(NULL, given);
    char *text;

    assert_status(&answer, 201);
    text = cJSON_PrintUnformatted(member(&answer, "metadata"));
    cr_assert_str_eq(text, shown);
    free(text);
}

Test(metadata, they_are_shown_as_texts_with_the_game)
{
    assert_shown("{\"tournament\":\"Spring \\\"26\\\"\",\"table\":5}",
                 "{\"tournament\":\"Spring \\\"26\\\"\",\"table\":\"5\"}");
}

Test(metadata, a_game_without_any_shows_none)
{
    struct answer answer = make(NULL, "{}");

    assert_status(&answer, 201);
    cr_assert_not(has(&answer, "metadata"));
}

/* The answer that makes a game has members of these names, too. */
Test(metadata, names_that_an_answer_uses_itself_do_not_break_it)
{
    static const char names[] = "{\"a\":\"\\\"{\",\"token\":\"plyd_seat_x\",\"game\":\"y\"}";
    struct answer answer = make(NULL, names);
    const cJSON *own;

    assert_status(&answer, 201);
    own = cJSON_GetObjectItem(member(&answer, "game"), "metadata");
    cr_assert(cJSON_Compare(own, member(&answer, "metadata"), true));
    cr_assert_eq(cJSON_GetArraySize(own), 3);
    cr_assert_eq(strlen(text_of(&answer, "token")), strlen("plyd_seat_") + 32);
}

Test(metadata, what_does_not_fit_is_refused)
{
    static const char *const bad[] = {
        "[]",         "\"x\"",       "{\"a b\":\"1\"}",    "{\"\":\"1\"}",
        "{\"a\":{}}", "{\"a\":[1]}", "{\"a\":\"\\u202e\"}"};
    struct answer answer;
    char large[1200];

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        answer = make(NULL, bad[i]);
        cr_expect_eq(answer.status, 400, "%s", bad[i]);
    }
    snprintf(large, sizeof(large), "{\"a\":\"%01017d\"}", 0);
    answer = make(NULL, large);
    assert_problem(&answer, 400, "bad-parameter");
    snprintf(large, sizeof(large), "{\"a\":\"%01016d\"}", 0);
    answer = make(NULL, large);
    assert_status(&answer, 201);
}

/* How many of a player's games a list has. */
static int found(const struct player *player, const char *query)
{
    struct answer answer = ask_at(&house, player->token, "GET", NULL, "/v1/me/games?%s", query);
    int count;

    assert_status(&answer, 200);
    count = cJSON_GetArraySize(member(&answer, "items"));
    return count;
}

Test(metadata, a_player_finds_their_own_games_by_one_of_them)
{
    struct player ada = new_player(&house, "Ada"), eve = new_player(&house, "Eve");
    static const char *const games[] = {"{\"tournament\":\"Spring\",\"table\":\"5\"}",
                                        "{\"tournament\":\"Spring\",\"table\":\"55\"}",
                                        "{\"note\":\"\\\"table\\\":\\\"5\\\"\"}",
                                        "{\"table\":\"a:b&c=ü\"}", "{}"};

    for (size_t i = 0; i < sizeof(games) / sizeof(games[0]); i++) {
        struct answer answer = make(ada.token, games[i]);

        assert_status(&answer, 201);
    }
    cr_assert_eq(found(&ada, "metadata=tournament:Spring"), 2);
    cr_assert_eq(found(&ada, "metadata=table:5"), 1);
    cr_assert_eq(found(&ada, "metadata=table:a%3Ab%26c%3D%C3%BC"), 1);
    cr_assert_eq(found(&ada, "metadata=table:"), 0);
    cr_assert_eq(found(&ada, "limit=50"), 5);
    cr_assert_eq(found(&eve, "metadata=table:5"), 0);
}

Test(metadata, the_next_page_is_of_the_same_games)
{
    struct player ada = new_player(&house, "Ada");
    struct answer answer;
    char next[512];

    for (int i = 0; i < 4; i++) {
        answer = make(ada.token, i % 2 == 0 ? "{\"t\":\"a&b\"}" : "{\"t\":\"c\"}");
    }
    answer = ask_as(&house, ada.token, "GET", "/v1/me/games?metadata=t:a%26b&limit=1", NULL);
    snprintf(next, sizeof(next), "%s", text_of(&answer, "next"));
    answer = ask_as(&house, ada.token, "GET", next, NULL);
    assert_status(&answer, 200);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 1);
    cr_assert_str_eq(text_of(&answer, "items.0.metadata.t"), "a&b");
    cr_assert(cJSON_IsNull(member(&answer, "next")));
}

Test(metadata, a_search_without_a_name_is_refused)
{
    struct player ada = new_player(&house, "Ada");
    static const char *const bad[] = {"table", ":5", "a+b:5", "%22a%22:5"};

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct answer answer =
            ask_at(&house, ada.token, "GET", NULL, "/v1/me/games?metadata=%s", bad[i]);

        assert_problem(&answer, 400, "bad-parameter");
    }
}
