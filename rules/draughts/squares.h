/*
 * squares.h - squares of the board and sets of them: steps, rays and runs along ranks and files.
 *
 * A square is row * 8 + column from the top left: a8 is 0, h8 is 7, a1 is 56. A set of squares has
 * one bit for each, so a step up the board, away from White, is a shift to the right by 8.
 */
#ifndef PLYD_RULES_DRAUGHTS_SQUARES_H
#define PLYD_RULES_DRAUGHTS_SQUARES_H

#include <stdbool.h>
#include <stdint.h>

enum draughts_direction { DRAUGHTS_UP, DRAUGHTS_RIGHT, DRAUGHTS_DOWN, DRAUGHTS_LEFT };
enum { DRAUGHTS_DIRECTIONS = 4 };

static const uint64_t file_a = 0x0101010101010101;
static const uint64_t file_h = 0x8080808080808080;
static const uint64_t top_rank = 0xff;

static inline uint64_t draughts_bit(unsigned square)
{
    return (uint64_t)1 << square;
}

static inline unsigned lowest(uint64_t set)
{
    return (unsigned)__builtin_ctzll(set);
}

static inline unsigned highest(uint64_t set)
{
    return 63 - (unsigned)__builtin_clzll(set);
}

/* ---- directions ---- */

static inline enum draughts_direction draughts_opposite(enum draughts_direction direction)
{
    return direction ^ 2;
}

static inline bool is_vertical(enum draughts_direction direction)
{
    return direction == DRAUGHTS_UP || direction == DRAUGHTS_DOWN;
}

/* Whether squares get greater numbers in that direction. */
static inline bool is_rising(enum draughts_direction direction)
{
    return direction == DRAUGHTS_RIGHT || direction == DRAUGHTS_DOWN;
}

/* Every square of the set one step on; what would leave the board is dropped. */
static inline uint64_t step(uint64_t set, enum draughts_direction direction)
{
    switch (direction) {
    case DRAUGHTS_UP:
        return set >> 8;
    case DRAUGHTS_RIGHT:
        return (set & ~file_h) << 1;
    case DRAUGHTS_DOWN:
        return set << 8;
    case DRAUGHTS_LEFT:
        return (set & ~file_a) >> 1;
    }
    return 0;
}

/* The set, and what can be reached from it in that direction through empty squares. The way is
 * doubled three times, since no line is longer than eight squares. */
static inline uint64_t slide(uint64_t set, uint64_t empty, enum draughts_direction direction)
{
    switch (direction) {
    case DRAUGHTS_UP:
        set |= empty & set >> 8;
        empty &= empty >> 8;
        set |= empty & set >> 16;
        empty &= empty >> 16;
        return set | (empty & set >> 32);
    case DRAUGHTS_RIGHT:
        empty &= ~file_a;
        set |= empty & set << 1;
        empty &= empty << 1;
        set |= empty & set << 2;
        empty &= empty << 2;
        return set | (empty & set << 4);
    case DRAUGHTS_DOWN:
        set |= empty & set << 8;
        empty &= empty << 8;
        set |= empty & set << 16;
        empty &= empty << 16;
        return set | (empty & set << 32);
    case DRAUGHTS_LEFT:
        empty &= ~file_h;
        set |= empty & set >> 1;
        empty &= empty >> 1;
        set |= empty & set >> 2;
        empty &= empty >> 2;
        return set | (empty & set >> 4);
    }
    return set;
}

/* ---- lines ---- */

static inline uint64_t below(unsigned square)
{
    return draughts_bit(square) - 1;
}

static inline uint64_t above(unsigned square)
{
    return ~(below(square) | draughts_bit(square));
}

static inline uint64_t line_through(unsigned square, bool vertical)
{
    return vertical ? file_a << (square & 7) : top_rank << (square & 56);
}

/* The squares beyond `square`, to the edge. */
static inline uint64_t ray(unsigned square, enum draughts_direction direction)
{
    return line_through(square, is_vertical(direction)) &
           (is_rising(direction) ? above(square) : below(square));
}

/* The first square of `set` that a look from `square` in that direction meets; 0 if none. */
static inline uint64_t draughts_met(unsigned square, enum draughts_direction direction,
                                    uint64_t set)
{
    uint64_t ahead = ray(square, direction) & set;

    if (ahead == 0)
        return 0;
    return draughts_bit(is_rising(direction) ? lowest(ahead) : highest(ahead));
}

/* The empty squares beyond `square` up to the first obstacle. */
static inline uint64_t run(unsigned square, enum draughts_direction direction, uint64_t occupied)
{
    uint64_t way = ray(square, direction);
    uint64_t obstacles = way & occupied;

    if (obstacles == 0)
        return way;
    return way & (is_rising(direction) ? below(lowest(obstacles)) : above(highest(obstacles)));
}

/* Whether two squares lie on one rank or file, and in which direction the second is. */
static inline bool draughts_in_line(unsigned from, unsigned to, enum draughts_direction *direction)
{
    for (*direction = DRAUGHTS_UP; *direction <= DRAUGHTS_LEFT; (*direction)++)
        if (ray(from, *direction) & draughts_bit(to))
            return true;
    return false;
}

/* The squares strictly between two squares of one rank or file. */
static inline uint64_t draughts_between(unsigned a, unsigned b)
{
    unsigned low = a < b ? a : b, high = a < b ? b : a;

    return line_through(a, ((a ^ b) & 7) == 0) & above(low) & below(high);
}

#endif
