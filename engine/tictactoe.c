/*
 * tictactoe.c - what the engine knows of m,n,k games.
 *
 * A window is k squares in a line. One that holds stones of one side alone can still become that
 * side's line; it is worth the more the fewer stones it lacks. All windows of a direction are
 * looked at together, a row of the board in a word.
 *
 * A window that lacks one stone forces the opponent to fill it. So quiescence follows the moves
 * that make such windows, each with its one answer, to wins that lie far beyond the depth of the
 * search. Elsewhere only squares near stones are searched.
 */
#include "engine/game.h"
#include "rules/tictactoe/board.h"

enum { LACKS = 4, DIRECTIONS = 4, ROWS_MAX = SIDE_MAX };

/* A set of squares: bit c of row r. */
struct cells {
    uint32_t row[ROWS_MAX];
};

struct grid {
    unsigned rows, cols, k;
    uint32_t all; /* the squares of a row */
    struct cells of[RULES_SEATS], empty;
};

/* The windows of one direction that lack 1 to LACKS stones of a side and hold none of the other, by
 * the square on which they start. */
struct windows {
    struct cells lacking[LACKS + 1];
};

static const struct direction {
    unsigned down;
    int right;
} directions[DIRECTIONS] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};

/* ---- the board in rows ---- */

static uint32_t row_of(const struct position *p, unsigned side, unsigned row)
{
    size_t at = row * p->cols, word = at / 64, bit = at % 64;
    uint64_t bits = p->stones[word][side] >> bit;

    if (bit + p->cols > 64)
        bits |= p->stones[word + 1][side] << (64 - bit);
    return (uint32_t)(bits & ((1ULL << p->cols) - 1));
}

static struct grid grid_of(const struct position *p)
{
    struct grid g = {.rows = (unsigned)p->rows, .cols = (unsigned)p->cols, .k = (unsigned)p->k};

    g.all = (uint32_t)((1ULL << p->cols) - 1);
    for (unsigned row = 0; row < g.rows; row++) {
        for (unsigned side = 0; side < RULES_SEATS; side++)
            g.of[side].row[row] = row_of(p, side, row);
        g.empty.row[row] = g.all & ~(g.of[0].row[row] | g.of[1].row[row]);
    }
    return g;
}

static bool has_any(const struct grid *g, const struct cells *set)
{
    uint32_t any = 0;

    for (unsigned row = 0; row < g->rows; row++)
        any |= set->row[row];
    return any != 0;
}

/* ---- windows ---- */

/* A word as seen `i` squares further on in a direction. */
static inline uint32_t ahead(uint32_t word, unsigned i, int right)
{
    return right > 0 ? word >> i : right < 0 ? word << i : word;
}

static inline uint32_t back(uint32_t word, unsigned i, int right)
{
    return ahead(word, i, -right);
}

/* The squares of a row on which a window can start. */
static uint32_t starts(const struct grid *g, const struct direction *d)
{
    if (d->right != 0 && g->k > g->cols)
        return 0;
    return d->right > 0   ? g->all >> (g->k - 1)
           : d->right < 0 ? g->all << (g->k - 1) & g->all
                          : g->all;
}

/* Each square of the windows in turn: an empty one moves them to those that lack one stone more,
 * and an enemy's stone ends them. */
static void find_windows(const struct grid *g, unsigned side, const struct direction *d,
                         struct windows *w)
{
    unsigned last = d->down != 0 ? g->rows - g->k : g->rows - 1;
    uint32_t first = starts(g, d);

