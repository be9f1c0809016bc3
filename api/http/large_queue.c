#include "api/http/large_queue.h"

#include "api/http/intake.h"
#include "api/http/request.h"

/* What a byte of a body unfolds to. Measured: 1 MiB of our own JSON takes 5.5 MiB of arena, 64 KiB
 * with the moves alone 2 MiB. It is only what a request is let in for; what counts once it was
 * worked on is what it holds. */
enum { SMALL_UNFOLDS = 64, LARGE_UNFOLDS = 8 };

/* A client that sends is late LATE_US after its last byte. If it sends at less than SLOW_RATE, it
 * uses that time up. One that takes its answer has longer, since one byte more or less tells
 * nothing of that. */
enum { LATE_US = 500000, SLOW_RATE = 64 << 10 /* bytes in a second */, TAKE_US = 5000000 };

void large_queue_open(struct large_queue *queue, size_t bytes)
{
    *queue = (struct large_queue){.bodies = {.limit = bytes / 4, .grows = true},
                                  .small.limit = bytes / 4,
                                  .large.limit = bytes / 2};
}

/* ---- bodies ---- */

/* Once it is inside, `since` of a place is when its client is late. */
static void has_sent(struct budget_place *place, size_t len, int64_t now)
{
    int64_t worth = (int64_t)len * 1000000 / SLOW_RATE, most = now + LATE_US;

    if (place->inside)
        place->since = place->since + worth < most ? place->since + worth : most;
}

static struct request *let_in(struct memory_budget *budget, int64_t late)
{
    struct budget_place *place = budget_let_in(budget, late);

    return place == NULL ? NULL : place->request;
}

bool large_queue_may_take(struct large_queue *queue, struct request *request, size_t len,
                          int64_t now)
{
    struct budget_place *place = &request->body_place;
    size_t size = intake_size(request, len);

    has_sent(place, len, now);
    if (request->body_len + len <= REQUEST_BODY_MAX || request->body_too_large ||
        (place->inside && size <= place->bytes))
        return true;
    budget_wait(&queue->bodies, place, request, request_sharer(request), size, now);
    return false;
}

struct request *large_queue_next_body(struct large_queue *queue, int64_t now)
{
    return let_in(&queue->bodies, now + LATE_US);
}

void large_queue_drop_body(struct request *request)
{
    budget_leave(&request->body_place);
    intake_drop(request);
}

/* ---- work ---- */

bool large_queue_may_begin(struct large_queue *queue, struct request *request, int64_t now)
{
    size_t len = request->body_len;
    bool large = len > REQUEST_BODY_MAX;

    if (len <= LARGE_QUEUE_FREE)
        return true;
    budget_wait(large ? &queue->large : &queue->small, &request->work_place, request,
                request_sharer(request), len * (large ? LARGE_UNFOLDS : SMALL_UNFOLDS), now);
    return false;
}

struct request *large_queue_next(struct large_queue *queue, int64_t now)
{
    struct request *request = let_in(&queue->small, now + TAKE_US);

    return request != NULL ? request : let_in(&queue->large, now + TAKE_US);
}

void large_queue_hold(struct request *request)
{
    if (request->work_place.inside && !request->offloaded)
        budget_hold(&request->work_place, arena_held(&request->arena));
}

bool large_queue_ready(const struct large_queue *queue)
{
    return budget_is_open(&queue->small) || budget_is_open(&queue->large);
}

bool large_queue_anybody_waits(const struct large_queue *queue)
{
    return queue->bodies.waiting.first != NULL || queue->small.waiting.first != NULL ||
           queue->large.waiting.first != NULL;
}

/* ---- patience ---- */

/* It is one of the first, since turns hardly differ: whoever is behind others for long is a client
 * that has many. */
static struct request *give_up(struct memory_budget *budget, int64_t before)
{
    struct budget_place *place = budget->waiting.first;

    if (place == NULL || place->since >= before)
        return NULL;
    budget_leave(place);
    return place->request;
}

struct request *large_queue_give_up_body(struct large_queue *queue, int64_t before)
{
    return give_up(&queue->bodies, before);
}

struct request *large_queue_give_up(struct large_queue *queue, int64_t before)
{
    struct request *request = give_up(&queue->small, before);

    return request != NULL ? request : give_up(&queue->large, before);
}

void large_queue_answered(struct request *request, int64_t now)
{
    request->body_place.since = request->work_place.since = now + TAKE_US;
}

void large_queue_excuse(struct request *request, int64_t now)
{
    request->body_place.since = now + LATE_US;
}

/* A suspended connection waits for the daemon, so its client is never late. */
static struct request *slow_in(const struct memory_budget *budget, int64_t now)
{
    struct budget_place *slow = NULL;

    if (budget->waiting.first == NULL || budget_is_open(budget))
        return NULL;
    for (struct budget_place *place = budget->inside.first; place != NULL; place = place->later)
        if (!place->request->suspended && place->since < now &&
            (slow == NULL || place->since < slow->since))
            slow = place;
    return slow == NULL ? NULL : slow->request;
}

struct request *large_queue_slow(const struct large_queue *queue, int64_t now)
{
    struct request *request = slow_in(&queue->bodies, now);

    if (request == NULL)
        request = slow_in(&queue->small, now);
    return request != NULL ? request : slow_in(&queue->large, now);
}

void large_queue_end(struct request *request)
{
    budget_leave(&request->body_place);
    budget_leave(&request->work_place);
}
