/* test_rematch.c - one next game, the same for both sides. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/game/words.h"
#include "tests/http/house.h"
#include "tests/http/race.h"

HOUSE_SUITE(rematch, house_share, HOUSE_PATIENCE_S);

/* A game of two people, with their tokens. */
struct match {
    struct game one, two;
};

static struct match begin(const char *player, const char *more)
{
    char body[400];
    struct match match;
    struct answer joined;

    snprintf(body, sizeof(body),
             "{\"variant\":\"stackchess\",\"options\":{\"size\":8,\"knights\":true},"
             "\"seats\":[{\"me\":true,\"name\":\"Ada\"},{\"open\":true}]%s}",
             more);
    match.one = match.two = new_game_of(&house, player, body);
    joined = ask_at(&house, NULL, "POST", "{\"name\":\"Mia\"}", "/v1/games/%s/join", match.one.id);
    assert_status(&joined, 200);
    snprintf(match.two.token, sizeof(match.two.token), "%s", text_of(&joined, "token"));
    return match;
}

static void resign(const struct game *game)
{
    struct answer answer =
        ask_at(&house, game->token, "POST", "{}", "/v1/games/%s/resign", game->id);

    assert_status(&answer, 200);
}

static struct match finished(const char *player, const char *more)
{
    struct match match = begin(player, more);

    resign(&match.one);
    return match;
}

static struct answer ask_rematch(const struct game *game)
{
    return ask_at(&house, game->token, "POST", NULL, "/v1/games/%s/rematch", game->id);
}

static void assert_same(const struct answer *a, const struct answer *b, const char *path)
{
    cr_assert(cJSON_Compare(member(a, path), member(b, path), 1), "%s differs", path);
}

Test(rematch, the_sides_are_swapped_and_the_terms_are_the_same)
{
    struct match match = finished(NULL, ",\"undo\":\"never\",\"visibility\":\"public\",\"clock\":"
                                        "{\"kind\":\"fischer\",\"initial\":\"10d\","
                                        "\"increment\":\"36h\",\"max\":\"10d\"}");
    static const char *const kept[] = {"variant",          "options",    "undo",
                                       "visibility",       "clock.kind", "clock.initial_s",
                                       "clock.increment_s"};
    struct answer old = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", match.one.id);
    struct answer next = ask_rematch(&match.one);
    char place[64], value[256];

    assert_status(&next, 201);
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
        assert_same(&next, &old, kept[i]);
    cr_assert_str_eq(text_of(&next, "seats.0.name"), "Mia");
    cr_assert_str_eq(text_of(&next, "seats.1.name"), "Ada");
    cr_assert_str_eq(text_of(&next, "status"), "active");
    cr_assert_eq(number_of(&next, "ply"), 0);
    snprintf(place, sizeof(place), "/v1/games/%s", text_of(&next, "id"));
    cr_assert_str_eq(http_header(&next.reply, "Location", value), place);
}

Test(rematch, the_start_position_is_that_of_the_old_game)
{
    struct game old = new_game(
        &house, "{\"variant\":\"tictactoe\",\"position\":\"xo1/1x1/3 o 3\",\"moves\":[\"c3\"]}");
    struct answer next, first;

    resign(&old);
    next = ask_rematch(&old);
    assert_status(&next, 201);
    cr_assert_str_eq(text_of(&next, "position"), "xo1/1x1/3 o 3");
    first = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/events", text_of(&next, "id"));
    cr_assert_str_eq(text_of(&first, "items.0.data.rematch_of"), old.id);
}

Test(rematch, each_old_token_plays_the_new_game)
{
    struct match match = finished(NULL, "");
    struct answer next = ask_rematch(&match.one), move;
    struct game one, two;

    cr_assert_str_eq(text_of(&next, "token"), match.one.token);
    cr_assert_eq(number_of(&next, "you.seats.0"), 2);
    snprintf(one.id, sizeof(one.id), "%s", text_of(&next, "id"));
    two = one;
    memcpy(one.token, match.one.token, sizeof(one.token));
    memcpy(two.token, match.two.token, sizeof(two.token));
    play(&house, &two, "a2a3");
    move = ask_at(&house, two.token, "POST", "a7a6", "/v1/games/%s/moves", two.id);
    assert_problem(&move, 409, "not-your-turn");
    play(&house, &one, "a7a6");
}

