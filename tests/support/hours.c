/* hours.c - the time that a database tells (hours.h). */
#include "hours.h"

#include <libpq-fe.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backoff.h"
#include "die.h"
#include "http.h"
#include "plyd.h"
#include "ready.h"

enum { SQL_MAX = 1024 };

/* The first value, which the caller frees. */
__attribute__((format(printf, 2, 3))) static char *ask(const char *database, const char *format,
                                                       ...)
{
    PGconn *conn = PQconnectdb(database);
    PGresult *result;
    char sql[SQL_MAX], *value = NULL;
    va_list values;

    va_start(values, format);
    vsnprintf(sql, sizeof(sql), format, values);
    va_end(values);
    result = PQexec(conn, sql);
    if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
        die("%s: %s", sql, PQerrorMessage(conn));
    if (PQntuples(result) > 0)
        value = strdup(PQgetvalue(result, 0, 0));
    PQclear(result);
    PQfinish(conn);
    return value;
}

/* The schema stands before pg_catalog, which is searched first unless it is named. A session that
 * takes another name than "hours" is not cut when time passes. */
#define PATH "options=-csearch_path%%3Dhours%%2Cpublic%%2Cpg_catalog&application_name=hours"

/* One loop is enough, and tells of all that the daemon knows. */
static void use_still_program(void)
{
    static bool used;
    char *program;

    if (used)
        return;
    used = true;
    if (asprintf(&program, "%s-still", plyd_program()) < 0)
        die("asprintf: memory is out");
    setenv("PLYD_PROGRAM", program, 1);
    setenv("PLYD_LOOPS", "1", 1);
    free(program);
}

static char *borrow(void)
{
    char *database = ready_borrow(), *result;

    free(ask(database, "set client_min_messages = warning;"
                       " drop schema if exists hours cascade; create schema hours;"
                       " create table hours.present as"
                       " select date_trunc('milliseconds', pg_catalog.clock_timestamp()) as at,"
                       " null::timestamptz as since;"
                       " create function hours.clock_timestamp() returns timestamptz"
                       " language sql volatile as 'select"
                       " at + coalesce(pg_catalog.clock_timestamp() - since, interval ''0'')"
                       " from hours.present'"));
    if (asprintf(&result, "%s%c" PATH, database, strchr(database, '?') == NULL ? '?' : '&') < 0)
        die("asprintf: memory is out");
    free(database);
    return result;
}

char *hours_borrow(void)
{
    use_still_program();
    return borrow();
}

char *hours_borrow_running(void)
{
    char *database = borrow();

    free(ask(database, "update present set since = pg_catalog.clock_timestamp()"));
    return database;
}

void hours_pass(const char *database, int64_t us, bool outage)
{
    free(ask(database,
             "update present set at = at + %lld * interval '1 microsecond';"
             " update pulse set at = at + %lld * interval '1 microsecond';"
             " select count(pg_terminate_backend(pid)) from pg_stat_activity"
             " where datname = current_database() and pid <> pg_backend_pid()"
             " and application_name = current_setting('application_name')",
             (long long)us, outage ? 0LL : (long long)us));
}

int64_t hours_database_now(const char *database)
{
    char *value = ask(database, "select (extract(epoch from clock_timestamp()) * 1e6)::int8");
    int64_t now = strtoll(value, NULL, 10);

    free(value);
    return now;
}

/* The clock's `now` in an answer, in milliseconds; the last such member is that of the
 * game's clock. 0: there is none, since the daemon has no database at this moment. */
static int64_t now_of(const struct http_reply *reply)
{
    const char *at = strstr(reply->body, "\"now\":\"");
    struct tm tm = {0};
    int ms = 0;

    if (reply->status != 200 || at == NULL ||
        sscanf(at + 7, "%d-%d-%dT%d:%d:%d.%d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour,
               &tm.tm_min, &tm.tm_sec, &ms) != 7)
        return 0;
    tm.tm_year -= 1900;
    tm.tm_mon--;
    return timegm(&tm) * INT64_C(1000) + ms;
}

void hours_seen(const char *database, int port, const char *path)
{
    int64_t ms = hours_database_now(database) / 1000;

    for (int looks = 0;; looks++) {
        struct http_reply reply;
        int64_t now;

        http_request(port, &reply, "GET", path, NULL, NULL);
        now = now_of(&reply);
        http_free(&reply);
        if (now >= ms)
            return;
        back_off(looks);
    }
}
