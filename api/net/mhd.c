#include "api/net/net.h"

#include <microhttpd.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/http/intake.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/loop/account.h"
#include "api/loop/admission.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/net/connection.h"
#include "api/net/handout.h"
#include "api/net/large.h"
#include "api/net/stream.h"
#include "api/net/tap.h"
#include "api/text/must.h"

enum {
    CONNECTION_POOL = 16 << 10, /* bytes for headers; cleared for each request, so they are few */
    LOOK_MS = 500,              /* between looks at the time while some wait */
    CLOSED_MAX = 64             /* parked requests whose clients have closed, in one pass */
};

/* ---- a connection's and a request's life ---- */

static const struct request_source source = {
    .header = connection_header,
    .header_list = connection_header_list,
    .peer = connection_peer,
    .socket = connection_socket,
    .answered = connection_answered,
    .park = handout_park,
    .unpark = handout_unpark,
};

static void end_request_of(struct net *net, struct client *client)
{
    if (client->request != NULL)
        connection_end_request(net, client->request);
    client->request = NULL;
    clients_touch(&net->clients, client, net->loop->now);
}

/* A connection begins or ends. At its end a request may be left over: one that libmicrohttpd
 * refused by itself after its first line. on_request() never saw that, so on_completed() is not
 * called. */
static void on_connection(void *cls, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    struct net *net = cls;
    struct client *client = *context;

    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        client = must_zero(sizeof(*client));
        client->fd =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        tap_watch(client->fd, &client->framing);
        clients_add(&net->clients, client, net->loop->now);
        *context = client;
        if (net->taken_back != NULL)
            handout_replay(net, client, connection);
    } else {
        end_request_of(net, client);
        tap_forget(client->fd);
        if (net->loop->draining && !client->parked && linger_is_sending(client->fd))
            linger_add(&net->lingering, client->fd);
        clients_remove(&net->clients, client);
        free(client);
    }
}

/* Takes the query away from libmicrohttpd, in whose buffer the address lies, and which parses it
 * after this. It would list each parameter in the memory for the connection, which some three
 * hundred of them fill, and then close the connection without an answer. We read the query from a
 * copy of our own. */
static void take_query(const char *url)
{
    char *query = strchr(url, '?');

    if (query != NULL)
        query[1] = '\0';
}

/* The first line of a request has come. What is returned is `*memory` in the calls that follow.
 *
 * The request is made here, and not when its headers are complete, for two reasons. The address is
 * still as the client sent it, while on_request() gets it decoded by rules that are not ours. And
 * the client's next stage begins here, so that slow headers are counted against the request. */
static void *on_url(void *cls, const char *url, struct MHD_Connection *connection)
{
    struct net *net = cls;
    struct client *client = connection_client(connection);
    struct request *request;

    client->begun++;
    if (client->request != NULL && client->request->parked == PARKED_NO_MORE)
        return client->request;
    end_request_of(net, client);
    request = request_new(&net->pool);
    if (request == NULL)
        return NULL; /* on_request() closes the connection */
    request->source = &source;
    request->loop = net->loop;
    request->route_number = METRICS_NO_ROUTE;
    request->connection = connection;
    request->url = arena_copy(&request->arena, url, strnlen(url, REQUEST_URL_MAX + 1));
    client->request = request;
    take_query(url);
    return request;
}

/* The answer was sent, or the connection broke. */
static void on_completed(void *cls, struct MHD_Connection *connection, void **memory,
                         enum MHD_RequestTerminationCode code)
{
    struct client *client = connection_client(connection);

    (void)code;
    client->answered++;
    end_request_of(cls, client);
    *memory = NULL;
}

/* A daemon that is about to stop still answers what has come behind this request. */
static bool is_last(const struct request *request)
{
    const struct loop *loop = request->loop;

    return request->malformed || ((loop->leaving || loop->draining) &&
                                  !clients_has_more(connection_client(request->connection)));
}

/* A refusal, the answer to a write and what tells a secret are for one client and one time. What a
 * handler has said before it came to a refusal does not count. */
