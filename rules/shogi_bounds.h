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
    struct squares lances = set_and(foe->lance, slide_forward(set_of(king), side, set_none()));
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
    struct squares lances = set_and(m->lance, reach->straight);
    struct squares attacks = set_or(steps_of(m, side), slide_forward(lances, side, occupied));
    struct squares rooks = set_and(m->rook, reach->straight);
    struct squares bishops = set_and(m->bishop, reach->diagonal);

    while (set_any(rooks))
        attacks = set_or(attacks, slide_straight(set_take(&rooks), occupied));
    while (set_any(bishops))
        attacks = set_or(attacks, slide_diagonal(set_take(&bishops), occupied));
    return attacks;
}

/* Whether an enemy is near the king or a slider in reach. If not, nothing attacks or pins there. */
SHOGI_INLINE bool is_in_danger(const struct shogi *s, unsigned side)
{
    const struct shogi_reach *reach = &shogi_reach[s->king[side]];
    struct squares straight = set_and(set_or(s->kind[ROOK], s->kind[LANCE]), reach->straight);
    struct squares diagonal = set_and(s->kind[BISHOP], reach->diagonal);

    return set_any(set_and(s->seat[!side], set_or(reach->near, set_or(straight, diagonal))));
}

/* What attacks the king of a side or could attack him where he steps to; he himself hides
 * nothing. */
SHOGI_INLINE struct squares attacks_on_king(const struct shogi *s, unsigned side)
{
    unsigned king = (unsigned)s->king[side];
    struct men foe = men_of(s, !side);

    return attacks_near(&shogi_reach[king], &foe, !side, set_minus(occupied(s), set_of(king)));
}

/* Whether a king may be checked or have men pinned, given the attacks_on_king(). */
SHOGI_INLINE bool is_bound(const struct shogi *s, unsigned side, struct squares attacked)
{
    unsigned king = (unsigned)s->king[side];
    const struct squares *on = shogi_lines[king].on;
    struct squares straight = set_and(s->kind[ROOK], set_or(on[ON_FILE], on[ON_RANK]));
    struct squares lances = set_and(s->kind[LANCE], on[ON_FILE]);
    struct squares diagonal = set_and(s->kind[BISHOP], set_or(on[ON_FALLING], on[ON_RISING]));
    struct squares sliders = set_or(set_or(straight, lances), diagonal);

    return set_has(attacked, king) || set_any(set_and(sliders, s->seat[!side]));
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

/* The bounds of a side whose king is not bound. */
SHOGI_INLINE struct bounds unbound(const struct shogi *s, unsigned side, struct squares attacked)
{
    const struct squares any = {{~(uint64_t)0, ~(uint64_t)0}};

    return (struct bounds){.attacked = attacked,
                           .targets = set_minus(set_all(), s->seat[side]),
                           .drops = set_minus(set_all(), occupied(s)),
                           .free = any,
                           .on = {any, any, any, any}};
}

/* The bounds for a king that is_bound(). */
SHOGI_INLINE struct bounds bounds_of(const struct shogi *s, unsigned side, struct squares attacked)
{
    struct bounds b = unbound(s, side, attacked);
    unsigned king = (unsigned)s->king[side];
    struct men foe = men_of(s, !side);

    bind_pinned(&b, king, side, &foe, s->seat[side], occupied(s));
    if (set_has(attacked, king))
        bind_checked(&b, king, attackers_of(king, &foe, !side, occupied(s)));
    return b;
}

/* The files on which a set has no square, whole. */
SHOGI_INLINE struct squares files_without(struct squares s)
{
    struct squares guards = SHOGI_GUARDS;
    uint64_t a = (guards.word[0] - s.word[0]) & guards.word[0];
    uint64_t b = (guards.word[1] - s.word[1]) & guards.word[1];

    return (struct squares){{a - (a >> SHOGI_RANKS), b - (b >> SHOGI_RANKS)}};
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
