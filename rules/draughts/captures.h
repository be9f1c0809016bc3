/*
 * captures.h - captures: how one is made, jump by jump, and how the longest ones are found.
 *
 * A capture is made by a `struct draughts_taker`, which is a value: a search copies it for every
 * landing and has nothing to undo.
 *
 * There are two searches, which find the same. draughts_walk() follows every path of landing
 * squares, since each is a move of its own (T29). In play there are few, and nothing is faster. But
 * a position can be made up in which a king takes 16 pieces in hundreds of thousands of ways.
 * draughts_sweep() goes over the sets of pieces that can have been taken. They are at most 65,536,
 * however many paths lead to them, and paths are followed only to be listed. It needs half a
 * megabyte of stack.
 */
#ifndef PLYD_RULES_DRAUGHTS_CAPTURES_H
#define PLYD_RULES_DRAUGHTS_CAPTURES_H

#include "rules/draughts/moves.h"

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

/* ---- the longest captures ---- */

/* A search for the longest captures (T18), and what it has found. Set the first four, and `longest`
 * if some capture is known to take so many. */
struct draughts_search {
    const struct draughts *d;
    uint64_t ends;     /* only captures that end on these squares are wanted */
    rules_move *moves; /* the first `cap` of them go here */
    size_t cap;
    unsigned longest; /* jumps of the longest; shorter ones are dropped */
    size_t count;
    uint64_t spared; /* of the first capture: the pieces that it leaves, */
    bool king;       /* and whether it ends as a king */
    bool differ;     /* whether another capture differs from it in one of the two */
    size_t jumps;    /* how many draughts_walk() may still make */
};

/* Takes note of a capture that is as long as the longest. */
void draughts_note(struct draughts_search *found, const struct draughts_taker *taker);

/* Finds all captures of the pieces in `takers`, if that takes less than `jumps` jumps. False: it
 * would. `longest` is then what some capture takes, and the rest of *found means nothing. */
bool draughts_walk(struct draughts_search *found, uint64_t takers, size_t jumps);

/* The most that the pieces in `takers` can take, if some capture takes `known`. */
unsigned draughts_sweep_longest(const struct draughts *d, uint64_t takers, unsigned known);

/* Finds the captures that take `longest`, which no capture exceeds, in the order of draughts_walk()
 * and in bounded time. A `count` above `cap` is not exact: it stops there. */
void draughts_sweep(struct draughts_search *found, uint64_t takers);

/* The most that the piece on a square can have taken when it lands on another; 0: it cannot. */
unsigned draughts_longest_to(const struct draughts *d, unsigned from, unsigned to);

#endif
