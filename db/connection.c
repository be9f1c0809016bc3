/*
 * connection.c - one connection: connecting, preparing, asking the time, losing, trying again.
 *
 * A server that is frozen or gone says nothing, and libpq's own connect_timeout does not hold where
 * the caller polls: every state has its own time to give up. After that the next attempt begins at
 * the next host of the list, for the silent one may be a primary that was cut off from the others.
 *
 * One thing in libpq can block: it resolves names with getaddrinfo(). Where the resolver may be
 * slow, give addresses (hostaddr).
 */
#include <errno.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "internal.h"

enum {
    BACKOFF_MIN_US = 50 * 1000,
    BACKOFF_MAX_US = 2000 * 1000,
    CONNECT_US = 2000 * 1000, /* unless the connection string has a connect_timeout */
    ASK_EVERY_US = 2000 * 1000,
    LOG_EVERY_US = 5000 * 1000,
    OPTIONS_MAX = 64,
    LIST_MAX = 1024
};

/* What every session needs. Plans are made once, for any batch, and never from the sizes that
 * tables had when they were empty: all statements go by the primary keys. A commit is durable,
 * whatever the server's default. A statement that nobody waits for any more ends by itself. */
static const char settings_sql[] =
    "select set_config('plan_cache_mode', 'force_generic_plan', false),"
    " set_config('enable_seqscan', 'off', false),"
    " set_config('jit', 'off', false),"
    " set_config('timezone', 'UTC', false),"
    " set_config('statement_timeout', $1, false),"
    " set_config('synchronous_commit', case current_setting('synchronous_commit')"
    " when 'remote_apply' then 'remote_apply' else 'on' end, false)";

static const char schema_sql[] = "select coalesce(max(number), 0) from schema_migrations";
static const char clock_sql[] = "select clock_timestamp()";

/* ---- the loop's view of it ---- */

/* While it connects, libpq may close one socket and open another under the same number. */
static void watch(struct connection *connection, uint32_t events)
{
    int fd = PQsocket(connection->pg);
    struct epoll_event event = {.events = events, .data.ptr = connection};

    if (fd < 0 || (fd == connection->fd && events == connection->watching &&
                   connection->state != CONNECTION_CONNECTING))
        return;
    if (epoll_ctl(connection->db->epoll, EPOLL_CTL_MOD, fd, &event) < 0 && errno == ENOENT)
        epoll_ctl(connection->db->epoll, EPOLL_CTL_ADD, fd, &event);
    connection->fd = fd;
    connection->watching = events;
}

bool connection_flush(struct connection *connection)
{
    int left = PQflush(connection->pg);

    connection->unsent = left == 1;
    watch(connection, left == 1 ? EPOLLIN | EPOLLOUT : EPOLLIN);
    return left >= 0;
}

void connection_close(struct connection *connection)
{
    if (PQsocket(connection->pg) >= 0)
        epoll_ctl(connection->db->epoll, EPOLL_CTL_DEL, PQsocket(connection->pg), NULL);
    PQfinish(connection->pg);
    connection->pg = NULL;
    connection->fd = -1;
    connection->watching = 0;
    connection->unsent = false;
}

/* ---- losing it ---- */

static void log_loss(struct connection *connection, const char *why)
{
    struct db *db = connection->db;
    int64_t now = db_monotonic_us();

    if (connection->state >= CONNECTION_IDLE) {
        db->stats.reconnects++;
        db_log(db, DB_LOG_WARN, "database connection lost", "%s", why);
    } else if (now - db->logged_at >= LOG_EVERY_US) {
        db->logged_at = now;
        db_log(db, DB_LOG_WARN, "database unreachable", "%s", why);
    }
}

void connection_lose(struct connection *connection, const char *why)
{
    log_loss(connection, why);
    connection_close(connection);
    connection->state = CONNECTION_DOWN;
    connection->timer = db_monotonic_us() + connection->backoff;
    connection->backoff *= 2;
    if (connection->backoff > BACKOFF_MAX_US)
        connection->backoff = BACKOFF_MAX_US;
}

/* ---- connecting ---- */

/* The list with its `by`-th part in front. */
static const char *rotated(const char *list, unsigned by, char *out, size_t size)
{
    unsigned parts = 1;
    const char *from = list;

    for (const char *at = list; *at; at++)
        parts += *at == ',';
    for (by %= parts; by > 0; by--)
        from = strchr(from, ',') + 1;
    if (from == list)
        return list;
    int length = snprintf(out, size, "%s,%.*s", from, (int)(from - list - 1), list);
    return length > 0 && (size_t)length < size ? out : list;
}

