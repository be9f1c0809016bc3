/* pairs.h - games of tic-tac-toe between two people with a clock, for tests of clocks. */
#ifndef PLYD_TESTS_HTTP_PAIRS_H
#define PLYD_TESTS_HTTP_PAIRS_H

#include "house.h"

struct pair {
    struct game game; /* its token is that of seat 1 */
    char second[64];  /* of seat 2 */
    char path[64];
};

/* A game whose seat 2 is open, with a clock as a request tells it. */
struct pair pair_open(struct house *house, const char *clock);

/* Somebody takes seat 2. */
struct answer pair_join(struct house *house, const struct pair *pair);

/* A game whose seats are both taken. Nobody has moved. */
struct pair pair_new(struct house *house, const char *clock);

#endif
