/* test_newer.c - what only a newer program knows is refused game by game, and left as it is. The
 * tests write it into the database. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "house.h"
#include "tests/support/backoff.h"
#include "tests/support/receiver.h"
#include "tests/support/stream.h"

HOUSE_SUITE(newer, house_open, HOUSE_PATIENCE_S);

/* Ada's games: an old one, and one that a newer program has changed. */
static struct player ada;
static struct game old, newer;

/* The code with which that one is refused. */
static const char *unreadable = "newer-program";

static void assert_value(const char *sql, const char *wanted)
{
    char *value = house_value(&house, sql);

    cr_assert_str_eq(value, wanted, "%s", sql);
    free(value);
}

static void await_value(const char *sql, const char *wanted)
{
    for (int looks = 0;; looks++) {
        char *value = house_value(&house, sql);
        bool there = strcmp(value, wanted) == 0;

        free(value);
        if (there)
            return;
        back_off(looks);
    }
}

static void begin(const char *body)
{
    ada = new_player(&house, "Ada");
    old = new_game_of(&house, ada.token,
                      "{\"variant\":\"tictactoe\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    newer = new_game_of(&house, ada.token, body);
}

#define NEWEST "(select id from games order by created_at desc limit 1)"

/* What a newer program has written into the row, with a new version as always. */
static void change_row(const char *set)
{
    char sql[600];

    snprintf(sql, sizeof(sql), "update games set version = version + 1, %s where id = " NEWEST,
             set);
    house_sql(&house, sql);
}

static void add_event(int kind)
{
    char sql[600];

    snprintf(sql, sizeof(sql),
             "with g as (update games set version = version + 1 where id = " NEWEST
             " returning *) insert into events (game_id, version, kind, seat, line, ply, key, at,"
             " data) select id, version, %d, 1, line, ply, 0, now(), '{\"moon\":\"full\"}' from g",
             kind);
    house_sql(&house, sql);
}

/* All that is stored, but for leases. */
static char *all_stored(void)
{
    return house_value(
        &house, "select md5(string_agg(x, '' order by x)) from ("
                " select games::text as x from games union all select events::text from events"
                " union all select concat_ws(' ', id, kind) from due) as s");
}

static int status_of(const char *token, const char *method, const char *format, const char *body)
{
    char path[120];
    struct answer answer;
    int status;

    snprintf(path, sizeof(path), format, newer.id);
    answer = ask_as(&house, token, method, path, body);
    status = answer.status;
    if (status == 503) {
        cr_assert_str_eq(text_of(&answer, "code"), unreadable);
        cr_assert(strstr(answer.reply.headers, "Retry-After: 10\r\n"), "%s", answer.reply.headers);
    }
    return status;
}

/* ---- rows ---- */

static const struct {
    const char *body, *set;
} rows[] = {
#define JUNGLE "{\"variant\":\"jungle\"}"
#define CLOCK                                                                                    \
    "{\"variant\":\"jungle\",\"clock\":{\"kind\":\"fischer\",\"initial\":\"10m\",\"increment\":" \
    "\"5s\"}}"
    {JUNGLE, "variant = 'go'"},
    {JUNGLE, "rules_version = 999"},
    {JUNGLE, "options = replace(options, '}', ',\"fog\":true}')"},
    {JUNGLE, "status = 5"},
    {JUNGLE, "status = 32767"},
    {JUNGLE, "undo = 4"},
    {JUNGLE, "undo = 32000"},
    {JUNGLE, "to_move = 3"},
    {JUNGLE, "to_move = 0"},
    {JUNGLE, "winner = 3"},
    {JUNGLE, "seat1_state = 5"},
    {JUNGLE, "seat2_state = -9999"},
    {JUNGLE, "seat2_state = 3, seat2_engine = 'plyd:9'"},
    {JUNGLE, "seat2_state = 3, seat2_engine = 'zero'"},
    {JUNGLE, "seat2_state = 3, seat2_engine = null"},
    {CLOCK, "clock = '{\"kind\":\"hourglass\",\"initial\":5}'"},
    {CLOCK, "clock = replace(clock, '}', ',\"delay\":5}')"},
    {CLOCK, "timing = replace(timing, '\"1\":{', '\"sand\":7,\"1\":{')"},
    {CLOCK, "timing = replace(timing, '\"1\":{', '\"1\":{\"sand\":7,')"},
    {JUNGLE, "offers = '{\"offers\":[{\"id\":1,\"kind\":\"swap\",\"seat\":1,\"at\":1}]}'"},
};

static void assert_refused(const char *what)
{
    static const struct {
        const char *method, *path, *body;
    } requests[] = {
        {"GET", "/v1/games/%s", NULL},
        {"GET", "/v1/games/%s/legal-moves", NULL},
        {"GET", "/v1/games/%s/moves", NULL},
        {"GET", "/v1/games/%s/events", NULL},
        {"GET", "/v1/games/%s/board.txt", NULL},
        {"GET", "/v1/games/%s/board.svg", NULL},
        {"GET", "/v1/games/%s/board.png", NULL},
        {"GET", "/v1/games/%s/replay", NULL},
        {"GET", "/v1/games/%s/export", NULL},
        {"PUT", "/v1/games/%s/moves/1", "a3a4"},
        {"POST", "/v1/games/%s/moves", "a3a4"},
        {"POST", "/v1/games/%s/resign", NULL},
        {"POST", "/v1/games/%s/offers", "{\"kind\":\"draw\"}"},
        {"POST", "/v1/games/%s/undo", "{\"to_ply\":0}"},
        {"POST", "/v1/games/%s/fork", "{}"},
        {"POST", "/v1/games/%s/messages", "{\"text\":\"Hello\"}"},
        {"GET", "/v1/games/%s/plan", NULL},
    };

    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
        cr_assert_eq(status_of(newer.token, requests[i].method, requests[i].path, requests[i].body),
                     503, "%s: %s %s", what, requests[i].method, requests[i].path);
}

/* The others of a list are there. */
static void assert_listed(const char *path)
{
    struct answer answer = ask_as(&house, ada.token, "GET", path, NULL);

    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "items.0.id"), old.id);
    cr_assert_not(has(&answer, "items.1"));
}

