/*
 * moves.c - the moves of Turkish draughts on sets of squares.
 *
 * All men step at once, by one shift of their set; kings look along rays one by one. Which pieces
 * can take at all is found without a search (draughts_takers()), so that the search for the longest
 * capture, which costs the most, runs only where there is one.
 */
#include "rules/draughts/moves.h"

#include "rules/draughts/captures.h"

/* Positions that arise in play need some tens of jumps, and seldom hundreds. */
enum { ORDINARY_JUMPS = 4096 };

/* ---- who can take, who can move ---- */

/* The men that can take in a direction. The set is found backwards: from empty squares a step back
 * to enemies, and from those a step back to men. */
static inline uint64_t men_taking(uint64_t men, uint64_t enemy, uint64_t empty,
                                  enum draughts_direction direction)
{
    enum draughts_direction back = draughts_opposite(direction);

    return men & step(enemy & step(empty, back), back);
}

static bool king_takes(unsigned king, uint64_t enemy, uint64_t occupied)
{
    for (enum draughts_direction to = DRAUGHTS_UP; to <= DRAUGHTS_LEFT; to++) {
        if (step(draughts_met(king, to, occupied) & enemy, to) & ~occupied)
            return true;
    }
    return false;
}

uint64_t draughts_takers(const struct draughts *d)
{
    uint64_t own = d->side[d->turn], enemy = d->side[!d->turn];
    uint64_t men = own & ~d->kings, empty = ~(own | enemy);
    uint64_t found = men_taking(men, enemy, empty, draughts_forward(d->turn)) |
                     men_taking(men, enemy, empty, DRAUGHTS_LEFT) |
                     men_taking(men, enemy, empty, DRAUGHTS_RIGHT);

    for (uint64_t kings = own & d->kings; kings != 0; kings &= kings - 1)
        if (king_takes(lowest(kings), enemy, own | enemy))
            found |= kings & -kings;
    return found;
}

static inline uint64_t king_reach(unsigned king, uint64_t occupied)
{
    return run(king, DRAUGHTS_UP, occupied) | run(king, DRAUGHTS_RIGHT, occupied) |
           run(king, DRAUGHTS_DOWN, occupied) | run(king, DRAUGHTS_LEFT, occupied);
}

/* Where all men together can step in a direction (T9). */
static inline uint64_t men_steps(const struct draughts *d, enum draughts_direction direction)
{
    return step(d->side[d->turn] & ~d->kings, direction) & ~draughts_occupied(d);
}

unsigned draughts_longest(const struct draughts *d, unsigned known)
{
    struct draughts_search found = {.d = d, .longest = known};
    uint64_t takers = draughts_takers(d);

    if (draughts_walk(&found, takers, ORDINARY_JUMPS))
        return found.longest;
    return draughts_sweep_longest(d, takers, found.longest);
}

size_t draughts_captures(const struct draughts *d, unsigned from, unsigned to, unsigned longest,
                         rules_move *moves, size_t cap, bool *alike)
{
    struct draughts_search found = {
        .d = d, .ends = draughts_bit(to), .moves = moves, .cap = cap, .longest = longest};
    uint64_t takers = draughts_takers(d) & draughts_bit(from);

    if (!draughts_walk(&found, takers, ORDINARY_JUMPS))
        draughts_sweep(&found, takers);
    *alike = !found.differ;
    return found.count;
}

/* ---- all moves ---- */

struct list {
    rules_move *moves;
    size_t count, cap;
};

static void add(struct list *list, unsigned from, unsigned to)
{
    if (list->count < list->cap)
        list->moves[list->count] = draughts_quiet_move(from, to);
    list->count++;
}

static void add_men(struct list *list, const struct draughts *d, enum draughts_direction direction)
{
    uint64_t to = men_steps(d, direction);

    for (; to != 0; to &= to - 1)
        add(list, lowest(step(to & -to, draughts_opposite(direction))), lowest(to));
}

static void add_kings(struct list *list, const struct draughts *d)
{
    uint64_t kings = d->side[d->turn] & d->kings;

    for (; kings != 0; kings &= kings - 1) {
        unsigned from = lowest(kings);
        uint64_t to = king_reach(from, draughts_occupied(d));

        for (; to != 0; to &= to - 1)
            add(list, from, lowest(to));
    }
}

