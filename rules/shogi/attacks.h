/*
 * attacks.h - which squares men attack (rule 3): whole sets of men where they step, man by man
 * where they slide.
 *
 * An attacked square may hold a man of either side. A set that steps attack may have bits off the
 * board (see step_forward()).
 */
#ifndef PLYD_RULES_SHOGI_ATTACKS_H
#define PLYD_RULES_SHOGI_ATTACKS_H

#include "rules/shogi/board.h"
#include "rules/shogi/lines.h"

/* The men of one side by how they move. Golds include the promoted men that move like them; bishops
 * and rooks include horses and dragons, which slide as they do. */
struct men {
    struct squares all;
    struct squares pawn, lance, knight, silver, gold, bishop, rook, king;
    struct squares horse, dragon;
};

SHOGI_INLINE struct men men_of(const struct shogi *s, unsigned side)
{
    struct squares all = s->seat[side];
    struct squares plain = set_minus(all, s->promoted), raised = set_and(all, s->promoted);
    struct squares great = set_or(s->kind[BISHOP], s->kind[ROOK]);

    return (struct men){.all = all,
                        .pawn = set_and(plain, s->kind[PAWN]),
                        .lance = set_and(plain, s->kind[LANCE]),
                        .knight = set_and(plain, s->kind[KNIGHT]),
                        .silver = set_and(plain, s->kind[SILVER]),
                        .gold = set_or(set_and(all, s->kind[GOLD]), set_minus(raised, great)),
                        .bishop = set_and(all, s->kind[BISHOP]),
                        .rook = set_and(all, s->kind[ROOK]),
                        .king = set_and(all, s->kind[KING]),
                        .horse = set_and(raised, s->kind[BISHOP]),
                        .dragon = set_and(raised, s->kind[ROOK])};
}

/* ---- steps ---- */

SHOGI_INLINE struct squares knight_steps(struct squares men, unsigned side)
{
    struct squares jumping = set_minus(men, far_ranks(side, 2));

    return step_forward(step_forward(step_sideways(jumping), side), side);
}

SHOGI_INLINE struct squares silver_steps(struct squares men, unsigned side)
{
    struct squares beside = step_sideways(men);

    return set_or(step_forward(set_or(men, beside), side), step_back(beside, side));
}

SHOGI_INLINE struct squares gold_steps(struct squares men, unsigned side)
{
    struct squares beside = step_sideways(men);

    return set_or(set_or(beside, step_forward(set_or(men, beside), side)), step_back(men, side));
}

SHOGI_INLINE struct squares straight_steps(struct squares men)
{
    return set_or(step_sideways(men), set_or(step_forward(men, SENTE), step_forward(men, GOTE)));
}

SHOGI_INLINE struct squares diagonal_steps(struct squares men)
{
    struct squares beside = step_sideways(men);

    return set_or(step_forward(beside, SENTE), step_forward(beside, GOTE));
}

/* ---- slides: obstruction difference. Of the men in a line, taken as a number, subtract the slider
 *      itself. The borrow runs up to the first man above the slider: it clears that bit and sets
 * all bits in between. The bits that have changed are the squares that the slider attacks. ---- */

/* The sets as numbers of 128 bits. */
SHOGI_INLINE struct squares set_subtract(struct squares a, struct squares b)
{
    return (struct squares){
        {a.word[0] - b.word[0], a.word[1] - b.word[1] - (a.word[0] < b.word[0])}};
}

SHOGI_INLINE struct squares set_swapped(struct squares s)
{
    return (struct squares){{__builtin_bswap64(s.word[1]), __builtin_bswap64(s.word[0])}};
}

/* Along any line but a file, both ways. Downwards it is the same subtraction on the reversed line.
 * Such a line has at most one square in each byte, so that swapping the bytes reverses it; files
 * are ten bits apart. */
SHOGI_INLINE struct squares slide_line(struct squares man, struct squares line,
                                       struct squares occupied)
{
    struct squares met = set_and(occupied, line);
    struct squares up = set_subtract(met, man);
    struct squares down = set_swapped(set_subtract(set_swapped(met), set_swapped(man)));

    return set_and(set_xor(up, down), line);
}

/* Along the files of one word towards rank i, any number of men at once. Slides end at `met`: the
 * men of both sides, and the guards, which keep the borrow of each file in that file. */
SHOGI_INLINE uint64_t slide_down(uint64_t men, uint64_t met)
{
    return met ^ (met - (men << 1));
}

/* One man towards rank a: all squares from the man down to the highest bit of `met` below it. With
 * everything moved up by one there is room for a guard below the first square of the word. */
SHOGI_INLINE uint64_t slide_up(uint64_t man, uint64_t met)
{
    uint64_t below = (met << 1 | 1) & ((man << 1) - 1);

    return ((man << 1) - ((uint64_t)1 << (63 - __builtin_clzll(below)))) >> 1;
}

