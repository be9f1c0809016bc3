/*
 * board.h - how a shogi position lies in memory, and sets of squares.
 *
 * A set of squares is two words of bits. A file takes ten bits, rank a lowest, and the tenth bit of
 * a file is always clear: a step off the end of a file falls on it, so no mask is needed to keep a
 * set from running into the next file. No file is split between the words, so a step along a file
 * stays in its word. Sente is side 0 and moves towards rank a, Gote is side 1.
 *
 *     word[0]   file 1: bits 0-8    file 2: bits 10-18   ...   file 5: bits 40-48
 *     word[1]   file 6: bits 0-8    file 7: bits 10-18   ...   file 9: bits 30-38
 *
 * In this folder a square is the number of its bit, 0 to 127. rules.h numbers the same squares from
 * the top left; place_of() and square_at() translate.
 *
 * All functions here are forced inline: the move counter is compiled a second time for processors
 * that count bits in one instruction, and whatever it uses must be compiled with it.
 *
 * 1 to 6 are the rules in shogi.md.
 */
#ifndef PLYD_RULES_SHOGI_BOARD_H
#define PLYD_RULES_SHOGI_BOARD_H

#include "rules/rules.h"

#define SHOGI_INLINE static inline __attribute__((always_inline))

enum {
    SHOGI_FILES = 9,
    SHOGI_RANKS = 9,
    SHOGI_FILE_BITS = 10,
    SHOGI_LOW_FILES = 5,   /* files in the first word */
    NO_SQUARE = 128,       /* a square in neither word: the set of it is empty */
    SHOGI_SQUARES = 129,   /* length of a table by square, NO_SQUARE included */
    SHOGI_MOVES_MAX = 1024 /* more moves than any position has */
};

enum { SENTE, GOTE };

/* The kinds of men, in the order of pieces.def. rules_man.kind is one of them, or PROMOTED more for
 * a promoted man. */
enum { PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK, GOLD, KING, SHOGI_BASE_KINDS };
enum { PROMOTED = 8, SHOGI_KINDS = PROMOTED + GOLD };

/* ---- sets of squares ---- */

struct squares {
    uint64_t word[2];
};

/* The ranks whose bits are set in `ranks`, on every file. */
#define SHOGI_RANKS_SET(ranks) \
    ((struct squares){{(uint64_t)(ranks)*0x10040100401U, (uint64_t)(ranks)*0x40100401U}})

/* The tenth bit of each file, behind its last square. */
#define SHOGI_GUARDS SHOGI_RANKS_SET(1 << SHOGI_RANKS)

SHOGI_INLINE struct squares set_none(void)
{
    return (struct squares){{0, 0}};
}

SHOGI_INLINE struct squares set_all(void)
{
    return SHOGI_RANKS_SET(0x1ff);
}

SHOGI_INLINE struct squares set_and(struct squares a, struct squares b)
{
    return (struct squares){{a.word[0] & b.word[0], a.word[1] & b.word[1]}};
}

SHOGI_INLINE struct squares set_or(struct squares a, struct squares b)
{
    return (struct squares){{a.word[0] | b.word[0], a.word[1] | b.word[1]}};
}

SHOGI_INLINE struct squares set_xor(struct squares a, struct squares b)
{
    return (struct squares){{a.word[0] ^ b.word[0], a.word[1] ^ b.word[1]}};
}

SHOGI_INLINE struct squares set_minus(struct squares a, struct squares b)
{
    return (struct squares){{a.word[0] & ~b.word[0], a.word[1] & ~b.word[1]}};
}

SHOGI_INLINE bool set_any(struct squares s)
{
    return (s.word[0] | s.word[1]) != 0;
}

SHOGI_INLINE size_t set_count(struct squares s)
{
    return (size_t)(__builtin_popcountll(s.word[0]) + __builtin_popcountll(s.word[1]));
}

SHOGI_INLINE struct squares set_of(unsigned square)
{
    return (struct squares){{(uint64_t)(square >> 6 == 0) << (square & 63),
                             (uint64_t)(square >> 6 == 1) << (square & 63)}};
}

SHOGI_INLINE bool set_has(struct squares s, unsigned square)
{
    return set_any(set_and(s, set_of(square)));
}

/* The first square of a set that has one. */
SHOGI_INLINE unsigned set_first(struct squares s)
{
    return s.word[0] != 0 ? (unsigned)__builtin_ctzll(s.word[0])
                          : 64 + (unsigned)__builtin_ctzll(s.word[1]);
}

