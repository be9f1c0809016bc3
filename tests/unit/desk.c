/* desk.c - a loop for tests (desk.h). */
#include "desk.h"

#include <criterion/criterion.h>

#include "api/table/feeds.h"
#include "api/table/peers.h"
#include "requests.h"

struct loop desk_loop;

static void on_news(struct table *table, int32_t version, const struct table_write *write)
{
    news_heard(desk_loop.news, table, version, write);
    waits_wake(table);
}

static void open_streams(void)
{
    const struct streams_settings settings = {.limit = DESK_STREAMS,
                                              .beat_us = STREAMS_BEAT_US,
                                              .patience_us = STREAMS_PATIENCE_US,
                                              .now = &desk_loop.now,
                                              .counts = &desk_loop.metrics};

    desk_loop.streams = streams_open(&settings);
    desk_loop.news = news_open(&desk_loop, DESK_STREAMS);
    cr_assert(desk_loop.streams != NULL && desk_loop.news != NULL);
}

void desk_open(void)
{
    static const struct db_settings settings = {
        .url = "", .connections = 1, .queue_max = 100000, .batch_max = 1, .deadline_ms = 1000};

    desk_loop.db = db_open(&settings);
    desk_loop.tables = tables_open(&desk_loop, 100, DESK_PATIENCE_US, on_news, NULL);
    desk_loop.waits = waits_open(&desk_loop, DESK_WAITS);
    desk_loop.now = 1000000000;
    desk_loop.peers = peers_open(&desk_loop);
    desk_loop.feeds = feeds_open(&desk_loop, DESK_STREAMS);
    open_streams();
    cr_assert(desk_loop.db != NULL && desk_loop.tables != NULL && desk_loop.waits != NULL);
}

/* The database goes first: it ends every question, for which jobs and tables must be there. */
void desk_close(void)
{
    waits_end(desk_loop.waits);
    db_close(desk_loop.db);
    streams_close(desk_loop.streams);
    news_close(desk_loop.news);
    feeds_close(desk_loop.feeds);
    peers_close(desk_loop.peers);
    waits_close(desk_loop.waits);
    tables_close(desk_loop.tables);
    requests_free();
}

struct table *desk_table(const struct db_game *row)
{
    struct table *table = tables_find(desk_loop.tables, row->id);

    cr_assert(table_take(table, row));
    table->loaded = true;
    table->confirmed = INT64_MAX;
    return table;
}

uint64_t desk_questions(void)
{
    struct db_stats stats;

    db_stats(desk_loop.db, &stats);
    return stats.queued;
}
