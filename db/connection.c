/*
 * connection.c - one connection: made, prepared, kept alive, lost, made again.
 *
 *     DOWN -> CONNECTING -> PREPARING -> ASKING <-> IDLE <-> BUSY
 *      ^          |             |           |         |        |
 *      +----------+-------------+-----------+---------+--------+   lost
 *
 * The time is asked as soon as a connection is prepared, and from then on every 2 s between two
 * statements. That keeps db_now() right, and it is how a silent server is noticed on a connection
 * that has nothing else to do. A connection whose buffers have grown is made anew instead, since
 * libpq gives them back only at its end.
 */
#include "connection.h"

#include <errno.h>
#include <libpq-fe.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "dial.h"
#include "internal.h"
#include "migrations.h"
#include "outcome.h"

enum {
    BACKOFF_MIN_US = 50 * 1000,
    BACKOFF_MAX_US = 2000 * 1000,
    ASK_EVERY_US = 2000 * 1000,
    GROUP = 8, /* statements that are prepared until the server says so */
    LOG_EVERY_US = 5000 * 1000,
    SETTINGS = 2,             /* answers of the first round trip of the preparing */
    STATEMENT_EXTRA_MS = 1000 /* what a statement may take beyond the deadline of a request */
};

/* The least hash of each shard of the games on Citus, and its worker; null anywhere else, where the
 * tables that say so are missing: hence the query in a string. */
#define SHARDS                                                                            \
    "select nullif((xpath('//least/text()', shards))::text[]::int4[], '{}') as least,"    \
    " nullif((xpath('//worker/text()', shards))::text[]::int4[], '{}') as worker"         \
    " from (select case when to_regclass('pg_dist_shard') is not null then query_to_xml(" \
    "'select shardminvalue as least, dense_rank() over (order by min(groupid)) as worker" \
    " from pg_dist_shard join pg_dist_placement using (shardid)"                          \
    " where logicalrelid = to_regclass(''games'') group by shardid, shardminvalue"        \
    " order by shardminvalue::int4', false, false, '') end as shards) as x"

/* What every session needs. Plans are made once, for any batch, and never from the sizes that
 * tables had when they were empty: all statements go by the primary keys. Citus must see the ids to
 * know the shards, so there a plan is made each time. A commit is durable, whatever the server's
 * default. A statement that nobody waits for any more ends by itself, and so does a transaction
 * that a frozen daemon has left open. */
static const char settings_sql[] =
    "select least, worker, set_config('plan_cache_mode', case when least is null"
    " then 'force_generic_plan' else 'force_custom_plan' end, false),"
    " set_config('enable_seqscan', 'off', false),"
    " set_config('jit', 'off', false),"
    " set_config('timezone', 'UTC', false),"
    " set_config('statement_timeout', $1, false),"
    " set_config('idle_in_transaction_session_timeout', $1, false),"
    " set_config('synchronous_commit', case current_setting('synchronous_commit')"
    " when 'remote_apply' then 'remote_apply' else 'on' end, false)"
    " from (" SHARDS ") as s";

/* The last migration, and the schema of the oldest program that may run; and the timeline, the
 * first eight digits of the name of the present segment of the log. */
static const char schema_sql[] =
    "select coalesce(max(number), 0), coalesce(max(" MIGRATIONS_OLDEST "), 0),"
    " left(pg_walfile_name(pg_current_wal_lsn()), 8) from schema_migrations m";

/* A session may become read-only while it goes on, by a setting of the server. */
static const char clock_sql[] =
    "select clock_timestamp(), current_setting('transaction_read_only') = 'on'";

static const char taken_over[] = "another server has taken over from this one";

/* ---- its socket ---- */

/* While it connects, libpq may close one socket and open another under the same number, so a number
 * that is known already says nothing then. A closed socket leaves the set by itself. */
static void watch_connection(struct connection *connection, uint32_t events)
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
    watch_connection(connection, left == 1 ? EPOLLIN | EPOLLOUT : EPOLLIN);
    return left >= 0;
}

/* libpq remembers a failure of either call, and what asks for results next will meet it. */
void connection_read(struct connection *connection)
{
    PQconsumeInput(connection->pg);
    if (connection->unsent)
        connection_flush(connection);
}