Test(rematch, the_other_side_and_a_repetition_get_the_same_game)
{
    struct match match = finished(NULL, "");
    struct answer next = ask_rematch(&match.one), other = ask_rematch(&match.two),
                  again = ask_rematch(&match.one);

    assert_status(&next, 201);
    assert_status(&other, 200);
    assert_status(&again, 200);
    cr_assert_str_eq(text_of(&other, "id"), text_of(&next, "id"));
    cr_assert_str_eq(text_of(&other, "token"), match.two.token);
    cr_assert_str_eq(text_of(&again, "id"), text_of(&next, "id"));
}

Test(rematch, the_old_game_names_the_next_one)
{
    struct match match = finished(NULL, "");
    struct answer next = ask_rematch(&match.two);
    struct answer old = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", match.one.id);
    struct answer events =
        ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/events?type=rematch", match.one.id);

    cr_assert_str_eq(text_of(&old, "next"), text_of(&next, "id"));
    cr_assert_str_eq(text_of(&events, "items.0.data.game"), text_of(&next, "id"));
    cr_assert_eq(number_of(&events, "items.0.seat"), 2);
    cr_assert_eq(number_of(&events, "items.0.version"), number_of(&old, "version"));
}

Test(rematch, with_a_key_the_first_answer_comes_again)
{
    struct match match = finished(NULL, "");
    char headers[256], path[64], value[256];
    struct answer first, again;

    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nIdempotency-Key: once more\r\n",
             match.one.token);
    snprintf(path, sizeof(path), "/v1/games/%s/rematch", match.one.id);
    first = ask(&house, "POST", path, headers, "");
    again = ask(&house, "POST", path, headers, "");
    assert_status(&first, 201);
    assert_status(&again, 201);
    cr_assert_str_eq(again.reply.body, first.reply.body);
    cr_assert_str_eq(http_header(&again.reply, "Idempotent-Replayed", value), "true");
}

/* The other daemon has the old game in memory as it was without a next one. */
Test(rematch, with_a_key_the_first_answer_comes_again_from_another_daemon)
{
    struct match match = finished(NULL, "");
    char path[64], headers[256];
    struct answer first, again;
    struct http_reply reply;

    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nIdempotency-Key: once more\r\n",
             match.one.token);
    snprintf(path, sizeof(path), "/v1/games/%s", match.one.id);
    http_request(house.second.port, &reply, "GET", path, NULL, NULL);
    cr_assert_eq(reply.status, 200);
    http_free(&reply);
    snprintf(path, sizeof(path), "/v1/games/%s/rematch", match.one.id);
    first = ask(&house, "POST", path, headers, "");
    assert_status(&first, 201);
    http_request(house.second.port, &reply, "POST", path, headers, "");
    again = answer_of(&house, "POST", path, reply);
    assert_status(&again, 201);
    cr_assert_str_eq(again.reply.body, first.reply.body);
}

Test(rematch, a_players_token_is_not_shown_and_plays_on)
{
    struct player ada = new_player(&house, "Ada");
    struct match match = finished(ada.token, "");
    struct answer next =
        ask_at(&house, ada.token, "POST", "{}", "/v1/games/%s/rematch", match.one.id);

    assert_status(&next, 201);
    cr_assert_not(has(&next, "token"));
    cr_assert_str_eq(text_of(&next, "seats.1.player"), ada.id);
    cr_assert_eq(number_of(&next, "you.seats.0"), 2);
}

Test(rematch, the_computer_begins_if_it_has_the_first_side_now)
{
    struct game game = new_game(
        &house, "{\"variant\":\"tictactoe\",\"seats\":[{\"me\":true},{\"engine\":\"random\"}]}");
    struct answer next;

    resign(&game);
    next = ask_rematch(&game);
    assert_status(&next, 201);
    cr_assert_str_eq(text_of(&next, "seats.0.engine"), "random");
    cr_assert_eq(number_of(&next, "ply"), 1);
    cr_assert_eq(number_of(&next, "to_move"), 2);
}

Test(rematch, it_follows_on_a_finished_game_alone)
{
    struct match match = begin(NULL, "");
    struct answer refused = ask_rematch(&match.one);

    assert_problem(&refused, 409, "game-not-over");
    refused = ask_at(&house, match.one.token, "POST", "{}", "/v1/games/%s/abort", match.one.id);
    refused = ask_rematch(&match.one);
    assert_problem(&refused, 409, "game-not-over");
}

