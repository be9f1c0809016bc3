/*
 * reach.h - the first connection of a program, also to a server that is not up yet.
 *
 * These functions block. They may be called from any thread.
 */
#ifndef PLYD_DB_REACH_H
#define PLYD_DB_REACH_H

#include "db.h"
#include "migrate.h"

struct pg_conn; /* libpq's PGconn */

/* Connects by the connection string `url`, to a server that takes writes; of several hosts, to the
 * first one that does. The caller ends with PQfinish(). NULL if that fails: *error says why, in one
 * line.
 *
 * With `patience`, it tries again while the server is not up: while nobody answers at the address,
 * while the address has a name that is not known yet, while the server starts or stops, and while
 * all servers that answer are standbys. It does not try again after an answer that waiting does not
 * change, such as a wrong password or a database that does not exist. */
struct pg_conn *reach_server(const char *url, const struct db_patience *patience,
                             struct db_error *error);

/* The same for a server that need not take writes, and without a wait. */
struct pg_conn *reach_any(const char *url, struct db_error *error);

/* ---- one statement at a time on a connection that blocks, for tools ---- */

struct pg_conn;   /* libpq's PGconn */
struct pg_result; /* and PGresult */

/* True if the statement ended well; else `error` says why it did not. */
bool command_ran(const struct pg_conn *pg, const struct pg_result *result, struct db_error *error);

/* Runs one statement without parameters. */
bool command_run(struct pg_conn *pg, const char *sql, struct db_error *error);

/* The same for one whose answer is a row with a boolean. *answer is false if it fails. */
bool command_ask(struct pg_conn *pg, const char *sql, bool *answer, struct db_error *error);

#endif
