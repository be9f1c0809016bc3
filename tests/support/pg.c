/* pg.c - real PostgreSQL servers for tests. */
#include "pg.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <libpq-fe.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "die.h"

enum { URL_MAX = 2048 };

static char *text(const char *format, va_list values)
{
    char *result;

    if (vasprintf(&result, format, values) < 0)
        die("vasprintf: %m");
    return result;
}

/* ---- scripts/postgres.sh. No argument of ours needs quoting ---- */

__attribute__((format(printf, 1, 2))) static void run_script(const char *format, ...)
{
    va_list values;
    char *command;

    va_start(values, format);
    command = text(format, values);
    va_end(values);
    if (system(command) != 0)
        die("%s: %s", command, "failed (tests run from the repository's root)");
    free(command);
}

static char *read_url(const char *dir)
{
    char command[128], url[URL_MAX];
    FILE *out;

    snprintf(command, sizeof(command), "scripts/postgres.sh url %s", dir);
    out = popen(command, "r");
    if (out == NULL || fgets(url, sizeof(url), out) == NULL || pclose(out) != 0)
        die("%s: %s", command, "failed");
    url[strcspn(url, "\n")] = '\0';
    return strdup(url);
}

static const char *fsync_setting(void)
{
    const char *off = getenv("PLYD_TEST_FSYNC");

    return off != NULL && strcmp(off, "off") == 0 ? "fsync=off" : "fsync=on";
}

/* ---- the shared server ---- */

const char *pg_test_url(void)
{
    static const char dir[] = "build/postgres/shared";
    static char *url;
    const char *given = getenv("PLYD_TEST_DATABASE_URL");

    if (given != NULL && *given != '\0')
        return given;
    if (url == NULL) {
        run_script("scripts/postgres.sh start %s %s", dir, fsync_setting());
        url = read_url(dir);
    }
    return url;
}

static void print_encoded(FILE *out, const char *value)
{
    for (; *value != '\0'; value++)
        fprintf(out, isalnum((unsigned char)*value) ? "%c" : "%%%02X",
                (unsigned)(unsigned char)*value);
}

/* The connection string `url`, in either of its forms, with the name of another database. */
static char *with_database(const char *url, const char *name)
{
    char *result, *error = NULL;
    size_t len;
    FILE *out = open_memstream(&result, &len);
    PQconninfoOption *options = PQconninfoParse(url, &error);
    char separator = '?';

    if (options == NULL)
        die("%s: %s", url, error);
    fprintf(out, "postgresql:///%s", name);
    for (PQconninfoOption *o = options; o->keyword != NULL; o++) {
        if (o->val == NULL || strcmp(o->keyword, "dbname") == 0)
            continue;
        fprintf(out, "%c%s=", separator, o->keyword);
        print_encoded(out, o->val);
        separator = '&';
    }
    PQconninfoFree(options);
    fclose(out);
    return result;
}

static void silent(void *context, const PGresult *notice)
{
    (void)context;
    (void)notice;
}

/* Returns what went wrong, for the caller to free, or NULL. */
static char *attempt(const char *url, const char *sql)
{
    PGconn *conn = PQconnectdb(url);
    char *error = NULL;

    PQsetNoticeReceiver(conn, silent, NULL);
    PGresult *result = PQexec(conn, sql);
    if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
        error = strdup(PQerrorMessage(conn));
    PQclear(result);
    PQfinish(conn);
    return error;
}

__attribute__((format(printf, 2, 3))) static void run_sql(const char *url, const char *format, ...)
{
    va_list values;
    char *sql, *error;

    va_start(values, format);
    sql = text(format, values);
    va_end(values);
    error = attempt(url, sql);
    if (error != NULL)
        die("%s: %s", sql, error);
    free(sql);
}

/* ---- Citus: the shared server is the coordinator ---- */

enum { WORKERS_MAX = 8 };

/* The connection strings of the workers, up to a NULL; NULL: the shared server is no Citus. */
static char *const *workers(void)
{
    static char *list[WORKERS_MAX + 1], *text;
    const char *given = getenv("PLYD_TEST_CITUS");
    char *save = NULL;

    if (given == NULL || *given == '\0')
        return NULL;
    if (text == NULL) {
        text = strdup(given);
        list[0] = strtok_r(text, " ", &save);
        for (int i = 1; i < WORKERS_MAX && list[i - 1] != NULL; i++)
            list[i] = strtok_r(NULL, " ", &save);
    }
    return list;
}

enum { NAME_MAX_BYTES = 64 };

bool pg_on_citus(void)
{
    return workers() != NULL;
}

/* A name that no other test has. */
static void new_name(char name[NAME_MAX_BYTES])
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name, NAME_MAX_BYTES, "test_%d_%lld_%09ld", (int)getpid(), (long long)now.tv_sec,
             now.tv_nsec);
}

char *pg_test_named(const char *name)
{
    return with_database(pg_test_url(), name);
}

