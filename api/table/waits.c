#include "api/table/waits.h"

#include <stdlib.h>

#include "api/http/reply.h"
#include "api/http/request.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/table/jobs.h"
#include "api/text/arena.h"

/* How often the versions are looked up, and so how late news of another loop or daemon may be.
 *
 * LISTEN and NOTIFY would be faster and cost more. PostgreSQL lets commits that notify happen only
 * one after the other, in the whole database. And since notifications are lost with the connection
 * that listens, the versions would have to be looked up all the same. A look-up costs the writers
 * nothing, and those of many games go into one statement. */
enum { LOOK_US = 250 * 1000 };

/* A wait is in two lists. Each of its links is the place that points to it, so that it can be taken
 * out from anywhere. */
struct wait {
    struct job *job;
    int64_t deadline;
    struct wait *next, **link;             /* all that wait */
    struct wait *table_next, **table_link; /* those at the same table */
};

struct waits {
    struct loop *loop;
    struct wait *first;
    size_t count, limit;
    int64_t look; /* when the versions are looked up next */
};

struct waits *waits_open(struct loop *loop, size_t limit)
{
    struct waits *waits = calloc(1, sizeof(*waits));

    if (waits == NULL)
        return NULL;
    waits->loop = loop;
    waits->limit = limit;
    return waits;
}

void waits_close(struct waits *waits)
{
    free(waits);
}

/* ---- waiting ---- */

static void add(struct waits *waits, struct wait *wait)
{
    struct wait **all = &waits->first, **here = &wait->job->table->waiting;

    wait->next = *all;
    wait->link = all;
    if (wait->next != NULL)
        wait->next->link = &wait->next;
    *all = wait;
    wait->table_next = *here;
    wait->table_link = here;
    if (wait->table_next != NULL)
        wait->table_next->table_link = &wait->table_next;
    *here = wait;
    waits->count++;
    metrics_add(&waits->loop->metrics.waits, 1);
}

static void take_out(struct waits *waits, struct wait *wait)
{
    *wait->link = wait->next;
    if (wait->next != NULL)
        wait->next->link = wait->link;
    *wait->table_link = wait->table_next;
    if (wait->table_next != NULL)
        wait->table_next->table_link = wait->table_link;
    waits->count--;
    metrics_sub(&waits->loop->metrics.waits, 1);
}

enum step waits_for_news(struct job *job)
{
    struct request *request = job->request;
    struct waits *waits = request->loop->waits;
    struct wait *wait;

    if (job->wait_s == 0 || waits->count >= waits->limit)
        return STEP_GO;
    wait = arena_zero(&request->arena, sizeof(*wait));
    wait->job = job;
    wait->deadline = request->loop->now + job->wait_s * INT64_C(1000000);
    if (waits->count == 0) /* nobody waited, and nothing was looked up */
        waits->look = request->loop->now + LOOK_US;
    add(waits, wait);
    reply_header(request, "Preference-Applied",
                 arena_format(&request->arena, "wait=%d", job->wait_s));
    job->wait_s = 0; /* once */
    return STEP_OVER;
}

/* As if the request had come just now: what it is told is read from the database after this, so a
 * wait may end for no good reason and still never tell anything wrong. */
static void wake(struct waits *waits, struct wait *wait)
{
    struct job *job = wait->job;

    take_out(waits, wait);
    job->request->arrived = waits->loop->now;
    job_submit(job, job->table->row.id);
}

void waits_wake(struct table *table)
{
    while (table->waiting != NULL)
        wake(table->waiting->job->request->loop->waits, table->waiting);
}

/* ---- in each turn ---- */

/* Each table is looked up once, however many wait at it: it is busy from then on. A version that
 * has changed comes back as news of the table (jobs.c), which wakes them. */
static void look(struct waits *waits)
{
    for (struct wait *wait = waits->first; wait != NULL; wait = wait->next)
        job_look(wait->job->table);
    waits->look = waits->loop->now + LOOK_US;
}

void waits_run(struct waits *waits)
{
    int64_t now = waits->loop->now;
    struct wait *next;

    /* Times that are over are found in the same rhythm, so a wait may last a quarter of a second
     * longer than was asked for. */
    if (waits->count == 0 || waits->look > now)
        return;
    for (struct wait *wait = waits->first; wait != NULL; wait = next) {
        next = wait->next;
        if (wait->deadline <= now)
            wake(waits, wait);
    }
    look(waits);
}

int waits_timeout_ms(const struct waits *waits)
{
    int64_t us;

    if (waits->count == 0)
        return -1;
    us = waits->look - waits->loop->now;
    /* Rounded up: a loop that wakes too early would only have to sleep again. */
    return us <= 0 ? 0 : (int)(us / 1000) + 1;
}

void waits_end(struct waits *waits)
{
    waits->limit = 0;
    while (waits->first != NULL)
        wake(waits, waits->first);
}
