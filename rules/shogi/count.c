/*
 * count.c - how many legal moves a position has, without a list of them.
 *
 * Stepping men are counted all at once, one direction at a time: a man counts if the square one
 * step on is a target. Not the men are shifted but the targets, so that men of all kinds that step
 * in a direction share one shift and one count. The two words of the board are counted one after
 * the other, since what one of them needs fits into the registers.
 *
 * Bounds (bounds.h) make every move within them legal. One bound needs this counter itself: a pawn
 * may not be dropped for mate, and mate is a position without moves. That recursion ends at once,
 * for after the drop the other side is in check from next to its king and has no drop to make.
 */
#include "rules/shogi/bounds.h"
#include "rules/shogi/moves.h"

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

/* The targets, and the squares that have one to the left and to the right. */
struct aims {
    struct squares to, left, right;
};

/* The steps of the men in word `w`, except the king's. Pinned men are left out of the directions
 * that they are barred from. A slanting step ahead to the left (towards file 9) is on the same line
 * as one back to the right. */
SHOGI_INLINE size_t count_steps_in(unsigned w, const struct shogi *s, const struct bounds *b,
                                   const struct aims *aims, unsigned side)
{
    uint64_t own = s->seat[side].word[w], raised = own & s->promoted.word[w];
    uint64_t plain = own & ~raised, gold = own & s->kind[GOLD].word[w];
    uint64_t silver = plain & s->kind[SILVER].word[w];
    uint64_t knight = plain & s->kind[KNIGHT].word[w] & ~b->pinned.word[w];
    uint64_t dragon = raised & s->kind[ROOK].word[w];
    uint64_t straight = gold | (raised & ~dragon); /* golds and horses */
    uint64_t ahead = straight | silver | (plain & s->kind[PAWN].word[w]);
    uint64_t aslant = gold | silver | (raised & ~s->kind[BISHOP].word[w]);
    uint64_t behind_aslant = silver | dragon;
    uint64_t on_file = ~b->barred[ON_FILE].word[w], on_rank = ~b->barred[ON_RANK].word[w];
    uint64_t on_left = ~b->barred[side == SENTE ? ON_RISING : ON_FALLING].word[w];
    uint64_t on_right = ~b->barred[side == SENTE ? ON_FALLING : ON_RISING].word[w];
    uint64_t to = aims->to.word[w], left = aims->left.word[w], right = aims->right.word[w];
    uint64_t ahead_left = word_back(left, side), ahead_right = word_back(right, side);

    return bits(ahead & on_file & word_back(to, side)) +
           bits(straight & on_file & word_forward(to, side)) + bits(straight & on_rank & left) +
           bits(straight & on_rank & right) + bits(aslant & on_left & ahead_left) +
           bits(aslant & on_right & ahead_right) +
           bits(behind_aslant & on_right & word_forward(left, side)) +
           bits(behind_aslant & on_left & word_forward(right, side)) +
           bits(knight & word_back(ahead_left, side)) + bits(knight & word_back(ahead_right, side));
}

SHOGI_INLINE size_t count_steps(const struct shogi *s, const struct bounds *b, unsigned side)
{
    struct aims aims = {b->targets, step_right(b->targets), step_left(b->targets)};

    return count_steps_in(0, s, b, &aims, side) + count_steps_in(1, s, b, &aims, side);
}

/* ---- promotions: where a man may promote but need not, its move counts twice ---- */

/* On how many of its ends a silver, bishop or rook may promote. */
SHOGI_INLINE size_t count_choices(unsigned from, struct squares ends, unsigned side)
{
    struct squares zone = promotion_zone(side);

    return set_count(set_has(zone, from) ? ends : set_and(ends, zone));
}

/* The moves of pawns, knights and silvers that count twice. Where a pawn or a knight must promote,
 * there is no choice: those ends are left out. */
SHOGI_INLINE size_t count_step_choices(const struct men *m, const struct bounds *b, unsigned side)
{
    struct squares ends = set_and(b->targets, promotion_zone(side));
    struct squares pawns = set_minus(m->pawn, b->barred[ON_FILE]);
    struct squares pawn_aims = step_back(set_minus(ends, far_ranks(side, 1)), side);
    struct squares knights = set_minus(m->knight, b->pinned);
    struct squares knight_aims =
        step_back(step_back(set_minus(ends, far_ranks(side, 2)), side), side);
    size_t n = set_count(set_and(pawns, pawn_aims)) +
               set_count(set_and(knights, step_left(knight_aims))) +
               set_count(set_and(knights, step_right(knight_aims)));

    for (struct squares silvers = set_and(m->silver, far_ranks(side, 4)); set_any(silvers);) {
        unsigned from = set_take(&silvers);

        n += count_choices(from, within(b, from, silver_steps(set_of(from), side)), side);
    }
    return n;
}

