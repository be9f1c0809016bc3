#include "api/tool/check_clock.h"

#include <string.h>

#include "api/game/clock.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/text/json_fields.h"

/* Later than any time, and far from where numbers end. */
#define NO_END (INT64_MAX / 4)

/* What both sides have left. Of a seat: index seat - 1. */
struct left {
    int64_t bank[DB_SEATS];
    int64_t periods[DB_SEATS];
    int64_t added[DB_SEATS];
    unsigned moved; /* the seats that have moved (seat_bit()) */
};

/* A turn: since when it lasts, and when the clock stood still. */
struct turn {
    int64_t since;
    struct db_span *still; /* by their beginnings */
    size_t stills, size;
    int64_t given; /* credited for outages of which it is not known when they were */
    bool warned;
    struct db_span pause, away[DB_SEATS];
};

struct check_clock {
    struct arena *arena;
    struct mismatch *mismatch;
    const struct db_game *row;
    struct clock_terms terms;
    struct clock_state stored;
    unsigned thinkers; /* the seats of computer opponents that think */
    int32_t begins;    /* the version from which on the clock is there */
    bool waits;        /* a seat is open, so the clock has not begun to run */
    bool over;
    int to_move;
    struct left now;
    struct left *at; /* of the present line, by ply */
    struct turn turn;
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- a turn ---- */

static void begin_checked_clock_turn(struct check_clock *clock, int64_t now)
{
    clock->turn.since = now;
    clock->turn.stills = 0;
    clock->turn.given = 0;
    clock->turn.warned = false;
}

static void put_checked_span(struct db_span *spans, size_t *count, struct db_span span)
{
    size_t i = (*count)++;

    for (; i > 0 && spans[i - 1].from > span.from; i--)
        spans[i] = spans[i - 1];
    spans[i] = span;
}

static void add_still(struct check_clock *clock, struct db_span span)
{
    struct turn *turn = &clock->turn;

    if (turn->stills == turn->size) {
        struct db_span *larger;

        turn->size = 2 * turn->size + 8;
        larger = arena_alloc(clock->arena, turn->size * sizeof(*larger));
        if (turn->stills > 0)
            memcpy(larger, turn->still, turn->stills * sizeof(*larger));
        turn->still = larger;
    }
    put_checked_span(turn->still, &turn->stills, span);
}

/* Lets the clock run from the beginning of the turn until a time, or until it has run for *rest.
 * Returns when it stopped; *rest is what is left then. */
static int64_t run_checked_clock(const struct check_clock *clock, int seat, int64_t until,
                                 int64_t *rest)
{
    const struct turn *turn = &clock->turn;
    size_t count = turn->stills;
    struct db_span *still = arena_alloc(clock->arena, (count + 2) * sizeof(*still));
    int64_t at = turn->since;

    if (count > 0)
        memcpy(still, turn->still, count * sizeof(*still));
    put_checked_span(still, &count, turn->pause);
    put_checked_span(still, &count, turn->away[seat - 1]);
    for (size_t i = 0; i <= count; i++) {
        int64_t stop = least(i < count ? most(still[i].from, at) : NO_END, until);

        if (stop - at >= *rest) {
            at += *rest;
            *rest = 0;
            return at;
        }
        *rest -= most(stop - at, 0);
        if (stop == until)
            return until;
        at = most(stop, still[i].to);
    }
    return at;
}

/* What the side to move was charged in its turn by now. */
static int64_t charged(const struct check_clock *clock, int seat, int64_t now)
{
    int64_t rest = NO_END;

    run_checked_clock(clock, seat, now, &rest);
    return NO_END - rest - clock->turn.given;
}

static bool runs(const struct check_clock *clock)
{
    return clock->now.moved == SEATS_BOTH;
}

static int64_t budget(const struct check_clock *clock, int seat)
{
    int64_t periods = clock->terms.kind == CLOCK_BYOYOMI ? clock->now.periods[seat - 1] : 0;

    return runs(clock) ? clock->now.bank[seat - 1] + periods * clock->terms.period_us
                       : clock->terms.first_move_us;
}

static int64_t deadline(const struct check_clock *clock, int seat)
{
    int64_t rest = budget(clock, seat) + clock->turn.given;

    return run_checked_clock(clock, seat, NO_END, &rest);
}

/* ---- what is left ---- */

static struct left full(const struct clock_terms *terms)
{
    struct left left = {.moved = 0};

