/*
 * awaited.h - waiting until something is so in a database.
 *
 * A query of these has one row of one column, which becomes true. What never comes is ended by the
 * test's time limit.
 */
#ifndef PLYD_TESTS_SUPPORT_AWAITED_H
#define PLYD_TESTS_SUPPORT_AWAITED_H

#include <libpq-fe.h>

/* Waits until it is so, in a database or by a connection to it. */
void await_query(const char *database, const char *query);
void await_query_by(PGconn *pg, const char *query);

/* Waits until all that happened in games was looked at, and receivers have nothing left to be told.
 */
void await_told(const char *database);

/* Waits until nothing is due at this moment, and no daemon is at work: it was done, or put off to a
 * later time. Whoever lets time pass (hours.h) waits for this before they let more pass: that ends
 * the sessions of daemons, and what was under way is tried again when its lease ends, which is
 * later than the time that stands still then. */
void await_nothing_due(const char *database);

/* Waits until it is put off to a later time, what there is to tell. */
void await_put_off(const char *database);

#endif
