/*
 * command.h - one statement at a time on a connection that blocks, for tools.
 */
#ifndef PLYD_DB_COMMAND_H
#define PLYD_DB_COMMAND_H

#include "db.h"

struct pg_conn;   /* libpq's PGconn */
struct pg_result; /* and PGresult */

/* True if the statement ended well; else `error` says why it did not. */
bool command_ran(const struct pg_conn *pg, const struct pg_result *result, struct db_error *error);

/* Runs one statement without parameters. */
bool command_run(struct pg_conn *pg, const char *sql, struct db_error *error);

/* The same for one whose answer is a row with a boolean. *answer is false if it fails. */
bool command_ask(struct pg_conn *pg, const char *sql, bool *answer, struct db_error *error);

#endif
