/*
 * stackchess.c - what the engine knows of Stackchess.
 *
 * A lone man takes nothing, and a stack is lost whole. So a side's men are worth what they are, a
 * stack that the enemy can take in one move is worth much less to its owner, and the last men of a
 * side only if they can still move together.
 */
#include "engine/game.h"
#include "rules/stackchess/board.h"

static const int32_t worth[KINDS] = {
    [KING] = 300, [QUEEN] = 900, [BISHOP] = 300, [ROOK] = 500, [KNIGHT] = 300, [PAWN] = 100,
};

enum { PAWN_STEP = 6, STACKED = 12, CENTRE = 3, CONTROL = 12, HUNT = 60 };

static int32_t man_worth(const struct view *view, man m, unsigned side, unsigned square)
{
    unsigned row = square / view->n, forward = side == 0 ? view->n - 1 - row : row;

    if (man_kind(m) == PAWN && view->head->promotion)
        return worth[PAWN] + PAWN_STEP * (int32_t)forward;
    return worth[man_kind(m)];
}

static int32_t stack_worth(const struct view *view, unsigned side, unsigned square,
                           unsigned *height)
{
    int32_t sum = 0;

    *height = 0;
    for (man_number i = view->tops[square]; i != 0; i = man_below(view->men[i])) {
        sum += man_worth(view, view->men[i], side, square);
        ++*height;
    }
    return sum;
}

/* ---- what each side can reach ---- */

/* How many men a side can bring to each square with one move at most. */
struct reach {
    uint16_t men[BOARD_MAX * BOARD_MAX];
};

static void find_reach(const struct rules_state *state, unsigned side, struct reach *reach)
{
    struct rules_state other;
    rules_move moves[RULES_MOVES_ORDINARY];
    unsigned n = view_of(state).n;
    size_t all;

    if (view_of(state).head->mover != side) {
        rules_copy(state, &other);
        draft_of(&other).head->mover ^= 1;
        state = &other;
    }
    all = stackchess_legal(state, moves, RULES_MOVES_ORDINARY);
    for (unsigned square = 0; square < n * n; square++)
        reach->men[square] = 0;
    for (size_t i = 0; i < all && i < RULES_MOVES_ORDINARY; i++) {
        struct transfer t = transfer_of(moves[i]);

        if (t.count > reach->men[t.to])
            reach->men[t.to] = (uint16_t)t.count;
    }
}

/* ---- the worth of a position ---- */

/* What a side's men are worth, and of the stacks that can be taken the two that are worth most. */
struct standing {
    int32_t men, place, risk[2];
    int32_t reached; /* squares that it can go to */
    int32_t safe;    /* those of them where the enemy cannot take what comes */
};

/* What the enemy wins if it takes a stack. */
static int32_t risk_of(int32_t worth_here, unsigned height, unsigned attackers, unsigned covering)
{
    int32_t back = 150 * (int32_t)(height + 1);

    if (attackers == 0)
        return 0;
    if (covering <= attackers)
        return worth_here;
    return worth_here > back ? worth_here - back : 0;
}

static struct standing standing_of(const struct view *view, unsigned side,
                                   const struct reach reach[2])
{
    struct standing found = {0};
    unsigned n = view->n;

    for (unsigned row = 0; row < n; row++) {
        const struct line *rank = &view->lines[line_of_rank(row)];

        for (uint32_t own = rank->of[side] & ~rank->of[!side]; own != 0; own &= own - 1) {
            unsigned height, column = (unsigned)__builtin_ctz(own) - 1, square = row * n + column;
            int32_t here = stack_worth(view, side, square, &height);
            int32_t risk = risk_of(here, height, reach[!side].men[square], reach[side].men[square]);
            int edge = (int)(row < n - 1 - row ? row : n - 1 - row) +
                       (int)(column < n - 1 - column ? column : n - 1 - column);

            found.men += here;
            found.place += CENTRE * edge;
            if (height == 2 || height == 3)
                found.place += STACKED;
            if (risk > found.risk[0]) {
                found.risk[1] = found.risk[0];
                found.risk[0] = risk;
            } else if (risk > found.risk[1]) {
                found.risk[1] = risk;
            }
        }
    }
    for (unsigned square = 0; square < n * n; square++) {
        unsigned men = reach[side].men[square];

        found.reached += men >= 1;
        found.safe += men >= 1 && men >= reach[!side].men[square];
        found.place += men >= 2 && men >= reach[!side].men[square] ? CONTROL : 0;
    }
    return found;
}

