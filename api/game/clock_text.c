/*
 * clock_text.c - a clock as it is stored.
 */
#include <string.h>

#include "api/game/clock.h"
#include "api/game/words.h"

/* Of a member that has any value; whole numbers in JSON are exact up to it. */
#define NUMBER_MAX INT64_C(9007199254740992)

static const char *const seats[DB_SEATS] = {"1", "2"};

static const char *const kinds[] = {NULL, "days", "fischer", "byoyomi"};

const char *clock_word(enum clock_kind kind)
{
    return kinds[kind];
}

enum clock_kind clock_kind(const char *word)
{
    for (int i = CLOCK_DAYS; i <= CLOCK_BYOYOMI; i++)
        if (strcmp(kinds[i], word) == 0)
            return (enum clock_kind)i;
    return 0;
}

/* ---- out: members that are 0 are left out ---- */

static void put_clock_number(struct json *json, const char *key, int64_t number)
{
    if (number != 0)
        json_member_int(json, key, number);
}

static void put_span(struct json *json, const char *from_key, const char *to_key,
                     struct db_span span)
{
    put_clock_number(json, from_key, span.from);
    put_clock_number(json, to_key, span.to);
}

const char *clock_terms_text(struct arena *arena, const struct clock_terms *terms)
{
    struct json json;

    json_init(&json, arena);
    json_open(&json, '{');
    json_member(&json, "kind", clock_word(terms->kind));
    put_clock_number(&json, "initial", terms->initial_us);
    put_clock_number(&json, "increment", terms->increment_us);
    put_clock_number(&json, "max", terms->max_us);
    put_clock_number(&json, "period", terms->period_us);
    put_clock_number(&json, "periods", terms->periods);
    put_clock_number(&json, "first_move", terms->first_move_us);
    json_member_bool(&json, "vacation", terms->vacation);
    json_close(&json, '}');
    return json.out.text;
}

/* What an undo restores of a seat. */
static void put_seat(struct json *json, const struct clock_state *state, int i)
{
    put_clock_number(json, "left_us", state->left_us[i]);
    put_clock_number(json, "periods", state->periods[i]);
    put_clock_number(json, "added_us", state->added_us[i]);
}

static void put_stills(struct json *json, const struct clock_state *state)
{
    if (state->stills == 0)
        return;
    json_key(json, "still");
    json_open(json, '[');
    for (size_t i = 0; i < state->stills; i++) {
        json_open(json, '{');
        put_span(json, "from", "to", state->still[i]);
        json_close(json, '}');
    }
    json_close(json, ']');
}

const char *clock_state_text(struct arena *arena, const struct clock_state *state)
{
    struct json json;

    json_init(&json, arena);
    json_open(&json, '{');
    put_clock_number(&json, "moved", state->moved);
    put_clock_number(&json, "since", state->since);
    put_clock_number(&json, "used", state->used_us);
    put_clock_number(&json, "warned", state->warned);
    put_span(&json, "paused_from", "paused_until",
             (struct db_span){state->paused_from, state->paused_until});
    put_stills(&json, state);
    put_clock_number(&json, "due", state->due_at);
    for (int i = 0; i < DB_SEATS; i++) {
        json_key(&json, seats[i]);
        json_open(&json, '{');
        put_seat(&json, state, i);
        put_span(&json, "away_from", "away_until",
                 (struct db_span){state->remote_from[i], state->remote_until[i]});
        json_close(&json, '}');
    }
    json_close(&json, '}');
    return json.out.text;
}

void clock_data(struct json *json, const struct clock *clock, int64_t spent_us)
{
    json_member_int(json, "spent_us", spent_us);
    json_key(json, "clock");
    json_open(json, '{');
    put_clock_number(json, "moved", clock->state.moved);
    for (int i = 0; i < DB_SEATS; i++) {
        json_key(json, seats[i]);
        json_open(json, '{');
        put_seat(json, &clock->state, i);
        json_close(json, '}');
    }
    json_close(json, '}');
}

/* ---- in ---- */

static int64_t get(struct json_fields *fields, const char *key, int64_t max)
{
    int64_t number = 0;

    json_take_int(fields, key, 0, max, &number);
    return number;
}

static void get_seat(struct json_fields *fields, struct clock_state *state, int i)
{
    state->left_us[i] = get(fields, "left_us", NUMBER_MAX);
    state->periods[i] = (int32_t)get(fields, "periods", CLOCK_PERIODS_MAX);
    state->added_us[i] = get(fields, "added_us", NUMBER_MAX);
}

