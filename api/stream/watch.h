/*
 * watch.h - when the database is asked whether somebody else has written.
 *
 * A watch is a ring of things that somebody wants to hear of: each has its turn to be looked at,
 * many at one time, so that they share a statement. How often depends on how many there are. While
 * nobody else is there (other_writers.h), each is looked at every ten seconds, unless the watch is
 * steady. A watch belongs to one loop and its thread.
 */
#ifndef PLYD_API_STREAM_WATCH_H
#define PLYD_API_STREAM_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

struct loop;

struct watch_pace {
    size_t at_once;   /* so many are looked at at one time; */
    size_t few;       /* each of so many */
    int64_t few_us;   /* this often; */
    int64_t many_us;  /* each of more, which take several times if they are more than at_once; */
    int64_t least_us; /* and from one time to the next at least this passes */
    bool steady;      /* also while nobody else is there */
};

/* In the ring of a watch. */
struct watched {
    TAILQ_ENTRY(watched) place;
    void *of;
};

struct watch {
    struct loop *loop;
    const struct watch_pace *pace;
    void (*look)(void *of);
    TAILQ_HEAD(, watched) ring;
    size_t count;
    int64_t looked;  /* when the last time was, or the first one came */
    int64_t rest_us; /* whoever looks may raise it: at least this passes until the next time */
};

void watch_init(struct watch *watch, struct loop *loop, const struct watch_pace *pace,
                void (*look)(void *of));

/* It has its turn after all the others. The first one need not be looked at at once. */
void watch_in(struct watch *watch, struct watched *watched, void *of);
void watch_out(struct watch *watch, struct watched *watched);

/* Another one comes for one that goes, and has its turn. */
void watch_instead(struct watch *watch, struct watched *gone, struct watched *watched, void *of);

/* Called in each pass of the loop. */
void watch_run(struct watch *watch);

/* When there is something to look at; INT64_MAX: nobody wants to hear of anything. */
int64_t watch_next(const struct watch *watch);

/* How long it takes until each has had its turn. */
int64_t watch_round_us(const struct watch *watch);

#endif
