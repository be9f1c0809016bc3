#include "api/net/large.h"

#include <sys/socket.h>

#include "api/http/reply_problem.h"
#include "api/loop/loop.h"
#include "api/loop/metering.h"

enum { SLICE_US = 2000 }; /* for requests that had to wait, in one pass */

/* The client gets the time for its body from now on. */
static void read_on(struct request *request)
{
    struct net *net = net_of(request);

    clients_touch(&net->clients, client_of(request), net->loop->now);
    mhd_resume(request);
}

/* Ends the waiting of those that have waited since before that time. */
void large_turn_away(struct net *net, int64_t before)
{
    struct request *request;

    while ((request = large_queue_give_up_body(&net->large_queue, before)) != NULL)
        exchange_break_off(request, PROBLEM_OVERLOADED);
    while ((request = large_queue_give_up(&net->large_queue, before)) != NULL)
        reply_problem(request, PROBLEM_OVERLOADED, NULL);
}

/* What a client has sent may not have been read yet, since the loop was busy. One that does not
 * take its answer is cut. */
static void cut_slow(struct net *net, int64_t now)
{
    struct request *request;

    while ((request = large_queue_slow(&net->large_queue, now)) != NULL) {
        if (!request->body_to_come) {
            shutdown(client_of(request)->fd, SHUT_RDWR);
            return;
        }
        if (clients_has_unread(client_of(request)))
            large_queue_excuse(request, now);
        else
            exchange_break_off(request, PROBLEM_BODY_TOO_SLOW);
    }
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
