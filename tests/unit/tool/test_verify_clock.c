/* test_verify_clock.c - `plyd verify` walks clocks and offers, and names what does not follow. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "api/game/ids.h"
#include "api/game/words.h"
#include "api/tool/commands.h"
#include "tests/unit/records.h"
#include "tests/unit/timed.h"

TestSuite(verify_clock, .fini = records_free);
TestSuite(verify_offers, .fini = records_free);

static const char fischer[] =
    "{\"kind\":\"fischer\",\"initial\":300,\"increment\":10,\"vacation\":true}";

/* What `verify` says of the game; "" if all is well. */
static const char *verdict(const struct draft *draft)
{
    struct db_scan_game game = {&draft->row, draft->events, draft->nevents};
    char *what = arena_zero(&records_arena, 512);
    bool ok = verify_game(&game, what, 512) == VERDICT_SAME;

    cr_assert_eq(ok, *what == '\0', "%s", what);
    return what;
}

static void is_well(const struct draft *draft)
{
    cr_assert_str_eq(verdict(draft), "");
}

/* The data of an event with one text for another. */
static void change(struct draft *draft, int version, const char *from, const char *to)
{
    struct db_event *event = &draft->events[version - 1];
    const char *at = event->data == NULL ? NULL : strstr(event->data, from);

    cr_assert_not_null(at, "no %s in event %d: %s", from, version, event->data);
    event->data = arena_format(&records_arena, "%.*s%s%s", (int)(at - event->data), event->data, to,
                               at + strlen(from));
}

static void change_timing(struct draft *draft, const char *from, const char *to)
{
    const char *at = strstr(draft->row.timing, from);

    cr_assert_not_null(at, "no %s in %s", from, draft->row.timing);
    draft->row.timing = arena_format(&records_arena, "%.*s%s%s", (int)(at - draft->row.timing),
                                     draft->row.timing, to, at + strlen(from));
}

/* ---- a game in which everything happens ---- */

static const char game_id[] = "0123456789abcdefghjkmnpqr0";

static struct draft *first_half(void)
{
    struct draft *draft = timed_new(fischer);

    timed_at(draft, 10);
    timed_play(draft, "b2"); /* event 2 */
    timed_at(draft, 20);
    timed_play(draft, "a1");
    timed_at(draft, 25);
    timed_offer(draft, OFFER_DRAW, 1, ""); /* 4 */
    timed_at(draft, 30);
    timed_leave(draft, 1, 28, 40);
    timed_outage(draft, 50, 60);
    timed_at(draft, 65);
    timed_play(draft, "c3"); /* 6: credited, 7 */
    timed_at(draft, 70);
    timed_answer(draft, EVENT_ACCEPTED, timed_offer(draft, OFFER_TIME, 2, "\"add_us\":60000000"));
    timed_add(draft, 60 * TIMED_SECOND); /* 10 */
    timed_at(draft, 90);
    timed_answer(draft, EVENT_ACCEPTED, timed_offer(draft, OFFER_PAUSE, 1, "\"for_us\":100000000"));
    timed_pause(draft, 190); /* 13 */
    timed_at(draft, 120);
    timed_resume(draft); /* 14 */
    return draft;
}

/* The time of seat 1 runs out in the end. */
static struct draft *ended(void)
{
    struct draft *draft = first_half();

    timed_at(draft, 125);
    timed_answer(draft, EVENT_ACCEPTED, timed_offer(draft, OFFER_UNDO, 1, "\"to_ply\":2"));
    timed_undo(draft, 2); /* 17 */
    timed_at(draft, 130);
    timed_play(draft, "c1");
    timed_at(draft, 140);
    timed_play(draft, "a3"); /* 19: voids the draw of 4 */
    timed_event(draft, EVENT_MESSAGE, 2, "\"ply\":4,\"text\":\"Hurry!\"");
    timed_event(draft, EVENT_INVITED, 1, "\"until_us\":1700000000000000");
    timed_event(draft, EVENT_SEAT, 2, "\"name\":true");
    timed_offer(draft, OFFER_ABORT, 2, ""); /* 23 */
    timed_out(draft);                       /* 24 */
    timed_event(draft, EVENT_REMATCH, 1, arena_format(&records_arena, "\"game\":\"%s\"", game_id));
    draft->row.has_next = ids_read(game_id, &draft->row.next);
    cr_assert(draft->row.has_next);
    return draft;
}

