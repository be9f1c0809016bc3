/*
 * kinds.h - what db/ knows of each kind of request (enum db_kind).
 *
 * Everything that depends on the kind of a request stands in one constant table, which is made from
 * the files of db/sql/. db.c gives it to struct db when that is opened, so the queues and
 * connections, which read it there, know no operation by name.
 */
#ifndef PLYD_DB_KINDS_H
#define PLYD_DB_KINDS_H

#include "db.h"

struct batch;
struct pg_result;
struct wire_params;

struct kind_info {
    const char *name;       /* of the prepared statement, of the counters, and in the log */
    const char *sql;        /* its text */
    const char *sharded;    /* its text for Citus */
    const char *types;      /* of the parameters: see wire_begin() */
    bool write;             /* or a read that waits for the standby, as writes do */
    enum db_outcome absent; /* the outcome of a member that the result does not mention */

    /* Writes the parameters of a batch, none of whose members was answered yet. */
    void (*bind)(struct wire_params *params, const struct batch *batch);

    /* Answers the members that the rows of the result are about. The others get `absent`. */
    void (*decode)(struct db *db, const struct pg_result *result, struct batch *batch);

    /* How many events the next piece has of a batch of one write; 0: what is left goes with the
     * write's own statement. NULL: these writes do not go in pieces. */
    size_t (*piece)(const struct batch *batch);

    /* The kind that a batch of one is sent as, whose statement does the same for one game and costs
     * less; 0: there is none. */
    enum db_kind alone;

    bool single;     /* on Citus, a batch has one member */
    bool everywhere; /* on Citus, it asks all workers */

    /* The kind that members are sent as when a worker of Citus is away, whose statement does the
     * same with those that are there; 0: they wait for that worker. */
    enum db_kind there;
};

extern const struct kind_info kinds_table[DB_KINDS];

#endif
