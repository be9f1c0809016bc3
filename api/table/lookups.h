/*
 * lookups.h - what other loops and daemons have written to games that are followed: their versions
 * are looked up in the database.
 *
 * 256 games go into a statement. Each game is looked up twenty times a second if there are few,
 * else four times; with thousands of games less often, since there are at most forty such
 * statements a second. While nobody else is there (peers.h), each is looked up every ten seconds.
 * All of this belongs to one loop and its thread.
 */
#ifndef PLYD_API_TABLE_LOOKUPS_H
#define PLYD_API_TABLE_LOOKUPS_H

#include "api/table/channels.h"

struct loop;

struct lookups {
    struct loop *loop;
    struct channels *channels;
    int64_t last; /* when the last look was, or the first channel was made */
};

/* Called in each turn of the loop. */
void lookups_run(struct lookups *lookups);

/* The first channel was made: it need not be looked up at once. */
void lookups_begin(struct lookups *lookups);

/* When the next look is due; INT64_MAX: nobody follows a game. */
int64_t lookups_next(const struct lookups *lookups);

#endif