static void forbid_storing(struct request *request)
{
    struct reply *reply = &request->reply;

    if (reply->status < 400 && (request->method & (METHOD_GET | METHOD_HEAD | METHOD_OPTIONS)) != 0)
        return;
    for (size_t i = 0; i < reply->headers; i++)
        if (strcmp(reply->header[i].name, "Cache-Control") == 0) {
            reply->header[i].value = "no-store";
            return;
        }
    reply_header(request, "Cache-Control", "no-store");
}

/* The headers that every answer has. A page of another site may ask, and its script may see what is
 * listed then. Only such answers carry the list, since each header costs time. */
static void finish_headers(struct request *request)
{
    forbid_storing(request);
    reply_header(request, "Request-Id", request->id);
    reply_header(request, "Access-Control-Allow-Origin", "*");
    if (request_header(request, "Origin") != NULL)
        reply_header(request, "Access-Control-Expose-Headers",
                     "ETag, Link, Location, Retry-After, RateLimit, RateLimit-Cost, "
                     "RateLimit-Policy, Idempotent-Replayed, Preference-Applied, Request-Id");
    if (request->reply.stream != NULL || request->reply.endless || is_last(request))
        reply_header(request, "Connection", "close");
}

/* The body is not copied: it lies in the request's arena or is static, and the request is ended
 * only after the answer was sent. */
static enum MHD_Result send_reply(struct request *request)
{
    const struct reply *reply = &request->reply;
    struct MHD_Response *response;
    enum MHD_Result result;

    admission_settle(request);
    finish_headers(request);
    if (reply->stream != NULL || reply->endless) {
        (reply->endless ? handout_head : handout_stream)(request);
        account_request(request);
        return MHD_NO;
    }
    response = MHD_create_response_from_buffer(reply->len, (void *)(uintptr_t)reply->body,
                                               MHD_RESPMEM_PERSISTENT);
    if (response == NULL)
        return MHD_NO;
    if (reply->type != NULL)
        MHD_add_response_header(response, "Content-Type", reply->type);
    for (size_t i = 0; i < reply->headers; i++)
        MHD_add_response_header(response, reply->header[i].name, reply->header[i].value);
    result = MHD_queue_response(request->connection, reply->status, response);
    MHD_destroy_response(response);
    account_request(request);
    return result;
}

/* ---- reading a request ---- */

/* Nothing that stands behind such a request is taken for another one. */
static void refuse_malformed(struct request *request, const char *why)
{
    request->malformed = true;
    reply_problem(request, PROBLEM_MALFORMED_REQUEST, why);
}

/* The headers are complete. False if the body must not even be sent; the request was answered. */
static bool begin(struct request *request, const char *method)
{
    const struct client *client = connection_client(request->connection);

    request->method = request_method(method);
    request->arrived = request->loop->now;
    if (request->parked == NOT_PARKED)
        request_choose_id(request, &connection_net(request)->last_id);
    if (client->framing.heads < client->begun)
        refuse_malformed(request, client->framing.wrong);
    else if (!intake_begin(request,
                           connection_net(request)->service->body_max(request->loop, request->url)))
        reply_problem(request, PROBLEM_BODY_TOO_LARGE, NULL);
    return request->reply.status == 0;
}

/* Whether all members of a list are one word. */
static bool lists_only(const char *list, const char *word)
{
    while (*(list += strspn(list, " \t,")) != '\0') {
        if (strncasecmp(list, word, strlen(word)) != 0)
            return false;
        list += strlen(word);
        if (*list != '\0' && strchr(" \t,", *list) == NULL)
            return false;
    }
    return true;
}

/* A body that is compressed would be taken for something else. */
static bool body_is_encoded(struct request *request)
{
    const char *codings =
        request->body_len == 0 ? NULL : request_header_list(request, "Content-Encoding");

    return codings != NULL && !lists_only(codings, "identity");
}

static void refuse_encoding(struct request *request)
{
    reply_header(request, "Accept-Encoding", "identity");
    reply_problem_at(request, PROBLEM_UNSUPPORTED_MEDIA_TYPE, "Content-Encoding",
                     "Send the body as it is, without a Content-Encoding.");
}

/* libmicrohttpd knows 100-continue, and ignores what else a client may expect. */
static bool expects_else(struct request *request)
{
    const char *expected = request_header_list(request, "Expect");

    return expected != NULL && !lists_only(expected, "100-continue");
}

