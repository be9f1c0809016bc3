/*
 * test_clock.c - the single behaviours of clocks. test_clock_random.c has whole games.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "api/game/clock.h"
#include "api/game/words.h"

static struct arena arena;

static const struct clock_gaps none = {NULL, 0};

/* ---- games: all times in seconds, seat 1 moves first ---- */

static struct clock clock_;
static struct db_game row;

#define START INT64_C(1780000000)

static int64_t us(int64_t seconds)
{
    return (START + seconds) * CLOCK_SECOND;
}

static int64_t seconds_of(int64_t time)
{
    return time == DB_NEVER ? -1 : time / CLOCK_SECOND - START;
}

/* A game at second 0; the time for the first move is 60 s. */
static void begin(const struct clock_terms *terms)
{
    struct clock_terms all = *terms;

    all.first_move_us = 60 * CLOCK_SECOND;
    clock_init(&clock_, &all);
    row = (struct db_game){.status = STATUS_ACTIVE, .to_move = 1};
    clock_start(&clock_, us(0));
}

static int64_t moves_at(int64_t now)
{
    int64_t spent = clock_move(&clock_, row.to_move, us(now));

    row.to_move = (int16_t)(3 - row.to_move);
    return spent / CLOCK_SECOND;
}

/* The same, with both first moves made: the bank of seat 1 runs from second 0. */
static void begin_running(const struct clock_terms *terms)
{
    begin(terms);
    moves_at(0);
    moves_at(0);
}

static int64_t deadline(void)
{
    return seconds_of(clock_deadline(&clock_, &row, &none));
}

static int32_t periods;

static int64_t left(int seat, int64_t now)
{
    return clock_left(&clock_, &row, seat, &none, us(now), &periods) / CLOCK_SECOND;
}

#define S(seconds) ((seconds)*CLOCK_SECOND)

static const struct clock_terms days = {.kind = CLOCK_DAYS, .initial_us = S(100), .vacation = true};
static const struct clock_terms fischer = {.kind = CLOCK_FISCHER,
                                           .initial_us = S(100),
                                           .increment_us = S(10),
                                           .max_us = S(105),
                                           .vacation = true};
static const struct clock_terms byoyomi = {.kind = CLOCK_BYOYOMI,
                                           .initial_us = S(100),
                                           .period_us = S(10),
                                           .periods = 3,
                                           .vacation = true};

Test(clock, a_game_that_does_not_go_on_has_no_deadline)
{
    begin(&days);
    row.status = STATUS_OPEN;
    cr_assert_eq(clock_deadline(&clock_, &row, &none), DB_NEVER);
    row.status = STATUS_FINISHED;
    row.to_move = 0;
    cr_assert_eq(clock_deadline(&clock_, &row, &none), DB_NEVER);
    cr_assert_eq(clock_running(&clock_, &row, us(5)), 0);
}

Test(clock, each_side_has_the_time_for_the_first_move_and_keeps_its_bank)
{
    begin(&fischer);
    cr_assert_not(clock_runs(&clock_));
    cr_assert_eq(deadline(), 60);
    cr_assert_eq(clock_running(&clock_, &row, us(5)), 0);
    cr_assert_eq(moves_at(50), 50);
    cr_assert_not(clock_runs(&clock_));
    cr_assert_eq(deadline(), 110);
    cr_assert_eq(moves_at(90), 40);
    cr_assert(clock_runs(&clock_));
    cr_assert_eq(left(1, 90), 100);
    cr_assert_eq(left(2, 90), 100);
    cr_assert_eq(deadline(), 190);
    cr_assert_eq(clock_running(&clock_, &row, us(90)), 1);
}

Test(clock, with_days_each_move_has_the_whole_time)
{
    begin_running(&days);
    cr_assert_eq(left(1, 30), 70);
    cr_assert_eq(moves_at(99), 99);
    cr_assert_eq(left(1, 99), 100);
    cr_assert_eq(deadline(), 199);
}

