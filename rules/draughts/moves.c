/*
 * moves.c - the moves of Turkish draughts on sets of squares.
 *
 * All men step at once, by one shift of their set; kings look along rays one by one. Which pieces
 * can take at all is found without a search (draughts_takers()), so that the search for the longest
 * capture, which costs the most, runs only where there is one.
 */
#include "rules/draughts/moves.h"

static const uint64_t file_a = 0x0101010101010101;
static const uint64_t file_h = 0x8080808080808080;
static const uint64_t top_rank = 0xff;

/* ---- squares and sets ---- */

static unsigned lowest(uint64_t set)
{
    return (unsigned)__builtin_ctzll(set);
}

static unsigned highest(uint64_t set)
{
    return 63 - (unsigned)__builtin_clzll(set);
}

static bool is_vertical(enum draughts_direction direction)
{
    return direction == DRAUGHTS_UP || direction == DRAUGHTS_DOWN;
}

/* Whether squares get greater numbers in that direction. */
static bool is_rising(enum draughts_direction direction)
{
    return direction == DRAUGHTS_RIGHT || direction == DRAUGHTS_DOWN;
}

/* Every square of the set one step on; what would leave the board is dropped. */
static inline uint64_t step(uint64_t set, enum draughts_direction direction)
{
    switch (direction) {
    case DRAUGHTS_UP:
        return set >> 8;
    case DRAUGHTS_RIGHT:
        return (set & ~file_h) << 1;
    case DRAUGHTS_DOWN:
        return set << 8;
    case DRAUGHTS_LEFT:
        return (set & ~file_a) >> 1;
    }
    return 0;
}

static uint64_t below(unsigned square)
{
    return draughts_bit(square) - 1;
}

static uint64_t above(unsigned square)
{
    return ~(below(square) | draughts_bit(square));
}

static uint64_t line_through(unsigned square, bool vertical)
{
    return vertical ? file_a << (square & 7) : top_rank << (square & 56);
}

/* The squares beyond `square`, to the edge. */
static inline uint64_t ray(unsigned square, enum draughts_direction direction)
{
    return line_through(square, is_vertical(direction)) &
           (is_rising(direction) ? above(square) : below(square));
}

uint64_t draughts_met(unsigned square, enum draughts_direction direction, uint64_t set)
{
    uint64_t ahead = ray(square, direction) & set;

    if (ahead == 0)
        return 0;
    return draughts_bit(is_rising(direction) ? lowest(ahead) : highest(ahead));
}

/* The empty squares beyond `square` up to the first obstacle. */
static inline uint64_t run(unsigned square, enum draughts_direction direction, uint64_t occupied)
{
    uint64_t way = ray(square, direction);
    uint64_t obstacles = way & occupied;

    if (obstacles == 0)
        return way;
    return way & (is_rising(direction) ? below(lowest(obstacles)) : above(highest(obstacles)));
}

bool draughts_in_line(unsigned from, unsigned to, enum draughts_direction *direction)
{
    for (*direction = DRAUGHTS_UP; *direction <= DRAUGHTS_LEFT; (*direction)++)
        if (ray(from, *direction) & draughts_bit(to))
            return true;
    return false;
}

uint64_t draughts_between(unsigned a, unsigned b)
{
    unsigned low = a < b ? a : b, high = a < b ? b : a;

    return line_through(a, ((a ^ b) & 7) == 0) & above(low) & below(high);
}

/* ---- one capture, jump by jump ---- */

static rules_move path_with(rules_move path, unsigned i, unsigned square)
{
    if (i < DRAUGHTS_SQUARES_IN_FIRST_WORD)
        path.w[0] |= (uint64_t)square << (6 * i);
    else
        path.w[1] |= (uint64_t)square << (6 * (i - DRAUGHTS_SQUARES_IN_FIRST_WORD));
    return path;
}

struct draughts_taker draughts_taker(const struct draughts *d, unsigned square)
{
    return (struct draughts_taker){
        .path = path_with((rules_move){{0, 0}}, 0, square),
        .takeable = d->side[!d->turn],
        .occupied = draughts_occupied(d) & ~draughts_bit(square),
        .square = (uint8_t)square,
        .king = (d->kings & draughts_bit(square)) != 0,
    };
}

/* Where a man's jump lands: two squares on, with an enemy piece between. A man needs no look at
 * T17: to turn back by 180 degrees it would have to jump over the piece that it has just taken. */
static uint64_t man_landings(unsigned side, const struct draughts_taker *taker)
{
    uint64_t at = draughts_bit(taker->square), enemy = taker->takeable;
    enum draughts_direction ahead = draughts_forward(side);

    return ~taker->occupied & (step(step(at, ahead) & enemy, ahead) |
                               step(step(at, DRAUGHTS_LEFT) & enemy, DRAUGHTS_LEFT) |
                               step(step(at, DRAUGHTS_RIGHT) & enemy, DRAUGHTS_RIGHT));
}

bool draughts_may_turn(const struct draughts *d, const struct draughts_taker *taker,
                       enum draughts_direction direction)
{
    return taker->jumps == 0 || d->turn180 == DRAUGHTS_TURN180_ALLOWED ||
           !(ray(taker->square, direction) & draughts_bit(taker->came_from));
}

