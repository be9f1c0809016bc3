/*
 * game_log.h - everything that happened in a game, for exports.
 *
 * The log is read page by page. A job calls game_log_need() from its step until that is STEP_GO;
 * nobody else has a turn at the table meanwhile, so that the pages fit together.
 */
#ifndef PLYD_API_TABLE_GAME_LOG_H
#define PLYD_API_TABLE_GAME_LOG_H

#include "api/table/jobs.h"

enum { GAME_LOG_MAX = 1 << 16 }; /* a longer log is not read as a whole */

struct game_log {
    struct db_event *events; /* without their positions */
    size_t count;
};

/* The whole log is there. */
enum step game_log_need(struct job *job, struct game_log *log);

/* How far a line goes. */
int32_t game_log_line_end(const struct game_log *log, const struct db_game *row, int32_t line);

#endif
