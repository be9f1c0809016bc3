/*
 * backoff.h - looking again and again for what no answer tells of.
 *
 * Each look takes processor time from what is waited for, so there are fewer and fewer of them:
 *
 *     for (int looks = 0; !is_so(); looks++)
 *         back_off(looks);
 *
 * What never comes is ended by the test's time limit.
 */
#ifndef PLYD_TESTS_BACKOFF_H
#define PLYD_TESTS_BACKOFF_H

#include <time.h>

/* Pauses for 1, 2, 4 ... and at last 128 milliseconds. */
static inline void back_off(int looks)
{
    nanosleep(&(struct timespec){0, 1000000L << (looks < 7 ? looks : 7)}, NULL);
}

#endif
