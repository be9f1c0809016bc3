/* test_ending.c - which events have ended a game. */
#include <criterion/criterion.h>

#include "api/game/log_ends.h"
#include "api/game/words.h"

static struct arena arena;

static void free_all(void)
{
    arena_free(&arena);
}

TestSuite(ending, .fini = free_all);

/* A game at version 9, line 2, ply 5. */
static struct db_game row_of(const char *variant, const char *position, int status,
                             const char *reason)
{
    return (struct db_game){.variant = variant,
                            .options = "{}",
                            .position = position,
                            .status = (int16_t)status,
                            .reason = reason,
                            .version = 9,
                            .line = 2,
                            .ply = 5};
}

static bool ends(const struct db_game *row, int kind, int line, int ply, const char *data)
{
    struct ending ending = log_ending_of(row);
    struct db_event event = {
        .version = 9, .kind = (int16_t)kind, .seat = 1, .line = line, .ply = ply, .data = data};

    return log_ending_is(&arena, &ending, &event);
}

static const char won[] = "xxx/oo1/3 o 3", open_still[] = "xx1/oo1/3 x 3";

Test(ending, a_last_move_or_its_redo_has_ended_a_game_that_is_over_by_its_position)
{
    struct db_game row = row_of("tictactoe", won, STATUS_FINISHED, "line");

    cr_assert(ends(&row, EVENT_MOVE, 2, 5, NULL));
    cr_assert(ends(&row, EVENT_REDO, 2, 5, NULL));
    cr_assert_not(ends(&row, EVENT_MOVE, 2, 4, NULL));
    cr_assert_not(ends(&row, EVENT_MOVE, 1, 5, NULL));
    cr_assert_not(ends(&row, EVENT_UNDO, 2, 5, NULL));
    cr_assert_not(ends(&row, EVENT_MESSAGE, 2, 5, NULL));
}

Test(ending, the_last_move_before_another_deed_has_not_ended_the_game)
{
    static const char *const reasons[] = {"resign", "timeout", "agreement", "impasse"};

    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
        struct db_game row = row_of("tictactoe", open_still, STATUS_FINISHED, reasons[i]);

        cr_assert_not(ends(&row, EVENT_MOVE, 2, 5, NULL), "%s", reasons[i]);
    }
}

Test(ending, a_move_has_not_ended_a_game_that_goes_on_or_was_called_off)
{
    struct db_game active = row_of("tictactoe", open_still, STATUS_ACTIVE, NULL);
    struct db_game aborted = row_of("tictactoe", open_still, STATUS_ABORTED, NULL);

    cr_assert_not(ends(&active, EVENT_MOVE, 2, 5, NULL));
    cr_assert_not(ends(&aborted, EVENT_MOVE, 2, 5, NULL));
}

/* No position shows a repetition. */
Test(ending, a_move_that_repeats_a_position_too_often_has_ended_the_game)
{
    struct db_game row = row_of("tictactoe", open_still, STATUS_FINISHED, "repetition");

    cr_assert(ends(&row, EVENT_MOVE, 2, 5, NULL));
    row.reason = "perpetual_check";
    cr_assert(ends(&row, EVENT_MOVE, 2, 5, NULL));
}

Test(ending, other_ends_say_so_by_their_kind_whatever_came_later)
{
    static const int kinds[] = {EVENT_RESIGNED, EVENT_ABORTED, EVENT_DECLARED, EVENT_RECORDED,
                                EVENT_TIMEOUT};
    struct db_game row = row_of("tictactoe", open_still, STATUS_ACTIVE, NULL);

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        cr_assert(ends(&row, kinds[i], 1, 3, "{}"), "%s", words_event(kinds[i]));
}

Test(ending, a_draw_or_calling_off_that_is_accepted_has_ended_it_and_nothing_else_that_is)
{
    struct db_game row = row_of("tictactoe", open_still, STATUS_FINISHED, "agreement");

    cr_assert(ends(&row, EVENT_ACCEPTED, 2, 5, "{\"offer\":8,\"kind\":\"draw\"}"));
    cr_assert(ends(&row, EVENT_ACCEPTED, 2, 5, "{\"offer\":8,\"kind\":\"abort\"}"));
    cr_assert_not(ends(&row, EVENT_ACCEPTED, 2, 5, "{\"offer\":8,\"kind\":\"undo\"}"));
    cr_assert_not(ends(&row, EVENT_ACCEPTED, 2, 5, "{\"offer\":8,\"kind\":\"time\"}"));
    cr_assert_not(ends(&row, EVENT_ACCEPTED, 2, 5, NULL));
    cr_assert_not(ends(&row, EVENT_OFFERED, 2, 5, "{\"kind\":\"draw\"}"));
}
