#include "api/live/cache.h"

#include <stdlib.h>
#include <string.h>

#include "api/loop/loop.h"
#include "api/text/must.h"

/* ---- finding and keeping live games ---- */

/* Only for a live game that nothing points to: not busy, and without ops. */
void cache_forget(struct live_game *live)
{
    struct cache *cache = live->cache;

    map_take(&cache->by_id, &live->link);
    TAILQ_REMOVE(&cache->used, live, use);
    live_free(live);
}

/* Drops the live games that were not used for longest. One that is busy, or at which there is an
 * op, has to stay: that and db's callback point to it. If all are in use, there are more than the
 * limit for a while, which the bound of connections holds back. */
static void make_cache_room(struct cache *cache)
{
    struct live_game *live, *newer;

    for (live = TAILQ_FIRST(&cache->used); live != NULL && cache->by_id.count >= cache->limit;
         live = newer) {
        newer = TAILQ_NEXT(live, use);
        if (!live->busy && live->head == NULL)
            cache_forget(live);
    }
}

/* A new live game has confirmed nothing: INT64_MIN is before the arrival of any request. Each use
 * moves a live game to the end of the list, so make_cache_room() begins at the front. */
struct live_game *cache_find(struct cache *cache, db_id id)
{
    struct live_game *live = map_find(&cache->by_id, &id);

    if (live == NULL) {
        make_cache_room(cache);
        live = must_zero(sizeof(*live));
        live->cache = cache;
        live->row.id = id;
        live->confirmed = INT64_MIN;
        map_put(&cache->by_id, &live->link, &live->row.id, live);
    } else {
        TAILQ_REMOVE(&cache->used, live, use);
    }
    TAILQ_INSERT_TAIL(&cache->used, live, use);
    return live;
}

/* It is only marked: an op may be at it, and reads the row in its next run. A write that is under
 * way needs no more, since the statement compares versions itself. A lower version is old news, of
 * an answer that was under way while this loop wrote. */
void cache_outdate(struct cache *cache, db_id id, int32_t version)
{
    struct live_game *live = map_find(&cache->by_id, &id);

    if (live != NULL && live->row.version < version)
        live->loaded = false;
}

void cache_note_hooks(struct cache *cache, db_id id, int16_t hooks)
{
    struct live_game *live = map_find(&cache->by_id, &id);

    if (live != NULL)
        live->row.hooks = hooks;
}

size_t cache_count(const struct cache *cache)
{
    return cache->by_id.count;
}

struct cache *cache_open(struct loop *loop, size_t limit, int64_t patience, cache_on_news *on_news,
                         enum step (*settle)(struct op *op))
{
    struct cache *cache = must_zero(sizeof(*cache));

    cache->loop = loop;
    cache->limit = limit;
    cache->patience = patience;
    cache->on_news = on_news;
    cache->settle = settle;
    TAILQ_INIT(&cache->used);
    map_open(&cache->by_id, sizeof(db_id), limit);
    return cache;
}

void cache_close(struct cache *cache)
{
    while (!TAILQ_EMPTY(&cache->used))
        cache_forget(TAILQ_FIRST(&cache->used));
    map_close(&cache->by_id);
    free(cache);
}
