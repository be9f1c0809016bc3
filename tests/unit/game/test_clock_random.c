/*
 * test_clock_random.c - clocks in random games, held against a second implementation that ticks
 * (timekeeper.h).
 */
#include <criterion/criterion.h>
#include <string.h>

#include "api/game/clock.h"
#include "api/game/words.h"
#include "tests/support/long.h"
#include "tests/unit/timekeeper.h"

enum { STEPS = 13, OUTAGES = 24, LAST_TICK = 2000 };

/* In one history of so many somebody thinks for long, and so much happens that the first part of
 * the turn is settled. */
enum { PATIENT = 40, PATIENT_STEPS = 60, PATIENT_BANK = 500 };

/* A game as it goes on, told to the clock and to the timekeeper. A tick is `scale` microseconds. */
struct story {
    uint64_t number, random;
    bool patient;
    int step;
    const char *deed;
    struct arena arena;
    struct clock clock;
    struct db_game row;
    struct timekeeper keeper;
    int64_t scale;
    int now; /* in ticks */
    int first_seat, ply, tip;
    const char *data[KEEPER_PLIES];
    struct db_span outages[OUTAGES]; /* in microseconds */
    int from[OUTAGES], to[OUTAGES];
    size_t noutages;
};

static const struct clock_gaps none = {NULL, 0};