/* What there is to do next is never a game that would be refused. */
static void assert_next_is_known(void)
{
    struct answer answer = ask_as(&house, ada.token, "GET", "/v1/me/next", NULL);

    cr_assert(answer.status == 204 || answer.status == 200, "%s", answer.reply.body);
    cr_assert(answer.status == 204 || strstr(answer.reply.body, newer.id) == NULL);
}

Test(newer, a_game_whose_row_is_not_known_is_refused_and_left_alone_and_hides_no_other)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char *before, *after;

        begin(rows[i].body);
        cr_assert_eq(status_of(newer.token, "GET", "/v1/games/%s", NULL), 200);
        change_row(rows[i].set);
        unreadable = strstr(rows[i].set, "variant") != NULL ? "game-not-loaded" : "newer-program";
        before = all_stored();
        assert_refused(rows[i].set);
        assert_listed("/v1/me/games");
        assert_listed("/v1/me/games?sort=deadline");
        assert_next_is_known();
        after = all_stored();
        cr_assert_str_eq(before, after, "%s", rows[i].set);
        free(before);
        free(after);
    }
}

Test(newer, it_is_logged_once_for_each_game)
{
    FILE *log;
    char line[2000];
    int count = 0;

    begin(JUNGLE);
    change_row("status = 9");
    for (int i = 0; i < 5; i++)
        cr_assert_eq(status_of(newer.token, "GET", "/v1/games/%s", NULL), 503);
    plyd_await_log(&house.plyd);
    log = fopen(house.plyd.log, "r");
    while (fgets(line, sizeof(line), log) != NULL)
        count += strstr(line, "game-unreadable") != NULL && strstr(line, newer.id) != NULL;
    fclose(log);
    cr_assert_eq(count, 1);
}

Test(newer, a_game_is_played_on_once_it_can_be_read_again)
{
    begin("{\"variant\":\"tictactoe\"}");
    change_row("undo = undo + 10");
    cr_assert_eq(status_of(newer.token, "GET", "/v1/games/%s", NULL), 503);
    house_sql(&house, "update games set undo = undo - 10, version = version - 1 where undo > 10");
    play(&house, &newer, "a1 b2");
}

Test(newer, a_stranger_hears_nothing_of_a_private_one)
{
    begin("{\"variant\":\"jungle\",\"visibility\":\"private\"}");
    change_row("undo = 9");
    cr_assert_eq(status_of(NULL, "GET", "/v1/games/%s", NULL), 404);
    cr_assert_eq(status_of(newer.token, "GET", "/v1/games/%s", NULL), 503);
    change_row("visibility = 9");
    cr_assert_eq(status_of(NULL, "GET", "/v1/games/%s", NULL), 404);
    cr_assert_eq(status_of(newer.token, "GET", "/v1/games/%s", NULL), 503);
}

/* A stream and a wait are there when the row becomes unreadable. */
Test(newer, whoever_follows_a_game_goes_on_hearing_of_its_events)
{
    struct stream_message message;
    struct http_reply head;
    struct stream stream;
    char path[100];

    begin("{\"variant\":\"tictactoe\"}");
    snprintf(path, sizeof(path), "/v1/games/%s/events", newer.id);
    stream_open(&stream, house.plyd.port, path, "Accept: text/event-stream\r\n", &head);
    cr_assert_eq(head.status, 200);
    http_free(&head);
    house_sql(&house, "update games set undo = 9 where id = " NEWEST);
    add_event(77);
    cr_assert(stream_message(&stream, &message));
    cr_assert_str_eq(message.event, "unknown");
    stream_close(&stream);
    cr_assert_eq(status_of(newer.token, "GET", "/v1/games/%s", NULL), 503);
}

