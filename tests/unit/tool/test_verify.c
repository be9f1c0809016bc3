/* test_verify.c - `plyd verify` names the first thing of a stored game that does not replay. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "api/game/from_record.h"
#include "api/game/words.h"
#include "api/tool/commands.h"
#include "tests/unit/records.h"

TestSuite(verify, .fini = records_free);

/* ---- a game with an undo, a redo, two lines and a resignation ---- */

static const char log_of[] =
    "{\"format\":\"plyd-record\",\"variant\":\"tictactoe\",\"moves\":[{\"move\":\"b2\"},"
    "{\"move\":\"c3\"}],\"outcome\":{\"reason\":\"resign\",\"winner\":2},\"events\":["
    "{\"version\":1,\"kind\":\"created\",\"at\":\"2025-01-02\"},"
    "{\"version\":2,\"kind\":\"move\",\"at\":\"2025-01-02\",\"seat\":1,\"ply\":1,\"move\":\"b2\"},"
    "{\"version\":3,\"kind\":\"move\",\"at\":\"2025-01-02\",\"seat\":2,\"ply\":2,\"move\":\"a1\"},"
    "{\"version\":4,\"kind\":\"undo\",\"at\":\"2025-01-02\",\"ply\":0},"
    "{\"version\":5,\"kind\":\"redo\",\"at\":\"2025-01-02\",\"ply\":1},"
    "{\"version\":6,\"kind\":\"move\",\"at\":\"2025-01-02\",\"seat\":2,\"ply\":2,\"line\":2,"
    "\"move\":\"c3\"},"
    "{\"version\":7,\"kind\":\"resigned\",\"at\":\"2025-01-02\",\"seat\":1,\"ply\":2,\"line\":2}]}";

static struct draft *stored(void)
{
    struct draft *draft = arena_alloc(&records_arena, sizeof(*draft));
    struct record record = records_read(log_of, "json");
    struct record_error error;

    cr_assert(from_record(&records_arena, &record, INT64_C(1700000000000000), draft, &error), "%s",
              error.detail);
    draft->row.undo = UNDO_FREE;
    draft->row.visibility = VISIBILITY_PUBLIC;
    return draft;
}

/* What `verify` says of the game; "" if all is well. */
static const char *verdict(const struct draft *draft, size_t events)
{
    struct db_scan_game game = {&draft->row, draft->events, events};
    char *what = arena_zero(&records_arena, 512);
    bool ok = verify_game(&game, what, 512) == VERDICT_SAME;

    cr_assert_eq(ok, *what == '\0', "%s", what);
    return what;
}

Test(verify, a_game_that_is_stored_as_it_was_played_is_well)
{
    struct draft *draft = stored();

    cr_assert_str_eq(verdict(draft, draft->nevents), "");
}

/* ---- what can be wrong ---- */

static void row_options(struct draft *draft)
{
    draft->row.options = "{\"rows\":99}";
}

static void row_start(struct draft *draft)
{
    draft->row.start = "nothing";
}

static void row_version(struct draft *draft)
{
    draft->row.version++;
}

static void row_ply(struct draft *draft)
{
    draft->row.ply++;
}

static void row_line(struct draft *draft)
{
    draft->row.line++;
}

static void row_tip(struct draft *draft)
{
    draft->row.tip--;
}

static void row_position(struct draft *draft)
{
    draft->row.position = draft->row.start;
}

static void row_status(struct draft *draft)
{
    draft->row.status = STATUS_ACTIVE;
}

static void row_is_open(struct draft *draft)
{
    draft->row.status = STATUS_OPEN;
}

static void row_winner(struct draft *draft)
{
    draft->row.winner = 1;
}

static void row_reason(struct draft *draft)
{
    draft->row.reason = NULL;
}

static void event_version(struct draft *draft)
{
    draft->events[3].version = 9;
}

static void first_kind(struct draft *draft)
{
    draft->events[0].kind = EVENT_JOINED;
}

static void event_seat(struct draft *draft)
{
    draft->events[5].seat = 1;
}

static void event_move(struct draft *draft)
{
    draft->events[5].move = "b2";
}

static void event_move_text(struct draft *draft)
{
    draft->events[5].move = "1 3";
}