char *pg_test_named_at(unsigned node, const char *name)
{
    char *const *list = workers();

    if (node == 0)
        return pg_test_named(name);
    for (unsigned i = 1; list != NULL && *list != NULL; i++, list++)
        if (i == node)
            return with_database(*list, name);
    return NULL;
}

char *pg_test_database_with(const char *options)
{
    char name[NAME_MAX_BYTES];

    new_name(name);
    run_sql(pg_test_url(), "create database %s %s", name, options);
    return pg_test_named(name);
}

/* A commit in two phases that was cut short may hold that of a worker for ever: it is left to the
 * removal of the server. */
static void drop_database(const char *name)
{
    char *sql;

    if (asprintf(&sql, "drop database if exists %s with (force)", name) < 0)
        die("asprintf: %m");
    free(attempt(pg_test_url(), sql));
    for (char *const *worker = workers(); worker != NULL && *worker != NULL; worker++)
        free(attempt(*worker, sql));
    free(sql);
}

/* Drops those of processes that are gone. In each, Citus would go on to look at all nodes every
 * other second, and a whole suite leaves hundreds. */
static void drop_left_databases(void)
{
    PGconn *conn = PQconnectdb(pg_test_url());
    PGresult *names =
        PQexec(conn, "select datname from pg_database where datname ~ '^test_[0-9]+_'");

    for (int i = 0; i < PQntuples(names); i++) {
        const char *name = PQgetvalue(names, i, 0);

        if (kill((pid_t)atoi(name + strlen("test_")), 0) != 0 && errno == ESRCH)
            drop_database(name);
    }
    PQclear(names);
    PQfinish(conn);
}

void pg_test_copy(const char *name, const char *from)
{
    drop_database(name);
    for (char *const *worker = workers(); worker != NULL && *worker != NULL; worker++)
        run_sql(*worker, "create database %s template %s", name, from);
    run_sql(pg_test_url(), "create database %s template %s", name, from);
}

/* On Citus, each node has a database to copy. */
char *pg_test_database(void)
{
    char name[NAME_MAX_BYTES];

    if (workers() == NULL)
        return pg_test_database_with("");
    drop_left_databases();
    new_name(name);
    pg_test_copy(name, PG_CITUS_READY);
    return pg_test_named(name);
}

void pg_test_drop(char *url)
{
    char *error = NULL;
    PQconninfoOption *options = PQconninfoParse(url, &error);

    if (options == NULL)
        die("%s: %s", url, error);
    for (PQconninfoOption *o = options; o->keyword != NULL; o++)
        if (strcmp(o->keyword, "dbname") == 0)
            drop_database(o->val);
    PQconninfoFree(options);
    free(url);
}

/* ---- servers of one test's own ---- */

static int lock_owner(const char *dir)
{
    char path[128];
    int lock;

    snprintf(path, sizeof(path), "%s/owner", dir);
    lock = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0644);
    if (lock < 0 || flock(lock, LOCK_EX) != 0)
        die("%s: %m", path);
    return lock;
}

void pg_cluster_start(struct pg_cluster *cluster, ...)
{
    size_t size = sizeof(cluster->settings), len;
    const char *setting;
    va_list more;

    mkdir("build", 0755);
    mkdir("build/postgres", 0755);
    snprintf(cluster->dir, sizeof(cluster->dir), "build/postgres/XXXXXX");
    if (mkdtemp(cluster->dir) == NULL || chmod(cluster->dir, 0755) != 0)
        die("%s: %m", cluster->dir);
    cluster->owner = lock_owner(cluster->dir);

    len = (size_t)snprintf(cluster->settings, size, "%s", fsync_setting());
    va_start(more, cluster);
    while ((setting = va_arg(more, const char *)) != NULL && len < size)
        len += (size_t)snprintf(cluster->settings + len, size - len, " %s", setting);
    va_end(more);
    pg_cluster_restart(cluster);
    cluster->url = read_url(cluster->dir);
}

void pg_cluster_restart(struct pg_cluster *cluster)
{
    run_script("scripts/postgres.sh start %s %s", cluster->dir, cluster->settings);
}

void pg_cluster_stop(struct pg_cluster *cluster)
{
    run_script("scripts/postgres.sh stop %s", cluster->dir);
}

void pg_cluster_kill9(struct pg_cluster *cluster)
{
    run_script("scripts/postgres.sh signal %s KILL", cluster->dir);
}

void pg_cluster_freeze(struct pg_cluster *cluster)
{
    run_script("scripts/postgres.sh signal %s STOP", cluster->dir);
}

void pg_cluster_thaw(struct pg_cluster *cluster)
{
    run_script("scripts/postgres.sh signal %s CONT", cluster->dir);
}

void pg_cluster_remove(struct pg_cluster *cluster)
{
    run_script("scripts/postgres.sh remove %s", cluster->dir);
    close(cluster->owner);
    free(cluster->url);
}
