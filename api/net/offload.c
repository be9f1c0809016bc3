#include "api/net/offload.h"

#include <poll.h>
#include <sys/socket.h>

#include "api/http/large_queue.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/loop/loop.h"
#include "api/loop/metering.h"
#include "api/loop/metrics.h"
#include "api/loop/thinkers.h"
#include "api/loop/workers.h"

struct offloaded {
    struct request *request;
    struct loop *loop;
    int fd;
    uint64_t client;
    void (*run)(struct request *request, void *args); /* NULL: it is for a thinker */
    void (*think)(struct request *request, void *args, struct thought *thought);
    void (*then)(struct request *request, void *args);
    void *args;
};

static void refuse_offloaded(struct request *request, const char *why)
{
    reply_header(request, "Retry-After", "1");
    reply_problem(request, PROBLEM_OVERLOADED, why);
}

static void run_offloaded(void *context)
{
    const struct offloaded *offloaded = context;

    offloaded->run(offloaded->request, offloaded->args);
}

static void think_offloaded(void *context, struct thought *thought)
{
    const struct offloaded *offloaded = context;

    offloaded->think(offloaded->request, offloaded->args, thought);
}

/* Whether the client still waits. The end of what it sends does not tell: it may have shut down its
 * side and wait for the answer (net.c). A connection that it has closed looks the same, until it
 * refuses what is sent there. So such a request is in doubt. */
static enum work_use use_of_offloaded(const void *context)
{
    const struct offloaded *offloaded = context;
    struct pollfd poll_fd = {offloaded->fd, POLLIN | POLLRDHUP, 0};

    if (offloaded->fd < 0 || poll(&poll_fd, 1, 0) <= 0)
        return WORK_WANTED;
    if ((poll_fd.revents & (POLLERR | POLLHUP)) != 0)
        return WORK_VAIN;
    return (poll_fd.revents & POLLRDHUP) != 0 ? WORK_DOUBTED : WORK_WANTED;
}

/* Puts the work on the request's account. */
static void count_offloaded(const struct offloaded *offloaded, int64_t us)
{
    struct request *request = offloaded->request;

    if (offloaded->run != NULL) {
        request->cost_us += us;
        metrics_add(&request->loop->metrics.offloaded_us[request->route_number], (uint64_t)us);
    } else {
        request->cost_us += us * METERING_WORK_US / METERING_THOUGHT_US;
    }
}

/* The request is the loop's again, until `then` lends it out once more. What `run` answered was
 * kept back until now. */
static void offloaded_done(void *context, bool ran, int64_t us)
{
    struct offloaded *offloaded = context;
    struct request *request = offloaded->request;
    struct loop *loop = offloaded->loop;

    request->loop = loop;
    request->offloaded = false;
    count_offloaded(offloaded, us);
    large_queue_hold(request);
    metering_begin(loop);
    if (request->reply.status != 0)
        request->source->answered(request);
    else if (!ran)
        refuse_offloaded(request, "The request was not worked on before the daemon stopped.");
    if (offloaded->then != NULL)
        offloaded->then(request, offloaded->args);
    metering_end(loop, request);
}

static struct offloaded *lend(struct request *request,
                              void (*then)(struct request *request, void *args), void *args)
{
    struct offloaded *offloaded = arena_zero(&request->arena, sizeof(*offloaded));

    offloaded->request = request;
    offloaded->loop = request->loop;
    offloaded->fd = request->source->socket(request);
    offloaded->then = then;
    offloaded->args = args;
    offloaded->client = request_sharer(request);
    request->offloaded = true;
    request->loop = NULL;
    return offloaded;
}

static void refuse_lending(struct offloaded *offloaded)
{
    struct request *request = offloaded->request;

    request->offloaded = false;
    request->loop = offloaded->loop;
    refuse_offloaded(request, "Too much work is waiting. Try again a little later.");
    if (offloaded->then != NULL)
        offloaded->then(request, offloaded->args);
}

void offload(struct request *request, void (*run_it)(struct request *request, void *args),
             void (*then)(struct request *request, void *args), void *args)
{
    struct workers *workers = workers_of(request->loop);
    struct offloaded *offloaded = lend(request, then, args);
    struct work *work = arena_alloc(&request->arena, sizeof(*work));

    offloaded->run = run_it;
    *work = (struct work){.run = run_offloaded,
                          .use = use_of_offloaded,
                          .done = offloaded_done,
                          .context = offloaded,
                          .client = offloaded->client};
    if (!workers_submit(workers, work))
        refuse_lending(offloaded);
}

atomic_bool *offload_think(struct request *request, uint64_t nodes,
                           void (*think_it)(struct request *request, void *args,
                                            struct thought *thought),
                           void (*then)(struct request *request, void *args), void *args)
{
    struct thinkers *thinkers = thinkers_of(request->loop);
    struct offloaded *offloaded = lend(request, then, args);
    struct thought *thought = arena_zero(&request->arena, sizeof(*thought));

    offloaded->think = think_it;
    thought->think = think_offloaded;
    thought->use = use_of_offloaded;
    thought->done = offloaded_done;
    thought->context = offloaded;
    thought->client = offloaded->client;
    thought->nodes_max = nodes;
    if (thinkers_submit(thinkers, thought))
        return &thought->cancel;
    refuse_lending(offloaded);
    return NULL;
}