    for (int i = 0; i < DB_SEATS; i++) {
        left.bank[i] = terms->initial_us;
        left.periods[i] = terms->periods;
    }
    return left;
}

/* The bank pays first, then whole periods that are used up. */
static void pay(struct check_clock *clock, int seat, int64_t spent)
{
    int64_t *bank = &clock->now.bank[seat - 1], *periods = &clock->now.periods[seat - 1];
    int64_t from_bank = least(*bank, spent);

    *bank -= from_bank;
    if (clock->terms.kind == CLOCK_BYOYOMI)
        *periods = most(*periods - (spent - from_bank) / clock->terms.period_us, 0);
}

static void reward(struct check_clock *clock, int seat)
{
    int64_t *bank = &clock->now.bank[seat - 1];

    if (clock->terms.kind == CLOCK_DAYS)
        *bank = clock->terms.initial_us;
    if (clock->terms.kind == CLOCK_FISCHER && *bank < clock->terms.max_us)
        *bank = least(*bank + clock->terms.increment_us, clock->terms.max_us);
}

/* ---- comparing ---- */

static bool same(struct check_clock *clock, const struct db_event *event, const char *subject,
                 int64_t stored, int64_t found)
{
    return mismatch_number(clock->mismatch, event, subject, stored, found);
}

static bool same_left(struct check_clock *clock, const struct db_event *event,
                      const struct left *stored)
{
    for (int i = 0; i < DB_SEATS; i++)
        if (!same(clock, event, i == 0 ? "time left of seat 1" : "time left of seat 2",
                  stored->bank[i], clock->now.bank[i]) ||
            !same(clock, event, i == 0 ? "periods of seat 1" : "periods of seat 2",
                  stored->periods[i], clock->now.periods[i]) ||
            !same(clock, event,
                  i == 0 ? "time that was added to seat 1" : "time that was added to seat 2",
                  stored->added[i], clock->now.added[i]))
            return false;
    return same(clock, event, "seats that have moved", stored->moved, clock->now.moved);
}

/* ---- moves ---- */

static void take_checked_clock_seat(struct json_fields *fields, const char *key, struct left *left,
                                    int i)
{
    struct json_fields seat;

    if (!json_take_object(fields, key, &seat))
        return;
    json_take_int(&seat, "left_us", 0, JSON_TIME_MAX, &left->bank[i]);
    json_take_int(&seat, "periods", 0, CLOCK_PERIODS_MAX, &left->periods[i]);
    json_take_int(&seat, "added_us", 0, CLOCK_SPAN_MAX, &left->added[i]);
}

/* What the data of a move or an end tells: what was spent (-1: nothing), and the clock after it.
 * False: it tells no clock. */
static bool read_told(struct arena *arena, const struct db_event *event, int64_t *spent,
                      struct left *left)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields, inner;
    struct json_value *data = NULL;
    int64_t moved = 0;
    bool told = false;

    *left = (struct left){.moved = 0};
    *spent = -1;
    if (event->data != NULL)
        data = json_read(arena, event->data, strlen(event->data), &error);
    if (data == NULL)
        return false;
    json_fields(&fields, arena, data, &error);
    json_take_int(&fields, "spent_us", 0, JSON_TIME_MAX, spent);
    if (json_take_object(&fields, "clock", &inner)) {
        told = true;
        json_take_int(&inner, "moved", 0, SEATS_BOTH, &moved);
        take_checked_clock_seat(&inner, "1", left, 0);
        take_checked_clock_seat(&inner, "2", left, 1);
    }
    left->moved = (unsigned)moved;
    json_free(data);
    return told && error.code == PROBLEM_NONE;
}

static bool is_thinker(const struct check_clock *clock, int seat)
{
    return (clock->thinkers & seat_bit(seat)) != 0;
}

/* What the side to move was charged in its turn. A computer opponent is charged for its search,
 * which only the event tells; it cannot have taken longer than the turn. */
