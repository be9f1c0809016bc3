/*
 * shogi_count.c - how many legal moves a position has, without making a list of them.
 *
 * Stepping men are counted all at once, a direction at a time: those of them for which the square
 * one step on is a target. It is the targets that are shifted, not the men, so that men of all
 * kinds that step in a direction share one shift and one count. The two words of the board are
 * counted one after the other: what one of them needs fits into the registers.
 */
#include "shogi_bounds.h"
#include "shogi_moves.h"

SHOGI_INLINE size_t bits(uint64_t word)
{
    return (size_t)__builtin_popcountll(word);
}

/* A step along the files of one word. */
SHOGI_INLINE uint64_t word_forward(uint64_t word, unsigned side)
{
    return side == SENTE ? word >> 1 : word << 1;
}

SHOGI_INLINE uint64_t word_back(uint64_t word, unsigned side)
{
    return word_forward(word, !side);
}

/* Where to step: the targets, and the squares to the left and to the right of which one lies. */
struct steps {
    struct squares to, left, right;
};

SHOGI_INLINE struct steps steps_to(struct squares targets)
{
    return (struct steps){targets, step_right(targets), step_left(targets)};
}

/* The lines of slanting steps: to the left (towards file 9) ahead is to the right behind. */
SHOGI_INLINE unsigned left_ahead(unsigned side)
{
    return side == SENTE ? ON_RISING : ON_FALLING;
}

SHOGI_INLINE unsigned right_ahead(unsigned side)
{
    return side == SENTE ? ON_FALLING : ON_RISING;
}

/* The steps of the men in word `w`, but for the king's. */
SHOGI_INLINE size_t count_steps_in(unsigned w, const struct shogi *s, const struct bounds *b,
                                   const struct steps *step, unsigned side)
{
    uint64_t own = s->seat[side].word[w], raised = own & s->promoted.word[w];
    uint64_t plain = own & ~raised, gold = own & s->kind[GOLD].word[w];
    uint64_t silver = plain & s->kind[SILVER].word[w];
    uint64_t knight = plain & s->kind[KNIGHT].word[w] & b->free.word[w];
    uint64_t dragon = raised & s->kind[ROOK].word[w];
    uint64_t straight = gold | (raised & ~dragon); /* golds and horses */
    uint64_t ahead = straight | silver | (plain & s->kind[PAWN].word[w]);
    uint64_t aslant = gold | silver | (raised & ~s->kind[BISHOP].word[w]);
    uint64_t behind_aslant = silver | dragon;
    uint64_t on_file = b->on[ON_FILE].word[w], on_rank = b->on[ON_RANK].word[w];
    uint64_t on_left = b->on[left_ahead(side)].word[w], on_right = b->on[right_ahead(side)].word[w];
    uint64_t to = step->to.word[w], left = step->left.word[w], right = step->right.word[w];
    uint64_t left_once = word_back(left, side), right_once = word_back(right, side);

    return bits(ahead & on_file & word_back(to, side)) +
           bits(straight & on_file & word_forward(to, side)) + bits(straight & on_rank & left) +
           bits(straight & on_rank & right) + bits(aslant & on_left & left_once) +
           bits(aslant & on_right & right_once) +
           bits(behind_aslant & on_right & word_forward(left, side)) +
           bits(behind_aslant & on_left & word_forward(right, side)) +
           bits(knight & word_back(left_once, side)) + bits(knight & word_back(right_once, side));
}

SHOGI_INLINE size_t count_steps(const struct shogi *s, const struct bounds *b, unsigned side)
{
    struct steps step = steps_to(b->targets);

    return count_steps_in(0, s, b, &step, side) + count_steps_in(1, s, b, &step, side);
}

/* ---- promotions: steps that may promote and need not are two moves each ---- */

SHOGI_INLINE size_t count_knights(struct squares knights, struct squares targets, unsigned side)
{
    struct squares from = step_back(step_back(targets, side), side);

    return set_count(set_and(knights, step_left(from))) +
           set_count(set_and(knights, step_right(from)));
}

SHOGI_INLINE size_t count_silvers_ahead(struct squares silvers, const struct bounds *b,
                                        struct squares targets, unsigned side)
{
    struct squares from = step_back(targets, side);
    struct squares to_left = set_and(silvers, b->on[left_ahead(side)]);
    struct squares to_right = set_and(silvers, b->on[right_ahead(side)]);

    return set_count(set_and(set_and(silvers, b->on[ON_FILE]), from)) +
           set_count(set_and(to_left, step_right(from))) +
           set_count(set_and(to_right, step_left(from)));
}