/* Seat 1 was warned after an hour that was an outage, has had time added and was paused since; seat
 * 2 was warned, too, and thinks. */
static struct draft *warned(void)
{
    struct draft *draft = timed_new("{\"kind\":\"days\",\"days\":1,\"first_move\":\"4h\"}");

    timed_outage(draft, 3600, 7200);
    timed_at(draft, 4 * 3600);
    timed_credit(draft); /* 2 */
    timed_warn(draft);   /* 3 */
    timed_at(draft, 4 * 3600 + 60);
    timed_answer(draft, EVENT_ACCEPTED, timed_offer(draft, OFFER_PAUSE, 1, "\"for_us\":100000000"));
    timed_pause(draft, 4 * 3600 + 160); /* 6 */
    timed_at(draft, 4 * 3600 + 600);
    timed_play(draft, "b2");
    timed_at(draft, 8 * 3600);
    timed_warn(draft); /* 8 */
    return draft;
}

/* Two offers are open, and seat 2 thinks. */
static struct draft *going_on(void)
{
    struct draft *draft = first_half();

    timed_offer(draft, OFFER_PAUSE, 2, "\"for_us\":5000000");
    return draft;
}

Test(verify_clock, a_game_in_which_everything_happens_is_well)
{
    is_well(ended());
    is_well(going_on());
}

Test(verify_clock, a_clock_of_each_kind_is_well_at_every_moment)
{
    static const char *const clocks[] = {
        "{\"kind\":\"days\",\"days\":1}",
        "{\"kind\":\"fischer\",\"initial\":60,\"increment\":30,\"max\":70}",
        "{\"kind\":\"byoyomi\",\"initial\":20,\"period\":30,\"periods\":3}",
        "{\"kind\":\"byoyomi\",\"initial\":0,\"period\":60,\"periods\":2}"};
    static const char *const moves[] = {"a1", "b1", "a2", "c3", "b3", "c1"};

    for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
        struct draft *draft = timed_new(clocks[i]);

        for (int ply = 0; ply < 6; ply++) {
            is_well(draft);
            timed_at(draft, 10 + 35 * ply);
            timed_play(draft, moves[ply]);
        }
        timed_undo(draft, 3);
        is_well(draft);
        timed_out(draft);
        is_well(draft);
        timed_undo(draft, 3);
        is_well(draft);
        arena_reset(&records_arena);
    }
}

Test(verify_clock, a_game_that_nobody_began_is_called_off)
{
    struct draft *draft = timed_new(fischer);

    timed_at(draft, 10);
    timed_play(draft, "b2");
    timed_out(draft);
    is_well(draft);
    cr_assert_str_eq(draft->row.reason, "no_start");
}

Test(verify_clock, a_time_is_given_once_whatever_holds_it)
{
    struct draft *draft = timed_new(fischer);

    timed_at(draft, 1);
    timed_play(draft, "b2");
    timed_play(draft, "a1");
    timed_outage(draft, 10, 30);
    timed_outage(draft, 40, 50);
    timed_at(draft, 60);
    timed_credit(draft);
    is_well(draft);
    timed_leave(draft, 1, 2, 70);
    timed_at(draft, 80);
    timed_play(draft, "c3");
    draft = timed_new(fischer);
    timed_at(draft, 1);
    timed_play(draft, "b2");
    timed_play(draft, "a1");
    timed_outage(draft, 10, 30);
    timed_at(draft, 60);
    timed_credit(draft);
    timed_leave(draft, 1, 20, 55);
    is_well(draft);
    timed_at(draft, 70);
    timed_play(draft, "c3");
    is_well(draft);
}

Test(verify_clock, moves_that_a_game_was_made_with_took_nobodys_time)
{
    struct draft *draft = timed_new(NULL);
    struct draft *clock = timed_new(fischer);

    timed_play(draft, "a1");
    timed_play(draft, "b2");
    timed_play(draft, "c3");
    draft->row.clock = clock->row.clock;
    draft->clock = clock->clock;
    draft_store(draft);
    is_well(draft);
    timed_at(draft, 20);
    timed_play(draft, "c1");
    timed_undo(draft, 1);
    timed_at(draft, 25);
    timed_play(draft, "c1");
    is_well(draft);
}

