/*
 * rival.h - games in which a computer opponent makes the first move, for benches.
 */
#ifndef PLYD_TESTS_SUPPORT_RIVAL_H
#define PLYD_TESTS_SUPPORT_RIVAL_H

#include <stdbool.h>
#include <sys/types.h>

struct rival {
    int port, fd;
    char headers[512], id[32];
};

/* Makes a game against a level, from an address that the daemon believes (X-Forwarded-For). Ends
 * the program if that fails. */
void rival_begin(struct rival *rival, int port, const char *variant, int level,
                 const char *address);

/* Waits until the opponent has moved. False: not within so many seconds. */
bool rival_await(struct rival *rival, double seconds);

/* Takes the move back, so that the opponent thinks again. */
void rival_again(struct rival *rival);

/* Ends the game. */
void rival_end(struct rival *rival);

/* Starts a process that keeps an opponent of such a game thinking, until it is killed. */
pid_t rival_start(int port, const char *variant, int level, const char *address);

#endif
