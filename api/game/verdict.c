#include "api/game/verdict.h"

#include <stdlib.h>

#include "engine/engine.h"

enum {
    EVEN_SCORE = 400,  /* whoever is ahead by so much wins three games of four */
    CLEAR_SCORE = 1200 /* beyond it a game is as good as won, and it does not matter by how much */
};

/* What a move must give away, in thousandths of the way from lost to won, to be called so. */
static const struct {
    int32_t loss;
    const char *name, *sign;
} verdicts[VERDICTS] = {
    {0, "good", ""}, {50, "inaccuracy", "?!"}, {100, "mistake", "?"}, {175, "blunder", "??"}};

/* In `of`ths from lost to won. */
static int32_t chance(int32_t score, int32_t of)
{
    return of / 2 + of / 2 * score / (abs(score) + EVEN_SCORE);
}

int32_t verdict_chance(int32_t score)
{
    if (abs(score) > ENGINE_BELIEF)
        return score > 0 ? 1000 : 0;
    return chance(score, 1000);
}

static int32_t cleared_score(int32_t score)
{
    return score > CLEAR_SCORE ? CLEAR_SCORE : score < -CLEAR_SCORE ? -CLEAR_SCORE : score;
}

enum verdict verdict_of(int32_t before, int32_t after)
{
    int32_t loss = chance(cleared_score(before), 2000) - chance(cleared_score(after), 2000);
    int verdict = VERDICT_BLUNDER;

    while (loss < 2 * verdicts[verdict].loss && verdict > VERDICT_GOOD)
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
