/*
 * scan.h - reading every stored game with all of its events, for `plyd verify`.
 *
 * A scan sees the database as it was when the scan was opened, whatever is played meanwhile. It
 * needs no struct db: it has a connection of its own, and blocks. It belongs to one thread. To read
 * with several threads, give each a scan over its own share of the games.
 */
#ifndef PLYD_DB_SCAN_H
#define PLYD_DB_SCAN_H

#include "db.h"

struct db_scan;

struct db_scan_game {
    const struct db_game *game;
    const struct db_event *events; /* all of them, in order */
    size_t count;
};

/* Opens share `part` (0..parts - 1) of the games: those of one variant, or of all if `variant` is
 * NULL; at most `limit` of them, or all if it is 0. Ids are random, so the first games are a fair
 * sample. `variant` must stay valid until the scan is closed. NULL and *error if the database
 * cannot be read. */
struct db_scan *db_scan_open(const char *url, const char *variant, unsigned part, unsigned parts,
                             int64_t limit, struct db_error *error);

enum db_scan_result { DB_SCAN_GAME, DB_SCAN_END, DB_SCAN_FAILED };

/* Reads the next game. What *next points to is valid until the next call. After DB_SCAN_FAILED,
 * with its *error, the scan can only be closed. */
enum db_scan_result db_scan_next(struct db_scan *scan, struct db_scan_game *next,
                                 struct db_error *error);

void db_scan_close(struct db_scan *scan);

#endif
