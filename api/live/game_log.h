/*
 * game_log.h - reads the log of a game, page by page.
 *
 * Everything, for exports, or a part of it.
 *
 * A log may be long, so it is read page by page into the request's arena, while the op is
 * first in its line. Events never change, so the pages fit together whatever happens meanwhile.
 */
#ifndef PLYD_API_LIVE_GAME_LOG_H
#define PLYD_API_LIVE_GAME_LOG_H

#include "api/live/op.h"

enum { GAME_LOG_MAX = 1 << 16 }; /* events; a longer log is not read as a whole */

/* All zero before it is read. It lives as long as the request. */
struct game_log {
    struct db_event *events; /* by version; their positions are left out */
    size_t count, size;
    int32_t after; /* the version before the first of them */
    struct arena *arena;
};

/* Part of a step. STEP_GO: the whole log is there, up to the live game's version. STEP_OVER: it is
 * too long, and the request was answered. */
enum step game_log_need(struct op *op, struct game_log *log);

/* Part of a step. STEP_GO: *part has the events behind the version `after`, up to `to`, which the
 * live game has reached. */
enum step game_log_need_part(struct op *op, int32_t after, int32_t to,
                             const struct game_log **part);

/* The last ply of a line of the game; 0 if the line has no move of its own. */
int32_t game_log_line_end(const struct game_log *log, const struct db_game *row, int32_t line);

#endif