Test(clock, an_increment_brings_the_bank_no_higher_than_its_cap)
{
    begin_running(&fischer);
    moves_at(2);
    cr_assert_eq(left(1, 2), 105);
    moves_at(52);
    cr_assert_eq(left(2, 52), 60);
}

Test(clock, an_increment_does_not_cut_a_bank_that_is_above_the_cap)
{
    begin_running(&fischer);
    clock_add(&clock_, 1, S(50));
    moves_at(10);
    cr_assert_eq(left(1, 10), 140);
}

Test(clock, a_period_is_lost_when_it_is_used_up_and_not_before)
{
    begin_running(&byoyomi);
    cr_assert_eq(deadline(), 130);
    cr_assert_eq(left(1, 100), 0);
    cr_assert_eq(periods, 3);
    left(1, 109);
    cr_assert_eq(periods, 3);
    left(1, 110);
    cr_assert_eq(periods, 2);
    left(1, 129);
    cr_assert_eq(periods, 1);
    left(1, 130);
    cr_assert_eq(periods, 0);
    moves_at(119);
    cr_assert_eq(left(1, 119), 0);
    cr_assert_eq(periods, 2);
    moves_at(119);
    cr_assert_eq(deadline(), 139);
}

Test(clock, a_move_inside_a_period_costs_no_period_however_often)
{
    begin_running(&byoyomi);
    moves_at(100);
    for (int64_t now = 100; now < 200; now += 9) {
        moves_at(now);
        moves_at(now + 9);
        left(1, now + 9);
        cr_assert_eq(periods, 3);
    }
}

Test(clock, a_time_before_the_turn_charges_nothing)
{
    begin_running(&fischer);
    cr_assert_eq(left(1, -3), 100);
    cr_assert_eq(moves_at(-3), 0);
    cr_assert_eq(deadline(), 97);
}

Test(clock, the_clock_stands_still_in_a_pause_and_goes_on_when_it_is_ended)
{
    begin_running(&fischer);
    clock_pause(&clock_, 1, us(1000), us(40));
    cr_assert_eq(deadline(), 1060);
    cr_assert_eq(left(1, 500), 60);
    cr_assert_eq(clock_running(&clock_, &row, us(40)), 0);
    cr_assert_eq(clock_running(&clock_, &row, us(1000)), 1);
    clock_pause(&clock_, 1, us(50), us(50));
    cr_assert_eq(deadline(), 110);
    cr_assert_eq(clock_running(&clock_, &row, us(50)), 1);
}

Test(clock, a_second_pause_in_a_turn_does_not_forget_the_first)
{
    begin_running(&fischer);
    clock_pause(&clock_, 1, us(20), us(10));
    clock_pause(&clock_, 1, us(40), us(30));
    cr_assert_eq(deadline(), 120);
    cr_assert_eq(moves_at(50), 30);
}

Test(clock, a_pause_outlasts_the_move_that_is_made_in_it)
{
    begin_running(&fischer);
    clock_pause(&clock_, 1, us(50), us(10));
    cr_assert_eq(moves_at(30), 10);
    cr_assert_eq(deadline(), 150);
}

Test(clock, only_the_vacation_of_the_side_to_move_counts)
{
    begin_running(&days);
    clock_leave(&clock_, 1, 2, us(10), us(500), us(10));
    cr_assert_eq(deadline(), 100);
    moves_at(20);
    cr_assert_eq(deadline(), 600);
    cr_assert_eq(clock_running(&clock_, &row, us(20)), 0);
}

Test(clock, a_vacation_that_is_noticed_late_takes_back_what_was_charged)
{
    begin_running(&days);
    clock_leave(&clock_, 1, 1, us(10), us(500), us(90));
    cr_assert_eq(deadline(), 590);
    cr_assert_eq(left(1, 500), 90);
}