SHOGI_INLINE uint64_t slide_forward_in_word(uint64_t men, unsigned side, uint64_t met)
{
    uint64_t slides = 0;

    if (side == GOTE)
        return slide_down(men, met);
    for (; men != 0; men &= men - 1)
        slides |= slide_up(men & -men, met);
    return slides;
}

/* What lances attack. */
SHOGI_INLINE struct squares slide_forward(struct squares men, unsigned side,
                                          struct squares occupied)
{
    struct squares met = set_or(occupied, SHOGI_GUARDS);

    return set_and(set_all(),
                   (struct squares){{slide_forward_in_word(men.word[0], side, met.word[0]),
                                     slide_forward_in_word(men.word[1], side, met.word[1])}});
}

SHOGI_INLINE struct squares slide_file(unsigned square, struct squares occupied)
{
    struct squares met = set_or(occupied, SHOGI_GUARDS);
    uint64_t man = (uint64_t)1 << (square & 63);
    uint64_t word = square < 64 ? met.word[0] : met.word[1];
    uint64_t slides = slide_up(man, word) | slide_down(man, word);

    return set_and(set_all(),
                   square < 64 ? (struct squares){{slides, 0}} : (struct squares){{0, slides}});
}

SHOGI_INLINE struct squares slide_on(unsigned direction, unsigned square, struct squares occupied)
{
    if (direction == ON_FILE)
        return slide_file(square, occupied);
    return slide_line(set_of(square), shogi_lines[square].on[direction], occupied);
}

SHOGI_INLINE struct squares slide_straight(unsigned square, struct squares occupied)
{
    return set_or(slide_on(ON_FILE, square, occupied), slide_on(ON_RANK, square, occupied));
}

SHOGI_INLINE struct squares slide_diagonal(unsigned square, struct squares occupied)
{
    return set_or(slide_on(ON_FALLING, square, occupied), slide_on(ON_RISING, square, occupied));
}

/* The squares of `line` strictly between two of its squares. */
SHOGI_INLINE struct squares between(unsigned a, unsigned b, struct squares line)
{
    struct squares low = set_of(a < b ? a : b), high = set_of(a < b ? b : a);

    return set_and(set_minus(set_subtract(high, low), low), line);
}

/* ---- all men ---- */

/* What the men of a side attack with a step. */
SHOGI_INLINE struct squares steps_of(const struct men *m, unsigned side)
{
    struct squares straight = set_or(set_or(m->gold, m->king), m->horse);
    struct squares ahead = set_or(set_or(m->pawn, m->silver), straight);
    struct squares aslant = set_or(set_or(m->gold, m->silver), set_or(m->king, m->dragon));
    struct squares behind = set_or(set_or(m->silver, m->king), m->dragon);
    struct squares sideways = step_sideways(straight);

    return set_or(set_or(sideways, knight_steps(m->knight, side)),
                  set_or(step_forward(set_or(ahead, step_sideways(aslant)), side),
                         step_back(set_or(straight, step_sideways(behind)), side)));
}

/* What one man attacks; `kind` as in rules_man. */
SHOGI_INLINE struct squares attacks_from(unsigned square, unsigned kind, unsigned side,
                                         struct squares occupied)
{
    struct squares man = set_of(square);

    switch (kind) {
    case PAWN:
        return step_forward(man, side);
    case LANCE:
        return slide_forward(man, side, occupied);
    case KNIGHT:
        return knight_steps(man, side);
    case SILVER:
        return silver_steps(man, side);
    case BISHOP:
        return slide_diagonal(square, occupied);
    case ROOK:
        return slide_straight(square, occupied);
    case KING:
        return shogi_reach[square].steps;
    case PROMOTED + BISHOP:
        return set_or(slide_diagonal(square, occupied), straight_steps(man));
    case PROMOTED + ROOK:
        return set_or(slide_straight(square, occupied), diagonal_steps(man));
    default:
        return gold_steps(man, side);
    }
}

/* The men of `m`, the men of a side, that attack a square. Looked at from the square: a man there
 * of the other side and of the same kind would attack exactly those. */
SHOGI_INLINE struct squares attackers_of(unsigned square, const struct men *m, unsigned side,
                                         struct squares occupied)
{
    struct squares to = set_of(square);
    struct squares steppers = set_or(
        set_or(set_and(m->pawn, step_back(to, side)), set_and(m->knight, knight_steps(to, !side))),
        set_or(set_and(m->silver, silver_steps(to, !side)),
               set_and(m->gold, gold_steps(to, !side))));
    struct squares royal =
        set_and(set_or(m->king, set_or(m->horse, m->dragon)), shogi_reach[square].steps);
    struct squares sliders = set_or(set_and(m->lance, slide_forward(to, !side, occupied)),
                                    set_or(set_and(m->bishop, slide_diagonal(square, occupied)),
                                           set_and(m->rook, slide_straight(square, occupied))));

    return set_or(steppers, set_or(royal, sliders));
}

#endif
