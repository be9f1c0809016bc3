#include "api/duty/expiry.h"

#include <stdbool.h>
#include <stdlib.h>

#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "db/db.h"

/* The pause after a step: a short one while there is more to delete, so that the connection is left
 * to moves most of the time, and else a long one. */
enum { PAUSE_US = 200 * 1000, REST_US = 60 * 1000 * 1000 };

static const int64_t day_us = INT64_C(24) * 60 * 60 * 1000 * 1000;

struct expiry {
    struct loop *loop;
    int64_t next; /* when the next step begins, on loop->now */
    bool under_way;
};

bool expiry_open(struct loop *loop)
{
    struct expiry *expiry = calloc(1, sizeof(*expiry));

    if (expiry == NULL)
        return false;
    *expiry = (struct expiry){.loop = loop, .next = loop->now};
    loop->own[PART_expiry] = expiry;
    return true;
}

void expiry_close(struct loop *loop)
{
    struct expiry *expiry = expiry_of(loop);
    free(expiry);
}

static void on_forgotten(void *context, const struct db_reply *reply,
                         const struct db_forgotten *forgotten)
{
    struct expiry *expiry = context;
    bool more = reply->outcome == DB_OK && forgotten->answers == DB_FORGET_MAX;

    expiry->under_way = false;
    expiry->next = expiry->loop->now + (more ? PAUSE_US : REST_US);
}

void expiry_run(struct loop *loop)
{
    struct expiry *expiry = expiry_of(loop);

    if (expiry->under_way || loop->draining || loop->now < expiry->next)
        return;
    expiry->under_way = true;
    db_forget_answers(loop->db, db_now(loop->db) - loop->config->answers_days * day_us,
                      on_forgotten, expiry);
}

int expiry_timeout_ms(const struct loop *loop)
{
    const struct expiry *expiry = expiry_of(loop);

    return expiry->under_way || loop->draining ? -1 : loop_ms_until(loop, expiry->next);
}
