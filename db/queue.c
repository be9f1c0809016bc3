/* queue.c - requests, the queues that they wait in, and how a batch is taken. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum {
    CHUNK_REQUESTS = 256,
    BATCH_ROWS_MAX = 4096, /* rows that one statement reads or writes, so that none takes long */
    PATIENCE_US = 2000,
    PAUSE_US = 25 * 1000
};

struct chunk {
    struct chunk *next;
    struct db_request requests[CHUNK_REQUESTS];
};

static const struct db_error no_room = {DB_SQLSTATE_FULL, "too many requests are waiting"};
static const struct db_error no_time = {"", "no connection was free before the deadline"};
static const struct db_error closing = {"", "the database is being closed"};

/* ---- memory ---- */

static bool grow(struct db *db)
{
    struct chunk *chunk = calloc(1, sizeof(*chunk));
    if (!chunk)
        return false;
    chunk->next = db->chunks;
    db->chunks = chunk;
    for (size_t i = 0; i < CHUNK_REQUESTS; i++) {
        chunk->requests[i].next = db->free;
        db->free = &chunk->requests[i];
    }
    return true;
}

/* A request must end in a callback that is not called from here, so one that finds no memory for
 * its own note cannot be answered at all. What waits and what is on its way has its memory since
 * queue_open(): only a flood that is refused anyway comes here. */
struct db_request *queue_new_request(struct db *db, enum db_kind kind, const db_id *id,
                                     db_callback done, void *context)
{
    if (!db->free && !grow(db)) {
        db_log(db, DB_LOG_ERROR, "memory is out", "no room to refuse a request");
        abort();
    }
    struct db_request *request = db->free;
    db->free = request->next;
    request->next = NULL;
    request->kind = kind;
    request->share = db->settings.batch_max;
    request->deadline = db_monotonic_us() + (int64_t)db->settings.deadline_ms * 1000;
    request->id = *id;
    request->done = done;
    request->context = context;
    return request;
}

/* ---- queues ---- */

static void push(struct queue *queue, struct db_request *request)
{
    request->next = NULL;
    *queue->end = request;
    queue->end = &request->next;
}

static void push_front(struct queue *queue, struct db_request *request)
{
    request->next = queue->first;
    queue->first = request;
    if (!request->next)
        queue->end = &request->next;
}

/* Takes out the request that *at, a link of the queue, points to. */
static struct db_request *unlink_at(struct queue *queue, struct db_request **at)
{
    struct db_request *request = *at;
    *at = request->next;
    if (!*at)
        queue->end = at;
    return request;
}

static void clear(struct queue *queue)
{
    queue->first = NULL;
    queue->end = &queue->first;
}

void queue_submit(struct db *db, struct db_request *request)
{
    if (db->queued >= db->settings.queue_max) {
        push(&db->refused, request);
        return;
    }
    push(&db->queues[request->kind], request);
    db->queued++;
}

void queue_again(struct db *db, struct db_request *request)
{
    push_front(&db->queues[request->kind], request);
    db->queued++;
}

void queue_reply(struct db *db, struct db_request *request, struct db_reply *reply)
{
    db_callback done = request->done;
    void *context = request->context;

    request->next = db->free;
    db->free = request;
    db->stats.outcomes[reply->outcome]++;
    done(context, reply);
}

void queue_end(struct db *db, struct db_request *request, enum db_outcome outcome,
               const struct db_error *error)
{
    struct db_reply reply = {.outcome = outcome};
    if (error)
        reply.error = *error;
    queue_reply(db, request, &reply);
}

/* ---- taking a batch ---- */

static int by_game(const void *a, const void *b)
{
    const struct db_request *x = *(struct db_request *const *)a,
                            *y = *(struct db_request *const *)b;
    int order = memcmp(&x->id, &y->id, sizeof(x->id));
    return order ? order : (x->deadline > y->deadline) - (x->deadline < y->deadline);
}

static size_t rows_of(const struct db_request *request)
{
    switch (request->kind) {
    case KIND_APPEND:
    case KIND_JOIN:
    case KIND_CREATE:
        return request->write.count;
    case KIND_EVENTS:
    case KIND_MOVES:
    case KIND_KEYS:
        return (size_t)((int64_t)request->range.last - request->range.first + 1);
    case KIND_PUBLIC_GAMES:
        return request->list->nvariants * request->list->nstatuses * (size_t)request->list->limit;
    default:
        return 1;
    }
}

static void gather(struct db *db, struct queue *queue, struct batch *batch)
{
    uint32_t group = db_group_of(&queue->first->id);
    size_t most = db->settings.batch_max, rows = 0;

    for (struct db_request **at = &queue->first; *at;) {
        struct db_request *request = *at;
        if (db_group_of(&request->id) != group) {
            at = &request->next;
            continue;
        }
        if (request->share < most)
            most = request->share;
        rows += rows_of(request);
        if (batch->count >= most || (batch->count && rows > BATCH_ROWS_MAX))
            break;
        batch->members[batch->count++] = unlink_at(queue, at);
        db->queued--;
    }
}

/* Puts back every write but the first of each game: of two only one can be right about the version,
 * and within one statement the server would not say which. */
static void one_of_each_game(struct db *db, struct batch *batch)
{
    size_t kept = batch->count;
    for (size_t i = batch->count; i-- > 1;) {
        if (memcmp(&batch->members[i]->id, &batch->members[i - 1]->id, sizeof(db_id)) != 0)
            continue;
        queue_again(db, batch->members[i]);
        memmove(&batch->members[i], &batch->members[i + 1],
                (--kept - i) * sizeof(batch->members[0]));
    }
    batch->count = kept;
}

