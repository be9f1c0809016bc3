/*
 * dial.h - beginning to connect: the connection string, what it leaves open, and which of its hosts
 * is tried first.
 */
#ifndef PLYD_DB_DIAL_H
#define PLYD_DB_DIAL_H

#include <stdint.h>

struct pg_conn; /* libpq's PGconn */

/* Begins to connect by the connection string `url`, with the host number `rotation` first, counted
 * round and round. *patience is how long that may take, in microseconds. The caller goes on with
 * PQconnectPoll(), and ends with PQfinish(). NULL if there is nothing to go on with: *why tells. */
struct pg_conn *dial_start(const char *url, unsigned rotation, int64_t *patience, const char **why);

/* The rotation that tries the host last to which `pg` is connected, or was about to connect. */
unsigned dial_behind(const char *url, const struct pg_conn *pg);

#endif
