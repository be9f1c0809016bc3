/* test_already_sent.c - what a feed has told already and will find again. */
#include <criterion/criterion.h>

#include "api/stream/already_sent.h"

/* An event of one of some games. */
static struct db_feed event_of(int game, int32_t version, int64_t written_at)
{
    struct db_feed event = {.written_at = written_at};

    event.game.byte[0] = (uint8_t)(game & 0xff);
    event.game.byte[1] = (uint8_t)(game >> 8);
    event.event.version = version;
    return event;
}

static void note(struct sent_events *told, int game, int32_t version, int64_t written_at)
{
    struct db_feed event = event_of(game, version, written_at);

    sent_note(told, &event);
}

static bool has(const struct sent_events *told, int game, int32_t version)
{
    struct db_feed event = event_of(game, version, 0);

    return sent_has(told, &event);
}

Test(already_sent, an_event_is_known_with_all_before_it_in_its_game)
{
    struct sent_events told = {.count = 0};

    note(&told, 1, 3, 100);
    cr_assert(has(&told, 1, 2));
    cr_assert(has(&told, 1, 3));
    cr_assert_not(has(&told, 1, 4));
    cr_assert_not(has(&told, 2, 1), "another game");
    sent_free(&told);
}

Test(already_sent, a_later_event_takes_the_place_of_an_earlier_one)
{
    struct sent_events told = {.count = 0};

    note(&told, 1, 3, 100);
    note(&told, 1, 4, 200);
    sent_forget(&told, 150);
    cr_assert(has(&told, 1, 4));
    cr_assert_eq(told.count, 1);
    sent_free(&told);
}

Test(already_sent, games_whose_last_event_is_older_are_forgotten)
{
    struct sent_events told = {.count = 0};

    for (int game = 0; game < 10; game++)
        note(&told, game, 1, 100 + game);
    sent_forget(&told, 105);
    for (int game = 0; game < 10; game++)
        cr_assert_eq(has(&told, game, 1), game >= 5, "game %d", game);
    sent_free(&told);
}

Test(already_sent, it_keeps_a_bounded_number_of_games_and_still_hears_of_those)
{
    struct sent_events told = {.count = 0};

    for (int game = 0; game < SENT_MAX + 10; game++)
        note(&told, game, 1, 100);
    cr_assert_eq(told.count, SENT_MAX);
    cr_assert_not(has(&told, SENT_MAX, 1));
    note(&told, 7, 2, 200);
    cr_assert(has(&told, 7, 2));
    sent_free(&told);
}