Test(clock, a_vacation_from_before_the_turn_takes_back_no_more_than_the_turn)
{
    begin_running(&days);
    clock_leave(&clock_, 1, 1, us(-50), us(30), us(20));
    cr_assert_eq(deadline(), 130);
}

Test(clock, a_vacation_that_is_noticed_late_does_not_give_a_pause_or_an_outage_again)
{
    const struct db_span outage = {us(40), us(60)};
    const struct clock_gaps gaps = {&outage, 1};

    begin_running(&days);
    clock_pause(&clock_, 1, us(20), us(10));
    clock_credit(&clock_, 1, &gaps, us(65));
    clock_pause(&clock_, 1, us(70), us(65));
    clock_leave(&clock_, 1, 1, us(15), us(80), us(75));
    cr_assert_eq(deadline(), 80 + 90);
}

Test(clock, a_vacation_ends_early)
{
    begin_running(&days);
    clock_leave(&clock_, 1, 1, us(10), us(500), us(10));
    clock_leave(&clock_, 1, 1, us(10), us(50), us(50));
    cr_assert_eq(deadline(), 140);
    clock_leave(&clock_, 1, 1, us(80), us(500), us(80));
    clock_leave(&clock_, 1, 1, us(90), us(90), us(90));
    cr_assert_eq(deadline(), 150);
}

Test(clock, a_second_vacation_in_a_turn_does_not_forget_the_first)
{
    begin_running(&days);
    clock_leave(&clock_, 1, 1, us(10), us(20), us(10));
    clock_leave(&clock_, 1, 1, us(40), us(50), us(40));
    cr_assert_eq(deadline(), 120);
}

Test(clock, a_clock_that_knows_no_vacations_runs_on)
{
    struct clock_terms strict = days;

    strict.vacation = false;
    begin_running(&strict);
    clock_leave(&clock_, 1, 1, us(10), us(500), us(10));
    cr_assert_eq(deadline(), 100);
}

Test(clock, outages_that_are_known_move_the_deadline_and_are_owed)
{
    const struct db_span outages[] = {{us(-20), us(10)}, {us(50), us(80)}, {us(90), us(95)}};
    const struct clock_gaps gaps = {outages, 3};
    struct db_span owed;

    begin_running(&fischer);
    cr_assert_eq(seconds_of(clock_deadline(&clock_, &row, &gaps)), 145);
    cr_assert_eq(clock_left(&clock_, &row, 1, &gaps, us(85), &periods), S(55));
    cr_assert_eq(clock_owed(&clock_, &row, &gaps, us(85), &owed), S(40));
    cr_assert_eq(owed.from, us(0));
    cr_assert_eq(owed.to, us(80));
}

Test(clock, an_outage_that_was_credited_is_owed_no_more_and_counts_once)
{
    const struct db_span outages[] = {{us(20), us(30)}, {us(50), us(80)}};
    const struct clock_gaps gaps = {outages, 2};
    struct db_span owed;

    begin_running(&fischer);
    clock_credit(&clock_, 1, &gaps, us(85));
    cr_assert_eq(clock_owed(&clock_, &row, &gaps, us(85), &owed), 0);
    cr_assert_eq(deadline(), 140);
    cr_assert_eq(seconds_of(clock_deadline(&clock_, &row, &gaps)), 140);
    cr_assert_eq(moves_at(85), 45);
}

Test(clock, many_outages_that_are_credited_late_are_all_credited)
{
    struct db_span outages[2 * CLOCK_STILLS], owed;
    const struct clock_gaps gaps = {outages, 2 * CLOCK_STILLS};

    begin_running(&days);
    clock_pause(&clock_, 1, us(90), us(80));
    clock_pause(&clock_, 1, us(95), us(95));
    for (int i = 0; i < 2 * CLOCK_STILLS; i++)
        outages[i] = (struct db_span){us(4 * i), us(4 * i + 2)};
    clock_credit(&clock_, 1, &gaps, us(99));
    cr_assert_eq(clock_owed(&clock_, &row, &gaps, us(99), &owed), 0);
    cr_assert_eq(deadline(), 100 + 10 + 4 * CLOCK_STILLS);
}

