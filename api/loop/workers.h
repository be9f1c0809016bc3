/*
 * workers.h - the threads that do long work for a loop.
 *
 * A loop gives them what takes longer than it may be away: a function and what that function needs.
 * A worker runs it; afterwards the loop is told. What a work points to belongs to the worker from
 * workers_submit() until the loop calls done(), so nothing in it is locked: it must be the work's
 * own, never a part of the loop, of a table or of a database reply.
 *
 * Works that wait are taken fairly between those for whom they are done: the next one is that of
 * the client for whom the threads will then have worked least. A client that keeps them busy waits
 * behind its own works, and the first work of anybody else goes before them. Works may tell their
 * size: a small one goes before a large one of another client that was done as much for, and before
 * a large one of its own client. None of them is passed for ever: a client that comes anew begins
 * with what was done on average for those who were there meanwhile, and a work is passed by those
 * of its own client only until as much was done for that as they differ by.
 *
 * Where a thread is kept for short works (workers_keep()), those wait in a line of their own, with
 * places and shares of their own, so that they wait for nothing long, and nothing long for them:
 * the other threads take a short one only if no long one waits, and that thread is busy.
 *
 * A struct workers belongs to one loop, whose thread alone calls these functions.
 */
#ifndef PLYD_API_LOOP_WORKERS_H
#define PLYD_API_LOOP_WORKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether anybody still waits for what a work makes. */
enum work_use {
    WORK_WANTED,
    WORK_DOUBTED, /* nobody may: it is done once no other work waits */
    WORK_VAIN     /* nobody does: it is not done at all */
};

/* All functions are called with `context`. */
struct work {
    void (*run)(void *context);                /* on a worker's thread */
    enum work_use (*use)(const void *context); /* on a worker's thread, before run() */

    /* On the loop's thread, from workers_run(), exactly once. `ran`: else it was in vain, or the
     * workers were closed before its turn. `us`: CPU time that run() took. */
    void (*done)(void *context, bool ran, int64_t us);
    void *context;
    uint64_t client; /* for whom it is done */
    int64_t size_us; /* CPU time that it takes, about; 0: it is not known */
    bool is_short;   /* it is for the thread that is kept for such works, if there is one */

    /* Private to workers.c. */
    struct work *next;
    int64_t turn_us;
    bool doubted, ran;
    int64_t us;
};

/* Works that wait in a line. A client may have a quarter of them, and no more than there are places
 * left, so that some are left for who comes next. */
enum { WORKERS_WAIT_MAX = 256 };

struct workers;

/* Starts this many threads, with less priority than the loops. NULL: they could not be started. */
struct workers *workers_open(size_t threads);

/* Starts one more thread, which does nothing but short works. Called before there are any works.
 * False: it could not be started. */
bool workers_keep(struct workers *workers);

/* Tells the threads to end, and waits until each has finished what it does. The loop is told of all
 * works once more, of those that did not have their turn, too. NULL is fine. */
void workers_close(struct workers *workers);

/* Whether workers_submit() would take a work of a client now. */
bool workers_have_room(struct workers *workers, uint64_t client, bool is_short);

/* Takes a work. False: too many wait, in all or for this client, and nothing was taken. */
bool workers_submit(struct workers *workers, struct work *work);

/* A descriptor that is readable when workers_run() has something to do. It stays the same. */
int workers_fd(const struct workers *workers);

/* Calls done() of the works that are finished. */
void workers_run(struct workers *workers);

/* CPU time that this thread has used, which any thread may ask. */
int64_t workers_cpu_us(void);

/* How many works wait, for metrics. */
size_t workers_waiting(struct workers *workers);

#endif
