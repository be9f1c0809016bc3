/*
 * games.h - games that are no part of plyd: shared objects, which each subcommand takes in before
 * it does anything else.
 *
 *     plyd serve --game ./hex.so --game ./reversi.so     each by its path
 *     plyd serve --games /usr/lib/plyd/games             every .so of a folder, in the order of
 * names PLYD_GAMES=/usr/lib/plyd/games plyd serve          the same
 *
 * Such a file exports `plyd_game` (rules/module.h). It is native code with all rights of the
 * program, and stays loaded until that ends.
 */
#ifndef PLYD_API_TOOL_GAMES_H
#define PLYD_API_TOOL_GAMES_H

#include <stdbool.h>

/* Takes these flags out of a command line, and the games in. False: a sentence on standard error
 * says what is wrong, and the program should end. `plyd play` has a --game of its own, the id of a
 * game at a daemon, which does not end in ".so" and is left to it. */
bool games_take(int *argc, char **argv);

/* Takes in one game. */
bool games_load(const char *path);

/* Logs each game that came from a file, with the file. */
void games_log(void);

#endif