Test(clock, an_outage_in_a_pause_is_not_owed)
{
    const struct db_span outage = {us(20), us(50)};
    const struct clock_gaps gaps = {&outage, 1};
    struct db_span owed;

    begin_running(&fischer);
    clock_pause(&clock_, 1, us(40), us(10));
    cr_assert_eq(clock_owed(&clock_, &row, &gaps, us(60), &owed), S(10));
    cr_assert_eq(seconds_of(clock_deadline(&clock_, &row, &gaps)), 140);
    row.status = STATUS_FINISHED;
    cr_assert_eq(clock_owed(&clock_, &row, &gaps, us(60), &owed), 0);
}

Test(clock, any_number_of_pauses_in_a_turn_are_counted)
{
    begin_running(&days);
    for (int64_t now = 0; now < 1000; now += 10) {
        clock_pause(&clock_, 1, us(now + 9), us(now));
        cr_assert_eq(deadline(), now + 9 + 100 - now / 10);
    }
    cr_assert(clock_.state.stills < CLOCK_STILLS);
}

Test(clock, added_time_counts_for_the_present_move_and_with_days_for_no_other)
{
    begin_running(&days);
    cr_assert_eq(clock_add(&clock_, 1, S(50)), S(50));
    clock_add(&clock_, 2, S(7));
    cr_assert_eq(deadline(), 150);
    moves_at(120);
    cr_assert_eq(deadline(), 227);
    moves_at(121);
    cr_assert_eq(deadline(), 221);
}

Test(clock, a_seat_gets_no_more_time_added_than_the_longest_span)
{
    begin_running(&days);
    cr_assert_eq(clock_add(&clock_, 1, CLOCK_SPAN_MAX - S(5)), CLOCK_SPAN_MAX - S(5));
    cr_assert_eq(clock_add(&clock_, 1, S(7)), S(5));
    cr_assert_eq(clock_add(&clock_, 1, S(7)), 0);
}

/* ---- computer opponents ---- */

/* Seat 2 thinks, and is to move at second 10. */
static void begin_against_a_computer(const struct clock_terms *terms)
{
    begin_running(terms);
    row.seat[1] = (struct db_seat){.state = SEAT_ENGINE, .engine = "plyd:8"};
    clock_know(&clock_, &row);
    moves_at(10);
}

Test(clock, a_computer_opponent_has_no_deadline)
{
    begin_against_a_computer(&fischer);
    cr_assert_eq(deadline(), -1);
    cr_assert_eq(clock_running(&clock_, &row, us(20)), 0);
    cr_assert_eq(left(2, 5000), 100);
}

Test(clock, a_computer_opponent_is_charged_for_its_search_and_not_for_its_wait)
{
    begin_against_a_computer(&fischer);
    cr_assert(clock_think(&clock_, 2, S(30), us(5000)));
    cr_assert_eq(moves_at(5000), 30);
    cr_assert_eq(left(2, 5000), 80);
    cr_assert_eq(deadline(), 5100, "the clock of the person runs from its move on");
    moves_at(5001);
    cr_assert_eq(left(2, 5002), 80, "the next turn begins anew");
}

Test(clock, a_computer_opponent_is_out_of_time_by_its_own_search)
{
    begin_against_a_computer(&byoyomi);
    cr_assert(clock_think(&clock_, 2, S(130) - 1, us(5000)));
    cr_assert_not(clock_think(&clock_, 2, S(130), us(5000)));
}

Test(clock, a_search_takes_no_longer_than_the_turn)
{
    begin_against_a_computer(&fischer);
    cr_assert(clock_think(&clock_, 2, S(100), us(11)));
    cr_assert_eq(moves_at(11), 1);
}

Test(clock, a_game_that_ends_while_a_computer_opponent_thinks_takes_nothing_from_its_time)
{
    begin_against_a_computer(&fischer);
    cr_assert_eq(clock_stop(&clock_, 2, us(5000)), 0);
}

