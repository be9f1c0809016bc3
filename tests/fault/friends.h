/*
 * friends.h - pairs of clients who play each other while things break, with all that two people can
 * agree on: clocks, offers and their answers, undo, pauses, conditional moves. As players.h: each
 * repeats every request until it is answered, and the logs of what they did are the judge.
 *
 * Both of a pair take turns, so it is known which events a game must have, and in which order. Each
 * must be there once.
 */
#ifndef PLYD_TESTS_FAULT_FRIENDS_H
#define PLYD_TESTS_FAULT_FRIENDS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "stubborn.h"

enum { FRIENDS_GAMES_MAX = 64, FRIENDS_EVENTS_MAX = 300 };

/* An event that must be in the log of a game. */
struct friends_event {
    const char *type;
    int seat;        /* 0: any */
    char detail[16]; /* the move, or the kind of the offer; "": neither */
    bool by_plan;
};

struct friends_game {
    char id[32], token[3][64]; /* of seats 1 and 2 */
    int deeds, ply, squares;   /* done, played, used up */
    char square[81][4];        /* in the order in which they are used */
    struct friends_event event[FRIENDS_EVENTS_MAX];
    int events;
    bool over;
};

struct pair {
    struct friends *all;
    int number;
    uint64_t seed;
    char player[3][96]; /* their tokens, if they have accounts */
    _Atomic bool enrolled;
    struct friends_game *games;
    int ngames;
    _Atomic int begun; /* of them: those whose ids are known */
    int posts;
    char *answer;
};

struct friends {
    struct stubborn net;
    _Atomic uint64_t acknowledged; /* deeds of all pairs */
    _Atomic uint64_t moves, offers, plans;
    _Atomic uint64_t replayed; /* answers that were replays */
    int count, receiver;
    struct pair *pairs;
    void *threads;
};

void friends_start(struct friends *friends, int count, int port);

/* The same with accounts. The first of each pair has a webhook to a port of 127.0.0.1. */
void friends_start_told(struct friends *friends, int count, int port, int receiver);

/* Waits until so many more deeds were acknowledged. Fails the test after a minute without one. */
void friends_progress(struct friends *friends, uint64_t deeds);

/* Stops all pairs. Each finishes its deed first. */
void friends_stop(struct friends *friends);

/* Asserts that the daemon at friends->net.port shows what was done, once and in order. Frees all.
 */
void friends_judge(struct friends *friends);

#endif
