/*
 * moves.h - the board of Turkish draughts and its moves: where each piece may go, what a capture
 * takes, and the position afterwards. How captures are found is in captures.h.
 */
#ifndef PLYD_RULES_DRAUGHTS_MOVES_H
#define PLYD_RULES_DRAUGHTS_MOVES_H

#include "rules/draughts/squares.h"
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

static inline enum draughts_direction draughts_forward(unsigned side)
{
    return side == DRAUGHTS_WHITE ? DRAUGHTS_UP : DRAUGHTS_DOWN;
}

/* ---- all moves ---- */

/* The pieces of the side to move that can take something (T12-T14). */
uint64_t draughts_takers(const struct draughts *d);

/* The greatest number of pieces that the side to move can take (T18); 0: it can take none. `known`
 * is what some capture takes: if nothing can take more, that is often seen at once. */
unsigned draughts_longest(const struct draughts *d, unsigned known);

/* Whether the side to move has a legal move (T24). */
bool draughts_can_move(const struct draughts *d);

/* As rules_game's legal(), count(), is_heavy() and play(). */
size_t draughts_legal(const struct draughts *d, rules_move *moves, size_t cap);
size_t draughts_count(const struct draughts *d);
bool draughts_is_heavy(const struct draughts *d);
void draughts_play(const struct draughts *d, rules_move move, struct draughts *next);

/* As draughts_legal(), but only the captures from one square to another; `longest` is what
 * draughts_longest() says. *alike says whether all of them lead to the same position, so that a
 * short notation for them is not ambiguous (T30). */
size_t draughts_captures(const struct draughts *d, unsigned from, unsigned to, unsigned longest,
                         rules_move *moves, size_t cap, bool *alike);

#endif