Test(clock, pauses_while_a_computer_opponent_thinks_take_nothing_from_its_time)
{
    begin_against_a_computer(&fischer);
    for (int i = 1; i <= 2 * CLOCK_STILLS; i++)
        clock_pause(&clock_, 2, us(10 * i + 5), us(10 * i));
    cr_assert_eq(left(2, 5000), 100);
    cr_assert_eq(clock_.state.since, us(10));
}

Test(clock, an_outage_while_a_computer_opponent_thinks_is_not_owed)
{
    struct db_span outage = {us(20), us(60)}, owed;

    begin_against_a_computer(&fischer);
    cr_assert_eq(clock_owed(&clock_, &row, &(struct clock_gaps){&outage, 1}, us(85), &owed), 0);
}

Test(clock, a_stored_clock_knows_the_computer_opponent)
{
    struct clock loaded;

    begin_against_a_computer(&fischer);
    row.clock = clock_terms_text(&arena, &clock_.terms);
    clock_store(&arena, &clock_, &row);
    cr_assert_eq(row.deadline_at, DB_NEVER);
    cr_assert(clock_load(&arena, &row, &loaded));
    cr_assert_eq(clock_deadline(&loaded, &row, &none), DB_NEVER);
}

/* ---- undo ---- */

static const char *data_after_move(int64_t now)
{
    int64_t spent = S(moves_at(now));
    struct json json;

    json_init(&json, &arena);
    json_open(&json, '{');
    clock_data(&json, &clock_, spent);
    json_close(&json, '}');
    return json.out.text;
}

static void goes_to(const char *data, int16_t to_move, int64_t now)
{
    row.to_move = to_move;
    clock_go_to(&clock_, &arena, data, us(now));
}

Test(clock, an_undo_gives_the_time_of_the_position_and_a_redo_too)
{
    const char *first, *second;

    begin_running(&byoyomi);
    first = data_after_move(30);
    second = data_after_move(125);
    goes_to(first, 2, 500);
    cr_assert_eq(left(1, 500), 70);
    cr_assert_eq(left(2, 500), 100);
    cr_assert_eq(deadline(), 630);
    goes_to(second, 1, 600);
    cr_assert_eq(left(2, 600), 5);
    cr_assert_eq(left(1, 610), 60);
}

Test(clock, an_undo_keeps_the_time_that_was_added_since)
{
    const char *data;

    begin_running(&fischer);
    clock_add(&clock_, 1, S(3));
    data = data_after_move(30);
    clock_add(&clock_, 1, S(20));
    clock_add(&clock_, 2, S(20));
    moves_at(40);
    goes_to(data, 2, 50);
    cr_assert_eq(left(1, 50), 103);
    cr_assert_eq(left(2, 50), 120);
}

Test(clock, an_undo_to_the_start_gives_the_first_move_its_time_again)
{
    begin_running(&fischer);
    moves_at(50);
    clock_add(&clock_, 2, S(20));
    goes_to(NULL, 1, 70);
    cr_assert_not(clock_runs(&clock_));
    cr_assert_eq(deadline(), 130);
    cr_assert_eq(left(1, 70), 100);
    cr_assert_eq(left(2, 70), 120);
}

Test(clock, a_move_whose_data_has_no_clock_counts_as_the_start)
{
    begin_running(&byoyomi);
    moves_at(120);
    goes_to("{\"comment\":\"imported\"}", 1, 130);
    cr_assert_not(clock_runs(&clock_));
    cr_assert_eq(left(1, 130), 100);
    cr_assert_eq(periods, 3);
}

Test(clock, a_move_whose_clock_cannot_be_read_counts_as_the_start)
{
    begin_running(&byoyomi);
    moves_at(120);
    goes_to("{\"clock\":{\"moved\":6,\"1\":{\"left_us\":5,\"periods\":101}}}", 1, 130);
    cr_assert_not(clock_runs(&clock_));
    cr_assert_eq(left(1, 130), 100);
    goes_to("{\"clock\":true}", 1, 130);
    cr_assert_eq(left(1, 130), 100);
}

