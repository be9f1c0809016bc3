/*
 * migrate.h - bringing a database to the schema that this program was built for.
 *
 * The numbered files of migrations/ are part of the program. They are applied in order and forward
 * only, one statement a call. Each file is a transaction, together with the row of
 * schema_migrations that records it; migrations/README.md has the exception. An advisory lock makes
 * processes take turns, so any number of daemons may start at once. The database keeps a checksum
 * of every file that was applied, and a file that was changed afterwards is refused.
 *
 * A program runs on its own schema and on newer ones that let it: each file says how old a program
 * may be that runs once it was applied, and the database keeps that number.
 *
 * These functions need no struct db: each makes a connection of its own, blocks, and closes it.
 * They may be called from any thread.
 */
#ifndef PLYD_DB_MIGRATE_H
#define PLYD_DB_MIGRATE_H

#include "db.h"

enum db_schema {
    DB_SCHEMA_CURRENT,
    DB_SCHEMA_OLDER,      /* migrations are waiting */
    DB_SCHEMA_COMPATIBLE, /* it has migrations that this program does not know, and may run on */
    DB_SCHEMA_NEWER,      /* and may not run on */
    DB_SCHEMA_CHANGED,    /* a file differs from what was applied */
    DB_SCHEMA_ENCODING,   /* the database keeps its texts in another encoding than UTF-8 */
    DB_SCHEMA_UNREACHABLE /* it cannot be read */
};

struct db_migration_report {
    enum db_schema before; /* what was found */
    int found, wanted;     /* the last applied migration, and the last known one */
    int oldest;            /* the schema of the oldest program that may run */
    int applied;           /* how many were applied now */
    int distributed;       /* how many tables were */
    struct db_time time;   /* what the server told of it, if db_migrate_check() has reached one */
    struct db_error error; /* of DB_SCHEMA_UNREACHABLE, DB_SCHEMA_CHANGED, or a failed statement;
                            * of DB_SCHEMA_ENCODING the name of the encoding */
};

/* How long a server is waited for that is not up yet (reach.h says when that is). Instead of a
 * patience, NULL means not at all. */
struct db_patience {
    unsigned seconds;
    void (*waits)(unsigned seconds, const char *why); /* called once, if a wait begins */
};

/* Whether a program may run on it. */
bool db_schema_serves(enum db_schema schema);

/* Looks, and changes nothing. Returns report->before. */
enum db_schema db_migrate_check(const char *url, const struct db_patience *patience,
                                struct db_migration_report *report);

/* Applies the migrations that are waiting. True if the program may run afterwards. If a file
 * fails, those before it stay applied. Waits up to a minute for another process that migrates, and
 * tries a file again for a minute and more whose table others hold (lock_timeout). */
bool db_migrate(const char *url, const struct db_patience *patience,
                struct db_migration_report *report);

/* The same on Citus, and distributes the tables that are not yet (distribute.h). Refuses what is
 * not Citus, and changes nothing there. */
bool db_migrate_distributed(const char *url, const struct db_patience *patience,
                            struct db_migration_report *report);

#endif
