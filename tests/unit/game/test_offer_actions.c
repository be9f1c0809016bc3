/* test_offer_actions.c - offers in a draft: the events that they make, and what comes of an
 * agreement. */
#include <criterion/criterion.h>
#include <string.h>

#include "api/game/offer_actions.h"
#include "api/game/words.h"

static struct arena arena;
static struct draft draft;

static void begin(void)
{
    struct clock_terms terms = {.kind = CLOCK_DAYS, .initial_us = 3 * CLOCK_DAY};

    draft_new(&draft, &arena, rules_find("tictactoe"), INT64_C(1700000000000000));
    draft.row.status = STATUS_ACTIVE;
    draft.row.to_move = 1;
    draft.row.version = 7;
    draft.clock = arena_alloc(&arena, sizeof(*draft.clock));
    clock_init(draft.clock, &terms);
    clock_start(draft.clock, draft.now);
}

static void forget(void)
{
    arena_free(&arena);
}

TestSuite(offer_actions, .init = begin, .fini = forget);

static int32_t make(enum offer_kind kind, int seat)
{
    return offer_actions_offer(&draft,
                               &(struct offer){.kind = kind, .seat = seat, .span_us = CLOCK_HOUR})
        ->id;
}

/* Event i from the end, the last one being 0, is of this kind, by this seat, with this data. */
static void expect_event(size_t i, int kind, int seat, const char *data)
{
    const struct db_event *event = &draft.events[draft.nevents - 1 - i];

    cr_expect_eq(event->kind, kind, "%s", words_event(event->kind));
    cr_expect_eq(event->seat, seat);
    cr_expect_eq(event->version, draft.row.version - (int32_t)i);
    cr_expect(event->data == data || (data != NULL && strcmp(event->data, data) == 0), "%s",
              event->data);
}

Test(offer_actions, an_offer_has_the_version_and_the_time_of_its_event)
{
    cr_expect_eq(make(OFFER_DRAW, 2), 8);
    expect_event(0, EVENT_OFFERED, 2, "{\"kind\":\"draw\"}");
    cr_expect_eq(offers_of(&draft.offers, OFFER_DRAW, 2)->at, draft.now);
}

Test(offer_actions, another_one_of_the_kind_replaces_it)
{
    make(OFFER_PAUSE, 1);
    cr_expect_eq(make(OFFER_PAUSE, 1), 9);
    expect_event(0, EVENT_OFFERED, 1, "{\"kind\":\"pause\",\"for_us\":3600000000,\"voids\":[8]}");
    cr_expect_eq(draft.offers.count, 1);
}

Test(offer_actions, a_draw_that_is_accepted_is_the_end_and_ends_all_offers)
{
    int32_t id = make(OFFER_DRAW, 1);

    make(OFFER_TIME, 2);
    offer_actions_accept(&draft, id);
    expect_event(0, EVENT_ACCEPTED, 2,
                 "{\"spent_us\":0,\"voids\":[9],\"offer\":8,\"kind\":\"draw\"}");
    cr_expect_eq(draft.row.status, STATUS_FINISHED);
    cr_expect_eq(draft.row.winner, 0);
    cr_expect_str_eq(draft.row.reason, "agreement");
    cr_expect_eq(draft.offers.count, 0);
}

Test(offer_actions, calling_off_aborts_the_game_without_a_reason)
{
    offer_actions_accept(&draft, make(OFFER_ABORT, 2));
    expect_event(0, EVENT_ACCEPTED, 1, "{\"spent_us\":0,\"offer\":8,\"kind\":\"abort\"}");
    cr_expect_eq(draft.row.status, STATUS_ABORTED);
    cr_expect_null(draft.row.reason);
}

Test(offer_actions, time_goes_to_both_sides_by_an_event_of_its_own)
{
    offer_actions_accept(&draft, make(OFFER_TIME, 1));
    expect_event(1, EVENT_ACCEPTED, 2, "{\"offer\":8,\"kind\":\"time\"}");
    expect_event(0, EVENT_TIME_ADDED, 0, "{\"add_us\":3600000000}");
    cr_expect_eq(draft.clock->state.added_us[0], CLOCK_HOUR);
    cr_expect_eq(draft.clock->state.added_us[1], CLOCK_HOUR);
}

