/*
 * sets.c - the longest captures of Turkish draughts by the sets of pieces that are left.
 *
 * Where a king can go on to depends on what it has not taken yet, on its square, and on the
 * direction that it came in (T17). The way by which it came does not matter, and after a jump it
 * may stand on any square behind the piece that it took. So a king's arrival is a set of pieces
 * left, the last piece taken, and a direction: 64 bits for each of 65,536 sets. A set has a greater
 * number than what is left of it after a jump. So going through the numbers once from the greatest
 * finds everything that can be reached, and going back from the least finds what of it leads to a
 * longest capture.
 *
 * A man's captures are followed one by one: it never goes back, so they are few.
 */
#include "rules/draughts/captures.h"

enum { SETS = 1 << DRAUGHTS_JUMPS_MAX, WORD = 64 };

/* A victim, as a set, times this is all arrivals by which it was taken. */
#define IN_ALL_DIRECTIONS UINT64_C(0x0001000100010001)

struct sets {
    const struct draughts *d;
    uint64_t ends;    /* only landings on these squares count for `longest` */
    unsigned longest; /* the most jumps */
    uint64_t fixed;   /* squares that stay occupied */
    uint64_t victims; /* the pieces that might be taken: bit i of a set is the i-th of them */
    unsigned nvictims;
    uint8_t index[64];             /* the number of the victim on a square */
    uint64_t low[256], high[256];  /* the squares of a set, by its bytes */
    uint64_t reached[SETS / WORD]; /* a bit for each set that was reached */
    uint64_t arrivals[SETS];       /* of those: bit 16 * direction + the last victim */
};

/* ---- sets and their squares ---- */

static uint64_t squares_of(const struct sets *sets, unsigned set)
{
    return sets->low[set & 255] | sets->high[set >> 8];
}

static unsigned without(const struct sets *sets, unsigned set, uint64_t victim)
{
    return set & ~(1U << sets->index[lowest(victim)]);
}

static unsigned jumps_to(const struct sets *sets, unsigned set)
{
    return sets->nvictims - (unsigned)__builtin_popcount(set);
}

static uint64_t empty_at(const struct sets *sets, unsigned set)
{
    return ~(sets->fixed |
             (sets->d->removal == DRAUGHTS_REMOVED_AT_ONCE ? squares_of(sets, set) : 0));
}

/* A piece that has the edge or a piece of the other side next to it on both lines is never taken,
 * whatever else goes. The others are the victims. */
static uint64_t find_victims(uint64_t enemy, uint64_t own)
{
    uint64_t free = ~own;

    return enemy & ((step(free, DRAUGHTS_UP) & step(free, DRAUGHTS_DOWN)) |
                    (step(free, DRAUGHTS_LEFT) & step(free, DRAUGHTS_RIGHT)));
}

static void name_sets(uint64_t *squares, uint64_t victims, unsigned first, unsigned n)
{
    for (unsigned i = 0; i < first; i++)
        victims &= victims - 1;
    squares[0] = 0;
    for (unsigned i = 0; i < 8; i++) {
        uint64_t victim = first + i < n ? victims & -victims : 0;

        victims &= victims - 1;
        for (unsigned set = 0; set < 1U << i; set++)
            squares[1U << i | set] = squares[set] | victim;
    }
}

/* Begins with the piece on a square and no jumps made. */
static void set_up(struct sets *sets, const struct draughts *d, unsigned square, uint64_t ends)
{
    uint64_t own = d->side[d->turn] & ~draughts_bit(square), enemy = d->side[!d->turn];

    sets->d = d;
    sets->ends = ends;
    sets->longest = 0;
    sets->victims = find_victims(enemy, own);
    sets->nvictims = (unsigned)__builtin_popcountll(sets->victims);
    sets->fixed = own | (d->removal == DRAUGHTS_REMOVED_AT_ONCE ? enemy & ~sets->victims : enemy);
    for (unsigned i = 0; i < SETS / WORD; i++)
        sets->reached[i] = 0;
    name_sets(sets->low, sets->victims, 0, sets->nvictims);
    name_sets(sets->high, sets->victims, 8, sets->nvictims);
    for (unsigned i = 0; i < sets->nvictims; i++)
        sets->index[lowest(squares_of(sets, 1U << i))] = (uint8_t)i;
}

