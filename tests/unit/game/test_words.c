/* test_words.c - the words for stored numbers, and what rows mean. */
#include <criterion/criterion.h>
#include <string.h>

#include "api/game/row.h"
#include "api/game/words.h"
#include "tests/unit/played.h"

/* ---- words ---- */

TestSuite(words, .fini = played_free);

Test(words, every_stored_number_has_the_word_of_the_contract)
{
    cr_assert_str_eq(words_status(STATUS_OPEN), "open");
    cr_assert_str_eq(words_status(STATUS_ACTIVE), "active");
    cr_assert_str_eq(words_status(STATUS_FINISHED), "finished");
    cr_assert_str_eq(words_status(STATUS_ABORTED), "aborted");
    cr_assert_str_eq(words_seat(SEAT_OPEN), "open");
    cr_assert_str_eq(words_seat(SEAT_TAKEN), "taken");
    cr_assert_str_eq(words_seat(SEAT_ENGINE), "engine");
    cr_assert_str_eq(words_undo(UNDO_FREE), "free");
    cr_assert_str_eq(words_undo(UNDO_CONSENT), "consent");
    cr_assert_str_eq(words_undo(UNDO_NEVER), "never");
    cr_assert_str_eq(words_visibility(VISIBILITY_PUBLIC), "public");
    cr_assert_str_eq(words_visibility(VISIBILITY_UNLISTED), "unlisted");
    cr_assert_str_eq(words_visibility(VISIBILITY_PRIVATE), "private");
}

Test(words, every_kind_of_event_has_a_word_and_is_found_by_it)
{
    static const struct {
        enum event_kind kind;
        const char *word;
    } events[] = {{EVENT_MOVE, "move"},         {EVENT_CREATED, "created"},
                  {EVENT_JOINED, "joined"},     {EVENT_UNDO, "undo"},
                  {EVENT_REDO, "redo"},         {EVENT_RESIGNED, "resigned"},
                  {EVENT_ABORTED, "aborted"},   {EVENT_DECLARED, "declared"},
                  {EVENT_RECORDED, "recorded"}, {EVENT_DEADLINE, "deadline"}};

    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
        cr_assert_str_eq(words_event((int)events[i].kind), events[i].word);
        cr_assert_eq(words_event_kind(events[i].word), (int)events[i].kind);
    }
    cr_assert_eq(words_event_kind(""), 0);
    cr_assert_eq(words_event_kind("moves"), 0);
    cr_assert_eq(words_event_kind("Move"), 0);
    cr_assert_eq(words_event_kind("unknown"), 0);
}

Test(words, an_event_of_a_newer_program_is_unknown)
{
    cr_assert_str_eq(words_event(EVENT_KINDS), "unknown");
    cr_assert_str_eq(words_event(INT16_MAX), "unknown");
    cr_assert_str_eq(words_event(-1), "unknown");
}

Test(words, every_kind_of_due_work_has_a_word)
{
    static const char *const words[] = {"clock",     "player", "vacation",  "ticket",
                                        "news",      "hooks",  "marks",     "opponent",
                                        "positions", "tasks",  "positions", "seats"};

    for (int i = 0; i < DUE_SEATS; i++)
        cr_assert_str_eq(words_due(i + 1), words[i]);
}

Test(words, due_work_of_a_newer_program_is_unknown)
{
    cr_assert_str_eq(words_due(0), "unknown");
    cr_assert_str_eq(words_due(-1), "unknown");
    cr_assert_str_eq(words_due(DUE_REMATCH + 1), "unknown");
    cr_assert_str_eq(words_due(INT16_MAX), "unknown");
}

/* These numbers lie in databases and are part of statements. */
Test(words, the_numbers_stay_what_they_are)
{
    cr_assert_eq(STATUS_ACTIVE, 2);
    cr_assert_eq(STATUS_FINISHED, 3);
    cr_assert_eq(STATUS_ABORTED, 4);
    cr_assert_eq(SEAT_ENGINE, 3);
    cr_assert_eq(UNDO_NEVER, 3);
    cr_assert_eq(VISIBILITY_PRIVATE, 3);
    cr_assert_eq((int)EVENT_MOVE, 1);
    cr_assert_eq((int)EVENT_RECORDED, 9);
    cr_assert_eq((int)EVENT_DEADLINE, 24);
    cr_assert_eq((int)DUE_CLOCK, 1);
    cr_assert_eq((int)DUE_MARKS, 7);
    cr_assert_eq((int)DUE_POSITIONS, 11);
    cr_assert_eq(seat_bit(1) | seat_bit(2), SEATS_BOTH);
}

