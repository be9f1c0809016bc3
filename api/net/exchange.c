/* exchange.c - one request and its answer on a connection (parts.h). */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "api/http/intake.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/loop/admission.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/metering.h"
#include "api/loop/metrics.h"
#include "api/loop/quota.h"
#include "api/net/parts.h"
#include "api/net/stream.h"
#include "api/text/out.h"

/* ---- what a request asks of its connection ---- */

static bool get_peer(const struct request *request, struct quota_address *address)
{
    return quota_address_peer((const struct sockaddr *)&client_of(request)->address, address);
}

static int get_socket(const struct request *request)
{
    return client_of(request)->fd;
}

/* A request whose body still comes is answered at once, and outside: libmicrohttpd would close the
 * connection with bytes unread, which resets it, and the client might never see the answer. If
 * there is no descriptor for that, the connection is cut. */
static void answer_early(struct request *request)
{
    struct client *client = client_of(request);
    struct outside_request *outside = headers_copy(request);

    request->body_to_come = false;
    request->broken_off = true;
    large_queue_drop_body(request);
    if (!mhd_leave(client)) {
        shutdown(client->fd, SHUT_RDWR);
        if (request->suspended)
            mhd_resume(request);
        return;
    }
    client->framing.wrong = "The request was answered before its end.";
    client->outside = outside;
    request->suspended = true;
    outside_ready(net_of(request), client);
}

/* A request that is answered while it is worked on is not suspended: its caller sends the answer.
 * One that is at a worker is answered when it comes back (offload.c), for until then `loop` is not
 * set. */
static void on_answered(struct request *request)
{
    struct net *net;

    if (request->offloaded || !request->suspended)
        return;
    net = net_of(request);
    large_queue_answered(request, net->loop->now);
    if (request->body_to_come)
        answer_early(request);
    else if (client_is_outside(request))
        outside_ready(net, client_of(request));
    else
        mhd_resume(request);
}

/* A request cannot leave libmicrohttpd if that has read a part of another one behind it: these
 * bytes would be lost; or that is malformed, which is noticed inside. A request that has waited
 * outside once does not go there again. The headers are copied before it leaves, and nothing has
 * changed if there is no descriptor for it. */
static bool park(struct request *request)
{
    struct client *client = client_of(request);
    struct outside_request *outside;

    if (client_is_outside(request) || client->framing.requests > client->begun ||
        client->framing.wrong != NULL || framing_in_request(&client->framing))
        return false;
    outside = headers_copy(request);
    if (!mhd_leave(client))
        return false;
    client->outside = outside;
    request->suspended = true;
    request->parked = PARKED;
    outside_take(net_of(request), client);
    return true;
}

/* The request goes on in outside_attend() and not here, so this may be called from any callback.
 * From now on nobody tells its wait that the client has gone (PARKED_NO_MORE). */
static void unpark(struct request *request)
{
    request->parked = PARKED_NO_MORE;
    outside_ready(net_of(request), client_of(request));
}

static const struct request_source source = {
    .header = headers_get,
    .header_list = headers_list,
    .peer = get_peer,
    .socket = get_socket,
    .answered = on_answered,
    .park = park,
    .unpark = unpark,
};

/* ---- the beginning and the end ---- */

/* A request whose client has gone is charged, too. A stream that has no connection by now will
 * never have one: begin_stream() takes it off the reply if it begins. The arena ends with the
 * request, so all others let go of it first. */
static void end_request(struct net *net, struct request *request)
{
    if (request->reply.stream != NULL)
        stream_abandon(request->reply.stream);
    admission_settle(request);
    large_queue_end(request);
    request_end(&net->pool, request);
}

static void end_request_of(struct net *net, struct client *client)
{
    if (client->request != NULL)
        end_request(net, client->request);
    client->request = NULL;
    client->outside = NULL;
}

/* A request may be left that libmicrohttpd has refused by itself, for it does not tell of the end
 * of these. `begun` counts before anything can fail, since the framing is compared with it. The
 * address is copied, because take_query() cuts it, and with one byte more than is allowed, so that
 * one that is too long is noticed. */
static struct request *on_line(struct net *net, struct client *client, const char *url)
{
    struct request *request;

