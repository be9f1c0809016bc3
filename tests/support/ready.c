/* ready.c - databases that have the program's schema and nothing in it (ready.h). */
#include "ready.h"

#include <fcntl.h>
#include <libpq-fe.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "die.h"
#include "pg.h"
#include "plyd.h"

enum { NAME_BYTES = 64, SLOTS = 64, SQL_BYTES = 4096 };

/* Session locks of the database "plyd", which end with this process: of the template, and of each
 * database that is lent. */
#define LOCK_TEMPLATE "1886156132, -1"
#define LOCK_SLOT     "1886156132, %d"

/* What the tables and their parts are, and by which migrations they say that they were made. */
#define FINGERPRINT                                                                               \
    "(select md5(string_agg(x, ' ' order by x)) from ("                                           \
    " select concat_ws(' ', relname, relkind, reloptions) as x from pg_class"                     \
    " where relnamespace = 'public'::regnamespace"                                                \
    " union all select concat_ws(' ', relname, attnum, attname, atttypid, atttypmod, attnotnull)" \
    " from pg_attribute join pg_class c on c.oid = attrelid"                                      \
    " where relnamespace = 'public'::regnamespace"                                                \
    " union all select conname from pg_constraint where connamespace = 'public'::regnamespace"    \
    " union all select tgname from pg_trigger"                                                    \
    " union all select proname from pg_proc where pronamespace = 'public'::regnamespace"          \
    " union all select concat_ws(' ', number, name, checksum) from schema_migrations) as s)"

static char *lent[SLOTS];

/* Frees the session of the process that this one was forked from. That session goes on, so the
 * server is told nothing: what would tell it is another descriptor now. */
static void forget_inherited(PGconn *conn)
{
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

    dup2(nowhere, PQsocket(conn));
    close(nowhere);
    PQfinish(conn);
    for (int slot = 0; slot < SLOTS; slot++) {
        free(lent[slot]);
        lent[slot] = NULL;
    }
}

/* The session of this process that holds its locks. */
static PGconn *lender(void)
{
    static PGconn *conn;
    static pid_t owner;

    if (owner != getpid()) {
        if (conn != NULL)
            forget_inherited(conn);
        owner = getpid();
        conn = PQconnectdb(pg_test_url());
    }
    return conn;
}

static void silent(void *context, const PGresult *notice)
{
    (void)context;
    (void)notice;
}

/* Whether the first value of a statement is true. What the server refuses ends the process. */
__attribute__((format(printf, 2, 3))) static bool ask(PGconn *conn, const char *format, ...)
{
    char sql[SQL_BYTES];
    PGresult *result;
    va_list values;
    bool yes;

    va_start(values, format);
    vsnprintf(sql, sizeof(sql), format, values);
    va_end(values);
    PQsetNoticeReceiver(conn, silent, NULL);
    result = PQexec(conn, sql);
    if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
        die("%s: %s", sql, PQerrorMessage(conn));
    yes = PQntuples(result) > 0 && *PQgetvalue(result, 0, 0) == 't';
    PQclear(result);
    return yes;
}

/* ---- the one that is copied ---- */

/* Another build of the program may have other migrations. */
static const char *template_name(void)
{
    static char name[NAME_BYTES];
    struct stat program;

    if (stat(plyd_program(), &program) != 0)
        die("%s: %m", plyd_program());
    snprintf(name, sizeof(name), "ready_%llx_%lx", (long long)program.st_mtim.tv_sec,
             program.st_mtim.tv_nsec);
    return name;
}

/* It gets its name last: what a process began that died is no template. */
static void make_template(void)
{
    char *url = pg_test_named("ready_unfinished");

    ask(lender(), "drop database if exists ready_unfinished with (force)");
    ask(lender(), "create database ready_unfinished");
    plyd_migrate(url);
    ask(lender(), "alter database ready_unfinished rename to %s", template_name());
    free(url);
}

