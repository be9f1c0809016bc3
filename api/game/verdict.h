/*
 * verdict.h - how good a move was that was played, by what the engine thinks before and after it.
 *
 * What a man is worth depends on how the game stands: a man lost in a won game changes little. So a
 * score is first turned into a chance, and a move is judged by how much of that it gave away.
 */
#ifndef PLYD_API_GAME_VERDICT_H
#define PLYD_API_GAME_VERDICT_H

#include <stdint.h>

enum verdict { VERDICT_GOOD, VERDICT_INACCURACY, VERDICT_MISTAKE, VERDICT_BLUNDER, VERDICTS };

/* The chance to win of a side with a score, in thousandths: 0 is a loss that is proved, 1000 such a
 * win. A draw is half a win. */
int32_t verdict_chance(int32_t score);

/* The verdict on a move, by the scores of the position before it and of the one after it, both for
 * the side that made it. */
enum verdict verdict_of(int32_t before, int32_t after);

/* Its word ("blunder"), and its sign in records: "", "?!", "?", "??". */
const char *verdict_name(enum verdict verdict);
const char *verdict_sign(enum verdict verdict);

#endif
