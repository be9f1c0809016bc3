/*
 * migrate.h - bringing a database to the schema that this program was built for.
 *
 * The numbered files of migrations/ are part of the program. They are applied in order, forward
 * only, one statement a call, each file in a transaction of its own together with the row of
 * schema_migrations that records it, all under an advisory lock, so that any number of daemons may
 * start at once. A file that was applied keeps its checksum: a changed one is refused.
 *
 * These functions block: they run before the loop does.
 */
#ifndef PLYD_DB_MIGRATE_H
#define PLYD_DB_MIGRATE_H

#include "db.h"

enum db_schema {
    DB_SCHEMA_CURRENT,
    DB_SCHEMA_OLDER,   /* migrations are waiting */
    DB_SCHEMA_NEWER,   /* it has migrations that this program does not know */
    DB_SCHEMA_CHANGED, /* a file differs from what was applied */
    DB_SCHEMA_UNREACHABLE
};

struct db_migration_report {
    enum db_schema before; /* what was found */
    int found, wanted;     /* the last applied migration, and the last known one */
    int applied;           /* how many were applied now */
    struct db_error error; /* of DB_SCHEMA_UNREACHABLE, DB_SCHEMA_CHANGED, or a failed statement */
};

/* Looks only. */
enum db_schema db_migrate_check(const char *url, struct db_migration_report *report);

/* Applies what is waiting, if the database is older. True if it is current afterwards. */
bool db_migrate(const char *url, struct db_migration_report *report);

#endif
