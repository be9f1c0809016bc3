#include "api/table/waits.h"

#include <stdlib.h>

#include "api/http/reply.h"
#include "api/http/request.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/table/jobs.h"
#include "api/table/peers.h"
#include "api/text/arena.h"
#include "api/text/must.h"

/* How often the version of a game is looked up, and so how late news of another loop or daemon may
 * be.
 *
 * LISTEN and NOTIFY would be faster and cost more. PostgreSQL lets commits that notify happen only
 * one after the other, in the whole database. And since notifications are lost with the connection
 * that listens, the versions would have to be looked up all the same. A look-up costs the writers
 * nothing, and those of many games go into one statement. */
enum { LOOK_US = 250 * 1000 };

/* Work for all who wait is done in pieces, so that it never holds up the loop. */
enum {
    LOOK_TABLES = 256, /* are looked up at one time */
    WAKE_MAX = 64      /* are woken in one turn by news, or because their time is over */
};

/* The lists in which each wait is: those of all, of its table or of those that wait at none, and of
 * its client if that is counted. The first one may also be that of the waits that are to be woken.
 */
enum { ALL, PLACE, CLIENT, LISTS };

struct wait {
    struct request *request;
    struct job *job;          /* that waits at a table; NULL: at none, and these two are not set */
    struct table *table;      /* may be dropped once the wait is to be woken */
    db_id game;               /* its id */
    struct waits_owner owner; /* of a wait at no table */
    int64_t deadline;
    struct {
        struct wait *older, *newer;
    } in[LISTS];
    struct wait_client *client; /* NULL: it is not counted */
    bool held;                  /* it was not parked */
    bool due;                   /* it is to be woken, and in no other list */
};

/* A client of which requests wait. */
struct wait_client {
    uint64_t number;
    struct wait_list list;
    struct wait_client *chain;
};

struct waits {
    struct loop *loop;
    size_t limit;
    struct wait_list all;
    struct wait_list elsewhere; /* those at no table */
    struct wait_list due;       /* to be woken */
    size_t woken;               /* of those, in this turn */
    size_t held;

    struct wait_client **clients; /* by number */
    size_t nclients;              /* a power of two */

    /* The tables that somebody waits at, in a ring, and the next to be looked up. */
    struct table *tables;
    size_t ntables;
    int64_t look; /* when */
};

const char *waits_end_name(enum wait_end end)
{
    static const char *const names[WAIT_ENDS] = {"all", "game", "address", "closed"};

    return names[end];
}

bool waits_open(struct loop *loop)
{
    struct waits *waits = calloc(1, sizeof(*waits));

    if (waits == NULL)
        return false;
    waits->loop = loop;
    waits->limit = (size_t)loop->config->waits;
    for (waits->nclients = 1; waits->nclients < waits->limit; waits->nclients *= 2)
        ;
    waits->clients = calloc(waits->nclients, sizeof(*waits->clients));
    if (waits->clients == NULL) {
        free(waits);
        return false;
    }
    loop->own[PART_waits] = waits;
    return true;
}

void waits_close(struct loop *loop)
{
    struct waits *waits = waits_of(loop);
    free(waits->clients);
    free(waits);
}

/* ---- lists ---- */

static void append(struct wait_list *list, struct wait *wait, int which)
{
    wait->in[which].newer = NULL;
    wait->in[which].older = list->newest;
    *(list->newest != NULL ? &list->newest->in[which].newer : &list->oldest) = wait;
    list->newest = wait;
    list->count++;
}

static void take_out(struct wait_list *list, struct wait *wait, int which)
{
    struct wait *older = wait->in[which].older, *newer = wait->in[which].newer;

    *(older != NULL ? &older->in[which].newer : &list->oldest) = newer;
    *(newer != NULL ? &newer->in[which].older : &list->newest) = older;
    list->count--;
}

/* ---- the ring of tables ---- */

/* The last table of the ring is the one that was looked up last. */
static void begin_to_look(struct waits *waits, struct table *table)
{
    struct table *next = waits->tables;

    if (next == NULL) {
        table->look_next = table->look_last = waits->tables = table;
    } else {
        table->look_next = next;
        table->look_last = next->look_last;
        next->look_last->look_next = table;
        next->look_last = table;
    }
    waits->ntables++;
}

static void stop_looking(struct waits *waits, struct table *table)
{
    table->look_last->look_next = table->look_next;
    table->look_next->look_last = table->look_last;
    if (waits->tables == table)
        waits->tables = table->look_next == table ? NULL : table->look_next;
    waits->ntables--;
}

/* ---- clients ---- */

/* The place that points to the client of this number, or would. */
static struct wait_client **slot(struct waits *waits, uint64_t number)
{
    struct wait_client **at = &waits->clients[number & (waits->nclients - 1)];