/* Takes the first square out of a set that has one. */
SHOGI_INLINE unsigned set_take(struct squares *s)
{
    unsigned square = set_first(*s);

    if (s->word[0] != 0)
        s->word[0] &= s->word[0] - 1;
    else
        s->word[1] &= s->word[1] - 1;
    return square;
}

/* Whether a set has exactly one square: without its first one nothing is left. */
SHOGI_INLINE bool set_single(struct squares s)
{
    return set_any(s) && !set_any((struct squares){{s.word[0] & (s.word[0] - 1),
                                                    s.word[1] & (s.word[1] - (s.word[0] == 0))}});
}

/* One step of every man of a set. A step may leave the board. The bits that it then sets belong to
 * no square, and vanish in the first intersection with a set of squares. */
SHOGI_INLINE struct squares step_forward(struct squares s, unsigned side)
{
    return side == SENTE ? (struct squares){{s.word[0] >> 1, s.word[1] >> 1}}
                         : (struct squares){{s.word[0] << 1, s.word[1] << 1}};
}

SHOGI_INLINE struct squares step_back(struct squares s, unsigned side)
{
    return step_forward(s, !side);
}

/* Towards file 9, and towards file 1. */
SHOGI_INLINE struct squares step_left(struct squares s)
{
    enum { SPLIT = (SHOGI_LOW_FILES - 1) * SHOGI_FILE_BITS };
    return (struct squares){
        {s.word[0] << SHOGI_FILE_BITS, s.word[1] << SHOGI_FILE_BITS | s.word[0] >> SPLIT}};
}

SHOGI_INLINE struct squares step_right(struct squares s)
{
    enum { SPLIT = (SHOGI_LOW_FILES - 1) * SHOGI_FILE_BITS };
    return (struct squares){
        {s.word[0] >> SHOGI_FILE_BITS | s.word[1] << SPLIT, s.word[1] >> SHOGI_FILE_BITS}};
}

SHOGI_INLINE struct squares step_sideways(struct squares s)
{
    return set_or(step_left(s), step_right(s));
}

/* ---- regions, as a side sees them ---- */

/* The `n` ranks that are farthest from a side's own camp. */
SHOGI_INLINE struct squares far_ranks(unsigned side, unsigned n)
{
    unsigned last = (1U << n) - 1;

    return side == SENTE ? SHOGI_RANKS_SET(last) : SHOGI_RANKS_SET(last << (SHOGI_RANKS - n));
}

/* 4.1: where a side's men promote. */
SHOGI_INLINE struct squares promotion_zone(unsigned side)
{
    return far_ranks(side, 3);
}

/* ---- squares and their two numbers ---- */

SHOGI_INLINE unsigned square_on(unsigned file, unsigned rank)
{
    return file < SHOGI_LOW_FILES ? file * SHOGI_FILE_BITS + rank
                                  : 64 + (file - SHOGI_LOW_FILES) * SHOGI_FILE_BITS + rank;
}

SHOGI_INLINE unsigned file_of(unsigned square)
{
    return (square & 63) / SHOGI_FILE_BITS + (square < 64 ? 0 : SHOGI_LOW_FILES);
}

SHOGI_INLINE unsigned rank_of(unsigned square)
{
    return (square & 63) % SHOGI_FILE_BITS;
}

/* The number of rules.h for a square, and back. */
SHOGI_INLINE unsigned place_of(unsigned square)
{
    return rank_of(square) * SHOGI_FILES + SHOGI_FILES - 1 - file_of(square);
}

SHOGI_INLINE unsigned square_at(unsigned place)
{
    return square_on(SHOGI_FILES - 1 - place % SHOGI_FILES, place / SHOGI_FILES);
}

/* ---- the position ---- */

enum { IMPASSE_DECLARE, IMPASSE_AUTO, IMPASSE_OFF };

/* A position, as it lies in rules_state.w. All members are words of 64 bits, so that the words up
 * to `hands` can be hashed as they are. */
struct shogi {
    struct squares kind[SHOGI_BASE_KINDS]; /* men of both sides, by what they are unpromoted */
    struct squares promoted;               /* the men of them that are promoted */
    struct squares seat[RULES_SEATS];      /* the men of a side */
    uint64_t hands;                        /* Sente's in the low half (hand_shift()) */
    uint64_t king[RULES_SEATS];            /* where a side's king stands, or NO_SQUARE */
    uint64_t side;                         /* SENTE or GOTE is to move */
    uint64_t number;                       /* of the next move, as in SFEN */
    uint64_t rules;      /* bit 0: casual; bits 1 and 2: impasse; above them: handicap_points().
                          * 0: standard, declared, no handicap */
    uint64_t repetition; /* this option and the next one; 0 is off */
    uint64_t max_plies;
};