Test(verify_clock, no_clock_runs_while_a_seat_is_open)
{
    struct draft *draft = timed_new(fischer);

    draft->row.seat[1].state = SEAT_OPEN;
    draft->row.status = STATUS_OPEN;
    clock_init(draft->clock, &draft->clock->terms);
    draft_store(draft);
    is_well(draft);
    timed_at(draft, 1000);
    draft->row.seat[1].state = SEAT_TAKEN;
    draft->row.status = STATUS_ACTIVE;
    draft_event(draft, EVENT_JOINED, 2);
    clock_start(draft->clock, draft->now);
    draft_store(draft);
    is_well(draft);
}

Test(verify_clock, an_imported_game_has_its_own_clock_from_the_import_on)
{
    struct draft *draft = going_on();
    struct clock_terms terms = draft->clock->terms;

    draft_data(draft, draft_event(draft, EVENT_RESUMED, 0), "\"begins\":true");
    terms.initial_us *= 2;
    draft->row.clock = clock_terms_text(&records_arena, &terms);
    clock_init(draft->clock, &terms);
    clock_start(draft->clock, draft->now);
    draft_store(draft);
    is_well(draft);
    change(draft, 3, "\"clock\"", "\"of old\"");
    timed_at(draft, 125);
    timed_play(draft, "a3");
    timed_undo(draft, 2);
    is_well(draft);
}

Test(verify_clock, a_warning_in_each_turn_is_well)
{
    struct draft *draft = warned();

    is_well(draft);
    timed_at(draft, 8 * 3600 + 5);
    timed_play(draft, "a1");
    is_well(draft);
    timed_undo(draft, 1);
    timed_at(draft, 12 * 3600);
    timed_warn(draft);
    is_well(draft);
    timed_out(draft);
    is_well(draft);
}

/* ---- what can be wrong ---- */

struct falsification {
    struct draft *(*game)(void);
    int version; /* of the event whose data is changed; 0: the row's timing is */
    const char *from, *to;
    const char *what; /* is part of what is said */
};

