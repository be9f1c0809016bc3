/* test_leaving.c - players who take another name or leave, and how their games learn it. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/http/house.h"
#include "tests/support/hours.h"

static struct house house;

static void open_house(void)
{
    house_open_on(&house, hours_borrow());
}

static void close_house(void)
{
    house_close_verified(&house);
}

TestSuite(leaving, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

/* The game, which is public, once it has at least so many events. No token is shown: that of a seat
 * may end meanwhile. */
static struct answer await_version(const struct game *game, int version)
{
    struct answer answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", game->id);

    while (answer.status == 200 && number_of(&answer, "version") < version) {
        char headers[256], path[64];

        snprintf(headers, sizeof(headers), "Prefer: wait=10\r\nIf-None-Match: \"%d\"\r\n",
                 number_of(&answer, "version"));
        snprintf(path, sizeof(path), "/v1/games/%s", game->id);
        answer = ask(&house, "GET", path, headers, NULL);
        if (answer.status == 304)
            answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", game->id);
    }
    assert_status(&answer, 200);
    return answer;
}

static struct game game_of(const struct player *player, const char *seats)
{
    char body[200];

    snprintf(body, sizeof(body), "{\"variant\":\"jungle\",\"visibility\":\"public\",\"seats\":%s}",
             seats);
    return new_game_of(&house, player->token, body);
}

static const char alone[] = "[{\"me\":true},{\"me\":true}]";
static const char waiting[] = "[{\"me\":true},{\"open\":true}]";

/* A game of the player against Mia, with the token of Mia. */
static struct game match_by(const struct player *player, const char *seats)
{
    struct game game = game_of(player, seats);
    struct answer joined =
        ask_at(&house, NULL, "POST", "{\"name\":\"Mia\"}", "/v1/games/%s/join", game.id);

    assert_status(&joined, 200);
    snprintf(game.token, sizeof(game.token), "%s", text_of(&joined, "token"));
    return game;
}

static struct game match_of(const struct player *player)
{
    return match_by(player, waiting);
}

static void play_as(const struct player *player, const struct game *game, const char *move)
{
    struct answer answer =
        ask_at(&house, player->token, "POST", move, "/v1/games/%s/moves", game->id);

    assert_status(&answer, 201);
}

static void leave(const struct player *player)
{
    struct answer answer = ask_as(&house, player->token, "DELETE", "/v1/me", NULL);

    assert_status(&answer, 204);
}

/* ---- another name ---- */

Test(leaving, a_player_takes_another_name)
{
    struct player ada = new_player(&house, "Ada");
    struct answer answer =
        ask_as(&house, ada.token, "PATCH", "/v1/me", "{\"name\":\" Lovelace \"}");

    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "name"), "Lovelace");
    answer = ask_as(&house, ada.token, "GET", "/v1/me", NULL);
    cr_assert_str_eq(text_of(&answer, "name"), "Lovelace");
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/players/%s", ada.id);
    cr_assert_str_eq(text_of(&answer, "name"), "Lovelace");
}

Test(leaving, a_bad_name_is_refused_and_so_are_strangers)
{
    static const char *const bad[] = {"{}", "{\"name\":\"\"}", "{\"name\":\"line\\nbreak\"}"};
    struct player ada = new_player(&house, "Ada");
    struct answer answer;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        answer = ask_as(&house, ada.token, "PATCH", "/v1/me", bad[i]);
        assert_problem(&answer, 400, "bad-parameter");
        cr_assert_str_eq(text_of(&answer, "pointer"), "/name");
    }
    answer = ask_as(&house, NULL, "PATCH", "/v1/me", "{\"name\":\"Eve\"}");
    assert_problem(&answer, 401, "token-missing");
}

Test(leaving, the_games_that_go_on_learn_the_name_by_an_event_without_it)
{
    struct player ada = new_player(&house, "Ada");
    struct game open = game_of(&ada, waiting), active = match_of(&ada), over = game_of(&ada, alone);
    struct answer answer = ask_at(&house, over.token, "POST", "{}", "/v1/games/%s/abort", over.id);

    answer = ask_as(&house, ada.token, "PATCH", "/v1/me", "{\"name\":\"Lovelace\"}");
    answer = await_version(&open, 2);
    cr_assert_str_eq(text_of(&answer, "seats.0.name"), "Lovelace");
    answer = await_version(&active, 3);
    cr_assert_str_eq(text_of(&answer, "seats.0.name"), "Lovelace");
    cr_assert_str_eq(text_of(&answer, "seats.1.name"), "Mia");
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", over.id);
    cr_assert_str_eq(text_of(&answer, "seats.0.name"), "Ada");
    cr_assert_eq(number_of(&answer, "version"), 2);
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/events?type=seat", active.id);
    cr_assert_eq(number_of(&answer, "items.0.seat"), 1);
    cr_assert(cJSON_IsTrue(member(&answer, "items.0.data.name")));
    cr_assert_null(strstr(answer.reply.body, "Lovelace"));
}

