#include "api/stream/long_poll.h"

#include <assert.h>
#include <stdlib.h>

#include "api/http/reply.h"
#include "api/http/request.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/loop/part.h"
#include "api/text/arena.h"
#include "api/text/map.h"
#include "api/text/must.h"

/* Times that are over are noticed four times a second. So waits are kept by the quarter of a second
 * in which their time is over, and none has to be searched for. These lists serve in turn: a round
 * is 64 seconds, a little more than the longest wait. */
enum { QUARTER_US = 250 * 1000, QUARTERS = 256 };

/* A thousand spectators hear of a move one after the other, and not all in one pass. */
enum { WAKE_MAX = 64 };

/* The lists in which each wait is: those of all, of those that end in its quarter, of its place if
 * it has one, and of its client if that is counted. The first may also be that of the waits that
 * are to be woken. */
enum { ALL, QUARTER, PLACE, CLIENT, LISTS };

struct wait {
    struct request *request;
    struct long_poll_owner owner;
    int64_t deadline;
    TAILQ_ENTRY(wait) in[LISTS];
    struct wait_client *client; /* NULL: it is not counted */
    bool held;                  /* it was not parked */
    bool due;                   /* it is to be woken, and in no other list */
};

/* A client of which requests wait. */
struct wait_client {
    uint64_t number;
    struct wait_list list;
    struct map_link link;
};

struct long_polls {
    struct loop *loop;
    size_t limit;
    struct wait_list all;
    struct wait_list due; /* to be woken; */
    size_t woken;         /* of those, in this pass */
    size_t held;
    struct wait_list quarters[QUARTERS];
    int64_t quarter;    /* the last one of which those whose time was over were ended */
    struct map clients; /* by number */
};

const char *long_poll_end_name(enum wait_end end)
{
    static const char *const names[WAIT_ENDS] = {"all", "game", "address", "closed"};

    return names[end];
}

void long_poll_place(struct wait_list *place)
{
    TAILQ_INIT(&place->waits);
    place->count = 0;
}

static void long_poll_open(struct loop *loop)
{
    struct long_polls *waits = must_zero(sizeof(*waits));

    waits->loop = loop;
    waits->limit = (size_t)loop->config->waits;
    long_poll_place(&waits->all);
    long_poll_place(&waits->due);
    for (size_t i = 0; i < QUARTERS; i++)
        long_poll_place(&waits->quarters[i]);
    map_open(&waits->clients, sizeof(uint64_t), waits->limit);
    loop->own[PART_long_polls] = waits;
}

static void long_poll_close(struct loop *loop)
{
    struct long_polls *waits = long_polls_of(loop);
    map_close(&waits->clients);
    free(waits);
}

/* ---- lists ---- */

static void append_wait(struct wait_list *list, struct wait *wait, int which)
{
    TAILQ_INSERT_TAIL(&list->waits, wait, in[which]);
    list->count++;
}

static void take_wait_out(struct wait_list *list, struct wait *wait, int which)
{
    TAILQ_REMOVE(&list->waits, wait, in[which]);
    assert(list->count > 0);
    list->count--;
}

static struct wait *oldest(const struct wait_list *list)
{
    return TAILQ_FIRST(&list->waits);
}

/* ---- clients ---- */

static struct wait_client *find_client(struct long_polls *waits, uint64_t number)
{
    struct wait_client *client = map_find(&waits->clients, &number);

    if (client == NULL) {
        client = must_zero(sizeof(*client));
        client->number = number;
        long_poll_place(&client->list);
        map_put(&waits->clients, &client->link, &client->number, client);
    }
    return client;
}

static void forget_client(struct long_polls *waits, struct wait_client *client)
{
    map_take(&waits->clients, &client->link);
    free(client);
}

/* ---- waiting ---- */

/* The quarter at whose beginning its time is over. It is rounded up, so a wait ends up to a quarter
 * of a second late, and never early. */
static struct wait_list *quarter_of(struct long_polls *waits, const struct wait *wait)
{
    return &waits->quarters[(wait->deadline + QUARTER_US - 1) / QUARTER_US % QUARTERS];
}

