#include "reckoning.h"

#include <stdio.h>
#include <string.h>

/* Why a clock stands still. */
enum { PAUSED = 1, AWAY = 2 /* of seat 1; of seat 2: 4 */, OUTAGE = 8, CREDITED = 16 };
enum { MARKS = 512 };

#define HOUR INT64_C(3600000000)

struct mark {
    int64_t from, to;
    unsigned why;
};

/* What lies on the table. */
struct sides {
    int64_t bank[RECKON_SEATS], added[RECKON_SEATS];
    int periods[RECKON_SEATS];
    bool moved[RECKON_SEATS];
};

struct story {
    const struct reckon_terms *terms;
    struct mark mark[MARKS];
    size_t marks;
    struct mark *away[RECKON_SEATS]; /* the last vacation */
    bool goes_on;
    int seat, ply;
    int64_t began;
    bool warned; /* in this turn */
    struct sides sides, at[RECKON_PLIES];
    struct reckoned *result;
};

static void wrong(struct story *story, const struct reckon_deed *deed, const char *what,
                  int64_t expected)
{
    if (story->result->wrong[0] == '\0')
        snprintf(story->result->wrong, sizeof(story->result->wrong),
                 "%s at %lld (ply %d, seat %d, span %lld): expected %lld", what,
                 (long long)deed->at, deed->ply, deed->seat, (long long)deed->span,
                 (long long)expected);
}

/* ---- pieces of time ---- */

static struct mark *set(struct story *story, int64_t from, int64_t to, unsigned why)
{
    struct mark *mark = &story->mark[story->marks];

    if (story->marks < MARKS - 1)
        story->marks++;
    *mark = (struct mark){from, to, why};
    return mark;
}

static bool covered(const struct story *story, int64_t at, unsigned why)
{
    for (size_t i = 0; i < story->marks; i++)
        if ((story->mark[i].why & why) != 0 && story->mark[i].from <= at && at < story->mark[i].to)
            return true;
    return false;
}

/* The end of the piece that begins at a moment. */
static int64_t piece_end(const struct story *story, int64_t at, int64_t end)
{
    for (size_t i = 0; i < story->marks; i++) {
        const int64_t edges[] = {story->mark[i].from, story->mark[i].to};

        for (int e = 0; e < 2; e++)
            if (edges[e] > at && edges[e] < end)
                end = edges[e];
    }
    return end;
}

/* How much of a time is not covered. */
static int64_t bare(const struct story *story, int64_t from, int64_t to, unsigned why)
{
    int64_t sum = 0, next;

    for (int64_t at = from; at < to; at = next) {
        next = piece_end(story, at, to);
        if (!covered(story, at, why))
            sum += next - at;
    }
    return sum;
}

static unsigned by_agreement(const struct story *story)
{
    return PAUSED | (unsigned)AWAY << (story->seat - 1);
}

/* ---- the clock on the table ---- */

static bool both_moved(const struct story *story)
{
    return story->sides.moved[1] && story->sides.moved[2];
}

static struct sides thinking(const struct story *story, int64_t thought)
{
    struct sides sides = story->sides;

    if (!both_moved(story))
        return sides;
    if (thought <= sides.bank[story->seat]) {
        sides.bank[story->seat] -= thought;
        return sides;
    }
    thought -= sides.bank[story->seat];
    sides.bank[story->seat] = 0;
    for (; thought >= story->terms->period && sides.periods[story->seat] > 0;
         thought -= story->terms->period)
        sides.periods[story->seat]--;
    return sides;
}

static int64_t thought(const struct story *story, int64_t now)
{
    return bare(story, story->began, now, by_agreement(story) | OUTAGE);
}

/* What the side to move may think in its turn. */
static int64_t allowed(const struct story *story)
{
    const struct sides *sides = &story->sides;

    if (!both_moved(story))
        return story->terms->first_move;
    return sides->bank[story->seat] + sides->periods[story->seat] * story->terms->period;
}

static int64_t deadline(const struct story *story)
{
    int64_t rest = allowed(story), at = story->began;

    for (;;) {
        int64_t next = piece_end(story, at, INT64_MAX);

        if (!covered(story, at, by_agreement(story) | OUTAGE)) {
            if (rest <= next - at)
                return at + rest;
            rest -= next - at;
        }
        at = next;
    }
}

