/*
 * test_clock_warnings.c - the side to move is warned when its time is nearly over: when, how often,
 * and where the event is told. Two daemons keep the promises.
 */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/game/words.h"
#include "tests/http/pairs.h"
#include "tests/support/backoff.h"
#include "tests/support/hours.h"
#include "tests/support/stream.h"

#define SECOND INT64_C(1000000)
#define HOUR   (3600 * SECOND)
#define DAY    (24 * HOUR)

/* A promise that a daemon could not keep, since its connection was cut, comes again after half a
 * minute. */

static struct house house;
static PGconn *sql;
static char waiting[64]; /* a game that shows the time, and that nobody joins */

/* ---- games of two people ---- */

static struct answer ask_of(const struct pair *pair, int seat, const char *method, const char *rest,
                            const char *body)
{
    return ask_at(&house, seat == 1 ? pair->game.token : pair->second, method, body, "%s%s",
                  pair->path, rest);
}

static void does(const struct pair *pair, int seat, const char *method, const char *rest,
                 const char *body)
{
    struct answer answer = ask_of(pair, seat, method, rest, body);

    cr_assert(answer.status >= 200 && answer.status < 300, "%s", answer.reply.body);
}

static void moves(const struct pair *pair, int seat, const char *text)
{
    does(pair, seat, "POST", "/moves", text);
}

static const char one_day[] = "{\"kind\":\"days\",\"days\":1,\"first_move\":\"12h\"}";

/* Both have moved, and seat 1 has a day. */
static struct pair new_day(void)
{
    struct pair pair = pair_new(&house, one_day);

    moves(&pair, 1, "e5");
    moves(&pair, 2, "e4");
    return pair;
}

/* ---- time ---- */

static void open_house(void)
{
    house_open_on(&house, hours_borrow());
    house_open_second(&house);
    sql = PQconnectdb(house.database);
    PQclear(PQexec(sql, "set application_name = 'warnings'")); /* its connection is not cut */
    snprintf(waiting, sizeof(waiting), "%s", pair_open(&house, one_day).path);
}

static void close_house(void)
{
    PQfinish(sql);
    house_close_verified(&house);
}

TestSuite(clock_warnings, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

enum { MOMENT = 80 };

/* The time that the database tells. Workers of Citus know no other time than their own, so it is
 * written down. */
static const char *moment(char text[MOMENT])
{
    snprintf(text, MOMENT, "timestamptz 'epoch' + %lld * interval '1 microsecond'",
             (long long)hours_database_now(house.database));
    return text;
}

/* Whether a daemon has still to look at some clock. */
static bool is_due(void)
{
    char query[256], now[MOMENT];
    PGresult *result;
    bool due;

    snprintf(query, sizeof(query), "select count(*) from due where kind = 1 and at <= %s",
             moment(now));
    result = PQexec(sql, query);
    cr_assert_eq(PQresultStatus(result), PGRES_TUPLES_OK, "%s", PQerrorMessage(sql));
    due = strcmp(PQgetvalue(result, 0, 0), "0") != 0;
    PQclear(result);
    return due;
}

/* Both daemons see the time, and each promise that is due was kept. */
static void know_time(void)
{
    hours_seen(house.database, house.plyd.port, waiting);
    hours_seen(house.database, house.second.port, waiting);
    for (int looks = 0; is_due(); looks++)
        back_off(looks);
}

static void pass(int64_t us)
{
    hours_pass(house.database, us, false);
    know_time();
}

/* ---- what the log says ---- */

static struct answer warnings_of(const struct pair *pair)
{
    return ask_at(&house, NULL, "GET", NULL, "%s/events?type=deadline", pair->path);
}

static int warned(const struct pair *pair)
{
    struct answer answer = warnings_of(pair);

    return cJSON_GetArraySize(member(&answer, "items"));
}

static struct answer look(const struct pair *pair)
{
    return ask_at(&house, NULL, "GET", NULL, "%s", pair->path);
}

/* ---- when ---- */

Test(clock_warnings, one_comes_when_a_quarter_of_the_time_is_left)
{
    struct pair pair = new_day();
    struct answer answer, game;

    pass(18 * HOUR - 60 * SECOND);
    cr_assert_eq(warned(&pair), 0);
    pass(120 * SECOND);
    answer = warnings_of(&pair);
    game = look(&pair);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 1, "%s", answer.reply.body);
    cr_assert_eq(number_of(&answer, "items.0.version"), 5);
    cr_assert_eq(number_of(&answer, "items.0.seat"), 1);
    cr_assert_eq(number_of(&answer, "items.0.ply"), 2);
    cr_assert_str_eq(text_of(&answer, "items.0.data.deadline_at"),
                     text_of(&game, "clock.deadline_at"));
    cr_assert_eq(number_of(&game, "clock.running"), 1);
    cr_assert_eq(number_of(&game, "to_move"), 1);
    pass(5 * HOUR);
    cr_assert_eq(warned(&pair), 1);
}