static uint64_t king_landings(const struct draughts *d, const struct draughts_taker *taker)
{
    uint64_t landings = 0;

    for (enum draughts_direction to = DRAUGHTS_UP; to <= DRAUGHTS_LEFT; to++) {
        uint64_t victim = draughts_met(taker->square, to, taker->occupied) & taker->takeable;

        if (victim != 0 && draughts_may_turn(d, taker, to))
            landings |= run(lowest(victim), to, taker->occupied);
    }
    return landings;
}

uint64_t draughts_landings(const struct draughts *d, const struct draughts_taker *taker)
{
    if (taker->stopped)
        return 0;
    return taker->king ? king_landings(d, taker) : man_landings(d->turn, taker);
}

struct draughts_taker draughts_jump(const struct draughts *d, const struct draughts_taker *taker,
                                    unsigned landing)
{
    uint64_t victim = draughts_between(taker->square, landing) & taker->takeable;
    bool crowned = !taker->king && (draughts_last_rank(d->turn) & draughts_bit(landing)) != 0;

    return (struct draughts_taker){
        .path = path_with(taker->path, taker->jumps + 1U, landing),
        .takeable = taker->takeable & ~victim,
        .occupied = taker->occupied & ~(d->removal == DRAUGHTS_REMOVED_AT_ONCE ? victim : 0),
        .square = (uint8_t)landing,
        .jumps = (uint8_t)(taker->jumps + 1),
        .came_from = taker->square,
        .king = taker->king || (crowned && d->promotion == DRAUGHTS_CROWNED_AT_ONCE),
        .stopped = crowned && d->promotion == DRAUGHTS_CROWNED_AND_STOPPED,
    };
}

rules_move draughts_capture(const struct draughts_taker *taker)
{
    rules_move move = taker->path;

    move.w[1] |= (uint64_t)taker->jumps << DRAUGHTS_JUMPS_SHIFT;
    return move;
}

/* ---- the longest captures ----
 *
 * T18 and T29: only captures that take the most are legal, and every path of landing squares is a
 * move of its own. So all paths are walked to their ends. A path that can go on is no move, since
 * going on takes more. Each jump takes a piece, so a path has at most DRAUGHTS_JUMPS_MAX jumps. */

struct captures {
    const struct draughts *d;
    uint64_t ends;    /* only captures that end on these squares are wanted */
    unsigned longest; /* jumps of the longest so far; shorter ones are dropped */
    size_t count;
    rules_move *moves;
    size_t cap;
    uint64_t spared; /* of the first capture: the pieces that it leaves, */
    bool king;       /* and whether it ends as a king */
    bool differ;     /* whether another capture differs from it in one of the two */
};

/* Takes note of a capture that cannot go on. If it is longer than all before, it makes those void
 * (T18), even if it ends on a square that is not wanted. */
static void record(struct captures *found, const struct draughts_taker *taker)
{
    if (taker->jumps > found->longest) {
        found->longest = taker->jumps;
        found->count = 0;
    }
    if (taker->jumps < found->longest || !(found->ends & draughts_bit(taker->square)))
        return;
    if (found->count < found->cap)
        found->moves[found->count] = draughts_capture(taker);
    if (found->count == 0) {
        found->spared = taker->takeable;
        found->king = taker->king;
    }
    found->differ |= taker->takeable != found->spared || taker->king != found->king;
    found->count++;
}

static void search(struct captures *found, const struct draughts_taker *taker)
{
    uint64_t landings = draughts_landings(found->d, taker);

    if (landings == 0)
        record(found, taker);
    for (; landings != 0; landings &= landings - 1) {
        struct draughts_taker next = draughts_jump(found->d, taker, lowest(landings));

        search(found, &next);
    }
}

static void search_all(struct captures *found, uint64_t takers)
{
    for (; takers != 0; takers &= takers - 1) {
        struct draughts_taker taker = draughts_taker(found->d, lowest(takers));

        search(found, &taker);
    }
}

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

unsigned draughts_longest(const struct draughts *d)
{
    struct captures found = {.d = d, .ends = UINT64_MAX};

    search_all(&found, draughts_takers(d));
    return found.longest;
}

/* `longest` begins with what any piece can take: captures from one square alone would otherwise be
 * measured among themselves. */
size_t draughts_captures(const struct draughts *d, unsigned from, unsigned to, rules_move *moves,
                         size_t cap, bool *alike)
{
    struct captures found = {.d = d,
                             .ends = draughts_bit(to),
                             .longest = draughts_longest(d),
                             .moves = moves,
                             .cap = cap};

    search_all(&found, draughts_takers(d) & draughts_bit(from));
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
    struct captures found = {.d = d, .ends = UINT64_MAX, .moves = moves, .cap = cap};
    struct list quiet = {.moves = moves, .cap = cap};
    uint64_t taking = draughts_takers(d);

    if (taking != 0) {
        search_all(&found, taking);
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
    struct captures found = {.d = d, .ends = UINT64_MAX};
    uint64_t taking = draughts_takers(d);

    if (taking != 0) {
        search_all(&found, taking);
        return found.count;
    }
#if defined(__x86_64__)
    if (__builtin_cpu_supports("popcnt"))
        return count_quiet_with_popcnt(d);
#endif
    return count_quiet(d);
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