/* Tests that begin at once wait here for the one that makes it. */
static void need_template(void)
{
    ask(lender(), "select pg_advisory_lock(" LOCK_TEMPLATE ")");
    if (!ask(lender(), "select exists (select from pg_database where datname = '%s')",
             template_name()))
        make_template();
    ask(lender(), "select pg_advisory_unlock(" LOCK_TEMPLATE ")");
}

/* ---- those that are lent ---- */

static void mark(const char *name)
{
    char *url = pg_test_named(name);
    PGconn *conn = PQconnectdb(url);

    ask(conn,
        "do $$ begin execute format('comment on database %s is %%L', " FINGERPRINT "); end $$",
        name);
    PQfinish(conn);
    free(url);
}

static void make(const char *name)
{
    if (!pg_on_citus())
        need_template();
    pg_test_copy(name, pg_on_citus() ? PG_CITUS_READY : template_name());
    mark(name);
}

static bool is_unchanged(PGconn *conn)
{
    return ask(conn, "select to_regclass('public.schema_migrations') is not null") &&
           ask(conn, "select " FINGERPRINT " = shobj_description(oid, 'pg_database')"
                     " from pg_database where datname = current_database()");
}

/* Ends what is left of the last borrower, and what Citus had begun to commit for it. */
static void end_sessions(PGconn *conn, bool coordinates)
{
    ask(conn, "select count(pg_terminate_backend(pid, 10000)) from pg_stat_activity"
              " where datname = current_database() and pid <> pg_backend_pid()"
              " and backend_type not like 'Citus%%'");
    if (coordinates)
        ask(conn, "select recover_prepared_transactions()");
}

/* Small tables are faster emptied by rows. Large ones leave nothing behind for others to read past.
 * On a worker of Citus the shards are tables, which it shows and lets empty to those only that ask
 * for it. */
static void empty(PGconn *conn)
{
    ask(conn, "set citus.show_shards_for_app_name_prefixes = '*'");
    ask(conn, "set citus.enable_manual_changes_to_shards = on");
    ask(conn, "do $$ declare t record; begin"
              " for t in select oid::regclass as name, pg_relation_size(oid) as size"
              " from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'"
              " and relname not like 'schema_migrations%%' loop"
              " if t.size > 100000 then execute format('truncate %%s', t.name);"
              " elsif t.size > 0 then execute format('delete from %%s', t.name); end if;"
              " end loop; end $$");
    ask(conn, "select pg_stat_reset()");
}

static bool renew_node(unsigned node, const char *url)
{
    PGconn *conn = PQconnectdb(url);
    bool good = PQstatus(conn) == CONNECTION_OK;

    if (good) {
        end_sessions(conn, node == 0 && pg_on_citus());
        good = node > 0 || is_unchanged(conn);
    }
    if (good)
        empty(conn);
    PQfinish(conn);
    return good;
}

/* Makes a database that was used as it was. False: it is not there, or has other tables now. */
static bool renew(const char *name)
{
    bool good = true;
    char *url;

    for (unsigned node = 0; good && (url = pg_test_named_at(node, name)) != NULL; node++) {
        good = renew_node(node, url);
        free(url);
    }
    return good;
}

static char *lend(int slot)
{
    char name[NAME_BYTES * 2];

    snprintf(name, sizeof(name), "%s_%d", template_name(), slot);
    if (!renew(name))
        make(name);
    return pg_test_named(name);
}

char *ready_borrow(void)
{
    lender();
    for (int slot = 0; slot < SLOTS; slot++) {
        if (lent[slot] == NULL &&
            ask(lender(), "select pg_try_advisory_lock(" LOCK_SLOT ")", slot)) {
            lent[slot] = lend(slot);
            return strdup(lent[slot]);
        }
    }
    die("borrow: all are lent");
}

/* The borrower may have added parameters to the connection string. */
void ready_return(char *url)
{
    for (int slot = 0; slot < SLOTS; slot++) {
        if (lent[slot] != NULL && strncmp(lent[slot], url, strlen(lent[slot])) == 0) {
            ask(lender(), "select pg_advisory_unlock(" LOCK_SLOT ")", slot);
            free(lent[slot]);
            lent[slot] = NULL;
        }
    }
    free(url);
}