Test(clock, an_undo_keeps_pauses_and_vacations_and_forgets_the_thinking)
{
    const char *data;

    begin_running(&days);
    data = data_after_move(0);
    moves_at(10);
    clock_leave(&clock_, 1, 2, us(20), us(200), us(20));
    clock_pause(&clock_, 1, us(300), us(30));
    goes_to(data, 2, 50);
    cr_assert_eq(deadline(), 400);
    clock_pause(&clock_, 2, us(50), us(50));
    cr_assert_eq(deadline(), 300);
}

Test(clock, the_end_of_a_game_takes_the_thinking_off_the_bank)
{
    begin_running(&byoyomi);
    clock_stop(&clock_, 1, us(115));
    row.status = STATUS_FINISHED;
    cr_assert_eq(left(1, 500), 0);
    cr_assert_eq(periods, 2);
    cr_assert_eq(left(2, 500), 100);
}

Test(clock, the_end_of_a_game_before_both_have_moved_costs_no_bank)
{
    begin(&byoyomi);
    clock_stop(&clock_, 1, us(60));
    cr_assert_eq(left(1, 60), 100);
}

Test(clock, after_a_timeout_nothing_is_left)
{
    begin_running(&byoyomi);
    clock_stop(&clock_, 1, us(200));
    row.status = STATUS_FINISHED;
    cr_assert_eq(left(1, 200), 0);
    cr_assert_eq(periods, 0);
}

/* ---- texts ---- */

Test(clock, a_row_keeps_the_clock_and_its_deadline)
{
    struct clock loaded;
    struct db_span outage = {us(12), us(15)};

    begin_running(&byoyomi);
    clock_pause(&clock_, 1, us(5), us(4));
    clock_pause(&clock_, 1, us(20), us(8));
    clock_leave(&clock_, 1, 2, us(9), us(90), us(9));
    clock_leave(&clock_, 1, 1, us(11), us(12), us(11));
    clock_credit(&clock_, 1, &(struct clock_gaps){&outage, 1}, us(25));
    clock_add(&clock_, 2, S(30));
    clock_.state.due_at = us(77);
    row.clock = clock_terms_text(&arena, &clock_.terms);
    clock_store(&arena, &clock_, &row);
    cr_assert_eq(row.deadline_at, us(130 + 1 + 12));
    cr_assert(clock_load(&arena, &row, &loaded));
    cr_assert_str_eq(
        row.timing,
        "{\"moved\":6,\"since\":1780000000000000,\"paused_from\":1780000008000000,"
        "\"paused_until\":1780000020000000,\"still\":[{\"from\":1780000004000000,"
        "\"to\":1780000005000000}],\"due\":1780000077000000,\"1\":{\"left_us\":100000000,"
        "\"periods\":3,\"away_from\":1780000011000000,\"away_until\":1780000012000000},"
        "\"2\":{\"left_us\":130000000,\"periods\":3,\"added_us\":30000000,"
        "\"away_from\":1780000009000000,\"away_until\":1780000090000000}}");
    cr_assert_str_eq(clock_state_text(&arena, &loaded.state), row.timing);
    cr_assert_eq(loaded.terms.period_us, S(10));
}

static void stores(const struct clock_terms *terms, const char *text)
{
    struct clock loaded;

    clock_init(&clock_, terms);
    row = (struct db_game){.status = STATUS_OPEN, .to_move = 1};
    row.clock = clock_terms_text(&arena, terms);
    cr_assert_str_eq(row.clock, text);
    clock_store(&arena, &clock_, &row);
    cr_assert_eq(row.deadline_at, DB_NEVER);
    cr_assert(clock_load(&arena, &row, &loaded));
    cr_assert_str_eq(clock_terms_text(&arena, &loaded.terms), text);
    cr_assert_eq(loaded.state.left_us[1], terms->initial_us);
}

