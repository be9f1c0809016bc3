/*
 * due.h - durable timers: rows of the table `due`, leased and done by whichever daemon comes first.
 *
 * A write whose state expires stores due work in the same commit (struct db_due). The first loop of
 * each daemon leases what is due, once a second and a few at a time, and hands each over to the
 * function of its kind, as a request that no client has sent. That function decides from the game
 * or player itself what is to be done, makes the usual guarded writes, and then settles the due
 * work (db_settle_due()): it is deleted, or moved. Then it answers the request. A lease names its
 * daemon. If that dies in between, its heartbeat stops (heartbeat.h), and another one, or the same
 * one after a restart, looks within a second or two; what was done already is not done again, since
 * there is nothing left to do. A daemon that only stood still may have lost its lease without
 * knowing, so keepers make guarded writes.
 *
 * A struct due belongs to its loop and that one's thread.
 */
#ifndef PLYD_API_DUTY_DUE_H
#define PLYD_API_DUTY_DUE_H

#include <stdbool.h>

#include "api/http/request.h"
#include "db/db.h"

struct due;
struct loop;

/* Does due work of a kind. `due` lives as long as the request. */
struct due_keeper {
    int kind; /* enum due_kind */
    void (*keep)(struct request *request, const struct db_due *due);
    bool takes_long; /* it bounds by itself how many there are at a time, so that they hold up no
                      * others */
};

/* The keepers of all kinds, in the files of what becomes due. */
#define DUE(number, kind, word, keep, takes_long) \
    void keep(struct request *request, const struct db_due *due);
#include "api/game/dues.def"
#undef DUE

/* `keepers` end with a kind of 0, and must outlive it. One kind may be left to other daemons
 * for good (`except`; 0: none). */
struct due *due_open(struct loop *loop, const struct due_keeper *keepers, int16_t except);

/* Frees it, after the loop's live games were closed. */
void due_close(struct loop *loop);

/* Due work of a kind is not leased until further notice, since its keeper has no room for as many
 * as may be leased at once; or it is again. */
void due_leave_out(struct due *due, int kind, bool out);

/* Something became due just now, so the next look need not wait. */
void due_soon(struct due *due);

/* The same, by any loop: the first one has all due work. */
void due_hurry(const struct loop *loop);

/* A loop has stored due work, at the time `now`. What is due already need not wait for the next
 * look of the first loop. */
void due_stored(const struct loop *loop, const struct db_due *dues, size_t count, int64_t now);

/* Other loops have written to loop->due_fd. */
void due_told(struct loop *loop);

/* Called in each pass of the loop. */
void due_run(struct loop *loop);

/* Milliseconds until due_run() has something to do; -1: any time. */
int due_timeout_ms(const struct loop *loop);

/* For keepers: a further request, for one of several things that are to be done. Once it is
 * answered, `done` is called in a later pass of the loop, and then it ends. */
struct request *due_request(struct request *keeping, void (*done)(void *context, struct request *),
                            void *context);

/* For keepers: has the due work settled, and answers the request. `at` DB_NEVER: nothing more is
 * due. */
void due_settle(struct request *request, const struct db_due *due, int64_t at);

/* The same for due work that was made anew meanwhile: it is looked at at once. */
void due_settle_anew(struct request *request, const struct db_due *due);

#endif
