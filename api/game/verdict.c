#include "api/game/verdict.h"

#include <stdlib.h>

enum {
    EVEN_SCORE = 400,  /* whoever is ahead by so much wins three games of four */
    CLEAR_SCORE = 1200 /* beyond it a game is as good as won, and it does not matter by how much */
};

/* What a move must give away, in thousandths, to be called so. */
static const struct {
    int32_t loss;
    const char *name, *sign;
} verdicts[VERDICTS] = {
    {0, "good", ""}, {100, "inaccuracy", "?!"}, {200, "mistake", "?"}, {350, "blunder", "??"}};

int32_t verdict_chance(int32_t score)
{
    int32_t clear = score > CLEAR_SCORE ? CLEAR_SCORE : score < -CLEAR_SCORE ? -CLEAR_SCORE : score;

    return 1000 * clear / (abs(clear) + EVEN_SCORE);
}

enum verdict verdict_of(int32_t before, int32_t after)
{
    int32_t loss = verdict_chance(before) - verdict_chance(after);
    int verdict = VERDICT_BLUNDER;

    while (loss < verdicts[verdict].loss && verdict > VERDICT_GOOD)
        verdict--;
    return (enum verdict)verdict;
}

const char *verdict_name(enum verdict verdict)
{
    return verdicts[verdict].name;
}

const char *verdict_sign(enum verdict verdict)
{
    return verdicts[verdict].sign;
}
