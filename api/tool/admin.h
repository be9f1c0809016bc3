/*
 * admin.h - the subcommand `plyd admin`, which is for whoever operates the daemons.
 *
 *     plyd admin                         the health of the database, with advice (health.h)
 *     plyd admin token PLAYER            a new token for a player who has lost theirs
 *     plyd admin rename PLAYER [NAME]    another name for a player, or one that says nothing
 *
 * It needs the database alone, and no daemon. What it changes of a player is the change that the
 * player could make: the daemons take the new name into the player's games, and within some seconds
 * no daemon takes the old token.
 */
#ifndef PLYD_API_TOOL_ADMIN_H
#define PLYD_API_TOOL_ADMIN_H

#include "db/db.h"

/* Runs `admin [token|rename] [PLAYER] [NAME] [--database URL] [--json]`; argv[0] is "admin".
 * Returns the exit code: 0; 1, if there is a warning, or nothing could be done; 2, if the command
 * line is wrong. */
int admin_main(int argc, char **argv);

/* The commands about one player; `json` chooses the form of what they print. They return the exit
 * code. `name` is one that a player may have. In admin_player.c. */
int admin_token(const char *url, db_id player, bool json);
int admin_rename(const char *url, db_id player, const char *name, bool json);

#endif
