/*
 * pgbench.h - PostgreSQL's own load generator, which plays moves in plyd's tables without plyd.
 *
 * It stores a move as one would write it by hand: a guarded update of the game's row and an insert
 * of the event, with the same columns and indexes and with texts of the same sizes. Each client
 * plays a game of its own and knows its state, so it reads nothing.
 */
#ifndef PLYD_TESTS_SUPPORT_PGBENCH_H
#define PLYD_TESTS_SUPPORT_PGBENCH_H

#include <sys/types.h>

enum pgbench_move {
    PGBENCH_TRANSACTION, /* begin, update, insert, commit: four round trips */
    PGBENCH_STATEMENT    /* both in one statement, which is its own transaction */
};

struct pgbench_plan {
    const char *url; /* of a database with plyd's schema */
    pid_t server;    /* its postmaster */
    enum pgbench_move move;
    unsigned clients;
    double warm_up, seconds;
};

struct pgbench_result {
    double per_second;
    double cpu_us; /* processor time of the server, each move */
};

/* The postmaster of a server on this machine. */
pid_t pgbench_server(const char *url);

/* What a query says, as a number. */
double pgbench_number(const char *url, const char *query);

/* Adds games with a few moves each and the events of those moves, and tidies the tables. */
void pgbench_fill(const char *url, long games);

/* Plays in games that pgbench_fill() made, of which there must be one for each client. */
void pgbench_run(const struct pgbench_plan *plan, struct pgbench_result *result);

#endif
