/*
 * rounds.h - how often a test of kills does it again: PLYD_TEST_FAULT_ROUNDS, or 2, or 10 in the
 * long form, if it has no number of its own for that.
 */
#ifndef PLYD_TESTS_FAULT_ROUNDS_H
#define PLYD_TESTS_FAULT_ROUNDS_H

#include <stdlib.h>

#include "tests/support/long.h"

static inline int rounds_long(unsigned in_long)
{
    const char *given = getenv("PLYD_TEST_FAULT_ROUNDS");

    return given == NULL ? (int)long_or_short(in_long, 2) : atoi(given);
}

static inline int rounds(void)
{
    return rounds_long(10);
}

#endif
