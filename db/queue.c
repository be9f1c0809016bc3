/* queue.c - requests, and the queues in which they wait. */
#include "queue.h"

#include <assert.h>
#include <stdlib.h>

#include "internal.h"

enum {
    CHUNK_REQUESTS = 256,
    REQUEST_BYTES = 128,       /* of a request that sends little more than an id */
    LANE_BYTES_MAX = 16 << 20, /* that may wait in a lane, unless a single request has more */
    PATIENCE_US = 2000,  /* after this a statement is slow, and the next one goes out beside it */
    PAUSE_US = 25 * 1000 /* of queue_pause() and queue_rest_request() */
};

struct chunk {
    struct chunk *next;
    struct db_request requests[CHUNK_REQUESTS];
};

static const struct db_error no_room = {DB_SQLSTATE_FULL, "too much is waiting"};
static const struct db_error no_time = {"", "no connection was free before the deadline"};

/* ---- memory ---- */

/* In chunks, and never given back before the end: what was needed once is needed again. */
static bool grow_queue(struct db *db)
{
    struct chunk *chunk = calloc(1, sizeof(*chunk));
    if (chunk == NULL)
        return false;
    chunk->next = db->chunks;
    db->chunks = chunk;
    for (size_t i = 0; i < CHUNK_REQUESTS; i++) {
        chunk->requests[i].next = db->free;
        db->free = &chunk->requests[i];
    }
    return true;
}

/* A request is answered by its callback, and never from here (db.h). One that finds no memory for
 * its own place cannot be answered at all, so the program ends. That takes a flood: what may wait
 * and what may be under way has its memory since queue_open(), and only requests that will be
 * refused need more. */
struct db_request *queue_new(struct db *db, enum db_kind kind, const db_id *id, struct takes done,
                             void *context)
{
    if (db->free == NULL && !grow_queue(db)) {
        db_log(db, DB_LOG_ERROR, "memory is out", "no room to refuse a request");
        abort();
    }
    struct db_request *request = db->free;
    db->free = request->next;
    request->next = NULL;
    request->kind = kind;
    request->share = db->settings.batch_max;
    request->rows = 1;
    request->bytes = REQUEST_BYTES;
    request->rests_until = 0;
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
    if (request->next == NULL)
        queue->end = &request->next;
}

static struct db_request *unlink_at(struct queue *queue, struct db_request **at)
{
    struct db_request *request = *at;
    *at = request->next;
    if (*at == NULL)
        queue->end = at;
    return request;
}

static void clear_queue(struct queue *queue)
{
    queue->bytes = 0;
    queue->first = NULL;
    queue->end = &queue->first;
}

/* Only writes can be large: a read sends little, and what it reads is bounded by rows. A large
 * write shares no batch, so its lane may hold requests of several kinds. */
static void choose_lane(const struct db *db, struct db_request *request)
{
    bool large = db->kinds[request->kind].write && request->bytes > QUEUE_LARGE_BYTES;

    request->lane = large ? LANE_LARGE : request->kind;
    if (large)
        request->share = 1;
}

/* Each lane has its own measure of bytes: however much waits in the large one, moves are let in. An
 * empty lane takes any request, or one with more bytes than the measure would never be sent. */
static bool has_queue_room(const struct db *db, const struct db_request *request)
{
    const struct queue *queue = &db->queues[request->lane];

    return db->queued < db->settings.queue_max &&
           (queue->first == NULL || queue->bytes + request->bytes <= LANE_BYTES_MAX);
}

/* A request that is refused waits for the next pass all the same: no callback comes from the
 * function that makes the request. */
void queue_submit(struct db *db, struct db_request *request)
{
    choose_lane(db, request);
    if (!has_queue_room(db, request)) {
        push(&db->refused, request);
        return;
    }
    push(&db->queues[request->lane], request);
    db->queues[request->lane].bytes += request->bytes;
    db->queued++;
}

struct db_request *queue_take(struct db *db, unsigned lane, struct db_request **at)
{
    struct queue *queue = &db->queues[lane];
    struct db_request *request = unlink_at(queue, at);

    queue->bytes -= request->bytes;
    assert(db->queued > 0);
    db->queued--;
    return request;
}

/* It goes back even if the queues are full by now, for it was let in once. The front is its place:
 * it is older than those that wait, and queue_expire() relies on that order. */
