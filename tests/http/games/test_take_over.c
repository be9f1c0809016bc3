/* test_take_over.c - a player takes over a seat of which they have the token. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/http/house.h"
#include "tests/http/race.h"

HOUSE_SUITE(take_over, house_share, HOUSE_PATIENCE_S);

static const char of_friends[] = "{\"variant\":\"jungle\",\"visibility\":\"private\",\"clock\":"
                                 "{\"kind\":\"fischer\",\"initial\":\"10d\",\"increment\":\"1d\"},"
                                 "\"seats\":[{\"me\":true,\"name\":\"Guest\"},{\"open\":true}]}";

/* By the second daemon too, if `second`. */
static struct answer take_at(bool second, const struct player *player, const char *id,
                             const char *token)
{
    struct house there = house;
    char path[64], body[128];

    if (second)
        there.plyd = house.second;
    snprintf(path, sizeof(path), "/v1/me/games/%s", id);
    snprintf(body, sizeof(body), "{\"token\":\"%s\"}", token);
    return ask_as(&there, player->token, "PUT", path, body);
}

static struct answer take(const struct player *player, const struct game *game)
{
    return take_at(false, player, game->id, game->token);
}

static void assert_takes(const struct player *player, const struct game *game)
{
    struct answer answer = take(player, game);

    assert_status(&answer, 200);
}

static struct game join(const struct game *game)
{
    struct answer answer =
        ask_at(&house, NULL, "POST", "{\"name\":\"Mia\"}", "/v1/games/%s/join", game->id);
    struct game joined = *game;

    assert_status(&answer, 200);
    snprintf(joined.token, sizeof(joined.token), "%s", text_of(&answer, "token"));
    return joined;
}

static struct answer look(const char *token, const struct game *game)
{
    return ask_at(&house, token, "GET", NULL, "/v1/games/%s", game->id);
}

static struct answer seat_events(const struct game *game)
{
    return ask_at(&house, game->token, "GET", NULL, "/v1/games/%s/events?type=seat", game->id);
}

static int count_of(const struct answer *answer)
{
    return cJSON_GetArraySize(member(answer, "items"));
}

static int games_of(const struct player *player)
{
    struct answer list = ask_as(&house, player->token, "GET", "/v1/me/games", NULL);

    return count_of(&list);
}

/* ---- what becomes of the seat ---- */

Test(take_over, the_game_is_one_of_the_players_from_then_on)
{
    struct game game = new_game(&house, of_friends);
    struct player ada = new_player(&house, "Ada");
    struct answer answer;

    join(&game);
    answer = look(ada.token, &game);
    assert_problem(&answer, 404, "no-such-game");
    answer = take(&ada, &game);
    assert_status(&answer, 200);
    cr_assert_eq(number_of(&answer, "you.seats.0"), 1);
    cr_assert_str_eq(text_of(&answer, "seats.0.player"), ada.id);
    cr_assert_str_eq(text_of(&answer, "seats.0.name"), "Ada");
    cr_assert_not(has(&answer, "seats.1.player"));
    cr_assert_eq(games_of(&ada), 1);
    answer = ask_at(&house, ada.token, "POST", "g3g4", "/v1/games/%s/moves", game.id);
    assert_status(&answer, 201);
}

/* Sends a POST that ends tokens. */
static void end_tokens(const char *token, const char *path)
{
    char headers[256];
    struct answer answer;

    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nIdempotency-Key: 0123456789abcdef\r\n"
             "Content-Type: application/json\r\n",
             token);
    answer = ask(&house, "POST", path, headers, "{}");
    assert_status(&answer, 200);
}

static void assert_plays(const struct game *game, const char *token, const char *move, int status)
{
    struct answer answer = ask_at(&house, token, "POST", move, "/v1/games/%s/moves", game->id);

    assert_status(&answer, status);
}

Test(take_over, the_token_stays_good_until_the_player_replaces_it)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct player ada = new_player(&house, "Ada");
    char path[64];

    assert_takes(&ada, &game);
    assert_plays(&game, game.token, "g3g4", 201);
    snprintf(path, sizeof(path), "/v1/games/%s/token", game.id);
    end_tokens(ada.token, path);
    assert_plays(&game, game.token, "a7a6", 401);
    assert_plays(&game, ada.token, "a7a6", 201);
}

Test(take_over, a_token_of_both_seats_gives_both)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct player ada = new_player(&house, "Ada");
    struct answer answer = take(&ada, &game);

    cr_assert_eq(number_of(&answer, "you.seats.1"), 2, "%s", answer.reply.body);
    assert_plays(&game, ada.token, "g3g4", 201);
    assert_plays(&game, ada.token, "a7a6", 201);
}