/* The lists are by age, because each wait is appended when it begins. So the first of a list is the
 * one that has waited longest. */
static void add_wait(struct long_polls *waits, struct wait *wait)
{
    append_wait(&waits->all, wait, ALL);
    append_wait(quarter_of(waits, wait), wait, QUARTER);
    if (wait->owner.place != NULL)
        append_wait(wait->owner.place, wait, PLACE);
    if (wait->request->client != 0) {
        wait->client = find_client(waits, wait->request->client);
        append_wait(&wait->client->list, wait, CLIENT);
    }
    metrics_add(&waits->loop->metrics.waits, 1);
}

/* Takes a wait out of all lists: nothing counts it any more. Its place may be gone afterwards. A
 * wait that is due has left all lists but one before, and its owner was told then. */
static void end_wait(struct long_polls *waits, struct wait *wait)
{
    if (wait->due) {
        take_wait_out(&waits->due, wait, ALL);
        return;
    }
    take_wait_out(&waits->all, wait, ALL);
    take_wait_out(quarter_of(waits, wait), wait, QUARTER);
    if (wait->owner.place != NULL)
        take_wait_out(wait->owner.place, wait, PLACE);
    if (wait->client != NULL) {
        take_wait_out(&wait->client->list, wait, CLIENT);
        if (wait->client->list.count == 0)
            forget_client(waits, wait->client);
    }
    metrics_sub(&waits->loop->metrics.waits, 1);
    wait->owner.ended(wait->owner.args);
}

/* The request counts as one that has come just now. There are two reasons. What it is told must be
 * read from the database after this (op_need_confirmed()), so a wait may end for no good reason and
 * still never tell anything wrong. And an op's patience with its game begins here, and not before
 * the wait. */
static void on_back(struct request *request, void *args)
{
    const struct wait *wait = args;

    request->arrived = request->loop->now;
    wait->owner.back(request, wait->owner.args);
}

/* A parked request goes on in a later step of the loop (outside_attend()), a held one inside this
 * call, and it may end with it. */
static void wake(struct long_polls *waits, struct wait *wait)
{
    end_wait(waits, wait);
    if (wait->held) {
        assert(waits->held > 0);
        waits->held--;
        on_back(wait->request, wait);
    } else {
        request_unpark(wait->request);
    }
}

static void wake_early(struct long_polls *waits, struct wait *wait, enum wait_end why)
{
    metrics_add(&waits->loop->metrics.long_poll_ended[why], 1);
    wake(waits, wait);
}

/* Nobody reads the answer, but the request has to end in the usual way, by being answered: that
 * frees its memory and settles what it costs. */
static void on_closed(struct request *request, void *args)
{
    wake_early(long_polls_of(request->loop), args, WAIT_END_CLOSED);
}

/* A wait has come to a list, of which only a part of all waits may be. If these are too many, the
 * oldest goes on and is answered with what there is. The new wait itself is never the oldest, since
 * the limit is 1 at least: it is still there when long_poll_begin() returns it. */
static void keep_bound(struct long_polls *waits, const struct wait_list *list, size_t part,
                       enum wait_end why)
{
    size_t limit = waits->limit / part > 0 ? waits->limit / part : 1;

    if (list->count > limit)
        wake_early(waits, oldest(list), why);
}

/* The bound of a client comes first: a client with too many waits pushes out one of its own, and
 * then there is room in all, too. */
static void put_aside(struct long_polls *waits, struct wait *wait, int wait_s)
{
    struct request *request = wait->request;

    add_wait(waits, wait);
    if (wait->client != NULL)
        keep_bound(waits, &wait->client->list, 4, WAIT_END_ADDRESS);
    if (wait->owner.place != NULL)
        keep_bound(waits, wait->owner.place, 2, WAIT_END_GAME);
    keep_bound(waits, &waits->all, 1, WAIT_END_ALL);
    request->waited = true;
    reply_header(request, "Preference-Applied", arena_format(&request->arena, "wait=%d", wait_s));
}

/* NULL: it may not wait. */
static struct wait *new_wait(struct request *request, int wait_s, struct long_poll_owner owner)
{
    struct wait *wait;

