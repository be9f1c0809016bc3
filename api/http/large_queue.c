#include "api/http/large_queue.h"

#include "api/http/request.h"

/* What a byte of a body unfolds to. Measured: 1 MiB of our own JSON takes 5.5 MiB of arena, 64 KiB
 * with the moves alone 2 MiB. It is only what a request is let in for; what counts once it was
 * worked on is what it holds. */
enum { SMALL_UNFOLDS = 64, LARGE_UNFOLDS = 8 };

void large_queue_open(struct large_queue *queue, size_t bytes)
{
    *queue = (struct large_queue){
        .bodies.limit = bytes / 4, .small.limit = bytes / 4, .large.limit = bytes / 2};
}

bool large_queue_may_take(struct large_queue *queue, struct request *request, size_t len,
                          int64_t now)
{
    bool large = request->body_most > REQUEST_BODY_MAX &&
                 (request->body_is_declared || request->body_len + len > REQUEST_BODY_MAX);

    if (!large || request->body_refused || request->body_too_large || request->body_place.inside)
        return true;
    budget_wait(&queue->bodies, &request->body_place, request, request->body_most, now);
    return false;
}

bool large_queue_may_begin(struct large_queue *queue, struct request *request, int64_t now)
{
    size_t len = request->body_len;
    bool large = len > REQUEST_BODY_MAX;

    if (len <= LARGE_QUEUE_FREE)
        return true;
    budget_wait(large ? &queue->large : &queue->small, &request->work_place, request,
                len * (large ? LARGE_UNFOLDS : SMALL_UNFOLDS), now);
    return false;
}

static struct request *let_in(struct memory_budget *budget, int64_t now)
{
    struct budget_place *place = budget_let_in(budget, now);

    return place == NULL ? NULL : place->request;
}

struct request *large_queue_next_body(struct large_queue *queue, int64_t now)
{
    return let_in(&queue->bodies, now);
}

struct request *large_queue_next(struct large_queue *queue, int64_t now)
{
    struct request *request = let_in(&queue->small, now);

    return request != NULL ? request : let_in(&queue->large, now);
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
    request->body_most = 0; /* nothing more is granted for its length: see is_slow() */
    request->body_place.since = request->work_place.since = now;
}

/* Whoever sends much may take longer: so long again for each further MiB. */
enum { FURTHER_US = 5000000 };

static bool is_slow(const struct budget_place *place, int64_t before)
{
    int64_t further =
        place->request->body_most == 0 ? 0 : (int64_t)((place->request->body_most - 1) >> 20);

    return !place->request->suspended && place->since < before - further * FURTHER_US;
}

/* A suspended connection waits for the daemon, so it never times out. */
static struct request *slow_in(const struct memory_budget *budget, int64_t before)
{
    if (budget->waiting.first == NULL || budget_is_open(budget))
        return NULL;
    for (struct budget_place *place = budget->inside.first; place != NULL; place = place->later)
        if (is_slow(place, before))
            return place->request;
    return NULL;
}

struct request *large_queue_slow(const struct large_queue *queue, int64_t before)
{
    struct request *request = slow_in(&queue->bodies, before);

    if (request == NULL)
        request = slow_in(&queue->small, before);
    return request != NULL ? request : slow_in(&queue->large, before);
}

void large_queue_end(struct request *request)
{
    budget_leave(&request->body_place);
    budget_leave(&request->work_place);
}
