#include "api/duty/due.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "api/duty/heartbeat.h"
#include "api/game/ids.h"
#include "api/game/words.h"
#include "api/http/reply.h"
#include "api/live/ask.h"
#include "api/loop/log.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/text/must.h"
#include "db/due.h"

/* The pause between two looks at the list, and how long a daemon that is up may take for what it
 * leased. */
enum { PAUSE_US = 1000 * 1000, LEASE_US = 30 * 1000 * 1000 };

/* An internal request. It is freed one pass of the loop after its answer, because the code that
 * answers still reads it. */
struct internal_request {
    struct request *request;
    struct db_due due;               /* kind 0: it is a part of other due work */
    const struct due_keeper *keeper; /* of that */
    struct db_due anew;              /* the same, which was claimed again meanwhile; or kind 0 */
    void (*done)(void *context, struct request *request);
    void *context;
    bool over;
    struct internal_request *next;
};

struct due {
    struct loop *loop;
    const struct due_keeper *keepers;
    int32_t kinds;    /* that this daemon does, as bits: 1 << kind */
    int32_t left_out; /* those that have no room now */
    struct request_pool pool;
    struct internal_request *internal_requests;
    size_t begun;   /* due work, but what takes long */
    bool some_over; /* internal requests that can be ended */
    int64_t next;   /* on loop->now */
    bool under_way;
    bool soon;       /* something became due since the claim that is under way */
    int64_t lease;   /* until when, by the last claim */
    int64_t unheard; /* the first such time of the claims that nobody told the outcome of */

    /* Leased, and not kept because the database or room was missing: tried again at the next look.
     */
    struct db_due failed[DB_DUE_MAX];
    size_t nfailed;
};

/* A later version of plyd may store due work that this one does not know; it is not ours to lease.
 */
static int32_t kinds_of(const struct due_keeper *keepers, int16_t except)
{
    int32_t kinds = 0;

    for (; keepers->kind != 0; keepers++)
        if (keepers->kind != except)
            kinds |= 1 << keepers->kind;
    return kinds;
}

struct due *due_open(struct loop *loop, const struct due_keeper *keepers, int16_t except)
{
    struct due *due = must_zero(sizeof(*due));

    *due = (struct due){.loop = loop,
                        .keepers = keepers,
                        .kinds = kinds_of(keepers, except),
                        .next = loop->now,
                        .unheard = DB_NEVER};
    return due;
}

/* ---- a request that no client has sent ---- */

static const char *no_header(const struct request *request, const char *name)
{
    (void)request;
    (void)name;
    return NULL;
}

static const char *no_header_list(struct request *request, const char *name)
{
    (void)request;
    (void)name;
    return NULL;
}

static bool no_peer(const struct request *request, struct quota_address *address)
{
    (void)request;
    (void)address;
    return false;
}

static int no_socket(const struct request *request)
{
    (void)request;
    return -1;
}

/* A worker's answer is told once more, when the request is the loop's again. */
static void answered(struct request *request)
{
    struct internal_request *internal = request->connection;

    if (request->offloaded)
        return;
    internal->over = true;
    due_of(request->loop)->some_over = true;
}

static bool cannot_park(struct request *request)
{
    (void)request;
    return false;
}

static void no_unpark(struct request *request)
{
    (void)request;
}

static const struct request_source source = {no_header, no_header_list, no_peer,  no_socket,
                                             answered,  cannot_park,    no_unpark};

static struct internal_request *new_internal_request(struct due *due)
{
    struct request *request = request_new(&due->pool);
    struct internal_request *internal = arena_zero(&request->arena, sizeof(*internal));

    internal->request = request;
    internal->next = due->internal_requests;
    due->internal_requests = internal;
    request->source = &source;
    request->connection = internal;
    request->loop = due->loop;
    request->method = METHOD_POST;
    request->route_number = METRICS_NO_ROUTE;
    request->path = request->query = "";
    request->arrived = due->loop->now;
    return internal;
}

struct request *due_request(struct request *keeping, void (*done)(void *context, struct request *),
                            void *context)
{
    struct internal_request *internal = new_internal_request(due_of(keeping->loop));

    internal->done = done;
    internal->context = context;
    return internal->request;
}

