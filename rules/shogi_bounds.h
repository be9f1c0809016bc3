/*
 * shogi_bounds.h - what the side to move may not do for the sake of its king (4.2), and which
 * squares it may drop on (4.3-4.5), as sets: moves are generated and counted within them.
 */
#ifndef PLYD_RULES_SHOGI_BOUNDS_H
#define PLYD_RULES_SHOGI_BOUNDS_H

#include "shogi_attacks.h"

struct bounds {
    struct squares attacked;             /* by the other side, as far as the king can step */
    struct squares targets;              /* where any other man may end */
    struct squares drops;                /* where a man may be dropped */
    struct squares free;                 /* men that are not pinned */
    struct squares on[SHOGI_DIRECTIONS]; /* men that may move along such a line: the free ones,
                                            and those pinned on it */
};

/* Whether dropping a pawn right before the enemy king, where it may otherwise be dropped, is
 * checkmate (4.5). */
bool shogi_pawn_drop_mates(const struct shogi *s, unsigned side);

/* The own men that alone stand between the king and one of the sliders on a line of his. */
SHOGI_INLINE struct squares pinned_on(struct squares line, struct squares sliders, unsigned king,
                                      struct squares own, struct squares occupied)
{
    struct squares pinned = set_none();

    for (sliders = set_and(sliders, line); set_any(sliders);) {
        struct squares met = set_and(between(king, set_take(&sliders), line), occupied);

        if (set_single(met))
            pinned = set_or(pinned, set_and(met, own));
    }
    return pinned;
}

SHOGI_INLINE void bind_pinned(struct bounds *b, unsigned king, unsigned side, const struct men *foe,
                              struct squares own, struct squares occupied)
{
    struct squares lances = set_and(foe->lance, slide_forward(king, side, set_none()));
    struct squares sliders[SHOGI_DIRECTIONS] = {[ON_FILE] = set_or(foe->rook, lances),
                                                [ON_RANK] = foe->rook,
                                                [ON_FALLING] = foe->bishop,
                                                [ON_RISING] = foe->bishop};
    struct squares pinned[SHOGI_DIRECTIONS];

    for (unsigned d = 0; d < SHOGI_DIRECTIONS; d++) {
        pinned[d] = pinned_on(shogi_lines[king].on[d], sliders[d], king, own, occupied);
        b->free = set_minus(b->free, pinned[d]);
    }
    for (unsigned d = 0; d < SHOGI_DIRECTIONS; d++)
        b->on[d] = set_or(b->free, pinned[d]);
}

/* What the men of a side attack, sliders only if they are in reach of a king's surroundings. */
SHOGI_INLINE struct squares attacks_near(const struct shogi_reach *reach, const struct men *m,
                                         unsigned side, struct squares occupied)
{
    struct squares attacks = steps_of(m, side);
    struct squares lances = set_and(m->lance, reach->straight);
    struct squares rooks = set_and(m->rook, reach->straight);
    struct squares bishops = set_and(m->bishop, reach->diagonal);

    while (set_any(lances))
        attacks = set_or(attacks, slide_forward(set_take(&lances), side, occupied));
    while (set_any(rooks))
        attacks = set_or(attacks, slide_straight(set_take(&rooks), occupied));
    while (set_any(bishops))
        attacks = set_or(attacks, slide_diagonal(set_take(&bishops), occupied));
    return attacks;
}

/* The king is in check: the other men must take the only checker or come between. */
SHOGI_INLINE void bind_checked(struct bounds *b, unsigned king, struct squares checkers)
{
    struct squares gap = set_none();

    if (!set_single(checkers))
        checkers = set_none();
    for (unsigned d = 0; d < SHOGI_DIRECTIONS; d++) {
        struct squares line = shogi_lines[king].on[d];

        if (set_any(set_and(checkers, line)))
            gap = between(king, set_first(checkers), line);
    }
    b->targets = set_and(b->targets, set_or(checkers, gap));
    b->drops = set_and(b->drops, gap);
}

SHOGI_INLINE struct bounds unbound(const struct shogi *s, unsigned side)
{
    struct squares all = set_all();

    return (struct bounds){.attacked = set_none(),
                           .targets = set_minus(all, s->seat[side]),
                           .drops = set_minus(all, occupied(s)),
                           .free = all,
                           .on = {all, all, all, all}};
}

/* The bounds under the standard rules. Where no enemy is near nor a slider in reach, none. */
SHOGI_INLINE struct bounds bounds_of(const struct shogi *s, unsigned side)
{
    struct bounds b = unbound(s, side);
    unsigned king = (unsigned)s->king[side];
    const struct shogi_reach *reach = &shogi_reach[king];
    struct men foe = men_of(s, !side);
    struct squares danger = set_or(set_and(foe.all, reach->near),
                                   set_or(set_and(set_or(foe.rook, foe.lance), reach->straight),
                                          set_and(foe.bishop, reach->diagonal)));

    if (set_any(danger)) {
        struct squares all = occupied(s), at = set_of(king);

        b.attacked = attacks_near(reach, &foe, !side, set_minus(all, at));
        bind_pinned(&b, king, side, &foe, s->seat[side], all);
        if (set_any(set_and(b.attacked, at)))
            bind_checked(&b, king, attackers_of(king, &foe, !side, all));
    }
    return b;
}

/* The files on which a set has no square, whole. */
SHOGI_INLINE struct squares files_without(struct squares s)
{
    struct squares guards = SHOGI_RANKS_SET(1 << SHOGI_RANKS);
    struct squares none = {(guards.lo - s.lo) & guards.lo, (guards.hi - s.hi) & guards.hi};

    return (struct squares){none.lo - (none.lo >> SHOGI_RANKS), none.hi - (none.hi >> SHOGI_RANKS)};
}

/* Where pawns may be dropped within `drops`, under the standard rules. */
SHOGI_INLINE struct squares pawn_drops(const struct shogi *s, unsigned side, struct squares pawns,
                                       struct squares drops)
{
    struct squares head = step_back(set_of((unsigned)s->king[!side]), side);

    drops = set_and(set_minus(drops, far_ranks(side, 1)), files_without(pawns));
    head = set_and(head, drops);
    return set_any(head) && shogi_pawn_drop_mates(s, side) ? set_minus(drops, head) : drops;
}

#endif
