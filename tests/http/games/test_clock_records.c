/*
 * test_clock_records.c - games with a clock leave the daemon as records: with the time of each
 * move, the time that they give, and an end by timeout. From our own records they come in again.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/http/house.h"
#include "tests/support/hours.h"

#define SECOND INT64_C(1000000)

static struct house house;

static void open_house(void)
{
    house_open_on(&house, hours_borrow());
}

static void close_house(void)
{
    house_close_verified(&house);
}

TestSuite(clock_records, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

static struct game begin(const char *variant, const char *clock)
{
    char body[512];

    snprintf(body, sizeof(body),
             "{\"variant\":\"%s\",\"seats\":[{\"me\":true,\"name\":\"Ada\"},"
             "{\"me\":true,\"name\":\"Mia\"}],\"clock\":%s}",
             variant, clock);
    return new_game(&house, body);
}

static void pass(const struct game *game, int64_t us)
{
    char path[128];

    snprintf(path, sizeof(path), "/v1/games/%s", game->id);
    hours_pass(house.database, us, false);
    hours_seen(house.database, house.plyd.port, path);
}

static struct answer export(const struct game *game, const char *format)
{
    return ask_at(&house, game->token, "GET", NULL, "/v1/games/%s/export?format=%s", game->id,
                  format);
}

static struct answer import(const char *query, const char *record)
{
    char path[128];

    snprintf(path, sizeof(path), "/v1/games/import%s", query);
    return ask(&house, "POST", path, "Content-Type: application/octet-stream\r\n", record);
}

static void tells(const struct game *game, const char *format, const char *const *parts)
{
    struct answer answer = export(game, format);

    assert_status(&answer, 200);
    for (; *parts != NULL; parts++)
        cr_expect_not_null(strstr(answer.reply.body, *parts), "no %s in\n%s", *parts,
                           answer.reply.body);
}

/* The first player thinks for 65 s about the second move, and then the other for too long. */
static struct game lost_on_time(const char *clock)
{
    struct game game = begin("shogi", clock);

    play(&house, &game, "7g7f 3c3d");
    pass(&game, 65 * SECOND);
    play(&house, &game, "2g2f");
    pass(&game, 3600 * SECOND);
    return game;
}

/* ---- out ---- */

Test(clock_records, every_format_tells_times_the_time_limit_and_the_timeout)
{
    static const struct {
        const char *format, *parts[6];
    } rows[] = {
        {"kif",
         {"持ち時間：10分+30秒\n", "   3 ２六歩(27)   ( 1:05/00:01:05)",
          "   4 切れ負け     (10:30/00:10:30)", NULL}},
        {"ki2", {"持ち時間：10分+30秒\n", NULL}},
        {"csa", {"$TIME_LIMIT:00:10+30\n", "+2726FU\nT65\n", "%TIME_UP\nT630\n", NULL}},
        {"csa3", {"$TIME:600+30+0\n", "+2726FU\nT65", "%TIME_UP\nT630\n", NULL}},
        {"jkf", {"\"持ち時間\":\"10分+30秒\"", "\"TIME_UP\"", NULL}},
        {"text", {"time_limit: 10m + 1 x 30s\n", NULL}},
    };
    struct game game = lost_on_time("{\"kind\":\"byoyomi\",\"initial\":600,\"period\":30}");

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        tells(&game, rows[i].format, rows[i].parts);
}

Test(clock_records, draughts_have_their_times_in_pdn)
{
    static const char *const parts[] = {"[TimeControl \"300+10\"]", "[Termination \"timeout\"]",
                                        "[Result \"0-1\"]", "{[%emt 0:01:0", NULL};
    struct game game =
        begin("turkish-draughts", "{\"kind\":\"fischer\",\"initial\":300,\"increment\":10}");

    play(&house, &game, "a3-a4 h6-h5");
    pass(&game, 60 * SECOND);
    play(&house, &game, "c3-c4 f6-f5");
    pass(&game, 3600 * SECOND);
    tells(&game, "pdn", parts);
}

Test(clock_records, a_time_limit_comes_in_as_it_went_out)
{
    static const char *const formats[] = {"kif", "csa", "csa3"};
    struct game game = lost_on_time("{\"kind\":\"byoyomi\",\"initial\":600,\"period\":30}");

    for (size_t i = 0; i < 3; i++) {
        struct answer record = export(&game, formats[i]), answer = import("", record.reply.body);
        struct game copy;
        struct answer again;

        assert_status(&answer, 201);
        cr_expect_str_eq(text_of(&answer, "outcome.reason"), "timeout");
        cr_expect_not(has(&answer, "clock"));
        snprintf(copy.id, sizeof(copy.id), "%s", text_of(&answer, "id"));
        snprintf(copy.token, sizeof(copy.token), "%s", text_of(&answer, "token"));
        again = export(&copy, formats[i]);
        cr_expect_str_eq(again.reply.body, record.reply.body);
    }
}

/* ---- our own ---- */

Test(clock_records, the_whole_game_with_its_clock_moves_to_another_plyd)
{
    struct game game = lost_on_time("{\"kind\":\"fischer\",\"initial\":600,\"increment\":30}");
    struct answer record = export(&game, "json"), answer = import("", record.reply.body), again;
    struct game copy;

    assert_status(&answer, 201);
    snprintf(copy.id, sizeof(copy.id), "%s", text_of(&answer, "id"));
    snprintf(copy.token, sizeof(copy.token), "%s", text_of(&answer, "token"));
    again = export(&copy, "json");
    cr_assert_str_eq(again.reply.body, record.reply.body);
}

Test(clock_records, the_clock_of_an_imported_game_begins_at_the_import)
{
    static const char body[] =
        "{\"record\":\"V2.2\\n$START_TIME:2001/01/01 10:00:00\\nPI\\n+\\n+7776FU\\nT5\\n\","
        "\"clock\":{\"kind\":\"days\",\"days\":2,\"first_move\":\"1h\"}}";
    struct answer answer;
    struct game copy;

    answer = ask_as(&house, NULL, "POST", "/v1/games/import", body);
    assert_status(&answer, 201);
    cr_expect_str_eq(text_of(&answer, "status"), "active");
    snprintf(copy.id, sizeof(copy.id), "%s", text_of(&answer, "id"));
    snprintf(copy.token, sizeof(copy.token), "%s", text_of(&answer, "token"));
    pass(&copy, 3000 * SECOND);
    play(&house, &copy, "3c3d 2g2f");
    answer = ask_at(&house, copy.token, "POST", "{\"to_ply\":1}", "/v1/games/%s/undo", copy.id);
    assert_status(&answer, 200);
    pass(&copy, 4000 * SECOND);
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", copy.id);
    cr_expect_str_eq(text_of(&answer, "outcome.reason"), "no_start");
}