/* Tells how much is due and for how long. What takes long has numbers of its own. */
static void tell_late(const struct due *due)
{
    struct metrics *metrics = &due->loop->metrics;
    int64_t oldest = INT64_MAX;
    uint64_t count = 0;

    for (const struct internal_request *internal = due->internal_requests; internal != NULL;
         internal = internal->next) {
        if (internal->due.kind == 0 || internal->keeper->takes_long)
            continue;
        oldest = internal->due.at < oldest ? internal->due.at : oldest;
        count++;
    }
    metrics_set(&metrics->due, count);
    metrics_set(&metrics->due_since_us,
                count == 0 ? 0 : (uint64_t)(due->loop->now - (db_now(due->loop->db) - oldest)));
}

static void keep_due_work(struct due *due, const struct db_due *what);

/* Webhooks and tasks may be another daemon's by now, and come again when their lease ends; so does
 * what finds no place here. */
static void note_failure(struct due *due, const struct internal_request *internal)
{
    enum { NOT_NOW = 503 };

    bool is_anothers = internal->keeper->takes_long && internal->due.kind != DUE_OPPONENT;

    if (internal->request->reply.status == NOT_NOW && !is_anothers && due->nfailed < DB_DUE_MAX)
        due->failed[due->nfailed++] = internal->due;
}

/* What is leased here, and what has become of it, in the log. */
static void log_due(const struct internal_request *internal, const char *event, const char *what)
{
    char id[IDS_TEXT];

    if (!log_enabled(LOG_DEBUG) || internal->due.kind == 0)
        return;
    ids_text(internal->due.id, id);
    log_event(LOG_DEBUG, event, "kind", words_due(internal->due.kind), "id", id, "what", what,
              NULL);
}

static const char *end_of(const struct internal_request *internal)
{
    if (!internal->over)
        return "given up";
    return internal->request->reply.status < 400 ? "done" : "failed";
}

/* Whoever is told may begin another internal, which then stands first. */
static void end_internal_request(struct due *due, struct internal_request *internal)
{
    struct db_due anew = internal->anew;
    bool over = internal->over;

    log_due(internal, "due-end", end_of(internal));
    if (internal->due.kind != 0 && !internal->keeper->takes_long) {
        assert(due->begun > 0);
        due->begun--;
    }
    if (internal->due.kind != 0 && over)
        metrics_add(&due->loop->metrics.due_kept[internal->request->reply.status >= 400], 1);
    if (internal->due.kind != 0 && over && anew.kind == 0)
        note_failure(due, internal);
    if (internal->done != NULL && over)
        internal->done(internal->context, internal->request);
    request_end(&due->pool, internal->request);
    if (anew.kind != 0 && over)
        keep_due_work(due, &anew);
}

static void end_internal_requests(struct due *due, bool all)
{
    struct internal_request **at = &due->internal_requests;

    if (!all && !due->some_over)
        return;

    due->some_over = false;
    while (*at != NULL) {
        struct internal_request *internal = *at;

        if (all || internal->over) {
            *at = internal->next;
            internal->over &= !all;
            end_internal_request(due, internal);
        } else {
            at = &internal->next;
        }
    }
    if (!all)
        tell_late(due);
}

void due_close(struct loop *loop)
{
    struct due *due = due_of(loop);
    if (due == NULL)
        return;
    end_internal_requests(due, true);
    request_pool_free(&due->pool);
    free(due);
}

/* ---- claiming ---- */

/* The internal that looks at the same already, for older due work; or NULL. */
static struct internal_request *find_internal_request(struct due *due, const struct db_due *what)
{
    for (struct internal_request *internal = due->internal_requests; internal != NULL;
         internal = internal->next)
        if (internal->due.kind == what->kind &&
            memcmp(&internal->due.id, &what->id, sizeof(what->id)) == 0)
            return internal;
    return NULL;
}

/* There is one: no other kinds are leased. */
static const struct due_keeper *find_keeper(const struct due *due, int kind)
{
    const struct due_keeper *keeper = due->keepers;

    while (keeper->kind != kind)
        keeper++;
    return keeper;
}

/* What is not kept now comes again when its lease ends. */
static void keep_due_work(struct due *due, const struct db_due *what)
{
    const struct due_keeper *keeper = find_keeper(due, what->kind);
    struct internal_request *internal;

    internal = find_internal_request(due, what);
    if (internal != NULL) {
        internal->anew = *what;
        return;
    }
    internal = new_internal_request(due);
    internal->due = *what;
    internal->keeper = keeper;
    due->begun += !keeper->takes_long;
    log_due(internal, "due-begin", "leased");
    keeper->keep(internal->request, &internal->due);
}

