/*
 * hours.h - the time that a database tells, which only passes as a test lets it.
 *
 * plyd asks the database for the time in one statement, `select clock_timestamp()`. A database of
 * hours_borrow() has a function of that name, whose time stands still, and a daemon of `plyd-still`
 * goes by what it was told last (tests/still/clock.c). So a year takes as long as the requests that
 * are made in it, however long that is, and nobody sleeps.
 */
#ifndef PLYD_TESTS_SUPPORT_HOURS_H
#define PLYD_TESTS_SUPPORT_HOURS_H

#include <stdbool.h>
#include <stdint.h>

/* Borrows a database, as ready_borrow() does, and puts that function there. The daemons that the
 * process starts from now on are of that program, with one loop each: what one of its requests
 * sees of the time, all do. */
char *hours_borrow(void);

/* The same where time passes by itself, too, and with the usual program: for tests of what is tried
 * again after some seconds. */
char *hours_borrow_running(void);

/* Lets time pass. All daemons of the database have to connect anew, and ask what time it is.
 * `outage`: as if none of them had been up meanwhile; else their heart has beaten all along. The
 * caller waits until the daemons have seen it: hours_seen(). */
void hours_pass(const char *database, int64_t us, bool outage);

/* The time that the database tells, in microseconds since 1970. It begins with a whole
 * millisecond, as answers have them. */
int64_t hours_database_now(const char *database);

/* Waits until a daemon goes by the time that the database tells, or a later one. `path` is that of
 * a game that has a clock and may be seen by anybody. */
void hours_seen(const char *database, int port, const char *path);

#endif
