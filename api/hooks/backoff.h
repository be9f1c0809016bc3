/*
 * backoff.h - when a failed delivery is tried again. Pure.
 *
 * The times between attempts are those that Standard Webhooks proposes: 5 s, 5 min, 30 min, 2 h,
 * 5 h, 10 h, 14 h, 20 h and 24 h, and up to a tenth more, so that receivers that were down
 * together are not all tried at once. After three days and a few hours there is none left.
 */
#ifndef PLYD_API_HOOKS_BACKOFF_H
#define PLYD_API_HOOKS_BACKOFF_H

#include <stdint.h>

enum { BACKOFF_FAILURES = 10 }; /* in a row; with the last of them it is over */

/* The time until the next attempt after so many failures in a row, from 1 on. `chance` is a random
 * number. -1: there is none. */
int64_t backoff_us(int failures, uint32_t chance);

#endif
