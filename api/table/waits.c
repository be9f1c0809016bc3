#include "api/table/waits.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/http/reply.h"
#include "api/loop/metrics.h"
#include "api/server.h"

enum { LOOK_US = 250 * 1000 }; /* how long news of another loop or daemon may take */

struct wait {
    struct job *job;
    int64_t deadline;
    struct wait *next, **link;             /* of all that wait */
    struct wait *table_next, **table_link; /* of those at the same table */
};

struct waits {
    struct server *server;
    struct wait *first;
    size_t count, limit;
    int64_t look; /* when the versions are looked up next */
};

struct waits *waits_open(struct server *server, size_t limit)
{
    struct waits *waits = calloc(1, sizeof(*waits));

    if (waits == NULL)
        return NULL;
    waits->server = server;
    waits->limit = limit;
    return waits;
}

void waits_close(struct waits *waits)
{
    free(waits);
}

/* ---- what is asked for ---- */

/* The value of a preference that stands by itself or among others, after a comma or a semicolon. */
static const char *preference(const char *header, const char *name)
{
    size_t len = strlen(name);

    while (header != NULL && *header != '\0') {
        header += strspn(header, " \t,;");
        if (strncasecmp(header, name, len) == 0 && header[len] == '=')
            return header + len + 1;
        header += strcspn(header, ",;");
    }
    return NULL;
}

void wait_read(struct job *job)
{
    const char *value = preference(request_header(job->request, "Prefer"), "wait");
    size_t digits;

    if (value == NULL)
        return;
    value += *value == '"';
    digits = strspn(value, "0123456789");
    if (digits > 0 && strchr("\", \t;", value[digits]) != NULL)
        job->wait_s = digits > 3 || atoi(value) > WAIT_MAX_S ? WAIT_MAX_S : atoi(value);
}

/* ---- waiting ---- */

static void link_wait(struct wait **list, struct wait *wait, struct wait **next,
                      struct wait ***link)
{
    *next = *list;
    *link = list;
    *list = wait;
}

bool wait_for_news(struct job *job)
{
    struct request *request = job->request;
    struct waits *waits = server_waits(request->server);
    struct wait *wait;

    if (job->wait_s == 0 || waits->count >= waits->limit)
        return false;
    wait = arena_zero(&request->arena, sizeof(*wait));
    wait->job = job;
    wait->deadline = server_now(request->server) + job->wait_s * INT64_C(1000000);
    link_wait(&waits->first, wait, &wait->next, &wait->link);
    if (wait->next != NULL)
        wait->next->link = &wait->next;
    link_wait(&job->table->waiting, wait, &wait->table_next, &wait->table_link);
    if (wait->table_next != NULL)
        wait->table_next->table_link = &wait->table_next;
    if (waits->count++ == 0)
        waits->look = server_now(request->server) + LOOK_US;
    metrics_add(&server_metrics(request->server)->waits, 1);
    reply_header(request, "Preference-Applied",
                 arena_format(&request->arena, "wait=%d", job->wait_s));
    job->wait_s = 0; /* once */
    job_done(job);
    return true;
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
    metrics_add(&server_metrics(waits->server)->waits, UINT64_MAX);
    job->request->arrived = server_now(waits->server);
    job_submit(job, job->table->row.id);
}

void waits_wake(struct table *table)
{
    while (table->waiting != NULL)
        wake(server_waits(table->waiting->job->request->server), table->waiting);
}

/* ---- in each turn ---- */

/* Each table is looked up once, however many wait at it: it is busy from then on. */
static void look(struct waits *waits)
{
    for (struct wait *wait = waits->first; wait != NULL; wait = wait->next)
        table_look(wait->job->table);
    waits->look = server_now(waits->server) + LOOK_US;
}

void waits_run(struct waits *waits)
{
    int64_t now = server_now(waits->server);
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
    us = waits->look - server_now(waits->server);
    return us <= 0 ? 0 : (int)(us / 1000) + 1;
}

void waits_end(struct waits *waits)
{
    waits->limit = 0;
    while (waits->first != NULL)
        wake(waits, waits->first);
}
