/*
 * test_clocks.c - clocks from outside, on a database whose time the test lets pass: what they show,
 * how they end games, and what an outage gives back.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/http/pairs.h"
#include "tests/support/backoff.h"
#include "tests/support/hours.h"

#define SECOND INT64_C(1000000)
#define HOUR   (3600 * SECOND)
#define DAY    (24 * HOUR)

static struct house house;

static void open_house(void)
{
    house_open_on(&house, hours_borrow());
    house_open_second(&house);
}

static void close_house(void)
{
    house_close_verified(&house);
}

TestSuite(clocks, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

/* ---- games of two people ---- */

static struct answer move(const struct pair *pair, int seat, const char *text)
{
    return ask_at(&house, seat == 1 ? pair->game.token : pair->second, "POST", text, "%s/moves",
                  pair->path);
}

static void play_on(const struct pair *pair, const char *first, const char *second)
{
    const char *const moves[] = {first, second};

    for (int i = 0; i < 2; i++) {
        struct answer answer = move(pair, i + 1, moves[i]);

        assert_status(&answer, 201);
    }
}

static struct answer look(const struct pair *pair)
{
    return ask_at(&house, NULL, "GET", NULL, "%s", pair->path);
}

/* A game that no time can end. It is made before time passes, which breaks the daemons' sessions.
 */
static const char *timeless_game(void)
{
    static char path[64];

    if (path[0] == '\0')
        snprintf(path, sizeof(path), "%s",
                 pair_open(&house, "{\"kind\":\"days\",\"days\":1}").path);
    return path;
}

/* Waits until both daemons go by the present time, and know of the outages until now. */
static void await_time(const char *path)
{
    hours_seen(house.database, house.plyd.port, path);
    hours_seen(house.database, house.second.port, path);
}

/* Time passes for both daemons. */
static void pass(int64_t us, bool outage)
{
    const char *path = timeless_game();

    hours_pass(house.database, us, outage);
    await_time(path);
}

static double seconds_of(const struct answer *answer, const char *path)
{
    return member(answer, path)->valuedouble;
}

static const char fischer[] =
    "{\"kind\":\"fischer\",\"initial\":\"10d\",\"increment\":\"36h\",\"max\":\"10d\"}";

/* ---- what is shown ---- */

Test(clocks, no_time_runs_before_both_sides_have_moved)
{
    struct pair pair = pair_new(&house, fischer);
    struct answer answer;

    pass(2 * DAY, false);
    answer = move(&pair, 1, "e5");
    assert_status(&answer, 201);
    cr_expect_float_eq(seconds_of(&answer, "game.clock.left_s.1"), 864000, 0.001);
    cr_expect_float_eq(seconds_of(&answer, "spent_s"), 2 * 86400, 0.0005);
    answer = look(&pair);
    cr_expect(cJSON_IsNull(member(&answer, "clock.running")));
    cr_expect_float_eq(seconds_of(&answer, "clock.left_s.2"), 864000, 0.001);
}

Test(clocks, the_side_to_move_pays_for_its_time_and_gets_the_increment)
{
    struct pair pair = pair_new(&house, fischer);
    struct answer answer;

    play_on(&pair, "e5", "e4");
    pass(5 * DAY, false);
    answer = look(&pair);
    cr_expect_eq(number_of(&answer, "clock.running"), 1);
    cr_expect_float_eq(seconds_of(&answer, "clock.left_s.1"), 5 * 86400, 0.0005);
    cr_expect_float_eq(seconds_of(&answer, "clock.left_s.2"), 864000, 0.001);
    answer = move(&pair, 1, "d5");
    assert_status(&answer, 201);
    cr_expect_float_eq(seconds_of(&answer, "left_s"), 6.5 * 86400, 0.0005);
    answer = ask_at(&house, NULL, "GET", NULL, "%s/moves", pair.path);
    cr_expect_float_eq(seconds_of(&answer, "items.2.spent_s"), 5 * 86400, 0.0005);
    cr_expect_float_eq(seconds_of(&answer, "items.2.left_s"), 6.5 * 86400, 0.0005);
}

