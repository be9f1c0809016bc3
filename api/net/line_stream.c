#include "api/net/line_stream.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/loop/admission.h"
#include "api/loop/loop.h"
#include "api/loop/metering.h"
#include "api/loop/thinkers.h"
#include "api/net/stream.h"
#include "api/text/must.h"

enum { UNSENT_MAX = 1 << 20 }; /* bytes that a slow client may leave unsent */

/* It ends when both the stream and the searches have. */
struct line_stream {
    struct thought thought;
    struct loop *loop;
    struct stream *stream; /* NULL: it has ended */
    bool ready;            /* the stream takes the next text */
    bool thinking;         /* a search waits or is under way */
    struct admission_toll toll;
    struct arena arena, scratch;
    bool (*think)(struct line_stream *telling, void *args, struct arena *scratch,
                  struct thought *thought);
    void *args;
    bool goes_on; /* what `think` said */

    pthread_mutex_t lock; /* of what follows */
    char *unsent;
    size_t len, size;
};

/* ---- its end ---- */

static void free_telling(struct line_stream *telling)
{
    pthread_mutex_destroy(&telling->lock);
    arena_free(&telling->arena);
    arena_free(&telling->scratch);
    free(telling->unsent);
    free(telling);
}

static void over(void *args)
{
    struct line_stream *telling = args;

    telling->stream = NULL;
    atomic_store(&telling->thought.cancel, true);
    if (!telling->thinking)
        free_telling(telling);
}

/* ---- sending ---- */

void line_stream_add(struct line_stream *telling, const char *text, size_t len)
{
    pthread_mutex_lock(&telling->lock);
    if (telling->len + len > UNSENT_MAX) {
        atomic_store(&telling->thought.cancel, true);
    } else {
        if (telling->len + len > telling->size) {
            telling->size = 2 * (telling->len + len);
            telling->unsent = must_realloc(telling->unsent, telling->size);
        }
        memcpy(telling->unsent + telling->len, text, len);
        telling->len += len;
    }
    pthread_mutex_unlock(&telling->lock);
}

/* Sends what there is, if the stream takes it, and ends the stream when all is said. */
static void send_unsent(struct line_stream *telling)
{
    if (telling->stream == NULL || !telling->ready)
        return;
    pthread_mutex_lock(&telling->lock);
    if (telling->len > 0)
        telling->ready = stream_say(telling->stream, telling->unsent, telling->len);
    telling->len = 0;
    pthread_mutex_unlock(&telling->lock);
    if (telling->ready && !telling->thinking)
        stream_finish(telling->stream, STREAM_END_TOLD);
}

static void ready(void *args)
{
    struct line_stream *telling = args;

    telling->ready = true;
    send_unsent(telling);
}

/* ---- searching ---- */

static void look_line_stream(void *context)
{
    send_unsent(context);
}

static void think_line_stream(void *context, struct thought *thought)
{
    struct line_stream *telling = context;

    arena_reset(&telling->scratch);
    telling->goes_on = telling->think(telling, telling->args, &telling->scratch, thought);
}

/* Where the stream is over, the flag was set. */
static enum work_use use_of_line_stream(const void *context)
{
    const struct line_stream *telling = context;

    return atomic_load(&telling->thought.cancel) ? WORK_VAIN : WORK_WANTED;
}

static bool submit_line_stream(struct line_stream *telling)
{
    telling->thinking = thinkers_submit(thinkers_of(telling->loop), &telling->thought);
    return telling->thinking;
}

static void line_stream_done(void *context, bool ran, int64_t us)
{
    struct line_stream *telling = context;
    bool goes_on = ran && telling->goes_on && !atomic_load(&telling->thought.cancel);
    bool paid = admission_pay(telling->loop, &telling->toll,
                              (size_t)(us * METERING_OUT_BYTES / METERING_THOUGHT_US));

    telling->thinking = false;
    if (telling->stream == NULL) {
        free_telling(telling);
        return;
    }
    if (goes_on && paid)
        submit_line_stream(telling);
    send_unsent(telling);
}

/* ---- its beginning ---- */

static const char line_type[] = "application/x-ndjson";
static const struct stream_form lines = {.beat = "\n", .bye = ""};

struct line_stream *line_stream_new(struct request *request)
{
    struct line_stream *telling;

    reply_header(request, "Cache-Control", "no-store");
    reply_header(request, "X-Accel-Buffering", "no");
    if (reply_stream_head(request, line_type) || streams_refuse(request))
        return NULL;
    telling = must_zero(sizeof(*telling));
    telling->loop = request->loop;
    pthread_mutex_init(&telling->lock, NULL);
    return telling;
}

struct arena *line_stream_arena(struct line_stream *telling)
{
    return &telling->arena;
}

void line_stream_begin(struct line_stream *telling, struct request *request, uint64_t nodes,
                       bool (*think_it)(struct line_stream *telling, void *args,
                                        struct arena *scratch, struct thought *thought),
                       void *args)
{
    telling->think = think_it;
    telling->args = args;
    admission_toll(request, &telling->toll);
    telling->thought.think = think_line_stream;
    telling->thought.use = use_of_line_stream;
    telling->thought.look = look_line_stream;
    telling->thought.done = line_stream_done;
    telling->thought.context = telling;
    telling->thought.nodes_max = nodes;
    telling->thought.client = request_sharer(request);
    if (!submit_line_stream(telling)) {
        reply_problem(request, PROBLEM_OVERLOADED, "Too many searches wait. Try again later.");
        free_telling(telling);
        return;
    }
    telling->stream = stream_new(streams_of(telling->loop), request->client, &lines,
                                 (struct stream_owner){ready, over, telling});
    reply_stream(request, line_type, telling->stream, "");
}
