/*
 * stackchess_moves.c - every legal move of Stackchess, listed or counted.
 *
 * A square is the centre of a star of four lines, and where a man may go straight is a set of
 * squares on them, a word of bits a line, at any size of the board. What a group may do is what all
 * of its men may do (5.4): the sets of its men, intersected from the top of the stack downwards.
 * A knight's leap is a second star: the four ranks above and below, on which all of a group may
 * land as soon as knights enough are in it.
 */
#include "stackchess.h"

enum { RANK, FILE_, FALL, RISE, LANES };

/* A line as one of its squares sees it. */
struct lane {
    uint32_t own, enemy; /* who stands where; both: off the board */
    unsigned bit;        /* of the square `origin` */
    unsigned origin;
    int step; /* to the square of the next bit */
};

struct star {
    struct lane lane[LANES];
};

/* Squares of a star. */
struct reach {
    uint32_t on[LANES];
};

/* What becomes of the moves that are found; inlined into both loops. */
typedef size_t take_fn(void *context, const struct lane *lane, uint32_t targets, unsigned from,
                       unsigned count);

#define INLINE inline __attribute__((always_inline))

/* ---- the star of a square ---- */

static INLINE struct lane lane_at(const struct view *view, unsigned line, unsigned bit,
                                  unsigned origin, int step)
{
    unsigned us = view->head->mover;

    return (struct lane){view->lines[line].of[us], view->lines[line].of[1 - us], bit, origin, step};
}

static INLINE struct star straight_star(const struct view *view, unsigned row, unsigned column)
{
    unsigned n = view->n, square = row * n + column;

    return (struct star){{
        [RANK] = lane_at(view, line_of_rank(row), column + 1, square, 1),
        [FILE_] = lane_at(view, line_of_file(n, column), row + 1, square, (int)n),
        [FALL] = lane_at(view, line_of_fall(n, row, column), column + 1, square, (int)n + 1),
        [RISE] = lane_at(view, line_of_rise(n, row, column), column + 1, square, 1 - (int)n),
    }};
}

/* The ranks on which a knight lands: one and two above, one and two below. */
static INLINE struct star leap_star(const struct view *view, unsigned row, unsigned column)
{
    unsigned n = view->n, square = row * n + column, line = line_of_rank(row);

    return (struct star){{
        lane_at(view, line - 1, column + 1, square - n, 1),
        lane_at(view, line - 2, column + 1, square - 2 * n, 1),
        lane_at(view, line + 1, column + 1, square + n, 1),
        lane_at(view, line + 2, column + 1, square + 2 * n, 1),
    }};
}

static INLINE unsigned square_of_bit(const struct lane *lane, unsigned bit)
{
    return lane->origin + (unsigned)(((int)bit - (int)lane->bit) * lane->step);
}

/* ---- how one man moves (6, 7, 8) ---- */

/* From the square both ways up to the first stack, which is included (6.2). */
static INLINE uint32_t ray(const struct lane *lane)
{
    uint32_t here = 1U << lane->bit, stacks = lane->own | lane->enemy;
    uint32_t above = stacks & ~(here | (here - 1)), below = stacks & (here - 1);
    uint32_t up_to_above = above ^ (above - 1);
    uint32_t down_to_below = ~0U << (31 - __builtin_clz(below));

    return up_to_above & down_to_below & ~here;
}

static INLINE uint32_t beside(const struct lane *lane)
{
    return 1U << (lane->bit + 1) | 1U << (lane->bit - 1);
}

/* One square ahead on a file or a falling diagonal. On a rising one the columns count the other
 * way, so that the other side's "ahead" is meant. */
static INLINE uint32_t ahead(uint32_t square, unsigned side)
{
    return side == 0 ? square >> 1 : square << 1;
}

static INLINE struct reach pawn_reach(const struct star *star, bool unmoved, unsigned side)
{
    const struct lane *file = &star->lane[FILE_], *fall = &star->lane[FALL];
    const struct lane *rise = &star->lane[RISE];
    uint32_t one = ahead(1U << file->bit, side) & ~file->enemy;
    uint32_t two = unmoved ? ahead(one & ~file->own, side) & ~file->enemy : 0;

    return (struct reach){{
        [FILE_] = one | two,
        [FALL] = ahead(1U << fall->bit, side) & fall->enemy,
        [RISE] = ahead(1U << rise->bit, 1 - side) & rise->enemy,
    }};
}