Test(clock_warnings, after_one_the_time_runs_out_as_ever)
{
    struct pair pair = new_day();
    struct answer answer = look(&pair);
    char *deadline = strdup(text_of(&answer, "clock.deadline_at"));

    pass(20 * HOUR);
    pass(5 * HOUR);
    answer = ask_at(&house, NULL, "GET", NULL, "%s/events?after=4", pair.path);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 2, "%s", answer.reply.body);
    cr_assert_str_eq(text_of(&answer, "items.0.type"), "deadline");
    cr_assert_str_eq(text_of(&answer, "items.1.type"), "timeout");
    cr_assert_str_eq(text_of(&answer, "items.1.at"), deadline);
    pass(5 * DAY);
    cr_assert_eq(warned(&pair), 1);
    free(deadline);
}

Test(clock_warnings, none_comes_after_the_deadline)
{
    struct pair pair = new_day();

    pass(25 * HOUR);
    cr_assert_eq(warned(&pair), 0);
}

Test(clock_warnings, the_first_move_has_one_too)
{
    struct pair pair = pair_new(&house, one_day);
    struct answer answer;

    pass(10 * HOUR);
    cr_assert_eq(warned(&pair), 1);
    pass(3 * HOUR);
    answer = look(&pair);
    cr_assert_str_eq(text_of(&answer, "outcome.reason"), "no_start");
}

Test(clock_warnings, a_game_of_a_few_hours_has_none)
{
    struct pair pair =
        pair_new(&house, "{\"kind\":\"fischer\",\"initial\":\"3h\",\"increment\":0}");

    moves(&pair, 1, "e5");
    moves(&pair, 2, "e4");
    pass(3 * HOUR - 60 * SECOND);
    cr_assert_eq(warned(&pair), 0);
    pass(120 * SECOND);
    cr_assert_eq(warned(&pair), 0);
}

Test(clock_warnings, a_move_in_time_needs_none_and_the_next_turn_has_its_own)
{
    struct pair pair = new_day();
    struct answer answer;

    pass(17 * HOUR);
    moves(&pair, 1, "d5");
    pass(17 * HOUR);
    cr_assert_eq(warned(&pair), 0);
    pass(2 * HOUR);
    moves(&pair, 2, "d4");
    pass(19 * HOUR);
    answer = warnings_of(&pair);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 2, "%s", answer.reply.body);
    cr_assert_eq(number_of(&answer, "items.0.seat"), 2);
    cr_assert_eq(number_of(&answer, "items.1.seat"), 1);
}

Test(clock_warnings, an_undo_begins_a_turn_that_has_its_own)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\",\"options\":{\"rows\":9,"
                                        "\"cols\":9,\"k\":5},\"clock\":{\"kind\":\"days\","
                                        "\"days\":1}}");
    struct pair pair = {.game = game};

    snprintf(pair.path, sizeof(pair.path), "/v1/games/%s", game.id);
    play(&house, &game, "e5 e4 d5");
    pass(19 * HOUR);
    cr_assert_eq(warned(&pair), 1);
    does(&pair, 1, "POST", "/undo", "{}");
    pass(19 * HOUR);
    cr_assert_eq(warned(&pair), 2);
}

/* ---- what moves the deadline ---- */

static void agree(const struct pair *pair, const char *offer)
{
    struct answer answer = ask_of(pair, 1, "POST", "/offers", offer);
    char path[64];

    assert_status(&answer, 201);
    snprintf(path, sizeof(path), "/offers/%d/accept", number_of(&answer, "offer.id"));
    does(pair, 2, "POST", path, "{}");
}