void queue_again(struct db *db, struct db_request *request)
{
    push_front(&db->queues[request->lane], request);
    db->queues[request->lane].bytes += request->bytes;
    db->queued++;
}

void queue_again_as(struct db *db, struct db_request *request, enum db_kind kind)
{
    request->kind = kind;
    choose_lane(db, request);
    queue_again(db, request);
}

/* ---- replies ---- */

/* What a read tells when there is nothing. */
static const union {
#define DB_REPLY(name, type) type name;
#include "replies.def"
} nothing;

static void call(const struct takes *done, void *context, const struct db_reply *reply,
                 const struct tells *what)
{
    assert(what == NULL || what->type == done->type);
    switch (done->type) {
    case REPLY_done:
        done->done(context, reply);
        break;
#define DB_REPLY(name, type)                                                   \
    case REPLY_##name:                                                         \
        done->name(context, reply, what == NULL ? &nothing.name : what->name); \
        break;
#include "replies.def"
    }
}

/* The request is free before its callback runs, for that often makes the next one. */
static void end_queued(struct db *db, struct db_request *request, const struct db_reply *reply,
                       const struct tells *what)
{
    struct takes done = request->done;
    void *context = request->context;

    request->next = db->free;
    db->free = request;
    db->stats.outcomes[reply->outcome]++;
    call(&done, context, reply, what);
}

void queue_reply(struct db *db, struct db_request *request, const struct tells *what)
{
    end_queued(db, request, &(struct db_reply){.outcome = DB_OK}, what);
}

void queue_end(struct db *db, struct db_request *request, enum db_outcome outcome,
               const struct db_error *error)
{
    struct db_reply reply = {.outcome = outcome};

    if (outcome == DB_OK && request->done.type == REPLY_done)
        reply.stored = request->bytes;
    if (error != NULL)
        reply.error = *error;
    end_queued(db, request, &reply, NULL);
}

/* ---- when to send ---- */

/* Counts a statement of a lane that was sent (1) or answered (-1). Those of the large lane are left
 * out of `writing`: the others are sent as if its connection were not there (queue_may_send()). */
static void count_queued(struct db *db, unsigned lane, unsigned part, int by)
{
    db->queues[lane].under_way += (unsigned)by;
    if (lane == LANE_LARGE)
        return;
    *(db->kinds[lane].write ? &db->writing : &db->reading) += (unsigned)by;
    db->at_part[part] += (unsigned)by;
}

unsigned queue_worker(const struct db *db, const struct db_request *request)
{
    return db->kinds[request->kind].everywhere ? 0 : shards_worker(&db->shards, &request->id);
}

/* How many statements of a lane may be under way. */
static unsigned most_at_once(const struct db *db)
{
    unsigned connections = db->settings.connections - db->queues[LANE_LARGE].under_way;

    return connections > 1 ? connections - 1 : 1;
}

/* Two at least, or a game that somebody has locked would hold up all others of its worker. */
static bool has_queue_part(const struct db *db, unsigned lane, const struct db_request *request)
{
    unsigned share = most_at_once(db) / 2;

    return db->shards.count == 0 || lane == LANE_LARGE ||
           db->at_part[queue_worker(db, request)] < (share > 2 ? share : 2);
}

/* Requests that rest were put back to the front, so there are few to pass over. Of a worker that
 * has its share of connections there may be as many as wait at most. */
const struct db_request *queue_next(const struct db *db, unsigned lane)
{
    const struct db_request *request = db->queues[lane].first;

    while (request != NULL &&
           (request->rests_until > db->now || !has_queue_part(db, lane, request)))
        request = request->next;
    return request;
}

/* One statement of a kind at a time: while it is under way the next batch grows, and fewer and
 * larger batches cost least. But if it takes long, because a disk or a standby is slow or because
 * it waits for a lock, the next one goes out beside it on a free connection. Of the connections
 * that carry no large write, writes always leave one of several to the reads, and reads leave one
 * to the writes. */
bool queue_may_send(const struct db *db, unsigned lane)
{
    const struct queue *queue = &db->queues[lane];
    unsigned most = most_at_once(db);

    if (queue->next_at > db->now || queue_next(db, lane) == NULL)
        return false;
    /* The large one is a write as well, and must leave a connection to the reads. */
    if (lane == LANE_LARGE)
        return queue->under_way == 0 && db->writing < most;
    return (db->kinds[lane].write ? db->writing : db->reading) < most;
}

