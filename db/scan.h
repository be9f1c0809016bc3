/*
 * scan.h - reading every stored game with all of its events, for `plyd verify`.
 *
 * A scan goes through the games by their ids, a slice of some hundred games at a time. Each slice
 * is a transaction of its own, so a scan of hours keeps no snapshot and holds up no VACUUM, and it
 * may run on a standby. A game is seen with all of its events, as it was at one moment; games that
 * are made while the scan runs may be left out.
 *
 * The scan is shared by threads. Each has a reader of its own, which has a connection and blocks.
 */
#ifndef PLYD_DB_SCAN_H
#define PLYD_DB_SCAN_H

#include "db.h"

struct db_scan;
struct db_scan_reader;

struct db_scan_settings {
    const char *url;
    const char *variant; /* only its games; NULL: all */
    int64_t sample;      /* only so many games, drawn by a hash of their ids; 0: all */
    const db_id *after;  /* only games behind this one; NULL: all */
};

struct db_scan_game {
    const struct db_game *game;
    const struct db_event *events; /* all of them, in order */
    size_t count;
};

/* Opens a scan, whose settings must stay valid until it is closed. NULL: memory is out. */
struct db_scan *db_scan_open(const struct db_scan_settings *settings);

/* Call it when all readers are closed. */
void db_scan_close(struct db_scan *scan);

/* How far the readers are: each game up to this one was read, and each of its slice was asked for.
 * A later scan goes on behind it. False: at the beginning. Any thread may call it. A reader that
 * failed holds it back until it is closed. */
bool db_scan_reached(struct db_scan *scan, db_id *id);

/* A reader belongs to one thread. NULL and *error if the database cannot be read. */
struct db_scan_reader *db_scan_reader_open(struct db_scan *scan, struct db_error *error);
void db_scan_reader_close(struct db_scan_reader *reader);

enum db_scan_result { DB_SCAN_GAME, DB_SCAN_END, DB_SCAN_FAILED };

/* Reads the next game of those that no other reader has taken. What *next points to is valid until
 * the next call. After DB_SCAN_FAILED, with its *error, the reader can only be closed. */
enum db_scan_result db_scan_next(struct db_scan_reader *reader, struct db_scan_game *next,
                                 struct db_error *error);

#endif
