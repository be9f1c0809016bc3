/* desk.c - a loop for tests (desk.h). */
#include "desk.h"

#include <criterion/criterion.h>

#include "api/live/other_writers.h"
#include "api/loop/config.h"
#include "api/loop/part.h"
#include "api/stream/channels.h"
#include "api/stream/player_stream.h"
#include "api/stream/token_holders.h"
#include "requests.h"

struct loop desk_loop;

static void on_news(struct live_game *live, int32_t version, const struct live_write *write)
{
    game_stream_heard(game_streams_of(&desk_loop), live, version, write);
}

struct config desk_config;

static void open_streams(void)
{
    const struct streams_settings settings = {.limit = (size_t)desk_config.streams,
                                              .beat_us = STREAMS_BEAT_US,
                                              .patience_us = STREAMS_PATIENCE_US,
                                              .now = &desk_loop.now,
                                              .counts = &desk_loop.metrics};

    desk_loop.own[PART_streams] = streams_open(&settings);
    cr_assert_not_null(streams_of(&desk_loop));
    game_streams_part.open(&desk_loop);
}

void desk_open(void)
{
    static const struct db_settings settings = {
        .url = "", .connections = 1, .queue_max = 100000, .batch_max = 1, .deadline_ms = 1000};

    desk_config.waits = DESK_WAITS;
    desk_config.streams = DESK_STREAMS;
    desk_loop.config = &desk_config;
    desk_loop.db = db_open(&settings);
    desk_loop.own[PART_cache] = cache_open(&desk_loop, 100, DESK_PATIENCE_US, on_news, NULL);
    desk_loop.now = 1000000000;
    cr_assert_not_null(desk_loop.db);
    long_polls_part.open(&desk_loop);
    other_writers_part.open(&desk_loop);
    channels_part.open(&desk_loop);
    player_streams_part.open(&desk_loop);
    token_holders_part.open(&desk_loop);
    open_streams();
}

void desk_open_streams(long limit)
{
    streams_close(streams_of(&desk_loop));
    game_streams_part.close(&desk_loop);
    desk_config.streams = limit;
    open_streams();
}

/* The database goes first: it ends every question, for which ops and live games must be there. */
void desk_close(void)
{
    long_polls_part.drain(&desk_loop);
    db_close(desk_loop.db);
    streams_close(streams_of(&desk_loop));
    game_streams_part.close(&desk_loop);
    channels_part.close(&desk_loop);
    player_streams_part.close(&desk_loop);
    token_holders_part.close(&desk_loop);
    other_writers_part.close(&desk_loop);
    long_polls_part.close(&desk_loop);
    cache_close(cache_of(&desk_loop));
    requests_free();
}

struct live_game *desk_table(const struct db_game *row)
{
    struct live_game *live = cache_find(cache_of(&desk_loop), row->id);

    cr_assert(live_take(live, row));
    live->loaded = true;
    live->confirmed = INT64_MAX;
    return live;
}

uint64_t desk_questions(void)
{
    struct db_stats stats;

    db_stats(desk_loop.db, &stats);
    return stats.queued;
}