Test(take_over, a_game_that_is_over_keeps_its_name_and_its_place_in_lists)
{
    struct game game = new_game(&house, of_friends);
    struct player ada = new_player(&house, "Ada");
    struct answer ended, answer;
    char updated_at[64];

    join(&game);
    ended = ask_at(&house, game.token, "POST", "{}", "/v1/games/%s/resign", game.id);
    snprintf(updated_at, sizeof(updated_at), "%s", text_of(&ended, "updated_at"));
    answer = take(&ada, &game);
    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "seats.0.name"), "Guest");
    cr_assert_str_eq(text_of(&answer, "seats.0.player"), ada.id);
    cr_assert_str_eq(text_of(&answer, "updated_at"), updated_at);
    cr_assert_eq(games_of(&ada), 1);
}

Test(take_over, everybody_sees_whose_the_seat_has_become_and_nobody_its_token)
{
    struct game game = new_game(&house, of_friends), hers = join(&game);
    struct player ada = new_player(&house, "Ada");
    struct answer events;

    assert_takes(&ada, &game);
    events = seat_events(&hers);
    cr_assert_eq(count_of(&events), 1);
    cr_assert_eq(number_of(&events, "items.0.seat"), 1);
    cr_assert(cJSON_IsTrue(member(&events, "items.0.data.player")));
    cr_assert_null(strstr(events.reply.body, "plyd_"), "%s", events.reply.body);
}

/* ---- the same again ---- */

Test(take_over, the_same_again_changes_nothing_at_any_daemon)
{
    struct game game = new_game(&house, of_friends);
    struct player ada = new_player(&house, "Ada");
    struct answer first = take(&ada, &game), again, there;

    again = take(&ada, &game);
    there = take_at(true, &ada, game.id, game.token);
    assert_status(&again, 200);
    assert_status(&there, 200);
    cr_assert_eq(number_of(&again, "version"), number_of(&first, "version"));
    cr_assert_eq(number_of(&there, "version"), number_of(&first, "version"));
}

Test(take_over, the_same_again_is_not_written)
{
    static const char last_write[] = "select xmin from games where seat1_name = 'Ada, twice'";
    struct game game = new_game(&house, of_friends);
    struct player ada = new_player(&house, "Ada, twice");
    char *before, *after;

    assert_takes(&ada, &game);
    before = house_value(&house, last_write);
    assert_takes(&ada, &game);
    after = house_value(&house, last_write);
    cr_assert_str_eq(after, before);
    free(before);
    free(after);
}

Test(take_over, the_same_request_is_told_again)
{
    struct game game = new_game(&house, of_friends);
    struct player ada = new_player(&house, "Ada");
    char path[64], headers[256], body[128], value[256];
    struct answer first, again;

    snprintf(path, sizeof(path), "/v1/me/games/%s", game.id);
    snprintf(body, sizeof(body), "{\"token\":\"%s\"}", game.token);
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nIdempotency-Key: 1\r\nContent-Type: application/json\r\n",
             ada.token);
    first = ask(&house, "PUT", path, headers, body);
    again = ask(&house, "PUT", path, headers, body);
    assert_status(&again, 200);
    cr_assert_eq(number_of(&again, "version"), number_of(&first, "version"));
    cr_assert_str_eq(http_header(&again.reply, "Idempotent-Replayed", value), "true");
}

/* ---- who gets none ---- */

Test(take_over, a_guard_that_does_not_hold_gives_no_seat)
{
    struct game game = new_game(&house, of_friends);
    struct player ada = new_player(&house, "Ada");
    char path[64], headers[256], body[128];
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/me/games/%s", game.id);
    snprintf(body, sizeof(body), "{\"token\":\"%s\"}", game.token);
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nIf-Match: \"9\"\r\nContent-Type: application/json\r\n",
             ada.token);
    answer = ask(&house, "PUT", path, headers, body);
    assert_problem(&answer, 412, "version-mismatch");
    cr_assert_eq(games_of(&ada), 0);
}

Test(take_over, a_seat_that_is_a_players_is_taken_from_nobody)
{
    struct game game = new_game(&house, of_friends), hers = join(&game);
    struct player ada = new_player(&house, "Ada"), eve = new_player(&house, "Eve");
    struct answer answer;

    assert_takes(&ada, &game);
    answer = take(&eve, &game);
    assert_problem(&answer, 409, "seat-taken");
    answer = look(hers.token, &game);
    cr_assert_str_eq(text_of(&answer, "seats.0.player"), ada.id);
    cr_assert_eq(games_of(&eve), 0);
}