Test(offer_actions, a_pause_lasts_until_its_end_or_until_somebody_ends_it)
{
    int64_t until = draft.now + CLOCK_HOUR;

    offer_actions_accept(&draft, make(OFFER_PAUSE, 1));
    expect_event(0, EVENT_PAUSED, 0, arena_format(&arena, "{\"until_us\":%lld}", (long long)until));
    cr_expect_eq(draft.clock->state.paused_until, until);
    draft.now += CLOCK_SECOND;
    offer_actions_resume(&draft, 2);
    expect_event(0, EVENT_RESUMED, 2, NULL);
    cr_expect_eq(draft.clock->state.paused_until, draft.now);
}

Test(offer_actions, an_undo_is_only_accepted_since_the_moves_are_elsewhere)
{
    offer_actions_accept(&draft, make(OFFER_UNDO, 1));
    expect_event(0, EVENT_ACCEPTED, 2, "{\"offer\":8,\"kind\":\"undo\"}");
    cr_expect_eq(draft.row.status, STATUS_ACTIVE);
}

Test(offer_actions, an_offer_is_declined_by_the_other_side_and_withdrawn_by_its_own)
{
    offer_actions_decline(&draft, make(OFFER_DRAW, 1));
    expect_event(0, EVENT_DECLINED, 2, "{\"offer\":8,\"kind\":\"draw\"}");
    offer_actions_withdraw(&draft, make(OFFER_DRAW, 1));
    expect_event(0, EVENT_WITHDRAWN, 1, "{\"offer\":10,\"kind\":\"draw\"}");
    cr_expect_eq(draft.offers.count, 0);
}

/* ---- in the log ---- */

Test(offer_actions, what_an_event_made_is_read_back)
{
    for (int kind = 1; kind <= OFFER_KINDS; kind++) {
        struct offer made = {.kind = (enum offer_kind)kind, .seat = 2}, read;

        if (kind == OFFER_UNDO)
            made.to_ply = 3;
        if (kind == OFFER_TIME || kind == OFFER_PAUSE)
            made.span_us = CLOCK_DAY;
        made = *offer_actions_offer(&draft, &made);
        cr_assert(offer_actions_made(&arena, &draft.events[draft.nevents - 1], &read));
        cr_expect(read.id == made.id && read.kind == made.kind && read.seat == made.seat &&
                      read.at == made.at && read.to_ply == made.to_ply &&
                      read.span_us == made.span_us,
                  "%s", offers_word(made.kind));
    }
}

Test(offer_actions, an_offer_ends_by_the_event_that_names_it_and_by_no_other)
{
    static const struct {
        const char *data;
        int kind;
        bool ends;
    } rows[] = {{"{\"offer\":18,\"kind\":\"draw\"}", EVENT_ACCEPTED, true},
                {"{\"offer\":18,\"kind\":\"draw\"}", EVENT_DECLINED, true},
                {"{\"offer\":18,\"kind\":\"draw\"}", EVENT_WITHDRAWN, true},
                {"{\"offer\":1,\"kind\":\"draw\"}", EVENT_DECLINED, false},
                {"{\"voids\":[18]}", EVENT_MOVE, true},
                {"{\"spent_us\":18,\"voids\":[3,18,20]}", EVENT_MOVE, true},
                {"{\"voids\":[1,8,118,180]}", EVENT_MOVE, false},
                {"{\"offer\":\"draw\"}", EVENT_MOVE, false},
                {"{\"voids\":[20,18]}", EVENT_RESIGNED, true},
                {"{\"voids\":[18],\"offer\":20,\"kind\":\"abort\"}", EVENT_ACCEPTED, true},
                {"{\"kind\":\"draw\",\"voids\":[18]}", EVENT_OFFERED, true},
                {"{\"kind\":\"draw\"}", EVENT_OFFERED, false},
                {NULL, EVENT_MOVE, false}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct db_event event = {
            .version = 21, .kind = (int16_t)rows[i].kind, .seat = 1, .data = rows[i].data};

        cr_expect_eq(offer_actions_ended(&arena, &event, 18), rows[i].ends, "%s", rows[i].data);
    }
}
