/*
 * due.h - work that is due at a time: promises are claimed, kept and settled, by daemons that tell
 * by heartbeats that they are up. Requests and replies are as in db.h; a promise is made with the
 * write that it follows from, or here.
 */
#ifndef PLYD_DB_DUE_H
#define PLYD_DB_DUE_H

#include "db/db.h"

enum {
    DB_DUE_MAX = 256, /* promises that one db_claim_due() leases */
    DB_OUTAGES_MAX = 1024
};

/* ---- promises ---- */

/* Whose lease it is, and until when. What a daemon has leased that has been silent since a time
 * (db_beat()) may be claimed at once, and the promises of webhooks two seconds later. A daemon
 * that was not told what it had leased (DB_UNKNOWN) is given that first: what it holds until the
 * time `unheard` or later; DB_NEVER: nothing. Kinds of promises may be left to others. */
struct db_claim {
    db_id daemon;
    int64_t lease;   /* within a minute */
    int64_t silent;  /* a time */
    int64_t unheard; /* a time */
    int32_t kinds; /* that may be leased, as bits: 1 << kind. Others are left to whom knows them */
};

/* Leases up to DB_DUE_MAX of the oldest promises whose time has come: nobody else is given them
 * before the lease ends or the daemon falls silent. Any number of programs may do this at once;
 * fewer may mean that others took them. */
void db_claim_due(struct db *db, const struct db_claim *claim, db_claimed_callback *done,
                  void *context);

/* Moves a promise that was claimed, which was for `claimed_at`, to another time, or deletes it
 * (due->at is DB_NEVER). If the promise was made anew meanwhile, it stays, leased to nobody: DB_OK
 * in any case. One of DB_DUE_HOOKS must be deleted only if the player has no webhooks: otherwise
 * the lease of one that is made anew at this very moment may stay. */
void db_settle_due(struct db *db, const struct db_due *due, int64_t claimed_at,
                   db_done_callback *done, void *context);

/* Makes a promise by itself. DB_CONFLICT if there is one of its kind for this id. */
void db_promise(struct db *db, const struct db_due *due, db_done_callback *done, void *context);

/* Deletes a promise that is for exactly this time. DB_OK only to one who asks, and DB_NOT_FOUND to
 * all others. DB_UNKNOWN may have been that one. */
void db_take_due(struct db *db, const struct db_due *due, db_done_callback *done, void *context);

/* Whether there is a promise of this kind for this id, whatever its time. DB_NOT_FOUND: there is
 * none. */
void db_look_due(struct db *db, const struct db_due *due, db_done_callback *done, void *context);

/* ---- heartbeats ---- */

/* A heartbeat: notes that a program, this daemon, is up and the database, too. If the last one by
 * anybody is older than `gap`, the time between is an outage from then on. The reply tells how many
 * outages there were ever. */
void db_beat(struct db *db, db_id daemon, int64_t gap, db_beat_callback *done, void *context);

/* How many other daemons have had a heartbeat since a time. */
void db_get_daemons(struct db *db, db_id daemon, int64_t since, db_daemons_callback *done,
                    void *context);

/* The outages from number `after` + 1 on, in order; at most DB_OUTAGES_MAX. */
void db_get_outages(struct db *db, int32_t after, db_spans_callback *done, void *context);

#endif
