#include "api/http/offload.h"

#include <poll.h>
#include <sys/socket.h>

#include "api/http/account.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/turns.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/loop/workers.h"

/* The work comes first, so that a pointer to it is one to all of this. */
struct offloaded {
    struct work work;
    struct request *request;
    struct loop *loop;
    int fd;
    void (*run)(struct request *request, void *args);
    void (*then)(struct request *request, void *args);
    void *args;
};

static void refuse(struct request *request, const char *why)
{
    reply_header(request, "Retry-After", "1");
    reply_problem(request, PROBLEM_OVERLOADED, why);
}

static void run(struct work *work)
{
    const struct offloaded *offloaded = (struct offloaded *)work;

    offloaded->run(offloaded->request, offloaded->args);
}

/* Whether the client still waits. The end of what it sends does not tell: it may have shut down its
 * side and wait for the answer (http.c). A connection that it has closed looks the same, until it
 * refuses what is sent there. So such a request is in doubt. */
static enum work_use use(const struct work *work)
{
    const struct offloaded *offloaded = (const struct offloaded *)work;
    struct pollfd poll_fd = {offloaded->fd, POLLIN | POLLRDHUP, 0};

    if (offloaded->fd < 0 || poll(&poll_fd, 1, 0) <= 0)
        return WORK_WANTED;
    if ((poll_fd.revents & (POLLERR | POLLHUP)) != 0)
        return WORK_VAIN;
    return (poll_fd.revents & POLLRDHUP) != 0 ? WORK_DOUBTED : WORK_WANTED;
}

/* The request is the loop's again. What `run` answered was kept back until now. */
static void done(struct work *work)
{
    struct offloaded *offloaded = (struct offloaded *)work;
    struct request *request = offloaded->request;

    request->loop = offloaded->loop;
    request->offloaded = false;
    request->cost_us += work->us;
    turns_hold(request);
    metrics_offloaded(&request->loop->metrics, request->route_number, (uint64_t)work->us);
    account_begin(request->loop);
    if (request->reply.status != 0)
        request->source->answered(request);
    else if (!work->ran)
        refuse(request, "The request was not worked on before the daemon stopped.");
    if (offloaded->then != NULL)
        offloaded->then(request, offloaded->args);
    account_end(request->loop, request);
}

void offload(struct request *request, void (*run_it)(struct request *request, void *args),
             void (*then)(struct request *request, void *args), void *args)
{
    struct loop *loop = request->loop;
    struct offloaded *offloaded = arena_zero(&request->arena, sizeof(*offloaded));
    int fd = request->source->socket(request);

    *offloaded = (struct offloaded){
        .work = {.run = run, .done = done, .use = use, .client = request->client},
        .request = request,
        .loop = loop,
        .fd = fd,
        .run = run_it,
        .then = then,
        .args = args};
    if (request->client == 0) /* nobody is counted, so each connection is somebody */
        offloaded->work.client = (uint64_t)(unsigned)fd + 1;
    request->offloaded = true;
    request->loop = NULL;
    if (workers_submit(loop->workers, &offloaded->work))
        return;
    request->offloaded = false;
    request->loop = loop;
    refuse(request, "Too much work is waiting. Try again a little later.");
    if (then != NULL)
        then(request, args);
}
