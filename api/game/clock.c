#include "api/game/clock.h"

#include "api/game/opponent.h"
#include "api/game/words.h"

static const struct clock_gaps no_gaps = {NULL, 0};

static int64_t least_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- where the clock runs ---- */

/* A walk along the time of a turn, over all spans in which the clock stands still. */
struct walk {
    struct db_span still[CLOCK_STILLS + 2];
    size_t stills;
    struct clock_gaps gaps; /* those that end behind `at` */
    int64_t at;
};

static struct walk walk_from(const struct clock_state *state, int to_move,
                             const struct clock_gaps *gaps, int64_t at)
{
    struct walk walk = {.gaps = *gaps, .at = at};
    int i = to_move - 1;

    walk.still[walk.stills++] = (struct db_span){state->paused_from, state->paused_until};
    walk.still[walk.stills++] = (struct db_span){state->remote_from[i], state->remote_until[i]};
    for (size_t n = 0; n < state->stills; n++)
        walk.still[walk.stills++] = state->still[n];
    return walk;
}

/* Goes to the end of a span that covers the present place. False: it does not. */
static bool cross(struct walk *walk, const struct db_span *span)
{
    if (span->from > walk->at || span->to <= walk->at)
        return false;
    walk->at = span->to;
    return true;
}

/* Goes on to the next moment, from `at` on, at which the clock runs. */
static void cross_all(struct walk *walk)
{
    bool crossed = true;

    while (crossed) {
        crossed = false;
        for (size_t i = 0; i < walk->stills; i++)
            crossed |= cross(walk, &walk->still[i]);
        for (; walk->gaps.count > 0 && walk->gaps.gap->from <= walk->at; walk->gaps.count--)
            crossed |= cross(walk, walk->gaps.gap++);
    }
}

/* Where the clock stops next. */
static int64_t next_still(const struct walk *walk)
{
    int64_t next = walk->gaps.count > 0 ? walk->gaps.gap->from : DB_NEVER;

    for (size_t i = 0; i < walk->stills; i++)
        if (walk->still[i].from > walk->at && walk->still[i].to > walk->still[i].from)
            next = least_of(next, walk->still[i].from);
    return next;
}

static bool is_thinker(const struct clock *clock, int seat)
{
    return (clock->thinkers & seat_bit(seat)) != 0;
}

/* How long the clock of the side to move runs in a span. */
static int64_t running(const struct clock *clock, int to_move, const struct clock_gaps *gaps,
                       struct db_span span)
{
    struct walk walk = walk_from(&clock->state, to_move, gaps, span.from);
    int64_t sum = 0;

    if (is_thinker(clock, to_move))
        return 0;
    for (cross_all(&walk); walk.at < span.to; cross_all(&walk)) {
        int64_t end = least_of(next_still(&walk), span.to);

        sum += end - walk.at;
        walk.at = end;
    }
    return sum;
}

static int64_t thinking(const struct clock *clock, int to_move, const struct clock_gaps *gaps,
                        int64_t now)
{
    return clock->state.used_us +
           running(clock, to_move, gaps, (struct db_span){clock->state.since, now});
}

/* ---- spans that are over ---- */

/* Settles the first part of the turn, up to the first end of a span that is over: what was charged
 * there stays charged. */
static void settle_clock(struct clock *clock, int to_move)
{
    struct clock_state *state = &clock->state;
    int64_t until = state->still[0].to;
    size_t kept = 0;

    for (size_t i = 1; i < state->stills; i++)
        until = least_of(until, state->still[i].to);
    state->used_us += running(clock, to_move, &no_gaps, (struct db_span){state->since, until});
    state->since = until;
    for (size_t i = 0; i < state->stills; i++)
        if (state->still[i].to > until)
            state->still[kept++] = state->still[i];
    state->stills = kept;
}

/* The part of a span that lies in this turn and is over. */
static struct db_span part(const struct clock_state *state, int64_t from, int64_t to, int64_t now)
{
    return (struct db_span){most_of(from, state->since), least_of(to, now)};
}

/* Keeps a span in which the clock stood still. While a computer opponent is to move, it does
 * anyway. */
