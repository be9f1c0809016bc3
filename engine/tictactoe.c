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

#include <string.h>

#include "rules/tictactoe/board.h"

enum { LACKS = 4, DIRECTIONS = 4, SQUARES_MAX = SIDE_MAX * SIDE_MAX };

/* A set of squares: bit c of row r. The rows below the board are empty, so that a window may be
 * followed off its end. */
struct cells {
    uint32_t row[2 * SIDE_MAX + 4];
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

/* A position as it is judged. */
struct sight {
    struct grid g;
    unsigned us;
    struct windows of[RULES_SEATS][DIRECTIONS];
};

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

/* Four rows at once. */
typedef uint32_t rows4 __attribute__((vector_size(16)));

static inline rows4 load(const struct cells *set, unsigned row)
{
    rows4 rows;

    memcpy(&rows, &set->row[row], sizeof(rows));
    return rows;
}

static inline void store(struct cells *set, unsigned row, rows4 rows)
{
    memcpy(&set->row[row], &rows, sizeof(rows));
}

/* Each square of the windows in turn: an empty one moves them to those that lack one stone more,
 * and an enemy's stone or the end of the board ends them. */
static void find_windows(const struct grid *g, unsigned side, const struct direction *d,
                         struct windows *w)
{
    uint32_t first = starts(g, d);
    unsigned left = d->right<0, right = d->right> 0;