static const struct falsification data[] = {
    {ended, 3, "\"spent_us\":10000000", "\"spent_us\":10000001",
     "event 3, line 1, ply 2: the time spent is stored as 10000001 and replays as 10000000"},
    {ended, 7, "\"spent_us\":23000000", "\"spent_us\":45000000",
     "event 7, line 1, ply 3: the time spent is stored as 45000000 and replays as 23000000"},
    {ended, 7, "\"left_us\":287000000", "\"left_us\":310000000",
     "event 7, line 1, ply 3: the time left of seat 1 is stored as 310000000 and replays as "
     "287000000"},
    {ended, 3, "\"moved\":6", "\"moved\":2",
     "event 3, line 1, ply 2: the seats that have moved is stored as 2 and replays as 6"},
    {ended, 18, "\"added_us\":60000000", "\"added_us\":0",
     "event 18, line 2, ply 3: the time that was added to seat 1 is stored as 0 and replays as "
     "60000000"},
    {ended, 3, "\"clock\"", "\"clack\"",
     "event 3, line 1, ply 2: the clock of the move is stored as nothing and replays as one"},
    {ended, 5, "\"until_us\":1600000040000000", "\"until_us\":1600000041000000",
     "event 7, line 1, ply 3: the time spent is stored as 23000000 and replays as 22000000"},
    {ended, 6, "\"us\":10000000", "\"us\":10000001",
     "event 6, line 1, ply 2: the time that is credited is stored as 10000001 and replays as "
     "10000000"},
    {ended, 6, "\"to_us\":1600000060000000", "\"to_us\":1600000066000000",
     "event 6, line 1, ply 2: the end of the outage is stored as 1600000066000000 and replays as "
     "1600000065000000"},
    {ended, 6, "\"from_us\":1600000050000000", "\"from_us\":1600000010000000",
     "event 6, line 1, ply 2: the beginning of the outage is stored as 1600000010000000 and "
     "replays as 1600000020000000"},
    {ended, 6, "\"us\":10000000", "\"us\":9000000",
     "event 7, line 1, ply 3: the time spent is stored as 23000000 and replays as 24000000"},
    {ended, 10, "\"add_us\":60000000", "\"add_us\":61000000",
     "event 10, line 1, ply 3: the time that is added is stored as 61000000 and replays as "
     "60000000"},
    {ended, 13, "\"until_us\":1600000190000000", "\"until_us\":1600000191000000",
     "event 13, line 1, ply 3: the end of the pause is stored as 1600000191000000 and replays as "
     "1600000190000000"},
    {ended, 9, "\"offer\":8", "\"offer\":4",
     "event 9, line 1, ply 3: the kind of the offer is stored as time and replays as draw"},
    {ended, 9, "\"offer\":8", "\"offer\":7",
     "event 9, line 1, ply 3: the offer that is answered is stored as 7 and replays as nothing"},
    {ended, 12, "\"offer\":11", "\"offer\":8",
     "event 12, line 1, ply 3: the offer that is answered is stored as 8 and replays as nothing"},
    {ended, 12, "\"pause\"", "\"time\"",
     "event 12, line 1, ply 3: the kind of the offer is stored as time and replays as pause"},
    {ended, 15, "\"to_ply\":2", "\"to_ply\":1",
     "event 17, line 1, ply 2: the ply is stored as 2 and replays as 1"},
    {ended, 15, "\"to_ply\":2", "\"to_ply\":4",
     "event 15, line 1, ply 3: the ply that is asked for is stored as 4 and replays as 3"},
    {ended, 19, "\"voids\":[4]", "\"voids\":[4,5]",
     "event 19, line 2, ply 4: the list of offers that end is stored as [4,5] and replays as [4]"},
    {ended, 19, "\"voids\"", "\"void\"",
     "event 19, line 2, ply 4: the list of offers that end is stored as nothing and replays as "
     "[4]"},
    {ended, 24, "\"voids\":[23]", "\"void\":[]",
     "event 24, line 2, ply 4: the list of offers that end is stored as nothing and replays as "
     "[23]"},
    {ended, 24, "\"voids\"", "\"reason\":\"no_start\",\"voids\"",
     "event 24, line 2, ply 4: the reason is stored as no_start and replays as timeout"},
    {ended, 24, "\"spent_us\":365000000", "\"spent_us\":365000001",
     "event 24, line 2, ply 4: the time spent is stored as 365000001 and replays as 365000000"},
    {ended, 4, "\"draw\"", "\"rain\"",
     "event 4, line 1, ply 2: the data is stored as {\"kind\":\"rain\"} and replays as that of an "
     "event \"offered\""},
    {ended, 20, "\"Hurry!\"", "\"\"", "event 20, line 2, ply 4: the data is stored as"},
    {ended, 20, "\"ply\":4", "\"ply\":-1", "event 20, line 2, ply 4: the data is stored as"},
    {ended, 21, "1700000000000000", "\"soon\"", "event 21, line 2, ply 4: the data is stored as"},
    {ended, 22, "true", "false", "event 22, line 2, ply 4: the data is stored as"},
    {ended, 25, game_id, "short", "event 25, line 2, ply 4: the data is stored as"},
    {ended, 25, "0123", "1123",
     "event 25, line 2, ply 4: the rematch is stored as 0123456789abcdefghjkmnpqr0 and replays as "
     "1123456789abcdefghjkmnpqr0"},
    {ended, 0, "\"1\":{", "\"1\":{\"left_us\":1,",
     "the time left of seat 1 is stored as 1 and replays as 0"},
    {ended, 0, "\"moved\":6", "\"moved\":2",
     "the seats that have moved is stored as 2 and replays as 6"},
    {ended, 0, "\"paused_until\":1600000120000000", "\"paused_until\":1600000130000000",
     "the last pause is stored as 1600000130000000 and replays as 1600000120000000"},
    {ended, 0, "\"away_from\":1600000028000000", "\"away_from\":1600000030000000",
     "the last vacation of seat 1 is stored as 1600000030000000 and replays as 1600000028000000"},
    {going_on, 0, "\"since\":1600000065000000", "\"since\":1600000064000000",
     "the deadline of the clock is stored as"},
    {warned, 3, "\"deadline_us\":16000180", "\"deadline_us\":16000181",
     "event 3, line 1, ply 0: the deadline of the warning is stored as 1600018100000000 and "
     "replays as 1600018000000000"},
    {warned, 3, "\"deadline_us\"", "\"until_us\"", "event 3, line 1, ply 0: the data is stored as"},
    {warned, 0, "\"warned\":1,", "", "the warning of the turn is stored as 0 and replays as 1"},
    {going_on, 0, "\"due\"", "\"warned\":1,\"due\"",
     "the warning of the turn is stored as 1 and replays as 0"},
    {going_on, 0, "\"due\"", "\"used\":5,\"due\"", "the deadline of the clock is stored as"},
};