/* Whether the headers are such that the request may be answered. Our limit of their size lies below
 * libmicrohttpd's: headers that fill its memory for the connection it refuses by itself, with a
 * page of HTML. */
static bool heads_ok(struct request *request)
{
    struct connection_heads heads = connection_heads(request);

    if (heads.bytes > REQUEST_HEADERS_MAX)
        reply_problem(request, PROBLEM_HEADERS_TOO_LARGE, NULL);
    else if (heads.twice != NULL)
        reply_problem_at(request, PROBLEM_BAD_PARAMETER, heads.twice,
                         arena_format(&request->arena, "Send one %s.", heads.twice));
    else if (expects_else(request))
        reply_problem_at(request, PROBLEM_EXPECTATION_FAILED, "Expect", NULL);
    else if (body_is_encoded(request))
        refuse_encoding(request);
    return request->reply.status == 0;
}

/* The request is complete: it is refused, handed over, or waits for its turn. */
static void dispatch(struct request *request)
{
    const struct client *client = connection_client(request->connection);
    struct net *net = connection_net(request);
    int bad = request_parse_url(request, request->url);

    if (client->framing.requests < client->begun)
        refuse_malformed(request, client->framing.wrong);
    else if (request->body_refused)
        reply_problem(request, PROBLEM_OVERLOADED, NULL);
    else if (request->body_too_large)
        reply_problem(request, PROBLEM_BODY_TOO_LARGE, NULL);
    else if (!heads_ok(request))
        return;
    else if (bad == REQUEST_PATH_LONG)
        reply_problem(request, PROBLEM_URL_TOO_LONG, NULL);
    else if (bad == REQUEST_HOST_OTHER)
        refuse_malformed(request, "The address and Host name different hosts.");
    else if (bad == REQUEST_PATH_BAD)
        reply_problem(request, PROBLEM_BAD_PARAMETER,
                      "The path has a broken percent-escape, or is not UTF-8.");
    else if (admission_ok(request) && turns_may_begin(&net->turns, request, net->loop->now))
        net->service->handle(request);
}

/* It is complete, or goes on after it was parked. What it costs goes to its account. */
static void work_on(struct request *request)
{
    struct loop *loop = request->loop;

    account_begin(loop);
    if (loop->ending) {
        reply_problem(request, PROBLEM_OVERLOADED, "The daemon is stopping.");
    } else if (request->parked == PARKED_NO_MORE) {
        request->parked = NOT_PARKED;
        request->parking.back(request, request->parking.args);
    } else {
        request->arrived = loop->now;
        dispatch(request);
    }
    account_end(loop, request);
}

/* libmicrohttpd calls this several times for one request:
 *   1. when the headers are complete. An answer now would mean that the body is not wanted, so the
 *      call only returns MHD_YES, even if the request could be answered already;
 *   2. for each piece of the body. One that is not taken yet is offered again once the connection,
 *      which is suspended, was resumed;
 *   3. when the body is complete. The request is handed over. If that does not answer it, the
 *      connection is suspended, and libmicrohttpd leaves it alone until connection_answered()
 * resumes it;
 *   4. after that, for the answer; or because the request is to be parked, for which the connection
 *      is closed as far as libmicrohttpd knows. */
static enum MHD_Result on_request(void *cls, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *size, void **memory)
{
    struct net *net = cls;
    struct request *request = *memory;

    (void)url;
    (void)version;
    if (request == NULL)
        return MHD_NO;
    if (request->method == 0)
        return begin(request, method) ? MHD_YES : send_reply(request);
    if (*size > 0) {
        size_t len = *size;

        request->body_refused |= net->loop->ending; /* nobody would resume the connection */
        if (!turns_may_take(&net->turns, request, len, net->loop->now)) {
            connection_suspend(request);
            return MHD_YES;
        }
        *size = 0;
        return intake_take(request, data, len) ? MHD_YES : MHD_NO;
    }
    if (request->reply.status == 0) {
        if (request->parked != NOT_PARKED)
            connection_answer_first(net, connection, false);
        if (request->parked != PARKED_SOON)
            work_on(request);
        if (request->parked == PARKED_SOON) {
            if (handout_take(request, method, version))
                return MHD_NO;
            request->parking.closed(request, request->parking.args);
            work_on(request);
        }
        if (request->offloaded || request->reply.status == 0) {
            connection_suspend(request);
            return MHD_YES;
        }
    } else {
        connection_answer_first(net, connection, false);
    }
    return send_reply(request);
}

