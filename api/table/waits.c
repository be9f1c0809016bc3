#include "api/table/waits.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/http/reply.h"
#include "api/http/request.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/table/jobs.h"
#include "api/text/arena.h"

enum { LOOK_US = 250 * 1000 }; /* how long news of another loop or daemon may take */

struct wait {
    struct job *job;
    int64_t deadline;
    struct wait *next, **link;             /* of all that wait */
    struct wait *table_next, **table_link; /* of those at the same table */
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

static void link_wait(struct wait **list, struct wait *wait, struct wait **next,
                      struct wait ***link)
{
    *next = *list;
    *link = list;
    *list = wait;
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
    link_wait(&waits->first, wait, &wait->next, &wait->link);
    if (wait->next != NULL)
        wait->next->link = &wait->next;
    link_wait(&job->table->waiting, wait, &wait->table_next, &wait->table_link);
    if (wait->table_next != NULL)
        wait->table_next->table_link = &wait->table_next;
    if (waits->count++ == 0)
        waits->look = request->loop->now + LOOK_US;
    metrics_add(&request->loop->metrics.waits, 1);
    reply_header(request, "Preference-Applied",
                 arena_format(&request->arena, "wait=%d", job->wait_s));
    job->wait_s = 0; /* once */
    return STEP_OVER;
}

static void wake(struct waits *waits, struct wait *wait)
{
    struct job *job = wait->job;

    *wait->link = wait->next;
    if (wait->next != NULL)
        wait->next->link = wait->link;
    *wait->table_link = wait->table_next;
    if (wait->table_next != NULL)
        wait->table_next->table_link = wait->table_link;
    waits->count--;
    metrics_sub(&waits->loop->metrics.waits, 1);
    job->request->arrived = waits->loop->now;
    job_submit(job, job->table->row.id);
}

void waits_wake(struct table *table)
{
    while (table->waiting != NULL)
        wake(table->waiting->job->request->loop->waits, table->waiting);
}

/* ---- in each turn ---- */

/* Each table is looked up once, however many wait at it: it is busy from then on. */
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
    return us <= 0 ? 0 : (int)(us / 1000) + 1;
}

void waits_end(struct waits *waits)
{
    waits->limit = 0;
    while (waits->first != NULL)
        wake(waits, waits->first);
}