/* The token is that of both seats, of which Bo has joined one. */
Test(take_over, what_is_refused_for_one_seat_gives_no_other_one)
{
    struct player bo = new_player(&house, "Bo"), eve = new_player(&house, "Eve");
    struct game game = new_game_of(&house, bo.token, "{\"variant\":\"jungle\"}");
    struct answer answer = take(&eve, &game);

    assert_problem(&answer, 409, "seat-taken");
    cr_assert_eq(games_of(&eve), 0);
}

Test(take_over, of_many_players_at_once_one_gets_the_seat)
{
    enum { PLAYERS = 8 };
    struct game game = new_game(&house, of_friends);
    struct racer racers[PLAYERS];
    struct answer answer;
    int taken = 0;

    for (int i = 0; i < PLAYERS; i++) {
        struct player player = new_player(&house, "Ada");

        racers[i] = (struct racer){.port = i % 2 == 0 ? house.plyd.port : house.second.port,
                                   .method = "PUT"};
        snprintf(racers[i].path, sizeof(racers[i].path), "/v1/me/games/%s", game.id);
        snprintf(racers[i].headers, sizeof(racers[i].headers),
                 "Authorization: Bearer %s\r\nContent-Type: application/json\r\n", player.token);
        snprintf(racers[i].body, sizeof(racers[i].body), "{\"token\":\"%s\"}", game.token);
    }
    race(racers, PLAYERS);
    for (int i = 0; i < PLAYERS; i++) {
        taken += racers[i].reply.status == 200;
        cr_assert(racers[i].reply.status == 200 || racers[i].reply.status == 409, "%s",
                  racers[i].reply.body);
        http_free(&racers[i].reply);
    }
    cr_assert_eq(taken, 1);
    answer = seat_events(&game);
    cr_assert_eq(count_of(&answer), 1);
}

Test(take_over, without_its_token_nobody_gets_a_seat)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\",\"visibility\":\"public\"}"),
                other = new_game(&house, of_friends);
    struct player eve = new_player(&house, "Eve");
    struct answer answer = take_at(false, &eve, game.id, other.token);

    assert_problem(&answer, 403, "not-your-seat");
    answer = take_at(false, &eve, game.id, eve.token);
    assert_problem(&answer, 400, "bad-parameter");
    answer = ask_at(&house, game.token, "PUT", "{}", "/v1/me/games/%s", game.id);
    assert_problem(&answer, 401, "token-unknown");
    answer = ask_at(&house, NULL, "PUT", "{}", "/v1/me/games/%s", game.id);
    assert_problem(&answer, 401, "token-missing");
    cr_assert_eq(games_of(&eve), 0);
}

Test(take_over, a_token_that_was_replaced_gives_nothing)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\",\"visibility\":\"public\"}");
    struct player eve = new_player(&house, "Eve");
    char path[64];
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/games/%s/token", game.id);
    end_tokens(game.token, path);
    answer = take(&eve, &game);
    assert_problem(&answer, 403, "not-your-seat");
}

Test(take_over, a_private_game_is_as_if_it_were_not_there)
{
    struct game game = new_game(&house, of_friends),
                other = new_game(&house, "{\"variant\":\"jungle\"}");
    struct player eve = new_player(&house, "Eve");
    struct answer none = take_at(false, &eve, "00000000000000000000000000", other.token);
    struct answer answer = take_at(false, &eve, game.id, other.token);

    assert_problem(&none, 404, "no-such-game");
    assert_problem(&answer, 404, "no-such-game");
    cr_assert_str_eq(text_of(&answer, "detail"), text_of(&none, "detail"));
}

/* The other seat of a private game is theirs. */
Test(take_over, a_player_of_the_game_is_told_that_the_token_is_wrong)
{
    struct game game = new_game(&house, of_friends), hers = join(&game);
    struct player mia = new_player(&house, "Mia");
    struct game other = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer answer;

    assert_takes(&mia, &hers);
    answer = take_at(false, &mia, game.id, other.token);
    assert_problem(&answer, 403, "not-your-seat");
}

/* ---- a thief of the token ---- */

/* What a thief of a seat's token may still do ends with that token. */
Test(take_over, once_the_seat_is_a_players_a_thief_of_its_token_can_be_shut_out)
{
    struct game game = new_game(&house, of_friends);
    struct player ada = new_player(&house, "Ada"), eve = new_player(&house, "Eve");
    struct answer answer;
    char path[64];

    join(&game);
    assert_takes(&ada, &game);
    answer = take(&eve, &game);
    assert_problem(&answer, 409, "seat-taken");
    snprintf(path, sizeof(path), "/v1/games/%s/token", game.id);
    end_tokens(ada.token, path);
    answer = take(&eve, &game);
    assert_problem(&answer, 404, "no-such-game");
    answer = look(game.token, &game);
    assert_problem(&answer, 404, "no-such-game");
    assert_plays(&game, ada.token, "g3g4", 201);
}
