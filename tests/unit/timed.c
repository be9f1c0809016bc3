/* timed.c - games with a clock for tests (timed.h). */
#include "timed.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/game/words.h"
#include "api/text/move_text.h"
#include "api/text/options.h"
#include "records.h"

enum { OUTAGES_MAX = 16 };

static void start_clock(struct course *course, const char *clock)
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
    course->row.clock = clock_terms_text(&records_arena, &terms);
    course->clock = arena_zero(&records_arena, sizeof(*course->clock));
    clock_init(course->clock, &terms);
    clock_start(course->clock, course->now);
}

/* The usual options and the usual start. */
static struct rules_options usual(const struct course *course, struct rules_state *state)
{
    struct rules_options options;
    struct rules_refusal why;

    rules_options_init(&options);
    cr_assert(rules_start(course->game, &options, NULL, state, &why));
    return options;
}

static void fill_row(struct course *course, const struct rules_options *options)
{
    struct db_game *row = &course->row;
    char text[RULES_POSITION_TEXT];

    course->game->position_text(&course->state, text);
    row->variant = course->game->name;
    row->rules_version = course->game->version;
    row->start = row->position = arena_copy(&records_arena, text, strlen(text));
    row->options = options_to_json(course->game, &records_arena, options, row->start);
    row->line = row->lines = 1;
    row->status = STATUS_ACTIVE;
    row->to_move = (int16_t)course->game->to_move(&course->state);
    row->created_at = row->updated_at = row->last_at = course->now;
    row->undo = UNDO_CONSENT;
    row->visibility = VISIBILITY_PUBLIC;
    for (int i = 0; i < DB_SEATS; i++) {
        row->seat[i].state = SEAT_TAKEN;
        row->seat[i].has_token = true;
    }
}

struct course *timed_new(const char *clock)
{
    struct course *course = arena_alloc(&records_arena, sizeof(*course));
    struct rules_options options;
    struct db_event *event;

    course_new(course, &records_arena, rules_find("tictactoe"), TIMED_AT);
    options = usual(course, &course->state);
    fill_row(course, &options);
    course_push_key(course, course->game->key(&course->state));
    event = course_event(course, EVENT_CREATED, 0);
    event->position = course->row.start;
    event->key = (int64_t)course->keys[0];
    course->gaps.gap = arena_zero(&records_arena, OUTAGES_MAX * sizeof(*course->gaps.gap));
    if (clock != NULL)
        start_clock(course, clock);
    course_store(course);
    return course;
}

static int64_t moment(double seconds)
{
    return TIMED_AT + llround(seconds * 1e6);
}

void timed_at(struct course *course, double seconds)
{
    course->now = moment(seconds);
}

void timed_play(struct course *course, const char *move)
{
    struct rules_refusal why;
    int32_t from;

    course_credit(course);
    cr_assert_eq(course_play(course, move, &why, &from), COURSE_PLAYED, "%s", move);
    course_store(course);
}

/* The event of the move that led to a ply of the present line. */
static const struct db_event *move_at(const struct course *course, int32_t ply)
{
    for (size_t i = course->nevents; i > 0; i--)
        if (course->events[i - 1].kind == EVENT_MOVE && course->events[i - 1].ply == ply)
            return &course->events[i - 1];
    return NULL;
}

void timed_undo(struct course *course, int32_t ply)
{
    struct rules_state start;
    struct rules_options options = usual(course, &start);
    struct db_event *event;
    struct json voids;

    cr_assert(course_go_to(course, &options, ply, move_at(course, ply)));
    course->nkeys = (size_t)ply + 1;
    event = course_event(course, EVENT_UNDO, 0);
    json_init(&voids, &records_arena);
    offers_end_by_jump(&course->offers, &voids);
    course_data(course, event, voids.out.text);
    course_store(course);
}

/* ---- offers ---- */

int32_t timed_offer(struct course *course, enum offer_kind kind, int seat, const char *members)
{
    struct db_event *event = course_event(course, EVENT_OFFERED, seat);
    struct offer offer = {.id = event->version, .kind = kind, .seat = seat, .at = event->at};
    const char *number = strchr(members, ':');

    course_data(course, event, arena_format(&records_arena, "\"kind\":\"%s\"", offers_word(kind)));
    course_data(course, event, members);
    if (number != NULL && kind == OFFER_UNDO)
        offer.to_ply = (int32_t)strtol(number + 1, NULL, 10);
    else if (number != NULL)
        offer.span_us = strtoll(number + 1, NULL, 10);
    offers_add(&course->offers, &offer);
    course_store(course);
    return offer.id;
}

int32_t timed_answer(struct course *course, int kind, int32_t id)
{
    struct offer offer = *offers_find(&course->offers, id);
    int seat = kind == EVENT_WITHDRAWN ? offer.seat : 3 - offer.seat;
    bool draw = offer.kind == OFFER_DRAW;
    struct db_event *event;

    offers_remove(&course->offers, id);
    if (kind == EVENT_ACCEPTED && (draw || offer.kind == OFFER_ABORT))
        event = course_stop(course, draw ? STATUS_FINISHED : STATUS_ABORTED, 0,
                            draw ? "agreement" : NULL, kind, seat);
    else
        event = course_event(course, kind, seat);
    course_data(
        course, event,
        arena_format(&records_arena, "\"offer\":%d,\"kind\":\"%s\"", id, offers_word(offer.kind)));
    course_store(course);
    return event->version;
}

/* ---- the clock ---- */

void timed_add(struct course *course, int64_t span)
{
    for (int seat = 1; seat <= DB_SEATS && course->clock != NULL; seat++)
        clock_add(course->clock, seat, span);
    timed_event(course, EVENT_TIME_ADDED, 0,
                arena_format(&records_arena, "\"add_us\":%lld", (long long)span));
}

