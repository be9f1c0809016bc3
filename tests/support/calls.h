/*
 * calls.h - counts the system calls of a loop of the daemon.
 *
 * How many there are does not depend on how fast the machine is. So a test may bound them, as it
 * may not bound a time.
 */
#ifndef PLYD_TESTS_SUPPORT_CALLS_H
#define PLYD_TESTS_SUPPORT_CALLS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

struct calls {
    pid_t thread; /* that is counted */
    pthread_t tracer;
    atomic_int count;
    atomic_bool begun, over;
    atomic_bool holds, held; /* the loop does not wait: it is kept where it would begin to */
};

/* Counts those of the only loop of a daemon from now on, until calls_end(). */
void calls_begin(struct calls *calls, pid_t daemon);
void calls_end(struct calls *calls);

int calls_so_far(const struct calls *calls);

/* Keeps the loop from looking at what comes, from its next look on; waits until it is kept, which
 * may take a second if nothing comes; and lets it look again. */
void calls_hold(struct calls *calls);
void calls_await_hold(struct calls *calls);
void calls_let_go(struct calls *calls);

#endif
