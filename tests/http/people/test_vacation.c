/* test_vacation.c - the vacations of players: what is left of them, and what they do to clocks. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/http/house.h"
#include "tests/http/race.h"
#include "tests/support/hours.h"

static struct house house;
static struct player ada;
static struct game clocked; /* shows the daemon's time, and is never played */

static void open_house(void)
{
    house_open_on(&house, hours_borrow());
    ada = new_player(&house, "Ada");
    clocked = new_game(&house, "{\"variant\":\"jungle\",\"clock\":{\"kind\":\"days\",\"days\":365,"
                               "\"first_move\":\"365d\"}}");
}

static void close_house(void)
{
    house_close_verified(&house);
}

TestSuite(vacation, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

#define HOUR (INT64_C(3600) * 1000000)
#define DAY  (24 * HOUR)

static void let_pass(int64_t us)
{
    char path[64];

    snprintf(path, sizeof(path), "/v1/games/%s", clocked.id);
    hours_pass(house.database, us, false);
    hours_seen(house.database, house.plyd.port, path);
}

static struct answer go(const char *span)
{
    char body[64];

    snprintf(body, sizeof(body), "{\"for\":\"%s\"}", span);
    return ask_as(&house, ada.token, "POST", "/v1/me/vacation", body);
}

static struct answer come_back(void)
{
    struct answer answer = ask_as(&house, ada.token, "DELETE", "/v1/me/vacation", NULL);

    assert_status(&answer, 200);
    cr_assert(cJSON_IsNull(member(&answer, "vacation")));
    return answer;
}

static double days_left(const struct answer *answer)
{
    return member(answer, "left_s")->valuedouble / 86400;
}

static void assert_left(const struct answer *answer, double days)
{
    cr_assert_lt(fabs(days_left(answer) - days), 0.01, "%.3f days are left, not %.3f",
                 days_left(answer), days);
}

/* ---- what is left ---- */

Test(vacation, a_player_has_thirty_days)
{
    struct answer answer = ask_as(&house, ada.token, "GET", "/v1/me/vacation", NULL);

    assert_status(&answer, 200);
    cr_assert(cJSON_IsNull(member(&answer, "vacation")));
    assert_left(&answer, 30);
}

Test(vacation, it_begins_at_once_and_is_counted)
{
    struct answer went = go("7d"), seen;

    assert_status(&went, 201);
    assert_left(&went, 23);
    seen = ask_as(&house, ada.token, "GET", "/v1/me/vacation", NULL);
    cr_assert(cJSON_Compare(seen.json, went.json, 1));
}

Test(vacation, the_same_request_again_changes_nothing)
{
    struct answer went = go("7d"), again;

    let_pass(HOUR);
    again = go("7d");
    assert_status(&again, 200);
    cr_assert(cJSON_Compare(again.json, went.json, 1));
}

Test(vacation, that_is_begun_several_times_at_the_same_moment_is_one)
{
    struct racer racers[12];
    struct answer answer;

    for (int i = 0; i < 12; i++) {
        racers[i] = (struct racer){.port = house.plyd.port, .method = "POST"};
        strcpy(racers[i].path, "/v1/me/vacation");
        snprintf(racers[i].headers, sizeof(racers[i].headers),
                 "Authorization: Bearer %s\r\nContent-Type: application/json\r\n", ada.token);
        strcpy(racers[i].body, "{\"for\":\"20d\"}");
    }
    race(racers, 12);
    for (int i = 0; i < 12; i++) {
        cr_assert_eq(racers[i].reply.status / 10, 20, "%s", racers[i].reply.body);
        http_free(&racers[i].reply);
    }
    for (int i = 0; i < 2; i++) {
        answer = come_back();
        assert_left(&answer, 29);
    }
}

Test(vacation, its_length_can_be_changed)
{
    struct answer went = go("7d"), longer;

    longer = go("14d");
    assert_status(&longer, 200);
    assert_left(&longer, 16);
    cr_assert_str_eq(text_of(&longer, "vacation.from_at"), text_of(&went, "vacation.from_at"));
}

Test(vacation, one_that_is_shortened_to_less_than_has_passed_ends_now)
{
    struct answer shorter;

    go("7d");
    let_pass(3 * DAY);
    shorter = go("1d");
    assert_status(&shorter, 200);
    cr_assert(cJSON_IsNull(member(&shorter, "vacation")));
    assert_left(&shorter, 27);
}

Test(vacation, what_is_not_used_is_given_back)
{
    struct answer answer = go("20d");

    let_pass(5 * DAY);
    answer = come_back();
    assert_left(&answer, 25);
    answer = come_back(); /* there is nothing to end */
    assert_left(&answer, 25);
}

Test(vacation, each_counts_for_a_day_at_least)
{
    struct answer answer = go("20d");

    answer = come_back();
    assert_left(&answer, 29);
}

Test(vacation, one_that_is_over_is_over)
{
    struct answer answer = go("3d");

    let_pass(3 * DAY + HOUR);
    answer = ask_as(&house, ada.token, "GET", "/v1/me/vacation", NULL);
    cr_assert(cJSON_IsNull(member(&answer, "vacation")));
    assert_left(&answer, 27);
}

Test(vacation, more_than_is_left_is_refused_with_what_is_left)
{
    struct answer answer = go("20d");

    let_pass(21 * DAY);
    answer = go("11d");
    assert_problem(&answer, 409, "vacation-spent");
    cr_assert_eq(number_of(&answer, "left_s"), 10 * 86400);
    cr_assert_not_null(strstr(text_of(&answer, "detail"), "10.0 days"));
    answer = go("10d");
    assert_status(&answer, 201);
    assert_left(&answer, 0);
    answer = go("11d");
    assert_problem(&answer, 409, "vacation-spent");
}

Test(vacation, it_comes_back_after_a_year)
{
    struct answer answer = go("30d");

    let_pass(364 * DAY);
    answer = ask_as(&house, ada.token, "GET", "/v1/me/vacation", NULL);
    assert_left(&answer, 0);
    let_pass(11 * DAY);
    answer = ask_as(&house, ada.token, "GET", "/v1/me/vacation", NULL);
    assert_left(&answer, 10);
}

Test(vacation, a_span_that_makes_no_sense_is_refused)
{
    static const struct {
        const char *body;
        int status;
    } bad[] = {{"{}", 400},
               {"{\"for\":\"23h\"}", 400},
               {"{\"for\":\"31d\"}", 400},
               {"{\"for\":\"long\"}", 400},
               {"{\"fro\":\"7d\"}", 422}};
    struct answer answer;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        answer = ask_as(&house, ada.token, "POST", "/v1/me/vacation", bad[i].body);
        assert_status(&answer, bad[i].status);
    }
    answer = ask_as(&house, NULL, "POST", "/v1/me/vacation", "{\"for\":\"7d\"}");
    assert_problem(&answer, 401, "token-missing");
}