Test(clock_warnings, a_game_that_is_paused_has_none_until_it_goes_on)
{
    struct pair pair = new_day();

    pass(HOUR);
    agree(&pair, "{\"kind\":\"pause\",\"for\":\"5d\"}");
    pass(2 * DAY);
    cr_assert_eq(warned(&pair), 0);
    does(&pair, 1, "DELETE", "/pause", NULL);
    pass(16 * HOUR);
    cr_assert_eq(warned(&pair), 0);
    pass(2 * HOUR);
    cr_assert_eq(warned(&pair), 1);
}

Test(clock_warnings, time_that_is_added_puts_it_off)
{
    struct pair pair = new_day();

    pass(HOUR);
    agree(&pair, "{\"kind\":\"time\",\"add\":\"8h\"}");
    pass(22 * HOUR);
    cr_assert_eq(warned(&pair), 0);
    pass(2 * HOUR);
    cr_assert_eq(warned(&pair), 1);
    agree(&pair, "{\"kind\":\"time\",\"add\":\"3d\"}");
    pass(3 * DAY);
    cr_assert_eq(warned(&pair), 1);
}

__attribute__((format(printf, 1, 2))) static void run_sql(const char *format, ...)
{
    char command[512];
    PGresult *result;
    va_list values;

    va_start(values, format);
    vsnprintf(command, sizeof(command), format, values);
    va_end(values);
    result = PQexec(sql, command);
    cr_assert_str_eq(PQresultErrorMessage(result), "", "%s", command);
    PQclear(result);
}

/* Its daemon has not come to tell the game, which hears of it when the warning would be due. */
Test(clock_warnings, a_player_on_a_vacation_that_the_game_has_not_heard_of_has_none)
{
    struct player ada = new_player(&house, "Ada");
    struct pair pair;
    struct answer answer;
    char now[MOMENT];

    pair.game = new_game_of(&house, ada.token,
                            "{\"variant\":\"tictactoe\",\"clock\":{\"kind\":\"days\",\"days\":1}}");
    snprintf(pair.path, sizeof(pair.path), "/v1/games/%s", pair.game.id);
    play(&house, &pair.game, "a1 b2");
    run_sql("insert into vacations (player_id, from_at, until_at) select id, %s,"
            " %s + interval '5 days' from players",
            moment(now), now);
    pass(19 * HOUR);
    answer = ask_at(&house, NULL, "GET", NULL, "%s/events?after=3", pair.path);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 1, "%s", answer.reply.body);
    cr_assert_str_eq(text_of(&answer, "items.0.type"), "vacation");
    pass(5 * DAY);
    cr_assert_eq(warned(&pair), 1);
}

static void stop_daemons(void)
{
    cr_assert_eq(plyd_stop(&house.plyd), 0);
    cr_assert_eq(plyd_stop(&house.second), 0);
}

static void start_daemons(void)
{
    plyd_start(&house.plyd, house.database, NULL);
    plyd_start(&house.second, house.database, NULL);
    know_time();
}

Test(clock_warnings, an_outage_puts_it_off)
{
    struct pair pair = new_day();

    pass(17 * HOUR);
    stop_daemons();
    hours_pass(house.database, 6 * HOUR, true);
    start_daemons();
    cr_assert_eq(warned(&pair), 0);
    pass(2 * HOUR);
    cr_assert_eq(warned(&pair), 1);
}

/* ---- once ---- */

Test(clock_warnings, daemons_that_are_restarted_do_not_give_it_again)
{
    struct pair pair = new_day();

    pass(19 * HOUR);
    for (int i = 0; i < 2; i++) {
        plyd_kill9(&house.plyd);
        plyd_kill9(&house.second);
        start_daemons();
        pass(HOUR);
        cr_assert_eq(warned(&pair), 1);
    }
}

/* The promise is there again and again, so that both daemons look at it. */
Test(clock_warnings, each_of_many_games_has_one_from_two_daemons)
{
    enum { GAMES = 12 };
    struct pair pairs[GAMES];
    char now[MOMENT];

    for (int i = 0; i < GAMES; i++)
        pairs[i] = new_day();
    hours_pass(house.database, 19 * HOUR, false);
    for (int round = 0; round < 4; round++) {
        run_sql("update due set at = %s, leased_until = %s where kind = 1", moment(now), now);
        know_time();
    }
    for (int i = 0; i < GAMES; i++)
        cr_assert_eq(warned(&pairs[i]), 1);
}

/* ---- where it is told ---- */

