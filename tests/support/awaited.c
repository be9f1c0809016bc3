/* awaited.c - waiting until something is so in a database (awaited.h). */
#include "awaited.h"

#include <stdbool.h>
#include <string.h>

#include "backoff.h"
#include "die.h"

static bool is_so(PGconn *pg, const char *query)
{
    PGresult *result = PQexec(pg, query);
    bool is;

    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        die("%s: %s", query, PQerrorMessage(pg));
    is = PQntuples(result) == 1 && strcmp(PQgetvalue(result, 0, 0), "t") == 0;
    PQclear(result);
    return is;
}

void await_query_by(PGconn *pg, const char *query)
{
    for (int looks = 0; !is_so(pg, query); looks++)
        back_off(looks);
}

void await_query(const char *database, const char *query)
{
    PGconn *pg = PQconnectdb(database);

    await_query_by(pg, query);
    PQfinish(pg);
}

/* `kind` as in dues.def. */
void await_told(const char *database)
{
    await_query(database, "select not exists (select from due where kind = 5)"
                          " and not exists (select from webhook_games where known > sent)");
}

void await_nothing_due(const char *database)
{
    await_query(database, "select not exists (select from due where at <= clock_timestamp()"
                          " or leased_until > at)");
}

void await_put_off(const char *database)
{
    await_query(database, "select not exists (select from due where kind = 5)"
                          " and exists (select from webhook_games where known > sent)"
                          " and exists (select from due where kind = 6 and at > clock_timestamp()"
                          " and leased_until <= at)");
}