static void get_stills(struct json_fields *fields, struct clock_state *state)
{
    const struct json_value *array;
    struct json_fields inner;
    size_t count;

    if (!json_take_array(fields, "still", CLOCK_STILLS - 1, &array, &count))
        return;
    for (size_t i = 0; i < count; i++)
        if (json_element_object(fields, array, "still", i, &inner)) {
            state->still[state->stills].from = get(&inner, "from", NUMBER_MAX);
            state->still[state->stills++].to = get(&inner, "to", NUMBER_MAX);
            json_ok(&inner);
        }
}

static void get_state(struct json_fields *fields, struct clock_state *state)
{
    struct json_fields inner;

    state->moved = (unsigned)get(fields, "moved", SEATS_BOTH);
    state->since = get(fields, "since", NUMBER_MAX);
    state->used_us = get(fields, "used", NUMBER_MAX);
    state->warned = get(fields, "warned", 1) != 0;
    state->paused_from = get(fields, "paused_from", NUMBER_MAX);
    state->paused_until = get(fields, "paused_until", NUMBER_MAX);
    get_stills(fields, state);
    state->due_at = get(fields, "due", NUMBER_MAX);
    for (int i = 0; i < DB_SEATS; i++)
        if (json_take_object(fields, seats[i], &inner)) {
            get_seat(&inner, state, i);
            state->remote_from[i] = get(&inner, "away_from", NUMBER_MAX);
            state->remote_until[i] = get(&inner, "away_until", NUMBER_MAX);
            json_ok(&inner);
        }
}

static void get_terms(struct json_fields *fields, struct clock_terms *terms)
{
    const char *word = "";

    json_take_string(fields, "kind", 16, &word);
    terms->kind = clock_kind(word);
    terms->initial_us = get(fields, "initial", CLOCK_SPAN_MAX);
    terms->increment_us = get(fields, "increment", CLOCK_SPAN_MAX);
    terms->max_us = get(fields, "max", CLOCK_SPAN_MAX);
    terms->period_us = get(fields, "period", CLOCK_SPAN_MAX);
    terms->periods = (int32_t)get(fields, "periods", CLOCK_PERIODS_MAX);
    terms->first_move_us = get(fields, "first_move", CLOCK_SPAN_MAX);
    json_take_bool(fields, "vacation", &terms->vacation);
}

/* Reads a text that is stored and begins to take its members. NULL: there is none. */
static struct json_value *open_stored(struct arena *arena, const char *text,
                                      struct json_fields *fields, struct json_error *error)
{
    struct json_value *value = text == NULL ? NULL : json_read(arena, text, strlen(text), error);

    if (value != NULL)
        json_fields(fields, arena, value, error);
    return value;
}

/* A member that is not known is a newer program's. It must not be lost when the clock is stored
 * again, nor be overlooked. */
static bool load_terms(struct arena *arena, const char *text, struct clock_terms *terms)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *value = open_stored(arena, text, &fields, &error);
    bool ok = value != NULL;

    if (ok) {
        get_terms(&fields, terms);
        ok = json_ok(&fields);
    }
    json_free(value);
    return ok && terms->kind != 0 && (terms->kind != CLOCK_BYOYOMI || terms->period_us > 0);
}

static bool load_state(struct arena *arena, const char *text, struct clock_state *state)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *value = open_stored(arena, text, &fields, &error);
    bool ok = value != NULL;

    if (ok) {
        get_state(&fields, state);
        ok = json_ok(&fields);
    }
    json_free(value);
    return ok;
}

bool clock_load(struct arena *arena, const struct db_game *row, struct clock *clock)
{
    *clock = (struct clock){.terms = {.kind = 0}};
    clock_know(clock, row);
    return load_terms(arena, row->clock, &clock->terms) &&
           load_state(arena, row->timing, &clock->state);
}

void clock_store(struct arena *arena, const struct clock *clock, struct db_game *row)
{
    static const struct clock_gaps none = {NULL, 0};

    row->timing = clock_state_text(arena, &clock->state);
    row->deadline_at = clock_deadline(clock, row, &none);
}

bool clock_data_read(struct arena *arena, const char *data, struct clock_state *then)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct clock_state state = {.moved = 0};
    struct json_fields fields, inner;
    struct json_value *value = open_stored(arena, data, &fields, &error);
    bool found = value != NULL && json_take_object(&fields, "clock", &inner);

    if (found)
        get_state(&inner, &state);
    found = found && error.code == PROBLEM_NONE;
    if (found)
        *then = state;
    json_free(value);
    return found;
}

void clock_go_to(struct clock *clock, struct arena *arena, const char *data, int64_t now)
{
    struct clock_state *state = &clock->state;
    struct clock then;

    clock_init(&then, &clock->terms);
    clock_data_read(arena, data, &then.state);
    for (int i = 0; i < DB_SEATS; i++) {
        state->left_us[i] = then.state.left_us[i] + state->added_us[i] - then.state.added_us[i];
        state->periods[i] = then.state.periods[i];
    }
    state->moved = then.state.moved;
    clock_start(clock, now);
}
