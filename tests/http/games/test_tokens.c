/* test_tokens.c - tokens that are replaced: those of seats, and those of players. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/http/house.h"

HOUSE_SUITE(tokens, house_share, HOUSE_PATIENCE_S);

static const char key[] = "0123456789abcdef";

static struct answer replace_with(const char *token, const char *path, const char *with)
{
    char headers[400];

    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n%s%s%s", token,
             with == NULL ? "" : "Idempotency-Key: ", with == NULL ? "" : with,
             with == NULL ? "" : "\r\n");
    return ask(&house, "POST", path, headers, "");
}

static struct answer replace(const struct game *game, const char *with)
{
    char path[64];

    snprintf(path, sizeof(path), "/v1/games/%s/token", game->id);
    return replace_with(game->token, path, with);
}

static void assert_plays(const struct game *game, const char *token, const char *move, int status)
{
    struct answer answer = ask_at(&house, token, "POST", move, "/v1/games/%s/moves", game->id);

    assert_status(&answer, status);
}

/* ---- of seats ---- */

Test(tokens, a_seat_gets_a_new_one_and_the_old_one_ends)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer answer = replace(&game, key);

    assert_status(&answer, 200);
    cr_assert_str_neq(text_of(&answer, "token"), game.token);
    cr_assert_eq(number_of(&answer, "you.seats.1"), 2);
    assert_plays(&game, game.token, "g3g4", 401);
    assert_plays(&game, text_of(&answer, "token"), "g3g4", 201);
    assert_plays(&game, text_of(&answer, "token"), "a7a6", 201); /* it played both seats */
}

Test(tokens, one_of_a_seat_leaves_the_other_seat_alone)
{
    struct game game =
        new_game(&house, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    struct answer joined = ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/join", game.id);
    struct answer answer = replace(&game, key), events;

    assert_plays(&game, text_of(&answer, "token"), "g3g4", 201);
    assert_plays(&game, text_of(&joined, "token"), "a7a6", 201);
    events = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/events?type=seat", game.id);
    cr_assert_eq(cJSON_GetArraySize(member(&events, "items")), 1);
    cr_assert_eq(number_of(&events, "items.0.seat"), 1);
    cr_assert(cJSON_IsTrue(member(&events, "items.0.data.token")));
    cr_assert_null(strstr(events.reply.body, "plyd_seat_"));
}

Test(tokens, the_same_request_with_the_old_token_gets_the_same_new_one)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer first = replace(&game, key), again = replace(&game, key), events;
    char value[256];

    assert_status(&first, 200);
    assert_status(&again, 200);
    cr_assert_str_eq(again.reply.body, first.reply.body);
    cr_assert_str_eq(http_header(&again.reply, "Idempotent-Replayed", value), "true");
    events = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/events?type=seat", game.id);
    cr_assert_eq(cJSON_GetArraySize(member(&events, "items")), 2); /* a seat each */
}

Test(tokens, whoever_has_the_old_one_gets_nothing_without_the_key)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer thief;

    replace(&game, key);
    thief = replace(&game, "another key of 16");
    assert_problem(&thief, 401, "token-unknown");
}

Test(tokens, a_long_key_is_needed)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct player ada = new_player(&house, "Ada");
    struct answer refused = replace(&game, NULL);

    assert_problem(&refused, 400, "idempotency-key-missing");
    refused = replace(&game, "0123456789abcde");
    assert_problem(&refused, 422, "idempotency-key-too-short");
    refused = replace_with(ada.token, "/v1/me/token", NULL);
    assert_problem(&refused, 400, "idempotency-key-missing");
    refused = replace_with(ada.token, "/v1/me/token", "0123456789abcde");
    assert_problem(&refused, 422, "idempotency-key-too-short");
    assert_plays(&game, game.token, "g3g4", 201);
}

