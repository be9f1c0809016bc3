#include "api/live/ask.h"

#include <string.h>

#include "api/http/reply_problem.h"
#include "api/loop/log.h"
#include "api/loop/metering.h"
#include "db/db.h"

/* ---- refusals of requests whose database call failed ---- */

void ask_failed(struct request *request, const struct db_reply *reply)
{
    switch (reply->outcome) {
    case DB_NOT_FOUND:
        reply_problem(request, PROBLEM_NO_SUCH_GAME, NULL);
        return;
    case DB_UNAVAILABLE:
        if (strcmp(reply->error.sqlstate, DB_SQLSTATE_FULL) == 0)
            reply_problem(request, PROBLEM_OVERLOADED, NULL);
        else
            reply_problem(request, PROBLEM_DATABASE_DOWN,
                          "The database does not answer; nothing was done. Try again.");
        return;
    case DB_UNKNOWN:
        reply_problem(request, PROBLEM_DATABASE_DOWN,
                      "The connection to the database broke before its answer came. It is not "
                      "known whether this was done. Repeat it with the same Idempotency-Key, or "
                      "as the same PUT; it will not be done twice.");
        return;
    case DB_CONFLICT: /* rare: op.c tries a write that came too late again */
        reply_problem(request, PROBLEM_OVERLOADED, "The game changes too fast. Try again.");
        return;
    case DB_OK: /* no failure: a mistake of ours */
    case DB_REFUSED:
        break;
    }
    log_event(LOG_ERROR, "database-refused", "request_id", request->id, "sqlstate",
              reply->error.sqlstate, "text", reply->error.text, NULL);
    reply_problem(request, PROBLEM_INTERNAL, NULL);
}

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
    ask_failed(ask->request, reply);
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
