/* test_results.c - how players have done, counted of what whoever asks may see. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/http/house.h"

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

TestSuite(results, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

/* A game that Mia has won against Ada. */
static struct game match(const char *visibility)
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
    answer = ask_at(&house, ada.token, "POST", "g3g4", "/v1/games/%s/moves", game.id);
    assert_status(&answer, 201);
    answer = ask_at(&house, mia.token, "POST", "a7a6", "/v1/games/%s/moves", game.id);
    assert_status(&answer, 201);
    answer = ask_at(&house, ada.token, "POST", "{}", "/v1/games/%s/resign", game.id);
    assert_status(&answer, 200);
    return game;
}

static struct answer results(const char *token, const struct player *of, const char *query)
{
    struct answer answer =
        ask_at(&house, token, "GET", NULL, "/v1/players/%s/results%s", of->id, query);

    assert_status(&answer, 200);
    return answer;
}

static const char *against(const struct player *player)
{
    static char query[64];

    snprintf(query, sizeof(query), "?against=%s", player->id);
    return query;
}

static void assert_nothing(const struct answer *answer)
{
    cr_assert_str_eq(answer->reply.body, "{\"items\":[],\"more\":false,\"next\":null}\n");
}

Test(results, they_are_told_by_the_game)
{
    struct answer answer;

    match("public");
    match("public");
    answer = results(NULL, &mia, "");
    cr_assert_str_eq(answer.reply.body, "{\"items\":[{\"variant\":\"jungle\",\"games\":2,\"won\":2,"
                                        "\"drawn\":0,\"lost\":0}],\"more\":false,\"next\":null}\n");
    answer = results(NULL, &ada, "");
    cr_assert_eq(number_of(&answer, "items.0.lost"), 2);
}

Test(results, against_a_certain_player_others_are_left_out)
{
    struct answer answer;

    match("public");
    answer = results(NULL, &ada, against(&mia));
    cr_assert_eq(number_of(&answer, "items.0.games"), 1);
    answer = results(NULL, &ada, against(&eve));
    assert_nothing(&answer);
}

Test(results, against_nobody_there_are_none_and_of_nobody_there_is_nothing_to_tell)
{
    struct answer answer = results(NULL, &ada, "?against=00000000000000000000000000");

    assert_nothing(&answer);
    answer = ask_as(&house, NULL, "GET", "/v1/players/00000000000000000000000000/results", NULL);
    assert_problem(&answer, 404, "no-such-player");
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/players/%s/results%s", ada.id, against(&ada));
    assert_problem(&answer, 400, "bad-parameter");
}

Test(results, of_whoever_has_left_nothing_is_told)
{
    struct answer answer;

    match("public");
    ask_as(&house, mia.token, "DELETE", "/v1/me", NULL);
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/players/%s/results", mia.id);
    assert_problem(&answer, 404, "no-such-player");
}

Test(results, a_terminal_has_a_line_for_each_game)
{
    struct answer answer;
    char path[128];

    match("public");
    snprintf(path, sizeof(path), "/v1/players/%s/results", mia.id);
    answer = ask(&house, "GET", path, "Accept: text/plain\r\n", NULL);
    cr_assert_str_eq(answer.reply.body, "jungle                  1 won      0 drawn      0 lost\n");
}

/* What is told of a private game to those who do not sit in it is what was told before. */
Test(results, in_fifty_tries_a_stranger_learns_nothing_of_private_and_unlisted_games)
{
    const char *const tokens[] = {NULL, eve.token};

    match("private");
    match("unlisted");
    for (int i = 0; i < 50; i++) {
        const struct player *of = i % 2 == 0 ? &ada : &mia;
        const char *query = i % 4 < 2 ? "" : against(of == &ada ? &mia : &ada);

        struct answer answer = results(tokens[i / 4 % 2], of, query);

        assert_nothing(&answer);
    }
}

Test(results, those_who_sit_in_a_private_game_see_it_counted)
{
    struct answer answer;

    match("private");
    match("unlisted");
    answer = results(ada.token, &mia, "");
    cr_assert_eq(number_of(&answer, "items.0.won"), 2);
    answer = results(mia.token, &mia, against(&ada));
    cr_assert_eq(number_of(&answer, "items.0.won"), 2);
}