Test(clocks, the_event_of_a_move_shows_the_clock_as_the_game_does)
{
    struct pair pair = pair_new(&house, "{\"kind\":\"byoyomi\",\"initial\":\"10d\","
                                        "\"period\":\"1d\",\"periods\":2}");
    struct answer events, game;

    play_on(&pair, "e5", "e4");
    pass(5 * DAY, false);
    game = move(&pair, 1, "d5");
    events = ask_at(&house, NULL, "GET", NULL, "%s/events?type=move&after=4", pair.path);
    cr_expect_float_eq(seconds_of(&events, "items.0.data.clock.left_s.1"),
                       seconds_of(&game, "game.clock.left_s.1"), 0.001);
    cr_expect_eq(number_of(&events, "items.0.data.clock.periods_left.2"),
                 number_of(&game, "game.clock.periods_left.2"));
}

Test(clocks, a_person_at_a_terminal_reads_the_clock)
{
    struct pair pair = pair_new(&house, fischer);
    struct answer answer;

    play_on(&pair, "e5", "e4");
    pass(SECOND, false);
    answer = ask(&house, "GET", pair.path, "Accept: text/plain\r\n", NULL);
    cr_expect_not_null(strstr(answer.reply.body, "clock: x 9d 23h, o 10d 0h; x has until "), "%s",
                       answer.reply.body);
}

Test(clocks, a_game_without_a_clock_shows_none)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    struct answer answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", game.id);

    cr_expect(!has(&answer, "clock"));
}

Test(clocks, a_clock_that_cannot_be_is_refused_with_its_place)
{
    static const struct {
        const char *clock, *pointer;
    } rows[] = {{"{\"kind\":\"hourglass\"}", "/clock/kind"},
                {"{\"kind\":\"days\"}", "/clock/days"},
                {"{\"kind\":\"fischer\",\"initial\":\"soon\",\"increment\":1}", "/clock/initial"},
                {"{\"kind\":\"byoyomi\",\"initial\":0,\"period\":0}", "/clock/period"}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char body[256];
        struct answer answer;

        snprintf(body, sizeof(body), "{\"variant\":\"tictactoe\",\"clock\":%s}", rows[i].clock);
        answer = ask_as(&house, NULL, "POST", "/v1/games", body);
        cr_expect(answer.status >= 400 && answer.status < 500, "%s: %d", rows[i].clock,
                  answer.status);
        cr_expect_str_eq(text_of(&answer, "pointer"), rows[i].pointer, "%s: %s", rows[i].clock,
                         answer.reply.body);
    }
}

/* ---- the end of time ---- */

static void assert_lost_on_time(const struct answer *answer, int winner)
{
    cr_expect_str_eq(text_of(answer, "status"), "finished");
    cr_expect_str_eq(text_of(answer, "outcome.reason"), "timeout");
    cr_expect_eq(number_of(answer, "outcome.winner"), winner);
    cr_expect(cJSON_IsNull(member(answer, "clock.deadline_at")));
    cr_expect_float_eq(seconds_of(answer, "clock.left_s.1"), 0, 0.0005);
}

static char *deadline_of(const struct pair *pair)
{
    struct answer answer = look(pair);

    return strdup(text_of(&answer, "clock.deadline_at"));
}

static void assert_timed_out_at(const struct pair *pair, const char *deadline)
{
    struct answer answer = ask_at(&house, NULL, "GET", NULL, "%s/events?after=4", pair->path);

    cr_expect_eq(cJSON_GetArraySize(member(&answer, "items")), 1, "%s", answer.reply.body);
    cr_expect_str_eq(text_of(&answer, "items.0.type"), "timeout");
    cr_expect_str_eq(text_of(&answer, "items.0.at"), deadline);
}

Test(clocks, a_look_after_the_deadline_finds_the_game_lost_at_the_deadline)
{
    struct pair pair = pair_new(&house, "{\"kind\":\"days\",\"days\":3}");
    struct answer answer;
    char *deadline;

    play_on(&pair, "e5", "e4");
    deadline = deadline_of(&pair);
    pass(4 * DAY, false);
    answer = look(&pair);
    assert_lost_on_time(&answer, 2);
    assert_timed_out_at(&pair, deadline);
    free(deadline);
}

Test(clocks, a_move_after_the_deadline_comes_too_late)
{
    struct pair pair =
        pair_new(&house, "{\"kind\":\"byoyomi\",\"initial\":\"1m\",\"period\":\"30s\","
                         "\"periods\":2}");
    struct answer answer;
    char *deadline;

    play_on(&pair, "e5", "e4");
    deadline = deadline_of(&pair);
    pass(121 * SECOND, false);
    answer = move(&pair, 1, "d5");
    assert_problem(&answer, 409, "game-over");
    assert_timed_out_at(&pair, deadline);
    free(deadline);
}

