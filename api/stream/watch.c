#include "api/stream/watch.h"

#include <assert.h>

#include "api/live/other_writers.h"
#include "api/loop/loop.h"

void watch_init(struct watch *watch, struct loop *loop, const struct watch_pace *pace,
                void (*look)(void *of))
{
    *watch = (struct watch){.loop = loop, .pace = pace, .look = look};
    TAILQ_INIT(&watch->ring);
}

/* An empty ring has kept an old time. Without a new one the first thing would be looked at at once,
 * though whoever puts it in has just read it. */
void watch_in(struct watch *watch, struct watched *watched, void *of)
{
    watched->of = of;
    TAILQ_INSERT_TAIL(&watch->ring, watched, place);
    if (watch->count++ == 0)
        watch->looked = watch->loop->now;
}

void watch_out(struct watch *watch, struct watched *watched)
{
    TAILQ_REMOVE(&watch->ring, watched, place);
    assert(watch->count > 0);
    watch->count--;
}

void watch_instead(struct watch *watch, struct watched *gone, struct watched *watched, void *of)
{
    watched->of = of;
    TAILQ_INSERT_BEFORE(gone, watched, place);
    TAILQ_REMOVE(&watch->ring, gone, place);
}

/* From one look to the next. More things than fit into one look have several looks in the same
 * time, so that each still has its turn as often; `least_us` then bounds the statements, and each
 * has its turn less often.
 *
 * other_writers_alone() also notes that somebody wants to know, and other_writers_run() asks for
 * heartbeats only then. So it is called even where its answer would change nothing. */
static int64_t interval(const struct watch *watch)
{
    const struct watch_pace *pace = watch->pace;
    int64_t us = watch->count <= pace->few ? pace->few_us : pace->many_us;

    if (!pace->steady && other_writers_alone(other_writers_of(watch->loop)))
        us = OTHER_WRITERS_SELDOM_US;
    if (watch->count > pace->at_once)
        us = us * (int64_t)pace->at_once / (int64_t)watch->count;
    if (us < pace->least_us)
        us = pace->least_us;
    return us < watch->rest_us ? watch->rest_us : us;
}

int64_t watch_round_us(const struct watch *watch)
{
    size_t at_once = watch->pace->at_once;

    if (watch->count <= at_once)
        return interval(watch);
    return interval(watch) * (int64_t)watch->count / (int64_t)at_once;
}

int64_t watch_next(const struct watch *watch)
{
    return watch->count == 0 ? INT64_MAX : watch->looked + interval(watch);
}

void watch_run(struct watch *watch)
{
    size_t n = watch->count < watch->pace->at_once ? watch->count : watch->pace->at_once;

    if (watch_next(watch) > watch->loop->now)
        return;
    watch->looked = watch->loop->now;
    /* Before the looks: their answers may raise it for the time until the next one. */
    watch->rest_us = 0;
    for (; n > 0; n--) {
        /* It goes to the end before it is looked at, and no answer comes within look() (db.h): so
         * nothing leaves the ring in this loop, and nothing is looked at twice. */
        struct watched *next = TAILQ_FIRST(&watch->ring);

        TAILQ_REMOVE(&watch->ring, next, place);
        TAILQ_INSERT_TAIL(&watch->ring, next, place);
        watch->look(next->of);
    }
}
