/*
 * distribute.h - spreading the tables over the workers of Citus: `plyd migrate --distribute`.
 */
#ifndef PLYD_DB_DISTRIBUTE_H
#define PLYD_DB_DISTRIBUTE_H

#include "db.h"

struct pg_conn; /* libpq's PGconn */

/* Each table and the column with the game or player by whose hash it is distributed. The first one
 * has shards of its own, and those of all others lie with them. Tables that are not here stay on
 * the coordinator: no statement joins them with these. They are small and not about games. */
struct distributed_table {
    const char *name, *column;
};
extern const struct distributed_table distribute_list[];
extern const int distribute_count;

/* Whether this database can be distributed: Citus is there. False and *error if not. */
bool distribute_can(struct pg_conn *pg, struct db_error *error);

/* Distributes the tables that are not yet, with what is in them, all or none of them. Each lies
 * with the rows of one game or player on one shard. The schema must be current. Adds their number
 * to *count. Then it ends the sessions of daemons, whose statements were prepared for the tables as
 * they were; daemons make new ones. */
bool distribute_tables(struct pg_conn *pg, int *count, struct db_error *error);

#endif