    *w = (struct windows){{{{0}}}};
    if (d->down != 0 && g->k > g->rows)
        return;
    for (unsigned row = 0; row <= last; row++) {
        uint32_t n0 = first, n1 = 0, n2 = 0, n3 = 0, n4 = 0;

        for (unsigned i = 0; i < g->k; i++) {
            uint32_t e = ahead(g->empty.row[row + i * d->down], i, d->right);
            uint32_t own = ahead(g->of[side].row[row + i * d->down], i, d->right);

            n4 = (n4 & own) | (n3 & e);
            n3 = (n3 & own) | (n2 & e);
            n2 = (n2 & own) | (n1 & e);
            n1 = (n1 & own) | (n0 & e);
            n0 = n0 & own;
        }
        w->lacking[1].row[row] = n1;
        w->lacking[2].row[row] = n2;
        w->lacking[3].row[row] = n3;
        w->lacking[4].row[row] = n4;
    }
}

/* Adds the empty squares of windows to a set. */
static void add_cells(const struct grid *g, const struct cells *windows, const struct direction *d,
                      struct cells *set)
{
    for (unsigned row = 0; row < g->rows; row++)
        if (windows->row[row] != 0)
            for (unsigned i = 0; i < g->k; i++)
                set->row[row + i * d->down] |=
                    back(windows->row[row], i, d->right) & g->empty.row[row + i * d->down];
}

/* The empty squares of all windows of a side that lack so many stones. */
static struct cells cells_lacking(const struct grid *g, unsigned side, unsigned lack)
{
    struct cells set = {{0}};

    for (unsigned i = 0; i < DIRECTIONS; i++) {
        struct windows w;

        find_windows(g, side, &directions[i], &w);
        add_cells(g, &w.lacking[lack], &directions[i], &set);
    }
    return set;
}

/* ---- the worth of a position ---- */

static const int32_t worth[LACKS + 1] = {0, 300, 60, 10, 2};

static int32_t count(const struct grid *g, const struct cells *set)
{
    int32_t n = 0;

    for (unsigned row = 0; row < g->rows; row++)
        for (uint32_t left = set->row[row]; left != 0; left &= left - 1)
            n++;
    return n;
}

static int32_t side_worth(const struct grid *g, unsigned side)
{
    int32_t sum = 0;

    for (unsigned i = 0; i < DIRECTIONS; i++) {
        struct windows w;

        find_windows(g, side, &directions[i], &w);
        for (unsigned lack = 1; lack <= LACKS; lack++)
            sum += worth[lack] * count(g, &w.lacking[lack]);
    }
    return sum;
}

static int32_t bounded(int32_t worth_found)
{
    return worth_found > 19000 ? 19000 : worth_found < -19000 ? -19000 : worth_found;
}

/* The side to move can turn its windows into threats first: they count half as much again. */
static int32_t evaluate(const struct rules_state *state)
{
    const struct position *p = tictactoe_view(state);
    struct grid g = grid_of(p);
    int32_t own = side_worth(&g, (unsigned)p->mover), enemy = side_worth(&g, !p->mover);

    return bounded(own + own / 2 - enemy);
}

/* ---- moves ---- */

static size_t list_cells(const struct grid *g, const struct cells *set, rules_move *moves,
                         size_t cap)
{
    size_t n = 0;

    for (unsigned row = 0; row < g->rows; row++)
        for (uint32_t left = set->row[row]; left != 0 && n < cap; left &= left - 1)
            moves[n++] = tictactoe_move(row * g->cols + (unsigned)__builtin_ctz(left));
    return n;
}

static struct cells center(const struct grid *g)
{
    struct cells set = {{0}};

    set.row[g->rows / 2] = 1U << g->cols / 2;
    return set;
}

/* The empty squares at most two away from a stone. */
static struct cells near_stones(const struct grid *g)
{
    struct cells wide = {{0}}, set = {{0}};

    for (unsigned row = 0; row < g->rows; row++) {
        uint32_t s = g->of[0].row[row] | g->of[1].row[row];

        wide.row[row] = s | s << 1 | s << 2 | s >> 1 | s >> 2;
    }
    for (unsigned row = 0; row < g->rows; row++)
        for (unsigned other = row < 2 ? 0 : row - 2; other <= row + 2 && other < g->rows; other++)
            set.row[row] |= wide.row[other] & g->empty.row[row];
    return set;
}

