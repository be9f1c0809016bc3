/* migrate.c - bringing the schema up to date. */
#include "migrate.h"

#include <ctype.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum { LOCK_TRIES = 600, LOCK_PAUSE_MS = 100 };

static const char no_transaction[] = "-- plyd: no transaction\n";

static const char table_sql[] = "create table if not exists schema_migrations ("
                                "number integer primary key,"
                                " name text not null,"
                                " checksum text not null,"
                                " applied_at timestamptz not null default now())";

/* The sessions of one database that migrate take turns under this number, which is "plyd". */
static const char lock_sql[] = "select pg_try_advisory_lock(1886156132)";

/* Each migration that was applied, and whether its file is still the same; null if unknown. */
static const char applied_sql[] =
    "select m.number, m.checksum = encode(sha256(convert_to(f.sql, 'UTF8')), 'hex')"
    " from schema_migrations m left join unnest($1::int4[], $2::text[]) as f(number, sql)"
    " on f.number = m.number order by m.number";

static const char record_sql[] =
    "insert into schema_migrations (number, name, checksum)"
    " values ($1::int4, $2, encode(sha256(convert_to($3, 'UTF8')), 'hex'))";

/* ---- splitting a file ---- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static const char *past(const char *at, const char *end)
{
    const char *found = strstr(at, end);
    return found ? found + strlen(end) : at + strlen(at);
}

/* 'text' or "name"; a doubled quote is two of them in a row. Only E'text' knows the backslash. */
static const char *past_quoted(const char *at, bool backslash)
{
    char quote = *at++;
    while (*at && *at != quote)
        at += backslash && at[0] == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

/* A block comment; they nest. */
static const char *past_comment(const char *at)
{
    int depth = 0;
    do {
        if (strncmp(at, "/*", 2) == 0 || strncmp(at, "*/", 2) == 0) {
            depth += *at == '/' ? 1 : -1;
            at++;
        }
        at++;
    } while (depth > 0 && *at);
    return at;
}

/* $tag$text$tag$, or only the dollar if it opens none. */
static const char *past_dollar(const char *at)
{
    const char *end = at + 1;
    char tag[64];

    while (is_word(*end))
        end++;
    size_t length = (size_t)(end + 1 - at);
    if (*end != '$' || isdigit((unsigned char)at[1]) || length >= sizeof(tag))
        return at + 1;
    memcpy(tag, at, length);
    tag[length] = '\0';
    return past(end + 1, tag);
}

static const char *past_word(const char *at)
{
    const char *end = at;
    while (is_word(*end) || *end == '$')
        end++;
    bool escapes = end == at + 1 && tolower((unsigned char)*at) == 'e' && *end == '\'';
    return escapes ? past_quoted(end, true) : end;
}

static const char *past_token(const char *at)
{
    if (strncmp(at, "--", 2) == 0)
        return past(at, "\n");
    if (strncmp(at, "/*", 2) == 0)
        return past_comment(at);
    if (*at == '\'' || *at == '"')
        return past_quoted(at, false);
    if (*at == '$')
        return past_dollar(at);
    return is_word(*at) ? past_word(at) : at + 1;
}

static bool is_comment(const char *at)
{
    return strncmp(at, "--", 2) == 0 || strncmp(at, "/*", 2) == 0;
}

size_t split_statement(const char **at)
{
    int depth = 0;

    while (isspace((unsigned char)**at) || is_comment(*at) || **at == ';')
        *at = past_token(*at);
    const char *end = *at;
    for (; *end && (*end != ';' || depth > 0); end = past_token(end))
        depth += (*end == '(') - (*end == ')');
    return (size_t)(end - *at);
}

/* ---- talking to the server ---- */

static void silent(void *context, const struct pg_result *notice)
{
    (void)context;
    (void)notice;
}

static struct pg_conn *connect_to(const char *url, struct db_error *error)
{
    const char *const keys[] = {"target_session_attrs", "connect_timeout", "application_name",
                                "client_encoding",      "dbname",          NULL};
    const char *const values[] = {"read-write", "5", "plyd migrate", "UTF8", url, NULL};
    struct pg_conn *pg = PQconnectdbParams(keys, values, 1);

    if (PQstatus(pg) == CONNECTION_OK) {
        PQsetNoticeReceiver(pg, silent, NULL);
        return pg;
    }
    snprintf(error->text, sizeof(error->text), "%s", pg ? PQerrorMessage(pg) : "memory is out");
    PQfinish(pg);
    return NULL;
}

/* True if the statement ended well; else `error` says why it did not. */
static bool ran(const struct pg_conn *pg, const struct pg_result *result, struct db_error *error)
{
    ExecStatusType status = PQresultStatus(result);

    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK)
        return true;
    outcome_error(error, result, PQerrorMessage(pg));
    return false;
}

/* One statement without parameters: the protocol refuses more than one. */
static bool run(struct pg_conn *pg, const char *sql, struct db_error *error)
{
    struct pg_result *result = PQexecParams(pg, sql, 0, NULL, NULL, NULL, NULL, 0);
    bool well = ran(pg, result, error);
    PQclear(result);
    return well;
}

static bool is_true(struct pg_conn *pg, const char *sql, bool *answer, struct db_error *error)
{
    struct pg_result *result = PQexecParams(pg, sql, 0, NULL, NULL, NULL, NULL, 0);
    bool well = ran(pg, result, error);
    *answer = well && *PQgetvalue(result, 0, 0) == 't';
    PQclear(result);
    return well;
}

/* Asks again and again instead of waiting in the server: an index that is built concurrently waits
 * for every statement that runs, and would wait for one that waits for this lock. The lock ends
 * with its session, so that one who dies holding it hinders nobody. */
