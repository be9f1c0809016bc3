/*
 * moves.h - the board of Turkish draughts and its moves: where each piece may go, what a capture
 * takes, and the position afterwards.
 *
 * A square is row * 8 + column from the top left: a8 is 0, h8 is 7, a1 is 56. A set of squares has
 * one bit for each, so a step up the board, away from White, is a shift to the right by 8.
 *
 * A capture is made jump by jump by a `struct draughts_taker`, which is a value: a search copies it
 * for every landing and has nothing to undo.
 */
#ifndef PLYD_RULES_DRAUGHTS_MOVES_H
#define PLYD_RULES_DRAUGHTS_MOVES_H

#include "rules/rules.h"

enum { DRAUGHTS_WHITE, DRAUGHTS_BLACK };

/* Every jump takes one of 16 pieces, so no capture is longer. */
enum { DRAUGHTS_JUMPS_MAX = 16 };

/* The values of the options, in the order of their choices. */
enum { DRAUGHTS_CROWNED_AT_END, DRAUGHTS_CROWNED_AT_ONCE, DRAUGHTS_CROWNED_AND_STOPPED };
enum { DRAUGHTS_TURN180_FORBIDDEN, DRAUGHTS_TURN180_ALLOWED };
enum { DRAUGHTS_REMOVED_AT_ONCE, DRAUGHTS_REMOVED_AT_END };
enum {
    DRAUGHTS_ONE_V_ONE_DRAW,
    DRAUGHTS_ONE_V_ONE_STRICT,
    DRAUGHTS_ONE_V_ONE_KING_WINS,
    DRAUGHTS_ONE_V_ONE_OFF
};

/* A position with its options, as it lies in rules_state.w. It has no padding, so that equal
 * positions are equal bytes. */
struct draughts {
    uint64_t side[2];     /* the pieces of White and of Black */
    uint64_t kings;       /* those of both that are kings */
    uint32_t quiet_plies; /* T27: plies since a capture or a man's step forward */
    uint32_t number;      /* the move number; it grows after Black's move */
    uint32_t turn;
    uint32_t repetition, no_progress;
    uint8_t promotion, turn180, removal, one_v_one;
} __attribute__((may_alias));

static inline uint64_t draughts_bit(unsigned square)
{
    return (uint64_t)1 << square;
}

/* The rank on which a side's men become kings (T20). */
static inline uint64_t draughts_last_rank(unsigned side)
{
    return (uint64_t)0xff << (side == DRAUGHTS_WHITE ? 0 : 56);
}

static inline uint64_t draughts_occupied(const struct draughts *d)
{
    return d->side[DRAUGHTS_WHITE] | d->side[DRAUGHTS_BLACK];
}

/* ---- moves as values ----
 *
 * A rules_move holds the squares that it touches, six bits each, the start first: ten in the first
 * word, the others in the second, whose top bits count the jumps. The text of T29 says exactly as
 * much, so two moves are equal exactly if their texts are. */

enum { DRAUGHTS_SQUARES_IN_FIRST_WORD = 10, DRAUGHTS_JUMPS_SHIFT = 48 };

/* How many pieces the move takes; 0 for a move without capture. */
static inline unsigned draughts_jumps(rules_move move)
{
    return (unsigned)(move.w[1] >> DRAUGHTS_JUMPS_SHIFT);
}

/* The index of the move's last square. */
static inline unsigned draughts_last(rules_move move)
{
    return draughts_jumps(move) > 0 ? draughts_jumps(move) : 1;
}

/* The i-th square that the move touches; 0 is its start. */
static inline unsigned draughts_square(rules_move move, unsigned i)
{
    if (i < DRAUGHTS_SQUARES_IN_FIRST_WORD)
        return (unsigned)(move.w[0] >> (6 * i)) & 63;
    return (unsigned)(move.w[1] >> (6 * (i - DRAUGHTS_SQUARES_IN_FIRST_WORD))) & 63;
}

static inline rules_move draughts_quiet_move(unsigned from, unsigned to)
{
    return (rules_move){{from | (uint64_t)to << 6, 0}};
}

/* ---- directions ---- */

enum draughts_direction { DRAUGHTS_UP, DRAUGHTS_RIGHT, DRAUGHTS_DOWN, DRAUGHTS_LEFT };

static inline enum draughts_direction draughts_opposite(enum draughts_direction direction)
{
    return direction ^ 2;
}

static inline enum draughts_direction draughts_forward(unsigned side)
{
    return side == DRAUGHTS_WHITE ? DRAUGHTS_UP : DRAUGHTS_DOWN;
}

/* Whether two squares lie on one rank or file, and in which direction the second is. */
bool draughts_in_line(unsigned from, unsigned to, enum draughts_direction *direction);

/* The squares strictly between two squares of one rank or file. */
uint64_t draughts_between(unsigned a, unsigned b);

/* The first square of `set` that a look from `square` in that direction meets; 0 if none. */
uint64_t draughts_met(unsigned square, enum draughts_direction direction, uint64_t set);

/* ---- one capture, jump by jump ---- */

/* A piece on its way through a capture. The square that it came from is no longer occupied, nor are
 * those of pieces that left the board at once (T15, T16). */
struct draughts_taker {
    rules_move path;
    uint64_t takeable; /* the enemy's pieces that it has not taken yet */
    uint64_t occupied; /* what stands in its way */
    uint8_t square;
    uint8_t jumps;
    uint8_t came_from; /* the square before */
    bool king;
    bool stopped; /* T21 "stop": it was crowned and goes no further */
};

/* The piece on `square`, which belongs to the side to move, before its first jump. */
struct draughts_taker draughts_taker(const struct draughts *d, unsigned square);

/* Whether the next jump may go that way after the last one (T17). */
bool draughts_may_turn(const struct draughts *d, const struct draughts_taker *taker,
                       enum draughts_direction direction);

/* The squares on which the next jump can land (T13, T14, T17, T21). The landing square says which
 * piece the jump takes: the only one on the way. */
uint64_t draughts_landings(const struct draughts *d, const struct draughts_taker *taker);

/* The taker after a jump that draughts_landings() allows. */
struct draughts_taker draughts_jump(const struct draughts *d, const struct draughts_taker *taker,
                                    unsigned landing);

/* The capture that the taker has made so far, as a move. */
rules_move draughts_capture(const struct draughts_taker *taker);

/* ---- all moves ---- */

/* The pieces of the side to move that can take something (T12-T14). */
uint64_t draughts_takers(const struct draughts *d);

/* The greatest number of pieces that the side to move can take (T18); 0: it can take none. */
unsigned draughts_longest(const struct draughts *d);

/* Whether the side to move has a legal move (T24). */
bool draughts_can_move(const struct draughts *d);

/* As rules_game's legal(), count() and play(). */
size_t draughts_legal(const struct draughts *d, rules_move *moves, size_t cap);
size_t draughts_count(const struct draughts *d);
void draughts_play(const struct draughts *d, rules_move move, struct draughts *next);

/* As draughts_legal(), but only the captures from one square to another. *alike says whether all of
 * them lead to the same position, so that a short notation for them is not ambiguous (T30). */
size_t draughts_captures(const struct draughts *d, unsigned from, unsigned to, rules_move *moves,
                         size_t cap, bool *alike);

#endif