static int64_t spent_in(const struct check_clock *clock, int seat, const struct db_event *event,
                        int64_t told)
{
    return is_thinker(clock, seat) ? least(most(told, 0), event->at - clock->turn.since)
                                   : charged(clock, seat, event->at);
}

static bool move(struct check_clock *clock, const struct db_event *event)
{
    int seat = event->seat;
    struct left after;
    int64_t told, spent;
    bool tells = read_told(clock->arena, event, &told, &after);

    spent = spent_in(clock, seat, event, told);
    if (spent >= budget(clock, seat))
        return same(clock, event, "time of the move", event->at, deadline(clock, seat));
    if (runs(clock)) {
        pay(clock, seat, spent);
        reward(clock, seat);
    }
    clock->now.moved |= seat_bit(seat);
    clock->at[event->ply] = clock->now;
    begin_checked_clock_turn(clock, event->at);
    if (!tells)
        return mismatch_text(clock->mismatch, event, "clock of the move", NULL, "one");
    return same(clock, event, "time spent", told, spent) && same_left(clock, event, &after);
}

/* ---- other events ---- */

/* Each side has what it had at that ply, and what was added since. */
static void jump_checked_clock(struct check_clock *clock, const struct db_event *event)
{
    struct left then = clock->at[event->ply];

    for (int i = 0; i < DB_SEATS; i++) {
        then.bank[i] += clock->now.added[i] - then.added[i];
        then.added[i] = clock->now.added[i];
    }
    clock->now = then;
    begin_checked_clock_turn(clock, event->at);
}

/* What was given back is the time of the outage in this turn, unless the clock stood still anyway.
 * If it is less than that, there were several outages, of which only the sum is told. */
static bool credit(struct check_clock *clock, const struct db_event *event,
                   const struct event_data_write *data)
{
    struct db_span span = {most(data->from_us, clock->turn.since),
                           least(data->until_us, event->at)};
    int64_t length = charged(clock, event->seat, span.to) - charged(clock, event->seat, span.from);

    if (!same(clock, event, "seat", event->seat, clock->to_move) ||
        !same(clock, event, "beginning of the outage", data->from_us, span.from) ||
        !same(clock, event, "end of the outage", data->until_us, span.to))
        return false;
    if (data->span_us > length)
        return same(clock, event, "time that is credited", data->span_us, length);
    if (data->span_us == length)
        add_still(clock, span);
    else
        clock->turn.given += data->span_us;
    return true;
}

static bool pause(struct check_clock *clock, const struct db_event *event, int64_t until)
{
    struct db_span *last = &clock->turn.pause;
    bool lasts = last->to > event->at;

    if (event->kind == EVENT_RESUMED && !lasts)
        return mismatch_text(clock->mismatch, event, "pause", "one that ends", NULL);
    if (!lasts) {
        add_still(clock, *last);
        last->from = event->at;
    }
    last->to = until;
    return true;
}

static void go_away(struct check_clock *clock, int seat, const struct event_data_write *data)
{
    struct db_span *last = &clock->turn.away[seat - 1];

    if (!clock->terms.vacation)
        return;
    if (last->to < data->from_us) {
        if (seat == clock->to_move)
            add_still(clock, *last);
        last->from = data->from_us;
    }
    last->from = least(last->from, data->from_us);
    last->to = data->until_us;
}

static void add_time(struct check_clock *clock, int seat, int64_t span)
{
    for (int i = 0; i < DB_SEATS; i++)
        if (seat == 0 || seat == i + 1) {
            int64_t more = least(span, CLOCK_SPAN_MAX - clock->now.added[i]);

            clock->now.added[i] += more;
            clock->now.bank[i] += more;
        }
}

/* A computer opponent has no deadline: what its search took was more than it had. */
static bool is_out(struct check_clock *clock, const struct db_event *event)
{
    struct left none;
    int64_t told, all = budget(clock, clock->to_move);

    if (!is_thinker(clock, clock->to_move))
        return same(clock, event, "time of the timeout", event->at,
                    deadline(clock, clock->to_move));
    read_told(clock->arena, event, &told, &none);
    return told >= all || same(clock, event, "time spent", told, all);
}

