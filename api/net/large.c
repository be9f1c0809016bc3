#include "api/net/large.h"

#include <sys/socket.h>

#include "api/http/reply_problem.h"
#include "api/loop/loop.h"
#include "api/loop/metering.h"

enum {
    SLOW_US = 5000000, /* for a client to send or to take, if others wait for its memory */
    SLICE_US = 2000    /* for requests that had to wait, in one pass */
};

/* The client gets the time for its body from now on. */
static void read_on(struct request *request)
{
    struct net *net = net_of(request);

    clients_touch(&net->clients, client_of(request), net->loop->now);
    mhd_resume(request);
}

/* Ends the waiting of those that have waited since before that time. A body is read on all the same
 * before its request is refused, for a client that still sends may not see the answer. */
void large_turn_away(struct net *net, int64_t before)
{
    struct request *request;

    while ((request = large_queue_give_up_body(&net->large_queue, before)) != NULL) {
        request->body_refused = true;
        read_on(request);
    }
    while ((request = large_queue_give_up(&net->large_queue, before)) != NULL)
        reply_problem(request, PROBLEM_OVERLOADED, NULL);
}

static void cut_slow(struct net *net, int64_t now)
{
    const struct request *request = large_queue_slow(&net->large_queue, now - SLOW_US);

    if (request != NULL)
        shutdown(client_of(request)->fd, SHUT_RDWR);
}

static void read_bodies(struct net *net, int64_t now)
{
    struct request *request;

    while ((request = large_queue_next_body(&net->large_queue, now)) != NULL)
        read_on(request);
}

/* Handling one may take long. So after a slice of time the others wait for the next pass, and what
 * waits for nothing is served in between. */
static void handle_some(struct net *net, int64_t now)
{
    struct request *request;

    while (loop_clock_us() - now < SLICE_US &&
           (request = large_queue_next(&net->large_queue, now)) != NULL) {
        request->arrived = net->loop->now; /* its patience with the game begins here */
        metering_begin(net->loop);
        net->service->handle(request);
        metering_end(net->loop, request);
        large_queue_hold(request);
    }
}

void large_take_turns(struct net *net)
{
    int64_t now = loop_clock_us();

    large_turn_away(net, now - net->patience);
    cut_slow(net, now);
    read_bodies(net, now);
    handle_some(net, now);
}