static void begin(struct story *story, int ply, int64_t now)
{
    story->goes_on = true;
    story->ply = ply;
    story->seat = 1 + ply % 2;
    story->began = now;
    story->warned = false;
}

/* ---- what happens ---- */

static void reward(struct story *story)
{
    const struct reckon_terms *terms = story->terms;
    int64_t *bank = &story->sides.bank[story->seat], more = *bank + terms->increment;

    if (terms->kind == RECKON_DAYS)
        *bank = terms->initial;
    if (terms->kind != RECKON_FISCHER)
        return;
    if (terms->max != 0 && more > terms->max)
        more = terms->max;
    if (more > *bank)
        *bank = more;
}

static void move(struct story *story, const struct reckon_deed *deed)
{
    struct reckoned *result = story->result;
    bool ran = both_moved(story);
    int64_t spent = thought(story, deed->at);

    if (deed->seat != story->seat || deed->ply != story->ply + 1)
        wrong(story, deed, "a move of another", story->seat);
    story->sides = thinking(story, spent);
    if (ran)
        reward(story);
    story->sides.moved[story->seat] = true;
    story->at[deed->ply] = story->sides;
    result->spent[deed->ply] = spent;
    result->left_then[deed->ply] = story->sides.bank[story->seat];
    result->periods_then[deed->ply] = story->sides.periods[story->seat];
    begin(story, deed->ply, deed->at);
}

static void go_to(struct story *story, const struct reckon_deed *deed)
{
    struct sides before = story->sides;

    story->sides = story->at[deed->ply];
    for (int seat = 1; seat < RECKON_SEATS; seat++) {
        story->sides.bank[seat] += before.added[seat] - story->sides.added[seat];
        story->sides.added[seat] = before.added[seat];
    }
    begin(story, deed->ply, deed->at);
}

static void stop(struct story *story, int64_t now)
{
    if (story->goes_on)
        story->sides = thinking(story, thought(story, now));
    story->goes_on = false;
}

static void time_out(struct story *story, const struct reckon_deed *deed)
{
    if (deed->at != deadline(story))
        wrong(story, deed, "a timeout that is not at the deadline", deadline(story));
    if (deed->seat != story->seat)
        wrong(story, deed, "a timeout of the other side", story->seat);
    stop(story, deed->at);
}

static bool overlap(const struct mark *mark, const struct reckon_deed *deed)
{
    return mark->from < deed->until && mark->to > deed->from;
}

static void credit(struct story *story, const struct reckon_deed *deed)
{
    unsigned given = by_agreement(story) | CREDITED;
    int64_t owed = bare(story, deed->from, deed->until, given) -
                   bare(story, deed->from, deed->until, given | OUTAGE);

    if (deed->from < story->began || deed->until > deed->at)
        wrong(story, deed, "a credit for another time than that of the turn", story->began);
    if (owed == 0 || owed != deed->span)
        wrong(story, deed, "a credit of what is not owed", owed);
    for (size_t i = story->marks; i > 0; i--)
        if (story->mark[i - 1].why == OUTAGE && overlap(&story->mark[i - 1], deed))
            story->mark[i - 1].why |= CREDITED;
}

static void pause_until(struct story *story, int64_t now, int64_t until)
{
    for (size_t i = 0; i < story->marks; i++)
        if (story->mark[i].why == PAUSED && story->mark[i].to > now)
            story->mark[i].to = now;
    set(story, now, until, PAUSED);
}

static void leave(struct story *story, const struct reckon_deed *deed)
{
    struct mark **last = &story->away[deed->seat];

    if (!story->terms->vacation)
        wrong(story, deed, "a vacation that the clock does not know", 0);
    if (*last == NULL || deed->from > (*last)->to)
        *last = set(story, deed->from, deed->until, (unsigned)AWAY << (deed->seat - 1));
    if (deed->from < (*last)->from)
        (*last)->from = deed->from;
    (*last)->to = deed->until;
}

static void add(struct story *story, const struct reckon_deed *deed)
{
    for (int seat = 1; seat < RECKON_SEATS; seat++)
        if (deed->seat == 0 || deed->seat == seat) {
            story->sides.bank[seat] += deed->span;
            story->sides.added[seat] += deed->span;
        }
}

