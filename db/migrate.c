/* migrate.c - bringing the schema up to date. */
#include "migrate.h"

#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "distribute.h"
#include "internal.h"
#include "migrations.h"
#include "reach.h"
#include "wire.h"

enum {
    LOCK_TRIES = 600,    /* to be the one that migrates */
    LOCK_PAUSE_MS = 100, /* a minute in all */
    HELD_TRIES = 60,     /* to get a table that others hold for longer than a file waits for it */
    HELD_PAUSE_MS = 1000
};

#define SQLSTATE_HELD "55P03"

/* The table in which migrations are recorded. It is not recorded itself. Older programs made it
 * without the last column. */
static const struct migration books = {
    0, "schema_migrations",
    "create table if not exists schema_migrations ("
    "number integer primary key,"
    " name text not null,"
    " checksum text not null,"
    " applied_at timestamptz not null default now());\n"
    "set lock_timeout = '500ms';\n"
    "alter table schema_migrations add column if not exists oldest integer;\n"
    "reset lock_timeout;\n"};

static const char books_sql[] =
    "select exists (select from pg_attribute where attrelid = to_regclass('schema_migrations')"
    " and attname = 'oldest' and not attisdropped)";

/* The sessions of one database that migrate take turns under this number, which is "plyd". */
static const char lock_sql[] = "select pg_try_advisory_lock(1886156132)";

/* Each migration that was applied; whether its file is still the same, or null if this program
 * does not know it; and the oldest program that may run since. The server computes the checksums,
 * here and below. */
static const char applied_sql[] =
    "select m.number, m.checksum = encode(sha256(convert_to(f.sql, 'UTF8')), 'hex')"
    ", " MIGRATIONS_OLDEST
    " from schema_migrations m left join unnest($1::int4[], $2::text[]) as f(number, sql)"
    " on f.number = m.number order by m.number";

static const char record_sql[] =
    "insert into schema_migrations (number, name, checksum, oldest)"
    " values ($1::int4, $2, encode(sha256(convert_to($3, 'UTF8')), 'hex'), $4::int4)";

/* ---- the lock ---- */

/* Asks again and again instead of waiting in the server: an index that is built concurrently waits
 * for every statement that runs, and would wait for one that waits for this lock. The lock ends
 * with its session, so a process that dies while it holds the lock hinders nobody. */
static bool lock(struct pg_conn *pg, struct db_error *error)
{
    for (int tries = 0; tries < LOCK_TRIES; tries++) {
        bool locked;
        if (!command_ask(pg, lock_sql, &locked, error) || locked)
            return locked;
        poll(NULL, 0, LOCK_PAUSE_MS);
    }
    snprintf(error->text, sizeof(error->text), "another migration holds the lock");
    return false;
}

/* ---- what is there ---- */

/* `result` lists what was applied, in order of number. Numbers have no gaps, so a row and the entry
 * at the same place of the list should be the same migration. Sets report->found and
 * report->oldest in passing. */
static enum db_schema compare_migrations(const struct pg_result *result,
                                         const struct migration *list, size_t count,
                                         struct db_migration_report *report)
{
    int rows = PQntuples(result);

    for (int row = 0; row < rows; row++) {
        int oldest = wire_get_int4(PQgetvalue(result, row, 2));

        report->found = wire_get_int4(PQgetvalue(result, row, 0));
        if (oldest > report->oldest)
            report->oldest = oldest;
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
    if ((size_t)rows < count)
        return DB_SCHEMA_OLDER;
    return report->oldest <= report->wanted ? DB_SCHEMA_COMPATIBLE : DB_SCHEMA_NEWER;
}

static enum db_schema look_closely(struct pg_conn *pg, const struct migration *list, size_t count,
                                   struct db_migration_report *report)
{
    struct wire_params params = {.count = 0};
    enum db_schema schema = DB_SCHEMA_UNREACHABLE;

    if (migrations_bind(&params, list, count)) {
        struct pg_result *result = PQexecParams(pg, applied_sql, params.count, NULL, params.values,
                                                params.lengths, params.formats, 1);
        if (command_ran(pg, result, &report->error))
            schema = compare_migrations(result, list, count, report);
        PQclear(result);
    } else {
        snprintf(report->error.text, sizeof(report->error.text), "memory is out");
    }
    wire_free(&params);
    return schema;
}

/* Other encodings lack characters of names and records, and SQL_ASCII would not check any. */
static bool is_utf8(const struct pg_conn *pg, struct db_error *error)
{
    const char *encoding = PQparameterStatus(pg, "server_encoding");

    if (encoding != NULL && strcmp(encoding, "UTF8") == 0)
        return true;
    snprintf(error->text, sizeof(error->text), "%s", encoding != NULL ? encoding : "not known");
    return false;
}

static enum db_schema look_at_schema(struct pg_conn *pg, const struct migration *list, size_t count,
                                     struct db_migration_report *report)
{
    bool there;

