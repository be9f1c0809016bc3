/*
 * judge.h - how a game of shogi stands and whether a declaration wins (outcome.c), and why a move
 * is refused (refuse.c).
 */
#ifndef PLYD_RULES_SHOGI_JUDGE_H
#define PLYD_RULES_SHOGI_JUDGE_H

#include "rules/shogi/board.h"

/* Whether the position itself has ended the game, so that it has no moves: a king was taken
 * (5.2), or the side to move has won by automatic impasse (4.8). */
bool shogi_has_ended(const struct shogi *s);

/* As rules_game.outcome, .declare and .read_move. */
struct rules_outcome shogi_outcome(const struct shogi *s, uint64_t key,
                                   const struct rules_history *history);
bool shogi_declare(const struct shogi *s, struct rules_outcome *outcome, struct rules_refusal *why);
bool shogi_read_move(const struct shogi *s, const char *text, rules_move *move,
                     struct rules_refusal *why);

#endif