Test(clock, the_terms_of_every_kind_are_stored_as_they_are)
{
    struct clock_terms slow = days;

    slow.first_move_us = CLOCK_SPAN_MAX;
    slow.vacation = false;
    stores(&slow, "{\"kind\":\"days\",\"initial\":100000000,\"first_move\":315360000000000,"
                  "\"vacation\":false}");
    stores(&fischer, "{\"kind\":\"fischer\",\"initial\":100000000,\"increment\":10000000,"
                     "\"max\":105000000,\"vacation\":true}");
    stores(&byoyomi, "{\"kind\":\"byoyomi\",\"initial\":100000000,\"period\":10000000,"
                     "\"periods\":3,\"vacation\":true}");
}

static bool loads(const char *terms, const char *timing)
{
    struct clock loaded;

    row = (struct db_game){.clock = terms, .timing = timing};
    return clock_load(&arena, &row, &loaded);
}

Test(clock, a_row_without_a_clock_or_with_one_that_cannot_be_read_has_none)
{
    static const char good[] = "{\"kind\":\"byoyomi\",\"period\":5}";

    cr_assert(loads(good, "{}"));
    cr_assert_not(loads(NULL, NULL));
    cr_assert_not(loads(good, NULL));
    cr_assert_not(loads(NULL, "{}"));
    cr_assert_not(loads("{}", "{}"));
    cr_assert_not(loads("{\"kind\":\"sand\"}", "{}"));
    cr_assert_not(loads("{\"kind\":\"byoyomi\"}", "{}"));
    cr_assert_not(loads("{\"kind\":\"days\",\"initial\":\"x\"}", "{}"));
    cr_assert_not(loads(good, "nothing"));
    cr_assert_not(loads(good, "{\"since\":-1}"));
    cr_assert_not(loads(good, "{\"moved\":7}"));
    cr_assert_not(loads(good, "{\"1\":{\"periods\":101}}"));
    cr_assert_not(loads(good, "{\"still\":[1]}"));
    cr_assert_not(loads(good, "{\"still\":[{},{},{},{},{},{},{},{}]}"));
}

Test(clock, the_data_of_a_move_has_what_it_took_and_the_clock_after_it)
{
    begin_running(&byoyomi);
    clock_add(&clock_, 2, S(4));
    cr_assert_str_eq(data_after_move(95),
                     "{\"spent_us\":95000000,\"clock\":{\"moved\":6,"
                     "\"1\":{\"left_us\":5000000,\"periods\":3},"
                     "\"2\":{\"left_us\":104000000,\"periods\":3,\"added_us\":4000000}}}");
}

/* ---- what is shown ---- */

static const char *view(int64_t now_us)
{
    struct json json;

    json_init(&json, &arena);
    clock_view(&json, &clock_, &row, &none, now_us);
    return json.out.text;
}

Test(clock, a_running_clock_is_shown_with_what_is_left_now)
{
    begin_running(&fischer);
    moves_at(40);
    cr_assert_str_eq(view(us(41) - 125000),
                     "{\"kind\":\"fischer\",\"initial_s\":100,\"increment_s\":10,"
                     "\"max_s\":105,\"first_move_s\":60,\"vacation\":true,"
                     "\"left_s\":{\"1\":70,\"2\":99.125},\"running\":2,"
                     "\"deadline_at\":\"2026-05-28T20:29:00.000Z\",\"paused\":null,"
                     "\"now\":\"2026-05-28T20:27:20.875Z\"}");
}

