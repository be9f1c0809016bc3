/* test_feed_cursor.c - where somebody stands in the events of all games of a player, and its text.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "api/game/feed_cursor.h"

static const struct db_feed event = {.game = {{7, 8, 9}}, .event = {.version = 17}};

static void assert_kept(const struct feed_cursor *cursor)
{
    struct feed_cursor again;
    char text[FEED_CURSOR_TEXT];

    feed_cursor_text(cursor, text);
    cr_assert(feed_cursor_read(text, &again), "%s", text);
    cr_assert_eq(again.at.since, cursor->at.since);
    cr_assert_eq(again.upto, cursor->upto);
    cr_assert_eq(again.at.version, cursor->at.version);
    cr_assert_arr_eq(again.at.game.byte, cursor->at.game.byte, sizeof(cursor->at.game.byte));
}

Test(feed_cursor, a_cursor_between_passes_survives_as_a_text)
{
    assert_kept(&(struct feed_cursor){.at.since = 1795342342000000});
    assert_kept(&(struct feed_cursor){.at.since = 0});
}

Test(feed_cursor, a_cursor_within_a_pass_survives_as_a_text)
{
    struct feed_cursor cursor = {.at.since = 1795342342000000};

    feed_cursor_begin(&cursor, 1795342343000000);
    assert_kept(&cursor);
    feed_cursor_pass(&cursor, &event);
    assert_kept(&cursor);
}

Test(feed_cursor, a_zero_is_the_beginning)
{
    struct feed_cursor cursor = {.upto = 5};

    cr_assert(feed_cursor_read("0", &cursor));
    cr_assert_eq(cursor.at.since, 0);
    cr_assert_eq(cursor.upto, 0);
}

Test(feed_cursor, a_pass_ends_where_the_next_one_begins)
{
    struct feed_cursor cursor = {.at.since = 10};

    feed_cursor_begin(&cursor, 20);
    feed_cursor_pass(&cursor, &event);
    feed_cursor_end(&cursor);
    cr_assert_eq(cursor.at.since, 20);
    cr_assert_eq(cursor.at.version, 0);
    cr_assert_eq(cursor.upto, 0);
}

Test(feed_cursor, after_a_pass_that_is_held_the_next_one_begins_where_it_did)
{
    struct feed_cursor cursor = {.at.since = 10}, first = {.at.since = 0};

    feed_cursor_begin(&cursor, 20);
    feed_cursor_pass(&cursor, &event);
    feed_cursor_hold(&cursor);
    assert_kept(&cursor);
    cr_assert_eq(cursor.at.version, 17, "it goes on behind what was told");
    feed_cursor_end(&cursor);
    cr_assert_eq(cursor.at.since, 10);
    feed_cursor_begin(&first, 20);
    feed_cursor_hold(&first);
    cr_assert_neq(first.upto, 0, "it has begun");
    feed_cursor_end(&first);
    cr_assert_eq(first.at.since, 0);
}

Test(feed_cursor, when_the_servers_clock_was_set_back_a_pass_begins_there)
{
    struct feed_cursor cursor = {.at.since = 20};

    feed_cursor_begin(&cursor, 10);
    cr_assert_eq(cursor.at.since, 10);
}

Test(feed_cursor, texts_that_no_cursor_has_are_refused)
{
    static const char *const texts[] = {"",
                                        "1",
                                        "00",
                                        "17",
                                        "0400cr6v55xftz",
                                        "0c00cr6v55xftzr",
                                        "07zzzzzzzzzzzzr",
                                        "0400cr6v55xftzr0"};
    struct feed_cursor cursor;

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        cr_assert_not(feed_cursor_read(texts[i], &cursor), "%s", texts[i]);
    cr_assert(feed_cursor_read("0400cr6v55xftzr", &cursor));
}