static unsigned all_of(const struct sets *sets)
{
    return (1U << sets->nvictims) - 1;
}

/* ---- arrivals ---- */

static bool is_reached(const struct sets *sets, unsigned set)
{
    return (sets->reached[set / WORD] >> set % WORD & 1) != 0;
}

/* The last victims of arrivals in a direction, as a set. */
static unsigned victims_of(uint64_t arrivals, enum draughts_direction direction)
{
    return (unsigned)(arrivals >> 16 * direction) & 0xffff;
}

static bool is_arrival(const struct sets *sets, unsigned set, enum draughts_direction direction,
                       unsigned victim)
{
    return is_reached(sets, set) && (sets->arrivals[set] >> (16 * direction + victim) & 1) != 0;
}

static void arrive(struct sets *sets, unsigned set, enum draughts_direction direction,
                   unsigned victim)
{
    if (!is_reached(sets, set)) {
        sets->reached[set / WORD] |= (uint64_t)1 << set % WORD;
        sets->arrivals[set] = 0;
    }
    sets->arrivals[set] |= (uint64_t)1 << (16 * direction + victim);
}

static void raise_longest(struct sets *sets, uint64_t squares, unsigned jumps)
{
    if ((squares & sets->ends) != 0 && jumps > sets->longest)
        sets->longest = jumps;
}

/* What may go on in a direction, of squares by the direction that led to them (T17). */
static uint64_t may_go(const struct sets *sets, const uint64_t squares[DRAUGHTS_DIRECTIONS],
                       enum draughts_direction direction)
{
    uint64_t all = squares[direction] | squares[(direction + 1) & 3] | squares[(direction + 3) & 3];

    return sets->d->turn180 == DRAUGHTS_TURN180_ALLOWED
               ? all | squares[draughts_opposite(direction)]
               : all;
}

/* ---- what can be reached ---- */

/* Jumps from squares, given by the directions in which a king may go on from them. */
static inline void jump(struct sets *sets, unsigned set,
                        const uint64_t squares[DRAUGHTS_DIRECTIONS])
{
    uint64_t takeable = squares_of(sets, set), empty = empty_at(sets, set);

    for (enum draughts_direction to = DRAUGHTS_UP; to <= DRAUGHTS_LEFT; to++) {
        uint64_t taken =
            step(slide(squares[to], empty, to), to) & takeable & step(empty, draughts_opposite(to));

        for (; taken != 0; taken &= taken - 1)
            arrive(sets, without(sets, set, taken), to, sets->index[lowest(taken)]);
    }
}

static void go_on(struct sets *sets, unsigned set)
{
    uint64_t empty = empty_at(sets, set);
    uint64_t landed[DRAUGHTS_DIRECTIONS], leaving[DRAUGHTS_DIRECTIONS];

    for (enum draughts_direction to = DRAUGHTS_UP; to <= DRAUGHTS_LEFT; to++) {
        uint64_t behind = step(squares_of(sets, victims_of(sets->arrivals[set], to)), to) & empty;

        landed[to] = slide(behind, empty, to);
    }
    raise_longest(sets, landed[0] | landed[1] | landed[2] | landed[3], jumps_to(sets, set));
    for (enum draughts_direction to = DRAUGHTS_UP; to <= DRAUGHTS_LEFT; to++)
        leaving[to] = may_go(sets, landed, to);
    jump(sets, set, leaving);
}

/* Goes through the sets downwards. Whatever a jump reaches is still ahead. */
static void go_on_from_all(struct sets *sets)
{
    for (unsigned word = SETS / WORD; word-- > 0;) {
        uint64_t left = sets->reached[word];

        while (left != 0) {
            unsigned bit = highest(left);

            go_on(sets, word * WORD + bit);
            left = sets->reached[word] & below(bit);
        }
    }
}