Test(clock, a_clock_that_stands_still_is_shown_with_the_reason)
{
    begin_running(&byoyomi);
    moves_at(40);
    clock_pause(&clock_, 2, us(200), us(50));
    clock_leave(&clock_, 2, 1, us(60), us(300), us(60));
    cr_assert_str_eq(view(us(60)),
                     "{\"kind\":\"byoyomi\",\"initial_s\":100,\"period_s\":10,"
                     "\"periods\":3,\"first_move_s\":60,\"vacation\":true,"
                     "\"left_s\":{\"1\":60,\"2\":90},\"periods_left\":{\"1\":3,\"2\":3},"
                     "\"running\":null,\"deadline_at\":\"2026-05-28T20:32:00.000Z\","
                     "\"paused\":{\"until\":\"2026-05-28T20:30:00.000Z\"},"
                     "\"away\":{\"1\":\"2026-05-28T20:31:40.000Z\"},"
                     "\"now\":\"2026-05-28T20:27:40.000Z\"}");
}

Test(clock, a_pause_and_a_vacation_are_not_shown_any_more_when_they_end)
{
    begin_running(&byoyomi);
    clock_pause(&clock_, 1, us(60), us(50));
    clock_leave(&clock_, 1, 2, us(50), us(60), us(50));
    cr_assert_not_null(strstr(view(us(60) - 1),
                              "\"paused\":{\"until\":\"2026-05-28T20:27:40.000Z\"},"
                              "\"away\":{\"2\":\"2026-05-28T20:27:40.000Z\"}"));
    cr_assert_not_null(strstr(view(us(60)), "\"paused\":null,\"now\""));
    clock_leave(&clock_, 1, 1, us(60), us(70), us(60));
    cr_assert_not_null(strstr(view(us(60)), "\"away\":{\"1\":\"2026-05-28T20:27:50.000Z\"}"));
    cr_assert_not_null(strstr(view(us(70)), "\"paused\":null,\"now\""));
}

Test(clock, a_clock_of_a_game_that_waits_is_shown_without_a_deadline)
{
    const struct clock_terms two_days = {
        .kind = CLOCK_DAYS, .initial_us = 2 * CLOCK_DAY, .first_move_us = 3 * CLOCK_DAY};

    clock_init(&clock_, &two_days);
    row = (struct db_game){.status = STATUS_OPEN, .to_move = 1};
    cr_assert_str_eq(view(us(0)), "{\"kind\":\"days\",\"days\":2,\"first_move_s\":259200,"
                                  "\"vacation\":false,\"left_s\":{\"1\":172800,\"2\":172800},"
                                  "\"running\":null,\"deadline_at\":null,\"paused\":null,"
                                  "\"now\":\"2026-05-28T20:26:40.000Z\"}");
}

Test(clock, a_cap_is_shown_only_if_there_is_one)
{
    struct clock_terms free = fischer;

    free.max_us = CLOCK_SPAN_MAX;
    begin(&free);
    cr_assert_null(strstr(view(us(0)), "max_s"));
    free.max_us--;
    begin(&free);
    cr_assert_not_null(strstr(view(us(0)), "max_s"));
}

static const char *view_played_move(const char *data, int seat)
{
    struct json json;

    json_init(&json, &arena);
    json_open(&json, '{');
    clock_view_move(&json, data, seat);
    json_close(&json, '}');
    return json.out.text;
}

Test(clock, a_move_is_shown_with_what_it_took_and_what_was_left)
{
    begin_running(&fischer);
    moves_at(40);
    cr_assert_str_eq(view_played_move(data_after_move(55), 2), "{\"spent_s\":15,\"left_s\":95}");
    begin_running(&byoyomi);
    cr_assert_str_eq(view_played_move(data_after_move(119), 1),
                     "{\"spent_s\":119,\"left_s\":0,\"periods_left\":2}");
    cr_assert_str_eq(view_played_move("{\"spent_us\":1500000}", 1), "{\"spent_s\":1.5}");
    cr_assert_str_eq(view_played_move("{\"spent_us\":0}", 1), "{\"spent_s\":0}");
    cr_assert_str_eq(view_played_move("{\"comment\":\"\"}", 1), "{}");
    cr_assert_str_eq(view_played_move("no data", 1), "{}");
}
