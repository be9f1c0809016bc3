#include "api/http/http.h"

#include <microhttpd.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/http/account.h"
#include "api/http/admission.h"
#include "api/http/connection.h"
#include "api/http/handout.h"
#include "api/http/intake.h"
#include "api/http/large.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/stream.h"
#include "api/http/wire.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
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

static void end_request_of(struct http *http, struct client *client)
{
    if (client->request != NULL)
        connection_end_request(http, client->request);
    client->request = NULL;
    clients_touch(&http->clients, client, http->loop->now);
}

/* A connection begins or ends. At its end a request may be left over: one that libmicrohttpd
 * refused by itself after its first line. on_request() never saw that, so on_completed() is not
 * called. */
static void on_connection(void *cls, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    struct http *http = cls;
    struct client *client = *context;

    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        client = must_zero(sizeof(*client));
        client->fd =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        wire_watch(client->fd, &client->framing);
        clients_add(&http->clients, client, http->loop->now);
        *context = client;
        if (http->taken_back != NULL)
            handout_replay(http, client, connection);
    } else {
        end_request_of(http, client);
        wire_forget(client->fd);
        if (http->loop->draining && !client->parked && linger_is_sending(client->fd))
            linger_add(&http->lingering, client->fd);
        clients_remove(&http->clients, client);
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
    struct http *http = cls;
    struct client *client = connection_client(connection);
    struct request *request;

    client->begun++;
    if (client->request != NULL && client->request->parked == PARKED_NO_MORE)
        return client->request;
    end_request_of(http, client);
    request = request_new(&http->pool);
    if (request == NULL)
        return NULL; /* on_request() closes the connection */
    request->source = &source;
    request->loop = http->loop;
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
        request_choose_id(request, &connection_http(request)->last_id);
    if (client->framing.heads < client->begun)
        refuse_malformed(request, client->framing.wrong);
    else if (!intake_begin(
                 request, connection_http(request)->service->body_max(request->loop, request->url)))
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
    struct http *http = connection_http(request);
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
    else if (admission_ok(request) && turns_may_begin(&http->turns, request, http->loop->now))
        http->service->handle(request);
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
    struct http *http = cls;
    struct request *request = *memory;

    (void)url;
    (void)version;
    if (request == NULL)
        return MHD_NO;
    if (request->method == 0)
        return begin(request, method) ? MHD_YES : send_reply(request);
    if (*size > 0) {
        size_t len = *size;

        request->body_refused |= http->loop->ending; /* nobody would resume the connection */
        if (!turns_may_take(&http->turns, request, len, http->loop->now)) {
            connection_suspend(request);
            return MHD_YES;
        }
        *size = 0;
        return intake_take(request, data, len) ? MHD_YES : MHD_NO;
    }
    if (request->reply.status == 0) {
        if (request->parked != NOT_PARKED)
            connection_answer_first(http, connection, false);
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
        connection_answer_first(http, connection, false);
    }
    return send_reply(request);
}

/* ---- the whole ---- */

/* libmicrohttpd does not count connections that are parked, and there must be room for each of them
 * when it comes back. */
static enum MHD_Result may_connect(void *cls, const struct sockaddr *address, socklen_t len)
{
    const struct http *http = cls;

    (void)address;
    (void)len;
    return http->taken_back != NULL ||
                   http_connections(http) < (size_t)http->loop->config->connections
               ? MHD_YES
               : MHD_NO;
}

struct http *http_open(struct loop *loop, int listener, const struct http_service *service)
{
    const struct config *config = loop->config;
    struct http *http = calloc(1, sizeof(*http));

    if (http == NULL || !parking_open(&http->parking)) {
        free(http);
        return NULL;
    }
    http->loop = loop;
    http->last = &http->returning;
    http->service = service;
    http->patience = config->idle_s * INT64_C(1000000);
    turns_open(&http->turns, (size_t)config->request_memory << 20);
    randombytes_buf(&http->last_id, sizeof(http->last_id));
    /* Without threads of its own, libmicrohttpd works only inside http_run(). MHD_USE_TURBO: it
     * reads and writes at once, without asking first whether the socket is ready. */
    http->daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO, 0, may_connect, http, on_request,
        http, MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_URI_LOG_CALLBACK, on_url, http,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, http, MHD_OPTION_NOTIFY_CONNECTION,
        on_connection, http, MHD_OPTION_CONNECTION_LIMIT, (unsigned)config->connections,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)config->idle_s, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_POOL, MHD_OPTION_END);
    if (http->daemon != NULL)
        return http;
    parking_close(&http->parking);
    free(http);
    return NULL;
}

int http_fd(const struct http *http)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_EPOLL_FD);

    return info == NULL ? -1 : info->epoll_fd;
}

int http_timeout_ms(const struct http *http)
{
    MHD_UNSIGNED_LONG_LONG ms;
    int own = turns_ready(&http->turns) ? 0 : turns_anybody_waits(&http->turns) ? LOOK_MS : -1;

    if (MHD_get_timeout(http->daemon, &ms) == MHD_NO || (own >= 0 && own < (int)ms))
        return own;
    return (int)ms;
}

void http_run(struct http *http)
{
    http->resumed = false;
    handout_return_all(http);
    MHD_run(http->daemon);
    large_take_turns(http);
}

int http_parked_fd(const struct http *http)
{
    return http->parking.epoll;
}

void http_run_parked(struct http *http)
{
    struct request *request;

    for (int i = 0; i < CLOSED_MAX && (request = parking_closed(&http->parking)) != NULL; i++)
        request->parking.closed(request, request->parking.args);
}

void http_cut_idle(struct http *http)
{
    int64_t now = http->loop->now;

    clients_cut(&http->clients, now - http->patience, now);
}

bool http_has_answers(const struct http *http)
{
    return http->resumed;
}

bool http_idle(struct http *http)
{
    return http->parked == 0 && streams_count(http->loop->streams) == 0 &&
           linger_done(&http->lingering) && !clients_any_busy(&http->clients);
}

size_t http_connections(const struct http *http)
{
    return http->clients.count + http->parked + streams_count(http->loop->streams);
}

void http_quiesce(struct http *http)
{
    MHD_quiesce_daemon(http->daemon);
}

void http_close(struct http *http)
{
    large_turn_away(http, INT64_MAX);
    handout_return_all(http);
    MHD_run(http->daemon); /* sends the last answers; what else it reads is told that we stop */
    MHD_stop_daemon(http->daemon);
    wire_close();
    linger_close(&http->lingering);
    parking_close(&http->parking);
    request_pool_free(&http->pool);
    free(http);
}