/* Follows a man, up to where it becomes a king that can go on. It was crowned by a jump forward. */
static void follow_man(struct sets *sets, const struct draughts_taker *man, unsigned set)
{
    uint64_t landings = draughts_landings(sets->d, man);

    if (man->jumps > 0)
        raise_longest(sets, draughts_bit(man->square), man->jumps);
    for (; landings != 0; landings &= landings - 1) {
        struct draughts_taker next = draughts_jump(sets->d, man, lowest(landings));
        uint64_t victim = man->takeable & ~next.takeable;

        if (next.king)
            arrive(sets, without(sets, set, victim), draughts_forward(sets->d->turn),
                   sets->index[lowest(victim)]);
        else
            follow_man(sets, &next, without(sets, set, victim));
    }
}

static void reach(struct sets *sets, const struct draughts_taker *taker)
{
    uint64_t start = draughts_bit(taker->square);

    if (taker->king)
        jump(sets, all_of(sets), (const uint64_t[]){start, start, start, start});
    else
        follow_man(sets, taker, all_of(sets));
    go_on_from_all(sets);
}

unsigned draughts_sweep_longest(const struct draughts *d, uint64_t takers, unsigned known)
{
    struct sets sets;

    for (; takers != 0; takers &= takers - 1) {
        struct draughts_taker taker = draughts_taker(d, lowest(takers));

        set_up(&sets, d, taker.square, UINT64_MAX);
        if (sets.nvictims <= known)
            continue;
        reach(&sets, &taker);
        known = sets.longest > known ? sets.longest : known;
    }
    return known;
}

unsigned draughts_longest_to(const struct draughts *d, unsigned from, unsigned to)
{
    struct draughts_taker taker = draughts_taker(d, from);
    struct sets sets;

    set_up(&sets, d, from, draughts_bit(to));
    reach(&sets, &taker);
    return sets.longest;
}

/* ---- what of it leads to a longest capture ---- */

/* The jumps from a set that a longest capture goes on with, as arrivals: for each direction the
 * victims. */
static uint64_t good_jumps(const struct sets *sets, unsigned set)
{
    uint64_t good = 0;

    for (unsigned left = set; left != 0; left &= left - 1) {
        unsigned victim = left & -left, rest = set & ~victim;

        if (is_reached(sets, rest))
            good |= sets->arrivals[rest] & victim * IN_ALL_DIRECTIONS;
    }
    return good;
}

/* The squares on which a king that came in a direction goes on to a longest capture. */
static void find_good_squares(const struct sets *sets, unsigned set, uint64_t jumps,
                              uint64_t good[DRAUGHTS_DIRECTIONS])
{
    uint64_t empty = empty_at(sets, set), onward[DRAUGHTS_DIRECTIONS];

    for (enum draughts_direction to = DRAUGHTS_UP; to <= DRAUGHTS_LEFT; to++) {
        enum draughts_direction back = draughts_opposite(to);
        uint64_t victims = squares_of(sets, victims_of(jumps, to));

        onward[back] = slide(step(victims, back) & empty, empty, back);
    }
    for (enum draughts_direction to = DRAUGHTS_UP; to <= DRAUGHTS_LEFT; to++)
        good[to] = may_go(sets, onward, draughts_opposite(to));
}

/* Of the arrivals at a set, those that can land on one of the squares. */
static uint64_t arrivals_on(const struct sets *sets, unsigned set,
                            const uint64_t squares[DRAUGHTS_DIRECTIONS])
{
    uint64_t empty = empty_at(sets, set), kept = 0;

    for (enum draughts_direction to = DRAUGHTS_UP; to <= DRAUGHTS_LEFT; to++) {
        enum draughts_direction back = draughts_opposite(to);
        uint64_t before = step(slide(squares[to] & empty, empty, back), back);

        for (unsigned left = victims_of(sets->arrivals[set], to); left != 0; left &= left - 1)
            if ((squares_of(sets, left & -left) & before) != 0)
                kept |= (uint64_t)(left & -left) << 16 * to;
    }
    return kept;
}

