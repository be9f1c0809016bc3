/*
 * now.h - the time that tests and benches measure by.
 */
#ifndef PLYD_TESTS_NOW_H
#define PLYD_TESTS_NOW_H

#include <time.h>

/* Seconds of a clock. */
static inline double seconds_of(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Seconds of the one that only goes forward. */
static inline double seconds_now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

#endif