Test(tokens, a_player_may_replace_that_of_their_seat)
{
    struct player ada = new_player(&house, "Ada");
    struct game game =
        new_game_of(&house, ada.token,
                    "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"engine\":\"random\"}]}");
    char path[64];
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/games/%s/token", game.id);
    answer = replace_with(ada.token, path, key);
    assert_status(&answer, 200);
    assert_plays(&game, game.token, "g3g4", 401);
    assert_plays(&game, text_of(&answer, "token"), "g3g4", 201);
    assert_plays(&game, ada.token, "a3a4", 201);
}

/* A player's own token stays, so a request of theirs may come late. */
Test(tokens, one_that_has_ended_does_not_come_back_with_the_request_that_made_it)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = new_game_of(&house, ada.token, "{\"variant\":\"jungle\"}");
    struct answer first, second, late;
    char path[64];

    snprintf(path, sizeof(path), "/v1/games/%s/token", game.id);
    first = replace_with(ada.token, path, key);
    second = replace_with(ada.token, path, "another key of 16");
    late = replace_with(ada.token, path, key);
    assert_problem(&late, 422, "idempotency-key-reused");
    assert_plays(&game, text_of(&first, "token"), "g3g4", 401);
    assert_plays(&game, text_of(&second, "token"), "g3g4", 201);
}

Test(tokens, strangers_replace_none)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct game hidden = new_game(&house, "{\"variant\":\"jungle\",\"visibility\":\"private\"}");
    struct answer refused;
    char path[64];

    snprintf(path, sizeof(path), "/v1/games/%s/token", game.id);
    refused = replace_with(hidden.token, path, key);
    assert_problem(&refused, 401, "token-unknown");
    snprintf(path, sizeof(path), "/v1/games/%s/token", hidden.id);
    refused = replace_with(game.token, path, key);
    assert_problem(&refused, 404, "no-such-game");
}

/* ---- of players ---- */

static void assert_is(const char *token, int status)
{
    struct answer answer = ask_as(&house, token, "GET", "/v1/me", NULL);

    assert_status(&answer, status);
}

Test(tokens, a_player_gets_a_new_one_and_the_old_one_ends)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = new_game_of(&house, ada.token, "{\"variant\":\"jungle\"}");
    struct answer answer = replace_with(ada.token, "/v1/me/token", key);

    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "id"), ada.id);
    cr_assert_str_eq(text_of(&answer, "name"), "Ada");
    assert_is(ada.token, 401);
    assert_is(text_of(&answer, "token"), 200);
    assert_plays(&game, text_of(&answer, "token"), "g3g4", 201);
    assert_plays(&game, game.token, "a7a6", 201);
}

Test(tokens, a_player_who_repeats_the_request_gets_the_same_new_one)
{
    struct player ada = new_player(&house, "Ada");
    struct answer first = replace_with(ada.token, "/v1/me/token", key);
    struct answer again = replace_with(ada.token, "/v1/me/token", key);
    struct answer thief = replace_with(ada.token, "/v1/me/token", "another key of 16");
    char value[256];

    assert_status(&again, 200);
    cr_assert_str_eq(again.reply.body, first.reply.body);
    cr_assert_str_eq(http_header(&again.reply, "Idempotent-Replayed", value), "true");
    assert_problem(&thief, 401, "token-unknown");
}

/* It would be told that its seats' tokens have ended, which nobody has done. */
Test(tokens, who_asks_for_more_with_the_same_key_is_not_told_that_it_was_done)
{
    struct player ada = new_player(&house, "Ada");
    struct answer first = replace_with(ada.token, "/v1/me/token", key), more;
    char headers[300];

    assert_status(&first, 200);
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nIdempotency-Key: %s\r\nContent-Type: "
             "application/json\r\n",
             ada.token, key);
    more = ask(&house, "POST", "/v1/me/token", headers, "{\"seats\":true}");
    assert_problem(&more, 401, "token-unknown");
    assert_is(text_of(&first, "token"), 200);
}

