/* parts.c - what the parts of a loop are, and how those hang together that lie in different
 * folders.
 */
#include "api/parts.h"

#include "api/duty/due.h"
#include "api/duty/expiry.h"
#include "api/duty/heartbeat.h"
#include "api/duty/renewal.h"
#include "api/duty/tasks.h"
#include "api/endpoints/engine/computer_moves.h"
#include "api/endpoints/engine/review_job.h"
#include "api/endpoints/games/ticket.h"
#include "api/endpoints/games/timeout.h"
#include "api/endpoints/library/import_job.h"
#include "api/endpoints/library/positions.h"
#include "api/endpoints/people/player_games.h"
#include "api/game/words.h"
#include "api/hooks/hooks.h"
#include "api/live/accounts.h"
#include "api/live/cache.h"
#include "api/live/other_writers.h"
#include "api/live/players.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/part.h"
#include "api/loop/thinkers.h"
#include "api/loop/workers.h"
#include "api/net/stream.h"
#include "api/stream/bearers.h"
#include "api/stream/channels.h"
#include "api/stream/game_stream.h"
#include "api/stream/long_poll.h"
#include "api/stream/player_stream.h"

/* ---- threads ---- */

static bool open_workers(struct loop *loop)
{
    loop->own[PART_workers] = workers_open(config_workers(loop->config));
    return workers_of(loop) != NULL;
}

static int fd_of_workers(const struct loop *loop)
{
    return workers_fd(workers_of(loop));
}

static void wake_workers(struct loop *loop)
{
    workers_run(workers_of(loop));
}

static void stop_workers(struct loop *loop)
{
    workers_close(workers_of(loop));
}

static bool open_thinkers(struct loop *loop)
{
    loop->own[PART_thinkers] =
        thinkers_open((size_t)loop->config->thinkers, &loop->now, &loop->metrics);
    return thinkers_of(loop) != NULL;
}

static int fd_of_thinkers(const struct loop *loop)
{
    return thinkers_fd(thinkers_of(loop));
}

static void run_thinkers(struct loop *loop)
{
    thinkers_run(thinkers_of(loop));
}

static int timeout_of_thinkers(const struct loop *loop)
{
    return thinkers_timeout_ms(thinkers_of(loop));
}

static void stop_thinkers(struct loop *loop)
{
    thinkers_close(thinkers_of(loop));
}

/* ---- streams ---- */

static bool open_streams(struct loop *loop)
{
    const struct streams_settings settings = {.limit = (size_t)loop->config->streams,
                                              .beat_us = STREAMS_BEAT_US,
                                              .patience_us = STREAMS_PATIENCE_US,
                                              .now = &loop->now,
                                              .counts = &loop->metrics};

    loop->own[PART_streams] = streams_open(&settings);
    return streams_of(loop) != NULL;
}

static int fd_of_streams(const struct loop *loop)
{
    return streams_fd(streams_of(loop));
}

static void wake_streams(struct loop *loop)
{
    streams_look(streams_of(loop));
}

static void run_streams(struct loop *loop)
{
    streams_run(streams_of(loop));
}

static int timeout_of_streams(const struct loop *loop)
{
    return streams_timeout_ms(streams_of(loop));
}

static void drain_streams(struct loop *loop)
{
    streams_stop(streams_of(loop));
}

static void close_streams(struct loop *loop)
{
    streams_close(streams_of(loop));
}

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
        due_promised(loop, write->dues, write->ndues, live->row.updated_at);
    if (live->row.hooks != 0 && due_of(loop) != NULL)
        due_soon(due_of(loop));
}

/* An op may take twice the deadline of a database call: a lost race takes further calls, and the
 * client should not wait for ever. */
static bool open_tables(struct loop *loop)
{
    const struct config *config = loop->config;

    loop->own[PART_cache] =
        cache_open(loop, (size_t)config->cached_games, 2 * INT64_C(1000) * config->db_deadline_ms,
                   on_news, timeout_settle);
    return cache_of(loop) != NULL;
}

static void close_tables(struct loop *loop)
{
    cache_close(cache_of(loop));
}

/* ---- what one loop does for all ---- */

static const struct task_kind task_kinds[] = {
    {TASK_IMPORT, 1, 3, import_job_step, import_job_leave},
    {TASK_ANALYSIS, 4, 64, review_job_step, review_job_leave},
    {0, 0, 0, NULL, NULL},
};

