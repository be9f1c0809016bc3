/* timed.c - games with a clock for tests (timed.h). */
#include "timed.h"
#include "api/text/legal_moves.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/game/words.h"
#include "api/text/options.h"
#include "records.h"

enum { OUTAGES_MAX = 16 };

static void start_clock(struct draft *draft, const char *clock)
{
    const char *body = arena_format(&records_arena, "{\"clock\":%s}", clock);
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *value = json_read(&records_arena, body, strlen(body), &error);
    struct json_fields fields;
    struct clock_terms terms;

    cr_assert_not_null(value);
    json_fields(&fields, &records_arena, value, &error);
    cr_assert(clock_take(&fields, &terms), "%s", error.detail);
    json_free(value);
    draft->row.clock = clock_terms_text(&records_arena, &terms);
    draft->clock = arena_zero(&records_arena, sizeof(*draft->clock));
    clock_init(draft->clock, &terms);
    clock_start(draft->clock, draft->now);
}

/* The usual options and the usual start. */
static struct rules_options usual(const struct draft *draft, struct rules_state *state)
{
    struct rules_options options;
    struct rules_refusal why;

    rules_options_init(&options);
    cr_assert(rules_start(draft->game, &options, NULL, state, &why));
    return options;
}

static void fill_row(struct draft *draft, const struct rules_options *options)
{
    struct db_game *row = &draft->row;
    char text[RULES_POSITION_TEXT];

    draft->game->position_text(&draft->state, text);
    row->variant = draft->game->name;
    row->rules_version = draft->game->version;
    row->start = row->position = arena_copy(&records_arena, text, strlen(text));
    row->options = options_to_json(draft->game, &records_arena, options, row->start);
    row->line = row->lines = 1;
    row->status = STATUS_ACTIVE;
    row->to_move = (int16_t)draft->game->to_move(&draft->state);
    row->created_at = row->updated_at = row->last_at = draft->now;
    row->undo = UNDO_CONSENT;
    row->visibility = VISIBILITY_PUBLIC;
    for (int i = 0; i < DB_SEATS; i++) {
        row->seat[i].state = SEAT_TAKEN;
        row->seat[i].has_token = true;
    }
}

struct draft *timed_new(const char *clock)
{
    struct draft *draft = arena_alloc(&records_arena, sizeof(*draft));
    struct rules_options options;
    struct db_event *event;

    draft_new(draft, &records_arena, rules_find("tictactoe"), TIMED_AT);
    options = usual(draft, &draft->state);
    fill_row(draft, &options);
    draft_push_key(draft, draft->game->key(&draft->state));
    event = draft_event(draft, EVENT_CREATED, 0);
    event->position = draft->row.start;
    event->key = (int64_t)draft->keys[0];
    draft->gaps.gap = arena_zero(&records_arena, OUTAGES_MAX * sizeof(*draft->gaps.gap));
    if (clock != NULL)
        start_clock(draft, clock);
    draft_store(draft);
    return draft;
}

static int64_t moment(double seconds)
{
    return TIMED_AT + llround(seconds * 1e6);
}

void timed_at(struct draft *draft, double seconds)
{
    draft->now = moment(seconds);
}

void timed_play(struct draft *draft, const char *move)
{
    struct rules_refusal why;
    int32_t from;

    draft_credit(draft);
    cr_assert_eq(draft_play(draft, move, &why, &from), DRAFT_PLAYED, "%s", move);
    draft_store(draft);
}

/* The event of the move that led to a ply of the present line. */
static const struct db_event *move_at(const struct draft *draft, int32_t ply)
{
    for (size_t i = draft->nevents; i > 0; i--)
        if (draft->events[i - 1].kind == EVENT_MOVE && draft->events[i - 1].ply == ply)
            return &draft->events[i - 1];
    return NULL;
}

void timed_undo(struct draft *draft, int32_t ply)
{
    struct rules_state start;
    struct rules_options options = usual(draft, &start);
    struct db_event *event;
    struct json voids;

    cr_assert(draft_go_to(draft, &options, ply, move_at(draft, ply)));
    draft->nkeys = (size_t)ply + 1;
    event = draft_event(draft, EVENT_UNDO, 0);
    json_init(&voids, &records_arena);
    offers_end_by_jump(&draft->offers, &voids);
    draft_data(draft, event, voids.out.text);
    draft_store(draft);
}