size_t draughts_legal(const struct draughts *d, rules_move *moves, size_t cap)
{
    struct draughts_search found = {.d = d, .ends = UINT64_MAX, .moves = moves, .cap = cap};
    struct list quiet = {.moves = moves, .cap = cap};
    uint64_t taking = draughts_takers(d);

    if (taking != 0) {
        if (!draughts_walk(&found, taking, ORDINARY_JUMPS)) {
            found.longest = draughts_sweep_longest(d, taking, found.longest);
            draughts_sweep(&found, taking);
        }
        return found.count;
    }
    add_men(&quiet, d, draughts_forward(d->turn));
    add_men(&quiet, d, DRAUGHTS_LEFT);
    add_men(&quiet, d, DRAUGHTS_RIGHT);
    add_kings(&quiet, d);
    return quiet.count;
}

static inline size_t size_of(uint64_t set)
{
    return (size_t)__builtin_popcountll(set);
}

static inline __attribute__((always_inline)) size_t count_quiet(const struct draughts *d)
{
    size_t n = size_of(men_steps(d, draughts_forward(d->turn))) +
               size_of(men_steps(d, DRAUGHTS_LEFT)) + size_of(men_steps(d, DRAUGHTS_RIGHT));

    for (uint64_t kings = d->side[d->turn] & d->kings; kings != 0; kings &= kings - 1)
        n += size_of(king_reach(lowest(kings), draughts_occupied(d)));
    return n;
}

#if defined(__x86_64__)
__attribute__((target("popcnt"))) static size_t count_quiet_with_popcnt(const struct draughts *d)
{
    return count_quiet(d);
}
#endif

bool draughts_can_move(const struct draughts *d)
{
    return draughts_takers(d) != 0 || count_quiet(d) > 0;
}

/* Where nothing can be taken, counting bits is half of the work. Most processors do that in one
 * instruction, but not all that the program runs on: hence two copies, chosen at run time. */
size_t draughts_count(const struct draughts *d)
{
    struct draughts_search found = {.d = d, .ends = UINT64_MAX};
    uint64_t taking = draughts_takers(d);

    if (taking != 0) {
        draughts_walk(&found, taking, SIZE_MAX);
        return found.count;
    }
#if defined(__x86_64__)
    if (__builtin_cpu_supports("popcnt"))
        return count_quiet_with_popcnt(d);
#endif
    return count_quiet(d);
}

bool draughts_is_heavy(const struct draughts *d)
{
    struct draughts_search found = {.d = d};

    return !draughts_walk(&found, draughts_takers(d), ORDINARY_JUMPS);
}

/* ---- playing ---- */

/* The pieces that a move takes: whatever enemy stands between one landing and the next (T29). A
 * square may be crossed twice, if the piece on it went at once (T16); it counts once. */
static uint64_t victims(const struct draughts *d, rules_move move)
{
    uint64_t taken = 0, enemy = d->side[!d->turn];

    for (unsigned i = 1; i <= draughts_jumps(move); i++)
        taken |= enemy & draughts_between(draughts_square(move, i - 1), draughts_square(move, i));
    return taken;
}

/* Whether a man is crowned by its move. Under every value of T21 that is so exactly if it lands on
 * the last rank at any time: a man that is not crowned there cannot leave that rank again. */
static bool crowns(const struct draughts *d, rules_move move)
{
    for (unsigned i = 1; i <= draughts_last(move); i++)
        if (draughts_last_rank(d->turn) & draughts_bit(draughts_square(move, i)))
            return true;
    return false;
}

void draughts_play(const struct draughts *d, rules_move move, struct draughts *next)
{
    unsigned from = draughts_square(move, 0), to = draughts_square(move, draughts_last(move));
    unsigned side = d->turn;
    uint64_t taken = victims(d, move);
    bool king = (d->kings & draughts_bit(from)) != 0;
    bool crowned = king || crowns(d, move);
    bool progress = taken != 0 || (!king && ((from ^ to) & 56) != 0);

    *next = *d;
    next->side[side] = (d->side[side] & ~draughts_bit(from)) | draughts_bit(to);
    next->side[!side] = d->side[!side] & ~taken;
    next->kings = (d->kings & ~(taken | draughts_bit(from))) | (crowned ? draughts_bit(to) : 0);
    next->quiet_plies = progress ? 0 : d->quiet_plies + 1;
    next->number = d->number + side;
    next->turn = !side;
}