/* ---- events ---- */

Test(newer, an_event_of_an_unknown_kind_is_shown_as_such_and_does_not_hinder_the_game)
{
    struct answer answer;

    begin("{\"variant\":\"tictactoe\"}");
    add_event(77);
    play(&house, &newer, "a1 b2");
    answer = ask_at(&house, newer.token, "GET", NULL, "/v1/games/%s/events", newer.id);
    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "items.1.type"), "unknown");
    cr_assert_str_eq(text_of(&answer, "items.1.data.moon"), "full");
    cr_assert_str_eq(text_of(&answer, "items.2.type"), "move");
    cr_assert_eq(status_of(newer.token, "GET", "/v1/games/%s/lines", NULL), 200);
    cr_assert_eq(status_of(newer.token, "GET", "/v1/games/%s/replay", NULL), 200);
    cr_assert_eq(status_of(newer.token, "POST", "/v1/games/%s/undo", "{\"to_ply\":1}"), 200);
}

Test(newer, a_log_with_an_unknown_event_goes_out_in_formats_that_have_no_log)
{
    begin("{\"variant\":\"tictactoe\"}");
    add_event(77);
    play(&house, &newer, "a1 b2");
    cr_assert_eq(status_of(newer.token, "GET", "/v1/games/%s/export?format=json", NULL), 503);
    cr_assert_eq(status_of(newer.token, "GET", "/v1/games/%s/export?format=text", NULL), 200);
}

Test(newer, the_export_of_an_account_leaves_out_what_it_cannot_write_down)
{
    struct http_reply reply;
    char headers[200];

    begin("{\"variant\":\"tictactoe\"}");
    add_event(77);
    newer = new_game_of(&house, ada.token, JUNGLE);
    change_row("seat2_state = 3, seat2_engine = null");
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", ada.token);
    http_request(house.plyd.port, &reply, "GET", "/v1/me/export?format=ndjson", headers, NULL);
    cr_assert_eq(reply.status, 200, "%s", reply.body);
    cr_assert(strstr(reply.body, "\"tictactoe\""), "%s", reply.body);
    cr_assert_not(strstr(reply.body, "unknown"), "%s", reply.body);
    cr_assert_not(strstr(reply.body, "\"jungle\""), "%s", reply.body);
    http_free(&reply);
}

static int verified(const char **said)
{
    static char text[4000];
    char command[500];
    FILE *out;

    snprintf(command, sizeof(command), "%s verify --database '%s' 2>/dev/null", plyd_program(),
             house.database);
    out = popen(command, "r");
    text[fread(text, 1, sizeof(text) - 1, out)] = '\0';
    *said = text;
    return pclose(out);
}

Test(newer, verify_names_what_it_cannot_compare_and_fails_for_nothing_but_differences)
{
    const char *said;

    begin("{\"variant\":\"tictactoe\"}");
    add_event(77);
    newer = new_game_of(&house, ada.token, JUNGLE);
    change_row("status = 12");
    cr_assert_eq(verified(&said), 0, "%s", said);
    cr_assert(strstr(said, "3 games with 4 events, 0 of them differ"), "%s", said);
    cr_assert(strstr(said, "only a newer program knows event 2, of kind 77\n"), "%s", said);
    cr_assert(strstr(said, "\n2 games were not compared"), "%s", said);
    house_sql(&house, "update games set ply = 1 where status = 1");
    cr_assert_neq(verified(&said), 0, "%s", said);
}

/* ---- due work ---- */

/* The daemon keeps a promise that it knows, of the same time, so it has looked at the others. */
Test(newer, due_work_of_an_unknown_kind_is_neither_leased_nor_deleted)
{
    begin("{\"variant\":\"tictactoe\"}");
    house_sql(&house, "insert into due select gen_random_uuid(), kind, now(), now()"
                      " from unnest(array[17, 31, 32, 44, 999]) as k(kind)");
    house_sql(&house, "insert into due select gen_random_uuid(), 2, now(), now()");
    await_value("select count(*) from due where kind = 2", "0");
    assert_value("select count(*) from due where kind in (17, 31, 32, 44, 999)"
                 " and leased_until = at and holder is null",
                 "5");
}

