/*
 * clock_view.c - what is shown of a clock.
 */
#include "api/game/clock.h"

#include <string.h>

static const char *const seats[DB_SEATS] = {"1", "2"};

static void view_terms(struct json *json, const struct clock_terms *terms)
{
    json_member(json, "kind", clock_word(terms->kind));
    if (terms->kind == CLOCK_DAYS)
        json_member_int(json, "days", terms->initial_us / CLOCK_DAY);
    else
        json_member_seconds(json, "initial_s", terms->initial_us);
    if (terms->kind == CLOCK_FISCHER) {
        json_member_seconds(json, "increment_s", terms->increment_us);
        if (terms->max_us < CLOCK_SPAN_MAX)
            json_member_seconds(json, "max_s", terms->max_us);
    }
    if (terms->kind == CLOCK_BYOYOMI) {
        json_member_seconds(json, "period_s", terms->period_us);
        json_member_int(json, "periods", terms->periods);
    }
    json_member_seconds(json, "first_move_s", terms->first_move_us);
    json_member_bool(json, "vacation", terms->vacation);
}

static void view_left(struct json *json, const struct clock *clock, const struct db_game *row,
                      const struct clock_gaps *gaps, int64_t now)
{
    int32_t periods[DB_SEATS];

    json_key(json, "left_s");
    json_open(json, '{');
    for (int i = 0; i < DB_SEATS; i++)
        json_member_seconds(json, seats[i], clock_left(clock, row, i + 1, gaps, now, &periods[i]));
    json_close(json, '}');
    if (clock->terms.kind != CLOCK_BYOYOMI)
        return;
    json_key(json, "periods_left");
    json_open(json, '{');
    for (int i = 0; i < DB_SEATS; i++)
        json_member_int(json, seats[i], periods[i]);
    json_close(json, '}');
}

static void view_paused(struct json *json, const struct clock_state *state, int64_t now)
{
    json_key(json, "paused");
    if (state->paused_until <= now) {
        json_null(json);
        return;
    }
    json_open(json, '{');
    json_member_time(json, "until", state->paused_until);
    json_close(json, '}');
}

/* Nothing, unless somebody is on vacation. */
static void view_away(struct json *json, const struct clock_state *state, int64_t now)
{
    if (state->remote_until[0] <= now && state->remote_until[1] <= now)
        return;
    json_key(json, "away");
    json_open(json, '{');
    for (int i = 0; i < DB_SEATS; i++)
        if (state->remote_until[i] > now)
            json_member_time(json, seats[i], state->remote_until[i]);
    json_close(json, '}');
}

/* The state of one seat in a move's data, as clock_data() has written it. */
static void view_seat_then(struct json *json, struct json_fields *clock, int seat)
{
    struct json_fields inner;
    int64_t left = 0, periods = 0;

    if (!json_take_object(clock, seats[seat - 1], &inner))
        return;
    json_take_int(&inner, "left_us", 0, JSON_TIME_MAX, &left);
    json_member_seconds(json, "left_s", left);
    if (json_take_int(&inner, "periods", 0, CLOCK_PERIODS_MAX, &periods))
        json_member_int(json, "periods_left", periods);
}

void clock_view_move(struct json *json, const char *data, int seat)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *value = json_read(json->out.arena, data, strlen(data), &error);
    struct json_fields fields, clock;
    int64_t spent;

    if (value == NULL)
        return;
    json_fields(&fields, json->out.arena, value, &error);
    if (json_take_int(&fields, "spent_us", 0, JSON_TIME_MAX, &spent))
        json_member_seconds(json, "spent_s", spent);
    if (json_take_object(&fields, "clock", &clock))
        view_seat_then(json, &clock, seat);
    json_free(value);
}

void clock_view(struct json *json, const struct clock *clock, const struct db_game *row,
                const struct clock_gaps *gaps, int64_t now)
{
    int running = clock_running(clock, row, now);
    int64_t deadline = clock_deadline(clock, row, gaps);

    json_open(json, '{');
    view_terms(json, &clock->terms);
    view_left(json, clock, row, gaps, now);
    json_key(json, "running");
    if (running == 0)
        json_null(json);
    else
        json_int(json, running);
    json_key(json, "deadline_at");
    if (deadline == DB_NEVER)
        json_null(json);
    else
        json_time(json, deadline);
    view_paused(json, &clock->state, now);
    view_away(json, &clock->state, now);
    json_member_time(json, "now", now);
    json_close(json, '}');
}