static void keep_clock(struct clock *clock, int to_move, struct db_span span)
{
    struct clock_state *state = &clock->state;

    if (span.from >= span.to || is_thinker(clock, to_move))
        return;
    state->still[state->stills++] = span;
    if (state->stills == CLOCK_STILLS)
        settle_clock(clock, to_move);
}

/* ---- what is left ---- */

bool clock_runs(const struct clock *clock)
{
    return clock->state.moved == SEATS_BOTH;
}

/* Takes a span off the bank of a seat, and what is more than that off its periods. */
static void charge_clock(struct clock *clock, int seat, int64_t span)
{
    int64_t *left = &clock->state.left_us[seat - 1], over = span - *left;
    int32_t *periods = &clock->state.periods[seat - 1];

    *left = most_of(-over, 0);
    if (over > 0 && clock->terms.kind == CLOCK_BYOYOMI)
        *periods -= (int32_t)least_of(over / clock->terms.period_us, *periods);
}

/* Gives a seat what a move brings it. */
static void reward(struct clock *clock, int seat)
{
    const struct clock_terms *terms = &clock->terms;
    int64_t *left = &clock->state.left_us[seat - 1];

    if (terms->kind == CLOCK_DAYS)
        *left = terms->initial_us;
    else if (terms->kind == CLOCK_FISCHER)
        *left = most_of(*left, least_of(*left + terms->increment_us, terms->max_us));
}

int64_t clock_left(const struct clock *clock, const struct db_game *row, int seat,
                   const struct clock_gaps *gaps, int64_t now, int32_t *periods)
{
    struct clock then = *clock;

    if (row->status == STATUS_ACTIVE && row->to_move == seat && clock_runs(clock))
        charge_clock(&then, seat, thinking(clock, seat, gaps, now));
    *periods = then.state.periods[seat - 1];
    return then.state.left_us[seat - 1];
}

int clock_running(const struct clock *clock, const struct db_game *row, int64_t now)
{
    struct walk walk;

    if (row->status != STATUS_ACTIVE || !clock_runs(clock) || is_thinker(clock, row->to_move))
        return 0;
    walk = walk_from(&clock->state, row->to_move, &no_gaps, now);
    cross_all(&walk);
    return walk.at == now ? row->to_move : 0;
}

int64_t clock_budget(const struct clock *clock, int to_move)
{
    const struct clock_state *state = &clock->state;
    int64_t periods = clock->terms.kind == CLOCK_BYOYOMI ? state->periods[to_move - 1] : 0;

    if (!clock_runs(clock))
        return clock->terms.first_move_us;
    return state->left_us[to_move - 1] + periods * clock->terms.period_us;
}

/* When the side to move will have thought for so long in its turn. */
static int64_t spent_at(const struct clock_state *state, int to_move, const struct clock_gaps *gaps,
                        int64_t spent)
{
    struct walk walk = walk_from(state, to_move, gaps, state->since);
    int64_t rest = spent - state->used_us;

    for (;;) {
        cross_all(&walk);
        int64_t end = next_still(&walk);

        if (rest <= end - walk.at)
            return walk.at + rest;
        rest -= end - walk.at;
        walk.at = end;
    }
}

int64_t clock_deadline(const struct clock *clock, const struct db_game *row,
                       const struct clock_gaps *gaps)
{
    if (row->status != STATUS_ACTIVE || is_thinker(clock, row->to_move))
        return DB_NEVER;
    return spent_at(&clock->state, row->to_move, gaps, clock_budget(clock, row->to_move));
}

int64_t clock_warning(const struct clock *clock, const struct db_game *row,
                      const struct clock_gaps *gaps, int64_t now)
{
    const struct clock_state *state = &clock->state;
    struct walk walk;
    int64_t all, at;

    if (row->status != STATUS_ACTIVE || state->warned ||
        row->seat[row->to_move - 1].state == SEAT_ENGINE)
        return DB_NEVER;
    all = clock_budget(clock, row->to_move);
    if (all < CLOCK_WARNED_FROM)
        return DB_NEVER;
    at = spent_at(state, row->to_move, gaps, all - least_of(all / 4, CLOCK_DAY));
    walk = walk_from(state, row->to_move, gaps, most_of(at, now));
    cross_all(&walk);
    return walk.at;
}

