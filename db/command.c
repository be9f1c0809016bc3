/* command.c - one statement at a time on a connection that blocks. */
#include "reach.h"

#include <libpq-fe.h>

#include "outcome.h"

bool command_ran(const struct pg_conn *pg, const struct pg_result *result, struct db_error *error)
{
    ExecStatusType status = PQresultStatus(result);

    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK)
        return true;
    outcome_error(error, result, PQerrorMessage(pg));
    return false;
}

/* PQexec() would take several statements at once; this is strict. */
static struct pg_result *execute(struct pg_conn *pg, const char *sql)
{
    return PQexecParams(pg, sql, 0, NULL, NULL, NULL, NULL, 0);
}

bool command_run(struct pg_conn *pg, const char *sql, struct db_error *error)
{
    struct pg_result *result = execute(pg, sql);
    bool well = command_ran(pg, result, error);
    PQclear(result);
    return well;
}

bool command_ask(struct pg_conn *pg, const char *sql, bool *answer, struct db_error *error)
{
    struct pg_result *result = execute(pg, sql);
    bool well = command_ran(pg, result, error);
    *answer = well && *PQgetvalue(result, 0, 0) == 't';
    PQclear(result);
    return well;
}