/* A side that is far ahead hunts what is left of the other: the fewer safe squares that has, the
 * better. But if it can hardly move at all, a stalemate is near. */
static int32_t hunt(int32_t ahead, const struct standing *own, const struct standing *enemy,
                    bool stalemate_draws)
{
    const struct standing *weak = ahead > 0 ? enemy : own;
    int32_t far = ahead > 2000 ? 2000 : ahead < -2000 ? -2000 : ahead;

    if (stalemate_draws && weak->reached < 4)
        return -far * (4 - weak->reached) / 5;
    return -far * HUNT * weak->safe / 2000;
}

/* The same is worth less the nearer the game is to a draw for want of progress. */
static int32_t faded(int32_t sum, const struct head *head)
{
    int32_t last = (int32_t)head->no_progress;

    return last == 0
               ? sum
               : (int32_t)((int64_t)sum * (2 * (int64_t)last - head->quiet) / (2 * (int64_t)last));
}

static int32_t evaluate(const struct rules_state *state)
{
    struct view view = view_of(state);
    unsigned us = view.head->mover;
    struct reach reach[2];
    struct standing own, enemy;
    int32_t ahead, sum;

    find_reach(state, 0, &reach[0]);
    find_reach(state, 1, &reach[1]);
    own = standing_of(&view, us, reach);
    enemy = standing_of(&view, !us, reach);
    ahead = own.men - enemy.men;
    /* A group is caught only by a larger one, so a side that is ahead should keep its men: the same
     * difference counts less beside less. */
    sum = ahead + ahead * (own.men + enemy.men) / 4000;
    sum += own.place - enemy.place + hunt(ahead, &own, &enemy, !view.head->stalemate_loses);
    sum -= own.risk[1] * 3 / 4 + own.risk[0] / 8;
    sum += enemy.risk[1] / 4 + enemy.risk[0] / 8;
    sum = faded(sum, view.head);
    return sum > 19000 ? 19000 : sum < -19000 ? -19000 : sum;
}

static void rate(const struct rules_state *state, const rules_move *moves, size_t n,
                 struct engine_rate *rates)
{
    struct view view = view_of(state);
    unsigned us = view.head->mover;
    struct reach enemy;

    find_reach(state, !us, &enemy);
    for (size_t i = 0; i < n; i++) {
        struct transfer t = transfer_of(moves[i]);
        unsigned height, side = side_at(&view, t.to);

        rates[i] = (struct engine_rate){0};
        if (side == !us) {
            int32_t gain = stack_worth(&view, !us, t.to, &height);

            rates[i] = (struct engine_rate){4 * gain - (int32_t)t.count, gain, ENGINE_NOISY};
            continue;
        }
        if (enemy.men[t.from] != 0)
            rates[i].value += stack_worth(&view, us, t.from, &height);
        if (enemy.men[t.to] > t.count + (side == us ? height_at(&view, t.to) : 0U))
            rates[i].value -= 150 * (int32_t)t.count;
    }
}

static bool pass(const struct rules_state *state, struct rules_state *next)
{
    const struct head *head = view_of(state).head;

    if (head->men[0] <= 3 || head->men[1] <= 3)
        return false;
    rules_copy(state, next);
    draft_of(next).head->mover ^= 1;
    return true;
}

static uint64_t counters(const struct rules_state *state)
{
    const struct head *head = view_of(state).head;

    return head->no_progress != 0 && head->quiet + 20 > head->no_progress ? head->quiet + 1 : 0;
}

const struct engine_game engine_stackchess = {
    .name = "stackchess",
    .evaluate = evaluate,
    .rate = rate,
    .pass = pass,
    .counters = counters,
    .man = 100,
    .noise = {500, 200, 130, 60, 25, 12, 6, 0},
    .margin = 150,
    .reduce = 3,
    .quiescence = 8,
};
