/*
 * players.h - clients that never give up: each plays games of its own while things break, repeats
 * every request until it is answered, and logs what it sent and what was acknowledged.
 *
 * The logs are the judge afterwards. What was acknowledged must be there, once and in order. What
 * was not acknowledged may be there or not, but never twice.
 */
#ifndef PLYD_TESTS_FAULT_PLAYERS_H
#define PLYD_TESTS_FAULT_PLAYERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "stubborn.h"

enum { PLAYERS_MAX = 32, PLAYER_GAMES_MAX = 64, PLAYER_PLIES_MAX = 400 };

struct player_game {
    char id[32], token[64];
    int plies;                           /* sent, whether answered or not, or seen */
    int acknowledged;                    /* how many of them, from the first on */
    char move[PLAYER_PLIES_MAX + 1][24]; /* by ply */
};

struct player {
    struct players *all;
    int number;
    uint64_t seed;
    struct player_game games[PLAYER_GAMES_MAX];
    int ngames;
};

/* How players write their moves; every second one of each kind. */
struct players {
    struct stubborn net;
    _Atomic uint64_t acknowledged; /* moves of all players */
    _Atomic uint64_t replayed;     /* answers that were replays */
    int count;
    bool against_engine;
    struct player *player;
    void *threads;
};

void players_start(struct players *players, int count, int port);

/* The engine has the second seat of each game. Its moves are logged when they are seen, and count
 * as acknowledged from then on. */
void players_start_against_engine(struct players *players, int count, int port);

/* Waits until so many more moves were acknowledged. Fails the test after a minute without one. */
void players_progress(struct players *players, uint64_t moves);

/* Stops all players. Each finishes its request first. */
void players_stop(struct players *players);

/* Asserts that the daemon at players->net.port shows exactly what the logs say. Frees the players.
 */
void players_judge(struct players *players);

#endif