/* The second daemon has a copy from before the first move, whose deadline is over. */
Test(clocks, a_move_is_no_later_than_the_game_says_whatever_a_daemons_copy_says)
{
    struct pair pair = pair_new(&house, "{\"kind\":\"days\",\"days\":1}");
    struct http_reply reply;
    struct answer answer;
    char headers[200], path[100];

    play_on(&pair, "e5", "e4");
    timeless_game();
    http_request(house.second.port, &reply, "GET", pair.path, NULL, NULL);
    cr_assert_eq(reply.status, 200);
    http_free(&reply);
    pass(20 * HOUR, false);
    answer = move(&pair, 1, "d5");
    assert_status(&answer, 201);
    pass(10 * HOUR, false);
    snprintf(headers, sizeof(headers), "Content-Type: text/plain\r\nAuthorization: Bearer %s\r\n",
             pair.second);
    snprintf(path, sizeof(path), "%s/moves", pair.path);
    http_request(house.second.port, &reply, "POST", path, headers, "d4");
    answer = answer_of(&house, "POST", path, reply);
    assert_status(&answer, 201);
    cr_assert_eq(number_of(&answer, "ply"), 4);
}

/* Only the database is looked at, so that no request has the game settled. */
static bool is_finished(const struct pair *pair)
{
    struct answer answer = ask_at(&house, NULL, "GET", NULL, "/v1/games?status=finished&limit=200");

    return strstr(answer.reply.body, pair->game.id) != NULL;
}

Test(clocks, a_game_that_nobody_asks_for_is_lost_at_its_deadline)
{
    struct pair pair;
    struct answer answer;
    char body[] = "{\"variant\":\"tictactoe\",\"visibility\":\"public\",\"options\":{\"rows\":9,"
                  "\"cols\":9,\"k\":5},\"seats\":[{\"me\":true},{\"open\":true}],"
                  "\"clock\":{\"kind\":\"days\",\"days\":1}}";
    char *deadline;

    pair.game = new_game(&house, body);
    snprintf(pair.path, sizeof(pair.path), "/v1/games/%s", pair.game.id);
    answer = pair_join(&house, &pair);
    snprintf(pair.second, sizeof(pair.second), "%s", text_of(&answer, "token"));
    play_on(&pair, "e5", "e4");
    deadline = deadline_of(&pair);
    pass(2 * DAY, false);
    while (!is_finished(&pair))
        ;
    assert_timed_out_at(&pair, deadline);
    free(deadline);
}

Test(clocks, two_daemons_that_notice_at_once_write_one_timeout)
{
    for (int round = 0; round < 10; round++) {
        struct pair pair = pair_new(&house, "{\"kind\":\"days\",\"days\":1}");
        struct http_reply replies[2];
        char *deadline;
        int fds[2] = {http_connect(house.plyd.port), http_connect(house.second.port)};

        play_on(&pair, "e5", "e4");
        deadline = deadline_of(&pair);
        pass(2 * DAY, false);
        for (int i = 0; i < 2; i++)
            http_send(fds[i], "GET", pair.path, NULL, NULL, 0);
        for (int i = 0; i < 2; i++) {
            http_receive(fds[i], "GET", &replies[i]);
            cr_expect_eq(replies[i].status, 200);
            cr_expect_not_null(strstr(replies[i].body, "\"reason\":\"timeout\""), "%s",
                               replies[i].body);
            http_free(&replies[i]);
        }
        assert_timed_out_at(&pair, deadline);
        free(deadline);
    }
}

Test(clocks, a_game_that_nobody_begins_is_called_off)
{
    struct pair pair = pair_new(&house, "{\"kind\":\"days\",\"days\":7,\"first_move\":\"1d\"}");
    struct answer answer;

    pass(25 * HOUR, false);
    answer = look(&pair);
    cr_expect_str_eq(text_of(&answer, "status"), "aborted");
    cr_expect_str_eq(text_of(&answer, "outcome.reason"), "no_start");
    cr_expect(!has(&answer, "outcome.winner"));
}

