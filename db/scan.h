/*
 * scan.h - reading every stored game with all of its events, for `plyd verify`.
 *
 * A scan sees the database as it was when it was opened, whatever is played meanwhile. It blocks:
 * each thread that scans has one of its own, over its own share of the games.
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

/* Share `part` of `parts` of the games; of one variant only, if it is not NULL; at most `limit` of
 * them, if it is above 0 (ids are random, so that the first ones are a fair sample). NULL and
 * *error if the database cannot be read. */
struct db_scan *db_scan_open(const char *url, const char *variant, unsigned part, unsigned parts,
                             int64_t limit, struct db_error *error);

enum db_scan_result { DB_SCAN_GAME, DB_SCAN_END, DB_SCAN_FAILED };

/* The next game; what it points to is valid until the next call. */
enum db_scan_result db_scan_next(struct db_scan *scan, struct db_scan_game *next,
                                 struct db_error *error);

void db_scan_close(struct db_scan *scan);

#endif
