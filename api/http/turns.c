#include "api/http/turns.h"

#include "api/http/request.h"

/* What a byte of a body unfolds to. Measured: 1 MiB of our own JSON takes 5.5 MiB of arena, 64 KiB
 * with the moves alone 2 MiB. It is only what a request is let in for; what counts once it was
 * worked on is what it holds. */
enum { SMALL_UNFOLDS = 64, LARGE_UNFOLDS = 8 };

void turns_open(struct turns *turns, size_t bytes)
{
    *turns = (struct turns){
        .bodies.limit = bytes / 4, .small.limit = bytes / 4, .large.limit = bytes / 2};
}

bool turns_may_take(struct turns *turns, struct request *request, size_t len, int64_t now)
{
    bool large = request->body_most > REQUEST_BODY_MAX &&
                 (request->body_is_declared || request->body_len + len > REQUEST_BODY_MAX);

    if (!large || request->body_refused || request->body_too_large || request->body_place.inside)
        return true;
    room_wait(&turns->bodies, &request->body_place, request, request->body_most, now);
    return false;
}

bool turns_may_begin(struct turns *turns, struct request *request, int64_t now)
{
    size_t len = request->body_len;
    bool large = len > REQUEST_BODY_MAX;

    if (len <= TURNS_FREE)
        return true;
    room_wait(large ? &turns->large : &turns->small, &request->work_place, request,
              len * (large ? LARGE_UNFOLDS : SMALL_UNFOLDS), now);
    return false;
}

static struct request *let_in(struct room *room, int64_t now)
{
    struct room_place *place = room_let_in(room, now);

    return place == NULL ? NULL : place->request;
}

struct request *turns_next_body(struct turns *turns, int64_t now)
{
    return let_in(&turns->bodies, now);
}

struct request *turns_next(struct turns *turns, int64_t now)
{
    struct request *request = let_in(&turns->small, now);

    return request != NULL ? request : let_in(&turns->large, now);
}

void turns_hold(struct request *request)
{
    if (request->work_place.inside && !request->offloaded)
        room_hold(&request->work_place, arena_held(&request->arena));
}

bool turns_ready(const struct turns *turns)
{
    return room_is_open(&turns->small) || room_is_open(&turns->large);
}

bool turns_anybody_waits(const struct turns *turns)
{
    return turns->bodies.waiting.first != NULL || turns->small.waiting.first != NULL ||
           turns->large.waiting.first != NULL;
}

static struct request *give_up(struct room *room, int64_t before)
{
    struct room_place *place = room->waiting.first;

    if (place == NULL || place->since >= before)
        return NULL;
    room_leave(place);
    return place->request;
}

struct request *turns_give_up_body(struct turns *turns, int64_t before)
{
    return give_up(&turns->bodies, before);
}

struct request *turns_give_up(struct turns *turns, int64_t before)
{
    struct request *request = give_up(&turns->small, before);

    return request != NULL ? request : give_up(&turns->large, before);
}

void turns_answered(struct request *request, int64_t now)
{
    request->body_most = 0; /* nothing more is granted for its length: see is_slow() */
    request->body_place.since = request->work_place.since = now;
}

/* Whoever sends much may take longer: so long again for each further MiB. */
enum { FURTHER_US = 5000000 };

static bool is_slow(const struct room_place *place, int64_t before)
{
    int64_t further =
        place->request->body_most == 0 ? 0 : (int64_t)((place->request->body_most - 1) >> 20);

    return !place->request->suspended && place->since < before - further * FURTHER_US;
}

/* A suspended connection waits for the daemon, so it never times out. */
static struct request *slow_in(const struct room *room, int64_t before)
{
    if (room->waiting.first == NULL || room_is_open(room))
        return NULL;
    for (struct room_place *place = room->inside.first; place != NULL; place = place->later)
        if (is_slow(place, before))
            return place->request;
    return NULL;
}

struct request *turns_slow(const struct turns *turns, int64_t before)
{
    struct request *request = slow_in(&turns->bodies, before);

    if (request == NULL)
        request = slow_in(&turns->small, before);
    return request != NULL ? request : slow_in(&turns->large, before);
}

void turns_end(struct request *request)
{
    room_leave(&request->body_place);
    room_leave(&request->work_place);
}