Test(leaving, both_seats_of_one_player_get_the_name)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = game_of(&ada, alone);
    struct answer answer = ask_as(&house, ada.token, "PATCH", "/v1/me", "{\"name\":\"Lovelace\"}");

    answer = await_version(&game, 3);
    cr_assert_str_eq(text_of(&answer, "seats.0.name"), "Lovelace");
    cr_assert_str_eq(text_of(&answer, "seats.1.name"), "Lovelace");
}

/* More than a page of games, each of which is told once. */
Test(leaving, every_game_learns_the_name_once)
{
    enum { GAMES = 150 };
    struct player ada = new_player(&house, "Ada");
    static struct game games[GAMES];
    struct answer answer;

    for (int i = 0; i < GAMES; i++)
        games[i] = game_of(&ada, waiting);
    answer = ask_as(&house, ada.token, "PATCH", "/v1/me", "{\"name\":\"Lovelace\"}");
    for (int i = 0; i < GAMES; i++) {
        answer = await_version(&games[i], 2);
        cr_assert_eq(number_of(&answer, "version"), 2);
        cr_assert_str_eq(text_of(&answer, "seats.0.name"), "Lovelace");
    }
}

/* ---- leaving ---- */

Test(leaving, the_token_ends_and_the_player_is_gone)
{
    struct player ada = new_player(&house, "Ada");
    struct answer answer;

    leave(&ada);
    answer = ask_as(&house, ada.token, "GET", "/v1/me", NULL);
    assert_problem(&answer, 401, "token-unknown");
    answer = ask_as(&house, ada.token, "DELETE", "/v1/me", NULL);
    assert_problem(&answer, 401, "token-unknown");
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/players/%s", ada.id);
    assert_problem(&answer, 404, "no-such-player");
}

Test(leaving, a_game_that_is_played_is_resigned)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = match_of(&ada);
    struct answer answer;

    play_as(&ada, &game, "g3g4");
    play(&house, &game, "a7a6");
    leave(&ada);
    answer = await_version(&game, 6);
    cr_assert_str_eq(text_of(&answer, "status"), "finished");
    cr_assert_eq(number_of(&answer, "outcome.winner"), 2);
    cr_assert_str_eq(text_of(&answer, "outcome.reason"), "resign");
    cr_assert_not(has(&answer, "seats.0.name"));
    cr_assert_not(has(&answer, "seats.0.player"));
    cr_assert_str_eq(text_of(&answer, "seats.1.name"), "Mia");
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/events?type=seat", game.id);
    cr_assert_eq(number_of(&answer, "items.0.seat"), 1);
    cr_assert(cJSON_IsTrue(member(&answer, "items.0.data.left")));
}

Test(leaving, a_game_that_has_hardly_begun_is_aborted_and_so_is_one_that_waits)
{
    struct player ada = new_player(&house, "Ada");
    struct game begun = match_of(&ada), open = game_of(&ada, waiting), own = game_of(&ada, alone);
    struct answer answer;

    play_as(&ada, &begun, "g3g4");
    leave(&ada);
    open.token[0] = own.token[0] = '\0'; /* they end with the player */
    answer = await_version(&begun, 5);
    cr_assert_str_eq(text_of(&answer, "status"), "aborted");
    answer = await_version(&open, 3);
    cr_assert_str_eq(text_of(&answer, "status"), "aborted");
    answer = await_version(&own, 4);
    cr_assert_str_eq(text_of(&answer, "status"), "aborted");
    cr_assert_not(has(&answer, "seats.0.name"));
    cr_assert_not(has(&answer, "seats.1.name"));
}

Test(leaving, the_name_is_in_no_game_and_in_no_log_any_more)
{
    struct player ada = new_player(&house, "Unmistakable");
    struct game over = game_of(&ada, alone), active = match_of(&ada);
    static const char *const paths[] = {"", "/events", "/export?format=json", "/moves"};
    struct answer answer = ask_at(&house, over.token, "POST", "{}", "/v1/games/%s/abort", over.id);

    answer = ask_as(&house, ada.token, "PATCH", "/v1/me", "{\"name\":\"Unmistakable too\"}");
    answer = await_version(&active, 3);
    leave(&ada);
    answer = await_version(&over, 4);
    answer = await_version(&active, 5);
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s%s", active.id, paths[i]);
        cr_assert_null(strstr(answer.reply.body, "Unmistakable"), "%s", paths[i]);
        cr_assert_null(strstr(answer.reply.body, ada.id), "%s", paths[i]);
        answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s%s", over.id, paths[i]);
        cr_assert_null(strstr(answer.reply.body, "Unmistakable"), "%s", paths[i]);
    }
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games?player=%s", ada.id);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 0);
}

