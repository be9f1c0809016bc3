/*
 * moves.c - every legal move of Stackchess, listed or counted.
 *
 * A square is the centre of a star of four lines, and where a man may go straight is a set of
 * squares on them: four words of bits at any size of the board, in one register and worked on at
 * once. A group may do what all of its men may do (5.4), so its set is the intersection of theirs,
 * made from the top of the stack downwards: each man more gives the next group. Knights leap on a
 * second star, of the four ranks around the square. A whole group may land there as soon as it has
 * knights enough (8.1).
 *
 * Listing and counting share all of this. They differ in what they do with the sets that are found
 * (take_fn), which is inlined into a copy of the search for each.
 */
#include "rules/stackchess/board.h"

#define INLINE inline __attribute__((always_inline))

/* The lines of the star for straight moves, and after them those of the star for leaps. */
enum { RANK_LINE, FILE_LINE, FALL_LINE, RISE_LINE, LINES };
enum { ONE_UP = LINES, TWO_UP, ONE_DOWN, TWO_DOWN };

/* A word of bits for each line of a star, and the same as two numbers. */
typedef uint32_t words __attribute__((vector_size(16)));
typedef uint64_t halves __attribute__((vector_size(16)));

#define NONE       \
    {              \
        0, 0, 0, 0 \
    }
#define ALL                \
    {                      \
        ~0U, ~0U, ~0U, ~0U \
    }
#define UPRIGHT        \
    {                  \
        ~0U, ~0U, 0, 0 \
    }
#define DIAGONAL       \
    {                  \
        0, 0, ~0U, ~0U \
    }
#define ON_FILE      \
    {                \
        0, ~0U, 0, 0 \
    }
#define ON_RISE      \
    {                \
        0, 0, 0, ~0U \
    }
#define FORWARD          \
    {                    \
        0, ~0U, ~0U, ~0U \
    }

struct star {
    const struct view *view;
    unsigned row, column; /* of the centre */
    unsigned first;       /* RANK_LINE or ONE_UP: which star it is */
    words here;           /* the centre, or the square of its file */
    words own, enemy;     /* who stands where; squares of both are off the board */
};

/* What becomes of the moves of a group that are found; returns their number. */
typedef size_t take_fn(void *context, const struct star *star, words targets, unsigned count);

/* ---- stars ---- */

static INLINE words stacks_on(const struct line *const line[LINES], unsigned side)
{
    return (words){line[0]->of[side], line[1]->of[side], line[2]->of[side], line[3]->of[side]};
}

static INLINE struct star straight_star(const struct view *view, unsigned row, unsigned column)
{
    unsigned n = view->n, us = view->head->mover;
    uint32_t rank_bit = 2U << column, file_bit = 2U << row;
    const struct line *const line[LINES] = {
        [RANK_LINE] = &view->lines[line_of_rank(row)],
        [FILE_LINE] = &view->lines[line_of_file(n, column)],
        [FALL_LINE] = &view->lines[line_of_fall(n, row, column)],
        [RISE_LINE] = &view->lines[line_of_rise(n, row, column)],
    };

    return (struct star){view,
                         row,
                         column,
                         RANK_LINE,
                         {rank_bit, file_bit, rank_bit, rank_bit},
                         stacks_on(line, us),
                         stacks_on(line, 1 - us)};
}

static INLINE struct star leap_star(const struct view *view, unsigned row, unsigned column)
{
    unsigned us = view->head->mover;
    uint32_t bit = 2U << column;
    const struct line *rank = &view->lines[line_of_rank(row)];
    const struct line *const line[LINES] = {rank - 1, rank - 2, rank + 1, rank + 2};

    return (struct star){view,
                         row,
                         column,
                         ONE_UP,
                         {bit, bit, bit, bit},
                         stacks_on(line, us),
                         stacks_on(line, 1 - us)};
}

/* The square that the lowest bit of a word of the star stands for. */
static unsigned square_of(const struct star *star, unsigned line, uint32_t word)
{
    unsigned n = star->view->n, i = (unsigned)__builtin_ctz(word) - 1;

    switch (star->first + line) {
    case RANK_LINE:
        return star->row * n + i;
    case FILE_LINE:
        return i * n + star->column;
    case FALL_LINE:
        return (star->row + i - star->column) * n + i;
    case RISE_LINE:
        return (star->row + star->column - i) * n + i;
    case ONE_UP:
        return (star->row - 1) * n + i;
    case TWO_UP:
        return (star->row - 2) * n + i;
    case ONE_DOWN:
        return (star->row + 1) * n + i;
    default:
        return (star->row + 2) * n + i;
    }
}

/* ---- where a man goes (6, 7, 8) ---- */

/* On which lines a man goes any distance, one square both ways, one square ahead and two squares
 * ahead. */
static const struct gait {
    words far, beside, once, twice;
} gaits[MAN_BELOW] = {
    [KING] = {.beside = ALL},     [QUEEN] = {.far = ALL},
    [BISHOP] = {.far = DIAGONAL}, [ROOK] = {.far = UPRIGHT},
    [PAWN] = {.once = FORWARD},   [PAWN | MAN_UNMOVED] = {.once = FORWARD, .twice = ON_FILE},
};

