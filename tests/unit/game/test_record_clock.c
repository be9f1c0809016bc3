/*
 * test_record_clock.c - games with a clock and offers go out as records, and come in again from our
 * own.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "api/game/from_record.h"
#include "api/game/record_extras.h"
#include "api/game/to_record.h"
#include "api/game/words.h"
#include "api/tool/commands.h"
#include "tests/unit/records.h"
#include "tests/unit/timed.h"

TestSuite(record_clock, .fini = records_free);

static const char byoyomi[] =
    "{\"kind\":\"byoyomi\",\"initial\":600,\"period\":30,\"periods\":3,\"vacation\":true}";

static void is_well(const struct draft *draft)
{
    struct db_scan_game game = {&draft->row, draft->events, draft->nevents};
    char what[512] = "";

    cr_assert_eq(verify_game(&game, what, sizeof(what)), VERDICT_SAME, "%s", what);
}

static struct record record_of(const struct draft *draft)
{
    struct record record;
    struct record_error error;

    cr_assert(to_record(&records_arena, &draft->row, draft->events, draft->nevents, draft->row.line,
                        draft->row.ply, &record, &error),
              "%s", error.detail);
    return record;
}

static const char *json_of(const struct draft *draft)
{
    struct record record = record_of(draft);

    return records_write(&record, "json");
}

/* The copy that an import of the game's own record makes. */
static struct draft *copy_of(const struct draft *draft)
{
    struct draft *copy = arena_alloc(&records_arena, sizeof(*copy));
    struct record record = records_read(json_of(draft), "json");
    struct record_error error;

    cr_assert(from_record(&records_arena, &record, 0, copy, &error), "%s", error.detail);
    copy->row.undo = draft->row.undo;
    copy->row.visibility = draft->row.visibility;
    draft_store(copy);
    return copy;
}

static void goes_round(const struct draft *draft)
{
    struct draft *copy = copy_of(draft);

    is_well(draft);
    is_well(copy);
    cr_assert_str_eq(json_of(copy), json_of(draft));
    cr_assert_null(copy->row.clock);
    cr_assert_null(copy->row.timing);
    cr_assert_eq(copy->row.deadline_at, DB_NEVER);
    cr_assert_eq(copy->row.status, draft->row.status);
    cr_assert_eq(copy->row.winner, draft->row.winner);
    cr_assert_eq(copy->offers.count, draft->offers.count);
    cr_assert(draft->row.offers == NULL || strcmp(copy->row.offers, draft->row.offers) == 0);
}

/* ---- out and in ---- */

static struct draft *lively(void)
{
    struct draft *draft = timed_new(byoyomi);

    timed_at(draft, 5);
    timed_play(draft, "b2");
    timed_at(draft, 9);
    timed_play(draft, "a1");
    timed_offer(draft, OFFER_DRAW, 1, "");
    timed_offer(draft, OFFER_UNDO, 2, "\"to_ply\":1");
    timed_leave(draft, 1, 8, 20);
    timed_outage(draft, 30, 50);
    timed_at(draft, 60);
    timed_play(draft, "c3");
    timed_answer(draft, EVENT_ACCEPTED, timed_offer(draft, OFFER_TIME, 2, "\"add_us\":60000000"));
    timed_add(draft, 60 * TIMED_SECOND);
    timed_answer(draft, EVENT_DECLINED, timed_offer(draft, OFFER_ABORT, 2, ""));
    timed_answer(draft, EVENT_ACCEPTED, timed_offer(draft, OFFER_PAUSE, 1, "\"for_us\":9000000"));
    timed_pause(draft, 69);
    timed_at(draft, 65);
    timed_resume(draft);
    timed_answer(draft, EVENT_ACCEPTED, timed_offer(draft, OFFER_UNDO, 2, "\"to_ply\":2"));
    timed_undo(draft, 2);
    timed_at(draft, 70);
    timed_play(draft, "c1");
    timed_event(draft, EVENT_MESSAGE, 2, "\"ply\":3,\"text\":\"Well \\\"played\\\"\"");
    timed_event(draft, EVENT_INVITED, 1, "\"until_us\":1700000000000000");
    timed_event(draft, EVENT_SEAT, 2, "\"left\":true");
    timed_event(draft, EVENT_SEAT, 2, "\"token\":true");
    timed_answer(draft, EVENT_WITHDRAWN, timed_offer(draft, OFFER_TIME, 1, "\"add_us\":1"));
    timed_event(draft, EVENT_REMATCH, 1, "");
    return draft;
}

