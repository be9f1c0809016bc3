#include "api/hooks/hooks.h"

#include <stdlib.h>

#include "api/hooks/outbox.h"
#include "api/http/reply_problem.h"
#include "api/loop/loop.h"
#include "api/table/reply_outcome.h"

enum { LOOK_EVERY_US = 1000 * 1000 };

struct hooks *hooks_open(struct loop *loop, bool any_address)
{
    struct hooks *hooks = calloc(1, sizeof(*hooks));

    if (hooks == NULL)
        return NULL;
    hooks->loop = loop;
    hooks->outbox = outbox_open(loop, any_address);
    if (hooks->outbox != NULL)
        return hooks;
    free(hooks);
    return NULL;
}

void hooks_stop(struct hooks *hooks)
{
    if (hooks != NULL)
        outbox_stop(hooks->outbox);
}

void hooks_close(struct hooks *hooks)
{
    if (hooks != NULL)
        outbox_close(hooks->outbox);
    free(hooks);
}

int hooks_fd(const struct hooks *hooks)
{
    return outbox_fd(hooks->outbox);
}

int hooks_timeout_ms(const struct hooks *hooks)
{
    int64_t us = hooks->next_look - hooks->loop->now;

    if (hooks->visits == NULL)
        return -1;
    return us <= 0 ? 0 : (int)((us + 999) / 1000);
}

void hooks_run(struct hooks *hooks)
{
    outbox_run(hooks->outbox);
    if (hooks->visits == NULL || hooks->loop->now < hooks->next_look)
        return;
    hooks->next_look = hooks->loop->now + LOOK_EVERY_US;
    visits_run(hooks);
}

bool hooks_done(struct request *request, const struct db_reply *reply)
{
    if (reply->outcome == DB_OK)
        return true;
    reply_outcome(request, reply);
    return false;
}
