/* test_claims.c - what the answer to a claim is: the end of the game, or the numbers. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/http/house.h"
#include "tests/support/hours.h"

#define SECOND INT64_C(1000000)
#define DAY    (24 * 3600 * SECOND)

static struct house house;

static void open_house(void)
{
    house_open_on(&house, hours_borrow());
}

static void close_house(void)
{
    house_close(&house);
}

TestSuite(claims, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

static struct answer claim(const struct game *game, const char *kind)
{
    return ask_at(&house, game->token, "POST", kind, "/v1/games/%s/claims", game->id);
}

static void expect(struct answer answer, int status, const char *code)
{
    assert_problem(&answer, status, code);
}

static int may_claim(const struct game *game, const char *name)
{
    struct answer answer = ask_at(&house, game->token, "GET", NULL, "/v1/games/%s", game->id);
    const cJSON *item;
    int may = 0;

    cr_assert_str_neq(text_of(&answer, "status"), "");
    cJSON_ArrayForEach(item, member(&answer, "you.may"))
    {
        may |= strcmp(item->valuestring, name) == 0;
    }
    return may;
}

/* ---- time ---- */

/* A game of two people with so many seconds for each; both have moved. *second is seat 2's. */
static struct game new_race(const char *clock, struct game *second)
{
    char body[256];
    struct answer answer;
    struct game game;

    snprintf(body, sizeof(body),
             "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}],\"clock\":%s}",
             clock);
    game = new_game(&house, body);
    *second = game;
    answer = ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/join", game.id);
    snprintf(second->token, sizeof(second->token), "%s", text_of(&answer, "token"));
    play(&house, &game, "g3g4");
    play(&house, second, "a7a6");
    return game;
}

static void pass(const struct game *seen, int64_t us)
{
    char path[64];

    snprintf(path, sizeof(path), "/v1/games/%s", seen->id);
    hours_pass(house.database, us, false);
    hours_seen(house.database, house.plyd.port, path);
}

Test(claims, time_that_is_left_is_told_with_the_deadline)
{
    struct game second, first = new_race("{\"kind\":\"days\",\"days\":3}", &second);
    struct answer answer = claim(&second, "timeout");

    assert_problem(&answer, 422, "claim-refused");
    cr_assert_float_eq(member(&answer, "clock.left_s.1")->valuedouble, 3 * 86400, 0.0005);
    cr_assert_not_null(strchr(text_of(&answer, "clock.deadline_at"), 'T'));
    answer = claim(&first, "timeout");
    assert_problem(&answer, 422, "claim-refused");
    cr_assert_not_null(strstr(text_of(&answer, "detail"), "your own time"));
}

Test(claims, time_that_has_run_out_has_ended_the_game)
{
    struct game second, first = new_race("{\"kind\":\"days\",\"days\":3}", &second);
    struct game other, clock = new_race("{\"kind\":\"days\",\"days\":300}", &other);
    struct answer answer;

    cr_assert(may_claim(&second, "claim:timeout"));
    cr_assert_not(may_claim(&first, "claim:timeout"));
    pass(&clock, 4 * DAY);
    answer = claim(&second, "timeout");
    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "outcome.reason"), "timeout");
    cr_assert_eq(number_of(&answer, "outcome.winner"), 2);
    answer = claim(&first, "{\"kind\":\"timeout\"}");
    assert_status(&answer, 200);
    expect(claim(&first, "impasse"), 422, "claim-refused");
    expect(claim(&first, "repetition"), 409, "game-over");
    cr_assert(plyd_verified(house.database));
}

Test(claims, a_game_without_a_clock_has_no_time_to_run_out)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");

    expect(claim(&game, "timeout"), 409, "no-clock");
    cr_assert_not(may_claim(&game, "claim:timeout"));
}

/* ---- points ---- */

#define FORT "\"K8/+P+P+P+P+P+P+P+P+P/R8/9/9/9/9/9/4k4 "

