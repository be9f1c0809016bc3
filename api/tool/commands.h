/*
 * commands.h - the subcommand `plyd admin`, which is for whoever operates the daemons.
 *
 *     plyd admin                         the health of the database, with advice (health.h)
 *     plyd admin token PLAYER            a new token for a player who has lost theirs
 *     plyd admin rename PLAYER [NAME]    another name for a player, or one that says nothing
 *
 * It needs the database alone, and no daemon. What it changes of a player is the change that the
 * player could make: the daemons take the new name into the player's games, and within some seconds
 * no daemon takes the old token.
 */
#ifndef PLYD_API_TOOL_COMMANDS_H
#define PLYD_API_TOOL_COMMANDS_H

#include <stddef.h>

#include "db/db.h"
#include "db/scan.h"

/* Runs `admin [token|rename] [PLAYER] [NAME] [--database URL] [--json]`; argv[0] is "admin".
 * Returns the exit code: 0; 1, if there is a warning, or nothing could be done; 2, if the command
 * line is wrong. */
int admin_main(int argc, char **argv);

/* The commands about one player; `json` chooses the form of what they print. They return the exit
 * code. `name` is one that a player may have. In admin_player.c. */
int admin_token(const char *url, db_id player, bool json);
int admin_rename(const char *url, db_id player, const char *name, bool json);

/* ---- new_game.c ------------------------------------------------------------------------------ */

/* The subcommand `plyd new-game NAME`, which makes a folder with a game that works: that of
 * examples/hex/ by another name. Returns the exit code: 0; 1, if it cannot be made; 2, if the
 * command line is wrong. */
int new_game_main(int argc, char **argv);

/* ---- perft.c --------------------------------------------------------------------------------- */

/* The subcommand `plyd perft`, which counts the sequences of legal moves of a given
 * length.
 *
 * Two programs that agree on these numbers very likely agree on the rules. It uses no database. */

/* Runs `perft VARIANT DEPTH [--position P] [--options JSON] [--divide]`; argv[0] is "perft". The
 * count goes to standard output, everything else to standard error. Returns the exit code: 0; 1, if
 * the rules refuse the options or the position, or memory is out; 2, if the command line is wrong.
 */
int perft_main(int argc, char **argv);

/* ---- check_game.c ---------------------------------------------------------------------------- */

/* The subcommand `plyd check-game`, which tries what a game promises (contract/contract.h), each
 * promise in a process of its own, since a game may crash or never return.
 *
 * Runs `check-game FILE.so|NAME [--seconds N] [--patience N]`; argv[0] is "check-game". Returns the
 * exit code: 0; 1, if a promise is broken; 2, if the command line is wrong, or there is no such
 * game. */
int check_game_main(int argc, char **argv);

/* ---- verify.c -------------------------------------------------------------------------------- */

/* The subcommand `plyd verify`, which replays every stored game with this program.
 *
 * Each move must be legal, and each position, key, ply, line and outcome what is stored
 * (ARCHITECTURE.md, invariant 6). The clock and what each move was charged must follow from the
 * times of the events, and the offers that are open from what was offered and answered. So this
 * proves a new version of the rules against all games that exist. Of a game that differs, the
 * first difference is named. */

/* Runs `verify` with its settings (`verify --help`); argv[0] is "verify". Returns the exit
 * code: 0; 1, if a game differs or the games cannot be read; 2, if the command line is wrong. */
int verify_main(int argc, char **argv);

enum verdict {
    VERDICT_SAME,
    VERDICT_DIFFERS,
    VERDICT_NOT_LOADED, /* its rules are not here, so nothing was compared */
    VERDICT_NEWER /* it has something that only a newer program knows, so nothing was compared */
};

/* Replays one game. Unless all is well, `what`, of `size` bytes, says where and how it differs, or
 * what is not known. Any thread may call it. In replay.c. */
enum verdict verify_game(const struct db_scan_game *stored, char *what, size_t size);

#endif