/* ---- its draft ---- */

/* The side to move begins to think. */
static void begin_clock_turn(struct clock_state *state, int64_t now)
{
    state->since = now;
    state->used_us = 0;
    state->warned = false;
    state->stills = 0;
}

void clock_init(struct clock *clock, const struct clock_terms *terms)
{
    *clock = (struct clock){.terms = *terms};
    for (int i = 0; i < DB_SEATS; i++) {
        clock->state.left_us[i] = terms->initial_us;
        clock->state.periods[i] = terms->periods;
    }
}

void clock_start(struct clock *clock, int64_t now)
{
    begin_clock_turn(&clock->state, now);
}

void clock_know(struct clock *clock, const struct db_game *row)
{
    clock->thinkers = 0;
    for (int seat = 1; seat <= DB_SEATS; seat++)
        if (opponent_thinks(&row->seat[seat - 1]))
            clock->thinkers |= seat_bit(seat);
}

/* No more than has passed: clocks of machines differ. */
bool clock_think(struct clock *clock, int to_move, int64_t us, int64_t now)
{
    struct clock_state *state = &clock->state;

    state->used_us = least_of(us, most_of(now - state->since, 0));
    return state->used_us < clock_budget(clock, to_move);
}

int64_t clock_move(struct clock *clock, int seat, int64_t now)
{
    struct clock_state *state = &clock->state;
    int64_t spent = thinking(clock, seat, &no_gaps, now);

    if (clock_runs(clock)) {
        charge_clock(clock, seat, spent);
        reward(clock, seat);
    }
    state->moved |= seat_bit(seat);
    begin_clock_turn(state, now);
    return spent;
}

int64_t clock_stop(struct clock *clock, int to_move, int64_t now)
{
    int64_t spent = thinking(clock, to_move, &no_gaps, now);

    if (clock_runs(clock))
        charge_clock(clock, to_move, spent);
    begin_clock_turn(&clock->state, now);
    return spent;
}

void clock_pause(struct clock *clock, int to_move, int64_t until, int64_t now)
{
    struct clock_state *state = &clock->state;

    if (state->paused_until <= now) {
        keep_clock(clock, to_move, part(state, state->paused_from, state->paused_until, now));
        state->paused_from = now;
    }
    state->paused_until = until;
}

void clock_leave(struct clock *clock, int to_move, int seat, int64_t from, int64_t until,
                 int64_t now)
{
    struct clock_state *state = &clock->state;
    int64_t *remote_from = &state->remote_from[seat - 1],
            *remote_until = &state->remote_until[seat - 1];

    if (!clock->terms.vacation)
        return;
    if (*remote_until < from) {
        if (seat == to_move)
            keep_clock(clock, to_move, part(state, *remote_from, *remote_until, now));
        *remote_from = from;
    }
    *remote_from = least_of(*remote_from, from);
    *remote_until = until;
}

int64_t clock_add(struct clock *clock, int seat, int64_t span)
{
    int64_t *added = &clock->state.added_us[seat - 1];

    span = least_of(span, CLOCK_SPAN_MAX - *added);
    *added += span;
    clock->state.left_us[seat - 1] += span;
    return span;
}

int64_t clock_owed(const struct clock *clock, const struct db_game *row,
                   const struct clock_gaps *gaps, int64_t now, struct db_span *owed)
{
    int64_t sum = 0;

    if (row->status != STATUS_ACTIVE)
        return 0;
    for (size_t i = 0; i < gaps->count; i++) {
        struct db_span span = part(&clock->state, gaps->gap[i].from, gaps->gap[i].to, now);
        int64_t length = running(clock, row->to_move, &no_gaps, span);

        if (length > 0)
            *owed = (struct db_span){sum == 0 ? span.from : owed->from, span.to};
        sum += length;
    }
    return sum;
}

void clock_credit(struct clock *clock, int to_move, const struct clock_gaps *gaps, int64_t now)
{
    struct clock_state *state = &clock->state;

    for (size_t i = 0; i < gaps->count; i++) {
        struct db_span span = part(state, gaps->gap[i].from, gaps->gap[i].to, now);

        if (running(clock, to_move, &no_gaps, span) > 0)
            keep_clock(clock, to_move, span);
    }
}