void timed_pause(struct course *course, double until)
{
    if (course->clock != NULL)
        clock_pause(course->clock, course->row.to_move, moment(until), course->now);
    timed_event(course, EVENT_PAUSED, 0,
                arena_format(&records_arena, "\"until_us\":%lld", (long long)moment(until)));
}

void timed_resume(struct course *course)
{
    clock_pause(course->clock, course->row.to_move, course->now, course->now);
    timed_event(course, EVENT_RESUMED, 1, "");
}

void timed_leave(struct course *course, int seat, double from, double until)
{
    clock_leave(course->clock, course->row.to_move, seat, moment(from), moment(until), course->now);
    timed_event(course, EVENT_VACATION, seat,
                arena_format(&records_arena, "\"from_us\":%lld,\"until_us\":%lld",
                             (long long)moment(from), (long long)moment(until)));
}

void timed_outage(struct course *course, double from, double to)
{
    struct db_span *gaps = arena_alloc(&records_arena, OUTAGES_MAX * sizeof(*gaps));

    memcpy(gaps, course->gaps.gap, course->gaps.count * sizeof(*gaps));
    gaps[course->gaps.count++] = (struct db_span){moment(from), moment(to)};
    course->gaps.gap = gaps;
}

void timed_credit(struct course *course)
{
    course_credit(course);
    course_store(course);
}

void timed_warn(struct course *course)
{
    course_warn(course);
    course_store(course);
}

void timed_out(struct course *course)
{
    int loser = course->row.to_move;

    course->now = clock_deadline(course->clock, &course->row, &course->gaps);
    course_credit(course);
    if (clock_runs(course->clock))
        course_stop(course, STATUS_FINISHED, 3 - loser, "timeout", EVENT_TIMEOUT, loser);
    else
        course_data(course,
                    course_stop(course, STATUS_ABORTED, 0, "no_start", EVENT_TIMEOUT, loser),
                    "\"reason\":\"no_start\"");
    course_store(course);
}

struct db_event *timed_event(struct course *course, int kind, int seat, const char *members)
{
    struct db_event *event = course_event(course, kind, seat);

    course_data(course, event, members);
    course_store(course);
    return event;
}

/* ---- at random ---- */

static const char *random_move(const struct course *course, uint64_t *seed)
{
    const char **texts;
    size_t n = move_text_legal(&records_arena, course->game, &course->state, &texts);

    return texts[rules_choose(seed, n)];
}

/* Seconds since the game began. */
static double clock_now(const struct course *course)
{
    return (double)(course->now - TIMED_AT) / 1e6;
}

static void agree(struct course *course, uint64_t *seed, int seat)
{
    int32_t ply = (int32_t)rules_choose(seed, (uint64_t)course->row.ply + 1);
    double until = clock_now(course) + 20;

    switch (rules_choose(seed, 3)) {
    case 0:
        timed_answer(course, EVENT_ACCEPTED,
                     timed_offer(course, OFFER_TIME, seat, "\"add_us\":7000000"));
        timed_add(course, 7 * TIMED_SECOND);
        break;
    case 1:
        timed_answer(course, EVENT_ACCEPTED,
                     timed_offer(course, OFFER_PAUSE, seat, "\"for_us\":20000000"));
        timed_pause(course, until);
        break;
    default:
        if (ply == course->row.ply)
            return;
        timed_answer(course, EVENT_ACCEPTED,
                     timed_offer(course, OFFER_UNDO, seat,
                                 arena_format(&records_arena, "\"to_ply\":%d", ply)));
        timed_undo(course, ply);
    }
}

/* Something happens, at a moment at which the side to move still has time. */
static void happen(struct course *course, uint64_t *seed, int64_t *outage)
{
    int seat = 1 + (int)rules_choose(seed, 2);
    double now = clock_now(course), spent;

    switch (rules_choose(seed, 8)) {
    case 0:
        agree(course, seed, seat);
        break;
    case 1:
        if (course->clock->state.paused_until > course->now)
            timed_resume(course);
        break;
    case 2:
        spent = (double)rules_choose(seed, 9);
        timed_leave(course, seat, now - spent, now + (double)rules_choose(seed, 30) - spent / 2);
        break;
    case 3:
        if (*outage < course->now - 2 * TIMED_SECOND && course->gaps.count < 8)
            timed_outage(course, now - 1.5, now - 0.5);
        *outage = course->now;
        timed_credit(course);
        break;
    default:
        timed_play(course, random_move(course, seed));
    }
}

struct course *timed_random(uint64_t seed, void (*look)(const struct course *course))
{
    static const char *const clocks[] = {
        "{\"kind\":\"days\",\"days\":1,\"vacation\":true}",
        "{\"kind\":\"fischer\",\"initial\":300,\"increment\":10,\"vacation\":true}",
        "{\"kind\":\"fischer\",\"initial\":30,\"increment\":5,\"max\":40,\"vacation\":true}",
        "{\"kind\":\"byoyomi\",\"initial\":20,\"period\":5,\"periods\":9,\"vacation\":true}"};
    struct course *course = timed_new(clocks[seed % 4]);
    int64_t outage = 0;

    for (int step = 0; step < 60 && course->row.status == STATUS_ACTIVE; step++) {
        course->now += (int64_t)rules_choose(&seed, 12000000);
        if (clock_deadline(course->clock, &course->row, &course->gaps) <= course->now)
            timed_out(course);
        else
            happen(course, &seed, &outage);
        if (look != NULL)
            look(course);
    }
    return course;
}
