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

enum { PAWN_STEP = 6, STACKED = 12 };

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

static int32_t side_worth(const struct view *view, unsigned side)
{
    unsigned n = view->n;
    int32_t sum = 0;

    for (unsigned row = 0; row < n; row++) {
        const struct line *rank = &view->lines[line_of_rank(row)];

        for (uint32_t own = rank->of[side] & ~rank->of[!side]; own != 0; own &= own - 1) {
            unsigned height, column = (unsigned)__builtin_ctz(own) - 1;
            int edge = (int)(row < n - 1 - row ? row : n - 1 - row) +
                       (int)(column < n - 1 - column ? column : n - 1 - column);

            sum += stack_worth(view, side, row * n + column, &height) + 3 * edge;
            if (height == 2 || height == 3)
                sum += STACKED;
        }
    }
    return sum;
}

static int32_t evaluate(const struct rules_state *state)
{
    struct view view = view_of(state);
    unsigned us = view.head->mover;
    int32_t own = side_worth(&view, us), enemy = side_worth(&view, !us), sum;

    /* Whoever is ahead should exchange: the same difference counts more beside less. */
    sum = own - enemy + (own - enemy) * 1000 / (own + enemy + 1000);
    return sum > 19000 ? 19000 : sum < -19000 ? -19000 : sum;
}

static void rate(const struct rules_state *state, const rules_move *moves, size_t n,
                 struct engine_rate *rates)
{
    struct view view = view_of(state);
    unsigned us = view.head->mover;

    for (size_t i = 0; i < n; i++) {
        struct transfer t = transfer_of(moves[i]);
        unsigned height, side = side_at(&view, t.to);

        rates[i] = (struct engine_rate){0};
        if (side == !us) {
            int32_t gain = stack_worth(&view, !us, t.to, &height);

            rates[i] = (struct engine_rate){4 * gain - (int32_t)t.count, gain, ENGINE_NOISY};
        }
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
    .margin = 150,
    .reduce = 3,
    .quiescence = 8,
};