_Static_assert(sizeof(struct shogi) <= sizeof(((struct rules_state *)0)->w),
               "a shogi position fits in a state");

SHOGI_INLINE const struct shogi *shogi_of(const struct rules_state *state)
{
    return (const struct shogi *)state->w;
}

SHOGI_INLINE bool is_casual(const struct shogi *s)
{
    return s->rules & 1;
}

SHOGI_INLINE unsigned impasse_rule(const struct shogi *s)
{
    return (unsigned)(s->rules >> 1 & 3);
}

/* The points that Gote started without (4.8). No position shows them: one may be set up with men
 * missing, and that is no handicap. */
SHOGI_INLINE unsigned handicap_points(const struct shogi *s)
{
    return (unsigned)(s->rules >> 3);
}

SHOGI_INLINE void set_rules(struct shogi *s, unsigned casual, unsigned impasse)
{
    s->rules = casual | (uint64_t)impasse << 1;
}

SHOGI_INLINE void set_handicap(struct shogi *s, unsigned points)
{
    s->rules |= (uint64_t)points << 3;
}

SHOGI_INLINE struct squares occupied(const struct shogi *s)
{
    return set_or(s->seat[SENTE], s->seat[GOTE]);
}

/* The unpromoted kind of the man on an occupied square. */
SHOGI_INLINE unsigned base_kind_at(const struct shogi *s, unsigned square)
{
    unsigned kind = PAWN;

    while (kind < KING && !set_has(s->kind[kind], square))
        kind++;
    return kind;
}

/* The man on a square; seat 0 if there is none. */
SHOGI_INLINE struct rules_man man_on(const struct shogi *s, unsigned square)
{
    unsigned kind;

    if (!set_has(occupied(s), square))
        return (struct rules_man){0, 0};
    kind = base_kind_at(s, square) + (set_has(s->promoted, square) ? PROMOTED : 0);
    return (struct rules_man){set_has(s->seat[SENTE], square) ? 1 : 2, (uint8_t)kind};
}

/* ---- hands: 32 bits a side, eight for the pawns and four for each other kind, so that to gain or
 *      to lose a man is one addition ---- */

SHOGI_INLINE unsigned hand_shift(unsigned kind)
{
    return kind == PAWN ? 0 : 4 + 4 * kind;
}

/* What one man more of a kind adds to shogi.hands. Kings are never in a hand. */
SHOGI_INLINE uint64_t hand_one(unsigned side, unsigned kind)
{
    return kind == KING ? 0 : (uint64_t)1 << (hand_shift(kind) + 32 * side);
}

SHOGI_INLINE uint32_t hand_of(const struct shogi *s, unsigned side)
{
    return (uint32_t)(s->hands >> 32 * side);
}

SHOGI_INLINE unsigned hand_count(uint32_t hand, unsigned kind)
{
    return kind == KING ? 0 : hand >> hand_shift(kind) & (kind == PAWN ? 0xff : 0xf);
}

/* ---- moves: the first word of a rules_move holds these fields, the second what the move adds to
 *      shogi.hands ---- */

struct shogi_move {
    unsigned from; /* NO_SQUARE: a drop */
    unsigned to;
    unsigned kind;     /* what moves or is dropped, unpromoted */
    unsigned captured; /* the unpromoted kind of what is taken; any kind if nothing is */
    bool promoted;     /* whether it is a promoted man after the move */
    bool promotes;     /* whether it becomes one with this move */
};

SHOGI_INLINE rules_move pack_move(struct shogi_move m, uint64_t to_hands)
{
    return (rules_move){{m.from | m.to << 8 | m.kind << 16 | m.captured << 20 |
                             (unsigned)m.promoted << 24 | (unsigned)m.promotes << 25,
                         to_hands}};
}

SHOGI_INLINE struct shogi_move unpack_move(rules_move move)
{
    unsigned w = (unsigned)move.w[0];

    return (struct shogi_move){.from = w & 0xff,
                               .to = w >> 8 & 0xff,
                               .kind = w >> 16 & 0xf,
                               .captured = w >> 20 & 0xf,
                               .promoted = w >> 24 & 1,
                               .promotes = w >> 25 & 1};
}

/* The game's table, and its pictures: shogi.c, art.c. */
extern const struct rules_game rules_shogi;
extern const struct rules_art rules_shogi_art;

#endif