Test(tokens, one_that_was_replaced_twice_is_not_told_again)
{
    struct player ada = new_player(&house, "Ada");
    struct answer first = replace_with(ada.token, "/v1/me/token", key);
    struct answer second = replace_with(text_of(&first, "token"), "/v1/me/token", key);
    struct answer late = replace_with(ada.token, "/v1/me/token", key);

    assert_status(&second, 200);
    cr_assert_str_neq(text_of(&second, "token"), text_of(&first, "token"));
    assert_problem(&late, 401, "token-unknown");
}

/* The other daemon has the old token in memory. It must know the new one at once. */
Test(tokens, another_daemon_takes_the_new_one_at_once)
{
    struct player ada = new_player(&house, "Ada");
    struct http_reply reply;
    struct answer answer;
    char headers[200];

    house_open_second(&house);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", ada.token);
    http_request(house.second.port, &reply, "GET", "/v1/me", headers, NULL);
    cr_assert_eq(reply.status, 200);
    http_free(&reply);
    answer = replace_with(ada.token, "/v1/me/token", key);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", text_of(&answer, "token"));
    http_request(house.second.port, &reply, "GET", "/v1/me", headers, NULL);
    cr_assert_eq(reply.status, 200);
    http_free(&reply);
}

Test(tokens, that_of_a_seat_is_no_players)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer refused = replace_with(game.token, "/v1/me/token", key);

    assert_problem(&refused, 401, "token-unknown");
    refused = ask_as(&house, NULL, "POST", "/v1/me/token", NULL);
    assert_problem(&refused, 401, "token-missing");
}

static void assert_ends(const struct game *game)
{
    struct answer answer;

    do {
        answer = ask_at(&house, game->token, "GET", NULL, "/v1/games/%s", game->id);
    } while (answer.status == 200);
    cr_assert_eq(answer.status, 401);
}

Test(tokens, with_a_players_those_of_their_seats_end_if_that_is_asked_for)
{
    struct player ada = new_player(&house, "Ada");
    struct game going = new_game_of(&house, ada.token, "{\"variant\":\"jungle\"}"), later;
    struct game over = new_game_of(&house, ada.token, "{\"variant\":\"jungle\"}");
    struct answer answer = ask_at(&house, over.token, "POST", NULL, "/v1/games/%s/abort", over.id);
    char headers[300];

    assert_status(&answer, 200);
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nIdempotency-Key: %s\r\nContent-Type: "
             "application/json\r\n",
             ada.token, key);
    answer = ask(&house, "POST", "/v1/me/token", headers, "{\"seats\":true}");
    assert_status(&answer, 200);
    later = new_game_of(&house, text_of(&answer, "token"), "{\"variant\":\"jungle\"}");
    assert_ends(&going);
    assert_ends(&over);
    assert_plays(&going, text_of(&answer, "token"), "g3g4", 201);
    assert_plays(&later, later.token, "g3g4", 201);
}

/* A form has nothing but texts. */
Test(tokens, a_form_says_what_is_kept_and_wanted_with_commas)
{
    static const char form[] = "Content-Type: application/x-www-form-urlencoded\r\n";
    struct player ada = new_player(&house, "Ada");
    struct answer answer;
    char headers[400], words[256] = "keep=x";

    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n%s", ada.token, form);
    answer = ask(&house, "POST", "/v1/webhooks", headers,
                 "url=https://receiver.invalid/&events=move,%20ended");
    assert_status(&answer, 201);
    cr_assert_str_eq(text_of(&answer, "events.0"), "ended");
    cr_assert_str_eq(text_of(&answer, "events.1"), "move");
    for (int i = 0; i < 32; i++)
        strcat(words, ",x");
    answer = ask(&house, "POST", "/v1/me/token", headers, words);
    assert_problem(&answer, 400, "bad-parameter");
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nIdempotency-Key: 0123456789abcdef\r\n%s", ada.token,
             form);
    answer = ask(&house, "POST", "/v1/me/token", headers, "keep=webhooks");
    assert_status(&answer, 200);
    answer = ask_as(&house, text_of(&answer, "token"), "GET", "/v1/webhooks", NULL);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 1);
}