Test(record_clock, all_that_happened_goes_out_and_comes_in_again)
{
    goes_round(lively());
}

Test(record_clock, offers_that_are_open_stay_open_in_the_copy)
{
    struct draft *draft = lively(), *copy;

    cr_assert_gt(draft->offers.count, 0);
    copy = copy_of(draft);
    timed_answer(copy, EVENT_ACCEPTED, copy->offers.offer[0].id);
    is_well(copy);
    cr_assert_str_eq(copy->row.reason, "agreement");
}

Test(record_clock, a_timeout_ends_the_copy_for_the_same_winner)
{
    struct draft *draft = lively();

    timed_out(draft);
    goes_round(draft);
    timed_event(draft, EVENT_MESSAGE, 2, "\"ply\":3,\"text\":\"Pity\"");
    goes_round(draft);
    cr_assert_str_eq(copy_of(draft)->row.reason, "timeout");
    timed_answer(draft, EVENT_ACCEPTED, timed_offer(draft, OFFER_UNDO, 1, "\"to_ply\":3"));
    timed_undo(draft, 3);
    goes_round(draft);
}

Test(record_clock, a_warning_goes_out_and_comes_in_again)
{
    struct draft *draft = timed_new("{\"kind\":\"days\",\"days\":1,\"first_move\":\"4h\"}");

    timed_at(draft, 3 * 3600);
    timed_warn(draft);
    timed_play(draft, "b2");
    goes_round(draft);
}

Test(record_clock, a_game_that_nobody_began_is_called_off_in_the_copy)
{
    struct draft *draft = timed_new(byoyomi);

    timed_out(draft);
    goes_round(draft);
    cr_assert_str_eq(copy_of(draft)->row.reason, "no_start");
}

Test(record_clock, an_agreement_ends_the_copy)
{
    static const enum offer_kind kinds[] = {OFFER_DRAW, OFFER_ABORT};

    for (size_t i = 0; i < 2; i++) {
        struct draft *draft = timed_new(byoyomi);

        timed_play(draft, "b2");
        timed_answer(draft, EVENT_ACCEPTED, timed_offer(draft, kinds[i], 1, ""));
        timed_event(draft, EVENT_MESSAGE, 2, "\"ply\":1,\"text\":\"Thanks\"");
        goes_round(draft);
        arena_reset(&records_arena);
    }
}

Test(record_clock, a_copy_of_a_game_with_a_rematch_has_none)
{
    struct draft *draft = timed_new(NULL), *copy;

    timed_event(draft, EVENT_REMATCH, 1, "\"game\":\"0123456789abcdefghjkmnpqr0\"");
    copy = copy_of(draft);
    cr_assert_not(copy->row.has_next);
    cr_assert_null(copy->events[1].data);
    is_well(copy);
}

Test(record_clock, a_copy_with_a_clock_of_its_own_gives_nobody_the_time_of_the_old_one)
{
    struct draft *copy = copy_of(lively()), *other = timed_new(byoyomi);

    record_extras_forget_clock(copy);
    cr_assert_null(strstr(copy->events[1].data, "clock"));
    cr_assert_not_null(strstr(copy->events[1].data, "\"spent_us\":5000000"));
    timed_at(copy, 1000);
    draft_data(copy, draft_event(copy, EVENT_RESUMED, 0), "\"begins\":true");
    copy->row.clock = other->row.clock;
    copy->clock = other->clock;
    clock_start(copy->clock, copy->now);
    draft_store(copy);
    is_well(copy);
    timed_at(copy, 1010);
    timed_play(copy, "a3");
    timed_undo(copy, 2);
    is_well(copy);
    goes_round(timed_new(NULL));
}

