/* test_messages.c - who reads what players write. */
#include <criterion/criterion.h>
#include <string.h>

#include "api/game/event_data.h"
#include "api/game/messages.h"
#include "api/game/words.h"

static struct arena arena;

static void free_arena(void)
{
    arena_free(&arena);
}

TestSuite(messages, .fini = free_arena);

static const struct db_event heard = {
    .kind = EVENT_MESSAGE, .seat = 1, .data = "{\"ply\":1,\"text\":\"Hello\"}"};
static const struct db_event unheard = {
    .kind = EVENT_MESSAGE,
    .seat = 1,
    .data = "{\"ply\":1,\"text\":\"Hello\",\"unheard_by\":\"00000000000000000000000004\"}"};
static const struct db_event declined = {
    .kind = EVENT_ABORTED,
    .seat = 1,
    .data =
        "{\"reason\":\"declined\",\"text\":\"No\",\"unheard_by\":\"00000000000000000000000004\"}"};

static const char *shown(const struct db_event *event, bool public, unsigned seats)
{
    return messages_shown(&arena, public, seats, event, 1)->data;
}

Test(messages, what_everybody_may_read_who_plays_is_not_copied)
{
    cr_assert_eq(messages_shown(&arena, false, seat_bit(2), &heard, 1), &heard);
    cr_assert_str_eq(shown(&heard, false, 0), "{\"ply\":1}");
    cr_assert_eq(messages_shown(&arena, true, 0, &heard, 1), &heard);
}

Test(messages, what_a_player_does_not_hear_is_read_by_its_writer_and_in_public_games)
{
    static const char whole[] = "{\"ply\":1,\"text\":\"Hello\"}";

    cr_assert_str_eq(shown(&unheard, false, seat_bit(1)), whole);
    cr_assert_str_eq(shown(&unheard, false, seat_bit(1) | seat_bit(2)), whole);
    cr_assert_str_eq(shown(&unheard, false, seat_bit(2)), "{\"ply\":1}");
    cr_assert_str_eq(shown(&unheard, false, 0), "{\"ply\":1}");
    cr_assert_str_eq(shown(&unheard, true, seat_bit(2)), whole);
}

Test(messages, a_word_of_declining_is_read_by_who_has_declined_though_they_play_no_seat)
{
    static const char whole[] = "{\"reason\":\"declined\",\"text\":\"No\"}";

    cr_assert_str_eq(shown(&declined, false, 0), whole);
    cr_assert_str_eq(shown(&declined, false, seat_bit(2)), "{\"reason\":\"declined\"}");
}

Test(messages, who_does_not_read_one_is_a_player_or_the_event_has_not_its_form)
{
    static const char *const data[] = {"{\"ply\":1,\"text\":\"Hello\",\"unheard_by\":\"Ada\"}",
                                       "{\"ply\":1,\"text\":\"Hello\",\"unheard_by\":5}"};
    struct event_data_write read;
    struct db_event nobody = {.kind = EVENT_MESSAGE,
                              .seat = 1,
                              .data = "{\"ply\":1,\"text\":\"Hello\",\"unheard_by\":null}"};

    cr_assert_str_eq(shown(&nobody, false, seat_bit(2)), "{\"ply\":1,\"text\":\"Hello\"}");
    cr_assert(event_data_read(&arena, &unheard, &read));
    cr_assert(read.is_unheard);
    for (size_t i = 0; i < sizeof(data) / sizeof(data[0]); i++) {
        struct db_event event = {.kind = EVENT_MESSAGE, .seat = 1, .data = data[i]};

        cr_assert_not(event_data_read(&arena, &event, &read), "%s", data[i]);
    }
}
