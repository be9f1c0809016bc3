/* test_notice.c - when quiet hours last, and how long a notice can be. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "api/game/row.h"
#include "api/game/words.h"
#include "api/hooks/notice.h"

#define MINUTE                INT64_C(60000000)
#define DAY                   (1440 * MINUTE)
#define AT(day, hour, minute) ((day)*DAY + ((hour)*60 + (minute)) * MINUTE)

/* ---- quiet hours ---- */

static int64_t quiet_until(int from, int to, int offset, int64_t now)
{
    struct db_hook hook = {
        .quiet_from = (int16_t)from, .quiet_to = (int16_t)to, .quiet_offset = (int16_t)offset};

    return notice_quiet_until(&hook, now);
}

Test(notice, quiet_hours_begin_and_end_where_they_say)
{
    static const struct {
        int from, to, offset;
        int64_t now, until;
    } rows[] = {
        {600, 660, 0, AT(9, 9, 59), DB_NEVER},
        {600, 660, 0, AT(9, 10, 0), AT(9, 11, 0)},
        {600, 660, 0, AT(9, 10, 59), AT(9, 11, 0)},
        {600, 660, 0, AT(9, 11, 0), DB_NEVER},
        /* over midnight */
        {1320, 420, 0, AT(9, 21, 59), DB_NEVER},
        {1320, 420, 0, AT(9, 22, 0), AT(10, 7, 0)},
        {1320, 420, 0, AT(10, 6, 59), AT(10, 7, 0)},
        {1320, 420, 0, AT(10, 7, 0), DB_NEVER},
        /* clocks that are ahead of UTC, and behind */
        {1320, 420, 120, AT(9, 20, 0), AT(10, 5, 0)},
        {1320, 420, 120, AT(10, 5, 0), DB_NEVER},
        {1320, 420, -210, AT(10, 1, 30), AT(10, 10, 30)},
        {1320, 420, -210, AT(10, 1, 29), DB_NEVER},
        {1320, 420, 840, AT(9, 8, 0), AT(9, 17, 0)},
        /* none */
        {600, 600, 0, AT(9, 10, 0), DB_NEVER},
        {-1, -1, 0, AT(9, 10, 0), DB_NEVER},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(
            quiet_until(rows[i].from, rows[i].to, rows[i].offset, rows[i].now + MINUTE / 2),
            rows[i].until, "row %zu", i);
}

/* ---- the hour of a digest ---- */

static int64_t digest_after(int minute, int offset, int64_t now)
{
    struct db_hook hook = {.digest_minute = (int16_t)minute, .digest_offset = (int16_t)offset};

    return notice_digest_after(&hook, now);
}

Test(notice, a_digest_comes_once_a_day_at_its_hour)
{
    static const struct {
        int minute, offset;
        int64_t now, next;
    } rows[] = {
        {480, 0, AT(9, 7, 59), AT(9, 8, 0)},
        {480, 0, AT(9, 8, 0), AT(10, 8, 0)},
        {480, 0, AT(9, 8, 1), AT(10, 8, 0)},
        {0, 0, AT(9, 23, 59), AT(10, 0, 0)},
        {1439, 0, AT(9, 0, 0), AT(9, 23, 59)},
        /* clocks that are ahead of UTC, and behind */
        {480, 120, AT(9, 5, 59), AT(9, 6, 0)},
        {480, 120, AT(9, 6, 0), AT(10, 6, 0)},
        {60, 840, AT(9, 10, 0), AT(9, 11, 0)},
        {480, -210, AT(9, 11, 29), AT(9, 11, 30)},
        {1380, -840, AT(9, 12, 0), AT(9, 13, 0)},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(digest_after(rows[i].minute, rows[i].offset, rows[i].now + MINUTE / 2),
                     rows[i].next, "row %zu", i);
}

/* ---- what is told ---- */

static struct db_game a_game(void)
{
    return (struct db_game){
        .version = 9,
        .status = STATUS_ACTIVE,
        .to_move = 2,
        .variant = "shogi",
        .deadline_at = DB_NEVER,
        .seat = {{.state = SEAT_TAKEN, .name = "Bo"}, {.state = SEAT_TAKEN, .name = "Ada"}}};
}

static bool told(struct arena *arena, const struct db_game *row, const struct db_event *events,
                 size_t count, struct notice *notice)
{
    static const struct db_hook receiver = {.lang = "en"};
    struct notice_game game = {*row, {row->version, 0, 0, false}, false};

    return notice_of(arena, &game, 1U << 2, &receiver, events, count, notice);
}

Test(notice, what_came_after_the_row_was_read_is_left_to_the_next_one)
{
    struct arena arena = {0};
    struct db_game row = a_game();
    struct db_event event = {.version = 10, .kind = EVENT_MOVE, .seat = 1};
    struct notice notice;

    cr_assert_not(told(&arena, &row, &event, 1, &notice));
    event.version = 9;
    cr_assert(told(&arena, &row, &event, 1, &notice));
    arena_free(&arena);
}

/* Whoever has moved could say so much that their move is not among what is looked at. */
Test(notice, that_it_is_their_move_is_told_though_what_made_it_so_was_left_out)
{
    struct arena arena = {0};
    struct db_game row = a_game();
    struct notice_game game = {row, {row.version, 0, 0, false}, true};
    struct db_hook receiver = {.lang = "en", .events = 1 << EVENT_MOVE};
    struct db_event event = {.version = 9, .kind = EVENT_MESSAGE, .seat = 1};
    struct notice notice;

    game.row.updated_at = 4711;
    cr_assert(notice_of(&arena, &game, 1U << 2, &receiver, &event, 1, &notice));
    cr_assert_str_eq(notice.words, "It is your move.");
    cr_assert_eq(notice.at, 4711);
    cr_assert_eq(notice.kind, EVENT_MOVE);
    cr_assert_not(notice_of(&arena, &game, 1U << 1, &receiver, &event, 1, &notice));
    cr_assert_not(notice_of(&arena, &game, 3U << 1, &receiver, &event, 1, &notice));
    receiver.events = 1 << EVENT_JOINED;
    cr_assert_not(notice_of(&arena, &game, 1U << 2, &receiver, &event, 1, &notice));
    arena_free(&arena);
}

Test(notice, a_message_is_one_line_that_says_nothing_in_the_name_of_plyd)
{
    struct arena arena = {0};
    struct db_game row = a_game();
    struct db_event event = {.version = 9,
                             .kind = EVENT_MESSAGE,
                             .seat = 1,
                             .data =
                                 "{\"text\":\"Hello\\n\\nhttps://evil.example/\\n-- \\nplyd\"}"};
    struct notice notice;

    cr_assert(told(&arena, &row, &event, 1, &notice));
    cr_assert_str_eq(notice.words, "Bo: Hello  https://evil.example/ --  plyd");
    arena_free(&arena);
}

Test(notice, a_message_that_its_writer_alone_reads_is_not_told)
{
    struct arena arena = {0};
    struct db_game row = a_game();
    struct db_event event = {.version = 9,
                             .kind = EVENT_MESSAGE,
                             .seat = 1,
                             .data = "{\"ply\":1,\"text\":\"Hello\","
                                     "\"unheard_by\":\"00000000000000000000000004\"}"};
    struct notice notice;

    cr_assert_not(told(&arena, &row, &event, 1, &notice));
    arena_free(&arena);
}

Test(notice, a_long_message_is_cut_and_a_notice_always_fits)
{
    static char data[8200];
    struct arena arena = {0};
    struct db_game row = a_game();
    struct db_event events[] = {{.version = 8, .kind = EVENT_MOVE, .seat = 1},
                                {.version = 9, .kind = EVENT_MESSAGE, .seat = 1, .data = data}};
    struct notice notice;
    size_t len = (size_t)sprintf(data, "{\"ply\":1,\"text\":\"");

    for (int i = 0; i < 2000; i++)
        len += (size_t)sprintf(data + len, "🙂");
    strcpy(data + len, "\"}");
    cr_assert(told(&arena, &row, events, 2, &notice));
    cr_assert_not_null(strstr(notice.words, "It is your move.\nBo: 🙂"), "%s", notice.words);
    cr_assert_not_null(strstr(notice.words, "🙂…"), "%s", notice.words);
    cr_assert_lt(strlen(notice.title) + strlen(notice.words), 1024);
    arena_free(&arena);
}

Test(notice, who_has_acted_since_is_not_told_that_somebody_has_joined)
{
    struct arena arena = {0};
    struct db_game row = a_game();
    struct db_event events[] = {{.version = 6, .kind = EVENT_JOINED, .seat = 1},
                                {.version = 7, .kind = EVENT_MOVE, .seat = 1},
                                {.version = 8, .kind = EVENT_MOVE, .seat = 2},
                                {.version = 9, .kind = EVENT_MOVE, .seat = 1}};
    struct notice notice;

    cr_assert(told(&arena, &row, events, 2, &notice));
    cr_assert_not_null(strstr(notice.words, "Bo has joined the game."), "%s", notice.words);
    cr_assert(told(&arena, &row, events, 4, &notice));
    cr_assert_str_eq(notice.words, "It is your move.");
    arena_free(&arena);
}

/* ---- challenges ---- */

/* Bo has challenged Ada, whose seat is the second. */
static struct db_game a_challenge(void)
{
    struct db_game row = a_game();

    row.status = STATUS_OPEN;
    row.seat[1] = (struct db_seat){.has_player = false};
    row_challenge(&row.seat[1], (db_id){{1}}, 0, true);
    return row;
}

Test(notice, a_rematch_is_told_but_of_two_players_who_were_told_of_the_challenge)
{
    struct arena arena = {0};
    struct db_game row = a_game();
    struct db_event event = {.version = 9, .kind = EVENT_REMATCH, .seat = 1};
    struct notice notice;

    row.status = STATUS_FINISHED;
    row.has_next = true;
    cr_assert(told(&arena, &row, &event, 1, &notice));
    cr_assert_str_eq(notice.words, "Bo has begun another game.");
    for (int i = 0; i < DB_SEATS; i++) {
        row.seat[i].has_player = true;
        row.seat[i].player = (db_id){{(uint8_t)(i + 1)}};
    }
    cr_assert_not(told(&arena, &row, &event, 1, &notice));
    arena_free(&arena);
}

Test(notice, a_challenge_is_told_as_long_as_it_waits)
{
    struct arena arena = {0};
    struct db_game row = a_challenge();
    struct db_event event = {.version = 2, .kind = EVENT_CHALLENGED, .seat = 1};
    struct notice notice;

    cr_assert(told(&arena, &row, &event, 1, &notice));
    cr_assert_str_eq(notice.words, "Bo challenges you.");
    row.status = STATUS_ACTIVE;
    cr_assert_not(told(&arena, &row, &event, 1, &notice));
    arena_free(&arena);
}

Test(notice, how_a_challenge_has_come_to_nothing_is_told_with_the_word_that_was_said)
{
    static const struct {
        const char *reason, *data, *words;
    } rows[] = {{"declined", "{\"reason\":\"declined\",\"text\":\"Not\\nnow.\"}",
                 "Your challenge was declined. Not now."},
                {"declined", "{\"reason\":\"declined\"}", "Your challenge was declined."},
                {"declined",
                 "{\"reason\":\"declined\",\"text\":\"No\","
                 "\"unheard_by\":\"00000000000000000000000004\"}",
                 "Your challenge was declined."},
                {"expired", "{\"reason\":\"expired\"}", "The time of the challenge is over."},
                {NULL, NULL, "The challenge was withdrawn."}};
    struct arena arena = {0};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct db_game row = a_challenge();
        struct db_event event = {
            .version = 9, .kind = EVENT_ABORTED, .seat = 1, .data = rows[i].data};
        struct notice notice;

        row.status = STATUS_ABORTED;
        row.reason = rows[i].reason;
        cr_assert(told(&arena, &row, &event, 1, &notice));
        cr_expect_str_eq(notice.words, rows[i].words);
    }
    arena_free(&arena);
}

/* ---- games that wait ---- */

Test(notice, a_game_waits_for_whoever_is_to_move_alone)
{
    struct db_game row = a_game();

    cr_assert(notice_waits(&row, seat_bit(2)));
    cr_assert_not(notice_waits(&row, seat_bit(1)));
    cr_assert_not(notice_waits(&row, SEATS_BOTH));
    cr_assert_not(notice_waits(&row, 0));
    row.status = STATUS_FINISHED;
    cr_assert_not(notice_waits(&row, seat_bit(2)));
}
