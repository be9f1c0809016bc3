/*
 * shogi_count.c - how many legal moves a position has, without making a list of them.
 *
 * Stepping men are counted all at once, a direction at a time: those of them for which the square
 * one step on is a target. It is the targets that are shifted, not the men, so that men of all
 * kinds that step in a direction share one shift and one count.
 */
#include "shogi_bounds.h"
#include "shogi_moves.h"

/* For each direction of a side, the squares from which one step that way ends on a target. */
struct sources {
    struct squares ahead, ahead_left, ahead_right;
    struct squares left, right;
    struct squares behind, behind_left, behind_right;
};

SHOGI_INLINE struct sources sources_of(struct squares targets, unsigned side)
{
    struct squares left = step_right(targets), right = step_left(targets);

    return (struct sources){.ahead = step_back(targets, side),
                            .ahead_left = step_back(left, side),
                            .ahead_right = step_back(right, side),
                            .left = left,
                            .right = right,
                            .behind = step_forward(targets, side),
                            .behind_left = step_forward(left, side),
                            .behind_right = step_forward(right, side)};
}

/* Left and right are the same for both sides here (towards file 9, towards file 1); which line a
 * slanting step is on depends on the side. */
SHOGI_INLINE size_t count_steps(const struct men *m, const struct bounds *b, unsigned side)
{
    unsigned to_left = side == SENTE ? ON_RISING : ON_FALLING;
    unsigned to_right = side == SENTE ? ON_FALLING : ON_RISING;
    struct sources from = sources_of(b->targets, side);
    struct squares straight = set_or(m->gold, m->horse);
    struct squares ahead = set_and(set_or(set_or(m->pawn, m->silver), straight), b->on[ON_FILE]);
    struct squares behind = set_and(straight, b->on[ON_FILE]);
    struct squares sideways = set_and(straight, b->on[ON_RANK]);
    struct squares aslant = set_or(set_or(m->gold, m->silver), m->dragon);
    struct squares back_aslant = set_or(m->silver, m->dragon);

    return set_count(set_and(ahead, from.ahead)) + set_count(set_and(behind, from.behind)) +
           set_count(set_and(sideways, from.left)) + set_count(set_and(sideways, from.right)) +
           set_count(set_and(set_and(aslant, b->on[to_left]), from.ahead_left)) +
           set_count(set_and(set_and(aslant, b->on[to_right]), from.ahead_right)) +
           set_count(set_and(set_and(back_aslant, b->on[to_right]), from.behind_left)) +
           set_count(set_and(set_and(back_aslant, b->on[to_left]), from.behind_right));
}

SHOGI_INLINE size_t count_knights(struct squares knights, struct squares targets, unsigned side)
{
    struct squares from = step_back(step_back(targets, side), side);

    return set_count(set_and(knights, step_left(from))) +
           set_count(set_and(knights, step_right(from)));
}

/* The steps that may promote and need not, which are two moves each. */
SHOGI_INLINE size_t count_promotions(const struct men *m, const struct bounds *b, unsigned side)
{
    struct squares zone = promotion_zone(side);
    struct squares pawn_ends = set_minus(zone, far_ranks(side, 1));
    struct squares knight_ends = set_minus(zone, far_ranks(side, 2));
    struct squares pawns = set_and(m->pawn, b->on[ON_FILE]);
    struct men silvers = {.silver = set_and(m->silver, zone)};
    struct men arriving = {.silver = set_minus(m->silver, zone)};
    struct bounds into = *b;

    into.targets = set_and(b->targets, zone);
    return set_count(set_and(pawns, step_back(set_and(b->targets, pawn_ends), side))) +
           count_knights(set_and(m->knight, b->free), set_and(b->targets, knight_ends), side) +
           count_steps(&silvers, b, side) + count_steps(&arriving, &into, side);
}

SHOGI_INLINE struct squares slide_within(const struct bounds *b, unsigned from, unsigned direction,
                                         struct squares slide)
{
    return set_has(b->on[direction], from) ? set_and(slide, b->targets) : set_none();
}

SHOGI_INLINE size_t count_lances(struct squares lances, const struct bounds *b, unsigned side,
                                 struct squares occupied)
{
    struct squares optional = set_minus(promotion_zone(side), far_ranks(side, 1));
    size_t n = 0;

    for (lances = set_and(lances, b->on[ON_FILE]); set_any(lances);) {
        struct squares ends = set_and(slide_forward(set_take(&lances), side, occupied), b->targets);

        n += set_count(ends) + set_count(set_and(ends, optional));
    }
    return n;
}

