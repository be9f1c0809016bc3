/*
 * hours.h - the time that a database tells, which a test can let pass.
 *
 * plyd asks the database for the time in one statement, `select clock_timestamp()`. A database of
 * hours_borrow() has a function of that name, which adds what has passed by the test's will. So a
 * year takes as long as the requests that are made in it, and nobody sleeps.
 */
#ifndef PLYD_TESTS_SUPPORT_HOURS_H
#define PLYD_TESTS_SUPPORT_HOURS_H

#include <stdbool.h>
#include <stdint.h>

/* Borrows a database, as ready_borrow() does, and puts that function there. */
char *hours_borrow(void);

/* Lets time pass. All daemons of the database have to connect anew, and ask what time it is.
 * `outage`: as if none of them had been up meanwhile; else their heart has beaten all along. The
 * caller waits until the daemons have seen it: hours_seen(). */
void hours_pass(const char *database, int64_t us, bool outage);

/* The time that the database tells, in microseconds since 1970. */
int64_t hours_now(const char *database);

/* Waits until a daemon goes by a time that is not before `us`. `path` is that of a game that has a
 * clock and may be seen by anybody. */
void hours_seen(int port, const char *path, int64_t us);

#endif
