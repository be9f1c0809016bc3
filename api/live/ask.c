#include "api/live/ask.h"

#include "api/live/reply_outcome.h"
#include "api/loop/metering.h"

struct ask {
    struct request *request;
    struct loop *loop; /* the request may go to a worker */
    unsigned takes;    /* 0: by ASK(), else by ASK_ALSO() */
    union ask_then then;
    void *context;
    void (*over)(void *context); /* or NULL */
    void *over_context;
};

struct ask *ask_new(struct request *request, unsigned takes, union ask_then then, void *context)
{
    struct ask *ask = arena_zero(&request->arena, sizeof(*ask));

    ask->request = request;
    ask->loop = request->loop;
    ask->takes = takes;
    ask->then = then;
    ask->context = context;
    return ask;
}

struct ask *ask_before(struct ask *ask, void (*over)(void *context), void *context)
{
    ask->over = over;
    ask->over_context = context;
    return ask;
}

/* Whether somebody wants to know of it; else the request is answered. */
static bool begin_reply(const struct ask *ask, const struct db_reply *reply)
{
    metering_begin(ask->loop);
    ask->request->stored += reply->stored;
    if (reply->outcome == DB_OK || (ask->takes >> reply->outcome & 1) != 0)
        return true;
    reply_outcome(ask->request, reply);
    return false;
}

static void end_reply(const struct ask *ask)
{
    metering_end(ask->loop, ask->request);
    if (ask->over != NULL)
        ask->over(ask->over_context);
}

void ask_on_done(void *context, const struct db_reply *reply)
{
    const struct ask *ask = context;
    bool wanted = begin_reply(ask, reply);

    if (wanted && ask->takes == 0)
        ask->then.done(ask->context);
    else if (wanted)
        ask->then.also_done(ask->context, reply);
    end_reply(ask);
}

#define DB_REPLY(name, type)                                                          \
    void ask_on_##name(void *context, const struct db_reply *reply, const type *what) \
    {                                                                                 \
        const struct ask *ask = context;                                              \
        bool wanted = begin_reply(ask, reply);                                        \
                                                                                      \
        if (wanted && ask->takes == 0)                                                \
            ask->then.name(ask->context, what);                                       \
        else if (wanted)                                                              \
            ask->then.also_##name(ask->context, reply, what);                         \
        end_reply(ask);                                                               \
    }
#include "db/replies.def"