/* Sorted by game, so that those of one game are neighbours, the server goes through its index in
 * one direction, and answers are matched by a search. */
void queue_take(struct db *db, enum db_kind kind, struct batch *batch)
{
    batch->kind = kind;
    batch->count = 0;
    gather(db, &db->queues[kind], batch);
    qsort(batch->members, batch->count, sizeof(batch->members[0]), by_game);
    if (kinds_table[kind].write)
        one_of_each_game(db, batch);
    for (size_t i = 0; i < batch->count; i++)
        batch->ids[i] = batch->members[i]->id;
    batch_deadline(batch);
}

/* ---- a batch's members ---- */

size_t batch_find(const struct batch *batch, const void *id)
{
    size_t low = 0, high = batch->count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (memcmp(&batch->ids[middle], id, sizeof(db_id)) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < batch->count && memcmp(&batch->ids[low], id, sizeof(db_id)) == 0 ? low
                                                                                  : batch->count;
}

void batch_deadline(struct batch *batch)
{
    batch->deadline = INT64_MAX;
    for (size_t i = 0; i < batch->count; i++)
        if (batch->members[i] && batch->members[i]->deadline < batch->deadline)
            batch->deadline = batch->members[i]->deadline;
}

void batch_reply(struct db *db, struct batch *batch, size_t i, struct db_reply *reply)
{
    if (i >= batch->count || !batch->members[i])
        return;
    struct db_request *request = batch->members[i];
    batch->members[i] = NULL;
    queue_reply(db, request, reply);
}

void batch_end(struct db *db, struct batch *batch, size_t i, enum db_outcome outcome,
               const struct db_error *error)
{
    struct db_reply reply = {.outcome = outcome};
    if (error)
        reply.error = *error;
    batch_reply(db, batch, i, &reply);
}

/* ---- when to send ---- */

/* One statement of a kind at a time: while it is under way the next batch grows, and fewer and
 * larger batches are what costs least. But if it takes long, be it that the disk or a standby is
 * slow or that it waits for a lock, the next one goes out beside it on a connection that is free.
 * Of several connections writes leave one to the reads, and reads one to the writes. */
bool queue_may_send(const struct db *db, enum db_kind kind)
{
    const struct queue *queue = &db->queues[kind];
    unsigned most = db->settings.connections > 1 ? db->settings.connections - 1 : 1;

    return queue->first && queue->opens <= db->now &&
           (kinds_table[kind].write ? db->writing : db->reading) < most;
}

void queue_sent(struct db *db, enum db_kind kind)
{
    db->queues[kind].under_way++;
    db->queues[kind].opens = db->now + PATIENCE_US;
    ++*(kinds_table[kind].write ? &db->writing : &db->reading);
}

void queue_answered(struct db *db, enum db_kind kind)
{
    if (--db->queues[kind].under_way == 0)
        db->queues[kind].opens = 0;
    --*(kinds_table[kind].write ? &db->writing : &db->reading);
}

void queue_pause(struct db *db, enum db_kind kind)
{
    db->queues[kind].opens = db_monotonic_us() + PAUSE_US;
}

/* ---- deadlines ---- */

void queue_expire(struct db *db)
{
    struct db_request *refused = db->refused.first;
    clear(&db->refused);
    while (refused) {
        struct db_request *next = refused->next;
        queue_end(db, refused, DB_UNAVAILABLE, &no_room);
        refused = next;
    }
    for (int kind = 0; kind < DB_KINDS; kind++) {
        struct queue *queue = &db->queues[kind];
        while (queue->first && queue->first->deadline <= db->now) {
            db->queued--;
            queue_end(db, unlink_at(queue, &queue->first), DB_UNAVAILABLE, &no_time);
        }
    }
}

/* All requests have the same time to wait, so the first of a queue is the first to expire. A queue
 * that has opened since the last pass may find a connection; one that was open then found none. */
int64_t queue_deadline(const struct db *db)
{
    if (db->refused.first)
        return 0;
    int64_t deadline = INT64_MAX;
    for (int kind = 0; kind < DB_KINDS; kind++) {
        const struct queue *queue = &db->queues[kind];
        if (!queue->first)
            continue;
        if (queue->first->deadline < deadline)
            deadline = queue->first->deadline;
        if (queue->opens > db->now && queue->opens < deadline)
            deadline = queue->opens;
    }
    return deadline;
}

/* ---- from open to close ---- */

bool queue_open(struct db *db)
{
    size_t room = db->settings.queue_max;

    room += (size_t)db->settings.connections * db->settings.batch_max;
    clear(&db->refused);
    for (int kind = 0; kind < DB_KINDS; kind++)
        clear(&db->queues[kind]);
    for (size_t made = 0; made < room; made += CHUNK_REQUESTS)
        if (!grow(db))
            return false;
    return true;
}

/* Callbacks may still make requests, which end the same way. */
void queue_close(struct db *db)
{
    db->settings.queue_max = 0;
    for (int kind = 0; kind < DB_KINDS; kind++) {
        struct queue *queue = &db->queues[kind];
        while (queue->first)
            queue_end(db, unlink_at(queue, &queue->first), DB_UNAVAILABLE, &closing);
    }
    while (db->refused.first)
        queue_end(db, unlink_at(&db->refused, &db->refused.first), DB_UNAVAILABLE, &closing);
    while (db->chunks) {
        struct chunk *chunk = db->chunks;
        db->chunks = chunk->next;
        free(chunk);
    }
}