Test(record_clock, whatever_happens_at_random_goes_round)
{
    for (uint64_t seed = 0; seed < 400; seed++) {
        goes_round(timed_random(seed, NULL));
        arena_reset(&records_arena);
    }
}

/* ---- what cannot have happened ---- */

/* The copy of this log is refused at this event. */
static void is_refused(const struct record *record, size_t event)
{
    struct record read = records_read_back(record);
    struct record_error error;
    struct draft copy;

    cr_assert_not(from_record(&records_arena, &read, 0, &copy, &error));
    cr_assert_not_null(
        strstr(error.detail, arena_format(&records_arena, "Event %zu of the log", event)), "%s",
        error.detail);
}

static const struct {
    size_t event;     /* that is changed, by its version */
    const char *data; /* that it has then */
    size_t stops_at;
} changes[] = {
    {4, "{\"kind\":\"rain\"}", 4},
    {4, "{\"kind\":\"time\"}", 4},
    {5, "{\"kind\":\"undo\",\"to_ply\":3}", 5},
    {4, "{\"kind\":\"draw\",\"voids\":[4]}", 4},
    {5, "{\"kind\":\"draw\"}", 6},
    {6, "{\"from_us\":5}", 6},
    {7, "{\"us\":5}", 7},
    {8, "{\"spent_us\":5}", 8},
    {8, "{\"voids\":[4]}", 8},
    {8, "{\"voids\":5}", 8},
    {8, "{\"voids\":[5],\"offer\":\"draw\"}", 9},
    {10, "{\"offer\":8,\"kind\":\"time\"}", 10},
    {10, "{\"offer\":9,\"kind\":\"pause\"}", 10},
    {11, "{\"add_us\":5}", 11},
    {13, "{\"offer\":4,\"kind\":\"abort\"}", 13},
    {16, "{\"until_us\":5}", 16},
    {19, "{\"offer\":18,\"kind\":\"draw\"}", 19},
    {18, "{\"kind\":\"undo\",\"to_ply\":1}", 20},
    {22, "{\"text\":\"Hello\"}", 22},
    {22, "{\"ply\":3,\"text\":\"\"}", 22},
    {23, "{\"until_us\":\"soon\"}", 23},
    {24, "{\"name\":5}", 24},
    {28, "{\"game\":5}", 28},
};

Test(record_clock, a_log_of_what_cannot_have_happened_is_refused)
{
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        struct draft *draft = lively();
        struct record record = record_of(draft);

        record.events[changes[i].event - 1].data = changes[i].data;
        record.ending.outcome.end = RECORD_OPEN;
        is_refused(&record, changes[i].stops_at);
        arena_reset(&records_arena);
    }
}

Test(record_clock, a_log_does_not_end_before_what_was_agreed_on)
{
    struct draft *draft = timed_new(byoyomi);
    struct record record;

    timed_answer(draft, EVENT_ACCEPTED, timed_offer(draft, OFFER_TIME, 2, "\"add_us\":60000000"));
    record = record_of(draft);
    is_refused(&record, 3);
}

Test(record_clock, the_end_of_a_log_is_that_of_the_record)
{
    struct draft *draft = lively();
    struct record record;
    struct record_error error;

    timed_out(draft);
    record = record_of(draft);
    record.ending.outcome.winner = 3 - record.ending.outcome.winner;
    error = records_error(records_write(&record, "json"), "json");
    cr_assert_not_null(strstr(error.detail, "another end"), "%s", error.detail);
    record = record_of(draft);
    record.events[record.nevents - 1].seat = 0;
    error = records_error(records_write(&record, "json"), "json");
    cr_assert_not_null(strstr(error.detail, "A timeout needs the seat"), "%s", error.detail);
}

Test(record_clock, a_warning_says_until_when)
{
    struct draft *draft = timed_new(byoyomi);
    struct record record;

    timed_warn(draft);
    record = record_of(draft);
    record.events[1].data = "{}";
    is_refused(&record, 2);
}
