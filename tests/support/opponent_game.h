/*
 * game.h - games in which a computer opponent makes the first move, for benches.
 */
#ifndef PLYD_TESTS_SUPPORT_OPPONENT_GAME_H
#define PLYD_TESTS_SUPPORT_OPPONENT_GAME_H

#include <stdbool.h>
#include <sys/types.h>

struct opponent_game {
    int port, fd;
    char headers[512], id[32];
};

/* Makes a game against a level, from an address that the daemon believes (X-Forwarded-For). Ends
 * the program if that fails. */
void opponent_game_begin(struct opponent_game *game, int port, const char *variant, int level,
                         const char *address);

/* Waits until the opponent has moved. False: not within so many seconds. */
bool opponent_game_await(struct opponent_game *game, double seconds);

/* Takes the move back, so that the opponent thinks again. */
void opponent_game_again(struct opponent_game *game);

/* Ends the game. */
void opponent_game_end(struct opponent_game *game);

/* Starts a process that keeps an opponent of such a game thinking, until it is killed. */
pid_t opponent_game_start(int port, const char *variant, int level, const char *address);

#endif