/* The slides of a bishop or rook, and once more those with which it may promote. */
SHOGI_INLINE size_t count_ends(const struct shogi *s, unsigned from, struct squares ends,
                               unsigned side)
{
    struct squares zone = promotion_zone(side);

    if (set_has(s->promoted, from))
        return set_count(ends);
    return set_count(ends) + set_count(set_has(zone, from) ? ends : set_and(ends, zone));
}

SHOGI_INLINE size_t count_bishops(const struct shogi *s, struct squares bishops,
                                  const struct bounds *b, unsigned side)
{
    struct squares all = occupied(s);
    size_t n = 0;

    while (set_any(bishops)) {
        unsigned from = set_take(&bishops);
        struct squares man = set_of(from);
        const struct squares *line = shogi_lines[from].on;

        n += count_ends(
            s, from,
            set_or(slide_within(b, from, ON_FALLING, slide_line(man, line[ON_FALLING], all)),
                   slide_within(b, from, ON_RISING, slide_line(man, line[ON_RISING], all))),
            side);
    }
    return n;
}

SHOGI_INLINE size_t count_rooks(const struct shogi *s, struct squares rooks, const struct bounds *b,
                                unsigned side)
{
    struct squares all = occupied(s);
    size_t n = 0;

    while (set_any(rooks)) {
        unsigned from = set_take(&rooks);
        struct squares man = set_of(from);
        const struct squares *line = shogi_lines[from].on;

        n += count_ends(s, from,
                        set_or(slide_within(b, from, ON_FILE, slide_file(from, all)),
                               slide_within(b, from, ON_RANK, slide_line(man, line[ON_RANK], all))),
                        side);
    }
    return n;
}

SHOGI_INLINE size_t count_drops(const struct shogi *s, const struct men *m, const struct bounds *b,
                                unsigned side)
{
    uint32_t hand = hand_of(s, side);
    uint32_t anywhere = hand >> hand_shift(SILVER);
    size_t n = 0;

    if (hand == 0)
        return 0;
    /* Silvers, bishops, rooks and golds drop on any square: one bit a kind that is there. */
    anywhere |= anywhere >> 1;
    anywhere |= anywhere >> 2;
    n = (size_t)__builtin_popcount(anywhere & 0x1111) * set_count(b->drops);
    if (hand_count(hand, LANCE) > 0)
        n += set_count(set_minus(b->drops, far_ranks(side, 1)));
    if (hand_count(hand, KNIGHT) > 0)
        n += set_count(set_minus(b->drops, far_ranks(side, 2)));
    if (hand_count(hand, PAWN) > 0)
        n += set_count(pawn_drops(s, side, m->pawn, b->drops));
    return n;
}

SHOGI_INLINE size_t count_side(const struct shogi *s, unsigned side)
{
    struct bounds b = bounds_of(s, side);
    struct men m = men_of(s, side);
    struct squares closed = set_or(m.all, b.attacked);
    struct squares promoting = set_or(set_and(set_or(m.pawn, m.silver), far_ranks(side, 4)),
                                      set_and(m.knight, far_ranks(side, 5)));
    size_t n = set_count(set_and(king_steps(m.king), set_minus(set_all(), closed)));

    n += count_steps(&m, &b, side);
    n += count_knights(set_and(m.knight, b.free), b.targets, side);
    if (set_any(promoting))
        n += count_promotions(&m, &b, side);
    n += count_lances(m.lance, &b, side, occupied(s));
    n += count_bishops(s, m.bishop, &b, side);
    n += count_rooks(s, m.rook, &b, side);
    return n + count_drops(s, &m, &b, side);
}

SHOGI_INLINE size_t count(const struct shogi *s)
{
    return s->side == SENTE ? count_side(s, SENTE) : count_side(s, GOTE);
}

static size_t count_portably(const struct shogi *s)
{
    return count(s);
}

#ifdef __x86_64__
__attribute__((target("popcnt,bmi,bmi2"))) static size_t count_with_popcnt(const struct shogi *s)
{
    return count(s);
}
#endif

size_t shogi_count(const struct shogi *s)
{
    if (is_casual(s))
        return shogi_legal(s, NULL, 0);
#ifdef __x86_64__
    if (__builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi2"))
        return count_with_popcnt(s);
#endif
    return count_portably(s);
}