/* Drops the arrivals at a set that lead to no longest capture. */
static void keep_good(struct sets *sets, unsigned set, unsigned longest)
{
    uint64_t good[DRAUGHTS_DIRECTIONS] = {sets->ends, sets->ends, sets->ends, sets->ends};
    bool is_end = jumps_to(sets, set) == longest;
    uint64_t jumps = is_end ? 0 : good_jumps(sets, set), kept = 0;

    if (jumps != 0)
        find_good_squares(sets, set, jumps, good);
    if (jumps != 0 || is_end)
        kept = arrivals_on(sets, set, good);
    sets->arrivals[set] = kept;
    if (kept == 0)
        sets->reached[set / WORD] &= ~((uint64_t)1 << set % WORD);
}

/* Goes through the sets upwards: what follows a jump is judged before it. */
static void keep_all_good(struct sets *sets, struct draughts_search *found)
{
    sets->ends = found->ends;
    for (unsigned word = 0; word < SETS / WORD; word++)
        for (uint64_t left = sets->reached[word]; left != 0; left &= left - 1)
            keep_good(sets, word * WORD + lowest(left), found->longest);
}

/* ---- listing ---- */

static uint64_t good_landings(const struct sets *sets, const struct draughts_taker *king,
                              unsigned set)
{
    uint64_t landings = 0;

    for (enum draughts_direction to = DRAUGHTS_UP; to <= DRAUGHTS_LEFT; to++) {
        uint64_t victim =
            draughts_met(king->square, to, king->occupied) & king->takeable & sets->victims;

        if (victim != 0 && draughts_may_turn(sets->d, king, to) &&
            is_arrival(sets, without(sets, set, victim), to, sets->index[lowest(victim)]))
            landings |= run(lowest(victim), to, king->occupied);
    }
    return landings;
}

/* Follows every path to a longest capture, in the order of draughts_walk(). Men are followed to the
 * end of the list and beyond, for what the captures have in common. */
static void list(struct draughts_search *found, const struct sets *sets,
                 const struct draughts_taker *taker, unsigned set)
{
    uint64_t landings;

    if (taker->jumps == found->longest) {
        draughts_note(found, taker);
        return;
    }
    if (taker->king && found->count > found->cap)
        return;
    landings = taker->king ? good_landings(sets, taker, set) : draughts_landings(sets->d, taker);
    for (; landings != 0; landings &= landings - 1) {
        struct draughts_taker next = draughts_jump(sets->d, taker, lowest(landings));

        list(found, sets, &next, without(sets, set, taker->takeable & ~next.takeable));
    }
}

/* Captures that leave different sets, or that end as a man, make different positions. Not all
 * captures of kings were listed, but each of them ends on one of the sets that were kept. */
static void compare_ends(struct draughts_search *found, const struct sets *sets)
{
    uint64_t never_taken = found->d->side[!found->d->turn] & ~sets->victims;

    for (unsigned word = 0; word < SETS / WORD; word++)
        for (uint64_t left = sets->reached[word]; left != 0; left &= left - 1) {
            unsigned set = word * WORD + lowest(left);

            if (jumps_to(sets, set) == found->longest)
                found->differ |=
                    !found->king || (squares_of(sets, set) | never_taken) != found->spared;
        }
}

void draughts_sweep(struct draughts_search *found, uint64_t takers)
{
    struct sets sets;

    found->count = 0;
    found->differ = false;
    for (; takers != 0; takers &= takers - 1) {
        struct draughts_taker taker = draughts_taker(found->d, lowest(takers));

        set_up(&sets, found->d, taker.square, UINT64_MAX);
        reach(&sets, &taker);
        if (sets.longest < found->longest)
            continue;
        keep_all_good(&sets, found);
        list(found, &sets, &taker, all_of(&sets));
        compare_ends(found, &sets);
    }
}