Test(vacation, a_text_tells_it_too)
{
    char headers[256];
    struct answer answer = go("7d");

    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nAccept: text/plain\r\n",
             ada.token);
    answer = ask(&house, "GET", "/v1/me/vacation", headers, NULL);
    cr_assert_not_null(strstr(answer.reply.body, "left   23.0 days\n"));
    cr_assert_not_null(strstr(answer.reply.body, "until  "));
}

/* ---- clocks ---- */

/* A game of Ada (seat 1, to move) against Mia in which both have moved. */
static struct game match(const char *clock)
{
    char body[300];
    struct game game;
    struct answer answer;

    snprintf(body, sizeof(body),
             "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}],\"clock\":%s}",
             clock);
    game = new_game_of(&house, ada.token, body);
    answer = ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/join", game.id);
    assert_status(&answer, 200);
    play(&house, &game, "g3g4");
    snprintf(game.token, sizeof(game.token), "%s", text_of(&answer, "token"));
    play(&house, &game, "a7a6");
    return game;
}

static struct answer look(const struct game *game)
{
    struct answer answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", game->id);

    assert_status(&answer, 200);
    return answer;
}

/* The game once it has so many events. */
static struct answer await_version(const struct game *game, int version)
{
    struct answer answer = look(game);

    while (number_of(&answer, "version") < version) {
        char headers[96], path[64];

        snprintf(headers, sizeof(headers), "Prefer: wait=10\r\nIf-None-Match: \"%d\"\r\n",
                 number_of(&answer, "version"));
        snprintf(path, sizeof(path), "/v1/games/%s", game->id);
        answer = ask(&house, "GET", path, headers, NULL);
        answer = look(game);
    }
    return answer;
}

static const char days[] = "{\"kind\":\"days\",\"days\":3}";

Test(vacation, no_time_is_lost_in_it)
{
    struct game game = match(days);
    struct answer answer = go("7d");

    answer = await_version(&game, 5);
    let_pass(6 * DAY);
    answer = look(&game);
    cr_assert_str_eq(text_of(&answer, "status"), "active");
    cr_assert_gt(number_of(&answer, "clock.left_s.1"), 3 * 86400 - 60);
    let_pass(3 * DAY); /* two days after its end */
    answer = look(&game);
    cr_assert_str_eq(text_of(&answer, "status"), "active");
    let_pass(2 * DAY);
    answer = look(&game);
    cr_assert_str_eq(text_of(&answer, "outcome.reason"), "timeout");
}

Test(vacation, the_games_learn_it_and_its_early_end_by_events)
{
    struct game game = match(days);
    struct answer answer = go("7d");

    answer = await_version(&game, 5);
    let_pass(2 * DAY);
    answer = come_back();
    answer = await_version(&game, 6);
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/events?type=vacation", game.id);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 2);
    cr_assert_eq(number_of(&answer, "items.0.seat"), 1);
    cr_assert_str_gt(text_of(&answer, "items.0.data.until_at"),
                     text_of(&answer, "items.1.data.until_at"));
    let_pass(4 * DAY);
    answer = look(&game);
    cr_assert_str_eq(text_of(&answer, "outcome.reason"), "timeout");
}

Test(vacation, a_game_whose_clock_heeds_none_learns_nothing)
{
    struct game game = match("{\"kind\":\"days\",\"days\":3,\"vacation\":false}"),
                heeds = match(days), without;
    struct answer answer = go("7d");

    without = new_game_of(&house, ada.token, "{\"variant\":\"jungle\"}");
    answer = await_version(&heeds, 5);
    let_pass(4 * DAY);
    answer = look(&game);
    cr_assert_str_eq(text_of(&answer, "outcome.reason"), "timeout");
    answer = look(&without);
    cr_assert_eq(number_of(&answer, "version"), 1);
}

/* At the deadline the player's vacation is looked up, whatever the game has heard of it. */
Test(vacation, a_game_that_began_meanwhile_heeds_it_too)
{
    struct answer answer = go("7d");
    struct game game = match(days);

    let_pass(5 * DAY);
    answer = look(&game);
    cr_assert_str_eq(text_of(&answer, "status"), "active");
}