Test(verify_clock, whatever_was_falsified_in_data_is_named)
{
    for (size_t i = 0; i < sizeof(data) / sizeof(data[0]); i++) {
        struct draft *draft = data[i].game();
        const char *what;

        if (data[i].version > 0)
            change(draft, data[i].version, data[i].from, data[i].to);
        else
            change_timing(draft, data[i].from, data[i].to);
        what = verdict(draft);
        cr_assert_not_null(strstr(what, data[i].what), "row %zu: %s", i, what);
        arena_reset(&records_arena);
    }
}

static void says(const struct draft *draft, const char *part)
{
    const char *what = verdict(draft);

    cr_assert_not_null(strstr(what, part), "%s", what);
}

Test(verify_clock, the_time_of_an_event_counts)
{
    struct draft *draft = ended();

    draft->events[6].at += TIMED_SECOND;
    says(draft, "event 7, line 1, ply 3: the time spent is stored as 23000000 and replays as "
                "24000000");
    draft = ended();
    draft->events[23].at += 1;
    says(draft, "event 24, line 2, ply 4: the time of the timeout is stored as");
    draft = ended();
    draft->events[6].at += 400 * TIMED_SECOND;
    says(draft, "event 7, line 1, ply 3: the time of the move is stored as");
    draft = ended();
    draft->events[23].seat = 2;
    says(draft, "event 24, line 2, ply 4: the seat is stored as 2 and replays as 1");
}

Test(verify_clock, a_warning_that_nobody_should_have_had_is_named)
{
    struct draft *draft = warned();

    draft->events[2].at -= 1;
    says(draft, "event 3, line 1, ply 0: the time used before the warning is stored as "
                "10799999999 and replays as 10800000000");
    draft = warned();
    draft->events[2].seat = 2;
    says(draft, "event 3, line 1, ply 0: the seat is stored as 2 and replays as 1");
    draft = warned();
    timed_warn(draft);
    says(draft, "event 9, line 1, ply 1: the warning is stored as one and replays as nothing");
    draft = timed_new(fischer);
    timed_at(draft, 50);
    timed_warn(draft);
    says(draft, "event 2, line 1, ply 0: the warning is stored as one and replays as nothing");
    draft = warned();
    timed_out(draft);
    timed_event(draft, EVENT_DEADLINE, 2, "\"deadline_us\":1600029400000000");
    says(draft, "event 10, line 1, ply 1: the warning is stored as one and replays as nothing");
}

Test(verify_clock, the_deadline_of_the_row_follows)
{
    struct draft *draft = going_on();

    draft->row.deadline_at++;
    says(draft, "event 15, line 1, ply 3: the deadline is stored as");
    draft = ended();
    draft->row.deadline_at = TIMED_AT;
    says(draft, "the deadline is stored as 1600000000000000 and replays as 9223372036854775807");
    draft = timed_new(NULL);
    draft->row.deadline_at = TIMED_AT;
    says(draft, "the deadline is stored as 1600000000000000");
    draft = going_on();
    draft->row.timing = "{";
    says(draft, "the clock is stored as { and replays as one that can be read");
}

Test(verify_clock, only_a_pause_that_lasts_is_ended)
{
    struct draft *draft = timed_new(fischer);

    timed_resume(draft);
    says(draft, "event 2, line 1, ply 0: the pause is stored as one that ends and replays as "
                "nothing");
}

/* ---- computer opponents ---- */

/* Seat 2 thinks, and is to move at second 10. */
static struct draft *thought_about(void)
{
    struct draft *draft = timed_new(fischer);

