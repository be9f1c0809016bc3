#include "api/hooks/hooks.h"

#include <stdlib.h>

#include "api/hooks/outbox.h"
#include "api/http/reply_problem.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"

enum { LOOK_EVERY_US = 1000 * 1000 };

bool hooks_open(struct loop *loop)
{
    struct hooks *hooks = calloc(1, sizeof(*hooks));

    if (hooks == NULL)
        return false;
    hooks->loop = loop;
    hooks->outbox = outbox_open(loop, loop->config->webhooks_private == 1);
    if (hooks->outbox == NULL) {
        free(hooks);
        return false;
    }
    loop->own[PART_hooks] = hooks;
    return true;
}

void hooks_stop(struct loop *loop)
{
    struct hooks *hooks = hooks_of(loop);
    outbox_stop(hooks->outbox);
}

void hooks_close(struct loop *loop)
{
    struct hooks *hooks = hooks_of(loop);
    outbox_close(hooks->outbox);
    free(hooks);
}

int hooks_fd(const struct loop *loop)
{
    const struct hooks *hooks = hooks_of(loop);
    return outbox_fd(hooks->outbox);
}

int hooks_timeout_ms(const struct loop *loop)
{
    const struct hooks *hooks = hooks_of(loop);

    return hooks->visits == NULL ? -1 : loop_ms_until(loop, hooks->next_look);
}

void hooks_run(struct loop *loop)
{
    struct hooks *hooks = hooks_of(loop);
    outbox_run(hooks->outbox);
    if (hooks->visits == NULL || hooks->loop->now < hooks->next_look)
        return;
    hooks->next_look = hooks->loop->now + LOOK_EVERY_US;
    visits_run(hooks);
}
