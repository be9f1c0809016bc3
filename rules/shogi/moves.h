/*
 * moves.h - the legal moves of a shogi position (moves.c), their number (count.c), and the position
 * after one (play.c).
 */
#ifndef PLYD_RULES_SHOGI_MOVES_H
#define PLYD_RULES_SHOGI_MOVES_H

#include "rules/shogi/board.h"

/* As rules_game.legal and .play, in a position that has not ended the game by itself. A move to
 * play need not leave the own king safe. */
size_t shogi_legal(const struct shogi *s, rules_move *moves, size_t cap);
void shogi_play(const struct shogi *s, rules_move move, struct shogi *next);

/* How many moves shogi_legal() would find under the standard rules. */
size_t shogi_count_standard(const struct shogi *s);

/* As rules_game.count, in such a position. Casual games are counted move by move. */
SHOGI_INLINE size_t shogi_count(const struct shogi *s)
{
    return is_casual(s) ? shogi_legal(s, NULL, 0) : shogi_count_standard(s);
}

/* The men that attack a side's king. None if it has no king. */
struct squares shogi_checkers(const struct shogi *s, unsigned side);

/* How a man may end a move: bits. */
enum { MAY_STAY = 1, MAY_PROMOTE = 2 };

/* The bits for a move of a man of the side to move (4.1, 5.3). */
unsigned shogi_endings(const struct shogi *s, struct rules_man man, unsigned from, unsigned to);

/* Where an unpromoted man could never move again (4.4): a pawn or lance on the last rank, a knight
 * on the last two. */
struct squares shogi_dead_ends(unsigned side, unsigned kind);

#endif