    draft->row.seat[1].state = SEAT_ENGINE;
    draft->row.seat[1].engine = "plyd:8";
    clock_know(draft->clock, &draft->row);
    timed_at(draft, 5);
    timed_play(draft, "b2");
    clock_think(draft->clock, 2, TIMED_SECOND, draft->now);
    timed_at(draft, 8);
    timed_play(draft, "a1");
    timed_at(draft, 10);
    timed_play(draft, "c3");
    return draft;
}

Test(verify_clock, a_computer_opponent_is_charged_for_its_search)
{
    struct draft *draft = thought_about();

    is_well(draft);
    timed_at(draft, 5000);
    clock_think(draft->clock, 2, 30 * TIMED_SECOND, draft->now);
    timed_play(draft, "a3");
    is_well(draft);
    change(draft, 5, "\"spent_us\":30000000", "\"spent_us\":31000000");
    says(draft, "event 5, line 1, ply 4: the time left of seat 2 is stored as");
}

Test(verify_clock, a_computer_opponent_thinks_no_longer_than_its_turn_lasts)
{
    struct draft *draft = thought_about();

    timed_at(draft, 20);
    clock_think(draft->clock, 2, 5 * TIMED_SECOND, draft->now);
    timed_play(draft, "a3");
    change(draft, 5, "\"spent_us\":5000000", "\"spent_us\":11000000");
    says(draft, "event 5, line 1, ply 4: the time spent is stored as 11000000 and replays as "
                "10000000");
}

Test(verify_clock, a_computer_opponent_is_out_of_time_by_its_search)
{
    struct draft *draft = thought_about();

    timed_at(draft, 5000);
    cr_assert_not(clock_think(draft->clock, 2, 2000 * TIMED_SECOND, draft->now));
    draft_stop(draft, STATUS_FINISHED, 1, "timeout", EVENT_TIMEOUT, 2);
    draft_store(draft);
    is_well(draft);
    change(draft, 5, "\"spent_us\":2000000000", "\"spent_us\":200000000");
    says(draft, "event 5, line 1, ply 3: the time spent is stored as 200000000 and replays as "
                "3");
}

/* A log that was written before, when the wait for a thinker was charged, too. */
Test(verify_clock, a_computer_opponent_may_have_been_charged_for_its_wait)
{
    struct draft *draft = thought_about();

    draft->clock->thinkers = 0;
    draft_store(draft);
    is_well(draft);
    timed_at(draft, 50);
    timed_play(draft, "a3");
    is_well(draft);
    timed_at(draft, 60);
    timed_play(draft, "b1");
    timed_out(draft);
    is_well(draft);
}

/* ---- offers ---- */

Test(verify_offers, every_end_of_an_offer_is_well)
{
    static const int ends[] = {EVENT_ACCEPTED, EVENT_DECLINED, EVENT_WITHDRAWN};

    for (size_t i = 0; i < 3; i++)
        for (int kind = OFFER_DRAW; kind <= OFFER_ABORT; kind += OFFER_ABORT - OFFER_DRAW) {
            struct draft *draft = timed_new(NULL);
            int32_t id = timed_offer(draft, (enum offer_kind)kind, 2, "");

            timed_offer(draft, OFFER_TIME, 2, "\"add_us\":5");
            timed_answer(draft, ends[i], id);
            is_well(draft);
            arena_reset(&records_arena);
        }
}

Test(verify_offers, the_open_offers_of_the_row_follow)
{
    struct draft *draft = going_on();

    draft->row.offers = NULL;
    says(draft, "event 15, line 1, ply 3: the list of open offers is stored as nothing and "
                "replays as 4: draw by 1 at 1600000025000000, 15: pause by 2 at "
                "1600000120000000 for 5000000");
    draft->row.offers = "{}";
    says(draft, "the list of open offers is stored as {} and replays as a list");
}

Test(verify_offers, an_agreement_is_followed_by_what_it_is_about)
{
    struct draft *draft = timed_new(fischer);
    int32_t id = timed_offer(draft, OFFER_TIME, 1, "\"add_us\":60000000");

    timed_answer(draft, EVENT_ACCEPTED, id);
    says(draft, "the event that must follow is stored as nothing and replays as time-added");
    timed_play(draft, "b2");
    says(draft, "event 4, line 1, ply 1: the event that must follow is stored as move and replays "
                "as time-added");
}