    while (*at != NULL && (*at)->number != number)
        at = &(*at)->chain;
    return at;
}

static struct wait_client *find_client(struct waits *waits, uint64_t number)
{
    struct wait_client **at = slot(waits, number);

    if (*at == NULL) {
        *at = must_zero(sizeof(**at));
        (*at)->number = number;
    }
    return *at;
}

static void forget_client(struct waits *waits, struct wait_client *client)
{
    *slot(waits, client->number) = client->chain;
    free(client);
}

/* ---- waiting ---- */

static struct wait_list *place_of(struct waits *waits, const struct wait *wait)
{
    return wait->job == NULL ? &waits->elsewhere : &wait->table->waiting;
}

static void add(struct waits *waits, struct wait *wait)
{
    if (waits->all.count == 0)
        waits->look = waits->loop->now + LOOK_US;
    append(&waits->all, wait, ALL);
    append(place_of(waits, wait), wait, PLACE);
    if (wait->job != NULL && wait->table->waiting.count == 1)
        begin_to_look(waits, wait->table);
    if (wait->request->client != 0) {
        wait->client = find_client(waits, wait->request->client);
        append(&wait->client->list, wait, CLIENT);
    }
    metrics_add(&waits->loop->metrics.waits, 1);
}

/* Takes a wait out of all lists: nothing counts it any more. */
static void end(struct waits *waits, struct wait *wait)
{
    if (wait->due) {
        take_out(&waits->due, wait, ALL);
        return;
    }
    take_out(&waits->all, wait, ALL);
    take_out(place_of(waits, wait), wait, PLACE);
    if (wait->job != NULL && wait->table->waiting.oldest == NULL)
        stop_looking(waits, wait->table);
    if (wait->client != NULL) {
        take_out(&wait->client->list, wait, CLIENT);
        if (wait->client->list.oldest == NULL)
            forget_client(waits, wait->client);
    }
    metrics_sub(&waits->loop->metrics.waits, 1);
    if (wait->job == NULL)
        wait->owner.ended(wait->owner.args);
}

/* As if the request had come just now: what it is told is read from the database after this, so a
 * wait may end for no good reason and still never tell anything wrong. */
static void on_back(struct request *request, void *args)
{
    const struct wait *wait = args;

    request->arrived = request->loop->now;
    if (wait->job == NULL)
        wait->owner.back(request);
    else
        job_submit(wait->job, wait->game);
}

/* The request may end with this. */
static void wake(struct waits *waits, struct wait *wait)
{
    end(waits, wait);
    if (wait->held) {
        waits->held--;
        on_back(wait->request, wait);
    } else {
        request_unpark(wait->request);
    }
}

static void wake_early(struct waits *waits, struct wait *wait, enum wait_end why)
{
    metrics_add(&waits->loop->metrics.waits_ended[why], 1);
    wake(waits, wait);
}

static void on_closed(struct request *request, void *args)
{
    wake_early(waits_of(request->loop), args, WAIT_END_CLOSED);
}

static size_t share(const struct waits *waits, size_t part)
{
    return waits->limit / part > 0 ? waits->limit / part : 1;
}

/* There is room for one more of this kind afterwards. */
static void make_room(struct waits *waits, const struct wait_list *list, size_t limit,
                      enum wait_end why)
{
    if (list->count >= limit)
        wake_early(waits, list->oldest, why);
}

static struct wait *new_wait(struct request *request, int wait_s)
{
    struct wait *wait = arena_zero(&request->arena, sizeof(*wait));

    wait->request = request;
    wait->deadline = request->loop->now + wait_s * INT64_C(1000000);
    return wait;
}

static struct wait *new_wait_at_table(struct job *job)
{
    struct wait *wait = new_wait(job->request, job->wait_s);

    wait->job = job;
    wait->table = job->table;
    wait->game = job->table->row.id;
    return wait;
}

static void put_aside(struct waits *waits, struct wait *wait, int wait_s)
{
    struct request *request = wait->request;

    if (request->client != 0)
        make_room(waits, &find_client(waits, request->client)->list, share(waits, 4),
                  WAIT_END_ADDRESS);
    if (wait->job != NULL)
        make_room(waits, &wait->table->waiting, share(waits, 2), WAIT_END_GAME);
    make_room(waits, &waits->all, waits->limit, WAIT_END_ALL);
    add(waits, wait);
    request->waited = true;
    reply_header(request, "Preference-Applied", arena_format(&request->arena, "wait=%d", wait_s));
}

/* The job is put aside. */
static enum step put_job_aside(struct waits *waits, struct wait *wait)
{
    put_aside(waits, wait, wait->job->wait_s);
    wait->job->wait_s = 0; /* once */
    return STEP_OVER;
}