/* Where the game is so small that it can be seen through, every square is searched. */
static struct cells candidates(const struct grid *g)
{
    struct cells near = near_stones(g);

    if (g->rows * g->cols <= 16)
        return g->empty;
    if (has_any(g, &near))
        return near;
    return has_any(g, &g->of[0]) ? g->empty : center(g);
}

/* A line that can be completed now is the only move worth a look, and then one that the opponent
 * could complete. */
static size_t moves(const struct rules_state *state, rules_move *list, size_t cap)
{
    const struct position *p = tictactoe_view(state);
    struct grid g = grid_of(p);
    struct cells set = cells_lacking(&g, (unsigned)p->mover, 1);

    if (has_any(&g, &set))
        return list_cells(&g, &set, list, 1);
    set = cells_lacking(&g, !p->mover, 1);
    if (!has_any(&g, &set))
        set = candidates(&g);
    return list_cells(&g, &set, list, cap);
}

static bool urgent(const struct rules_state *state)
{
    const struct position *p = tictactoe_view(state);
    struct grid g = grid_of(p);
    struct cells wins = cells_lacking(&g, (unsigned)p->mover, 1), losses;

    if (has_any(&g, &wins))
        return true;
    losses = cells_lacking(&g, !p->mover, 1);
    return has_any(&g, &losses);
}

static size_t noisy(const struct rules_state *state, rules_move *list, size_t cap)
{
    const struct position *p = tictactoe_view(state);
    struct grid g = grid_of(p);
    struct cells set = cells_lacking(&g, (unsigned)p->mover, 2);

    return list_cells(&g, &set, list, cap);
}

/* How many lines of threats run through each square: by side, and by what the windows lack. */
static int32_t cell_value(const struct cells *own, const struct cells *enemy, unsigned row,
                          unsigned column)
{
    static const int32_t value[LACKS + 1] = {0, 4000, 800, 120, 10};
    int32_t sum = 0;

    for (unsigned lack = 1; lack <= LACKS; lack++) {
        sum += (own[lack].row[row] >> column & 1) ? value[lack] : 0;
        sum += (enemy[lack].row[row] >> column & 1) ? value[lack] * 3 / 4 : 0;
    }
    return sum;
}

static void rate(const struct rules_state *state, const rules_move *list, size_t n,
                 struct engine_rate *rates)
{
    const struct position *p = tictactoe_view(state);
    struct grid g = grid_of(p);
    unsigned us = (unsigned)p->mover;

    for (size_t i = 0; i < n; i++)
        rates[i] = (struct engine_rate){0};
    for (unsigned d = 0; d < DIRECTIONS; d++) {
        struct cells own[LACKS + 1] = {0}, enemy[LACKS + 1] = {0};
        struct windows w;

        find_windows(&g, us, &directions[d], &w);
        for (unsigned lack = 1; lack <= LACKS; lack++)
            add_cells(&g, &w.lacking[lack], &directions[d], &own[lack]);
        find_windows(&g, !us, &directions[d], &w);
        for (unsigned lack = 1; lack <= LACKS; lack++)
            add_cells(&g, &w.lacking[lack], &directions[d], &enemy[lack]);
        for (size_t i = 0; i < n; i++) {
            unsigned square = (unsigned)tictactoe_square(list[i]);
            unsigned row = square / g.cols, column = square % g.cols;

            rates[i].value += cell_value(own, enemy, row, column);
            if (own[2].row[row] >> column & 1)
                rates[i].is |= ENGINE_NOISY | ENGINE_FORCING;
        }
    }
}

const struct engine_game engine_tictactoe = {
    .name = "tictactoe",
    .evaluate = evaluate,
    .rate = rate,
    .moves = moves,
    .noisy = noisy,
    .urgent = urgent,
    .margin = 0,
    .reduce = 4,
    .quiescence = 8,
};
