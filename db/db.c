/* db.c - the whole: opening, closing, the loop pass, and what is known about it all. */
#include "db.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

enum { EVENTS_MAX = 64, BACKOFF_START_US = 50 * 1000 };

static int64_t clock_us(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t db_monotonic_us(void)
{
    return clock_us(CLOCK_MONOTONIC);
}

int64_t db_now(const struct db *db)
{
    return db_monotonic_us() + db->clock;
}

uint32_t db_group_of(const db_id *id)
{
    (void)id;
    return 0;
}

void db_log(const struct db *db, enum db_log_level level, const char *event, const char *format,
            ...)
{
    char detail[256];
    va_list arguments;

    if (!db->settings.log)
        return;
    va_start(arguments, format);
    vsnprintf(detail, sizeof(detail), format, arguments);
    va_end(arguments);
    for (char *at = strpbrk(detail, "\n\t"); at; at = strpbrk(at, "\n\t"))
        *at = ' ';
    db->settings.log(db->settings.log_context, level, event, detail);
}

/* ---- opening and closing ---- */

static bool open_connections(struct db *db)
{
    size_t most = db->settings.batch_max;

    db->connections = calloc(db->settings.connections, sizeof(db->connections[0]));
    if (!db->connections)
        return false;
    for (unsigned i = 0; i < db->settings.connections; i++) {
        struct connection *connection = &db->connections[i];
        *connection = (struct connection){.db = db, .fd = -1, .backoff = BACKOFF_START_US};
        connection->batch.members = calloc(most, sizeof(connection->batch.members[0]));
        connection->batch.ids = calloc(most, sizeof(connection->batch.ids[0]));
        if (!connection->batch.members || !connection->batch.ids)
            return false;
    }
    return true;
}

struct db *db_open(const struct db_settings *settings)
{
    struct db *db = calloc(1, sizeof(*db));

    if (!db)
        return NULL;
    db->settings = *settings;
    db->clock = clock_us(CLOCK_REALTIME) - db_monotonic_us();
    db->logged_at = INT64_MIN / 2;
    db->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (db->epoll < 0 || !queue_open(db) || !open_connections(db)) {
        db_close(db);
        return NULL;
    }
    return db;
}

static void close_connections(struct db *db)
{
    for (unsigned i = 0; db->connections && i < db->settings.connections; i++) {
        struct connection *connection = &db->connections[i];
        if (connection->state == CONNECTION_BUSY)
            exchange_abandon(connection);
        connection_close(connection);
        free(connection->batch.members);
        free(connection->batch.ids);
    }
    free(db->connections);
}

void db_close(struct db *db)
{
    if (!db)
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

int db_timeout_ms(const struct db *db)
{
    int64_t deadline = queue_deadline(db);

    for (unsigned i = 0; i < db->settings.connections; i++) {
        int64_t other = connection_deadline(&db->connections[i]);
        deadline = other < deadline ? other : deadline;
    }
    int64_t left = (deadline - db_monotonic_us() + 999) / 1000;
    return left < 0 ? 0 : left > INT32_MAX ? -1 : (int)left;
}

static struct connection *idle_connection(struct db *db)
{
    for (unsigned i = 0; i < db->settings.connections; i++)
        if (db->connections[i].state == CONNECTION_IDLE)
            return &db->connections[i];
    return NULL;
}

/* Everything that waits goes out, as far as connections are idle; each time another kind is the
 * first to choose. */
static void dispatch(struct db *db)
{
    for (unsigned i = 0; i < DB_KINDS; i++) {
        enum db_kind kind = (enum db_kind)((db->turn + i) % DB_KINDS);
        while (queue_may_send(db, kind)) {
            struct connection *connection = idle_connection(db);
            if (!connection)
                return;
            exchange_send(connection, kind);
        }
    }
}

void db_run(struct db *db)
{
    struct epoll_event events[EVENTS_MAX];
    int count = epoll_wait(db->epoll, events, EVENTS_MAX, 0);

    for (int i = 0; i < count; i++)
        connection_event(events[i].data.ptr);
    db->now = db_monotonic_us();
    queue_expire(db);
    dispatch(db);
    for (unsigned i = 0; i < db->settings.connections; i++)
        connection_tick(&db->connections[i], db->now);
    db->turn = (db->turn + 1) % DB_KINDS;
}

/* ---- what is known ---- */

bool db_idle(const struct db *db)
{
    return !db->queued && !db->refused.first && !db->writing && !db->reading;
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

void db_stats(const struct db *db, struct db_stats *stats)
{
    *stats = db->stats;
    stats->queued = db->queued;
    stats->connected = connected(db);
    for (unsigned i = 0; i < db->settings.connections; i++)
        stats->busy += db->connections[i].state == CONNECTION_BUSY;
    stats->down = db->settings.connections - stats->connected;
}