/* ---- slides ---- */

/* All lances at once: no two lances of a side can slide to the same square, since the one behind
 * meets the one in front. */
SHOGI_INLINE size_t count_lances(struct squares lances, const struct bounds *b, unsigned side,
                                 struct squares occupied)
{
    struct squares optional = set_minus(promotion_zone(side), far_ranks(side, 1));
    struct squares ends =
        set_and(slide_forward(set_minus(lances, b->barred[ON_FILE]), side, occupied), b->targets);

    return set_count(ends) + set_count(set_and(ends, optional));
}

SHOGI_INLINE struct squares slide_within(const struct bounds *b, unsigned direction, unsigned from,
                                         struct squares occupied)
{
    return set_has(b->barred[direction], from)
               ? set_none()
               : set_and(slide_on(direction, from, occupied), b->targets);
}

/* The slides of bishops or rooks in their two directions. */
SHOGI_INLINE size_t count_slides(const struct shogi *s, struct squares men, const struct bounds *b,
                                 unsigned side, unsigned direction, unsigned other)
{
    struct squares all = occupied(s);
    size_t n = 0;

    while (set_any(men)) {
        unsigned from = set_take(&men);
        struct squares ends =
            set_or(slide_within(b, direction, from, all), slide_within(b, other, from, all));

        n += set_count(ends);
        if (!set_has(s->promoted, from))
            n += count_choices(from, ends, side);
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
    /* Silvers, bishops, rooks and golds drop on any square: fold the four bits of each kind into
     * its lowest, and count the kinds that are there. */
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
        n += count_step_choices(&m, b, side);
    n += count_lances(m.lance, b, side, occupied(s));
    n += count_slides(s, m.bishop, b, side, ON_FALLING, ON_RISING);
    n += count_slides(s, m.rook, b, side, ON_FILE, ON_RANK);
    return n + count_drops(s, &m, b, side);
}

/* The counter of one side, compiled with `attributes`. The usual case and the rare one are
 * functions of their own: in the usual one the compiler drops all work on bounds, and each keeps in
 * registers what it needs itself. The side is a constant, so that no step asks which way is
 * forward. */
#define COUNTER(name, side, attributes)                                                   \
    attributes static size_t name##_loose(const struct shogi *s, struct squares attacked) \
    {                                                                                     \
        struct bounds b = loose_bounds(s, side, attacked);                                \
        return count_within(s, &b, side);                                                 \
    }                                                                                     \
                                                                                          \
    attributes static size_t name##_in_danger(const struct shogi *s)                      \
    {                                                                                     \
        struct bounds b = bounds_of(s, side);                                             \
        return b.tight ? count_within(s, &b, side) : name##_loose(s, b.attacked);         \
    }                                                                                     \
                                                                                          \
    attributes static size_t name(const struct shogi *s)                                  \
    {                                                                                     \
        return is_in_danger(s, side) ? name##_in_danger(s) : name##_loose(s, set_none()); \
    }

#define PORTABLY __attribute__((noinline))
COUNTER(count_sente, SENTE, PORTABLY)
COUNTER(count_gote, GOTE, PORTABLY)

#ifdef __x86_64__
#define WITH_POPCNT __attribute__((noinline, target("popcnt,bmi,bmi2")))
COUNTER(count_sente_fast, SENTE, WITH_POPCNT)
COUNTER(count_gote_fast, GOTE, WITH_POPCNT)
#endif

size_t shogi_count_standard(const struct shogi *s)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi2"))
        return s->side == SENTE ? count_sente_fast(s) : count_gote_fast(s);
#endif
    return s->side == SENTE ? count_sente(s) : count_gote(s);
}

/* ---- the drop of a pawn that mates ---- */

/* A king that has a square to step to is not mated: mostly that spares the count below. */

static bool king_escapes(const struct shogi *s, unsigned side, struct squares pawn)
{
    unsigned king = (unsigned)s->king[side];
    struct men foe = men_of(s, !side);
    struct squares all = set_or(set_minus(occupied(s), set_of(king)), pawn);
    struct squares attacked = attacks_near(&shogi_reach[king], &foe, !side, all);

    return set_any(set_minus(shogi_reach[king].steps, set_or(s->seat[side], attacked)));
}

/* Asked for seldom: it stays out of the counters' way. */
__attribute__((noinline, cold)) bool shogi_pawn_drop_mates(const struct shogi *s, unsigned side)
{
    struct squares pawn = step_back(set_of((unsigned)s->king[!side]), side);
    struct shogi_move drop = {.from = NO_SQUARE, .to = set_first(pawn), .kind = PAWN};
    struct shogi next;

    if (king_escapes(s, !side, pawn))
        return false;
    shogi_play(s, pack_move(drop, -hand_one(side, PAWN)), &next);
    return shogi_count_standard(&next) == 0;
}