/* The squares from the centre both ways up to and including the first stack (6.2). Upwards a
 * subtraction sets all bits up to the lowest stack above. Downwards the highest stack below is
 * spread over all bits under it, and what that leaves is in reach. */
static INLINE words rays(const struct star *star)
{
    words stacks = star->own | star->enemy, before = star->here - 1;
    words above = stacks & ~(star->here | before), below = stacks & before;

    below |= below >> 1;
    below |= below >> 2;
    below |= below >> 4;
    below |= below >> 8;
    below |= below >> 16;
    return (above ^ (above - 1)) & ~(below >> 1) & ~star->here;
}

/* The next squares ahead. Bits count to the right, and down on files. For White, who moves up,
 * ahead is a greater bit only on lines that rise to the right; for Black it is the other way round.
 */
static INLINE words ahead(words squares, unsigned side)
{
    static const words rise = ON_RISE;
    words on = side == 0 ? rise : ~rise;

    return (squares << 1 & on) | (squares >> 1 & ~on);
}

/* Where a man goes if nothing is in the way. A pawn goes to enemies off its file and to all other
 * squares on it (7.1, 7.2): one exclusive or says both. */
static INLINE words gait(const struct star *star, man m, unsigned side)
{
    static const words file = ON_FILE;
    const struct gait *gait = &gaits[m % MAN_BELOW];
    words beside = star->here << 1 | star->here >> 1;
    words once = ahead(star->here, side), twice = ahead(once, side);
    words pawn = (once & gait->once) | (twice & gait->twice);

    return gait->far | (beside & gait->beside) | (pawn & (star->enemy ^ file));
}

static INLINE words leaps(const struct star *star)
{
    static const words next_rank = {~0U, 0, ~0U, 0};
    words wide = star->here << 2 | star->here >> 2, narrow = star->here << 1 | star->here >> 1;

    return (wide & next_rank) | (narrow & ~next_rank);
}

/* ---- groups ---- */

/* The stacks among `stacks` that have fewer than `count` men (5.3). */
static words lower_stacks(const struct star *star, words stacks, unsigned count)
{
    words lower = NONE;

    for (unsigned line = 0; line < LINES; line++)
        for (uint32_t left = stacks[line]; left != 0; left &= left - 1)
            if (height_at(star->view, square_of(star, line, left)) < count)
                lower[line] |= left & -left;
    return lower;
}

/* Takes the moves of the top `count` men within their reach. Heights are looked up only where an
 * enemy is in reach of more than one man: a single man never captures. */
static INLINE size_t land(const struct star *star, words reach, unsigned count, take_fn *take,
                          void *context)
{
    words targets = reach & ~star->enemy, enemies = reach & star->enemy & ~star->own;
    halves found = (halves)enemies;

    if (count > 1 && (found[0] | found[1]) != 0)
        targets |= lower_stacks(star, enemies, count);
    return take(context, star, targets, count);
}

static INLINE size_t each_group(const struct view *view, unsigned row, unsigned column,
                                take_fn *take, void *context)
{
    struct star straight = straight_star(view, row, column);
    words reach = rays(&straight);
    unsigned count = 0, knights = 0;
    size_t n = 0;

    for (man_number i = view->tops[row * view->n + column]; i != 0; i = man_below(view->men[i])) {
        reach &= gait(&straight, view->men[i], view->head->mover);
        count++;
        n += land(&straight, reach, count, take, context);
        knights += man_kind(view->men[i]) == KNIGHT;
        if (count <= 2 * knights) {
            struct star leap = leap_star(view, row, column);

            n += land(&leap, leaps(&leap), count, take, context);
        }
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

/* ---- listing ---- */

struct list {
    rules_move *moves;
    size_t cap, len;
};

static INLINE size_t write_moves(void *context, const struct star *star, words targets,
                                 unsigned count)
{
    struct list *list = context;
    size_t before = list->len;
    unsigned from = star->row * star->view->n + star->column;

    for (unsigned line = 0; line < LINES; line++)
        for (uint32_t left = targets[line]; left != 0; left &= left - 1) {
            if (list->len < list->cap)
                list->moves[list->len] = move_of(from, square_of(star, line, left), count);
            list->len++;
        }
    return list->len - before;
}

size_t stackchess_legal(const struct rules_state *state, rules_move *moves, size_t cap)
{
    struct list list = {moves, cap, 0};

    return each_move(state, write_moves, &list);
}

/* ---- counting ---- */

static INLINE size_t count_targets(void *context, const struct star *star, words targets,
                                   unsigned count)
{
    halves two = (halves)targets;

    (void)context;
    (void)star;
    (void)count;
    return (size_t)__builtin_popcountll(two[0]) + (size_t)__builtin_popcountll(two[1]);
}

#if defined(__x86_64__)
/* With instructions that not every such machine has, it is a quarter faster. */
__attribute__((target("avx2,bmi,bmi2,popcnt"))) static size_t
count_with_avx2(const struct rules_state *state)
{
    return each_move(state, count_targets, NULL);
}
#endif

size_t stackchess_count(const struct rules_state *state)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        return count_with_avx2(state);
#endif
    return each_move(state, count_targets, NULL);
}