static bool time_out(struct check_clock *clock, const struct db_event *event,
                     const struct event_data_write *data)
{
    return same(clock, event, "seat", event->seat, clock->to_move) && is_out(clock, event) &&
           mismatch_text(clock->mismatch, event, "reason", data->no_start ? "no_start" : "timeout",
                         runs(clock) ? "timeout" : "no_start");
}

/* The side to move is warned when a quarter of its time for the turn is left, or a day if that is
 * less, and once. */
static bool warn(struct check_clock *clock, const struct db_event *event, int64_t until)
{
    int64_t all = budget(clock, event->seat), last = least(all / 4, CLOCK_DAY);
    int64_t used = charged(clock, event->seat, event->at);

    if (clock->over || clock->turn.warned || all < CLOCK_WARNED_FROM)
        return mismatch_text(clock->mismatch, event, "warning", "one", NULL);
    clock->turn.warned = true;
    return same(clock, event, "seat", event->seat, clock->to_move) &&
           same(clock, event, "deadline of the warning", until, deadline(clock, event->seat)) &&
           (used >= all - last ||
            same(clock, event, "time used before the warning", used, all - last));
}

/* The game is over by something that is no move: what was thought is taken off. */
static bool stop(struct check_clock *clock, const struct db_event *event)
{
    int64_t spent, told;
    struct left none;

    read_told(clock->arena, event, &told, &none);
    spent = spent_in(clock, clock->to_move, event, told);
    if (runs(clock))
        pay(clock, clock->to_move, spent);
    begin_checked_clock_turn(clock, event->at);
    return same(clock, event, "time spent", told, spent);
}

static bool go_through(struct check_clock *clock, const struct db_event *event,
                       const struct event_data_write *data)
{
    switch (event->kind) {
    case EVENT_CREATED:
    case EVENT_JOINED:
        begin_checked_clock_turn(clock, event->at);
        return true;
    case EVENT_MOVE:
        return move(clock, event);
    case EVENT_UNDO:
    case EVENT_REDO:
        jump_checked_clock(clock, event);
        return true;
    case EVENT_TIMEOUT:
        return time_out(clock, event, data);
    case EVENT_CREDITED:
        return credit(clock, event, data);
    case EVENT_PAUSED:
        return pause(clock, event, data->until_us);
    case EVENT_RESUMED:
        if (!data->begins)
            return pause(clock, event, event->at);
        begin_checked_clock_turn(clock, event->at);
        return true;
    case EVENT_VACATION:
        go_away(clock, event->seat, data);
        return true;
    case EVENT_TIME_ADDED:
        add_time(clock, event->seat, data->span_us);
        return true;
    case EVENT_DEADLINE:
        return warn(clock, event, data->until_us);
    default:
        return true;
    }
}

bool check_clock_event(struct check_clock *clock, const struct db_event *event,
                       const struct event_data_write *data, struct check_clock_turn turn)
{
    clock->to_move = turn.to_move;
    clock->over = !turn.goes_on;
    if (event->version < clock->begins) {
        clock->at[event->ply] = clock->now;
        begin_checked_clock_turn(
            clock, clock->over ? 0 : event->at); /* it never ran in a game that is over */
        return true;
    }
    if (!go_through(clock, event, data))
        return false;
    return !turn.went_on || turn.goes_on || event->kind == EVENT_MOVE ||
           event->kind == EVENT_REDO || clock->waits || stop(clock, event);
}

/* ---- the row ---- */

static bool same_span(struct check_clock *clock, const char *subject, struct db_span stored,
                      struct db_span found)
{
    return same(clock, NULL, subject, stored.from, found.from) &&
           same(clock, NULL, subject, stored.to, found.to);
}

/* The turn that the row tells, which keeps less: only the sum of what was charged at first. */
static int64_t stored_deadline(struct check_clock *clock, int to_move)
{
    const struct clock_state *state = &clock->stored;
    struct check_clock then = *clock;

    then.turn.still = NULL;
    then.turn.size = 0;
    begin_checked_clock_turn(&then, state->since);
    then.turn.given = -state->used_us;
    for (size_t i = 0; i < state->stills; i++)
        add_still(&then, state->still[i]);
    return deadline(&then, to_move);
}