struct arguments {
    const char *keys[OPTIONS_MAX], *values[OPTIONS_MAX];
    size_t count;
    char hosts[LIST_MAX], addresses[LIST_MAX], ports[LIST_MAX];
};

static void argue(struct arguments *arguments, const char *key, const char *value)
{
    if (arguments->count + 1 < OPTIONS_MAX) {
        arguments->keys[arguments->count] = key;
        arguments->values[arguments->count++] = value;
    }
}

/* What the connection string leaves open. It comes first, so that the string has the last word. */
static void argue_defaults(struct arguments *arguments)
{
    argue(arguments, "target_session_attrs", "read-write");
    argue(arguments, "tcp_user_timeout", "5000");
    argue(arguments, "keepalives_idle", "5");
    argue(arguments, "keepalives_interval", "2");
    argue(arguments, "keepalives_count", "3");
    argue(arguments, "application_name", "plyd");
    argue(arguments, "client_encoding", "UTF8");
}

static void argue_option(struct arguments *arguments, const PQconninfoOption *option,
                         unsigned rotation)
{
    const char *value = option->val;

    if (strcmp(option->keyword, "host") == 0)
        value = rotated(value, rotation, arguments->hosts, LIST_MAX);
    else if (strcmp(option->keyword, "hostaddr") == 0)
        value = rotated(value, rotation, arguments->addresses, LIST_MAX);
    else if (strcmp(option->keyword, "port") == 0)
        value = rotated(value, rotation, arguments->ports, LIST_MAX);
    argue(arguments, option->keyword, value);
}

static int64_t connect_time(const PQconninfoOption *options)
{
    for (; options->keyword; options++)
        if (strcmp(options->keyword, "connect_timeout") == 0 && options->val &&
            atoi(options->val) > 0)
            return (int64_t)atoi(options->val) * 1000000;
    return CONNECT_US;
}

static void connect_again(struct connection *connection)
{
    PQconninfoOption *options = PQconninfoParse(connection->db->settings.url, NULL);
    struct arguments arguments = {.count = 0};

    if (!options) {
        connection_lose(connection, "the connection string cannot be read");
        return;
    }
    argue_defaults(&arguments);
    for (const PQconninfoOption *option = options; option->keyword; option++)
        if (option->val)
            argue_option(&arguments, option, connection->rotation);
    connection->pg = PQconnectStartParams(arguments.keys, arguments.values, 0);
    connection->timer = db_monotonic_us() + connect_time(options);
    PQconninfoFree(options);
    if (PQstatus(connection->pg) == CONNECTION_BAD) {
        connection_lose(connection, connection->pg ? PQerrorMessage(connection->pg) : "no memory");
        return;
    }
    connection->state = CONNECTION_CONNECTING;
    watch(connection, EPOLLOUT);
}

/* A warning of this class during a commit is the cancelled wait for a standby. */
static void on_notice(void *context, const struct pg_result *notice)
{
    struct connection *connection = context;
    const char *sqlstate = PQresultErrorField(notice, PG_DIAG_SQLSTATE);

    if (sqlstate && strcmp(sqlstate, "01000") == 0)
        connection->warned = true;
}

/* ---- preparing ---- */

static bool send_setup(struct connection *connection)
{
    struct pg_conn *pg = connection->pg;
    char timeout[16];
    const char *values[] = {timeout};

    snprintf(timeout, sizeof(timeout), "%u", connection->db->settings.deadline_ms + 1000);
    if (!PQenterPipelineMode(pg) ||
        !PQsendQueryParams(pg, settings_sql, 1, NULL, values, NULL, NULL, 0) ||
        !PQsendQueryParams(pg, schema_sql, 0, NULL, NULL, NULL, NULL, 0))
        return false;
    for (int kind = 0; kind < DB_KINDS; kind++)
        if (!PQsendPrepare(pg, kinds_table[kind].name, kinds_table[kind].sql, 0, NULL))
            return false;
    return PQpipelineSync(pg) && connection_flush(connection);
}

static void prepare(struct connection *connection)
{
    PQsetNoticeReceiver(connection->pg, on_notice, connection);
    connection->state = CONNECTION_PREPARING;
    connection->answers = 0;
    if (PQsetnonblocking(connection->pg, 1) < 0 || !send_setup(connection))
        connection_lose(connection, PQerrorMessage(connection->pg));
}

static void handshake(struct connection *connection)
{
    switch (PQconnectPoll(connection->pg)) {
    case PGRES_POLLING_READING:
        watch(connection, EPOLLIN);
        break;
    case PGRES_POLLING_WRITING:
        watch(connection, EPOLLOUT);
        break;
    case PGRES_POLLING_OK:
        prepare(connection);
        break;
    default:
        connection_lose(connection, PQerrorMessage(connection->pg));
    }
}

