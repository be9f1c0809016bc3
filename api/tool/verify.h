/*
 * verify.h - the subcommand `plyd verify`: every stored game, replayed with this program.
 *
 * The release gate of invariant 6: each move must be legal and each position, key, ply, line and
 * outcome what is stored. The first ply that differs is named.
 */
#ifndef PLYD_API_TOOL_VERIFY_H
#define PLYD_API_TOOL_VERIFY_H

#include <stddef.h>

#include "db/scan.h"

int verify_main(int argc, char **argv);

/* Replays one game. True if it is what is stored; else `what` says where and how it differs. */
bool verify_game(const struct db_scan_game *stored, char *what, size_t size);

#endif