/* ---- the whole ---- */

/* libmicrohttpd does not count connections that are parked, and there must be room for each of them
 * when it comes back. */
static enum MHD_Result may_connect(void *cls, const struct sockaddr *address, socklen_t len)
{
    const struct net *net = cls;

    (void)address;
    (void)len;
    return net->taken_back != NULL || net_connections(net) < (size_t)net->loop->config->connections
               ? MHD_YES
               : MHD_NO;
}

struct net *net_open(struct loop *loop, int listener, const struct net_service *service)
{
    const struct config *config = loop->config;
    struct net *net = calloc(1, sizeof(*net));

    if (net == NULL || !parking_open(&net->parking)) {
        free(net);
        return NULL;
    }
    net->loop = loop;
    net->last = &net->returning;
    net->service = service;
    net->patience = config->idle_s * INT64_C(1000000);
    turns_open(&net->turns, (size_t)config->request_memory << 20);
    randombytes_buf(&net->last_id, sizeof(net->last_id));
    /* Without threads of its own, libmicrohttpd works only inside net_run(). MHD_USE_TURBO: it
     * reads and writes at once, without asking first whether the socket is ready. */
    net->daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO, 0, may_connect, net, on_request,
        net, MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_URI_LOG_CALLBACK, on_url, net,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, net, MHD_OPTION_NOTIFY_CONNECTION, on_connection,
        net, MHD_OPTION_CONNECTION_LIMIT, (unsigned)config->connections,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)config->idle_s, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_POOL, MHD_OPTION_END);
    if (net->daemon != NULL)
        return net;
    parking_close(&net->parking);
    free(net);
    return NULL;
}

int net_fd(const struct net *net)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(net->daemon, MHD_DAEMON_INFO_EPOLL_FD);

    return info == NULL ? -1 : info->epoll_fd;
}

int net_timeout_ms(const struct net *net)
{
    MHD_UNSIGNED_LONG_LONG ms;
    int own = turns_ready(&net->turns) ? 0 : turns_anybody_waits(&net->turns) ? LOOK_MS : -1;

    if (MHD_get_timeout(net->daemon, &ms) == MHD_NO || (own >= 0 && own < (int)ms))
        return own;
    return (int)ms;
}

void net_run(struct net *net)
{
    net->resumed = false;
    handout_return_all(net);
    MHD_run(net->daemon);
    large_take_turns(net);
}

int net_parked_fd(const struct net *net)
{
    return net->parking.epoll;
}

void net_run_parked(struct net *net)
{
    struct request *request;

    for (int i = 0; i < CLOSED_MAX && (request = parking_closed(&net->parking)) != NULL; i++)
        request->parking.closed(request, request->parking.args);
}

void net_cut_idle(struct net *net)
{
    int64_t now = net->loop->now;

    clients_cut(&net->clients, now - net->patience, now);
}

bool net_has_answers(const struct net *net)
{
    return net->resumed;
}

bool net_idle(struct net *net)
{
    return net->parked == 0 && streams_count(net->loop->streams) == 0 &&
           linger_done(&net->lingering) && !clients_any_busy(&net->clients);
}

size_t net_connections(const struct net *net)
{
    return net->clients.count + net->parked + streams_count(net->loop->streams);
}

void net_quiesce(struct net *net)
{
    MHD_quiesce_daemon(net->daemon);
}

void net_close(struct net *net)
{
    large_turn_away(net, INT64_MAX);
    handout_return_all(net);
    MHD_run(net->daemon); /* sends the last answers; what else it reads is told that we stop */
    MHD_stop_daemon(net->daemon);
    tap_close();
    linger_close(&net->lingering);
    parking_close(&net->parking);
    request_pool_free(&net->pool);
    free(net);
}