    if (!is_utf8(pg, &report->error))
        return DB_SCHEMA_ENCODING;
    if (!command_ask(pg, "select to_regclass('schema_migrations') is not null", &there,
                     &report->error))
        return DB_SCHEMA_UNREACHABLE;
    if (!there)
        return count > 0 ? DB_SCHEMA_OLDER : DB_SCHEMA_CURRENT;
    return look_closely(pg, list, count, report);
}

/* ---- applying ---- */

static bool record(struct pg_conn *pg, const struct migration *migration, struct db_error *error)
{
    char number[16], oldest[16];
    const char *values[] = {number, migration->name, migration->sql, oldest};

    snprintf(number, sizeof(number), "%d", migration->number);
    snprintf(oldest, sizeof(oldest), "%d", migrations_oldest(migration));
    struct pg_result *result = PQexecParams(pg, record_sql, 4, NULL, values, NULL, NULL, 0);
    bool well = command_ran(pg, result, error);
    PQclear(result);
    return well;
}

/* Runs them one by one, up to the first that fails. */
static bool run_statements(struct pg_conn *pg, const char *sql, struct db_error *error)
{
    bool well = true;
    for (size_t length; well && (length = split_statement(&sql)) > 0; sql += length) {
        char *statement = strndup(sql, length);
        well = statement != NULL && command_run(pg, statement, error);
        free(statement);
    }
    return well;
}

/* The row that records a migration is part of its transaction: a file is applied and recorded, or
 * neither. A file outside of a transaction is recorded when all of it was done. */
static bool apply_once(struct pg_conn *pg, const struct migration *migration,
                       struct db_error *cause)
{
    bool alone = migrations_alone(migration), recorded = migration != &books;
    bool well =
        (alone || command_run(pg, "begin", cause)) && run_statements(pg, migration->sql, cause) &&
        (!recorded || record(pg, migration, cause)) && (alone || command_run(pg, "commit", cause));
    struct db_error none;

    if (!well && !alone)
        command_run(pg, "rollback", &none);
    return well;
}

/* A file gives up soon (lock_timeout) where a long query or a backup holds its table, since moves
 * wait behind it. Between two tries they go on. */
static bool apply_one(struct pg_conn *pg, const struct migration *migration, struct db_error *error)
{
    struct db_error cause = {.text = "memory is out"};
    bool well = apply_once(pg, migration, &cause);

    for (int tries = 1; !well && strcmp(cause.sqlstate, SQLSTATE_HELD) == 0 && tries < HELD_TRIES;
         tries++) {
        poll(NULL, 0, HELD_PAUSE_MS);
        well = apply_once(pg, migration, &cause);
    }
    if (!well) {
        memcpy(error->sqlstate, cause.sqlstate, sizeof(error->sqlstate));
        snprintf(error->text, sizeof(error->text), "%.60s: %.120s", migration->name, cause.text);
    }
    return well;
}

static bool apply_rest(struct pg_conn *pg, const struct migration *list, size_t count,
                       struct db_migration_report *report)
{
    bool has_books;

    if (!command_ask(pg, books_sql, &has_books, &report->error) ||
        (!has_books && !apply_one(pg, &books, &report->error)))
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

static bool ask_time(struct pg_conn *pg, struct db_time *time, struct db_error *error)
{
    struct pg_result *result;
    bool well;

    time->asked_at = db_monotonic_us();
    result = PQexecParams(pg, "select clock_timestamp()", 0, NULL, NULL, NULL, NULL, 1);
    well = command_ran(pg, result, error);
    if (well)
        time->told = wire_get_time(PQgetvalue(result, 0, 0));
    PQclear(result);
    return well;
}

static void begin_report(struct db_migration_report *report, const struct migration *list,
                         size_t count)
{
    *report = (struct db_migration_report){.before = DB_SCHEMA_UNREACHABLE,
                                           .wanted = count > 0 ? list[count - 1].number : 0};
}

enum db_schema migrate_check(const char *url, const struct db_patience *patience,
                             const struct migration *list, size_t count,
                             struct db_migration_report *report)
{
    begin_report(report, list, count);
    struct pg_conn *pg = reach_server(url, patience, &report->error);
    if (pg != NULL && ask_time(pg, &report->time, &report->error))
        report->before = look_at_schema(pg, list, count, report);
    PQfinish(pg);
    return report->before;
}

/* The database is looked at when the lock is held: another process may just have migrated it. The
 * lock ends with the connection, and so does the transaction that a failed statement leaves open.
 */
static bool apply(const char *url, const struct db_patience *patience, bool distributed,
                  const struct migration *list, size_t count, struct db_migration_report *report)
{
    begin_report(report, list, count);
    struct pg_conn *pg = reach_server(url, patience, &report->error);
    bool current = false;
    if (pg != NULL && lock(pg, &report->error)) {
        report->before = look_at_schema(pg, list, count, report);
        current = db_schema_serves(report->before) || report->before == DB_SCHEMA_OLDER;
    }
    current = current && (!distributed || distribute_can(pg, &report->error)) &&
              (db_schema_serves(report->before) || apply_rest(pg, list, count, report)) &&
              (!distributed || distribute_tables(pg, &report->distributed, &report->error));
    PQfinish(pg);
    return current;
}

bool db_schema_serves(enum db_schema schema)
{
    return schema == DB_SCHEMA_CURRENT || schema == DB_SCHEMA_COMPATIBLE;
}

enum db_schema db_migrate_check(const char *url, const struct db_patience *patience,
                                struct db_migration_report *report)
{
    return migrate_check(url, patience, migrations_list, migrations_count, report);
}

bool migrate_apply(const char *url, const struct db_patience *patience,
                   const struct migration *list, size_t count, struct db_migration_report *report)
{
    return apply(url, patience, false, list, count, report);
}

bool db_migrate_distributed(const char *url, const struct db_patience *patience,
                            struct db_migration_report *report)
{
    return apply(url, patience, true, migrations_list, migrations_count, report);
}

bool db_migrate(const char *url, const struct db_patience *patience,
                struct db_migration_report *report)
{
    return migrate_apply(url, patience, migrations_list, migrations_count, report);
}