static void event_ply(struct draft *draft)
{
    draft->events[5].ply = 3;
}

static void event_line(struct draft *draft)
{
    draft->events[5].line = 1;
}

static void event_position(struct draft *draft)
{
    draft->events[1].position = draft->events[0].position;
}

static void event_key(struct draft *draft)
{
    draft->events[2].key ^= 1;
}

static void undo_too_far(struct draft *draft)
{
    draft->events[3].ply = -1;
}

static void redo_too_far(struct draft *draft)
{
    draft->events[4].ply = 3;
}

static void redo_elsewhere(struct draft *draft)
{
    draft->events[4].ply = 2;
}

static void move_after_the_end(struct draft *draft)
{
    draft->events[4].kind = EVENT_RESIGNED;
    draft->events[4].seat = 1;
    draft->events[4].ply = 0;
}

static void declared(struct draft *draft)
{
    draft->events[6].kind = EVENT_DECLARED;
}

static void recorded_without_data(struct draft *draft)
{
    draft->events[6].kind = EVENT_RECORDED;
    draft->events[6].data = NULL;
}

static void recorded_with_odd_data(struct draft *draft)
{
    draft->events[6].kind = EVENT_RECORDED;
    draft->events[6].data = "{\"reason\":\"rain\"}";
}

static void recorded_otherwise(struct draft *draft)
{
    draft->events[6].kind = EVENT_RECORDED;
    draft->events[6].data = "{\"reason\":\"timeout\",\"winner\":1}";
}

static void aborted(struct draft *draft)
{
    draft->events[6].kind = EVENT_ABORTED;
}

static void resigned_by_the_other(struct draft *draft)
{
    draft->events[6].seat = 2;
}

static const struct {
    void (*spoil)(struct draft *draft);
    const char *what;
} rows[] = {
    {row_options, "event 7, line 1, ply 0: the set of options is stored as {\"rows\":99} and "
                  "replays as A whole number from 1 to 26 is expected."},
    {row_start, "event 1, line 1, ply 0: the start is stored as nothing and replays as "
                "bad-position"},
    {row_version, "event 8, line 2, ply 2: the number of events is stored as 8 and replays as 7"},
    {row_ply, "event 7, line 2, ply 2: the present ply is stored as 3 and replays as 2"},
    {row_line, "event 7, line 2, ply 2: the present line is stored as 3 and replays as 2"},
    {row_tip, "event 7, line 2, ply 2: the line's tip is stored as 1 and replays as 2"},
    {row_position, "event 7, line 2, ply 2: the present position is stored as 3/3/3 x 3 and "
                   "replays as 2o/1x1/3 x 3"},
    {row_status, "event 7, line 2, ply 2: the status is stored as 2 and replays as 3"},
    {row_is_open, "event 7, line 2, ply 2: the status is stored as 2 and replays as 3"},
    {row_winner, "event 7, line 2, ply 2: the winner is stored as 1 and replays as 2"},
    {row_reason, "event 7, line 2, ply 2: the reason is stored as nothing and replays as resign"},
    {event_version, "event 9, line 1, ply 0: the version is stored as 9 and replays as 4"},
    {first_kind, "event 1, line 1, ply 0: the kind is stored as 3 and replays as 2"},
    {event_seat, "event 6, line 2, ply 2: the seat is stored as 1 and replays as 2"},
    {event_move, "event 6, line 2, ply 2: the move is stored as b2 and replays as occupied"},
    {event_move_text, "event 6, line 2, ply 2: the move is stored as 1 3 and replays as c3"},
    {event_ply, "event 6, line 2, ply 3: the ply is stored as 3 and replays as 2"},
    {event_line, "event 6, line 1, ply 2: the line is stored as 1 and replays as 2"},
    {event_position, "event 2, line 1, ply 1: the position is stored as 3/3/3 x 3 and replays as "
                     "3/1x1/3 o 3"},
    {event_key, NULL},
    {undo_too_far, "event 4, line 1, ply -1: the ply is stored as -1 and replays as 2"},
    {redo_too_far, "event 5, line 1, ply 3: the ply is stored as 3 and replays as 2"},
    {redo_elsewhere, "event 6, line 2, ply 2: the seat is stored as 2 and replays as 1"},
    {move_after_the_end, "event 6, line 2, ply 2: the move is stored as c3 and replays as a game "
                         "that is over"},
    {declared, "event 7, line 2, ply 2: the declaration is stored as a win and replays as a "
               "refusal"},
    {recorded_without_data, "event 7, line 2, ply 2: the recorded end is stored as nothing and "
                            "replays as nothing"},
    {recorded_with_odd_data, "event 7, line 2, ply 2: the recorded end is stored as "
                             "{\"reason\":\"rain\"} and replays as nothing"},
    {recorded_otherwise, "event 7, line 2, ply 2: the winner is stored as 2 and replays as 1"},
    {aborted, "event 7, line 2, ply 2: the status is stored as 3 and replays as 4"},
    {resigned_by_the_other, "event 7, line 2, ply 2: the winner is stored as 2 and replays as 1"},
};

