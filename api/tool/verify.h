/*
 * verify.h - the subcommand `plyd verify`, which replays every stored game with this program.
 *
 * Each move must be legal, and each position, key, ply, line and outcome what is stored
 * (ARCHITECTURE.md, invariant 6). The clock and what each move was charged must follow from the
 * times of the events, and the offers that are open from what was offered and answered. So this
 * proves a new version of the rules against all games that exist. Of a game that differs, the
 * first difference is named.
 */
#ifndef PLYD_API_TOOL_VERIFY_H
#define PLYD_API_TOOL_VERIFY_H

#include <stddef.h>

#include "db/scan.h"

/* Runs `verify` with its settings (`verify --help`); argv[0] is "verify". Returns the exit
 * code: 0; 1, if a game differs or the games cannot be read; 2, if the command line is wrong. */
int verify_main(int argc, char **argv);

/* Replays one game. False: `what`, of `size` bytes, says where and how it differs. Any thread may
 * call it. In replay.c. */
bool verify_game(const struct db_scan_game *stored, char *what, size_t size);

#endif
