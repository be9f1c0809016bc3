/*
 * many.h - a database with many games, as years of play leave it: each second a game is made, and
 * its moves come a day after each other, between those of other games.
 */
#ifndef PLYD_TESTS_SUPPORT_MANY_H
#define PLYD_TESTS_SUPPORT_MANY_H

#include <libpq-fe.h>
#include <stdbool.h>
#include <stddef.h>

enum { MANY_EVENTS = 10 }; /* of each game; so its version is 10, and its ply 9 */

#define MANY_POSITION "ln1gk2nl/1r1s1sgb1/p1pppp1pp/6p2/1p7/2P4P1/PPSPPPP1P/1B5R1/LN1GKGSNL w Pp 14"

/* Fills a database whose schema is at least migrations/0001. The ids begin with the games' times,
 * or are random. A million games take some 4 GB. Ends the program if it fails. */
void many_fill(PGconn *admin, size_t games, bool by_time);

#endif