/* ---- offers ---- */

int32_t timed_offer(struct draft *draft, enum offer_kind kind, int seat, const char *members)
{
    struct db_event *event = draft_event(draft, EVENT_OFFERED, seat);
    struct offer offer = {.id = event->version, .kind = kind, .seat = seat, .at = event->at};
    const char *number = strchr(members, ':');

    draft_data(draft, event, arena_format(&records_arena, "\"kind\":\"%s\"", offers_word(kind)));
    draft_data(draft, event, members);
    if (number != NULL && kind == OFFER_UNDO)
        offer.to_ply = (int32_t)strtol(number + 1, NULL, 10);
    else if (number != NULL)
        offer.span_us = strtoll(number + 1, NULL, 10);
    offers_add(&draft->offers, &offer);
    draft_store(draft);
    return offer.id;
}

int32_t timed_answer(struct draft *draft, int kind, int32_t id)
{
    struct offer offer = *offers_find(&draft->offers, id);
    int seat = kind == EVENT_WITHDRAWN ? offer.seat : 3 - offer.seat;
    bool draw = offer.kind == OFFER_DRAW;
    struct db_event *event;

    offers_remove(&draft->offers, id);
    if (kind == EVENT_ACCEPTED && (draw || offer.kind == OFFER_ABORT))
        event = draft_stop(draft, draw ? STATUS_FINISHED : STATUS_ABORTED, 0,
                           draw ? "agreement" : NULL, kind, seat);
    else
        event = draft_event(draft, kind, seat);
    draft_data(
        draft, event,
        arena_format(&records_arena, "\"offer\":%d,\"kind\":\"%s\"", id, offers_word(offer.kind)));
    draft_store(draft);
    return event->version;
}

/* ---- the clock ---- */

void timed_add(struct draft *draft, int64_t span)
{
    for (int seat = 1; seat <= DB_SEATS && draft->clock != NULL; seat++)
        clock_add(draft->clock, seat, span);
    timed_event(draft, EVENT_TIME_ADDED, 0,
                arena_format(&records_arena, "\"add_us\":%lld", (long long)span));
}

void timed_pause(struct draft *draft, double until)
{
    if (draft->clock != NULL)
        clock_pause(draft->clock, draft->row.to_move, moment(until), draft->now);
    timed_event(draft, EVENT_PAUSED, 0,
                arena_format(&records_arena, "\"until_us\":%lld", (long long)moment(until)));
}

void timed_resume(struct draft *draft)
{
    clock_pause(draft->clock, draft->row.to_move, draft->now, draft->now);
    timed_event(draft, EVENT_RESUMED, 1, "");
}

void timed_leave(struct draft *draft, int seat, double from, double until)
{
    clock_leave(draft->clock, draft->row.to_move, seat, moment(from), moment(until), draft->now);
    timed_event(draft, EVENT_VACATION, seat,
                arena_format(&records_arena, "\"from_us\":%lld,\"until_us\":%lld",
                             (long long)moment(from), (long long)moment(until)));
}

void timed_outage(struct draft *draft, double from, double to)
{
    struct db_span *gaps = arena_alloc(&records_arena, OUTAGES_MAX * sizeof(*gaps));

    memcpy(gaps, draft->gaps.gap, draft->gaps.count * sizeof(*gaps));
    gaps[draft->gaps.count++] = (struct db_span){moment(from), moment(to)};
    draft->gaps.gap = gaps;
}

void timed_credit(struct draft *draft)
{
    draft_credit(draft);
    draft_store(draft);
}

void timed_warn(struct draft *draft)
{
    draft_warn(draft);
    draft_store(draft);
}