static void try_again(struct due *due)
{
    size_t count = due->nfailed;

    due->nfailed = 0;
    for (size_t i = 0; i < count; i++)
        keep_due_work(due, &due->failed[i]);
}

/* The next claim brings what one whose outcome is unknown may have leased. Otherwise that waited
 * until its lease ends. */
static void note_outcome(struct due *due, enum db_outcome outcome)
{
    if (outcome == DB_OK)
        due->unheard = DB_NEVER;
    else if (outcome == DB_UNKNOWN && due->lease < due->unheard)
        due->unheard = due->lease;
}

static void on_claimed(void *context, const struct db_reply *reply,
                       const struct db_claimed *claimed)
{
    struct due *due = context;
    bool more = reply->outcome == DB_OK && claimed->count == DB_DUE_MAX;

    due->under_way = false;
    due->next = due->loop->now + (more || due->soon ? 0 : PAUSE_US);
    due->soon = false;
    note_outcome(due, reply->outcome);
    if (reply->outcome != DB_OK)
        return;
    for (size_t i = 0; i < claimed->count; i++)
        keep_due_work(due, &claimed->items[i]);
    if (claimed->count > 0)
        tell_late(due);
}

void due_soon(struct due *due)
{
    due->next = due->loop->now;
    due->soon = due->under_way;
}

void due_leave_out(struct due *due, int kind, bool out)
{
    int32_t bit = 1 << kind;

    if (out)
        due->left_out |= bit;
    else if ((due->left_out & bit) != 0) {
        due->left_out &= ~bit;
        due_soon(due);
    }
}

void due_hurry(const struct loop *loop)
{
    if (due_of(loop) != NULL)
        due_soon(due_of(loop));
    else if (loop->due_fd > 0)
        eventfd_write(loop->due_fd, 1);
}

void due_stored(const struct loop *loop, const struct db_due *dues, size_t count, int64_t now)
{
    for (size_t i = 0; i < count; i++)
        if (dues[i].at <= now)
            due_hurry(loop);
}

void due_told(struct loop *loop)
{
    struct due *due = due_of(loop);
    eventfd_t times;

    eventfd_read(due->loop->due_fd, &times);
    due_soon(due);
}

/* Some due work takes long, as a player may have many games. So the next ones are claimed when
 * there is room for as many as are claimed at once, and there are never more than twice these.
 * Without a connection a claim would only grow old. */
static bool may_claim(const struct due *due)
{
    return !due->under_way && due->begun <= DB_DUE_MAX && !due->loop->draining &&
           db_ready(due->loop->db);
}

void due_run(struct loop *loop)
{
    struct due *due = due_of(loop);
    int64_t now;

    end_internal_requests(due, false);
    if (!may_claim(due) || loop->now < due->next)
        return;
    try_again(due);
    due->under_way = true;
    now = db_now(loop->db);
    due->lease = now + LEASE_US;
    db_claim_due(loop->db,
                 &(struct db_claim){loop->daemon, due->lease, now - HEARTBEAT_SILENT_US,
                                    due->unheard, due->kinds & ~due->left_out},
                 on_claimed, due);
}

int due_timeout_ms(const struct loop *loop)
{
    const struct due *due = due_of(loop);

    if (due->some_over)
        return 0;
    return may_claim(due) ? loop_ms_until(loop, due->next) : -1;
}

/* ---- settling ---- */

/* Due work that could not be settled comes again when its lease is over. */
static void kept(void *context)
{
    reply_empty(context, 204);
}

static void kept_anew(void *context)
{
    struct request *request = context;

    due_soon(due_of(request->loop));
    kept(request);
}

static void settle(struct request *request, const struct db_due *due, int64_t at,
                   void (*settled)(void *context))
{
    struct db_due *moved = arena_alloc(&request->arena, sizeof(*moved));

    *moved = (struct db_due){due->id, due->kind, at};
    db_settle_due(db_of(request), moved, due->at, ASK(done, request, settled, request));
}

void due_settle(struct request *request, const struct db_due *due, int64_t at)
{
    settle(request, due, at, kept);
}

void due_settle_anew(struct request *request, const struct db_due *due)
{
    settle(request, due, db_now(db_of(request)), kept_anew);
}
