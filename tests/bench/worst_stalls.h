/*
 * worst_stalls.h - for bench-worst: clients that begin to send and stop, and what others do beside
 * them. They hold their connections until worst_stalls_end().
 */
#ifndef PLYD_TESTS_BENCH_WORST_STALLS_H
#define PLYD_TESTS_BENCH_WORST_STALLS_H

enum { WORST_STALLS_MAX = 16384 };

/* Bodies of 1 MiB of which all has come but a byte; as many connections of one byte as this process
 * may have, up to `count`. Both return how many there are. */
int worst_stalls_bodies(int port, int count);
int worst_stalls_connections(int port, int count);

void worst_stalls_end(void);

/* Seconds until another's record of 150 KiB is imported, and until a new connection is answered. */
double worst_stalls_import(int port);
double worst_stalls_visit(int port);

#endif