void timed_out(struct draft *draft)
{
    int loser = draft->row.to_move;

    draft->now = clock_deadline(draft->clock, &draft->row, &draft->gaps);
    draft_credit(draft);
    if (clock_runs(draft->clock))
        draft_stop(draft, STATUS_FINISHED, 3 - loser, "timeout", EVENT_TIMEOUT, loser);
    else
        draft_data(draft, draft_stop(draft, STATUS_ABORTED, 0, "no_start", EVENT_TIMEOUT, loser),
                   "\"reason\":\"no_start\"");
    draft_store(draft);
}

struct db_event *timed_event(struct draft *draft, int kind, int seat, const char *members)
{
    struct db_event *event = draft_event(draft, kind, seat);

    draft_data(draft, event, members);
    draft_store(draft);
    return event;
}

/* ---- at random ---- */

static const char *random_move(const struct draft *draft, uint64_t *seed)
{
    const char **texts;
    size_t n = legal_moves_texts(&records_arena, draft->game, &draft->state, &texts);

    return texts[rules_choose(seed, n)];
}

/* Seconds since the game began. */
static double clock_now(const struct draft *draft)
{
    return (double)(draft->now - TIMED_AT) / 1e6;
}

static void agree(struct draft *draft, uint64_t *seed, int seat)
{
    int32_t ply = (int32_t)rules_choose(seed, (uint64_t)draft->row.ply + 1);
    double until = clock_now(draft) + 20;

    switch (rules_choose(seed, 3)) {
    case 0:
        timed_answer(draft, EVENT_ACCEPTED,
                     timed_offer(draft, OFFER_TIME, seat, "\"add_us\":7000000"));
        timed_add(draft, 7 * TIMED_SECOND);
        break;
    case 1:
        timed_answer(draft, EVENT_ACCEPTED,
                     timed_offer(draft, OFFER_PAUSE, seat, "\"for_us\":20000000"));
        timed_pause(draft, until);
        break;
    default:
        if (ply == draft->row.ply)
            return;
        timed_answer(draft, EVENT_ACCEPTED,
                     timed_offer(draft, OFFER_UNDO, seat,
                                 arena_format(&records_arena, "\"to_ply\":%d", ply)));
        timed_undo(draft, ply);
    }
}

/* Something happens, at a moment at which the side to move still has time. */
static void happen(struct draft *draft, uint64_t *seed, int64_t *outage)
{
    int seat = 1 + (int)rules_choose(seed, 2);
    double now = clock_now(draft), spent;

    switch (rules_choose(seed, 8)) {
    case 0:
        agree(draft, seed, seat);
        break;
    case 1:
        if (draft->clock->state.paused_until > draft->now)
            timed_resume(draft);
        break;
    case 2:
        spent = (double)rules_choose(seed, 9);
        timed_leave(draft, seat, now - spent, now + (double)rules_choose(seed, 30) - spent / 2);
        break;
    case 3:
        if (*outage < draft->now - 2 * TIMED_SECOND && draft->gaps.count < 8)
            timed_outage(draft, now - 1.5, now - 0.5);
        *outage = draft->now;
        timed_credit(draft);
        break;
    default:
        timed_play(draft, random_move(draft, seed));
    }
}

struct draft *timed_random(uint64_t seed, void (*look)(const struct draft *draft))
{
    static const char *const clocks[] = {
        "{\"kind\":\"days\",\"days\":1,\"vacation\":true}",
        "{\"kind\":\"fischer\",\"initial\":300,\"increment\":10,\"vacation\":true}",
        "{\"kind\":\"fischer\",\"initial\":30,\"increment\":5,\"max\":40,\"vacation\":true}",
        "{\"kind\":\"byoyomi\",\"initial\":20,\"period\":5,\"periods\":9,\"vacation\":true}"};
    struct draft *draft = timed_new(clocks[seed % 4]);
    int64_t outage = 0;

    for (int step = 0; step < 60 && draft->row.status == STATUS_ACTIVE; step++) {
        draft->now += (int64_t)rules_choose(&seed, 12000000);
        if (clock_deadline(draft->clock, &draft->row, &draft->gaps) <= draft->now)
            timed_out(draft);
        else
            happen(draft, &seed, &outage);
        if (look != NULL)
            look(draft);
    }
    return draft;
}
