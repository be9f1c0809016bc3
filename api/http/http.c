#include "api/http/http.h"

#include <microhttpd.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/http/admission.h"
#include "api/http/clients.h"
#include "api/http/reply_problem.h"
#include "api/http/route.h"
#include "api/loop/config.h"
#include "api/loop/log.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/loop/quota.h"
#include "api/loop/trace.h"
#include "api/text/must.h"
#include "rules/rules.h"

enum {
    CONNECTION_POOL = 16 << 10, /* cleared for each request, so no larger than headers may be */
    SPARE_REQUESTS = 256,       /* kept for the next ones with their memory */
    BODY_PATIENCE = 2 << 20     /* bytes of a body that is too large before the connection is cut */
};

struct http {
    struct MHD_Daemon *daemon;
    struct loop *loop;
    const struct http_service *service;
    struct clients clients;
    int64_t patience; /* with a client that does not get on, microseconds */
    uint64_t last_id; /* of a request; counts up from a random number */
    struct request *spare[SPARE_REQUESTS];
    size_t spares;
    unsigned pending; /* requests that wait for their answer */
    bool resumed;     /* connections were resumed since libmicrohttpd last ran */
};

static struct http *http_of(const struct request *request)
{
    return request->loop->http;
}

/* ---- a request's life ---- */

/* The client's own Request-Id where it is harmless, else one that no other request has. */
static void name_request(struct request *request)
{
    const char *given = request_header(request, "Request-Id");

    if (given != NULL && *given != '\0' && strlen(given) < sizeof(request->id) &&
        strspn(given, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:") ==
            strlen(given)) {
        strcpy(request->id, given);
        return;
    }
    http_of(request)->last_id++;
    sodium_bin2hex(request->id, sizeof(request->id), (const uint8_t *)&http_of(request)->last_id,
                   sizeof(http_of(request)->last_id));
}

static const char *header(const struct request *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

/* The values of all headers of a name, since each proxy may add one of its own. */
struct values {
    struct arena *arena;
    const char *name, *list;
};

static enum MHD_Result join_value(void *cls, enum MHD_ValueKind kind, const char *name,
                                  const char *value)
{
    struct values *values = cls;

    (void)kind;
    if (strcasecmp(name, values->name) != 0 || value == NULL)
        return MHD_YES;
    values->list =
        values->list == NULL ? value : arena_format(values->arena, "%s, %s", values->list, value);
    return MHD_YES;
}

static const char *header_list(struct request *request, const char *name)
{
    struct values values = {&request->arena, name, NULL};

    MHD_get_connection_values(request->connection, MHD_HEADER_KIND, join_value, &values);
    return values.list;
}

static bool peer(const struct request *request, struct quota_address *address)
{
    return quota_address_peer(
        MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)
            ->client_addr,
        address);
}

/* A resumed connection libmicrohttpd would first read from, and close if the client has shut down
 * its side, and only then ask us for the answer. But before it reads from any connection, it looks
 * at all of those that have a timeout of their own. So whoever is answered has one from here until
 * the answer is fetched; it is not to run out, and most connections are never in that list. */
static void answer_before_reading(struct http *http, struct MHD_Connection *connection, bool on)
{
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT,
                              (unsigned)http->loop->config->idle_s + on);
}

static void answered(struct request *request)
{
    struct http *http = http_of(request);

    if (!request->suspended)
        return;
    request->suspended = false;
    http->pending--;
    http->resumed = true;
    answer_before_reading(http, request->connection, true);
    MHD_resume_connection(request->connection);
}

static const struct request_source source = {header, header_list, peer, answered};

static struct request *new_request(struct http *http)
{
    struct request *request;
    struct arena arena = {NULL, NULL, NULL};

    if (http->spares > 0) {
        request = http->spare[--http->spares];
        arena = request->arena;
    } else {
        request = malloc(sizeof(*request));
    }
    if (request != NULL)
        *request = (struct request){.arena = arena,
                                    .source = &source,
                                    .loop = http->loop,
                                    .route_number = METRICS_NO_ROUTE};
    return request;
}

static void end_request(struct http *http, struct request *request)
{
    free(request->body);
    if (http->spares < SPARE_REQUESTS) {
        arena_reset(&request->arena);
        http->spare[http->spares++] = request;
    } else {
        arena_free(&request->arena);
        free(request);
    }
}