Test(claims, an_impasse_is_the_same_as_a_declared_win)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\",\"position\":" FORT "b 2B4G 1\"}");
    struct answer answer;

    cr_assert(may_claim(&game, "claim:impasse"));
    answer = claim(&game, "impasse");
    assert_status(&answer, 200);
    cr_assert_eq(number_of(&answer, "outcome.winner"), 1);
    cr_assert_str_eq(text_of(&answer, "outcome.reason"), "impasse");
    answer = claim(&game, "impasse");
    assert_status(&answer, 200);
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/events?after=1", game.id);
    cr_assert_str_eq(text_of(&answer, "items.0.type"), "declared");
    cr_assert_not(has(&answer, "items.1"));
}

Test(claims, missing_points_are_told)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\",\"position\":" FORT "b 2B3G 1\"}");
    struct answer answer = claim(&game, "impasse");

    assert_problem(&answer, 422, "claim-refused");
    cr_assert_eq(number_of(&answer, "rule.required"), 28);
    cr_assert_eq(number_of(&answer, "rule.yours"), 27);
    cr_assert_str_eq(text_of(&answer, "rule.id"), "shogi.impasse-points");
}

Test(claims, an_impasse_is_claimed_in_ones_own_turn)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\",\"seats\":[{\"me\":true},"
                                        "{\"open\":true}],\"position\":" FORT "w 2B4G 1\"}");
    struct answer answer;

    expect(claim(&game, "impasse"), 409, "game-not-started");
    answer = ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/join", game.id);
    assert_status(&answer, 200);
    expect(claim(&game, "impasse"), 409, "not-your-turn");
    cr_assert_not(may_claim(&game, "claim:impasse"));
}

Test(claims, most_variants_know_no_impasse)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");

    expect(claim(&game, "impasse"), 422, "claim-refused");
    cr_assert_not(may_claim(&game, "claim:impasse"));
}

/* ---- repetition ---- */

Test(claims, how_often_a_position_was_there_is_told)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");
    struct answer answer;

    play(&house, &game, "2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b");
    answer = claim(&game, "repetition");
    assert_problem(&answer, 422, "claim-refused");
    cr_assert_eq(number_of(&answer, "seen"), 3);
    cr_assert_eq(number_of(&answer, "required"), 4);
    play(&house, &game, "2h3h 8b7b 3h2h 7b8b");
    answer = claim(&game, "repetition");
    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "outcome.reason"), "repetition");
}

Test(claims, the_past_is_counted_by_a_daemon_that_has_not_seen_it)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");
    struct answer answer;

    play(&house, &game, "2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b");
    plyd_stop(&house.plyd);
    plyd_start(&house.plyd, house.database, NULL);
    answer = claim(&game, "repetition");
    assert_problem(&answer, 422, "claim-refused");
    cr_assert_eq(number_of(&answer, "seen"), 3);
}

Test(claims, a_game_without_the_rule_counts_no_positions)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\",\"options\":{\"repetition\":0}}");
    struct answer answer;

    play(&house, &game, "a3a4 g7g6 a4a3 g6g7");
    answer = claim(&game, "repetition");
    assert_problem(&answer, 422, "claim-refused");
    cr_assert_not(has(&answer, "seen"));
    cr_assert_not(has(&answer, "required"));
}

/* ---- any claim ---- */

Test(claims, other_kinds_and_strangers_are_refused)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\",\"visibility\":\"private\"}");
    struct game stranger = game;

    expect(claim(&game, "{}"), 400, "bad-parameter");
    expect(claim(&game, "boredom"), 400, "bad-parameter");
    expect(claim(&game, "{\"kind\":\"timeout\",\"seat\":1}"), 422, "unknown-field");
    snprintf(stranger.token, sizeof(stranger.token), "%s",
             new_game(&house, "{\"variant\":\"shogi\"}").token);
    expect(claim(&stranger, "impasse"), 404, "no-such-game");
}