    client->begun++;
    end_request_of(net, client);
    clients_idle(&net->clients, client, net->loop->now);
    request = request_new(&net->pool);
    request->source = &source;
    request->loop = net->loop;
    request->route_number = METRICS_NO_ROUTE;
    request->connection = client;
    request->behind_proxy = net->loop->config->trusted_proxies > 0;
    request->url = arena_copy(&request->arena, url, strnlen(url, REQUEST_URL_MAX + 1));
    client->request = request;
    return request;
}

static void on_request_over(struct net *net, struct client *client)
{
    client->answered++;
    end_request_of(net, client);
    clients_rest(&net->clients, client, net->loop->now);
}

/* The caller closes the descriptor. A daemon that drains must not end before its last bytes have
 * arrived. */
static void on_end(struct net *net, struct client *client)
{
    end_request_of(net, client);
    if (net->loop->draining && linger_is_sending(client->fd))
        linger_add(&net->lingering, client->fd);
    clients_remove(&net->clients, client);
    addresses_remove(&net->addresses, client);
    free(client);
}

/* ---- reading a request ---- */

/* Nothing that stands behind such a request is taken for another one. */
static void refuse_malformed(struct request *request, const char *why)
{
    request->broken_off = true;
    reply_problem(request, PROBLEM_MALFORMED_REQUEST, why);
}

/* ---- working on it ---- */

/* Whether a request may be served, by what its head says. That it is malformed was looked at
 * before, since nothing else can be believed of such a request. A quota is only asked for a request
 * that may be handled. */
static bool admit(struct request *request)
{
    int bad = request_parse_url(request, request->url);

    if (!headers_ok(request))
        return false;
    if (bad == REQUEST_PATH_LONG)
        reply_problem(request, PROBLEM_URL_TOO_LONG, NULL);
    else if (bad == REQUEST_HOST_OTHER)
        refuse_malformed(request, "The address and Host name different hosts.");
    else if (bad == REQUEST_PATH_BAD)
        reply_problem(request, PROBLEM_BAD_PARAMETER,
                      "The path has a broken percent-escape, or is not UTF-8.");
    return request->reply.status == 0 && admission_ok(request);
}

/* The request is complete: it is refused, handed over, or waits for its turn. */
static void dispatch(struct request *request)
{
    const struct client *client = client_of(request);
    struct net *net = net_of(request);

    if (client->framing.requests < client->begun)
        refuse_malformed(request, client->framing.wrong);
    else if (request->body_too_large)
        reply_problem(request, PROBLEM_BODY_TOO_LARGE, NULL);
    else if ((request->admitted || admit(request)) &&
             large_queue_may_begin(&net->large_queue, request, net->loop->now))
        net->service->handle(request);
}

static void arrive_request(struct request *request, void *args)
{
    (void)args;
    request->arrived = request->loop->now;
    dispatch(request);
}

/* The request of which the first malformed byte is a part. libmicrohttpd may have seen nothing of
 * it, its first line, or its head. NULL: it was answered. */
static struct request *malformed_request(struct net *net, struct client *client)
{
    struct request *request = client->request;

    if (client->begun <= client->framing.requests)
        request = on_line(net, client, "");
    return request == NULL || request->reply.status != 0 ? NULL : request;
}

/* libmicrohttpd may not have shown its head (on_head()), so the request has no headers. */
static void leave_malformed(struct request *request)
{
    struct net *net = net_of(request);
    struct client *client = client_of(request);

    client->outside = arena_zero(&request->arena, sizeof(*client->outside));
    if (request->method == 0) {
        request->arrived = net->loop->now;
        request_choose_id(request, &net->last_id);
    }
    request->body_to_come = false;
    large_queue_drop_body(request);
    linger_discard(client->fd);
    request->suspended = true;
    request->broken_off = true;
    if (client->framing.too_long == FRAMING_ADDRESS_LONG)
        reply_problem(request, PROBLEM_URL_TOO_LONG, NULL);
    else if (client->framing.too_long == FRAMING_HEADERS_LONG)
        reply_problem(request, PROBLEM_HEADERS_TOO_LARGE, client->framing.wrong);
    else
        refuse_malformed(request, client->framing.wrong);
}

/* It has left already if it rested. */
static void on_malformed(struct net *net, struct client *client)
{
    struct request *request = malformed_request(net, client);

    if (request == NULL) {
        if (client->connection == NULL)
            outside_end(net, client);
        return;
    }
    if (client->connection == NULL || mhd_leave(client))
        leave_malformed(request);
}