Test(newer, due_work_in_a_game_that_is_not_known_stays)
{
    begin("{\"variant\":\"tictactoe\"}");
    play(&house, &newer, "a1 b2 a2 b1 a3");
    await_value("select count(*) from due where kind = 11", "0");
    change_row("undo = 9, visibility = 1");
    house_sql(&house, "insert into due select id, kind, now(), now() from games,"
                      " unnest(array[1, 8, 11]) as k(kind) where undo = 9");
    await_value("select count(*) from due where kind = 11 and at > now() + interval '1 minute'",
                "1");
    await_value("select count(*) from due where leased_until > at", "2");
    assert_value("select count(*) from due where kind in (1, 8, 11)", "3");
}

Test(newer, a_player_renames_themselves_where_the_game_is_known_and_later_elsewhere)
{
    struct answer answer;

    begin(JUNGLE);
    change_row("undo = 9");
    answer = ask_as(&house, ada.token, "PATCH", "/v1/me", "{\"name\":\"Ada Lovelace\"}");
    assert_status(&answer, 200);
    await_value("select count(*) from games where seat1_name = 'Ada Lovelace'", "1");
    await_value("select count(*) from due where kind = 2 and at > now() and leased_until = at",
                "1");
    assert_value("select count(*) from games where undo = 9 and seat1_name = 'Ada'", "1");
}

/* ---- jobs and webhooks ---- */

#define ADAS "(select id from players order by created_at desc limit 1)"

Test(newer, jobs_of_an_unknown_kind_or_state_are_shown_and_left_alone)
{
    struct answer answer;

    begin(JUNGLE);
    house_sql(&house, "insert into tasks select " ADAS ", gen_random_uuid(), kind, state, 1, now(),"
                      " now() - interval '40 days', 10, 0, 0, 0, '{}' from (values (9, 2), (9, 4),"
                      " (1, 9), (1, 99)) as t(kind, state)");
    house_sql(&house, "insert into due select " ADAS ", 10, now(), now()");
    await_value("select count(*) from due where kind = 10 and at > now() + interval '30 seconds'",
                "1");
    assert_value("select count(*) from tasks where version = 1", "4");
    answer = ask_as(&house, ada.token, "GET", "/v1/jobs", NULL);
    assert_status(&answer, 200);
    cr_assert(has(&answer, "items.3"));
    cr_assert(strstr(answer.reply.body, "\"unknown\""), "%s", answer.reply.body);
    answer = ask_as(&house, ada.token, "GET", "/v1/jobs?limit=4", NULL);
}

Test(newer, a_webhook_at_rest_for_an_unknown_reason_is_shown_and_stays_at_rest)
{
    struct answer answer;

    begin(JUNGLE);
    answer = ask_as(&house, ada.token, "POST", "/v1/webhooks",
                    "{\"url\":\"https://plyd.example/hook\",\"events\":[\"move\"]}");
    assert_status(&answer, 201);
    house_sql(&house, "update webhooks set disabled = 9, events = events | (1::bigint << 50)");
    house_sql(&house, "insert into deliveries select player_id, id, 1, 1, null, 0, 77, now(), 5,"
                      " 0, 99, null from webhooks");
    answer = ask_as(&house, ada.token, "GET", "/v1/webhooks", NULL);
    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "items.0.disabled"), "unknown");
    play(&house, &newer, "a3a4");
    assert_value("select count(*) from webhooks where disabled = 9 and attempts = 0"
                 " and events >> 50 & 1 = 1",
                 "1");
}

/* ---- plans ---- */

Test(newer, a_plan_that_cannot_be_read_holds_the_game_rather_than_be_lost)
{
    struct answer answer;
    struct player bob;

    begin("{\"variant\":\"tictactoe\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    bob = new_player(&house, "Bob");
    answer = ask_at(&house, bob.token, "POST", "{}", "/v1/games/%s/join", newer.id);
    assert_status(&answer, 200);
    play(&house, &newer, "a1");
    answer = ask_at(&house, newer.token, "PUT",
                    "{\"after_ply\":1,\"tree\":[{\"if\":\"b2\",\"then\":\"c3\"}]}",
                    "/v1/games/%s/plan", newer.id);
    cr_assert(answer.status == 200 || answer.status == 201, "%s", answer.reply.body);
    house_sql(&house, "update plans set tree = replace(tree, '\"if\"', '\"unless\"')");
    cr_assert_eq(status_of(newer.token, "GET", "/v1/games/%s/plan", NULL), 503);
    cr_assert_eq(status_of(bob.token, "POST", "/v1/games/%s/moves", "b2"), 503);
    assert_value("select count(*) from plans where tree like '%unless%'", "1");
    house_sql(&house, "update plans set tree = replace(tree, '\"unless\"', '\"if\"')");
    cr_assert_eq(status_of(bob.token, "POST", "/v1/games/%s/moves", "b2"), 201);
}