Test(leaving, the_tokens_of_the_seats_end_too)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = game_of(&ada, waiting);
    struct answer answer;
    struct game seen = game;

    leave(&ada);
    seen.token[0] = '\0';
    answer = await_version(&seen, 3);
    answer = ask_at(&house, game.token, "POST", "{}", "/v1/games/%s/abort", game.id);
    assert_problem(&answer, 401, "token-unknown");
}

/* What is made from now on is younger. */
static void let_a_second_pass(void)
{
    struct game clocked =
        new_game(&house, "{\"variant\":\"jungle\",\"clock\":{\"kind\":\"days\",\"days\":9}}");
    char path[64];

    snprintf(path, sizeof(path), "/v1/games/%s", clocked.id);
    hours_pass(house.database, 1000000, false);
    hours_seen(house.database, house.plyd.port, path);
}

Test(leaving, a_game_that_was_over_keeps_its_place_in_lists)
{
    struct player ada = new_player(&house, "Ada");
    struct game old = game_of(&ada, alone), newer;
    struct answer answer = ask_at(&house, old.token, "POST", "{}", "/v1/games/%s/abort", old.id);

    let_a_second_pass();
    newer = new_game(&house, "{\"variant\":\"jungle\",\"visibility\":\"public\"}");
    leave(&ada);
    answer = await_version(&old, 4);
    answer = ask_as(&house, NULL, "GET", "/v1/games", NULL);
    cr_assert_str_eq(text_of(&answer, "items.0.id"), newer.id);
    cr_assert_str_eq(text_of(&answer, "items.1.id"), old.id);
}

Test(leaving, nobody_brings_a_game_back_that_ended_by_it)
{
    static const char free_undo[] = "[{\"me\":true},{\"open\":true}],\"undo\":\"free\"";
    struct player ada = new_player(&house, "Ada");
    struct game game = match_by(&ada, free_undo);
    struct answer answer;
    char *may;

    play_as(&ada, &game, "g3g4");
    play(&house, &game, "a7a6");
    leave(&ada);
    answer = await_version(&game, 6);
    answer = ask_at(&house, game.token, "GET", NULL, "/v1/games/%s", game.id);
    may = cJSON_PrintUnformatted(member(&answer, "you.may"));
    cr_assert_null(strstr(may, "undo"), "%s", may);
    free(may);
    answer = ask_at(&house, game.token, "POST", "{}", "/v1/games/%s/undo", game.id);
    assert_problem(&answer, 409, "game-over");
}

Test(leaving, the_seat_of_somebody_who_has_left_is_open_in_a_rematch)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = match_of(&ada);
    struct answer answer;

    play_as(&ada, &game, "g3g4");
    play(&house, &game, "a7a6");
    leave(&ada);
    answer = await_version(&game, 6);
    answer = ask_at(&house, game.token, "POST", "{}", "/v1/games/%s/rematch", game.id);
    assert_status(&answer, 201);
    cr_assert_str_eq(text_of(&answer, "status"), "open");
    cr_assert_str_eq(text_of(&answer, "seats.0.name"), "Mia");
    cr_assert_str_eq(text_of(&answer, "seats.1.state"), "open");
}

/* The daemon that took the wish dies at once; what it has promised, another one keeps when its
 * lease is over. */
Test(leaving, another_daemon_keeps_the_promise)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = match_of(&ada);
    struct http_reply reply;
    char path[64];
    int left = 0;

    house_open_second(&house);
    leave(&ada);
    plyd_kill9(&house.plyd);
    hours_pass(house.database, INT64_C(61) * 1000000, false);
    snprintf(path, sizeof(path), "/v1/games/%s", game.id);
    while (!left) {
        http_request(house.second.port, &reply, "GET", path, "Prefer: wait=1\r\n", NULL);
        left = strstr(reply.body, "\"status\":\"aborted\"") != NULL &&
               strstr(reply.body, "\"Ada\"") == NULL;
        http_free(&reply);
    }
    plyd_start(&house.plyd, house.database, NULL);
}