static void hang_up(struct connection *connection)
{
    if (PQsocket(connection->pg) >= 0)
        epoll_ctl(connection->db->epoll, EPOLL_CTL_DEL, PQsocket(connection->pg), NULL);
    PQfinish(connection->pg);
    connection->pg = NULL;
    connection->fd = -1;
    connection->watching = 0;
    connection->unsent = false;
    connection->grown = false;
}

/* ---- from open to close ---- */

bool connection_open(struct connection *connection, struct db *db)
{
    *connection = (struct connection){.db = db, .fd = -1, .backoff = BACKOFF_MIN_US};
    return batch_open(&connection->batch, db->settings.batch_max);
}

void connection_close(struct connection *connection)
{
    hang_up(connection);
    batch_close(&connection->batch);
}

/* ---- losing it ---- */

/* Each loss is news. That it still cannot be made is not, so all connections together say that once
 * in five seconds. */
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

/* The pause doubles with each attempt in vain, so that many daemons do not wear out a server that
 * is just starting; and it stays short enough for requests that wait for the server to be back. The
 * first attempt comes soon: most losses are one session's. `why` may lie in what is freed here. */
void connection_lose(struct connection *connection, const char *why)
{
    log_loss(connection, why);
    hang_up(connection);
    connection->state = CONNECTION_DOWN;
    connection->timer = db_monotonic_us() + connection->backoff;
    connection->backoff *= 2;
    if (connection->backoff > BACKOFF_MAX_US)
        connection->backoff = BACKOFF_MAX_US;
}

/* The host is asked of libpq, so this comes before the connection is closed. */
void connection_give_up(struct connection *connection, const char *why)
{
    connection->rotation = dial_behind(connection->db->settings.url, connection->pg);
    connection_lose(connection, why);
}

/* Each promotion of a standby begins a new timeline. */
bool connection_outdated(const struct connection *connection)
{
    return connection->timeline < *connection->db->timeline;
}

/* Another loop may tell at the same time. */
static void tell_timeline(const struct connection *connection)
{
    _Atomic uint32_t *newest = connection->db->timeline;
    uint32_t known = *newest;

    while (known < connection->timeline &&
           !atomic_compare_exchange_weak(newest, &known, connection->timeline))
        continue;
}

/* ---- connecting ---- */

/* A server that says something is not given up: one that is just starting, under many who connect
 * at once, may take long for all statements. If each of them began anew before it was done, the
 * server would never be done with any. */
static void be_patient(struct connection *connection)
{
    connection->timer = db_monotonic_us() + connection->patience;
}

static void connect_again(struct connection *connection)
{
    const char *why = NULL;

    connection->pg =
        dial_start(connection->db->settings.url, connection->rotation, &connection->patience, &why);
    be_patient(connection);
    if (PQstatus(connection->pg) == CONNECTION_BAD) {
        connection_lose(connection, connection->pg != NULL ? PQerrorMessage(connection->pg) : why);
        return;
    }
    /* Before the first PQconnectPoll() libpq counts as waiting to write. */
    connection->state = CONNECTION_CONNECTING;
    watch_connection(connection, EPOLLOUT);
}

/* ---- preparing ---- */

static void on_notice(void *context, const struct pg_result *notice)
{
    struct connection *connection = context;

    connection->warned |= outcome_is_doubt(notice);
}

/* Two round trips for all of it: the first tells which form of the statements is needed. */
static bool send_settings(struct connection *connection)
{
    struct pg_conn *pg = connection->pg;
    const struct db *db = connection->db;
    char timeout[16];
    const char *values[] = {timeout};

    snprintf(timeout, sizeof(timeout), "%u", db->settings.deadline_ms + STATEMENT_EXTRA_MS);
    return PQenterPipelineMode(pg) &&
           PQsendQueryParams(pg, settings_sql, 1, NULL, values, NULL, NULL, 0) &&
           PQsendQueryParams(pg, schema_sql, 0, NULL, NULL, NULL, NULL, 0) && PQpipelineSync(pg) &&
           connection_flush(connection);
}

/* The statements have the names of their kinds. A connection has all of them or is not used, so no
 * request ever has to prepare one. They go in groups: the end of each is a word from the server,
 * and where the time of a statement (statement_timeout) begins anew. */
