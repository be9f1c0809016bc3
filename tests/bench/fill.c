/*
 * fill.c - stores many games, for what is measured by scripts (tests/backup/run.sh).
 *
 *     bench-fill GAMES DATABASE_URL
 *
 * The database has the schema and no games. Their ids begin with their time.
 */
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/many.h"

int main(int argc, char **argv)
{
    long games = argc == 3 ? atol(argv[1]) : 0;
    PGconn *admin;

    if (games <= 0) {
        fprintf(stderr, "usage: bench-fill GAMES DATABASE_URL\n");
        return 2;
    }
    admin = PQconnectdb(argv[2]);
    if (PQstatus(admin) != CONNECTION_OK) {
        fprintf(stderr, "fill: %s", PQerrorMessage(admin));
        return 1;
    }
    many_fill(admin, (size_t)games, true);
    PQfinish(admin);
    return 0;
}
