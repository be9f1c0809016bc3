/*
 * long.h - how often a test repeats what one repetition nearly proves.
 *
 * A usual run repeats it so often that a mistake of a common kind is met; with PLYD_TEST_LONG=1 in
 * the environment it repeats it for as long as it takes to meet the rare ones.
 */
#ifndef PLYD_TESTS_SUPPORT_LONG_H
#define PLYD_TESTS_SUPPORT_LONG_H

#include <stdlib.h>
#include <string.h>

static inline unsigned long_or_short(unsigned in_long, unsigned in_short)
{
    const char *value = getenv("PLYD_TEST_LONG");

    return value != NULL && strcmp(value, "1") == 0 ? in_long : in_short;
}

#endif
