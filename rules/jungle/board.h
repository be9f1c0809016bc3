/*
 * board.h - how a position of Jungle is kept, and what the files of this folder do for each other.
 *
 * The 63 squares are bits in the order of the squares: bit 0 is a9, bit 62 is g1. Red is side 0 and
 * sits at the bottom, Blue is side 1. A side has at most one piece of each kind (J7), so the set of
 * its rats, say, is one bit or empty: where a kind stands and where it may go are sets alike, and
 * no loop over pieces is needed.
 *
 * J1 to J35 are the rules in jungle.md.
 */
#ifndef PLYD_RULES_JUNGLE_BOARD_H
#define PLYD_RULES_JUNGLE_BOARD_H

#include "rules/rules.h"

enum { WIDTH = 7, HEIGHT = 9, SQUARES = WIDTH * HEIGHT };

/* J4: the kinds, the weakest first. */
enum kind { RAT, CAT, DOG, WOLF, LEOPARD, TIGER, LION, ELEPHANT, KINDS };

/* J8: the options, and the values of those that are choices. */
enum option { OWN_TRAPS, JUMP_BLOCK, RAT_SHORE, TRAPPED_ATTACK, DRAW_ROUNDS, REPETITION, OPTIONS };
enum { TRAPS_ALLOWED, TRAPS_CAPTURE_ONLY };
enum { BLOCK_ANY, BLOCK_ENEMY };
enum { SHORE_FREE, SHORE_SAME, SHORE_ENTER_ONLY };
enum { ATTACK_NONE, ATTACK_NORMAL };

/* The rules that a refusal may name. */
enum law {
#define JUNGLE_LAW(name, number, id, text) name,
#include "rules/jungle/laws.def"
#undef JUNGLE_LAW
    LAWS
};

extern const struct rules_law jungle_laws[LAWS];
extern const struct rules_piece jungle_pieces[KINDS];
extern const struct rules_board jungle_board;

/* What lies in rules_state.w. */
struct position {
    uint64_t side[RULES_SEATS]; /* the squares that hold pieces of the side */
    uint64_t kind[KINDS];       /* the squares that hold pieces of the kind, of either side */
    uint32_t mover;             /* the side to move */
    uint32_t quiet;             /* J30: plies since the last capture */
    uint32_t round;             /* from 1, one more after each move of Blue's */
    uint16_t option[OPTIONS];
} __attribute__((may_alias));

_Static_assert(sizeof(struct position) <= sizeof(((struct rules_state *)0)->w),
               "a position fits into a state");

static inline const struct position *jungle_view(const struct rules_state *state)
{
    return (const struct position *)state->w;
}

static inline struct position *jungle_edit(struct rules_state *state)
{
    return (struct position *)state->w;
}

/* ---- J2: the ground ---- */

#define SQUARE(file, rank) (1ULL << ((HEIGHT - (rank)) * WIDTH + (file) - 'a'))
#define RANKS_4_TO_6(file) (SQUARE(file, 4) | SQUARE(file, 5) | SQUARE(file, 6))

#define BOARD  (~0ULL >> 1)
#define FILE_A 0x0102040810204081ULL
#define FILE_G (FILE_A << 6)
#define RIVER  (RANKS_4_TO_6('b') | RANKS_4_TO_6('c') | RANKS_4_TO_6('e') | RANKS_4_TO_6('f'))

#define BANKS (RIVER << WIDTH | RIVER >> WIDTH | RIVER << 1 | RIVER >> 1)

static const uint64_t jungle_den[RULES_SEATS] = {SQUARE('d', 1), SQUARE('d', 9)};
static const uint64_t jungle_traps[RULES_SEATS] = {
    SQUARE('c', 1) | SQUARE('e', 1) | SQUARE('d', 2),
    SQUARE('c', 9) | SQUARE('e', 9) | SQUARE('d', 8),
};

/* ---- how pieces move ---- */

/* J9: the squares beside the given ones. Below g1 that includes bit 63, which is no square: every
 * caller cuts the result down to squares. */
static inline uint64_t jungle_steps(uint64_t from)
{
    return (from & ~FILE_G) << 1 | (from & ~FILE_A) >> 1 | from << WIDTH | from >> WIDTH;
}

/* J14: where jumps from the given squares on land end. All the water on the way must be in `open`,
 * the squares of water without a rat: three squares up and down, two to the sides. */
static inline uint64_t jungle_jumps(uint64_t from, uint64_t open)
{
    uint64_t up = (from >> WIDTH) & open, down = (from << WIDTH) & open;
    uint64_t left = (from >> 1) & open, right = (from << 1) & open;

    up = (up >> WIDTH) & open;
    up = (up >> WIDTH) & open;
    down = (down << WIDTH) & open;
    down = (down << WIDTH) & open;
    left = (left >> 1) & open;
    right = (right << 1) & open;
    return up >> WIDTH | down << WIDTH | left >> 1 | right << 1;
}

/* J15: the rats that can block the mover's jumps, in the water or not. */
static inline uint64_t jungle_blockers(const struct position *p)
{
    return p->option[JUMP_BLOCK] == BLOCK_ANY ? p->kind[RAT] : p->kind[RAT] & p->side[!p->mover];
}

/* The piece on a square; seat 0 where there is none. */
struct rules_man jungle_man_on(const struct position *p, unsigned square);

/* ---- moves ---- */

/* The squares to which the mover's piece of a kind may go. */
uint64_t jungle_targets(const struct position *p, enum kind kind);

/* As in struct rules_game. */
size_t jungle_legal(const struct rules_state *state, rules_move *moves, size_t cap);
size_t jungle_count(const struct rules_state *state);
void jungle_play(const struct rules_state *state, rules_move move, struct rules_state *next);

static inline rules_move jungle_move(unsigned from, unsigned to, enum kind kind)
{
    return (rules_move){{from | (uint64_t)to << 8 | (uint64_t)kind << 16, 0}};
}

static inline unsigned jungle_from(rules_move move)
{
    return move.w[0] & 0xff;
}

static inline unsigned jungle_to(rules_move move)
{
    return move.w[0] >> 8 & 0xff;
}

static inline enum kind jungle_kind(rules_move move)
{
    return (enum kind)(move.w[0] >> 16);
}

/* ---- texts of positions: text.c; reading and judging a move: judge.c ---- */

/* Reads a position. *p must have its options and be zero elsewhere. */
bool jungle_read_position(const char *text, struct position *p, struct rules_refusal *why);

/* As in struct rules_game. */
void jungle_position_text(const struct rules_state *state, char *text);
bool jungle_read_move(const struct rules_state *state, const char *text, rules_move *move,
                      struct rules_refusal *why);

/* The game's table, and its pictures: jungle.c, art.c. */
extern const struct rules_game rules_jungle;
extern const struct rules_art rules_jungle_art;

#endif