static struct client *client_of(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

static void end_request_of(struct http *http, struct client *client)
{
    if (client->request != NULL)
        end_request(http, client->request);
    client->request = NULL;
    clients_touch(&http->clients, client, http->loop->now);
}

/* A connection begins or ends. Of a request whose first line it could not digest libmicrohttpd says
 * no further word, not even that it is over: what the end finds is such a one. */
static void on_connection(void *cls, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    struct http *http = cls;
    struct client *client = *context;

    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        client = must_alloc(sizeof(*client));
        client->fd =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        client->request = NULL;
        clients_add(&http->clients, client, http->loop->now);
        *context = client;
    } else {
        end_request_of(http, client);
        clients_remove(&http->clients, client);
        free(client);
    }
}

/* libmicrohttpd's first word of a request: what is returned is its `*memory` from then on. */
static void *on_url(void *cls, const char *url, struct MHD_Connection *connection)
{
    struct client *client = client_of(connection);
    struct request *request;

    end_request_of(cls, client);
    request = new_request(cls);
    if (request == NULL)
        return NULL;
    request->connection = connection;
    request->url = arena_copy(&request->arena, url, strnlen(url, REQUEST_URL_MAX + 1));
    client->request = request;
    return request;
}

static void on_completed(void *cls, struct MHD_Connection *connection, void **memory,
                         enum MHD_RequestTerminationCode code)
{
    (void)code;
    end_request_of(cls, client_of(connection));
    *memory = NULL;
}

static void log_request(const struct request *request, uint64_t us)
{
    enum log_level level = request->reply.status >= 500 ? LOG_WARN : LOG_DEBUG;
    char status[16], took[24], trace[TRACE_ID_TEXT];

    if (!log_enabled(level))
        return;
    snprintf(status, sizeof(status), "%u", request->reply.status);
    snprintf(took, sizeof(took), "%llu", (unsigned long long)us);
    log_event(level, "request", "request_id", request->id, "method",
              request_method_name(request->method), "route",
              request->route == NULL ? "none" : request->route->pattern, "status", status, "us",
              took, trace_id_of(request_header(request, "traceparent"), trace) ? "trace_id" : NULL,
              trace, NULL);
}

static void account(struct request *request)
{
    uint64_t us = (uint64_t)(loop_clock_us() - request->arrived);

    metrics_request(&request->loop->metrics, request->route_number, request->reply.status, us);
    log_request(request, us);
}

/* A page of another site asks: it may see these headers, too. Others need not be told, and each
 * header has its price. */
static void allow_page(struct MHD_Response *response)
{
    MHD_add_response_header(response, "Access-Control-Expose-Headers",
                            "ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, "
                            "Idempotent-Replayed, Preference-Applied, Request-Id");
}

static enum MHD_Result send_reply(struct request *request)
{
    const struct reply *reply = &request->reply;
    struct MHD_Response *response = MHD_create_response_from_buffer(
        reply->len, (void *)(uintptr_t)reply->body, MHD_RESPMEM_PERSISTENT);
    enum MHD_Result result;

    if (response == NULL)
        return MHD_NO;
    if (reply->type != NULL)
        MHD_add_response_header(response, "Content-Type", reply->type);
    for (size_t i = 0; i < reply->headers; i++)
        MHD_add_response_header(response, reply->header[i].name, reply->header[i].value);
    MHD_add_response_header(response, "Request-Id", request->id);
    MHD_add_response_header(response, "Access-Control-Allow-Origin", "*");
    if (request_header(request, "Origin") != NULL)
        allow_page(response);
    if (request->loop->draining)
        MHD_add_response_header(response, "Connection", "close");
    result = MHD_queue_response(request->connection, reply->status, response);
    MHD_destroy_response(response);
    account(request);
    return result;
}

/* Keeps a piece of the body. False if the client goes on and on. */
static bool take_body(struct request *request, const char *data, size_t len)
{
    if (request->body_len + len > http_of(request)->service->body_max(request->url)) {
        request->body_too_large = true;
        request->body_len += len;
        return request->body_len <= BODY_PATIENCE;
    }
    if (request->body_len + len + 1 > request->body_size) {
        request->body_size = 2 * (request->body_len + len + 1);
        request->body = must_realloc(request->body, request->body_size);
    }
    memcpy(request->body + request->body_len, data, len);
    request->body_len += len;
    request->body[request->body_len] = '\0';
    return true;
}

static enum MHD_Result count_length(void *count, enum MHD_ValueKind kind, const char *name,
                                    const char *value)
{
    (void)kind;
    (void)value;
    *(int *)count += strcasecmp(name, "Content-Length") == 0;
    return MHD_YES;
}

/* Whether the body has one length. Where it has two, or a length and chunks, a proxy may see
 * another end of it than we do, and another request behind it. */
static bool has_one_length(const struct request *request)
{
    const char *encoding = request_header(request, "Transfer-Encoding");
    int lengths = 0;

    MHD_get_connection_values(request->connection, MHD_HEADER_KIND, count_length, &lengths);
    return encoding == NULL ? lengths <= 1 : lengths == 0 && strcasecmp(encoding, "chunked") == 0;
}