void queue_sent(struct db *db, unsigned lane, unsigned part)
{
    db->queues[lane].next_at = db->now + PATIENCE_US;
    count_queued(db, lane, part, 1);
}

/* Once none is under way, there is no slow statement for whose sake the next batch would wait. This
 * ends a pause of the lane, too, so a caller that wants one asks for it afterwards (exchange.c). */
void queue_answered(struct db *db, unsigned lane, unsigned part)
{
    count_queued(db, lane, part, -1);
    if (db->queues[lane].under_way == 0)
        db->queues[lane].next_at = 0;
}

void queue_pause(struct db *db, unsigned lane)
{
    db->queues[lane].next_at = db_monotonic_us() + PAUSE_US;
}

/* A pause that is longer stays as it is. */
void queue_rest(struct db *db, unsigned lane, int64_t us)
{
    int64_t until = db_monotonic_us() + us;

    if (until > db->queues[lane].next_at)
        db->queues[lane].next_at = until;
}

void queue_rest_request(struct db_request *request)
{
    request->rests_until = db_monotonic_us() + PAUSE_US;
}

/* ---- deadlines ---- */

/* The list is emptied first: a callback may make a request that is refused too, and that one is for
 * the next pass, or this would never end. */
static void end_refused(struct db *db)
{
    struct db_request *refused = db->refused.first;

    clear_queue(&db->refused);
    while (refused != NULL) {
        struct db_request *next = refused->next;
        queue_end(db, refused, DB_UNAVAILABLE, &no_room);
        refused = next;
    }
}

/* All requests have the same time to wait, so the first of a queue is the first to expire, but for
 * those that were put back together, which are only moments apart. */
void queue_expire(struct db *db)
{
    end_refused(db);
    for (unsigned lane = 0; lane < LANES; lane++) {
        struct queue *queue = &db->queues[lane];
        while (queue->first != NULL && queue->first->deadline <= db->now)
            queue_end(db, queue_take(db, lane, &queue->first), DB_UNAVAILABLE, &no_time);
    }
}

/* A queue that has opened since the last pass, or a request that has rested, may find a connection.
 * One that was open then found none, and only an event can change that. */
int64_t queue_deadline(const struct db *db)
{
    int64_t deadline = INT64_MAX;

    if (db->refused.first != NULL)
        return 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        const struct queue *queue = &db->queues[lane];
        if (queue->first == NULL)
            continue;
        if (queue->first->deadline < deadline)
            deadline = queue->first->deadline;
        if (queue->next_at > db->now && queue->next_at < deadline)
            deadline = queue->next_at;
        for (const struct db_request *request = queue->first;
             request != NULL && request->rests_until > db->now; request = request->next)
            if (request->rests_until < deadline)
                deadline = request->rests_until;
    }
    return deadline;
}

/* ---- from open to close ---- */

/* Beside what may wait, each connection may have a full batch under way, which can go back to the
 * queues. So the requests for all of that are there from the beginning. */
bool queue_open(struct db *db)
{
    size_t capacity = db->settings.queue_max;

    capacity += (size_t)db->settings.connections * db->settings.batch_max;
    clear_queue(&db->refused);
    for (unsigned lane = 0; lane < LANES; lane++)
        clear_queue(&db->queues[lane]);
    for (size_t made = 0; made < capacity; made += CHUNK_REQUESTS)
        if (!grow_queue(db))
            return false;
    return true;
}

/* Callbacks may still make requests. With a queue_max of 0 those are refused, and end here too. */
void queue_close(struct db *db)
{
    db->settings.queue_max = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        struct queue *queue = &db->queues[lane];
        while (queue->first != NULL)
            queue_end(db, queue_take(db, lane, &queue->first), DB_UNAVAILABLE, &db_closing);
    }
    while (db->refused.first != NULL)
        queue_end(db, unlink_at(&db->refused, &db->refused.first), DB_UNAVAILABLE, &db_closing);
    while (db->chunks != NULL) {
        struct chunk *chunk = db->chunks;
        db->chunks = chunk->next;
        free(chunk);
    }
}
