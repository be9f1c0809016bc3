/* test_ids.c - ids of games and players: the time that they begin with, and what they follow from.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "api/game/ids.h"

enum { TIME_BYTES = 6 };

static const int64_t MINUTE_US = 60000000;

static int by_time(const db_id *a, const db_id *b)
{
    return memcmp(a->byte, b->byte, TIME_BYTES);
}

static db_id of_key(const char *key)
{
    db_id id;

    memset(&id, 0xee, sizeof(id));
    ids_set_key_time(&id, key);
    return id;
}

Test(ids, of_later_games_sort_behind_those_of_earlier_ones)
{
    int64_t now = INT64_C(1790000000000000);

    for (int i = 0; i < 1000; i++, now += MINUTE_US) {
        db_id before = ids_new(now), after = ids_new(now + 1000);
        char first[IDS_TEXT], second[IDS_TEXT];

        cr_assert_lt(by_time(&before, &after), 0);
        ids_text(before, first);
        ids_text(after, second);
        cr_assert_lt(strcmp(first, second), 0, "%s %s", first, second);
    }
}

Test(ids, of_one_moment_share_nothing_but_their_time)
{
    int alike = 0;

    for (int i = 0; i < 1000; i++) {
        db_id one = ids_new(1), other = ids_new(999);

        cr_assert_eq(by_time(&one, &other), 0);
        for (size_t at = TIME_BYTES; at < sizeof(one.byte); at++)
            alike += one.byte[at] == other.byte[at];
    }
    cr_assert_lt(alike, 100, "%d of 10000 bytes; about 39 are expected", alike);
}

Test(ids, tell_their_time_in_milliseconds_of_1970)
{
    static const uint8_t time[] = {0x01, 0x7f, 0x22, 0xe2, 0x79, 0xb0};
    db_id id = ids_new(INT64_C(1645557742000) * 1000);

    cr_assert_arr_eq(id.byte, time, sizeof(time));
}

Test(ids, of_the_next_game_has_the_time_of_the_one_before_and_is_always_the_same)
{
    db_id game = ids_new(INT64_C(1790000000000000)), next = ids_next(game), again = ids_next(game);

    cr_assert_eq(by_time(&game, &next), 0);
    cr_assert_arr_neq(game.byte, next.byte, sizeof(game.byte));
    cr_assert_arr_eq(next.byte, again.byte, sizeof(next.byte));
}

Test(ids, of_a_key_that_is_a_uuid_of_version_7_have_its_time_and_nothing_else_of_it)
{
    static const uint8_t time[] = {0x01, 0x7f, 0x22, 0xe2, 0x79, 0xb0};
    static const char *const keys[] = {"017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
                                       "017F22E2-79B0-7CC3-98C4-DC0C0C07398F"};

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        db_id id = of_key(keys[i]);

        cr_assert_arr_eq(id.byte, time, sizeof(time));
        for (size_t at = TIME_BYTES; at < sizeof(id.byte); at++)
            cr_assert_eq(id.byte[at], 0xee);
    }
}

Test(ids, of_any_other_key_stay_as_they_are)
{
    static const char *const keys[] = {"",
                                       "7",
                                       "017f22e2-79b0-4cc3-98c4-dc0c0c07398f",  /* version 4 */
                                       "017f22e2-79b0-7cc3-98c4-dc0c0c07398",   /* short */
                                       "017f22e2-79b0-7cc3-98c4-dc0c0c07398f0", /* long */
                                       "017f22e2079b0-7cc3-98c4-dc0c0c07398f",  /* no hyphen */
                                       "017f22eg-79b0-7cc3-98c4-dc0c0c07398f",  /* no digit */
                                       " 17f22e2-79b0-7cc3-98c4-dc0c0c07398f",
                                       ("\xc3\xa9"
                                        "7f22e2-79b0-7cc3-98c4-dc0c0c07398"),
                                       "{17f22e2-79b0-7cc3-98c4-dc0c0c07398f}"};
    db_id untouched;

    memset(&untouched, 0xee, sizeof(untouched));
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        db_id id = of_key(keys[i]);

        cr_assert_arr_eq(id.byte, untouched.byte, sizeof(id.byte), "%s", keys[i]);
    }
}
