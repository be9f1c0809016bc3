/*
 * now.h - the time that tests and benches measure by.
 */
#ifndef PLYD_TESTS_NOW_H
#define PLYD_TESTS_NOW_H

#include <time.h>

/* Seconds of a clock that only goes forward. */
static inline double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

#endif
