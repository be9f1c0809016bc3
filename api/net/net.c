#include "api/net/net.h"

#include <sodium.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/http/reply_problem.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/metering.h"
#include "api/loop/part.h"
#include "api/net/parts.h"
#include "api/net/stream.h"
#include "api/net/tap.h"
#include "api/text/must.h"

/* ---- requests with large bodies, as the memory budget allows (large_queue.h) ---- */

enum { SLICE_US = 2000 }; /* for requests that had to wait, in one pass */

/* The client gets the time for its body from now on. */
static void read_on(struct request *request)
{
    struct net *net = net_of(request);

    clients_touch(&net->clients, client_of(request), net->loop->now);
    mhd_resume(request);
}

/* Ends the waiting of those that have waited since before that time: they are refused. Ends the
 * waiting of those that have waited since before that time. */
static void large_turn_away(struct net *net, int64_t before)
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

/* Once in a pass of the loop. */
static void large_take_turns(struct net *net)
{
    int64_t now = loop_clock_us();

    large_turn_away(net, now - net->patience);
    cut_slow(net, now);
    read_bodies(net, now);
    handle_some(net, now);
}

enum {
    REST_US = 1000000,     /* behind an answer, for which a connection stays inside, */
    SHORT_REST_US = 20000, /* and if more than so many do: */
    RESTING_MAX = 512,
    LOOK_MS = 100,   /* between looks at the time while some wait for their turn */
    EVENTS_MAX = 256 /* that are told at a time */
};

struct net *net_open(struct loop *loop, int listener, const struct net_service *service)
{
    struct net *net = must_zero(sizeof(*net));

    net->epoll = epoll_create1(EPOLL_CLOEXEC);
    outside_open(net, listener);
    net->loop = loop;
    net->service = service;
    net->events = &exchange_events;
    net->patience = loop->config->idle_s * INT64_C(1000000);
    net->places = net_places(loop->config);
    addresses_open(&net->addresses);
    large_queue_open(&net->large_queue, (size_t)loop->config->request_memory << 20);
    randombytes_buf(&net->last_id, sizeof(net->last_id));
    if (net->epoll >= 0 && mhd_open(net))
        return net;
    close(net->epoll);
    free(net);
    return NULL;
}

/* ---- waiting ---- */

/* An even number, which no TAP_EVENT() is, and lower than any pointer. */
static uint64_t data_of(unsigned number)
{
    return 2 * (uint64_t)number;
}

void net_watch(struct net *net, int fd, unsigned number)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = data_of(number)};

    epoll_ctl(net->epoll, EPOLL_CTL_ADD, fd, &event);
}

/* What libmicrohttpd is told may not be closed before it runs, and an event outside ends only its
 * own client. So those that come later in the same batch are of sockets that are there. */
uint32_t net_wait(struct net *net, int timeout_ms)
{
    struct epoll_event events[EVENTS_MAX];
    int n = epoll_wait(net->epoll, events, EVENTS_MAX, timeout_ms);
    uint32_t readable = 0;

    for (int i = 0; i < n; i++) {
        uint64_t data = events[i].data.u64;

        if (TAP_IS_EVENT(data))
            tap_event(TAP_SOCKET(data), events[i].events);
        else if (data < data_of(NET_WATCHED_MAX))
            readable |= UINT32_C(1) << data / 2;
        else
            outside_event(net, events[i].data.ptr);
    }
    return readable;
}

/* ---- running ---- */

/* When the client leaves that has rested for longest. A busy client is back at once, and would only
 * go and come. */
static int64_t rest_end(const struct client_list *resting)
{
    return resting->first->since + (resting->count > RESTING_MAX ? SHORT_REST_US : REST_US);
}

static bool has_rested(const struct net *net)
{
    const struct client_list *resting = &net->clients.resting;

    return resting->first != NULL && rest_end(resting) <= net->loop->now;
}

/* Connections that have rested leave libmicrohttpd. */
static void let_rested_go(struct net *net)
{
    while (has_rested(net)) {
        struct client *client = net->clients.resting.first;

        if (clients_is_quiet(client) && mhd_leave(client))
            outside_take(net, client);
        else
            clients_idle(&net->clients, client, net->loop->now);
    }
}

/* libmicrohttpd has had everything up to the first request that is no HTTP, and answered it. It may
 * not read again, since it has taken all that was there: so the client leaves, and is refused.
 * Those who have had their answer in this pass stand at the end. */
static void refuse_malformed(struct net *net)
{
    struct client *client = net->clients.resting.last, *earlier;

    for (; client != NULL && client->since >= net->loop->now; client = earlier) {
        earlier = client->earlier;
        if (client->framing.wrong != NULL && client->request == NULL && mhd_leave(client))
            net->events->malformed(net, client);
    }
}

void net_run(struct net *net)
{
    net->has_work = false;
    outside_attend(net);
    mhd_run(net);
    refuse_malformed(net);
    let_rested_go(net);
    large_take_turns(net);
}

bool net_has_answers(const struct net *net)
{
    return net->has_work;
}

/* A client of libmicrohttpd is not closed here: the descriptor is its own, and finds the end. */
void net_cut_idle(struct net *net)
{
    int64_t now = net->loop->now;
    struct client *client;

    while ((client = clients_late(&net->clients, now - net->patience, now)) != NULL) {
        if (client->connection == NULL) {
            outside_end(net, client);
            continue;
        }
        shutdown(client->fd, SHUT_RDWR);
        clients_touch(&net->clients, client, now);
    }
}

int net_timeout_ms(const struct net *net)
{
    const struct client_list *resting = &net->clients.resting;
    const struct client *late[] = {net->clients.idle.first, net->clients.busy.first};
    int ms = mhd_timeout_ms(net);

    if (large_queue_ready(&net->large_queue) || net->ready != NULL)
        return 0;
    if (large_queue_anybody_waits(&net->large_queue))
        ms = parts_sooner(ms, LOOK_MS);
    if (resting->first != NULL)
        ms = parts_sooner(ms, loop_ms_until(net->loop, rest_end(resting)));
    for (size_t i = 0; i < sizeof(late) / sizeof(late[0]); i++)
        if (late[i] != NULL)
            ms = parts_sooner(ms, loop_ms_until(net->loop, late[i]->since + net->patience) + 1);
    if (net->deaf_until != 0)
        ms = parts_sooner(ms, loop_ms_until(net->loop, net->deaf_until));
    return ms;
}

/* ---- looking ---- */

bool net_idle(struct net *net)
{
    return streams_count(streams_of(net->loop)) == 0 && linger_done(&net->lingering) &&
           !clients_any_busy(&net->clients);
}

size_t net_connections(const struct net *net)
{
    return outside_count(net);
}

/* A quarter of the descriptors is left to all else: if connections could take them all, nobody
 * would give way to a new one, which could not even be accepted. */
size_t net_places(const struct config *config)
{
    size_t wanted = (size_t)config->connections, most = wanted;
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        most = (size_t)limit.rlim_cur / 4 * 3 / config_loops(config);
    return most < wanted ? most : wanted;
}

/* ---- its end ---- */

void net_quiesce(struct net *net)
{
    outside_quiesce(net);
}

/* What is read in the last run is told that we stop. */
void net_close(struct net *net)
{
    large_turn_away(net, INT64_MAX);
    outside_attend(net);
    mhd_run(net);
    mhd_close(net);
    outside_close(net);
    linger_close(&net->lingering);
    close(net->epoll);
    request_pool_free(&net->pool);
    free(net);
}
