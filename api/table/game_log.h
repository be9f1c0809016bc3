/*
 * game_log.h - everything that happened in a game, for who needs all of it: exports.
 *
 * The log is read page by page. A job calls log_need() from its step until that is true; nobody
 * else has a turn at the table meanwhile, so that the pages fit together.
 */
#ifndef PLYD_API_TABLE_GAME_LOG_H
#define PLYD_API_TABLE_GAME_LOG_H

#include "api/table/tables.h"

enum { LOG_EVENTS_MAX = 1 << 16 }; /* a longer log is not read as a whole */

struct game_log {
    struct db_event *events; /* without their positions */
    size_t count;
};

/* True if the whole log is there. False: asked for, or answered. */
bool log_need(struct job *job, struct game_log *log);

/* How far a line goes. */
int32_t log_line_end(const struct game_log *log, const struct db_game *row, int32_t line);

#endif