Test(verify, whatever_differs_is_named_with_its_place_and_both_values)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct draft *draft = stored();
        const char *what;

        rows[i].spoil(draft);
        what = verdict(draft, draft->nevents);
        if (rows[i].what != NULL)
            cr_assert_str_eq(what, rows[i].what, "row %zu: %s", i, what);
        else
            cr_assert_not_null(strstr(what, "the key is stored as "), "row %zu: %s", i, what);
        arena_reset(&records_arena);
    }
}

Test(verify, an_open_game_replays_as_one_that_is_played)
{
    struct draft *draft = stored();

    draft->row.version--;
    draft->row.status = STATUS_OPEN;
    draft->row.winner = 0;
    draft->row.reason = NULL;
    cr_assert_str_eq(verdict(draft, draft->nevents - 1), "");
}

Test(verify, events_that_are_missing_are_missed)
{
    struct draft *draft = stored();

    cr_assert_str_eq(
        verdict(draft, draft->nevents - 1),
        "event 7, line 2, ply 2: the number of events is stored as 7 and replays as 6");
}

/* ---- what a newer program has written ---- */

static void newer_rules(struct draft *draft)
{
    draft->row.rules_version = 99;
}

static void newer_status(struct draft *draft)
{
    draft->row.status = 99;
}

static void newer_option(struct draft *draft)
{
    draft->row.options = "{\"rows\":3,\"cols\":3,\"k\":3,\"gravity\":true}";
}

static void newer_event(struct draft *draft)
{
    draft->events[4].kind = 99;
}

static void newer_clock(struct draft *draft)
{
    draft->row.clock = "{\"kind\":\"hourglass\",\"initial\":5}";
    draft->row.timing = "{\"sand\":5}";
}

static void newer_offer(struct draft *draft)
{
    draft->row.offers =
        "{\"offers\":[{\"id\":3,\"kind\":\"swap\",\"seat\":1,\"at\":1790000000000000}]}";
}

Test(verify, what_only_a_newer_program_knows_is_named_and_not_compared)
{
    static void (*const spoil[])(struct draft * draft) = {
        newer_rules, newer_status, newer_option, newer_event, newer_clock, newer_offer,
    };

    for (size_t i = 0; i < sizeof(spoil) / sizeof(spoil[0]); i++) {
        struct draft *draft = stored();
        struct db_scan_game game = {&draft->row, draft->events, draft->nevents};
        char what[512] = "";

        spoil[i](draft);
        cr_assert_eq(verify_game(&game, what, sizeof(what)), VERDICT_NEWER, "row %zu: %s", i, what);
        cr_assert_eq(strncmp(what, "only a newer program knows ", 27), 0, "row %zu: %s", i, what);
        arena_reset(&records_arena);
    }
}

Test(verify, a_game_whose_rules_are_not_loaded_is_not_compared)
{
    struct draft *draft = stored();
    struct db_scan_game game = {&draft->row, draft->events, draft->nevents};
    char what[512] = "";

    draft->row.variant = "chess";
    cr_assert_eq(verify_game(&game, what, sizeof(what)), VERDICT_NOT_LOADED);
    cr_assert_str_eq(what, "its rules are not loaded");
}
