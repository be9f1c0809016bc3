#include "api/duty/heartbeat.h"

#include <stdlib.h>
#include <string.h>

#include "api/http/reply_problem.h"
#include "api/loop/loop.h"
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

bool heartbeat_open(struct loop *loop)
{
    struct heartbeat *pulse = calloc(1, sizeof(*pulse));

    if (pulse == NULL)
        return false;
    *pulse = (struct heartbeat){.loop = loop,
                                .regular = loop->is_first,
                                .next = loop->now,
                                .known = INT64_MIN,
                                .stored = INT64_MIN};
    loop->own[PART_heartbeat] = pulse;
    return true;
}

void heartbeat_close(struct loop *loop)
{
    struct heartbeat *pulse = heartbeat_of(loop);
    free(pulse->gap);
    free(pulse);
}

/* Each that waited either goes on or is told what failed. Going on, it may wait again. */
static void end_beat(struct heartbeat *pulse, const struct db_reply *reply)
{
    struct waiter *waiter = pulse->waiting;

    pulse->under_way = false;
    pulse->waiting = NULL;
    pulse->next = pulse->loop->now + HEARTBEAT_EVERY_US;
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

static void keep_outages(struct heartbeat *pulse, const struct db_span *spans, size_t count)
{
    size_t old = (size_t)pulse->outages;

    pulse->gap = must_realloc(pulse->gap, (old + count) * sizeof(*pulse->gap));
    memcpy(pulse->gap + old, spans, count * sizeof(*pulse->gap));
    pulse->outages += (int32_t)count;
    pulse->loop->outages = pulse->gap;
}

/* All were read. Nobody sees a part of them: who credited that would hold it for the whole. */
static void know(struct heartbeat *pulse)
{
    pulse->loop->outages_count = (size_t)pulse->outages;
    pulse->known = pulse->asked;
}

static db_beat_callback on_beat;

static void on_outages(void *context, const struct db_reply *reply, const struct db_spans *spans)
{
    struct heartbeat *pulse = context;

    if (reply->outcome == DB_OK && spans->count > 0)
        keep_outages(pulse, spans->items, spans->count);
    if (reply->outcome == DB_OK && spans->count == DB_OUTAGES_MAX) {
        db_get_outages(pulse->loop->db, pulse->outages, on_outages, pulse);
        return;
    }
    if (reply->outcome == DB_OK)
        know(pulse);
    end_beat(pulse, reply);
}

static void on_beat(void *context, const struct db_reply *reply, const struct db_beat *beat)
{
    struct heartbeat *pulse = context;

    if (reply->outcome == DB_OK)
        pulse->stored = pulse->began;
    if (reply->outcome == DB_OK && beat->outages > pulse->outages) {
        db_get_outages(pulse->loop->db, pulse->outages, on_outages, pulse);
        return;
    }
    if (reply->outcome == DB_OK)
        know(pulse);
    end_beat(pulse, reply);
}

static void beat(struct heartbeat *pulse)
{
    pulse->under_way = true;
    pulse->began = pulse->loop->now;
    pulse->asked = db_now(pulse->loop->db);
    db_pulse(pulse->loop->db, pulse->loop->daemon, HEARTBEAT_OUTAGE_US, on_beat, pulse);
}

/* Without a connection a beat would only grow old. */
static bool may_beat(const struct heartbeat *pulse)
{
    return pulse->regular && !pulse->under_way && !pulse->loop->draining &&
           db_ready(pulse->loop->db);
}

void heartbeat_run(struct loop *loop)
{
    struct heartbeat *pulse = heartbeat_of(loop);
    if (may_beat(pulse) && pulse->loop->now >= pulse->next)
        beat(pulse);
}

int heartbeat_timeout_ms(const struct loop *loop)
{
    const struct heartbeat *pulse = heartbeat_of(loop);

    return may_beat(pulse) ? loop_ms_until(loop, pulse->next) : -1;
}

int64_t heartbeat_stored(const struct loop *loop)
{
    return heartbeat_of(loop)->stored;
}

enum step heartbeat_need(struct op *op, int64_t until)
{
    struct heartbeat *pulse = heartbeat_of(op->request->loop);
    struct waiter *waiter;

    if (pulse->known >= until)
        return STEP_GO;
    waiter = arena_alloc(&op->request->arena, sizeof(*waiter));
    *waiter = (struct waiter){op, pulse->waiting};
    pulse->waiting = waiter;
    op_wait(op->live);
    if (!pulse->under_way)
        beat(pulse);
    return STEP_LATER;
}