static bool send_statements(struct connection *connection)
{
    struct pg_conn *pg = connection->pg;
    const struct db *db = connection->db;

    for (int i = 0; i < DB_KINDS; i++) {
        const struct kind_info *kind = &db->kinds[i];
        const char *sql = db->shards.count > 0 ? kind->sharded : kind->sql;
        if (!PQsendPrepare(pg, kind->name, sql, 0, NULL) ||
            ((i + 1) % GROUP == 0 && i + 1 < DB_KINDS && !PQpipelineSync(pg)))
            return false;
    }
    return PQpipelineSync(pg) && connection_flush(connection);
}

static void prepare_connection(struct connection *connection)
{
    PQsetNoticeReceiver(connection->pg, on_notice, connection);
    connection->state = CONNECTION_PREPARING;
    connection->answers = 0;
    be_patient(connection);
    if (PQsetnonblocking(connection->pg, 1) < 0 || !send_settings(connection))
        connection_lose(connection, PQerrorMessage(connection->pg));
}

static void handshake(struct connection *connection)
{
    switch (PQconnectPoll(connection->pg)) {
    case PGRES_POLLING_READING:
        watch_connection(connection, EPOLLIN);
        break;
    case PGRES_POLLING_WRITING:
        watch_connection(connection, EPOLLOUT);
        break;
    case PGRES_POLLING_OK:
        prepare_connection(connection);
        break;
    /* libpq leaves the rest of the list out after some answers (dial.h), so the next attempt begins
     * behind this host. */
    default:
        connection_give_up(connection, PQerrorMessage(connection->pg));
    }
}

/* Asks the time. False if the connection is lost. */
static bool ask_connection(struct connection *connection)
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

/* That is no loss: nothing is logged, and it connects again without a pause. */
static void renew(struct connection *connection)
{
    hang_up(connection);
    connection->state = CONNECTION_DOWN;
    connection->timer = db_monotonic_us();
}

/* What is due every two seconds. */
static void attend(struct connection *connection)
{
    if (connection->grown)
        renew(connection);
    else
        ask_connection(connection);
}

/* Only here does the pause go back to its least: a server that lets one connect and then fails is
 * asked less and less often. The first question for the time comes at once, so that no request is
 * sent before db_now() is right. */
static void prepared(struct connection *connection)
{
    PQexitPipelineMode(connection->pg);
    connection->backoff = BACKOFF_MIN_US;
    const char *host = PQhost(connection->pg);
    if (ask_connection(connection))
        db_log(connection->db, DB_LOG_INFO, "database connected", "%s", host != NULL ? host : "");
}

/* The daemons that run while a database is migrated learn of it as they connect again. */
static void note_schema(struct db *db, int found)
{
    if (found > migrations_wanted() && found != db->schema)
        db_log(db, DB_LOG_INFO, "database schema newer", "%d; this program has %d, and may run",
               found, migrations_wanted());
    db->schema = found;
}

/* What is wrong with the schema; NULL: this program may run on it. */
static const char *judge_schema(int found, int oldest)
{
    if (found < migrations_wanted())
        return "its schema is older than this program: plyd migrate";
    return found > migrations_wanted() && oldest > migrations_wanted()
               ? "its schema is newer than this program may run on"
               : NULL;
}

/* A schema on which this program may not run is never written to. A server from which another one
 * has taken over may have been frozen, and goes on as if nothing had happened. It is recognized
 * here, before it is given any request. */
static void accept_server(struct connection *connection, const struct pg_result *result)
{
    int found = atoi(PQgetvalue(result, 0, 0));
    const char *wrong = judge_schema(found, atoi(PQgetvalue(result, 0, 1)));

    connection->timeline = (uint32_t)strtoul(PQgetvalue(result, 0, 2), NULL, 16);
    if (wrong != NULL)
        connection_lose(connection, wrong);
    else if (connection_outdated(connection))
        connection_give_up(connection, taken_over);
    else {
        note_schema(connection->db, found);
        tell_timeline(connection);
    }
}

static const char *value_of_column(const struct pg_result *result, int column)
{
    return PQgetisnull(result, 0, column) ? NULL : PQgetvalue(result, 0, column);
}

/* The first answer has the shards, the second is about the server, and the others are of
 * statements. Each may be the end of the connection. */