Test(clocks, a_game_that_waits_for_somebody_to_join_loses_no_time)
{
    struct pair pair = pair_open(&house, "{\"kind\":\"days\",\"days\":1}");
    struct answer answer;

    pass(30 * DAY, false);
    answer = pair_join(&house, &pair);
    assert_status(&answer, 200);
    cr_expect_str_eq(text_of(&answer, "status"), "active");
}

/* ---- undo ---- */

Test(clocks, an_undo_gives_back_the_time_of_its_position)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\",\"options\":{\"rows\":9,"
                                        "\"cols\":9,\"k\":5},\"clock\":{\"kind\":\"fischer\","
                                        "\"initial\":\"10d\",\"increment\":0}}");
    struct answer answer;

    play(&house, &game, "e5 e4");
    pass(DAY, false);
    play(&house, &game, "d5");
    pass(2 * DAY, false);
    answer = ask_at(&house, game.token, "POST", "{\"to_ply\":2}", "/v1/games/%s/undo", game.id);
    assert_status(&answer, 200);
    cr_expect_float_eq(seconds_of(&answer, "clock.left_s.1"), 864000, 0.0005);
    cr_expect_float_eq(seconds_of(&answer, "clock.left_s.2"), 864000, 0.0005);
    answer = ask_at(&house, game.token, "POST", NULL, "/v1/games/%s/redo", game.id);
    assert_status(&answer, 200);
    cr_expect_float_eq(seconds_of(&answer, "clock.left_s.1"), 9 * 86400, 0.0005);
}

/* ---- outages ---- */

static void stop_daemons(void)
{
    cr_assert_eq(plyd_stop(&house.plyd), 0);
    cr_assert_eq(plyd_stop(&house.second), 0);
}

Test(clocks, an_outage_is_credited_to_the_side_to_move_by_an_event)
{
    struct pair pair = pair_new(&house, "{\"kind\":\"days\",\"days\":3}");
    struct answer answer;

    play_on(&pair, "e5", "e4");
    stop_daemons();
    hours_pass(house.database, 30 * DAY, true);
    plyd_start(&house.plyd, house.database, NULL);
    plyd_start(&house.second, house.database, NULL);
    answer = look(&pair);
    cr_expect_str_eq(text_of(&answer, "status"), "active");
    cr_expect_float_eq(seconds_of(&answer, "clock.left_s.1"), 3 * 86400, 0.0005);
    answer = move(&pair, 1, "d5");
    assert_status(&answer, 201);
    cr_expect_float_eq(seconds_of(&answer, "spent_s"), 0, 0.0005);
    answer = ask_at(&house, NULL, "GET", NULL, "%s/events?after=4", pair.path);
    cr_expect_str_eq(text_of(&answer, "items.0.type"), "credited");
    cr_expect_float_eq(seconds_of(&answer, "items.0.data.seconds"), 30 * 86400, 0.0005);
    cr_expect_str_eq(text_of(&answer, "items.1.type"), "move");
}

/* Both daemons are away for a while. Time must not jump again before they have stored that they are
 * back: a beat that is under way has the time from before. */
static void be_out(int64_t us)
{
    const char *path = timeless_game();

    stop_daemons();
    hours_pass(house.database, us, true);
    plyd_start(&house.plyd, house.database, NULL);
    plyd_start(&house.second, house.database, NULL);
    await_time(path);
}

/* Nobody looks at the game between the two: its deadline is farther away than both. */
Test(clocks, each_outage_is_credited_by_an_event_of_its_own)
{
    struct pair pair = pair_new(&house, "{\"kind\":\"days\",\"days\":14}");
    struct answer answer;

    play_on(&pair, "e5", "e4");
    be_out(5 * DAY);
    pass(HOUR, false);
    be_out(2 * DAY);
    answer = move(&pair, 1, "d5");
    assert_status(&answer, 201);
    cr_expect_float_eq(seconds_of(&answer, "spent_s"), 3600, 0.0005);
    answer = ask_at(&house, NULL, "GET", NULL, "%s/events?after=4", pair.path);
    cr_expect_str_eq(text_of(&answer, "items.0.type"), "credited");
    cr_expect_float_eq(seconds_of(&answer, "items.0.data.seconds"), 5 * 86400, 0.0005);
    cr_expect_str_eq(text_of(&answer, "items.1.type"), "credited");
    cr_expect_float_eq(seconds_of(&answer, "items.1.data.seconds"), 2 * 86400, 0.0005);
    cr_expect_str_eq(text_of(&answer, "items.2.type"), "move");
}