static INLINE struct reach straight_reach(const struct star *star, man m, unsigned side)
{
    const struct lane *lane = star->lane;

    switch (man_kind(m)) {
    case KING:
        return (struct reach){
            {beside(&lane[RANK]), beside(&lane[FILE_]), beside(&lane[FALL]), beside(&lane[RISE])}};
    case QUEEN:
        return (struct reach){
            {ray(&lane[RANK]), ray(&lane[FILE_]), ray(&lane[FALL]), ray(&lane[RISE])}};
    case BISHOP:
        return (struct reach){{[FALL] = ray(&lane[FALL]), [RISE] = ray(&lane[RISE])}};
    case ROOK:
        return (struct reach){{[RANK] = ray(&lane[RANK]), [FILE_] = ray(&lane[FILE_])}};
    case PAWN:
        return pawn_reach(star, m & MAN_UNMOVED, side);
    default:
        return (struct reach){{0}};
    }
}

static INLINE struct reach leap_reach(const struct star *star)
{
    uint32_t here = 1U << star->lane[0].bit;

    return (struct reach){{here << 2 | here >> 2, here << 1 | here >> 1, here << 2 | here >> 2,
                           here << 1 | here >> 1}};
}

/* ---- groups ---- */

/* Those of the enemy stacks that fewer than `count` men make (5.3). */
static uint32_t lower_stacks(const struct view *view, const struct lane *lane, uint32_t stacks,
                             unsigned count)
{
    uint32_t lower = 0;

    for (; stacks != 0; stacks &= stacks - 1)
        if (height_at(view, square_of_bit(lane, (unsigned)__builtin_ctz(stacks))) < count)
            lower |= stacks & -stacks;
    return lower;
}

/* Takes the moves of the top `count` men of `from` within their reach. */
static INLINE size_t land(const struct view *view, const struct star *star, struct reach reach,
                          unsigned from, unsigned count, take_fn *take, void *context)
{
    size_t n = 0;

    for (unsigned i = 0; i < LANES; i++) {
        const struct lane *lane = &star->lane[i];
        uint32_t quiet = reach.on[i] & ~lane->enemy;
        uint32_t enemies = reach.on[i] & lane->enemy & ~lane->own;

        if (count > 1 && enemies != 0)
            quiet |= lower_stacks(view, lane, enemies, count);
        n += take(context, lane, quiet, from, count);
    }
    return n;
}

static INLINE size_t each_group(const struct view *view, unsigned row, unsigned column,
                                take_fn *take, void *context)
{
    struct star straight = straight_star(view, row, column), leap = leap_star(view, row, column);
    struct reach common = {{~0U, ~0U, ~0U, ~0U}};
    unsigned square = row * view->n + column, count = 0, knights = 0;
    size_t n = 0;

    for (man_number i = view->tops[square]; i != 0; i = man_below(view->men[i])) {
        struct reach reach = straight_reach(&straight, view->men[i], view->head->mover);

        for (unsigned l = 0; l < LANES; l++)
            common.on[l] &= reach.on[l];
        count++;
        knights += man_kind(view->men[i]) == KNIGHT;
        n += land(view, &straight, common, square, count, take, context);
        if (count <= 2 * knights)
            n += land(view, &leap, leap_reach(&leap), square, count, take, context);
    }
    return n;
}

static INLINE size_t each_move(const struct rules_state *state, take_fn *take, void *context)
{
    struct view view = view_of(state);
    unsigned us = view.head->mover;
    size_t n = 0;

    if (stackchess_end(&view) != RULES_REASON_NONE)
        return 0;
    for (unsigned row = 0; row < view.n; row++) {
        const struct line *rank = &view.lines[line_of_rank(row)];

        for (uint32_t own = rank->of[us] & ~rank->of[1 - us]; own != 0; own &= own - 1)
            n += each_group(&view, row, (unsigned)__builtin_ctz(own) - 1, take, context);
    }
    return n;
}

/* ---- listing and counting ---- */

struct list {
    rules_move *moves;
    size_t cap, len;
};

static INLINE size_t write_moves(void *context, const struct lane *lane, uint32_t targets,
                                 unsigned from, unsigned count)
{
    struct list *list = context;
    size_t before = list->len;

    for (; targets != 0; targets &= targets - 1) {
        unsigned to = square_of_bit(lane, (unsigned)__builtin_ctz(targets));

        if (list->len < list->cap)
            list->moves[list->len] = move_of(from, to, count);
        list->len++;
    }
    return list->len - before;
}

size_t stackchess_legal(const struct rules_state *state, rules_move *moves, size_t cap)
{
    struct list list = {moves, cap, 0};

    return each_move(state, write_moves, &list);
}

static INLINE size_t count_targets(void *context, const struct lane *lane, uint32_t targets,
                                   unsigned from, unsigned count)
{
    (void)context, (void)lane, (void)from, (void)count;
    return (size_t)__builtin_popcount(targets);
}

#if defined(__x86_64__)
__attribute__((target("popcnt"))) static size_t count_by_popcnt(const struct rules_state *state)
{
    return each_move(state, count_targets, NULL);
}
#endif

size_t stackchess_count(const struct rules_state *state)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("popcnt"))
        return count_by_popcnt(state);
#endif
    return each_move(state, count_targets, NULL);
}