/* What it costs goes to its account. While the loop ends, its database is closed already (loop->db
 * is NULL), so no handler may be called any more. */
static void work_on(struct request *request, void (*work)(struct request *request, void *args),
                    void *args)
{
    struct loop *loop = request->loop;

    metering_begin(loop);
    if (loop->ending)
        reply_problem(request, PROBLEM_OVERLOADED, "The daemon is stopping.");
    else
        work(request, args);
    metering_end(loop, request);
}

/* ---- a body ---- */

static void read_on(struct request *request, void *args)
{
    (void)args;
    request->admitted = true;
    if (request->suspended)
        mhd_resume(request);
}

static void welcome(struct request *request, void *args)
{
    (void)args;
    if (admit(request))
        net_of(request)->service->welcome(request, read_on);
}

/* Before a large body is read, it is known who sends it. That may have to be asked for. */
static enum net_head receive(struct request *request)
{
    request->body_to_come = true;
    work_on(request, welcome, NULL);
    if (request->reply.status == 0)
        return request->admitted ? NET_HEAD_TAKEN : NET_HEAD_LATER;
    answer_early(request);
    return NET_HEAD_REFUSED;
}

static enum net_head on_head(struct request *request, const char *method)
{
    struct net *net = net_of(request);
    const struct client *client = client_of(request);

    request->method = request_method(method);
    request->arrived = net->loop->now;
    clients_touch(&net->clients, client_of(request), net->loop->now);
    request_choose_id(request, &net->last_id);
    /* Both readers count. If libmicrohttpd has seen a head of which the framing has not found the
     * end, it has read the bytes in another way. */
    if (client->framing.heads < client->begun)
        refuse_malformed(request, client->framing.wrong);
    else if (!intake_begin(request, net->service->body_max(net->loop, request->url)))
        reply_problem(request, PROBLEM_BODY_TOO_LARGE, NULL);
    else if (request->body_most > REQUEST_BODY_MAX && !request->body_too_large)
        return receive(request);
    return request->reply.status == 0 ? NET_HEAD_TAKEN : NET_HEAD_REFUSED;
}

/* While the loop ends, nobody would resume the connection. */
static enum net_body on_request_body(struct request *request, const char *data, size_t len)
{
    struct net *net = net_of(request);

    if (!large_queue_may_take(&net->large_queue, request, len, net->loop->now))
        return net->loop->ending ? NET_BODY_CUT : NET_BODY_LATER;
    return intake_take(request, data, len) ? NET_BODY_TAKEN : NET_BODY_CUT;
}

void exchange_break_off(struct request *request, enum problem problem)
{
    if (!request->suspended)
        mhd_suspend(request);
    reply_problem(request, problem, NULL);
}

static void on_complete(struct request *request)
{
    request->body_to_come = false;
    work_on(request, arrive_request, NULL);
}

static void on_go_on(struct request *request)
{
    request->parked = NOT_PARKED;
    work_on(request, request->parking.back, request->parking.args);
}

/* ---- the answer ---- */

/* The head goes to the stream as its first bytes, so that they cannot be overtaken. If the stream
 * does not begin, it stays with the reply, and end_request() abandons it: the client sees a
 * connection that ends without an answer. */
static void begin_stream(struct request *request)
{
    struct out head = answer_head(request);

    out_bytes(&head, request->reply.body, request->reply.len);
    if (stream_begin(request->reply.stream, client_of(request)->fd, head.text, head.len))
        request->reply.stream = NULL;
}

/* The answer to HEAD where GET would be a stream. Of an answer without a length, libmicrohttpd says
 * a chunked body, and sends the end of it even to HEAD. So the head is sent here. It is sent once:
 * the kernel has room for it, unless the client lets that fill with answers, and then loses this
 * one. */
static void send_head(struct request *request)
{
    struct out head = answer_head(request);

    send(client_of(request)->fd, head.text, head.len, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static bool on_answer(struct request *request)
{
    bool is_stream = request->reply.stream != NULL;

    answer_finish(request);
    if (is_stream)
        begin_stream(request);
    else if (request->reply.endless)
        send_head(request);
    return !is_stream && !request->reply.endless;
}

const struct net_events exchange_events = {
    .line = on_line,
    .head = on_head,
    .body = on_request_body,
    .complete = on_complete,
    .malformed = on_malformed,
    .go_on = on_go_on,
    .answer = on_answer,
    .over = on_request_over,
    .end = on_end,
};