SHOGI_INLINE size_t count_silvers_back(struct squares silvers, const struct bounds *b,
                                       unsigned side)
{
    struct squares from = step_forward(b->targets, side);
    struct squares to_left = set_and(silvers, b->on[right_ahead(side)]);
    struct squares to_right = set_and(silvers, b->on[left_ahead(side)]);

    return set_count(set_and(to_left, step_right(from))) +
           set_count(set_and(to_right, step_left(from)));
}

/* Of silvers ahead count those that end in the zone, since where these start there they end there
 * too; backwards, those that start there. */
SHOGI_INLINE size_t count_promotions(const struct men *m, const struct bounds *b, unsigned side)
{
    struct squares zone = promotion_zone(side), ends = set_and(b->targets, zone);
    struct squares pawn_ends = set_minus(ends, far_ranks(side, 1));
    struct squares knight_ends = set_minus(ends, far_ranks(side, 2));
    struct squares pawns = set_and(m->pawn, b->on[ON_FILE]);

    return set_count(set_and(pawns, step_back(pawn_ends, side))) +
           count_knights(set_and(m->knight, b->free), knight_ends, side) +
           count_silvers_ahead(m->silver, b, ends, side) +
           count_silvers_back(set_and(m->silver, zone), b, side);
}

/* ---- slides ---- */

SHOGI_INLINE struct squares slide_within(const struct bounds *b, unsigned from, unsigned direction,
                                         struct squares slide)
{
    return set_has(b->on[direction], from) ? set_and(slide, b->targets) : set_none();
}

/* No two lances of a side can slide to the same square. */
SHOGI_INLINE size_t count_lances(struct squares lances, const struct bounds *b, unsigned side,
                                 struct squares occupied)
{
    struct squares optional = set_minus(promotion_zone(side), far_ranks(side, 1));
    struct squares ends =
        set_and(slide_forward(set_and(lances, b->on[ON_FILE]), side, occupied), b->targets);

    return set_count(ends) + set_count(set_and(ends, optional));
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

SHOGI_INLINE size_t count_within(const struct shogi *s, const struct bounds *b, unsigned side)
{
    struct men m = men_of(s, side);
    struct squares closed = set_or(m.all, b->attacked);
    struct squares promoting = set_or(set_and(set_or(m.pawn, m.silver), far_ranks(side, 4)),
                                      set_and(m.knight, far_ranks(side, 5)));
    size_t n = set_count(set_minus(shogi_reach[s->king[side]].steps, closed));

    n += count_steps(s, b, side);
    if (set_any(promoting))
        n += count_promotions(&m, b, side);
    n += count_lances(m.lance, b, side, occupied(s));
    n += count_bishops(s, m.bishop, b, side);
    n += count_rooks(s, m.rook, b, side);
    return n + count_drops(s, &m, b, side);
}

/* The counter of one side, compiled with `attributes`. What is usual and what is rare are functions
 * of their own: in the usual one the work of keeping bounds falls away, and each of them keeps in
 * registers what it needs itself. */
#define COUNTER(name, side, attributes)                                                            \
    attributes static size_t name##_free(const struct shogi *s, struct squares attacked)           \
    {                                                                                              \
        struct bounds b = unbound(s, side, attacked);                                              \
        return count_within(s, &b, side);                                                          \
    }                                                                                              \
                                                                                                   \
    attributes static size_t name##_bound(const struct shogi *s, struct squares attacked)          \
    {                                                                                              \
        struct bounds b = bounds_of(s, side, attacked);                                            \
        return count_within(s, &b, side);                                                          \
    }                                                                                              \
                                                                                                   \
    attributes static size_t name(const struct shogi *s)                                           \
    {                                                                                              \
        struct squares attacked;                                                                   \
        if (!is_in_danger(s, side))                                                                \
            return name##_free(s, set_none());                                                     \
        attacked = attacks_on_king(s, side);                                                       \
        return is_bound(s, side, attacked) ? name##_bound(s, attacked) : name##_free(s, attacked); \
    }

#define PORTABLY __attribute__((noinline))
COUNTER(count_sente, SENTE, PORTABLY)
COUNTER(count_gote, GOTE, PORTABLY)

#ifdef __x86_64__
#define WITH_POPCNT __attribute__((noinline, target("popcnt,bmi,bmi2")))
COUNTER(count_sente_fast, SENTE, WITH_POPCNT)
COUNTER(count_gote_fast, GOTE, WITH_POPCNT)
#endif

size_t shogi_count(const struct shogi *s)
{
    if (is_casual(s))
        return shogi_legal(s, NULL, 0);
#ifdef __x86_64__
    if (__builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi2"))
        return s->side == SENTE ? count_sente_fast(s) : count_gote_fast(s);
#endif
    return s->side == SENTE ? count_sente(s) : count_gote(s);
}
