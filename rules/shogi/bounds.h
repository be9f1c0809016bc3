/*
 * bounds.h - what the side to move may not do for the sake of its king (4.2), and where it may drop
 * (4.3-4.5), as sets of squares.
 *
 * Moves are found and counted within these bounds, so that every one of them is legal and none has
 * to be tried out. Without a check and a pinned man the bounds are simple and quickly made
 * (loose_bounds()), which is the usual case.
 */
#ifndef PLYD_RULES_SHOGI_BOUNDS_H
#define PLYD_RULES_SHOGI_BOUNDS_H

#include "rules/shogi/attacks.h"

struct bounds {
    bool tight; /* there is a check or a pinned man; else `attacked` is all that counts */
    struct squares attacked; /* what the other side attacks, right wherever the king can step */
    struct squares targets;  /* where any other man may end */
    struct squares drops;    /* where a man may be dropped */
    struct squares pinned;   /* men that may only move on their line with the king */
    struct squares barred[SHOGI_DIRECTIONS]; /* those that may not move in the direction */
};

/* Whether a pawn that is dropped right before the enemy king, where it may otherwise be dropped, is
 * checkmate (4.5). In count.c, since the answer is to count the moves after the drop. */
bool shogi_pawn_drop_mates(const struct shogi *s, unsigned side);

/* The own men that stand alone between the king and a slider on a line through it. */
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
    const struct squares *on = shogi_lines[king].on;
    struct squares lances = set_and(foe->lance, slide_forward(set_of(king), side, set_none()));
    struct squares straight = set_or(foe->rook, lances);
    struct squares file = pinned_on(on[ON_FILE], straight, king, own, occupied);
    struct squares rank = pinned_on(on[ON_RANK], foe->rook, king, own, occupied);
    struct squares falling = pinned_on(on[ON_FALLING], foe->bishop, king, own, occupied);
    struct squares rising = pinned_on(on[ON_RISING], foe->bishop, king, own, occupied);

    b->pinned = set_or(set_or(file, rank), set_or(falling, rising));
    b->barred[ON_FILE] = set_minus(b->pinned, file);
    b->barred[ON_RANK] = set_minus(b->pinned, rank);
    b->barred[ON_FALLING] = set_minus(b->pinned, falling);
    b->barred[ON_RISING] = set_minus(b->pinned, rising);
    b->tight = set_any(b->pinned);
}

/* What the men of a side attack near a king. Sliders that cannot reach its surroundings (`reach`)
 * are left out, to save their slides. */
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

/* Whether an enemy is near the king, or a slider in reach. If not, nothing attacks its surroundings
 * and nothing is pinned. */
SHOGI_INLINE bool is_in_danger(const struct shogi *s, unsigned side)
{
    const struct shogi_reach *reach = &shogi_reach[s->king[side]];
    struct squares straight = set_and(set_or(s->kind[ROOK], s->kind[LANCE]), reach->straight);
    struct squares diagonal = set_and(s->kind[BISHOP], reach->diagonal);

    return set_any(set_and(s->seat[!side], set_or(reach->near, set_or(straight, diagonal))));
}

/* The king is in check. Other men must take the checker or come in between; two checkers at once
 * leave them nothing to do. */
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
    b->tight = true;
}

/* The bounds of a side that is not in check and has no pinned men. */
SHOGI_INLINE struct bounds loose_bounds(const struct shogi *s, unsigned side,
                                        struct squares attacked)
{
    return (struct bounds){.attacked = attacked,
                           .targets = set_minus(set_all(), s->seat[side]),
                           .drops = set_minus(set_all(), occupied(s))};
}

/* The bounds of a side under the standard rules. Attacks are found as if the king were not there:
 * it cannot flee along the line of a slider. */
SHOGI_INLINE struct bounds bounds_of(const struct shogi *s, unsigned side)
{
    unsigned king = (unsigned)s->king[side];
    struct squares at = set_of(king), all = occupied(s);
    struct men foe = men_of(s, !side);
    struct bounds b =
        loose_bounds(s, side, attacks_near(&shogi_reach[king], &foe, !side, set_minus(all, at)));

    bind_pinned(&b, king, side, &foe, s->seat[side], all);
    if (set_any(set_and(b.attacked, at)))
        bind_checked(&b, king, attackers_of(king, &foe, !side, all));
    return b;
}

/* Of some squares those on the line of a pinned man: in the one direction in which it is not
 * barred. */
SHOGI_INLINE struct squares on_its_line(const struct bounds *b, unsigned from, struct squares some)
{
    unsigned direction = ON_FILE;

    while (set_has(b->barred[direction], from))
        direction++;
    return set_and(some, shogi_lines[from].on[direction]);
}

/* The squares where a man may end, of those that it attacks. A pinned man stays on its line. */
SHOGI_INLINE struct squares within(const struct bounds *b, unsigned from, struct squares attacks)
{
    struct squares ends = set_and(attacks, b->targets);

    return set_has(b->pinned, from) ? on_its_line(b, from, ends) : ends;
}

/* The whole files on which a set has no square. A guard less the squares of its file keeps its bit
 * only if there are none; then the guard less itself shifted to the file's first bit is the file.
 */
SHOGI_INLINE struct squares files_without(struct squares s)
{
    struct squares guards = SHOGI_GUARDS;
    uint64_t a = (guards.word[0] - s.word[0]) & guards.word[0];
    uint64_t b = (guards.word[1] - s.word[1]) & guards.word[1];

    return (struct squares){{a - (a >> SHOGI_RANKS), b - (b >> SHOGI_RANKS)}};
}

/* Where pawns may be dropped within `drops`, under the standard rules. Whether a drop would mate is
 * a long question. It is asked only if the square before the king is one of them. */
SHOGI_INLINE struct squares pawn_drops(const struct shogi *s, unsigned side, struct squares pawns,
                                       struct squares drops)
{
    struct squares head = step_back(set_of((unsigned)s->king[!side]), side);

    drops = set_and(set_minus(drops, far_ranks(side, 1)), files_without(pawns));
    head = set_and(head, drops);
    return set_any(head) && shogi_pawn_drop_mates(s, side) ? set_minus(drops, head) : drops;
}

#endif