Test(verify_offers, no_time_is_added_without_an_agreement)
{
    struct draft *draft = timed_new(fischer);

    timed_add(draft, TIMED_SECOND);
    says(draft, "event 2, line 1, ply 0: the agreement is stored as time-added and replays as "
                "nothing");
    draft = timed_new(fischer);
    timed_pause(draft, 100);
    says(draft, "the agreement is stored as paused and replays as nothing");
}

Test(verify_offers, an_offer_is_answered_by_the_other_side)
{
    struct draft *draft = timed_new(NULL);
    int32_t id = timed_offer(draft, OFFER_DRAW, 1, "");

    timed_answer(draft, EVENT_DECLINED, id);
    draft->events[2].seat = 1;
    says(draft, "event 3, line 1, ply 0: the seat is stored as 1 and replays as 2");
}

Test(verify_offers, a_draw_that_both_offer_is_agreed)
{
    struct draft *draft = timed_new(NULL);
    int32_t id = timed_offer(draft, OFFER_DRAW, 1, "");

    timed_offer(draft, OFFER_DRAW, 2, "");
    timed_answer(draft, EVENT_ACCEPTED, id);
    is_well(draft);
    draft->nevents--;
    draft->row.version--;
    draft->row.status = STATUS_ACTIVE;
    draft->row.reason = NULL;
    says(draft, "the event that must follow is stored as nothing and replays as accepted");
}

Test(verify_offers, a_move_that_offers_is_followed_by_the_offer)
{
    struct draft *draft = timed_new(NULL);

    timed_play(draft, "b2");
    draft_data(draft, &draft->events[1], "\"offer\":\"draw\"");
    timed_offer(draft, OFFER_DRAW, 1, "");
    is_well(draft);
    draft->events[2].seat = 2;
    says(draft, "event 3, line 1, ply 1: the seat is stored as 2 and replays as 1");
}

Test(verify_offers, nothing_but_an_undo_is_offered_once_the_game_is_over)
{
    struct draft *draft = timed_new(NULL);

    draft_stop(draft, STATUS_FINISHED, 2, "resign", EVENT_RESIGNED, 1);
    timed_answer(draft, EVENT_DECLINED, timed_offer(draft, OFFER_UNDO, 1, "\"to_ply\":0"));
    is_well(draft);
    timed_offer(draft, OFFER_DRAW, 1, "");
    says(draft, "event 5, line 1, ply 0: the offer is stored as draw and replays as a game that "
                "is over");
}

Test(verify_offers, a_new_offer_of_the_same_kind_and_seat_ends_the_old_one)
{
    struct draft *draft = timed_new(NULL);
    int32_t id = timed_offer(draft, OFFER_UNDO, 1, "\"to_ply\":0");

    offers_remove(&draft->offers, id);
    timed_offer(draft, OFFER_UNDO, 1, "\"to_ply\":0");
    says(draft, "event 3, line 1, ply 0: the list of offers that end is stored as nothing and "
                "replays as [2]");
    draft_data(draft, &draft->events[2], "\"voids\":[2]");
    is_well(draft);
}

Test(verify_offers, there_is_one_rematch)
{
    struct draft *draft = ended();

    timed_event(draft, EVENT_REMATCH, 1, arena_format(&records_arena, "\"game\":\"%s\"", game_id));
    says(draft, "event 26, line 2, ply 4: the rematch is stored as");
    draft = ended();
    draft->row.has_next = false;
    says(draft, "the rematch is stored as nothing and replays as 0123456789abcdefghjkmnpqr0");
}

Test(verify_offers, a_copy_of_a_game_has_no_rematch)
{
    struct draft *draft = timed_new(NULL);

    timed_event(draft, EVENT_REMATCH, 1, "");
    is_well(draft);
}

/* ---- at random ---- */

Test(verify_clock, whatever_happens_at_random_is_well)
{
    for (uint64_t seed = 0; seed < 400; seed++) {
        timed_random(seed, is_well);
        arena_reset(&records_arena);
    }
}