static void warn(struct story *story, const struct reckon_deed *deed)
{
    int64_t all = allowed(story), last = all / 4 < 24 * HOUR ? all / 4 : 24 * HOUR;

    if (!story->goes_on || deed->seat != story->seat)
        wrong(story, deed, "a warning of somebody who is not to move", story->seat);
    if (story->warned || all < 4 * HOUR)
        wrong(story, deed, "a warning too many", all);
    if (deed->until != deadline(story))
        wrong(story, deed, "a warning of another deadline", deadline(story));
    if (thought(story, deed->at) < all - last)
        wrong(story, deed, "a warning that comes too early", all - last);
    if (covered(story, deed->at, by_agreement(story)))
        wrong(story, deed, "a warning while the clock stands still", 0);
    story->warned = true;
}

static void happen(struct story *story, const struct reckon_deed *deed)
{
    /* A vacation of which the game had not heard yet may be told after the time was up. */
    if (story->goes_on && deed->kind != RECKON_OTHER && deed->kind != RECKON_TIMEOUT &&
        deed->kind != RECKON_VACATION && deed->at > deadline(story) - (deed->kind != RECKON_CREDIT))
        wrong(story, deed, "a deed after the deadline", deadline(story));
    switch (deed->kind) {
    case RECKON_OTHER:
        break;
    case RECKON_START:
        begin(story, 0, deed->at);
        break;
    case RECKON_MOVE:
        move(story, deed);
        break;
    case RECKON_GO_TO:
        go_to(story, deed);
        break;
    case RECKON_END:
        stop(story, deed->at);
        break;
    case RECKON_TIMEOUT:
        time_out(story, deed);
        break;
    case RECKON_CREDIT:
        credit(story, deed);
        break;
    case RECKON_PAUSE:
        pause_until(story, deed->at, deed->until);
        break;
    case RECKON_RESUME:
        pause_until(story, deed->at, deed->at);
        break;
    case RECKON_ADD:
        add(story, deed);
        break;
    case RECKON_VACATION:
        leave(story, deed);
        break;
    case RECKON_WARNING:
        warn(story, deed);
        break;
    }
}

/* ---- what it shows ---- */

static void show(const struct story *story, int64_t now)
{
    struct reckoned *result = story->result;
    struct sides sides = story->goes_on ? thinking(story, thought(story, now)) : story->sides;

    result->goes_on = story->goes_on;
    result->both_moved = both_moved(story);
    result->to_move = story->seat;
    result->ply = story->ply;
    for (int seat = 1; seat < RECKON_SEATS; seat++) {
        const struct mark *away = story->away[seat];

        result->left[seat] = sides.bank[seat];
        result->periods[seat] = sides.periods[seat];
        if (away != NULL && away->to > now)
            result->remote_until[seat] = away->to;
    }
    for (size_t i = 0; i < story->marks; i++)
        if (story->mark[i].why == PAUSED && story->mark[i].to > now)
            result->paused_until = story->mark[i].to;
    if (!story->goes_on)
        return;
    result->deadline = deadline(story);
    if (both_moved(story) && !covered(story, now, by_agreement(story)))
        result->running = story->seat;
}

static void set_up(struct story *story)
{
    for (int seat = 1; seat < RECKON_SEATS; seat++) {
        story->sides.bank[seat] = story->terms->initial;
        story->sides.periods[seat] = story->terms->periods;
    }
    story->at[0] = story->sides;
}

/* An outage becomes known at its end. What a clock was charged before that stays charged. */
static size_t learn(struct story *story, const struct reckon_gap *gaps, size_t ngaps, size_t known,
                    int64_t now)
{
    for (; known < ngaps && gaps[known].to <= now; known++)
        set(story, gaps[known].from, gaps[known].to, OUTAGE);
    return known;
}

void reckon(struct reckoned *result, const struct reckon_terms *terms,
            const struct reckon_deed *deeds, size_t ndeeds, const struct reckon_gap *gaps,
            size_t ngaps, int64_t now)
{
    struct story story = {.terms = terms, .result = result, .seat = 1};
    size_t known = 0;

    memset(result, 0, sizeof(*result));
    set_up(&story);
    for (size_t i = 0; i < ndeeds; i++) {
        known = learn(&story, gaps, ngaps, known, deeds[i].at);
        happen(&story, &deeds[i]);
    }
    learn(&story, gaps, ngaps, known, now);
    show(&story, now);
}
