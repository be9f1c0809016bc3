/*
 * dial.h - beginning to connect: the connection string, what it leaves open, and which of its hosts
 * is tried first.
 *
 * libpq goes on to the next host of a list if one is not there, is a standby where a primary is
 * wanted, or is starting. After any other answer, such as that there are too many clients or that
 * the database does not exist there yet, it leaves the rest of the list out. So whoever waits for a
 * connection tries one host after the other, and whoever does not begins the next attempt behind
 * the host that gave that answer.
 */
#ifndef PLYD_DB_DIAL_H
#define PLYD_DB_DIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pg_conn; /* libpq's PGconn */

/* Begins to connect by the connection string `url`, with the host number `rotation` first, counted
 * round and round. *patience is how long that may take, in microseconds. The caller goes on with
 * PQconnectPoll(), and ends with PQfinish(). NULL if there is nothing to go on with: *why tells. */
struct pg_conn *dial_start(const char *url, unsigned rotation, int64_t *patience, const char **why);

/* How many hosts a connection string names; 1 if it names none, or cannot be read. */
unsigned dial_hosts(const char *url);

enum { DIAL_OPTIONS_MAX = 64, DIAL_LIST_MAX = 1024 };

/* What libpq is asked for: two lists that end with NULL, and what they point to. */
struct dial {
    const char *keys[DIAL_OPTIONS_MAX], *values[DIAL_OPTIONS_MAX];
    size_t count;
    char list[3][DIAL_LIST_MAX]; /* of hosts, addresses and ports */
    struct _PQconninfoOption *options;
    char *why; /* the connection string cannot be read; NULL: it can, or memory is out */
};

/* What to ask for to reach host number `n` of a connection string alone, with the settings
 * `defaults` where the string has none: pairs that end with NULL. Must be ended by dial_end().
 * False if the string cannot be read. */
bool dial_begin(struct dial *dial, const char *url, const char *const defaults[][2], unsigned n);
void dial_end(struct dial *dial);

/* The rotation that tries the host last to which `pg` is connected, or was about to connect. */
unsigned dial_behind(const char *url, const struct pg_conn *pg);

#endif