Test(rematch, strangers_cannot_ask_for_one)
{
    struct match match = finished(NULL, ""), hidden = finished(NULL, ",\"visibility\":\"private\"");
    struct answer refused =
        ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/rematch", match.one.id);

    assert_problem(&refused, 401, "token-missing");
    refused = ask_at(&house, match.one.token, "POST", "{}", "/v1/games/%s/rematch", hidden.one.id);
    assert_problem(&refused, 404, "no-such-game");
}

Test(rematch, that_of_a_private_game_is_private)
{
    struct match match = finished(NULL, ",\"visibility\":\"private\"");
    struct answer next = ask_rematch(&match.one), seen;

    assert_status(&next, 201);
    seen = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", text_of(&next, "id"));
    assert_problem(&seen, 404, "no-such-game");
    seen = ask_at(&house, match.two.token, "GET", NULL, "/v1/games/%s", text_of(&next, "id"));
    assert_status(&seen, 200);
}

Test(rematch, it_stays_the_next_game_if_the_end_is_taken_back)
{
    struct match match = finished(NULL, ",\"undo\":\"free\"");
    struct answer next = ask_rematch(&match.one), back, again;

    back = ask_at(&house, match.one.token, "POST", "{}", "/v1/games/%s/undo", match.one.id);
    assert_status(&back, 200);
    cr_assert_str_eq(text_of(&back, "status"), "active");
    cr_assert_str_eq(text_of(&back, "next"), text_of(&next, "id"));
    again = ask_rematch(&match.two);
    assert_status(&again, 200);
    cr_assert_str_eq(text_of(&again, "id"), text_of(&next, "id"));
}

Test(rematch, may_lists_it_once_the_game_is_finished)
{
    struct match match = begin(NULL, "");
    struct answer seen = ask_at(&house, match.one.token, "GET", NULL, "/v1/games/%s", match.one.id);

    cr_assert_null(strstr(seen.reply.body, "\"rematch\""));
    resign(&match.one);
    seen = ask_at(&house, match.one.token, "GET", NULL, "/v1/games/%s", match.one.id);
    cr_assert_not_null(strstr(seen.reply.body, "\"rematch\""));
}

/* Both sides ask at once, each at a daemon of its own: exactly one of them has made the game. */
Test(rematch, when_both_ask_at_two_daemons_there_is_one_game)
{
    house_open_second(&house);
    for (int round = 0; round < 10; round++) {
        struct match match = finished(NULL, "");
        char path[64], headers[2][200], id[32] = "";
        int made = 0, fds[2] = {http_connect(house.plyd.port), http_connect(house.second.port)};

        snprintf(path, sizeof(path), "/v1/games/%s/rematch", match.one.id);
        for (int i = 0; i < 2; i++) {
            snprintf(headers[i], sizeof(headers[i]), "Authorization: Bearer %s\r\n",
                     i == 0 ? match.one.token : match.two.token);
            http_send(fds[i], "POST", path, headers[i], "{}", 2);
        }
        for (int i = 0; i < 2; i++) {
            struct http_reply reply;
            struct answer answer;

            http_receive(fds[i], "POST", &reply);
            answer = answer_of(&house, "POST", path, reply);
            cr_assert(answer.status == 200 || answer.status == 201, "%s", reply.body);
            made += answer.status == 201;
            if (i == 0)
                snprintf(id, sizeof(id), "%s", text_of(&answer, "id"));
            else
                cr_assert_str_eq(text_of(&answer, "id"), id);
        }
        cr_assert_eq(made, 1);
    }
}

/* As if the daemon had died between the two writes. */
Test(rematch, a_next_game_that_the_old_one_does_not_know_of_is_found)
{
    struct match match;
    struct answer next, games;
    struct http_reply reply;
    char path[64], headers[200], text[200];

    house_move_out(&house);
    match = finished(NULL, "");
    next = ask_rematch(&match.one);
    assert_status(&next, 201);
    house_sql(
        &house,
        "update games set next_game = null, version = version - 1 where next_game is not null");
    snprintf(text, sizeof(text), "delete from events where kind = %d", EVENT_REMATCH);
    house_sql(&house, text);
    house_open_second(&house);
    snprintf(path, sizeof(path), "/v1/games/%s/rematch", match.two.id);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", match.two.token);
    http_request(house.second.port, &reply, "POST", path, headers, "");
    games = answer_of(&house, "POST", path, reply);
    assert_status(&games, 201);
    cr_assert_str_eq(text_of(&games, "id"), text_of(&next, "id"));
    cr_assert(plyd_verified(house.database));
}
