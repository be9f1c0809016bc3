/*
 * test_clock_warning.c - when the side to move is warned that its time is nearly over, and what is
 * stored of it.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "api/game/clock.h"
#include "api/game/words.h"
#include "tests/unit/records.h"
#include "tests/unit/timed.h"

static const struct clock_gaps none = {NULL, 0};

/* ---- when: all times in minutes ---- */

static struct clock clock_;
static struct db_game row;

#define M(minutes) ((minutes)*60 * CLOCK_SECOND)
#define H(hours)   M(60 * (hours))
#define D(days)    H(24 * (days))
#define START      INT64_C(1780000000000000)

static int64_t us(int64_t minutes)
{
    return START + M(minutes);
}

static int64_t minutes_of(int64_t time)
{
    return time == DB_NEVER ? -1 : (time - START) / M(1);
}

static void begin(const struct clock_terms *terms)
{
    clock_init(&clock_, terms);
    row = (struct db_game){.status = STATUS_ACTIVE,
                           .to_move = 1,
                           .seat = {{.state = SEAT_TAKEN}, {.state = SEAT_TAKEN}}};
    clock_start(&clock_, us(0));
}

static void moves_at(int64_t now)
{
    clock_move(&clock_, row.to_move, us(now));
    row.to_move = (int16_t)(3 - row.to_move);
}

/* Both first moves are made: the turn of seat 1 begins at minute 0. */
static void begin_running(const struct clock_terms *terms)
{
    begin(terms);
    moves_at(0);
    moves_at(0);
}

static int64_t warning_as_of(int64_t now)
{
    return minutes_of(clock_warning(&clock_, &row, &none, us(now)));
}

static int64_t warning(void)
{
    return warning_as_of(0);
}

static const struct clock_terms day = {
    .kind = CLOCK_DAYS, .initial_us = D(1), .first_move_us = H(8), .vacation = true};

