/* parts.c - the parts of every loop, and those of them that have to know of higher folders. */
#include "api/parts.h"

#include "api/duty/due.h"
#include "api/duty/tasks.h"
#include "api/endpoints/engine/computer_moves.h"
#include "api/endpoints/engine/review_job.h"
#include "api/endpoints/games/timeout.h"
#include "api/endpoints/library/import_job.h"
#include "api/game/words.h"
#include "api/live/cache.h"
#include "api/live/other_writers.h"
#include "api/loop/config.h"
#include "api/loop/thinkers.h"
#include "api/stream/game_stream.h"
#include "api/stream/player_stream.h"

/* ---- games in memory ---- */

static void on_news(struct live_game *live, int32_t version, const struct live_write *write)
{
    struct loop *loop = live->cache->loop;

    game_stream_heard(game_streams_of(loop), live, version, write);
    player_stream_heard(player_streams_of(loop), &live->row);
    if (write != NULL)
        other_writers_wrote(other_writers_of(loop));
    computer_moves_heard(loop, live, write != NULL);
    if (write != NULL)
        due_stored(loop, write->dues, write->ndues, live->row.updated_at);
    if (live->row.hooks != 0)
        due_hurry(loop);
}

/* An op may take twice the deadline of a database call: a lost race takes further calls, and the
 * client should not wait for ever. */
static void open_cache(struct loop *loop)
{
    const struct config *config = loop->config;

    loop->own[PART_cache] =
        cache_open(loop, (size_t)config->cached_games, 2 * INT64_C(1000) * config->db_deadline_ms,
                   on_news, timeout_settle);
}

static void close_cache(struct loop *loop)
{
    cache_close(cache_of(loop));
}

const struct part cache_part = {.open = open_cache, .close = close_cache};

/* ---- what one loop does for all ---- */

static const struct task_kind *const task_kinds[] = {&import_job, &review_job, NULL};

static const struct due_keeper keepers[] = {
#define DUE(number, kind, word, keep, takes_long) {number, keep, takes_long},
#include "api/game/dues.def"
#undef DUE
    {0, NULL, false}};

static void open_due(struct loop *loop)
{
    loop->own[PART_due] =
        due_open(loop, keepers, thinkers_any(thinkers_of(loop)) ? 0 : DUE_OPPONENT);
}

static int fd_of_due(const struct loop *loop)
{
    return loop->due_fd;
}

static void open_tasks(struct loop *loop)
{
    loop->own[PART_tasks] = tasks_open(loop, task_kinds);
}

const struct part due_part = {.first = true,
                              .open = open_due,
                              .fd = fd_of_due,
                              .wake = due_told,
                              .run = due_run,
                              .timeout_ms = due_timeout_ms,
                              .close = due_close};

const struct part tasks_part = {.first = true,
                                .open = open_tasks,
                                .run = tasks_run,
                                .timeout_ms = tasks_timeout_ms,
                                .close = tasks_close};

/* ---- all of them ---- */

const struct part *const parts_all[PARTS] = {
#define PART(name) &name##_part,
#include "api/loop/parts.def"
#undef PART
};