/* splitmix64 */
static uint64_t draw(struct story *story)
{
    uint64_t z = story->random += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static int upto(struct story *story, int most)
{
    return (int)(draw(story) % ((uint64_t)most + 1));
}

static bool once_in(struct story *story, int n)
{
    return draw(story) % (uint64_t)n == 0;
}

/* ---- ticks and microseconds ---- */

static int64_t at_tick(const struct story *story, int tick)
{
    return INT64_C(1780000000000000) + tick * story->scale;
}

static struct clock_gaps gaps_of(const struct story *story)
{
    return (struct clock_gaps){story->outages, story->noutages};
}

/* ---- what must be equal ---- */

static void same(const struct story *story, const char *what, int64_t is, int64_t expected)
{
    if (is != expected)
        cr_assert_fail("history %llu, step %d (%s), a tick is %lld us, now is %lld: %s is %lld and "
                       "not %lld\n%s",
                       (unsigned long long)story->number, story->step, story->deed,
                       (long long)story->scale, (long long)at_tick(story, story->now), what,
                       (long long)is, (long long)expected,
                       clock_state_text(&((struct story *)story)->arena, &story->clock.state));
}

static void compare_deadline(struct story *story)
{
    struct clock_gaps gaps = gaps_of(story);
    int expected = keeper_deadline(&story->keeper);

    same(story, "the deadline", clock_deadline(&story->clock, &story->row, &gaps),
         expected < 0 ? DB_NEVER : at_tick(story, expected));
}

static void compare_left(struct story *story, int tick)
{
    struct clock_gaps gaps = gaps_of(story);

    for (int seat = 1; seat <= DB_SEATS; seat++) {
        int expected_periods, expected = keeper_left(&story->keeper, seat, tick, &expected_periods);
        int32_t periods;

        same(story, "what is left",
             clock_left(&story->clock, &story->row, seat, &gaps, at_tick(story, tick), &periods),
             expected * story->scale);
        same(story, "the number of periods", periods, expected_periods);
    }
}

static void compare_running(struct story *story)
{
    bool expected = keeper_running(&story->keeper, story->row.to_move, story->now);

    same(story, "the running seat",
         clock_running(&story->clock, &story->row, at_tick(story, story->now)),
         expected ? story->row.to_move : 0);
}

/* Up to where the present turn is settled: what lies before is not asked any more. 0: nothing is.
 */
static int settled_to(const struct story *story)
{
    int since = (int)((story->clock.state.since - at_tick(story, 0)) / story->scale);

    return since > story->keeper.began ? since : 0;
}

static void compare(struct story *story)
{
    int moment = story->keeper.began - 2 + upto(story, 60);

    compare_deadline(story);
    compare_running(story);
    compare_left(story, story->now);
    if (moment >= settled_to(story))
        compare_left(story, moment);
}

/* ---- what happens ---- */

/* Whoever writes credits the outages first. */
static void credit(struct story *story, int now)
{
    struct clock_gaps gaps = gaps_of(story);
    struct db_span owed = {0, 0};
    int expected = 0, first = 0, last = 0;

    for (size_t i = 0; i < story->noutages; i++) {
        int part = keeper_owed(&story->keeper, story->from[i], story->to[i], now);

        if (part > 0 && expected == 0)
            first = story->from[i] > story->keeper.began ? story->from[i] : story->keeper.began;
        if (part > 0)
            last = story->to[i] < now ? story->to[i] : now;
        expected += part;
    }
    same(story, "what is owed",
         clock_owed(&story->clock, &story->row, &gaps, at_tick(story, now), &owed),
         expected * story->scale);
    if (expected == 0)
        return;
    same(story, "the start of what is owed", owed.from, at_tick(story, first));
    same(story, "the end of what is owed", owed.to, at_tick(story, last));
    clock_credit(&story->clock, story->row.to_move, &gaps, at_tick(story, now));
    for (size_t i = 0; i < story->noutages; i++)
        keeper_credit(&story->keeper, story->from[i], story->to[i], now);
    same(story, "what is owed after the credit",
         clock_owed(&story->clock, &story->row, &gaps, at_tick(story, now), &owed), 0);
}

static void set_to_move(struct story *story)
{
    story->row.to_move = (int16_t)(1 + (story->first_seat + story->ply) % 2);
}

static void store_move(struct story *story, int64_t spent)
{
    struct json json;

    json_init(&json, &story->arena);
    json_open(&json, '{');
    clock_data(&json, &story->clock, spent);
    json_close(&json, '}');
    story->data[story->ply] = json.out.text;
}

static void do_move(struct story *story)
{
    int now = story->now;
    int64_t spent;

    if (story->ply + 1 == KEEPER_PLIES)
        return;
    if (now == story->keeper.began && once_in(story, 3)) /* the clock of another machine */
        now = story->keeper.began - 1;
    story->tip = ++story->ply;
    spent = clock_move(&story->clock, story->row.to_move, at_tick(story, now));
    same(story, "what a move took", spent,
         keeper_move(&story->keeper, story->ply, now) * story->scale);
    store_move(story, spent);
    set_to_move(story);
}

static void do_pause(struct story *story)
{
    int until = story->now + (once_in(story, 2) ? 0 : upto(story, 30));

    clock_pause(&story->clock, story->row.to_move, at_tick(story, until),
                at_tick(story, story->now));
    keeper_pause(&story->keeper, until, story->now);
}

/* A vacation that began, or ended, a while ago. */
static void do_leave(struct story *story)
{
    int seat = 1 + upto(story, 1), from = story->now - upto(story, 20);
    int until = story->now + upto(story, 40) - 10;

    if (once_in(story, 2))
        from = story->keeper.remote_from[seat];
    /* Vacations come in their order, and what is settled stays. */
    if (from < story->keeper.remote_from[seat])
        from = story->keeper.remote_from[seat];
    if (from < settled_to(story))
        from = settled_to(story);
    if (from > story->now)
        from = story->now;
    if (until < from)
        until = story->now;
    clock_leave(&story->clock, story->row.to_move, seat, at_tick(story, from),
                at_tick(story, until), at_tick(story, story->now));
    keeper_leave(&story->keeper, seat, from, until);
}

static void do_add(struct story *story)
{
    int seat = 1 + upto(story, 1), span = upto(story, 15);

    same(story, "what was added", clock_add(&story->clock, seat, span * story->scale),
         span * story->scale);
    keeper_add(&story->keeper, seat, span);
}

/* An undo, a redo; or the end of the game is undone. */
static void do_go_to(struct story *story)
{
    story->ply = upto(story, story->tip);
    story->row.status = STATUS_ACTIVE;
    set_to_move(story);
    clock_go_to(&story->clock, &story->arena, story->data[story->ply], at_tick(story, story->now));
    keeper_go_to(&story->keeper, story->ply, story->row.to_move, story->now);
}

static void end_game(struct story *story, int now)
{
    clock_stop(&story->clock, story->row.to_move, at_tick(story, now));
    keeper_stop(&story->keeper, now);
    story->row.status = STATUS_FINISHED;
}

static void do_resign(struct story *story)
{
    end_game(story, story->now);
}

static void do_nothing(struct story *story)
{
    (void)story;
}

/* What is stored is read back. */
static void do_load(struct story *story)
{
    struct clock loaded;
    const char *stored;

    story->row.clock = clock_terms_text(&story->arena, &story->clock.terms);
    clock_store(&story->arena, &story->clock, &story->row);
    stored = story->row.timing;
    same(story, "whether it can be read", clock_load(&story->arena, &story->row, &loaded), true);
    same(story, "the stored deadline", story->row.deadline_at,
         clock_deadline(&story->clock, &story->row, &none));
    story->clock = loaded;
    same(story, "whether the text is the same",
         strcmp(stored, clock_state_text(&story->arena, &loaded.state)), 0);
}

static const struct deed {
    const char *name;
    void (*of)(struct story *story);
    bool after_end, in_a_long_turn;
} deeds[] = {{"move", do_move, false, false},     {"move", do_move, false, false},
             {"move", do_move, false, false},     {"move", do_move, false, false},
             {"move", do_move, false, false},     {"undo", do_go_to, true, false},
             {"resign", do_resign, false, false}, {"pause", do_pause, false, true},
             {"leave", do_leave, true, true},     {"leave", do_leave, true, true},
             {"add", do_add, false, true},        {"wait", do_nothing, true, true},
             {"wait", do_nothing, true, true},    {"load", do_load, true, true}};

enum { DEEDS = sizeof(deeds) / sizeof(deeds[0]) };

/* ---- a history ---- */

static void draw_terms(struct story *story, struct keeper_terms *terms)
{
    *terms = (struct keeper_terms){.kind = (enum keeper_kind)upto(story, KEEPER_BYOYOMI),
                                   .initial = 1 + upto(story, 40),
                                   .first_move = 5 + upto(story, 40),
                                   .vacation = !once_in(story, 4)};
    if (story->patient)
        terms->initial = PATIENT_BANK;
    if (terms->kind == KEEPER_FISCHER) {
        terms->increment = upto(story, 15);
        terms->max = terms->initial + upto(story, 10);
    }
    if (terms->kind == KEEPER_BYOYOMI) {
        terms->initial = story->patient ? PATIENT_BANK : upto(story, 20);
        terms->period = 1 + upto(story, 10);
        terms->periods = 1 + upto(story, 3);
    }
}

static void begin_clock(struct story *story)
{
    static const enum clock_kind kinds[] = {CLOCK_DAYS, CLOCK_FISCHER, CLOCK_BYOYOMI};
    struct keeper_terms ticks;
    struct clock_terms terms;

    draw_terms(story, &ticks);
    terms = (struct clock_terms){.kind = kinds[ticks.kind],
                                 .initial_us = ticks.initial * story->scale,
                                 .increment_us = ticks.increment * story->scale,
                                 .max_us = ticks.max * story->scale,
                                 .period_us = ticks.period * story->scale,
                                 .periods = ticks.periods,
                                 .first_move_us = ticks.first_move * story->scale,
                                 .vacation = ticks.vacation};
    clock_init(&story->clock, &terms);
    keeper_init(&story->keeper, &ticks);
}

static void begin_story(struct story *story, uint64_t number)
{
    static const int64_t scales[] = {1, 7, 1000000, 3600000000, 86400000000};

    story->number = story->random = number;
    story->patient = number % PATIENT == 0;
    story->scale = scales[upto(story, 4)];
    story->now = 50; /* vacations may have begun before the game */
    story->step = 0;
    story->deed = "start";
    story->ply = story->tip = 0;
    story->noutages = 0;
    story->data[0] = NULL;
    story->first_seat = upto(story, 1);
    story->row = (struct db_game){.status = STATUS_OPEN};
    set_to_move(story);
    begin_clock(story);
    compare_deadline(story);
    story->now += upto(story, 10);
    story->row.status = STATUS_ACTIVE;
    clock_start(&story->clock, at_tick(story, story->now));
    keeper_begin(&story->keeper, story->row.to_move, story->now);
}

static void pass_outage(struct story *story)
{
    size_t i = story->noutages;

    if (i == OUTAGES)
        return;
    story->noutages++;
    story->from[i] = story->now + upto(story, 5);
    story->to[i] = story->from[i] + 1 + upto(story, 20);
    story->outages[i] =
        (struct db_span){at_tick(story, story->from[i]), at_tick(story, story->to[i])};
    keeper_outage(&story->keeper, story->from[i], story->to[i]);
    story->now = story->to[i] + 1;
}

/* Whoever comes first after a deadline settles it, as of the deadline. */
static void settle(struct story *story)
{
    struct clock_gaps gaps = gaps_of(story);
    int deadline = keeper_deadline(&story->keeper);
    bool over = deadline >= 0 && deadline <= story->now;

    same(story, "whether time is over",
         clock_deadline(&story->clock, &story->row, &gaps) <= at_tick(story, story->now), over);
    if (!over)
        return;
    credit(story, deadline);
    compare_deadline(story);
    end_game(story, deadline);
}

static const struct deed *draw_deed(struct story *story)
{
    bool long_turn = story->patient && clock_runs(&story->clock) && !once_in(story, 20);
    const struct deed *deed;

    do
        deed = &deeds[upto(story, DEEDS - 1)];
    while (long_turn && !deed->in_a_long_turn);
    return deed;
}

static void take_step(struct story *story)
{
    const struct deed *deed = draw_deed(story);

    story->deed = deed->name;
    story->now += upto(story, 8);
    if (once_in(story, 5))
        pass_outage(story);
    compare(story);
    settle(story);
    if (story->row.status != STATUS_ACTIVE && !deed->after_end)
        return;
    if (story->row.status == STATUS_ACTIVE)
        credit(story, story->now);
    deed->of(story);
    compare(story);
}

static void tell(struct story *story, uint64_t number)
{
    int steps = number % PATIENT == 0 ? PATIENT_STEPS : STEPS;

    begin_story(story, number);
    for (; story->step < steps && story->now < LAST_TICK; story->step++)
        take_step(story);
    arena_reset(&story->arena);
}

/* ---- tests ---- */

Test(clock_random, every_deadline_and_every_remaining_time_is_that_of_a_clock_that_ticks)
{
    static struct story story;

    for (uint64_t number = 1; number <= long_or_short(100000, 25000); number++)
        tell(&story, number);
    arena_free(&story.arena);
}