/* Whether the body is to be read. One that is somewhat too large is, unless the client waits for
 * our word: cut off while it still sends, it might never see why. */
static bool body_is_welcome(const struct request *request)
{
    const char *length = request_header(request, "Content-Length");
    int64_t most = request_header(request, "Expect") == NULL
                       ? BODY_PATIENCE
                       : (int64_t)http_of(request)->service->body_max(request->url);

    return length == NULL || strtoll(length, NULL, 10) <= most;
}

/* The header is complete. False, and it is answered, if the body must not even be sent. */
static bool begin(struct request *request, const char *method)
{
    request->method = request_method(method);
    request->arrived = request->loop->now;
    name_request(request);
    if (!has_one_length(request))
        reply_problem_at(request, PROBLEM_BAD_PARAMETER, "Content-Length",
                         "A body has one Content-Length, or Transfer-Encoding: chunked and none.");
    else if (!body_is_welcome(request))
        reply_problem(request, PROBLEM_BODY_TOO_LARGE, NULL);
    return request->reply.status == 0;
}

static enum MHD_Result add_length(void *cls, enum MHD_ValueKind kind, const char *name,
                                  const char *value)
{
    size_t *bytes = cls;

    (void)kind;
    *bytes += strlen(name) + (value == NULL ? 0 : strlen(value));
    return MHD_YES;
}

/* Headers that fill all of libmicrohttpd's memory it refuses itself, in words of its own. */
static bool headers_too_large(const struct request *request)
{
    size_t bytes = 0;

    MHD_get_connection_values(request->connection, MHD_HEADER_KIND, add_length, &bytes);
    return bytes > REQUEST_HEADERS_MAX;
}

static void dispatch(struct request *request)
{
    int bad = request_parse_url(request, request->url);

    if (request->body_too_large)
        reply_problem(request, PROBLEM_BODY_TOO_LARGE, NULL);
    else if (headers_too_large(request))
        reply_problem(request, PROBLEM_HEADERS_TOO_LARGE, NULL);
    else if (bad == REQUEST_PATH_LONG)
        reply_problem(request, PROBLEM_URL_TOO_LONG, NULL);
    else if (bad == REQUEST_PATH_BAD)
        reply_problem(request, PROBLEM_BAD_PARAMETER,
                      "The path has a broken percent-escape, or is not UTF-8.");
    else if (admission_ok(request))
        http_of(request)->service->handle(request);
}

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

        *size = 0;
        return take_body(request, data, len) ? MHD_YES : MHD_NO;
    }
    if (request->reply.status == 0) {
        request->arrived = http->loop->now;
        if (http->loop->db == NULL)
            reply_problem(request, PROBLEM_OVERLOADED, "The daemon is stopping.");
        else
            dispatch(request);
        if (request->reply.status == 0) {
            request->suspended = true;
            http->pending++;
            MHD_suspend_connection(connection);
            return MHD_YES;
        }
    } else {
        answer_before_reading(http, connection, false); /* it was resumed */
    }
    return send_reply(request);
}

/* ---- the whole ---- */

struct http *http_open(struct loop *loop, int listener, const struct http_service *service)
{
    const struct config *config = loop->config;
    struct http *http = calloc(1, sizeof(*http));

    if (http == NULL)
        return NULL;
    http->loop = loop;
    http->service = service;
    http->patience = config->idle_s * INT64_C(1000000);
    randombytes_buf(&http->last_id, sizeof(http->last_id));
    http->daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO, 0, NULL, NULL, on_request, http,
        MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_URI_LOG_CALLBACK, on_url, http,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, http, MHD_OPTION_NOTIFY_CONNECTION,
        on_connection, http, MHD_OPTION_CONNECTION_LIMIT, (unsigned)config->connections,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)config->idle_s, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_POOL, MHD_OPTION_END);
    if (http->daemon != NULL)
        return http;
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

    return MHD_get_timeout(http->daemon, &ms) == MHD_YES ? (int)ms : -1;
}

void http_run(struct http *http)
{
    http->resumed = false;
    MHD_run(http->daemon);
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

bool http_idle(const struct http *http)
{
    return http->pending == 0;
}

size_t http_connections(const struct http *http)
{
    return http->clients.count;
}

void http_quiesce(struct http *http)
{
    MHD_quiesce_daemon(http->daemon);
}

void http_close(struct http *http)
{
    MHD_run(http->daemon); /* sends the last answers, and may read further requests */
    MHD_stop_daemon(http->daemon);
    while (http->spares > 0) {
        struct request *request = http->spare[--http->spares];

        arena_free(&request->arena);
        free(request);
    }
    free(http);
}
