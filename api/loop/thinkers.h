/*
 * thinkers.h - the threads that search with the engine.
 *
 * A search takes seconds where a worker's work takes milliseconds, so searches have threads of
 * their own, which share them out between clients as workers do (workers.h). Beside them a thread
 * is kept for short searches, those of the first levels: no such search waits for a long one, and
 * no long one for them. A search is never interrupted: it is bounded by its nodes, and where it is
 * paused its workspace and stack would have to be kept.
 *
 * Beside a thread a search gets a workspace of the engine. There are as many of those as searches
 * have run at once; one that nobody has used for a minute is given back to the system.
 *
 * A search ends early once its flag `cancel` is set. Any thread may set it. The thinkers set it
 * when nobody waits for the search any more (use() says so) or it has taken as much of a processor
 * as it may, for which they look 20 times a second, and when they are closed.
 *
 * A struct thinkers belongs to one loop, whose thread alone calls these functions.
 */
#ifndef PLYD_API_LOOP_THINKERS_H
#define PLYD_API_LOOP_THINKERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>
#include <time.h>

#include "api/loop/workers.h"

struct engine;
struct metrics;
struct thinkers;

/* What a node costs, about, and the most nodes of a short search: those of level 5, 20 to 60 ms. */
enum { THINKERS_NODE_US = 2, THINKERS_SHORT_NODES = 20000 };

/* All functions are called with `context`; `use` and `done` are those of a work. */
struct thought {
    void (*think)(void *context, struct thought *thought); /* on a thinker's thread */
    enum work_use (*use)(const void *context);
    void (*look)(void *context); /* by the loop, 20 times a second meanwhile; or NULL */
    void (*done)(void *context, bool ran, int64_t us);
    void *context;
    uint64_t client;
    uint64_t nodes_max; /* that it may visit */

    /* For think(). */
    struct engine *engine;
    atomic_bool cancel; /* it goes to engine_task.cancel */
    atomic_int_least64_t
        until;      /* what workers_cpu_us() may come to, as think() says; 0: anything */
    uint64_t nodes; /* that were visited; think() adds them up */

    /* Private to thinkers.c. */
    struct thinkers *thinkers;
    struct work work;
    clockid_t clock;            /* that of workers_cpu_us() on its thread */
    LIST_ENTRY(thought) beside; /* of those that run */
};

/* Starts this many threads, and one more for short searches; or none at all. They count in
 * `counts`. NULL: they could not be started. */
struct thinkers *thinkers_open(size_t threads, const int64_t *now, struct metrics *counts);

/* Ends all searches and the threads. The loop is told of every thought once more. NULL is fine. */
void thinkers_close(struct thinkers *thinkers);

/* Whether there is a thread at all; and the same for the loops of this process, which any thread
 * may ask. */
bool thinkers_any(const struct thinkers *thinkers);
bool thinkers_anywhere(void);

/* Whether thinkers_submit() would take a thought of a client, of so many nodes, now. */
bool thinkers_have_room(struct thinkers *thinkers, uint64_t client, uint64_t nodes);

/* Takes a thought. False: too many wait, in all or for this client, or there is no thread, and
 * nothing was taken. */
bool thinkers_submit(struct thinkers *thinkers, struct thought *thought);

/* A descriptor that is readable when a search has ended. It stays the same. */
int thinkers_fd(const struct thinkers *thinkers);

/* Called in each pass of the loop. Tells of the searches that have ended, looks whether the others
 * are still wanted, and gives back workspaces. */
void thinkers_run(struct thinkers *thinkers);

/* Milliseconds until thinkers_run() has something to do even if the descriptor is not readable; -1:
 * any time. */
int thinkers_timeout_ms(struct thinkers *thinkers);

#endif
