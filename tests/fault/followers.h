/*
 * followers.h - readers of the streams of friends (friends.h) while things break.
 *
 * Each pair has two: one follows its games one after the other, one follows all games of its first
 * player, so friends must have accounts. A follower whose stream is cut goes on at the next daemon
 * with what it has heard last in `Last-Event-ID`. It keeps everything that it is told.
 */
#ifndef PLYD_TESTS_FAULT_FOLLOWERS_H
#define PLYD_TESTS_FAULT_FOLLOWERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "friends.h"

/* What was told of a game. */
struct followed {
    char id[32];
    int heard; /* the last version */
    int end;   /* the version at which it was left; 0: it is not known yet */
    char *event[2 * FRIENDS_EVENTS_MAX]; /* by version; outages may add some to what friends do */
};

struct follower {
    struct followers *all;
    struct pair *pair;
    bool of_player;
    struct followed game[FRIENDS_GAMES_MAX];
    int games;
    char cursor[80];
    char *answer;
};

struct followers {
    struct friends *friends;
    atomic_bool last; /* nothing more will be played */
    _Atomic uint64_t connections, told, again;
    int count;
    struct follower *follower;
    void *threads;
};

void followers_start(struct followers *followers, struct friends *friends);

/* After friends_stop(): waits until each has been told of everything. */
void followers_stop(struct followers *followers);

/* Before friends_judge(): asserts that everyone was told the whole log of each game, in order.
 * Frees the followers. */
void followers_judge(struct followers *followers);

#endif
