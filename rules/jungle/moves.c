/*
 * moves.c - every legal move of Jungle, listed or counted, and the position after one.
 *
 * The moves of a piece are the squares around it, cut down to those that it may enter and those
 * where it may take. No move is tried out. The kinds are gone through from the weakest: what a
 * kind may take is what the next weaker one may, and that kind besides.
 */
#include "rules/jungle/board.h"

static unsigned lowest(uint64_t squares)
{
    return (unsigned)__builtin_ctzll(squares);
}

/* J29: whether a den is entered (J26) or a side has no pieces (J27): then there are no moves. */
static inline bool is_decided(const struct position *p)
{
    return p->side[0] == 0 || p->side[1] == 0 ||
           ((p->side[0] | p->side[1]) & (jungle_den[0] | jungle_den[1])) != 0;
}

/* What the mover's rat may take from its square `from`; `trapped` are the enemies in traps. */
static inline uint64_t prey_of_rat(const struct position *p, uint64_t from, uint64_t trapped)
{
    uint64_t enemy = p->side[!p->mover], rats = enemy & p->kind[RAT];
    uint64_t shore = p->option[RAT_SHORE];

    if (from & RIVER) /* J19, J21 */
        return shore == SHORE_FREE ? rats : rats & RIVER;
    if (shore == SHORE_SAME)
        rats &= ~RIVER;
    return rats | (enemy & p->kind[ELEPHANT]) | trapped;
}

/* The targets of the mover's pieces, by kind. `prey` grows from kind to kind. The elephant comes
 * last, so the rats that it may not take (J18) can be struck out for good. Forced inline, so that
 * the counter for processors with popcnt is compiled with it. */
static inline __attribute__((always_inline)) void find_targets(const struct position *p,
                                                               uint64_t target[KINDS])
{
    uint64_t own = p->side[p->mover], enemy = p->side[!p->mover];
    uint64_t trapped = enemy & jungle_traps[p->mover]; /* J23: prey of all */
    uint64_t disarmed =                                /* J24: from there nothing is taken */
        p->option[TRAPPED_ATTACK] == ATTACK_NONE ? jungle_traps[!p->mover] : 0;
    uint64_t water = RIVER & ~jungle_blockers(p);
    uint64_t empty = BOARD & ~(own | enemy | jungle_den[p->mover]);
    uint64_t prey = trapped | (enemy & p->kind[RAT] & ~RIVER), from;

    if (p->option[OWN_TRAPS] == TRAPS_CAPTURE_ONLY)
        empty &= ~jungle_traps[p->mover];
    from = own & p->kind[RAT];
    target[RAT] =
        jungle_steps(from) & (empty | (from & disarmed ? 0 : prey_of_rat(p, from, trapped)));
    empty &= ~RIVER;
    for (enum kind kind = CAT; kind < KINDS; kind++) {
        uint64_t to;

        from = own & p->kind[kind];
        to = jungle_steps(from);
        if ((kind == TIGER || kind == LION) && (from & BANKS))
            to |= jungle_jumps(from, water);
        prey |= enemy & p->kind[kind];
        if (kind == ELEPHANT) /* J18 */
            prey &= trapped | ~p->kind[RAT];
        target[kind] = to & (empty | (from & disarmed ? 0 : prey));
    }
}

uint64_t jungle_targets(const struct position *p, enum kind kind)
{
    uint64_t target[KINDS];

    if (is_decided(p))
        return 0;
    find_targets(p, target);
    return target[kind];
}

size_t jungle_legal(const struct rules_state *state, rules_move *moves, size_t cap)
{
    const struct position *p = jungle_view(state);
    uint64_t target[KINDS];
    size_t n = 0;

    if (is_decided(p))
        return 0;
    find_targets(p, target);
    for (enum kind kind = RAT; kind < KINDS; kind++)
        for (uint64_t to = target[kind]; to != 0; to &= to - 1) {
            if (n < cap)
                moves[n] = jungle_move(lowest(p->side[p->mover] & p->kind[kind]), lowest(to), kind);
            n++;
        }
    return n;
}

/* A set of targets is a set of moves, since a side has one piece of a kind. */
static inline __attribute__((always_inline)) size_t count_targets(const struct position *p)
{
    uint64_t target[KINDS];
    size_t n = 0;

    if (is_decided(p))
        return 0;
    find_targets(p, target);
    for (enum kind kind = RAT; kind < KINDS; kind++)
        n += (size_t)__builtin_popcountll(target[kind]);
    return n;
}

#if defined(__x86_64__)
__attribute__((target("popcnt"))) static size_t count_with_popcnt(const struct position *p)
{
    return count_targets(p);
}
#endif

/* Counting bits is most of the work here. Most processors do it in one instruction, but not all
 * that the program runs on: hence two copies, chosen at run time. */
size_t jungle_count(const struct rules_state *state)
{
    const struct position *p = jungle_view(state);

#if defined(__x86_64__)
    if (__builtin_cpu_supports("popcnt"))
        return count_with_popcnt(p);
#endif
    return count_targets(p);
}

void jungle_play(const struct rules_state *state, rules_move move, struct rules_state *next)
{
    const struct position *before = jungle_view(state);
    struct position *p = jungle_edit(next);
    uint64_t from = 1ULL << jungle_from(move), to = 1ULL << jungle_to(move);
    uint32_t mover = before->mover;

    next->bytes = state->bytes;
    *p = *before;
    p->quiet =
        before->quiet + (before->quiet < UINT32_MAX); /* a position may begin with the maximum */
    if (before->side[!mover] & to) {
        p->side[!mover] = before->side[!mover] ^ to;
        for (enum kind kind = RAT; kind < KINDS; kind++)
            p->kind[kind] = before->kind[kind] & ~to;
        p->quiet = 0;
    }
    p->side[mover] = before->side[mover] ^ (from | to);
    p->kind[jungle_kind(move)] ^= from | to;
    p->round = before->round + (mover == 1 && before->round < UINT32_MAX);
    p->mover = !mover;
}
