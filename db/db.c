/* db.c - the whole: opening, closing, the loop pass, and what is known about it all. */
#include "db.h"

#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "exchange.h"
#include "internal.h"

enum { EVENTS_MAX = 64 }; /* of one loop pass: more connections than that take several */

/* ---- opening and closing ---- */

static bool open_connections(struct db *db)
{
    db->connections = calloc(db->settings.connections, sizeof(db->connections[0]));
    if (db->connections == NULL)
        return false;
    for (unsigned i = 0; i < db->settings.connections; i++)
        if (!connection_open(&db->connections[i], db))
            return false;
    return true;
}

static void begin_clock(struct db *db)
{
    const struct db_time *time = &db->settings.time;

    if (time->told != 0)
        clock_told(db, time);
    else
        clock_told(db, &(struct db_time){db_realtime_us(), db_monotonic_us()});
}

struct db *db_open(const struct db_settings *settings)
{
    struct db *db = calloc(1, sizeof(*db));

    if (db == NULL)
        return NULL;
    db->settings = *settings;
    db->kinds = kinds_table;
    begin_clock(db);
    db->timeline = settings->timeline != NULL ? settings->timeline : &db->own_timeline;
    db->logged_at = INT64_MIN / 2; /* long ago, and no overflow when it is subtracted */
    db->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (db->epoll < 0 || !queue_open(db) || !open_connections(db)) {
        db_close(db);
        return NULL;
    }
    return db;
}

static void close_connections(struct db *db)
{
    for (unsigned i = 0; db->connections != NULL && i < db->settings.connections; i++) {
        struct connection *connection = &db->connections[i];
        if (connection->state == CONNECTION_BUSY)
            exchange_abandon(connection);
        connection_close(connection);
    }
    free(db->connections);
}

void db_close(struct db *db)
{
    if (db == NULL)
        return;
    close_connections(db);
    queue_close(db);
    wire_free(&db->params);
    free(db->scratch);
    if (db->epoll >= 0)
        close(db->epoll);
    free(db);
}

/* ---- the loop pass ---- */

int db_fd(const struct db *db)
{
    return db->epoll;
}

/* Rounded up, or the loop would spin through the last millisecond. */
int db_timeout_ms(const struct db *db)
{
    int64_t deadline = queue_deadline(db);

    for (unsigned i = 0; i < db->settings.connections; i++) {
        int64_t timer = db->connections[i].timer;
        deadline = timer < deadline ? timer : deadline;
    }
    int64_t left = (deadline - db_monotonic_us() + 999) / 1000;
    return left < 0 ? 0 : left > INT32_MAX ? -1 : (int)left;
}

/* exchange.c has the word while a batch is on its way, connection.c at any other time. */
static void on_event(struct connection *connection)
{
    if (connection->state == CONNECTION_BUSY)
        exchange_event(connection);
    else
        connection_event(connection);
}

static void on_tick(struct connection *connection, int64_t now)
{
    if (connection->state == CONNECTION_BUSY)
        exchange_tick(connection, now);
    else
        connection_tick(connection, now);
}

/* An idle connection for a statement of this lane, or NULL. Large writes take the last one, others
 * the first: so it is mostly one connection whose buffers large writes make grow. */
static struct connection *idle_connection(struct db *db, unsigned lane)
{
    unsigned count = db->settings.connections;

    for (unsigned i = 0; i < count; i++) {
        struct connection *connection = &db->connections[lane == LANE_LARGE ? count - 1 - i : i];
        if (connection->state == CONNECTION_IDLE)
            return connection;
    }
    return NULL;
}

/* Everything that waits goes out, as far as connections are idle. In each pass another lane is the
 * first to choose, so that none starves. */
static void dispatch(struct db *db)
{
    for (unsigned i = 0; i < LANES; i++) {
        unsigned lane = (db->turn + i) % LANES;
        while (queue_may_send(db, lane)) {
            struct connection *connection = idle_connection(db, lane);
            if (connection == NULL)
                return;
            exchange_send(connection, lane);
        }
    }
}

/* Answers first: they free connections, and their callbacks make the requests that go out in the
 * same pass. */
void db_run(struct db *db)
{
    struct epoll_event events[EVENTS_MAX];
    int count = epoll_wait(db->epoll, events, EVENTS_MAX, 0);

    for (int i = 0; i < count; i++)
        on_event(events[i].data.ptr);
    db_run_unread(db);
}

/* Timers last, so that an idle connection is taken for a statement and not for the time. */
void db_run_unread(struct db *db)
{
    db->now = db_monotonic_us();
    queue_expire(db);
    dispatch(db);
    for (unsigned i = 0; i < db->settings.connections; i++)
        on_tick(&db->connections[i], db->now);
    db->turn = (db->turn + 1) % LANES;
}

/* ---- what is known ---- */

bool db_idle(const struct db *db)
{
    return db->queued == 0 && db->refused.first == NULL && db->writing == 0 && db->reading == 0 &&
           db->queues[LANE_LARGE].under_way == 0;
}

static uint32_t connected(const struct db *db)
{
    uint32_t count = 0;
    for (unsigned i = 0; i < db->settings.connections; i++)
        count += db->connections[i].state >= CONNECTION_IDLE;
    return count;
}

bool db_ready(const struct db *db)
{
    return connected(db) > 0;
}

int db_schema_of_database(const struct db *db)
{
    return db->schema;
}

uint32_t db_timeline(const struct db *db)
{
    return *db->timeline;
}

void db_stats(const struct db *db, struct db_stats *stats)
{
    *stats = db->stats;
    stats->queued = db->queued;
    stats->connected = connected(db);
    for (unsigned i = 0; i < db->settings.connections; i++)
        stats->busy += db->connections[i].state == CONNECTION_BUSY;
    stats->down = db->settings.connections - stats->connected;
}
