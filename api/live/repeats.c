#include "api/live/repeats.h"

#include <stdbool.h>
#include <string.h>

#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/route.h"
#include "api/live/ask.h"
#include "api/live/idempotency.h"
#include "api/loop/loop.h"

struct repeat {
    struct request *request;
    void (*handle)(struct request *request);
    struct idempotency *idempotency;
    db_id id; /* under which the answer is stored */

    /* The request's own source, and what stands in its place until it is answered. */
    const struct request_source *source;
    struct request_source keeper;
};

/* ---- keeping the answer ---- */

enum { STATUS_AGAIN = 0 }; /* of an answer that was not stored with its request */

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

    if ((request->route->way & ASKS) != 0)
        return idempotency_seal(request, repeat->idempotency, STATUS_AGAIN, "", "", "");
    return idempotency_seal(request, repeat->idempotency, reply->status, header_of(reply, "ETag"),
                            header_of(reply, "Location"), reply->body);
}

static struct repeat *repeat_of(const struct request *request)
{
    const char *source = (const char *)request->source;

    return (struct repeat *)(source - offsetof(struct repeat, keeper));
}

/* What was done is told in any case: the client need not repeat it then. */
static void on_kept(void *context, const struct db_reply *reply)
{
    struct repeat *repeat = context;
    struct request *request = repeat->request;

    (void)reply;
    request->kept_back = false;
    request->source->answered(request);
}

/* Only what was done is kept, as for any key. A request at a worker is not the loop's yet, and this
 * is called once more when it is. */
static void on_answered(struct request *request)
{
    struct repeat *repeat = repeat_of(request);

    if (request->offloaded)
        return;
    request->source = repeat->source;
    if (request->reply.status >= 300) {
        request->source->answered(request);
        return;
    }
    request->kept_back = true;
    db_keep_answer(db_of(request), repeat->id, seal(repeat),
                   ASK_ALSO(done, request, ASK_ALL, on_kept, repeat));
}

static void handle(struct repeat *repeat)
{
    struct request *request = repeat->request;

    repeat->source = request->source;
    repeat->keeper = *request->source;
    repeat->keeper.answered = on_answered;
    request->source = &repeat->keeper;
    repeat->handle(request);
}

/* ---- looking for one ---- */

/* The same question has the same answer. */
static void answer_again(struct repeat *repeat)
{
    reply_replayed(repeat->request);
    repeat->handle(repeat->request);
}

static void on_first(void *context, const struct db_reply *reply, const struct db_answer *answer)
{
    struct repeat *repeat = context;

    if (reply->outcome == DB_NOT_FOUND)
        handle(repeat);
    else if (!idempotency_is_same(repeat->idempotency, answer))
        reply_problem(repeat->request, PROBLEM_IDEMPOTENCY_KEY_REUSED, NULL);
    else if (answer->status == STATUS_AGAIN)
        answer_again(repeat);
    else
        idempotency_replay(repeat->request, repeat->idempotency, answer);
}

void repeats_handle(struct request *request, void (*handle_it)(struct request *request))
{
    struct repeat *repeat;
    struct idempotency *idempotency;

    if (!idempotency_read(request, true, &idempotency))
        return;
    if (idempotency == NULL) {
        handle_it(request);
        return;
    }
    repeat = arena_zero(&request->arena, sizeof(*repeat));
    repeat->request = request;
    repeat->handle = handle_it;
    repeat->idempotency = idempotency;
    repeat->id = idempotency_own_id(idempotency);
    db_get_answer(db_of(request), repeat->id, idempotency->key,
                  ASK_ALSO(answer, request, ASK_MISSING, on_first, repeat));
}
