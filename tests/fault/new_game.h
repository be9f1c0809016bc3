/*
 * new_game.h - the game that a fault is tried on.
 */
#ifndef PLYD_TESTS_FAULT_NEW_GAME_H
#define PLYD_TESTS_FAULT_NEW_GAME_H

enum { NEW_GAME_ID = 32, NEW_GAME_TOKEN = 64 };

/* Makes a game as `asked` (JSON). A 503 is repeated, as clients do: on a busy machine the first
 * statements of a session take longer than the short deadline of such a test. */
void new_game(int port, const char *asked, char id[NEW_GAME_ID], char token[NEW_GAME_TOKEN]);

#endif