    if (wait_s <= 0 || request->waited || long_polls_of(request->loop)->limit == 0)
        return NULL;
    wait = arena_zero(&request->arena, sizeof(*wait));
    wait->request = request;
    wait->owner = owner;
    wait->deadline = request->loop->now + wait_s * INT64_C(1000000);
    return wait;
}

struct wait *long_poll_begin(struct request *request, int wait_s, struct long_poll_owner owner)
{
    struct wait *wait = new_wait(request, wait_s, owner);

    /* It is parked before it is in any list: if it cannot leave libmicrohttpd, nothing has to be
     * undone. */
    if (wait == NULL || !request_park(request, (struct request_parking){on_closed, on_back, wait}))
        return NULL;
    put_aside(long_polls_of(request->loop), wait, wait_s);
    return wait;
}

struct wait *long_poll_hold(struct request *request, int wait_s, struct long_poll_owner owner)
{
    struct long_polls *waits = long_polls_of(request->loop);
    struct wait *wait = waits->held < WAITS_HELD_MAX ? new_wait(request, wait_s, owner) : NULL;

    if (wait == NULL)
        return NULL;
    wait->held = true;
    waits->held++;
    put_aside(waits, wait, wait_s);
    return wait;
}

/* ---- waking ---- */

/* The wait is only moved to the line of those to be woken. So this may be called wherever news
 * comes from, even inside a step at the very game at which the request waits. */
void long_poll_wake_one(struct wait *wait)
{
    struct long_polls *waits = long_polls_of(wait->request->loop);

    end_wait(waits, wait);
    wait->due = true;
    append_wait(&waits->due, wait, ALL);
}

static void wake_due(struct long_polls *waits)
{
    for (; waits->due.count > 0 && waits->woken < WAKE_MAX; waits->woken++)
        wake(waits, oldest(&waits->due));
}

/* The number is taken before, since the place may be gone when its last wait has ended. */
void long_poll_wake(struct long_polls *waits, struct wait_list *place)
{
    for (size_t n = place->count; n > 0; n--)
        long_poll_wake_one(oldest(place));
    wake_due(waits);
}

/* ---- in each pass of the loop ---- */

/* A list holds the waits of one quarter, and those that end whole rounds later, in another quarter
 * with the same remainder. So each deadline is compared. */
static void end_late(struct long_polls *waits, const struct wait_list *quarter)
{
    struct wait *next;

    for (struct wait *wait = oldest(quarter); wait != NULL; wait = next) {
        next = TAILQ_NEXT(wait, in[QUARTER]);
        if (wait->deadline <= waits->loop->now)
            long_poll_wake_one(wait);
    }
}

static void long_poll_run(struct loop *loop)
{
    struct long_polls *waits = long_polls_of(loop);
    int64_t quarter = loop->now / QUARTER_US;

    /* At the start, or after the process was stopped for more than a round: to look at each list
     * once is enough. */
    if (waits->quarter < quarter - QUARTERS)
        waits->quarter = quarter - QUARTERS;
    while (waits->quarter < quarter)
        end_late(waits, &waits->quarters[++waits->quarter % QUARTERS]);
    waits->woken = 0;
    wake_due(waits);
}

static int long_poll_timeout_ms(const struct loop *loop)
{
    const struct long_polls *waits = long_polls_of(loop);

    if (waits->due.count > 0)
        return 0;
    return waits->all.count == 0 ? -1 : loop_ms_until(loop, (waits->quarter + 1) * QUARTER_US);
}

/* The limit goes first: a request that goes on here could ask to wait again, and this would not
 * end. WAKE_MAX does not hold, since the daemon must not stop before the last one has its answer.
 */
static void long_poll_end(struct loop *loop)
{
    struct long_polls *waits = long_polls_of(loop);

    waits->limit = 0;
    while (waits->all.count > 0)
        wake(waits, oldest(&waits->all));
    while (waits->due.count > 0)
        wake(waits, oldest(&waits->due));
}

const struct part long_polls_part = {.open = long_poll_open,
                                     .run = long_poll_run,
                                     .timeout_ms = long_poll_timeout_ms,
                                     .drain = long_poll_end,
                                     .close = long_poll_close};
