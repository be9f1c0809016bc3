#include "api/duty/heartbeat.h"

#include <stdlib.h>
#include <string.h>

#include "api/loop/loop.h"
#include "api/loop/part.h"
#include "api/text/must.h"
#include "db/due.h"

/* An op that waits for a heartbeat. It lies in its request's arena. */
struct waiter {
    struct op *op;
    struct waiter *next;
};

struct heartbeat {
    struct loop *loop;
    bool regular;
    bool under_way;
    int64_t next;    /* when the next one is due, on loop->now */
    int64_t began;   /* when the one under way was asked for, on loop->now */
    int64_t stored;  /* the same of the last one that was stored */
    int64_t asked;   /* when the one under way was asked for, on the database's clock */
    int64_t known;   /* up to when all outages are known, on that clock */
    int32_t outages; /* that were read: the loop knows them when all were */
    struct db_span *gap;
    struct waiter *waiting;
};

static void heartbeat_open(struct loop *loop)
{
    struct heartbeat *heartbeat = must_zero(sizeof(*heartbeat));

    *heartbeat = (struct heartbeat){.loop = loop,
                                    .regular = loop->is_first,
                                    .next = loop->now,
                                    .known = INT64_MIN,
                                    .stored = INT64_MIN};
    loop->own[PART_heartbeat] = heartbeat;
}

static void heartbeat_close(struct loop *loop)
{
    struct heartbeat *heartbeat = heartbeat_of(loop);
    free(heartbeat->gap);
    free(heartbeat);
}

/* Each that waited either goes on or is told what failed. Going on, it may wait again. */
static void end_beat(struct heartbeat *heartbeat, const struct db_reply *reply)
{
    struct waiter *waiter = heartbeat->waiting;

    heartbeat->under_way = false;
    heartbeat->waiting = NULL;
    heartbeat->next = heartbeat->loop->now + HEARTBEAT_EVERY_US;
    while (waiter != NULL) {
        struct op *op = waiter->op;

        waiter = waiter->next; /* it ends with its request */
        if (reply->outcome == DB_OK) {
            op_resume(op->live);
        } else {
            op_refuse(op, reply);
            op_end(op);
        }
    }
}

static void keep_outages(struct heartbeat *heartbeat, const struct db_span *spans, size_t count)
{
    size_t old = (size_t)heartbeat->outages;

    heartbeat->gap = must_realloc(heartbeat->gap, (old + count) * sizeof(*heartbeat->gap));
    memcpy(heartbeat->gap + old, spans, count * sizeof(*heartbeat->gap));
    heartbeat->outages += (int32_t)count;
    heartbeat->loop->outages = heartbeat->gap;
}

/* All were read. Nobody sees a part of them: who credited that would hold it for the whole. */
static void know(struct heartbeat *heartbeat)
{
    heartbeat->loop->outages_count = (size_t)heartbeat->outages;
    heartbeat->known = heartbeat->asked;
}

static db_beat_callback on_beat;

static void on_outages(void *context, const struct db_reply *reply, const struct db_spans *spans)
{
    struct heartbeat *heartbeat = context;

    if (reply->outcome == DB_OK && spans->count > 0)
        keep_outages(heartbeat, spans->items, spans->count);
    if (reply->outcome == DB_OK && spans->count == DB_OUTAGES_MAX) {
        db_get_outages(heartbeat->loop->db, heartbeat->outages, on_outages, heartbeat);
        return;
    }
    if (reply->outcome == DB_OK)
        know(heartbeat);
    end_beat(heartbeat, reply);
}

static void on_beat(void *context, const struct db_reply *reply, const struct db_beat *beat)
{
    struct heartbeat *heartbeat = context;

    if (reply->outcome == DB_OK)
        heartbeat->stored = heartbeat->began;
    if (reply->outcome == DB_OK && beat->outages > heartbeat->outages) {
        db_get_outages(heartbeat->loop->db, heartbeat->outages, on_outages, heartbeat);
        return;
    }
    if (reply->outcome == DB_OK)
        know(heartbeat);
    end_beat(heartbeat, reply);
}

static void beat(struct heartbeat *heartbeat)
{
    heartbeat->under_way = true;
    heartbeat->began = heartbeat->loop->now;
    heartbeat->asked = db_now(heartbeat->loop->db);
    db_beat(heartbeat->loop->db, heartbeat->loop->daemon, HEARTBEAT_OUTAGE_US, on_beat, heartbeat);
}

/* Without a connection a beat would only grow old. */
static bool may_beat(const struct heartbeat *heartbeat)
{
    return heartbeat->regular && !heartbeat->under_way && !heartbeat->loop->draining &&
           db_ready(heartbeat->loop->db);
}

static void heartbeat_run(struct loop *loop)
{
    struct heartbeat *heartbeat = heartbeat_of(loop);
    if (may_beat(heartbeat) && heartbeat->loop->now >= heartbeat->next)
        beat(heartbeat);
}

static int heartbeat_timeout_ms(const struct loop *loop)
{
    const struct heartbeat *heartbeat = heartbeat_of(loop);

    return may_beat(heartbeat) ? loop_ms_until(loop, heartbeat->next) : -1;
}

int64_t heartbeat_stored(const struct loop *loop)
{
    return heartbeat_of(loop)->stored;
}

enum step heartbeat_need(struct op *op, int64_t until)
{
    struct heartbeat *heartbeat = heartbeat_of(op->request->loop);
    struct waiter *waiter;

    if (heartbeat->known >= until)
        return STEP_GO;
    waiter = arena_alloc(&op->request->arena, sizeof(*waiter));
    *waiter = (struct waiter){op, heartbeat->waiting};
    heartbeat->waiting = waiter;
    op_wait(op->live);
    if (!heartbeat->under_way)
        beat(heartbeat);
    return STEP_LATER;
}

const struct part heartbeat_part = {.open = heartbeat_open,
                                    .run = heartbeat_run,
                                    .timeout_ms = heartbeat_timeout_ms,
                                    .close = heartbeat_close};
