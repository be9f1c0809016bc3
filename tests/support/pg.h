/*
 * pg.h - real PostgreSQL servers for tests, started by scripts/postgres.sh.
 *
 * Most tests share one server and take a database of their own from it. `make check-db` and its
 * like start that server before the tests and remove it after them. A test program that is run by
 * hand starts one in build/postgres/shared and leaves it there for the next time (`make clean`
 * removes it). Tests that stop, kill or freeze a server make a cluster of their own.
 *
 * The shared server may be the coordinator of Citus (scripts/citus.sh). Then the databases
 * of tests have all tables already, distributed. Servers of a test's own and databases with
 * options are plain PostgreSQL all the same.
 *
 * Whatever fails here is told on standard error and ends the process, so the test fails.
 */
#ifndef PLYD_TESTS_SUPPORT_PG_H
#define PLYD_TESTS_SUPPORT_PG_H

#include <stdbool.h>

/* The connection string of the shared server's database "plyd". Lives as long as the process. */
const char *pg_test_url(void);

/* Makes an empty database on the shared server for one test. Returns its connection string, which
 * the caller frees. One that has the program's schema is faster borrowed (ready.h). */
char *pg_test_database(void);

/* The same with options of `create database`. */
char *pg_test_database_with(const char *options);

/* The connection string of a database of the shared server. The caller frees it. */
char *pg_test_named(const char *name);

/* Whether the shared server is a Citus. */
bool pg_on_citus(void);

/* The same on one of its nodes: 0 is the shared server itself, workers follow. NULL: there is no
 * such node. */
char *pg_test_named_at(unsigned node, const char *name);

/* Makes a database anew, on all nodes, as a copy of another. PG_CITUS_READY is one that Citus has,
 * with all tables, distributed (scripts/citus.sh). */
#define PG_CITUS_READY "plyd_ready"
void pg_test_copy(const char *name, const char *from);

/* Skips a test that asks plain PostgreSQL, or says something about it alone. */
#define PG_PLAIN_ONLY(why)                               \
    do {                                                 \
        if (pg_on_citus())                               \
            cr_skip_test("plain PostgreSQL only: " why); \
    } while (0)

/* Drops the database, open connections or not, and frees the string. A test may leave that to the
 * removal of the server. */
void pg_test_drop(char *url);

/* A server of a test's own. The caller removes it. */
struct pg_cluster {
    char dir[64];       /* relative to the repository */
    char settings[256]; /* those that it was started with */
    char *url;
    int owner; /* a lock in dir: the next test run removes a cluster without one */
};

/* Starts a new, empty cluster, with further server settings ("wal_level=logical") up to NULL. */
void pg_cluster_start(struct pg_cluster *cluster, ...) __attribute__((sentinel));

/* Starts it again after pg_cluster_stop() or pg_cluster_kill9(); the data is still there. */
void pg_cluster_restart(struct pg_cluster *cluster);

void pg_cluster_stop(struct pg_cluster *cluster);   /* as an operator does: what runs is aborted */
void pg_cluster_kill9(struct pg_cluster *cluster);  /* every process at once, as a power cut does */
void pg_cluster_freeze(struct pg_cluster *cluster); /* nothing answers and nothing is refused */
void pg_cluster_thaw(struct pg_cluster *cluster);

/* Stops it, deletes its data, frees the url. */
void pg_cluster_remove(struct pg_cluster *cluster);

#endif