static const struct due_keeper keepers[] = {
#define DUE(number, kind, word, keep, takes_long) {number, keep, takes_long},
#include "api/game/dues.def"
#undef DUE
    {0, NULL, false}};

static bool open_due(struct loop *loop)
{
    loop->own[PART_due] =
        due_open(loop, keepers, thinkers_any(thinkers_of(loop)) ? 0 : DUE_OPPONENT);
    return due_of(loop) != NULL;
}

static int fd_of_due(const struct loop *loop)
{
    return loop->due_fd;
}

static bool open_tasks(struct loop *loop)
{
    loop->own[PART_tasks] = tasks_open(loop, task_kinds);
    return tasks_of(loop) != NULL;
}

/* ---- all of them ---- */

const struct part parts_all[PARTS] = {
    [PART_workers] = {.open = open_workers,
                      .fd = fd_of_workers,
                      .wake = wake_workers,
                      .stop = stop_workers},
    [PART_thinkers] = {.open = open_thinkers,
                       .fd = fd_of_thinkers,
                       .run = run_thinkers,
                       .timeout_ms = timeout_of_thinkers,
                       .stop = stop_thinkers},
    [PART_computer_moves] = {.drain = computer_moves_stop, .is_idle = computer_moves_idle},
    [PART_heartbeat] = {.open = heartbeat_open,
                        .run = heartbeat_run,
                        .timeout_ms = heartbeat_timeout_ms,
                        .close = heartbeat_close},
    [PART_other_writers] = {.open = other_writers_open,
                            .run = other_writers_run,
                            .timeout_ms = other_writers_timeout_ms,
                            .close = other_writers_close},
    [PART_streams] = {.open = open_streams,
                      .fd = fd_of_streams,
                      .wake = wake_streams,
                      .run = run_streams,
                      .timeout_ms = timeout_of_streams,
                      .drain = drain_streams,
                      .close = close_streams},
    [PART_channels] = {.open = channels_open,
                       .run = channels_run,
                       .timeout_ms = channels_timeout_ms,
                       .close = channels_close},
    [PART_game_streams] = {.open = game_stream_open,
                           .run = game_stream_run,
                           .timeout_ms = game_stream_timeout_ms,
                           .finish = game_stream_tell,
                           .close = game_stream_close},
    [PART_player_streams] = {.open = player_stream_open,
                             .run = player_stream_run,
                             .timeout_ms = player_stream_timeout_ms,
                             .close = player_stream_close},
    [PART_bearers] = {.open = bearers_open,
                      .run = bearers_run,
                      .timeout_ms = bearers_timeout_ms,
                      .close = bearers_close},
    [PART_cache] = {.open = open_tables, .close = close_tables},
    [PART_long_polls] = {.open = long_poll_open,
                         .run = long_poll_run,
                         .timeout_ms = long_poll_timeout_ms,
                         .drain = long_poll_end,
                         .close = long_poll_close},
    [PART_expiry] = {.first = true,
                     .open = expiry_open,
                     .run = expiry_run,
                     .timeout_ms = expiry_timeout_ms,
                     .close = expiry_close},
    [PART_renewal] = {.first = true,
                      .open = renewal_open,
                      .run = renewal_run,
                      .timeout_ms = renewal_timeout_ms,
                      .close = renewal_close},
    [PART_hooks] = {.first = true,
                    .open = hooks_open,
                    .fd = hooks_fd,
                    .run = hooks_run,
                    .timeout_ms = hooks_timeout_ms,
                    .stop = hooks_stop,
                    .close = hooks_close},
    [PART_due] = {.first = true,
                  .open = open_due,
                  .fd = fd_of_due,
                  .wake = due_told,
                  .run = due_run,
                  .timeout_ms = due_timeout_ms,
                  .close = due_close},
    [PART_tasks] = {.first = true,
                    .open = open_tasks,
                    .run = tasks_run,
                    .timeout_ms = tasks_timeout_ms,
                    .close = tasks_close},
    [PART_players] = {.open = players_open, .close = players_close},
    [PART_accounts] = {.open = accounts_open,
                       .fd = accounts_fd,
                       .wake = accounts_told,
                       .stop = accounts_stop,
                       .close = accounts_close},
};