    for (unsigned row = 0; row < g->rows; row += 4) {
        rows4 n0 = {first, first, first, first}, n1 = {0}, n2 = {0}, n3 = {0}, n4 = {0};

        for (unsigned i = 0; i < g->k; i++) {
            rows4 e = load(&g->empty, row + i * d->down) >> i * right << i * left;
            rows4 own = load(&g->of[side], row + i * d->down) >> i * right << i * left;

            n4 = (n4 & own) | (n3 & e);
            n3 = (n3 & own) | (n2 & e);
            n2 = (n2 & own) | (n1 & e);
            n1 = (n1 & own) | (n0 & e);
            n0 = n0 & own;
        }
        store(&w->lacking[1], row, n1);
        store(&w->lacking[2], row, n2);
        store(&w->lacking[3], row, n3);
        store(&w->lacking[4], row, n4);
    }
}

static void look(const struct rules_state *state, struct sight *sight)
{
    const struct position *p = tictactoe_view(state);

    sight->g = grid_of(p);
    sight->us = (unsigned)p->mover;
    for (unsigned side = 0; side < RULES_SEATS; side++)
        for (unsigned d = 0; d < DIRECTIONS; d++)
            find_windows(&sight->g, side, &directions[d], &sight->of[side][d]);
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
static struct cells cells_lacking(const struct sight *sight, unsigned side, unsigned lack)
{
    struct cells set = {{0}};

    for (unsigned d = 0; d < DIRECTIONS; d++)
        add_cells(&sight->g, &sight->of[side][d].lacking[lack], &directions[d], &set);
    return set;
}

static bool lacks_one(const struct sight *sight, unsigned side)
{
    for (unsigned d = 0; d < DIRECTIONS; d++)
        if (has_any(&sight->g, &sight->of[side][d].lacking[1]))
            return true;
    return false;
}

/* ---- forks: squares where a stone makes two threats at once, and so wins ---- */

/* Where two windows lack the same square and each of them one other, a stone there leaves two
 * squares to complete a line. */
struct forks {
    bool any;
    struct cells at;
    uint16_t other[SQUARES_MAX][3]; /* what completes a line after a stone there; plus one */
};

static void add_other(const struct grid *g, struct forks *forks, unsigned square, unsigned other)
{
    uint16_t *known = forks->other[square];
    unsigned n = 0;

    while (n < 3 && known[n] != 0 && known[n] != other + 1)
        n++;
    if (n == 3 || known[n] != 0)
        return;
    known[n] = (uint16_t)(other + 1);
    if (n == 1) {
        forks->any = true;
        forks->at.row[square / g->cols] |= 1U << square % g->cols;
    }
}

/* The two empty squares of a window. */
static void add_window(const struct grid *g, struct forks *forks, unsigned row, unsigned column,
                       const struct direction *d)
{
    unsigned found[2] = {0}, n = 0;

    for (unsigned i = 0; i < g->k && n < 2; i++) {
        unsigned r = row + i * d->down, c = (unsigned)((int)column + (int)i * d->right);

        if (g->empty.row[r] >> c & 1)
            found[n++] = r * g->cols + c;
    }
    add_other(g, forks, found[0], found[1]);
    add_other(g, forks, found[1], found[0]);
}

static void find_forks(const struct sight *sight, unsigned side, struct forks *forks)
{
    const struct grid *g = &sight->g;

    forks->any = false;
    forks->at = (struct cells){{0}};
    memset(forks->other, 0, g->rows * g->cols * sizeof(forks->other[0]));
    for (unsigned d = 0; d < DIRECTIONS; d++)
        for (unsigned row = 0; row < g->rows; row++)
            for (uint32_t left = sight->of[side][d].lacking[2].row[row]; left != 0;
                 left &= left - 1)
                add_window(g, forks, row, (unsigned)__builtin_ctz(left), &directions[d]);
}

/* The squares on which the enemy stops all forks at once: a fork's own, and those that would
 * complete its lines if they are just two. */
static struct cells stops(const struct grid *g, const struct forks *forks)
{
    struct cells set = g->empty;

    for (unsigned row = 0; row < g->rows; row++)
        for (uint32_t left = forks->at.row[row]; left != 0; left &= left - 1) {
            unsigned square = row * g->cols + (unsigned)__builtin_ctz(left);
            const uint16_t *other = forks->other[square];
            struct cells stop = {{0}};

            stop.row[row] |= left & -left;
            for (unsigned i = 0; i < 2 && other[2] == 0; i++)
                stop.row[(other[i] - 1U) / g->cols] |= 1U << (other[i] - 1U) % g->cols;
            for (unsigned r = 0; r < g->rows; r++)
                set.row[r] &= stop.row[r];
        }
    return set;
}

/* ---- the worth of a position ---- */

static const int32_t worth[LACKS + 1] = {0, 300, 60, 10, 2};

static int32_t count(const struct grid *g, const struct cells *set)
{
    int32_t n = 0;

    for (unsigned row = 0; row < g->rows; row += 2)
        n += __builtin_popcountll((uint64_t)set->row[row + 1] << 32 | set->row[row]);
    return n;
}

static int32_t side_worth(const struct sight *sight, unsigned side)
{
    int32_t sum = 0;

    for (unsigned d = 0; d < DIRECTIONS; d++)
        for (unsigned lack = 1; lack <= LACKS; lack++)
            sum += worth[lack] * count(&sight->g, &sight->of[side][d].lacking[lack]);
    return sum;
}

static int32_t bounded(int32_t worth_found)
{
    return worth_found > 19000 ? 19000 : worth_found < -19000 ? -19000 : worth_found;
}

/* The side to move can turn its windows into threats first: they count half as much again. A fork
 * of its own wins; if the enemy has one, it must be answered first. */
enum { FORK = 10000 };

static int32_t evaluate(const struct rules_state *state)
{
    struct sight sight;
    struct forks forks;
    int32_t own, enemy;

    look(state, &sight);
    find_forks(&sight, sight.us, &forks);
    if (forks.any && !lacks_one(&sight, !sight.us))
        return FORK;
    own = side_worth(&sight, sight.us);
    enemy = side_worth(&sight, !sight.us);
    find_forks(&sight, !sight.us, &forks);
    return bounded(forks.any ? own - enemy - enemy / 2 : own + own / 2 - enemy);
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
enum { SMALL = 16 /* squares */ };

static struct cells candidates(const struct grid *g)
{
    struct cells near = near_stones(g);

    if (g->rows * g->cols <= SMALL)
        return g->empty;
    if (has_any(g, &near))
        return near;
    return has_any(g, &g->of[0]) ? g->empty : center(g);
}

static void unite(const struct grid *g, struct cells *set, const struct cells *other)
{
    for (unsigned row = 0; row < g->rows; row++)
        set->row[row] |= other->row[row];
}

/* A line that can be completed now is the only move worth a look, and then one that the opponent
 * could complete. Next comes a fork. Against a fork of the opponent's nothing helps but what stops
 * it, and threats. */
static size_t moves(const struct rules_state *state, rules_move *list, size_t cap)
{
    struct sight sight;
    struct forks forks;
    struct cells set, threats;

    look(state, &sight);
    set = cells_lacking(&sight, sight.us, 1);
    if (has_any(&sight.g, &set))
        return list_cells(&sight.g, &set, list, 1);
    set = cells_lacking(&sight, !sight.us, 1);
    if (has_any(&sight.g, &set))
        return list_cells(&sight.g, &set, list, cap);
    find_forks(&sight, sight.us, &forks);
    if (forks.any)
        return list_cells(&sight.g, &forks.at, list, 1);
    find_forks(&sight, !sight.us, &forks);
    if (!forks.any) {
        set = candidates(&sight.g);
        return list_cells(&sight.g, &set, list, cap);
    }
    set = stops(&sight.g, &forks);
    threats = cells_lacking(&sight, sight.us, 2);
    unite(&sight.g, &set, &threats);
    if (!has_any(&sight.g, &set))
        set = forks.at;
    return list_cells(&sight.g, &set, list, cap);
}

/* Squares far from all stones are left out only where nothing must be completed, stopped or forked.
 */
static bool suffice(const struct rules_state *state)
{
    struct sight sight;
    struct forks forks;
    bool forced;

    look(state, &sight);
    forced = lacks_one(&sight, 0) || lacks_one(&sight, 1);
    for (unsigned side = 0; side < RULES_SEATS && !forced; side++) {
        find_forks(&sight, side, &forks);
        forced = forks.any;
    }
    return forced || sight.g.rows * sight.g.cols <= SMALL;
}

static bool urgent(const struct rules_state *state)
{
    struct sight sight;

    look(state, &sight);
    return lacks_one(&sight, 0) || lacks_one(&sight, 1);
}

/* A fork, or else all threats. */
static size_t noisy(const struct rules_state *state, rules_move *list, size_t cap)
{
    struct sight sight;
    struct forks forks;
    struct cells set;

    look(state, &sight);
    find_forks(&sight, sight.us, &forks);
    if (forks.any)
        return list_cells(&sight.g, &forks.at, list, 1);
    set = cells_lacking(&sight, sight.us, 2);
    return list_cells(&sight.g, &set, list, cap);
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
    struct sight sight;

    look(state, &sight);
    for (size_t i = 0; i < n; i++)
        rates[i] = (struct engine_rate){0};
    for (unsigned d = 0; d < DIRECTIONS; d++) {
        struct cells own[LACKS + 1] = {0}, enemy[LACKS + 1] = {0};

        for (unsigned lack = 1; lack <= LACKS; lack++) {
            add_cells(&sight.g, &sight.of[sight.us][d].lacking[lack], &directions[d], &own[lack]);
            add_cells(&sight.g, &sight.of[!sight.us][d].lacking[lack], &directions[d],
                      &enemy[lack]);
        }
        for (size_t i = 0; i < n; i++) {
            unsigned square = (unsigned)tictactoe_square(list[i]);
            unsigned row = square / sight.g.cols, column = square % sight.g.cols;

            rates[i].value += cell_value(own, enemy, row, column);
            if (own[2].row[row] >> column & 1)
                rates[i].is |= ENGINE_NOISY | ENGINE_FORCING;
        }
    }
}

/* Nine squares: every game on them ends within the nodes of ENGINE_SURE. */
static bool is_small(const struct rules_state *state)
{
    const struct position *p = tictactoe_view(state);

    return p->rows * p->cols <= 9;
}

const struct engine_game engine_tictactoe = {
    .name = "tictactoe",
    .evaluate = evaluate,
    .rate = rate,
    .moves = moves,
    .suffice = suffice,
    .noisy = noisy,
    .urgent = urgent,
    .is_small = is_small,
    .man = 250,
    .noise = {200, 200, 190, 120, 85, 60, 40, 0},
    .hidden = {1000, 120, 60, 28, 15, 8, 4, 0},
    .careless = {100, 160},
    .variety = 30,
    .margin = 0,
    .reduce = 4,
    .quiescence = 8,
};
