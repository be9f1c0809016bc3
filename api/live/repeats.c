#include "api/live/repeats.h"

#include <stdbool.h>
#include <string.h>

#include "api/http/reply_problem.h"
#include "api/http/route.h"
#include "api/live/ask.h"
#include "api/live/idempotency.h"
#include "api/loop/loop.h"

struct repeat {
    struct request *request;
    repeats_may *may;
    struct idempotency *idempotency;
    struct db_answer first; /* that was stored */
    db_id id;               /* under which the answer is stored */

    /* The request's own source, and what stands in its place until it is answered. */
    const struct request_source *source;
    struct request_source keeper;
};

/* ---- keeping the answer ---- */

static const char *header_of(const struct reply *reply, const char *name)
{
    for (size_t i = 0; i < reply->headers; i++)
        if (strcmp(reply->header[i].name, name) == 0)
            return reply->header[i].value;
    return "";
}

static const struct db_answer *seal(struct repeat *repeat)
{
    struct request *request = repeat->request;
    const struct reply *reply = &request->reply;

    return idempotency_seal(request, repeat->idempotency, reply->status, header_of(reply, "ETag"),
                            header_of(reply, "Location"), reply->body);
}

static struct repeat *repeat_of(const struct request *request)
{
    const char *source = (const char *)request->source;

    return (struct repeat *)(source - offsetof(struct repeat, keeper));
}

/* Another request with the key was faster. Without its answer, what was done is told in any case:
 * the client need not repeat it then. */
static void on_other(void *context, const struct db_reply *reply, const struct db_answer *answer)
{
    struct repeat *repeat = context;
    struct request *request = repeat->request;

    if (reply->outcome == DB_OK && idempotency_is_same(repeat->idempotency, answer)) {
        request->reply = (struct reply){.status = 0};
        idempotency_replay(request, repeat->idempotency, answer);
    } else {
        request->source->answered(request);
    }
}

static void on_kept(void *context, const struct db_reply *reply)
{
    struct repeat *repeat = context;
    struct request *request = repeat->request;

    if (reply->outcome == DB_CONFLICT)
        db_get_answer(db_of(request), repeat->id, repeat->idempotency->key,
                      ASK_ALSO(answer, request, ASK_ALL, on_other, repeat));
    else
        request->source->answered(request);
}

/* Only what was done is kept, as for any key. The database was asked before, so the connection
 * waits by now, and the answer is not sent before the source is told of it. */
static void on_answered(struct request *request)
{
    struct repeat *repeat = repeat_of(request);

    request->source = repeat->source;
    if (request->reply.status >= 300) {
        request->source->answered(request);
        return;
    }
    db_keep_answer(db_of(request), repeat->id, seal(repeat),
                   ASK_ALSO(done, request, ASK_ALL, on_kept, repeat));
}

static void handle_repeat(struct repeat *repeat)
{
    struct request *request = repeat->request;

    repeat->source = request->source;
    repeat->keeper = *request->source;
    repeat->keeper.answered = on_answered;
    request->source = &repeat->keeper;
    request->route->handle(request);
}

/* ---- looking for one ---- */

static void tell_first(struct request *request, void *args)
{
    const struct repeat *repeat = args;

    if (idempotency_is_same(repeat->idempotency, &repeat->first))
        idempotency_replay(request, repeat->idempotency, &repeat->first);
    else
        reply_problem(request, PROBLEM_IDEMPOTENCY_KEY_REUSED, NULL);
}

static void on_first(void *context, const struct db_reply *reply, const struct db_answer *answer)
{
    struct repeat *repeat = context;
    struct request *request = repeat->request;

    if (reply->outcome == DB_NOT_FOUND) {
        handle_repeat(repeat);
        return;
    }
    repeat->first = *answer;
    repeat->first.sealed = arena_copy(&request->arena, answer->sealed, answer->sealed_len);
    repeat->may(request, tell_first, repeat);
}

/* A stranger is let in nowhere here, and hears of that and not of their key. */
void repeats_handle(struct request *request, repeats_may *may)
{
    struct repeat *repeat;
    struct idempotency *idempotency;

    if (!idempotency_read(request, false, &idempotency))
        return;
    if (idempotency == NULL) {
        request->route->handle(request);
        return;
    }
    repeat = arena_zero(&request->arena, sizeof(*repeat));
    repeat->request = request;
    repeat->may = may;
    repeat->idempotency = idempotency;
    repeat->id = idempotency_own_id(idempotency);
    db_get_answer(db_of(request), repeat->id, idempotency->key,
                  ASK_ALSO(answer, request, ASK_MISSING, on_first, repeat));
}
