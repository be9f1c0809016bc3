#include "api/hooks/hooks.h"

#include <stdlib.h>

#include "api/hooks/send_queue.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/part.h"
#include "api/text/must.h"

enum { LOOK_EVERY_US = 1000 * 1000 };

static void hooks_open(struct loop *loop)
{
    struct send_queue *send_queue = send_queue_open(loop, loop->config->webhooks_private == 1);
    struct hooks *hooks;

    if (send_queue == NULL)
        return;
    hooks = must_zero(sizeof(*hooks));
    hooks->loop = loop;
    hooks->send_queue = send_queue;
    loop->own[PART_hooks] = hooks;
}

static void hooks_stop(struct loop *loop)
{
    struct hooks *hooks = hooks_of(loop);
    send_queue_stop(hooks->send_queue);
}

static void hooks_close(struct loop *loop)
{
    struct hooks *hooks = hooks_of(loop);
    send_queue_close(hooks->send_queue);
    free(hooks);
}

static int hooks_fd(const struct loop *loop)
{
    const struct hooks *hooks = hooks_of(loop);
    return send_queue_fd(hooks->send_queue);
}

static int hooks_timeout_ms(const struct loop *loop)
{
    const struct hooks *hooks = hooks_of(loop);

    int ms = send_queue_timeout_ms(hooks->send_queue), look;

    if (hooks->deliveries == NULL)
        return ms;
    look = loop_ms_until(loop, hooks->next_look);
    return ms < 0 || look < ms ? look : ms;
}

static void hooks_run(struct loop *loop)
{
    struct hooks *hooks = hooks_of(loop);

    if (loop->now >= player_deliveries_until(loop))
        player_deliveries_leave(hooks);
    send_queue_hold(hooks->send_queue, player_deliveries_until(loop));
    send_queue_run(hooks->send_queue);
    player_deliveries_tell_room(hooks);
    if (hooks->deliveries == NULL || hooks->loop->now < hooks->next_look)
        return;
    hooks->next_look = hooks->loop->now + LOOK_EVERY_US;
    player_deliveries_run(hooks);
}

const struct part hooks_part = {.first = true,
                                .open = hooks_open,
                                .fd = hooks_fd,
                                .run = hooks_run,
                                .timeout_ms = hooks_timeout_ms,
                                .stop = hooks_stop,
                                .close = hooks_close};