Test(clock_warning, is_due_when_a_quarter_of_the_time_is_left_or_a_day)
{
    static const struct {
        struct clock_terms terms;
        int64_t minutes; /* of the warning in the turn; -1: there is none */
    } rows[] = {
        {{.kind = CLOCK_DAYS, .initial_us = D(1)}, 18 * 60},
        {{.kind = CLOCK_DAYS, .initial_us = D(3)}, 54 * 60},
        {{.kind = CLOCK_DAYS, .initial_us = D(4)}, 3 * 24 * 60},
        {{.kind = CLOCK_DAYS, .initial_us = D(5)}, 4 * 24 * 60},
        {{.kind = CLOCK_DAYS, .initial_us = D(365)}, 364 * 24 * 60},
        {{.kind = CLOCK_FISCHER, .initial_us = H(4), .max_us = CLOCK_SPAN_MAX}, 3 * 60},
        {{.kind = CLOCK_FISCHER, .initial_us = H(4) - 1, .max_us = CLOCK_SPAN_MAX}, -1},
        {{.kind = CLOCK_FISCHER, .initial_us = H(3), .increment_us = H(9), .max_us = D(1)}, -1},
        {{.kind = CLOCK_FISCHER, .initial_us = M(5), .increment_us = M(1), .max_us = M(9)}, -1},
        {{.kind = CLOCK_BYOYOMI, .initial_us = H(2), .period_us = H(1), .periods = 2}, 3 * 60},
        {{.kind = CLOCK_BYOYOMI, .initial_us = 0, .period_us = D(2), .periods = 1}, 36 * 60},
        {{.kind = CLOCK_BYOYOMI, .initial_us = H(1), .period_us = M(1), .periods = 100}, -1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        begin_running(&rows[i].terms);
        cr_expect_eq(warning(), rows[i].minutes, "row %zu: %lld", i, (long long)warning());
    }
}

Test(clock_warning, is_due_before_the_first_move_by_the_time_for_that)
{
    begin(&day);
    cr_assert_eq(warning(), 6 * 60);
    moves_at(60);
    cr_assert_eq(warning(), 7 * 60);
    moves_at(120);
    cr_assert_eq(warning(), 20 * 60);
}

Test(clock_warning, goes_by_what_is_left_of_the_bank)
{
    struct clock_terms terms = {
        .kind = CLOCK_FISCHER, .initial_us = H(16), .max_us = CLOCK_SPAN_MAX};

    begin_running(&terms);
    cr_assert_eq(warning(), 12 * 60);
    moves_at(8 * 60);
    moves_at(9 * 60);
    cr_assert_eq(warning(), (9 + 6) * 60);
    moves_at((9 + 5) * 60);
    moves_at((9 + 6) * 60);
    cr_assert_eq(warning(), -1, "three hours are left");
}

Test(clock_warning, is_not_due_in_the_past)
{
    begin_running(&day);
    cr_assert_eq(warning_as_of(18 * 60 - 1), 18 * 60);
    cr_assert_eq(warning_as_of(20 * 60), 20 * 60);
}

Test(clock_warning, is_given_once_in_a_turn)
{
    begin_running(&day);
    clock_.state.warned = true;
    cr_assert_eq(warning_as_of(20 * 60), -1);
    moves_at(21 * 60);
    cr_assert_eq(warning(), (21 + 18) * 60);
    clock_.state.warned = true;
    clock_stop(&clock_, 2, us(22 * 60));
    cr_assert_not(clock_.state.warned);
}

Test(clock_warning, is_given_again_after_an_undo)
{
    struct arena arena = {NULL, NULL, NULL};

    begin_running(&day);
    clock_.state.warned = true;
    clock_go_to(&clock_, &arena, NULL, us(20 * 60));
    cr_assert_eq(warning(), (20 + 6) * 60);
    arena_free(&arena);
}

Test(clock_warning, is_not_for_a_computer_nor_for_a_game_that_is_over)
{
    begin_running(&day);
    row.seat[1].state = SEAT_ENGINE;
    cr_assert_eq(warning(), 18 * 60);
    row.seat[0].state = SEAT_ENGINE;
    cr_assert_eq(warning(), -1);
    row.seat[0].state = SEAT_TAKEN;
    row.status = STATUS_FINISHED;
    row.to_move = 0;
    cr_assert_eq(warning(), -1);
    row.status = STATUS_OPEN;
    row.to_move = 1;
    cr_assert_eq(warning(), -1);
}

/* ---- what moves it ---- */

Test(clock_warning, waits_until_a_pause_is_over)
{
    begin_running(&day);
    clock_pause(&clock_, 1, us(72 * 60), us(60));
    cr_assert_eq(warning_as_of(60), (72 + 17) * 60);
    clock_pause(&clock_, 1, us(3 * 60), us(3 * 60));
    cr_assert_eq(warning_as_of(3 * 60), (3 + 17) * 60);
}

Test(clock_warning, that_is_late_waits_until_the_clock_runs)
{
    begin_running(&day);
    clock_pause(&clock_, 1, us(72 * 60), us(20 * 60));
    cr_assert_eq(warning_as_of(21 * 60), 72 * 60);
    cr_assert_eq(warning_as_of(73 * 60), 73 * 60);
}

Test(clock_warning, waits_until_a_vacation_is_over)
{
    begin_running(&day);
    clock_leave(&clock_, 1, 1, us(60), us(100 * 60), us(60));
    cr_assert_eq(warning_as_of(60), (100 + 17) * 60);
}

Test(clock_warning, does_not_heed_the_vacation_of_the_other_side)
{
    begin_running(&day);
    clock_leave(&clock_, 1, 2, us(60), us(100 * 60), us(60));
    cr_assert_eq(warning_as_of(60), 18 * 60);
}

Test(clock_warning, comes_later_after_an_outage)
{
    const struct db_span outage = {us(60), us(5 * 60)};
    const struct clock_gaps gaps = {&outage, 1};

    begin_running(&day);
    cr_assert_eq(minutes_of(clock_warning(&clock_, &row, &gaps, us(6 * 60))), 22 * 60);
    clock_credit(&clock_, 1, &gaps, us(6 * 60));
    cr_assert_eq(warning(), 22 * 60);
}

/* So many pauses that the first part of the turn is settled. */
Test(clock_warning, knows_what_was_used_before_many_pauses)
{
    begin_running(&day);
    for (int64_t hour = 0; hour < 40; hour += 2)
        clock_pause(&clock_, 1, us(60 * (hour + 1)), us(60 * hour));
    cr_assert_gt(clock_.state.used_us, 0);
    cr_assert_eq(warning_as_of(40 * 60), 40 * 60, "it was used for 20 hours");
    clock_pause(&clock_, 1, us(39 * 60), us(39 * 60));
    begin_running(&day);
    for (int64_t hour = 0; hour < 30; hour += 2)
        clock_pause(&clock_, 1, us(60 * (hour + 1)), us(60 * hour));
    cr_assert_eq(warning_as_of(30 * 60), (30 + 3) * 60, "it was used for 15 hours");
}

Test(clock_warning, follows_time_that_is_added)
{
    begin_running(&day);
    clock_add(&clock_, 1, H(8));
    cr_assert_eq(warning(), 24 * 60);
    clock_add(&clock_, 2, H(8));
    cr_assert_eq(warning(), 24 * 60);
    clock_.state.warned = true;
    clock_add(&clock_, 1, D(7));
    cr_assert_eq(warning(), -1, "it was given already");
}

/* ---- what is stored ---- */

TestSuite(course_warning, .fini = records_free);

#define HOUR 3600.0

/* What is promised for the clock, in hours since the game began. 0: nothing is. */
static double promised(const struct draft *draft)
{
    for (size_t i = 0; i < draft->ndues; i++)
        if (draft->dues[i].kind == DUE_CLOCK)
            return (double)(draft->dues[i].at - TIMED_AT) / 1e6 / HOUR;
    return 0;
}

/* As the next write would take it from the row. */
static void take_anew(struct draft *draft)
{
    struct clock clock;

    cr_assert(clock_load(draft->arena, &draft->row, &clock));
    draft_take(draft, &clock, &draft->offers, draft->gaps);
}

static struct draft *new_day(void)
{
    struct draft *draft = timed_new("{\"kind\":\"days\",\"days\":1,\"first_move\":\"1d\"}");

    take_anew(draft);
    return draft;
}

Test(course_warning, a_look_is_promised_for_the_warning_and_then_for_the_deadline)
{
    struct draft *draft = new_day();
    const struct db_event *event;

    timed_at(draft, HOUR);
    timed_play(draft, "b2");
    cr_assert_eq(promised(draft), 0, "the one that stands comes early enough");
    timed_at(draft, 19 * HOUR);
    draft_warn(draft);
    draft_store(draft);
    cr_assert_float_eq(promised(draft), 25, 1e-6);
    event = &draft->events[draft->nevents - 1];
    cr_assert_eq(event->kind, EVENT_DEADLINE);
    cr_assert_eq(event->seat, 2);
    cr_assert_eq(event->ply, 1);
    cr_assert_str_eq(event->data, arena_format(&records_arena, "{\"deadline_us\":%lld}",
                                               (long long)(TIMED_AT + 25 * 3600 * TIMED_SECOND)));
}

Test(course_warning, the_first_look_is_the_warning_and_in_a_short_turn_the_deadline)
{
    struct draft *draft = timed_new("{\"kind\":\"days\",\"days\":1,\"first_move\":\"8h\"}");

    cr_assert_float_eq(promised(draft), 6, 1e-6);
    draft = timed_new("{\"kind\":\"days\",\"days\":1,\"first_move\":\"3h\"}");
    cr_assert_float_eq(promised(draft), 3, 1e-6);
}

Test(course_warning, it_changes_nothing_but_that_it_was_given)
{
    struct draft *draft = new_day();
    struct db_game before;

    timed_at(draft, HOUR);
    timed_offer(draft, OFFER_DRAW, 2, "");
    take_anew(draft);
    before = draft->row;
    timed_at(draft, 19 * HOUR);
    draft_warn(draft);
    draft_store(draft);
    cr_assert_eq(draft->row.version, before.version + 1);
    cr_assert_eq(draft->row.deadline_at, before.deadline_at);
    cr_assert_eq(draft->row.to_move, before.to_move);
    cr_assert_eq(draft->row.status, before.status);
    cr_assert_str_eq(draft->row.offers, before.offers);
    cr_assert_null(strstr(before.timing, "warned"), "%s", before.timing);
    cr_assert_not_null(strstr(draft->row.timing, "\"warned\":1"), "%s", draft->row.timing);
    take_anew(draft);
    cr_assert(draft->clock->state.warned);
    timed_at(draft, 20 * HOUR);
    timed_play(draft, "b2");
    cr_assert_null(strstr(draft->row.timing, "warned"), "%s", draft->row.timing);
}
