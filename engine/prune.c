/* prune.c - what a search need not look at, and what it may look at less deeply. */
#include "engine/prune.h"

#include "engine/order.h"

/* Scores that count plies to the end are not to be guessed. */
static bool may_guess(const struct visit *v, int32_t bound)
{
    return !v->pv && !v->urgent && bound < WIN_IN_SIGHT && bound > -WIN_IN_SIGHT;
}

bool prune_is_won(const struct engine *e, const struct visit *v, int32_t beta)
{
    return e->knows->margin != 0 && v->depth <= 5 && may_guess(v, beta) &&
           v->value - e->knows->margin * v->depth >= beta;
}

/* Two passes in a row would be no game. */
bool prune_may_pass(const struct engine *e, unsigned ply, const struct visit *v, int32_t beta)
{
    return may_guess(v, beta) && !e->frame[ply].passed && v->depth >= 2 && v->value >= beta;
}

int prune_pass_depth(const struct engine *e, const struct visit *v, int32_t beta)
{
    int most = e->knows->late != 0 ? 3 : 1, more = (v->value - beta) / 200;

    return v->depth - 3 - v->depth / 4 - (more < most ? more : most);
}

bool prune_is_hopeless(struct engine *e, unsigned ply, const struct visit *v, size_t i,
                       int32_t alpha)
{
    const struct engine_game *knows = e->knows;
    const struct engine_rate *rate = &e->frame[ply].rate[i];
    size_t late = knows->late + 2 * (size_t)v->depth * (size_t)v->depth;
    int left;

    if ((rate->is & ENGINE_BAD) && knows->margin != 0 &&
        rate->gain < -knows->margin / 4 * v->depth * v->depth)
        return true;
    if (v->urgent || (rate->is & (ENGINE_NOISY | ENGINE_FORCING)))
        return false;
    if (knows->late != 0 && !v->pv && v->depth <= 6 && i >= (v->improving ? late : late / 2))
        return true;
    left = v->depth - (knows->late != 0 ? prune_reduction(e, ply, v, i) : 0);
    return left <= 5 && knows->margin != 0 && v->value + knows->margin * (left + 1) <= alpha;
}

/* 16 times the logarithm of a number to the base 2. */
static int log2_of(size_t n)
{
    static const int log[32] = {0,  0,  16, 25, 32, 37, 41, 45, 48, 51, 53, 55, 57, 59, 61, 63,
                                64, 65, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 79};
    int whole = 0;

    for (; n >= 32; n >>= 1)
        whole += 16;
    return whole + log[n];
}

int prune_reduction(struct engine *e, unsigned ply, const struct visit *v, size_t i)
{
    int r;

    if (e->knows->reduce == 0 || v->depth < 3 || i < e->knows->reduce + (v->pv ? 2U : 0U))
        return 0;
    r = log2_of((size_t)v->depth) * log2_of(i + 1) * 64; /* in 65,536ths of a ply */
    r -= order_learnt(e, ply, e->frame[ply].move[i]) * 3;
    r = (r + (v->pv ? 0 : 32768) + (v->improving ? 0 : 16384)) / 65536;
    r += (e->frame[ply].rate[i].is & ENGINE_BAD) != 0;
    return r < 0 ? 0 : r < v->depth - 1 ? r : v->depth - 2;
}
