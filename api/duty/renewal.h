/*
 * renewal.h - has games noted again whose positions an older program has noted.
 *
 * What is noted in `positions` says which meaning of keys it was made with (DB_POSITIONS_MADE). One
 * loop of each daemon deletes what is older in small steps of one short statement, which promises
 * in the same transaction to note those games again (positions.h), some fifty a second; with
 * nothing to do, it looks once a minute, since an older daemon may still be noting. Any number of
 * daemons may do so at once, and one that dies leaves nothing half done. Until a game's promise is
 * kept, it is not found by its positions; a wrong one never is, since older keys are no newer ones.
 * A struct renewal belongs to its loop and that one's thread.
 */
#ifndef PLYD_API_DUTY_RENEWAL_H
#define PLYD_API_DUTY_RENEWAL_H

#include <stdbool.h>

struct loop;

/* False if memory is out. */
bool renewal_open(struct loop *loop);

/* Frees it, after the loop's db was closed. */
void renewal_close(struct loop *loop);

/* Called in each pass of the loop: begins the next step when its time has come. */
void renewal_run(struct loop *loop);

/* Milliseconds until renewal_run() has something to do; -1: a step is under way. */
int renewal_timeout_ms(const struct loop *loop);

#endif