static bool lock(struct pg_conn *pg, struct db_error *error)
{
    for (int tries = 0; tries < LOCK_TRIES; tries++) {
        bool locked;
        if (!is_true(pg, lock_sql, &locked, error) || locked)
            return locked;
        poll(NULL, 0, LOCK_PAUSE_MS);
    }
    snprintf(error->text, sizeof(error->text), "another migration holds the lock");
    return false;
}

/* ---- what is there ---- */

/* `result` lists what was applied, in order of number. */
static enum db_schema compare(const struct pg_result *result, const struct migration *list,
                              size_t count, struct db_migration_report *report)
{
    int rows = PQntuples(result);

    for (int row = 0; row < rows; row++) {
        report->found = wire_get_int4(PQgetvalue(result, row, 0));
        if ((size_t)row >= count)
            continue;
        bool same = report->found == list[row].number && !PQgetisnull(result, row, 1) &&
                    *PQgetvalue(result, row, 1) != 0;
        if (!same) {
            snprintf(report->error.text, sizeof(report->error.text),
                     "%s differs from what was applied", list[row].name);
            return DB_SCHEMA_CHANGED;
        }
    }
    if ((size_t)rows == count)
        return DB_SCHEMA_CURRENT;
    return (size_t)rows > count ? DB_SCHEMA_NEWER : DB_SCHEMA_OLDER;
}

static enum db_schema look(struct pg_conn *pg, const struct migration *list, size_t count,
                           struct db_migration_report *report)
{
    struct wire_params params = {.count = 0};
    bool there;

    if (!is_true(pg, "select to_regclass('schema_migrations') is not null", &there, &report->error))
        return DB_SCHEMA_UNREACHABLE;
    if (!there)
        return count ? DB_SCHEMA_OLDER : DB_SCHEMA_CURRENT;
    wire_begin(&params, "ix");
    for (size_t i = 0; i < count; i++) {
        wire_row(&params, 0);
        wire_put_int4(&params, list[i].number);
        wire_put_text(&params, list[i].sql);
    }
    wire_end(&params);
    struct pg_result *result = PQexecParams(pg, applied_sql, params.count, NULL, params.values,
                                            params.lengths, params.formats, 1);
    enum db_schema schema = ran(pg, result, &report->error) ? compare(result, list, count, report)
                                                            : DB_SCHEMA_UNREACHABLE;
    PQclear(result);
    wire_free(&params);
    return schema;
}

/* ---- applying ---- */

static bool record(struct pg_conn *pg, const struct migration *migration, struct db_error *error)
{
    char number[16];
    const char *values[] = {number, migration->name, migration->sql};

    snprintf(number, sizeof(number), "%d", migration->number);
    struct pg_result *result = PQexecParams(pg, record_sql, 3, NULL, values, NULL, NULL, 0);
    bool well = ran(pg, result, error);
    PQclear(result);
    return well;
}

static bool run_statements(struct pg_conn *pg, const char *sql, struct db_error *error)
{
    bool well = true;
    for (size_t length; well && (length = split_statement(&sql)) > 0; sql += length) {
        char *statement = strndup(sql, length);
        well = statement && run(pg, statement, error);
        free(statement);
    }
    return well;
}

static bool apply_one(struct pg_conn *pg, const struct migration *migration, struct db_error *error)
{
    bool alone = strncmp(migration->sql, no_transaction, strlen(no_transaction)) == 0;
    struct db_error cause = {.text = "memory is out"};
    bool well = (alone || run(pg, "begin", &cause)) && run_statements(pg, migration->sql, &cause) &&
                record(pg, migration, &cause) && (alone || run(pg, "commit", &cause));

    if (!well) {
        memcpy(error->sqlstate, cause.sqlstate, sizeof(error->sqlstate));
        snprintf(error->text, sizeof(error->text), "%.60s: %.120s", migration->name, cause.text);
    }
    return well;
}

static bool apply_rest(struct pg_conn *pg, const struct migration *list, size_t count,
                       struct db_migration_report *report)
{
    if (!run(pg, table_sql, &report->error))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (list[i].number <= report->found)
            continue;
        if (!apply_one(pg, &list[i], &report->error))
            return false;
        report->applied++;
    }
    return true;
}

static void begin_report(struct db_migration_report *report, const struct migration *list,
                         size_t count)
{
    *report = (struct db_migration_report){.before = DB_SCHEMA_UNREACHABLE,
                                           .wanted = count ? list[count - 1].number : 0};
}

enum db_schema migrate_check(const char *url, const struct migration *list, size_t count,
                             struct db_migration_report *report)
{
    begin_report(report, list, count);
    struct pg_conn *pg = connect_to(url, &report->error);
    if (pg)
        report->before = look(pg, list, count, report);
    PQfinish(pg);
    return report->before;
}

/* The transaction that a failed statement leaves open, and the lock, end with the connection. */
bool migrate_apply(const char *url, const struct migration *list, size_t count,
                   struct db_migration_report *report)
{
    begin_report(report, list, count);
    struct pg_conn *pg = connect_to(url, &report->error);
    bool current = false;
    if (pg && lock(pg, &report->error)) {
        report->before = look(pg, list, count, report);
        current = report->before == DB_SCHEMA_CURRENT ||
                  (report->before == DB_SCHEMA_OLDER && apply_rest(pg, list, count, report));
    }
    PQfinish(pg);
    return current;
}

enum db_schema db_migrate_check(const char *url, struct db_migration_report *report)
{
    return migrate_check(url, migrations_list, migrations_count, report);
}

bool db_migrate(const char *url, struct db_migration_report *report)
{
    return migrate_apply(url, migrations_list, migrations_count, report);
}
