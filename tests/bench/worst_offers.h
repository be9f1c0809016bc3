/*
 * worst_offers.h - for bench-worst: a client that makes and withdraws offers in a game of its own
 * without a pause.
 */
#ifndef PLYD_TESTS_BENCH_WORST_OFFERS_H
#define PLYD_TESTS_BENCH_WORST_OFFERS_H

#include <stdatomic.h>

/* Offers and withdraws draws for ever, at most as many at a ply as the daemon takes; then a move is
 * played. Counts what was done, and what was refused. */
_Noreturn void worst_offers_storm(int port, atomic_int *done, atomic_int *refused);

#endif