Test(clocks, a_deadline_within_an_outage_moves_behind_it)
{
    struct pair pair = pair_new(&house, "{\"kind\":\"days\",\"days\":1}");
    struct answer answer;

    play_on(&pair, "e5", "e4");
    pass(20 * HOUR, false);
    stop_daemons();
    hours_pass(house.database, 10 * HOUR, true);
    plyd_start(&house.plyd, house.database, NULL);
    plyd_start(&house.second, house.database, NULL);
    answer = look(&pair);
    cr_expect_str_eq(text_of(&answer, "status"), "active");
    cr_expect_float_eq(seconds_of(&answer, "clock.left_s.1"), 4 * 3600, 0.0005);
    pass(5 * HOUR, false);
    answer = look(&pair);
    assert_lost_on_time(&answer, 2);
}

static struct answer read_if_new(const struct player *player, const char *path, const char *etag)
{
    char headers[320];

    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nIf-None-Match: %s\r\n",
             player->token, etag);
    return ask(&house, "GET", path, headers, NULL);
}

/* No game has changed. */
Test(clocks, after_an_outage_a_calendar_is_not_the_one_that_was_read_before)
{
    static const char *const paths[] = {"/v1/me/deadlines.ics", "/v1/me/games.atom",
                                        "/v1/me/games"};
    enum { PATHS = sizeof(paths) / sizeof(paths[0]) };
    struct player ada = new_player(&house, "Ada");
    char etag[PATHS][256];
    struct answer answer;

    timeless_game();
    for (int i = 0; i < PATHS; i++) {
        answer = read_if_new(&ada, paths[i], "\"none\"");
        assert_status(&answer, 200);
        http_header(&answer.reply, "ETag", etag[i]);
        answer = read_if_new(&ada, paths[i], etag[i]);
        assert_status(&answer, 304);
    }
    pass(2 * HOUR, true);
    for (int i = 0; i < PATHS; i++) {
        answer = read_if_new(&ada, paths[i], etag[i]);
        for (int looks = 0; answer.status == 304; looks++) { /* the next heartbeat finds it */
            back_off(looks);
            answer = read_if_new(&ada, paths[i], etag[i]);
        }
        assert_status(&answer, 200);
    }
}

Test(clocks, a_machine_whose_clock_is_ahead_of_the_database_makes_no_outage)
{
    struct pair pair;
    struct answer answer;

    stop_daemons();
    hours_pass(house.database, -30 * DAY, false);
    plyd_start(&house.plyd, house.database, NULL);
    plyd_start(&house.second, house.database, NULL);
    pair = pair_new(&house, "{\"kind\":\"days\",\"days\":3}");
    play_on(&pair, "e5", "e4");
    pass(4 * DAY, false);
    answer = look(&pair);
    assert_lost_on_time(&answer, 2);
}

Test(clocks, stored_clocks_replay)
{
    struct pair pair = pair_new(&house, fischer);

    play_on(&pair, "e5", "e4");
    pass(DAY, false);
    play_on(&pair, "d5", "d4");
    pass(30 * DAY, false);
    look(&pair);
    cr_expect(plyd_verified(house.database));
}

/* ---- ends at which no time ran ---- */

Test(clocks, a_redo_that_ends_the_game_again_is_verified)
{
    struct game game =
        new_game(&house, "{\"variant\":\"tictactoe\",\"clock\":{\"kind\":\"days\",\"days\":3}}");
    struct answer answer;

    play(&house, &game, "a1 b1 a2 b2 a3");
    for (int i = 0; i < 2; i++) {
        answer = ask_at(&house, game.token, "POST", "{}", "/v1/games/%s/%s", game.id,
                        i == 0 ? "undo" : "redo");
        assert_status(&answer, 200);
    }
    cr_assert(plyd_verified(house.database));
}

Test(clocks, a_game_that_is_over_from_its_start_is_verified)
{
    struct game game =
        new_game(&house, "{\"variant\":\"tictactoe\",\"clock\":{\"kind\":\"days\",\"days\":3},"
                         "\"moves\":[\"a1\",\"b1\",\"a2\",\"b2\",\"a3\"]}");

    cr_assert_neq(game.id[0], '\0');
    cr_assert(plyd_verified(house.database));
}
