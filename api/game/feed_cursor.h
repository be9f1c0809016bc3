/*
 * feed_cursor.h - where somebody stands in the events of all games of a player, and its text.
 *
 * Events are read in passes. A pass tells what was written at a time or later, by game and version.
 * Before it begins, the database says up to when everything can be seen (db_get_horizon()), and
 * that is where the next pass begins. So whatever is committed late is found by a later pass, and
 * what was written shortly before the next one began is found twice. A cursor is the beginning of a
 * pass with the event that was told last in it, or the beginning alone. It has no other state, so
 * every daemon can go on from it. Pure.
 */
#ifndef PLYD_API_GAME_FEED_CURSOR_H
#define PLYD_API_GAME_FEED_CURSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "db/db.h"

struct feed_cursor {
    struct db_feed_point at;
    int64_t upto; /* within a pass: where the next one begins; 0: the pass has not begun */
};

enum { FEED_CURSOR_TEXT = 61 }; /* with the NUL */

/* A text without meaning for clients. It is not signed: any point may be asked for. */
void feed_cursor_text(const struct feed_cursor *cursor, char text[FEED_CURSOR_TEXT]);

/* "0" is the beginning of everything. False: no cursor has this text. */
bool feed_cursor_read(const char *text, struct feed_cursor *cursor);

/* The pass begins: everything from before this time can be seen. */
void feed_cursor_begin(struct feed_cursor *cursor, int64_t horizon);

/* An event was told. */
void feed_cursor_pass(struct feed_cursor *cursor, const struct db_feed *event);

/* Not all events of this pass can be seen. The next one begins where this one did. */
void feed_cursor_hold(struct feed_cursor *cursor);

/* Nothing is left in this pass. */
void feed_cursor_end(struct feed_cursor *cursor);

#endif