Test(words, a_game_goes_on_while_it_is_open_or_active)
{
    cr_assert(status_goes_on(STATUS_OPEN));
    cr_assert(status_goes_on(STATUS_ACTIVE));
    cr_assert_not(status_goes_on(STATUS_FINISHED));
    cr_assert_not(status_goes_on(STATUS_ABORTED));
}

/* ---- rows ---- */

static void assert_read(const char *variant, const char *options, const char *position)
{
    struct played *game = arena_alloc(&played_arena, sizeof(*game));
    struct rules_options read;
    struct rules_state state;

    played_from(game, variant, options, position);
    played_random(game, 3, 40);
    cr_assert_eq(row_position(&game->row, &read, &state), game->game);
    cr_assert_eq(game->game->key(&state), game->keys[game->row.ply]);
    cr_assert_eq(game->game->to_move(&state), (unsigned)game->row.to_move);
    cr_assert_null(read.position);
    for (size_t i = 0; i < game->game->noptions; i++)
        if (game->game->options[i].kind != RULES_OPTION_START)
            cr_assert_eq(read.value[i], game->options.value[i], "%s", game->game->options[i].name);
}

static void assert_read_from_both(const char *variant, const char *options)
{
    assert_read(variant, options, NULL);
    assert_read(variant, options, played_position(variant, options));
}

Test(words, a_row_of_any_game_is_read_as_what_was_played)
{
    played_each(assert_read_from_both);
}

Test(words, a_row_that_this_program_cannot_read_is_told_apart)
{
    struct played game;
    struct rules_options options;
    struct rules_state state;
    struct db_game bad;

    played_start(&game, rules_game(0)->name, "");
    bad = game.row;
    bad.variant = "chess";
    cr_assert_null(row_position(&bad, &options, &state));
    bad = game.row;
    bad.options = "{\"repetition\":\"x\"}";
    cr_assert_null(row_position(&bad, &options, &state));
    bad.options = "{";
    cr_assert_null(row_position(&bad, &options, &state));
    bad = game.row;
    bad.position = "nonsense";
    cr_assert_null(row_position(&bad, &options, &state));
}

Test(words, a_row_is_put_at_a_ply_by_the_move_that_led_there)
{
    struct db_event move = {.move = "b2", .position = "3/1x1/3 o 3", .seat = 1, .at = 77};
    struct db_game row = {.ply = 5,
                          .start = "3/3/3 x 3",
                          .created_at = 3,
                          .last_at = 9,
                          .last_seat = 2,
                          .last_move = "c3",
                          .position = "x"};

    row_set_move(&row, 1, &move);
    cr_assert_eq(row.ply, 1);
    cr_assert_str_eq(row.position, move.position);
    cr_assert_str_eq(row.last_move, "b2");
    cr_assert_eq(row.last_seat, 1);
    cr_assert_eq(row.last_at, 77);
    row_set_move(&row, 0, NULL);
    cr_assert_eq(row.ply, 0);
    cr_assert_str_eq(row.position, row.start);
    cr_assert_null(row.last_move);
    cr_assert_eq(row.last_seat, 0);
    cr_assert_eq(row.last_at, 3);
}

Test(words, a_game_has_an_open_seat_if_either_is_open)
{
    for (int one = SEAT_OPEN; one <= SEAT_ENGINE; one++)
        for (int two = SEAT_OPEN; two <= SEAT_ENGINE; two++) {
            struct db_game row = {.seat = {{.state = (int16_t)one}, {.state = (int16_t)two}}};

            cr_assert_eq(row_has_open_seat(&row), one == SEAT_OPEN || two == SEAT_OPEN);
        }
}
