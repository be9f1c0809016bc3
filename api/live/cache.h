/*
 * cache.h - the games that a loop holds in memory, by their ids.
 *
 * The most recently used games stay, up to a limit; the others are read again when somebody asks
 * for them. A struct cache belongs to one loop and its thread.
 */
#ifndef PLYD_API_LIVE_CACHE_H
#define PLYD_API_LIVE_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "api/live/live_game.h"

struct loop;

/* How a step of an op ended, or a part of one (op.h). Only parts end with STEP_GO, and the step
 * goes on; after anything else the step returns at once what its part returned. */
enum step { STEP_GO, STEP_LATER, STEP_OVER };

/* A live game turns out to be, or has become, another version than before. `write` is what this
 * loop wrote to it, and the live game is as it is after that; NULL: others did, and the live game
 * is not read anew yet. */
typedef void cache_on_news(struct live_game *live, int32_t version, const struct live_write *write);

struct cache {
    struct loop *loop;
    int64_t patience;                   /* for op.c: how long an op may take in all */
    cache_on_news *on_news;             /* for op.c */
    enum step (*settle)(struct op *op); /* as well: its deadline has passed */

    /* Private to cache.c. */
    struct map by_id;
    size_t limit;
    TAILQ_HEAD(, live_game) used; /* the one that was used last comes last */
};

/* Makes room for `limit` games. An op that has waited longer than `patience` microseconds to
 * run is refused. `settle` is part of a run at a game whose deadline has passed: it writes
 * what follows, and returns STEP_GO if nothing does. */
struct cache *cache_open(struct loop *loop, size_t limit, int64_t patience, cache_on_news *on_news,
                         enum step (*settle)(struct op *op));

/* Frees all live games. No op may be at any of them. */
void cache_close(struct cache *cache);

/* How many games are in memory. */
size_t cache_count(const struct cache *cache);

/* The live game of a game, which is the most recently used one from now on. If it is not in memory,
 * it is made with nothing but its id. The next call may drop it, unless an op is at it by then. */
struct live_game *cache_find(struct cache *cache, db_id id);

/* Drops a live game at which there is no op. */
void cache_forget(struct live_game *live);

/* The game is at this version by now, at least: a live game that is not is read anew before the
 * next run at it. */
void cache_outdate(struct cache *cache, db_id id, int32_t version);

/* The seats whose players may have webhooks (struct db_game): they change without a version. */
void cache_note_hooks(struct cache *cache, db_id id, int16_t hooks);

#endif
