/*
 * plyd.h - a real daemon for tests: the program itself, on a free port.
 *
 * The program is $PLYD_PROGRAM, as the Makefile sets it, or build/release/plyd. If there is a
 * $PLYD_TEST_UNIT, it runs under the filter of system calls of that unit (confine.h). Whatever
 * fails here is told on standard error and ends the process, so the test fails.
 */
#ifndef PLYD_TESTS_SUPPORT_PLYD_H
#define PLYD_TESTS_SUPPORT_PLYD_H

#include <sys/types.h>

struct plyd {
    pid_t pid; /* 0: it does not run */
    int port;
    char log[64]; /* the file with its log */
};

/* Its path. */
const char *plyd_program(void);

/* Brings the database's schema up to date. */
void plyd_migrate(const char *database);

/* Whether `plyd verify` finds that every stored game replays. */
int plyd_verified(const char *database);

/* Starts `plyd serve` with further flags up to NULL and waits until it is ready (/readyz). The
 * daemon dies with the calling process, and is asked how it stands if the test takes too long
 * (hung.h). */
void plyd_start(struct plyd *plyd, const char *database, ...) __attribute__((sentinel));

/* Starts a subcommand with further flags up to NULL, and does not wait for anything. `serve` takes
 * a free port unless the flags say otherwise. */
void plyd_run(struct plyd *plyd, const char *command, const char *database, ...)
    __attribute__((sentinel));

/* Waits until a line of the log holds this text; what ends without it fails the test. */
void plyd_await(struct plyd *plyd, const char *text);

/* Waits for the process to end by itself. Returns its exit code, or minus the signal that ended it.
 * The log stays until plyd_forget(). */
int plyd_wait(struct plyd *plyd);
void plyd_forget(struct plyd *plyd);

/* Asks the daemon to stop and waits. Returns its exit code, or minus the signal that ended it. */
int plyd_stop(struct plyd *plyd);

/* The same for the .fini of a test suite. Aborts if the daemon did not end well (if a sanitizer
 * found something, say): nothing less is noticed there. */
void plyd_close(struct plyd *plyd);
void plyd_kill9(struct plyd *plyd);

/* The port at the end of "127.0.0.1:PORT" in the line of the log that has this event. 0: there is
 * no such line yet. */
int plyd_logged_port(const struct plyd *plyd, const char *event);

/* Whether a line of the log holds this text. */
int plyd_logged(const struct plyd *plyd, const char *text);

/* Waits until all that a daemon has logged so far is in its log, which a thread of its own writes.
 * Once for a daemon, which logs everything from then on. */
void plyd_await_log(struct plyd *plyd);

#endif