Test(clock_warnings, a_stream_tells_it_and_there_is_nothing_to_wait_for_then)
{
    struct pair pair = new_day();
    struct stream_message message;
    struct http_reply head;
    struct stream stream;
    char path[80];
    struct answer answer;

    snprintf(path, sizeof(path), "%s/events", pair.path);
    stream_open(&stream, house.plyd.port, path, "Accept: text/event-stream\r\n", &head);
    cr_assert_eq(head.status, 200);
    http_free(&head);
    pass(19 * HOUR);
    cr_assert_eq(stream_message(&stream, &message), 1);
    cr_assert_str_eq(message.event, "deadline");
    cr_assert_eq(message.id, 5);
    cr_assert_not_null(strstr(message.data, "\"data\":{\"deadline_at\":"), "%s", message.data);
    stream_close(&stream);
    answer = ask(&house, "GET", pair.path, "If-None-Match: \"4\"\r\nPrefer: wait=10\r\n", NULL);
    cr_assert_eq(number_of(&answer, "version"), 5);
}

Test(clock_warnings, all_events_of_a_player_tell_it)
{
    struct player ada = new_player(&house, "Ada");
    struct answer answer, events;
    struct game game;
    char path[128];

    game = new_game_of(&house, ada.token,
                       "{\"variant\":\"tictactoe\",\"clock\":{\"kind\":\"days\",\"days\":1,"
                       "\"first_move\":\"1d\"}}");
    answer = ask_as(&house, ada.token, "GET", "/v1/me/events", NULL);
    snprintf(path, sizeof(path), "/v1/me/events?after=%s", text_of(&answer, "cursor"));
    pass(19 * HOUR);
    events = ask_as(&house, ada.token, "GET", path, NULL);
    cr_assert_not_null(strstr(events.reply.body, "\"type\":\"deadline\""), "%s", events.reply.body);
    cr_assert_not_null(strstr(events.reply.body, game.id));
}

Test(clock_warnings, records_of_other_programs_do_not_tell_it)
{
    static const char *const formats[] = {"kif", "csa", "ki2", "jkf"};
    enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };
    struct answer before[FORMATS], after;
    struct pair pair;

    pair.game =
        new_game(&house, "{\"variant\":\"shogi\",\"clock\":{\"kind\":\"days\",\"days\":1}}");
    snprintf(pair.path, sizeof(pair.path), "/v1/games/%s", pair.game.id);
    play(&house, &pair.game, "7g7f 3c3d");
    for (int i = 0; i < FORMATS; i++)
        before[i] = ask_at(&house, pair.game.token, "GET", NULL, "%s/export?format=%s", pair.path,
                           formats[i]);
    pass(19 * HOUR);
    cr_assert_eq(warned(&pair), 1);
    for (int i = 0; i < FORMATS; i++) {
        after = ask_at(&house, pair.game.token, "GET", NULL, "%s/export?format=%s", pair.path,
                       formats[i]);
        assert_status(&after, 200);
        cr_assert_str_eq(after.reply.body, before[i].reply.body);
    }
}

Test(clock_warnings, our_own_record_brings_it_to_another_plyd)
{
    struct pair pair = new_day();
    struct answer record, copy, events;

    pass(19 * HOUR);
    record = ask_at(&house, NULL, "GET", NULL, "%s/export?format=json", pair.path);
    assert_status(&record, 200);
    copy = ask(&house, "POST", "/v1/games/import", "Content-Type: application/octet-stream\r\n",
               record.reply.body);
    assert_status(&copy, 201);
    events = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/events?type=deadline",
                    text_of(&copy, "id"));
    cr_assert_eq(cJSON_GetArraySize(member(&events, "items")), 1, "%s", events.reply.body);
}

/* It is no move of anybody's: offers stand, and what was known of the game holds but its version.
 */
Test(clock_warnings, nothing_else_changes)
{
    struct pair pair = new_day();
    struct answer before, after;

    does(&pair, 2, "POST", "/offers", "{\"kind\":\"draw\"}");
    before = look(&pair);
    pass(19 * HOUR);
    after = look(&pair);
    cr_assert_eq(number_of(&after, "version"), number_of(&before, "version") + 1);
    cr_assert_eq(cJSON_GetArraySize(member(&after, "offers")), 1);
    cr_assert_str_eq(text_of(&after, "clock.deadline_at"), text_of(&before, "clock.deadline_at"));
    cr_assert_str_eq(text_of(&after, "position"), text_of(&before, "position"));
    cr_assert_eq(number_of(&after, "ply"), 2);
    does(&pair, 1, "POST", "/moves", "d5");
}