static bool ask(struct connection *connection)
{
    connection->asked_at = db_monotonic_us();
    connection->timer = connection->asked_at + connection->db->settings.deadline_ms * INT64_C(1000);
    connection->state = CONNECTION_ASKING;
    if (PQsendQueryParams(connection->pg, clock_sql, 0, NULL, NULL, NULL, NULL, 1) &&
        connection_flush(connection))
        return true;
    connection_lose(connection, PQerrorMessage(connection->pg));
    return false;
}

static void prepared(struct connection *connection)
{
    PQexitPipelineMode(connection->pg);
    connection->backoff = BACKOFF_MIN_US;
    const char *host = PQhost(connection->pg);
    if (ask(connection))
        db_log(connection->db, DB_LOG_INFO, "database connected", "%s", host ? host : "");
}

/* Whether the pipeline may go on after this answer, the `answers`-th one. The second is the
 * schema's number. */
static bool accept(struct connection *connection, const struct pg_result *result)
{
    ExecStatusType status = PQresultStatus(result);

    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
        connection_lose(connection, PQresultErrorMessage(result));
        return false;
    }
    int found = ++connection->answers == 2 ? atoi(PQgetvalue(result, 0, 0)) : migrations_wanted();
    if (found != migrations_wanted()) {
        connection_lose(connection, found < migrations_wanted()
                                        ? "its schema is older than this program: plyd migrate"
                                        : "its schema is newer than this program");
        return false;
    }
    return true;
}

static void receive_setup(struct connection *connection)
{
    while (!PQisBusy(connection->pg)) {
        struct pg_result *result = PQgetResult(connection->pg);
        if (!result && PQstatus(connection->pg) == CONNECTION_OK)
            continue;
        bool synced = PQresultStatus(result) == PGRES_PIPELINE_SYNC;
        bool fine = synced || accept(connection, result);
        PQclear(result);
        if (synced)
            prepared(connection);
        if (synced || !fine)
            return;
    }
}

/* ---- the time ---- */

/* The server read its clock at some moment between the question and now, however long the answer
 * lay here unread. An offset within these bounds is as good as any, so that the old one is kept if
 * it lies there and else moved no further than it must. */
static void set_clock(struct connection *connection, int64_t server)
{
    struct db *db = connection->db;
    int64_t least = server - db_monotonic_us(), most = server - connection->asked_at;

    if (db->clock < least)
        db->clock = least;
    else if (db->clock > most)
        db->clock = most;
}

static void receive_time(struct connection *connection)
{
    while (!PQisBusy(connection->pg)) {
        struct pg_result *result = PQgetResult(connection->pg);
        if (!result) {
            connection_rest(connection);
            return;
        }
        if (PQresultStatus(result) != PGRES_TUPLES_OK) {
            PQclear(result);
            connection_lose(connection, PQerrorMessage(connection->pg));
            return;
        }
        set_clock(connection, wire_get_time(PQgetvalue(result, 0, 0)));
        PQclear(result);
    }
}

void connection_rest(struct connection *connection)
{
    connection->timer = connection->asked_at + ASK_EVERY_US;
    connection->state = CONNECTION_IDLE;
    if (connection->timer <= db_monotonic_us())
        ask(connection);
}

/* ---- what the loop calls ---- */

static void receive(struct connection *connection)
{
    PQconsumeInput(connection->pg); /* a failure shows in what follows */
    if (connection->unsent)
        connection_flush(connection);
    switch (connection->state) {
    case CONNECTION_PREPARING:
        receive_setup(connection);
        break;
    case CONNECTION_ASKING:
        receive_time(connection);
        break;
    case CONNECTION_BUSY:
        exchange_receive(connection);
        break;
    default:
        if (PQisBusy(connection->pg) || PQstatus(connection->pg) != CONNECTION_OK)
            connection_lose(connection, PQerrorMessage(connection->pg));
    }
}

void connection_event(struct connection *connection)
{
    if (connection->state == CONNECTION_CONNECTING)
        handshake(connection);
    else if (connection->state != CONNECTION_DOWN)
        receive(connection);
}

int64_t connection_deadline(const struct connection *connection)
{
    return connection->state == CONNECTION_BUSY ? connection->batch.deadline : connection->timer;
}

void connection_tick(struct connection *connection, int64_t now)
{
    if (connection_deadline(connection) > now)
        return;
    switch (connection->state) {
    case CONNECTION_DOWN:
        connect_again(connection);
        break;
    case CONNECTION_IDLE:
        ask(connection);
        break;
    case CONNECTION_BUSY:
        exchange_expire(connection, now);
        break;
    default:
        connection->rotation++;
        connection_lose(connection, "it does not answer");
    }
}