/* A row that was written before computer opponents were charged for their searches alone has a
 * deadline for them, too. */
static bool has_deadline(const struct check_clock *clock, int to_move)
{
    return !clock->over && !clock->waits &&
           !(is_thinker(clock, to_move) && clock->row->deadline_at == DB_NEVER);
}

static bool same_turn(struct check_clock *clock)
{
    const struct clock_state *state = &clock->stored;
    int to_move = clock->row->to_move;
    int64_t until = has_deadline(clock, to_move) ? deadline(clock, to_move) : DB_NEVER;

    if (!same(clock, NULL, "deadline", clock->row->deadline_at, until) ||
        !same(clock, NULL, "warning of the turn", state->warned, clock->turn.warned))
        return false;
    if (until == DB_NEVER)
        return same(clock, NULL, "beginning of the turn", state->since, clock->turn.since) &&
               same(clock, NULL, "time used in the turn", state->used_us, 0);
    return same(clock, NULL, "deadline of the clock", stored_deadline(clock, to_move), until);
}

bool check_clock_row(struct check_clock *clock)
{
    const struct clock_state *state = &clock->stored;
    struct left left = {.moved = state->moved};

    for (int i = 0; i < DB_SEATS; i++) {
        left.bank[i] = state->left_us[i];
        left.periods[i] = state->periods[i];
        left.added[i] = state->added_us[i];
    }
    if (clock->waits)
        clock->turn.since = 0;
    return same_left(clock, NULL, &left) &&
           same_span(clock, "last pause", (struct db_span){state->paused_from, state->paused_until},
                     clock->turn.pause) &&
           same_span(clock, "last vacation of seat 1",
                     (struct db_span){state->remote_from[0], state->remote_until[0]},
                     clock->turn.away[0]) &&
           same_span(clock, "last vacation of seat 2",
                     (struct db_span){state->remote_from[1], state->remote_until[1]},
                     clock->turn.away[1]) &&
           same_turn(clock);
}

/* ---- the beginning ---- */

/* From which version on the clock is there: after the moves that the game was made with, or from
 * the event on that says so. */
static int32_t beginning_of_checked_clock(struct arena *arena, const struct db_scan_game *stored)
{
    struct event_data_write data;
    struct left left;
    int64_t spent;
    size_t from = 0;

    for (size_t i = stored->count; i > 0; i--)
        if (stored->events[i - 1].kind == EVENT_RESUMED &&
            event_data_read(arena, &stored->events[i - 1], &data) && data.begins)
            return (int32_t)i;
    while (from + 1 < stored->count && stored->events[from + 1].kind == EVENT_MOVE &&
           stored->events[from + 1].at == stored->events[0].at &&
           !read_told(arena, &stored->events[from + 1], &spent, &left))
        from++;
    return from == 0 ? 1 : (int32_t)from + 2;
}

bool check_clock_begin(struct arena *arena, struct mismatch *mismatch,
                       const struct db_scan_game *stored, struct check_clock **clock)
{
    const struct db_game *row = stored->game;
    struct check_clock *new = arena_zero(arena, sizeof(*new));
    struct clock kept;

    *clock = NULL;
    if (row->clock == NULL)
        return mismatch_text(mismatch, NULL, "clock", row->timing, NULL) &&
               mismatch_number(mismatch, NULL, "deadline", row->deadline_at, DB_NEVER);
    if (!clock_load(arena, row, &kept))
        return mismatch_say(mismatch, NULL, "clock", row->timing, "one that can be read");
    new->arena = arena;
    new->mismatch = mismatch;
    new->row = row;
    new->terms = kept.terms;
    new->stored = kept.state;
    new->thinkers = kept.thinkers;
    new->begins = beginning_of_checked_clock(arena, stored);
    new->waits = row_has_open_seat(row);
    new->now = full(&kept.terms);
    new->at = arena_alloc(arena, (stored->count + 1) * sizeof(*new->at));
    new->at[0] = new->now;
    *clock = new;
    return true;
}