static bool may_wait(const struct request *request, int wait_s)
{
    return wait_s > 0 && !request->waited && waits_of(request->loop)->limit > 0;
}

/* False: it cannot. */
static bool park(struct wait *wait)
{
    return request_park(wait->request, (struct request_parking){on_closed, on_back, wait});
}

enum step waits_for_news(struct job *job)
{
    struct request *request = job->request;
    struct wait *wait;

    if (!may_wait(request, job->wait_s))
        return STEP_GO;
    wait = new_wait_at_table(job);
    return park(wait) ? put_job_aside(waits_of(request->loop), wait) : STEP_GO;
}

enum step waits_held(struct job *job)
{
    struct waits *waits = waits_of(job->request->loop);
    struct wait *wait;

    if (!may_wait(job->request, job->wait_s) || waits->held >= WAITS_HELD_MAX)
        return STEP_GO;
    wait = new_wait_at_table(job);
    wait->held = true;
    waits->held++;
    return put_job_aside(waits, wait);
}

struct wait *waits_elsewhere(struct request *request, int wait_s, struct waits_owner owner)
{
    struct wait *wait;

    if (!may_wait(request, wait_s))
        return NULL;
    wait = new_wait(request, wait_s);
    wait->owner = owner;
    if (!park(wait))
        return NULL;
    put_aside(waits_of(request->loop), wait, wait_s);
    return wait;
}

/* ---- many at once ---- */

/* A thousand spectators hear of a move one after the other, and not all in one turn. */
static void wake_soon(struct waits *waits, struct wait *wait)
{
    end(waits, wait);
    wait->due = true;
    append(&waits->due, wait, ALL);
}

static void wake_due(struct waits *waits)
{
    for (; waits->due.count > 0 && waits->woken < WAKE_MAX; waits->woken++)
        wake(waits, waits->due.oldest);
}

void waits_wake(struct table *table)
{
    struct waits *waits = waits_of(table->tables->loop);

    while (table->waiting.oldest != NULL)
        wake_soon(waits, table->waiting.oldest);
    wake_due(waits);
}

void waits_wake_one(struct wait *wait)
{
    wake_soon(waits_of(wait->request->loop), wait);
}

/* ---- in each turn ---- */

static void wake_late(struct waits *waits, const struct wait_list *place)
{
    struct wait *next;

    for (struct wait *wait = place->oldest; wait != NULL; wait = next) {
        next = wait->in[PLACE].newer;
        if (wait->deadline <= waits->loop->now)
            wake_soon(waits, wait);
    }
}

/* Times that are over are found when the table is looked up, so a wait may last a quarter of a
 * second longer than was asked for. A version that has changed comes back as news of the table
 * (jobs.c), which wakes those that wait. While nobody else writes, it is looked for seldom. */
static void look(struct waits *waits, struct table *table, int64_t seldom)
{
    wake_late(waits, &table->waiting);
    if (table->waiting.count > 0 && waits->loop->now - table->asked >= seldom)
        job_look(table);
}

/* With many tables the time until each of them has its turn again is cut into pieces. */
static void look_at_some(struct waits *waits)
{
    size_t n = waits->ntables < LOOK_TABLES ? waits->ntables : LOOK_TABLES;
    int64_t seldom = peers_alone(peers_of(waits->loop)) ? PEERS_SELDOM_US : 0;

    waits->look =
        waits->loop->now +
        (waits->ntables <= LOOK_TABLES ? LOOK_US : (int64_t)(LOOK_US * n / waits->ntables));
    while (n-- > 0) {
        struct table *table = waits->tables;

        waits->tables = table->look_next;
        look(waits, table, seldom);
    }
    wake_late(waits, &waits->elsewhere);
}

void waits_run(struct loop *loop)
{
    struct waits *waits = waits_of(loop);
    waits->woken = 0;
    if (waits->all.count > 0 && waits->look <= waits->loop->now)
        look_at_some(waits);
    wake_due(waits);
}

int waits_timeout_ms(const struct loop *loop)
{
    const struct waits *waits = waits_of(loop);
    int64_t us = waits->look - waits->loop->now;

    if (waits->due.count > 0)
        return 0;
    if (waits->all.count == 0)
        return -1;
    /* Rounded up: a loop that wakes too early would only have to sleep again. */
    return us <= 0 ? 0 : (int)(us / 1000) + 1;
}

void waits_end(struct loop *loop)
{
    struct waits *waits = waits_of(loop);
    waits->limit = 0;
    while (waits->all.oldest != NULL)
        wake(waits, waits->all.oldest);
    while (waits->due.oldest != NULL)
        wake(waits, waits->due.oldest);
}
