#include "tests/unit/timekeeper.h"

#include <string.h>

enum { PAUSED = 1, AWAY = 2 /* of seat 1; of seat 2: 4 */, OUTAGE = 8, CREDITED = 16 };

static void set_marks(struct timekeeper *keeper, int from, int to, int mark)
{
    for (int tick = from; tick < to; tick++)
        keeper->mark[tick] |= (unsigned char)mark;
}

static void clear_marks(struct timekeeper *keeper, int from, int to, int mark)
{
    for (int tick = from; tick < to; tick++)
        keeper->mark[tick] &= (unsigned char)~mark;
}

static bool stands_by_agreement(const struct timekeeper *keeper, int tick)
{
    return (keeper->mark[tick] & (PAUSED | AWAY << (keeper->seat - 1))) != 0;
}

static bool stands_still(const struct timekeeper *keeper, int tick)
{
    return stands_by_agreement(keeper, tick) || (keeper->mark[tick] & OUTAGE) != 0;
}

static bool both_moved(const struct timekeeper *keeper)
{
    return keeper->sides.moved[1] && keeper->sides.moved[2];
}

/* ---- the clock on the table ---- */

struct ticking {
    int first_move; /* left of it; used only before both have moved */
    int bank, periods, period /* left of the one that has begun */;
    int thought;
};

static struct ticking set_up(const struct timekeeper *keeper)
{
    return (struct ticking){.first_move = keeper->terms.first_move,
                            .bank = keeper->sides.bank[keeper->seat],
                            .periods = keeper->sides.periods[keeper->seat],
                            .period = keeper->terms.period};
}

static bool out_of_time(const struct timekeeper *keeper, const struct ticking *clock)
{
    return both_moved(keeper) ? clock->bank == 0 && clock->periods == 0 : clock->first_move == 0;
}

static void tick(const struct timekeeper *keeper, struct ticking *clock)
{
    clock->thought++;
    if (!both_moved(keeper)) {
        if (clock->first_move > 0)
            clock->first_move--;
    } else if (clock->bank > 0) {
        clock->bank--;
    } else if (clock->periods > 0 && --clock->period == 0) {
        clock->periods--;
        clock->period = keeper->terms.period;
    }
}

static struct ticking tick_until(const struct timekeeper *keeper, int now)
{
    struct ticking clock = set_up(keeper);

    for (int at = keeper->began; at < now; at++)
        if (!stands_still(keeper, at))
            tick(keeper, &clock);
    return clock;
}

int keeper_deadline(const struct timekeeper *keeper)
{
    struct ticking clock = set_up(keeper);
    int at = keeper->began;

    if (!keeper->goes_on)
        return -1;
    for (; !out_of_time(keeper, &clock); at++)
        if (!stands_still(keeper, at))
            tick(keeper, &clock);
    return at;
}

int keeper_left(const struct timekeeper *keeper, int seat, int now, int *periods)
{
    struct ticking clock = tick_until(keeper, now);
    bool thinks = keeper->goes_on && keeper->seat == seat && both_moved(keeper);

    *periods = thinks ? clock.periods : keeper->sides.periods[seat];
    return thinks ? clock.bank : keeper->sides.bank[seat];
}

bool keeper_running(const struct timekeeper *keeper, int seat, int now)
{
    return keeper->goes_on && keeper->seat == seat && both_moved(keeper) &&
           !stands_by_agreement(keeper, now);
}

/* ---- the course of a game ---- */

void keeper_init(struct timekeeper *keeper, const struct keeper_terms *terms)
{
    memset(keeper, 0, sizeof(*keeper));
    keeper->terms = *terms;
    for (int seat = 1; seat < KEEPER_SEATS; seat++) {
        keeper->sides.bank[seat] = terms->initial;
        keeper->sides.periods[seat] = terms->kind == KEEPER_BYOYOMI ? terms->periods : 0;
        keeper->remote_until[seat] = -1;
    }
    keeper->at[0] = keeper->sides;
}

void keeper_begin(struct timekeeper *keeper, int seat, int now)
{
    keeper->goes_on = true;
    keeper->seat = seat;
    keeper->began = now;
}

/* Takes what the seat thought off the sides, for good. */
static int take_off(struct timekeeper *keeper, int now)
{
    struct ticking clock = tick_until(keeper, now);

    keeper->sides.bank[keeper->seat] = clock.bank;
    keeper->sides.periods[keeper->seat] = clock.periods;
    return clock.thought;
}

static void add_after_move(struct timekeeper *keeper)
{
    int *bank = &keeper->sides.bank[keeper->seat];

    if (keeper->terms.kind == KEEPER_DAYS)
        *bank = keeper->terms.initial;
    if (keeper->terms.kind == KEEPER_FISCHER)
        for (int i = 0; i < keeper->terms.increment && *bank < keeper->terms.max; i++)
            ++*bank;
}

int keeper_move(struct timekeeper *keeper, int ply, int now)
{
    bool ran = both_moved(keeper);
    int thought = take_off(keeper, now);

    if (ran)
        add_after_move(keeper);
    keeper->sides.moved[keeper->seat] = true;
    keeper->at[ply] = keeper->sides;
    keeper_begin(keeper, 3 - keeper->seat, now);
    return thought;
}

void keeper_stop(struct timekeeper *keeper, int now)
{
    take_off(keeper, now);
    keeper->goes_on = false;
}

void keeper_go_to(struct timekeeper *keeper, int ply, int seat, int now)
{
    struct keeper_sides before = keeper->sides;

    keeper->sides = keeper->at[ply];
    for (int i = 1; i < KEEPER_SEATS; i++) {
        keeper->sides.bank[i] += before.added[i] - keeper->sides.added[i];
        keeper->sides.added[i] = before.added[i];
    }
    keeper_begin(keeper, seat, now);
}

void keeper_pause(struct timekeeper *keeper, int until, int now)
{
    clear_marks(keeper, now, KEEPER_TICKS, PAUSED);
    set_marks(keeper, now, until, PAUSED);
    keeper->paused_until = until;
}

void keeper_leave(struct timekeeper *keeper, int seat, int from, int until)
{
    int mark = AWAY << (seat - 1);

    if (!keeper->terms.vacation)
        return;
    if (from <= keeper->remote_until[seat]) {
        clear_marks(keeper, keeper->remote_from[seat], keeper->remote_until[seat], mark);
        from = from < keeper->remote_from[seat] ? from : keeper->remote_from[seat];
    }
    set_marks(keeper, from, until, mark);
    keeper->remote_from[seat] = from;
    keeper->remote_until[seat] = until;
}

void keeper_add(struct timekeeper *keeper, int seat, int span)
{
    keeper->sides.bank[seat] += span;
    keeper->sides.added[seat] += span;
}

void keeper_outage(struct timekeeper *keeper, int from, int to)
{
    set_marks(keeper, from, to, OUTAGE);
}

int keeper_owed(const struct timekeeper *keeper, int from, int to, int now)
{
    int owed = 0;

    for (int at = from; at < to; at++)
        owed += keeper->goes_on && at >= keeper->began && at < now &&
                !stands_by_agreement(keeper, at) && (keeper->mark[at] & CREDITED) == 0;
    return owed;
}

void keeper_credit(struct timekeeper *keeper, int from, int to, int now)
{
    if (keeper_owed(keeper, from, to, now) > 0)
        set_marks(keeper, from, to < now ? to : now, CREDITED);
}