static void accept_result(struct connection *connection, const struct pg_result *result)
{
    ExecStatusType status = PQresultStatus(result);

    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
        connection_lose(connection, result != NULL ? PQresultErrorMessage(result)
                                                   : PQerrorMessage(connection->pg));
        return;
    }
    be_patient(connection);
    if (++connection->answers == 1)
        shards_read(&connection->db->shards, value_of_column(result, 0),
                    value_of_column(result, 1));
    else if (connection->answers == SETTINGS)
        accept_server(connection, result);
}

static void end_of_group(struct connection *connection)
{
    if (connection->answers == SETTINGS && !send_statements(connection))
        connection_lose(connection, PQerrorMessage(connection->pg));
    else if (connection->answers == SETTINGS + DB_KINDS)
        prepared(connection);
}

/* In a pipeline a NULL only parts the results of two statements, unless the connection broke. */
static void receive_setup(struct connection *connection)
{
    while (connection->state == CONNECTION_PREPARING && !PQisBusy(connection->pg)) {
        struct pg_result *result = PQgetResult(connection->pg);

        if (result == NULL && PQstatus(connection->pg) == CONNECTION_OK)
            continue;
        if (PQresultStatus(result) == PGRES_PIPELINE_SYNC)
            end_of_group(connection);
        else
            accept_result(connection, result);
        PQclear(result);
    }
}

/* ---- the time ---- */

static void receive_time(struct connection *connection)
{
    while (!PQisBusy(connection->pg)) {
        struct pg_result *result = PQgetResult(connection->pg);
        if (result == NULL) {
            connection_rest(connection);
            return;
        }
        if (PQresultStatus(result) != PGRES_TUPLES_OK) {
            PQclear(result);
            connection_lose(connection, PQerrorMessage(connection->pg));
            return;
        }
        bool read_only = *PQgetvalue(result, 0, 1) != 0;
        clock_told(connection->db, &(struct db_time){wire_get_time(PQgetvalue(result, 0, 0)),
                                                     connection->asked_at});
        PQclear(result);
        if (read_only) {
            connection_lose(connection, "the session has become read-only");
            return;
        }
    }
}

/* Each statement that ends comes through here. So a busy connection asks the time, too, between two
 * statements, and leaves a server that was taken over from as soon as another connection has met
 * the new one. */
void connection_rest(struct connection *connection)
{
    connection->timer = connection->asked_at + ASK_EVERY_US;
    connection->state = CONNECTION_IDLE;
    if (connection_outdated(connection))
        connection_give_up(connection, taken_over);
    else if (connection->timer <= db_monotonic_us())
        attend(connection);
}

/* ---- what the loop calls ---- */

/* Nothing was asked of an idle connection: what comes is a notice, which libpq hands out itself, or
 * the end. */
static void receive_idle(struct connection *connection)
{
    if (PQisBusy(connection->pg) || PQstatus(connection->pg) != CONNECTION_OK)
        connection_lose(connection, PQerrorMessage(connection->pg));
}

void connection_event(struct connection *connection)
{
    /* While it connects, PQconnectPoll() reads by itself. */
    if (connection->state > CONNECTION_CONNECTING)
        connection_read(connection);
    switch (connection->state) {
    case CONNECTION_CONNECTING:
        handshake(connection);
        break;
    case CONNECTION_PREPARING:
        receive_setup(connection);
        break;
    case CONNECTION_ASKING:
        receive_time(connection);
        break;
    case CONNECTION_IDLE:
        receive_idle(connection);
        break;
    case CONNECTION_DOWN:
    case CONNECTION_BUSY:
        break;
    }
}

void connection_tick(struct connection *connection, int64_t now)
{
    if (connection->timer > now)
        return;
    switch (connection->state) {
    case CONNECTION_DOWN:
        connect_again(connection);
        break;
    /* `timer` has passed, so it asks the time. */
    case CONNECTION_IDLE:
        connection_rest(connection);
        break;
    /* A server that is silent may be frozen: another host is tried first. */
    case CONNECTION_CONNECTING:
    case CONNECTION_PREPARING:
    case CONNECTION_ASKING:
        connection_give_up(connection, "it does not answer");
        break;
    case CONNECTION_BUSY:
        break;
    }
}
