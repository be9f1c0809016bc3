#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "admission.h"
#include "clients.h"
#include "db/db.h"
#include "log.h"
#include "players.h"
#include "reply.h"
#include "route.h"
#include "tables.h"
#include "trace.h"
#include "waits.h"

enum {
    LOOPS_MAX = 64,
    BACKLOG = 4096,
    CONNECTION_POOL = 16 << 10, /* cleared for each request, so no larger than headers may be */
    PUBLISH_US = 100000,        /* how old a busy loop's numbers may be for others */
    SPARE_REQUESTS = 256,       /* kept for the next ones with their memory */
    BODY_PATIENCE = 2 << 20     /* bytes of a body that is too large before the connection is cut */
};

struct server {
    struct MHD_Daemon *http;
    struct db *db;
    struct tables *tables;
    struct waits *waits;
    struct quota *quota;
    struct players *players;
    struct metrics metrics;
    struct clients clients;
    const struct config *config;
    pthread_t thread;
    int listener;
    int stop; /* eventfd: readable once the loop shall drain */
    int64_t now;
    int64_t published; /* when others could last see this loop's numbers */
    uint64_t last_id;  /* of a request; counts up from a random number */
    struct request *spare[SPARE_REQUESTS];
    size_t spares;
    unsigned pending; /* requests that wait for their answer */
    bool resumed;     /* connections were resumed since libmicrohttpd last ran */
    bool draining;
};

static struct server *loops[LOOPS_MAX];
static size_t nloops;
static int64_t began; /* monotonic, microseconds */

struct db *server_db(const struct server *server)
{
    return server->db;
}

struct tables *server_tables(const struct server *server)
{
    return server->tables;
}

struct players *server_players(const struct server *server)
{
    return server->players;
}

struct waits *server_waits(const struct server *server)
{
    return server->waits;
}

struct metrics *server_metrics(struct server *server)
{
    return &server->metrics;
}

struct quota *server_quota(const struct server *server)
{
    return server->quota;
}

const struct config *server_config(const struct server *server)
{
    return server->config;
}

bool server_draining(const struct server *server)
{
    return server->draining;
}

size_t server_all(struct server *const **servers)
{
    *servers = loops;
    return nloops;
}

int64_t server_now(const struct server *server)
{
    return server->now;
}

static int64_t monotonic_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void server_publish(struct server *server)
{
    server->published = server->now;
    metrics_publish(&server->metrics, server->db, tables_count(server->tables),
                    server->clients.count);
}

uint64_t server_uptime_s(void)
{
    return (uint64_t)(monotonic_us() - began) / 1000000;
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
    request->server->last_id++;
    sodium_bin2hex(request->id, sizeof(request->id), (const uint8_t *)&request->server->last_id,
                   sizeof(request->server->last_id));
}

const char *request_header(const struct request *request, const char *name)
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

const char *request_header_list(struct request *request, const char *name)
{
    struct values values = {&request->arena, name, NULL};

    MHD_get_connection_values(request->connection, MHD_HEADER_KIND, join_value, &values);
    return values.list;
}

bool request_peer(const struct request *request, struct quota_address *address)
{
    const struct sockaddr *peer =
        MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)
            ->client_addr;

    return quota_address_peer(peer, address);
}

static struct request *new_request(struct server *server)
{
    struct request *request;
    struct arena arena = {NULL, NULL, NULL};

    if (server->spares > 0) {
        request = server->spare[--server->spares];
        arena = request->arena;
    } else {
        request = malloc(sizeof(*request));
    }
    if (request != NULL)
        *request = (struct request){.arena = arena, .server = server};
    return request;
}

static void end_request(struct server *server, struct request *request)
{
    free(request->body);
    if (server->spares < SPARE_REQUESTS) {
        arena_reset(&request->arena);
        server->spare[server->spares++] = request;
    } else {
        arena_free(&request->arena);
        free(request);
    }
}

static struct client *client_of(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

static void end_request_of(struct server *server, struct client *client)
{
    if (client->request != NULL)
        end_request(server, client->request);
    client->request = NULL;
    clients_touch(&server->clients, client, server->now);
}

/* A connection begins or ends. Of a request whose first line it could not digest libmicrohttpd says
 * no further word, not even that it is over: what the end finds is such a one. */
static void on_connection(void *cls, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    struct server *server = cls;
    struct client *client = *context;

    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        client = must_alloc(sizeof(*client));
        client->fd =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        client->request = NULL;
        clients_add(&server->clients, client, server->now);
        *context = client;
    } else {
        end_request_of(server, client);
        clients_remove(&server->clients, client);
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
    log_event(level, "request", "request_id", request->id, "route",
              request->route == NULL ? "none" : request->route->pattern, "status", status, "us",
              took, trace_id_of(request_header(request, "traceparent"), trace) ? "trace_id" : NULL,
              trace, NULL);
}

static void account(struct request *request)
{
    uint64_t us = (uint64_t)(monotonic_us() - request->arrived);

    metrics_request(&request->server->metrics,
                    request->route == NULL ? METRICS_NO_ROUTE
                                           : (size_t)(request->route - route_at(0)),
                    request->reply.status, us);
    log_request(request, us);
}

/* A page of another site asks: it may see these headers, too. Others need not be told, and each
 * header has its price. */
static void allow_page(struct MHD_Response *response)
{
    MHD_add_response_header(response, "Access-Control-Expose-Headers",
                            "ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, "
                            "Idempotent-Replayed, Request-Id");
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
    if (request->server->draining)
        MHD_add_response_header(response, "Connection", "close");
    result = MHD_queue_response(request->connection, reply->status, response);
    MHD_destroy_response(response);
    account(request);
    return result;
}

void server_answered(struct request *request)
{
    struct server *server = request->server;

    if (!request->suspended)
        return;
    request->suspended = false;
    server->pending--;
    server->resumed = true;
    MHD_resume_connection(request->connection);
}

/* Keeps a piece of the body. False if the client goes on and on. */
static bool take_body(struct request *request, const char *data, size_t len)
{
    if (request->body_len + len > route_body_max(request->url)) {
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
                       : (int64_t)route_body_max(request->url);

    return length == NULL || strtoll(length, NULL, 10) <= most;
}

/* The header is complete. False, and it is answered, if the body must not even be sent. */
static bool begin(struct request *request, const char *method)
{
    request->method = request_method(method);
    request->arrived = request->server->now;
    name_request(request);
    if (!has_one_length(request))
        reply_problem_at(request, "bad-parameter", "Content-Length",
                         "A body has one Content-Length, or Transfer-Encoding: chunked and none.");
    else if (!body_is_welcome(request))
        reply_problem(request, "body-too-large", NULL);
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
        reply_problem(request, "body-too-large", NULL);
    else if (headers_too_large(request))
        reply_problem(request, "headers-too-large", NULL);
    else if (bad == REQUEST_PATH_LONG)
        reply_problem(request, "url-too-long", NULL);
    else if (bad == REQUEST_PATH_BAD)
        reply_problem(request, "bad-parameter",
                      "The path has a broken percent-escape, or is not UTF-8.");
    else if (admission_ok(request))
        route_dispatch(request);
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *size, void **memory)
{
    struct server *server = cls;
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
        request->arrived = server->now;
        if (server->db == NULL)
            reply_problem(request, "overloaded", "The daemon is stopping.");
        else
            dispatch(request);
        if (request->reply.status == 0) {
            request->suspended = true;
            server->pending++;
            MHD_suspend_connection(connection);
            return MHD_YES;
        }
    }
    return send_reply(request);
}

/* ---- listening ---- */

static bool same_family_bind(int fd, const struct addrinfo *address, bool shared)
{
    int on = 1;

    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (shared)
        setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    return bind(fd, address->ai_addr, address->ai_addrlen) == 0;
}

static int bound_socket(const char *host, const char *port, bool shared)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC,
                             .ai_socktype = SOCK_STREAM,
                             .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *found;
    int fd = -1;

    if (getaddrinfo(host, port, &hints, &found) != 0)
        return -1;
    for (struct addrinfo *a = found; a != NULL && fd < 0; a = a->ai_next) {
        fd = socket(a->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (fd >= 0 && !same_family_bind(fd, a, shared)) {
            close(fd);
            fd = -1;
        }
    }
    freeaddrinfo(found);
    return fd;
}

static void port_of(int fd, char port[8])
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } address = {.v6 = {.sin6_family = AF_UNSPEC}};
    socklen_t len = sizeof(address);

    if (getsockname(fd, &address.any, &len) == 0)
        snprintf(
            port, 8, "%u",
            ntohs(address.any.sa_family == AF_INET6 ? address.v6.sin6_port : address.v4.sin_port));
}

/* One listening socket a loop. The first is bound alone, so that a port that another daemon serves
 * is refused, which sharing the port would hide. */
static bool listen_all(const struct config *config, char address[80])
{
    char host[64], port[8];
    int probe;

    config_split_listen(config->listen, host, port);
    probe = bound_socket(host, port, false);
    if (probe < 0)
        return false;
    port_of(probe, port);
    if (nloops == 1) {
        loops[0]->listener = probe;
    } else {
        close(probe);
        for (size_t i = 0; i < nloops; i++)
            loops[i]->listener = bound_socket(host, port, true);
    }
    for (size_t i = 0; i < nloops; i++)
        if (loops[i]->listener < 0 || listen(loops[i]->listener, BACKLOG) != 0)
            return false;
    snprintf(address, 80, strchr(host, ':') ? "[%s]:%s" : "%s:%s", host, port);
    return true;
}

/* ---- the loop ---- */

static void log_db(void *context, enum db_log_level level, const char *event, const char *detail)
{
    static const enum log_level levels[] = {LOG_INFO, LOG_WARN, LOG_ERROR};

    (void)context;
    log_event(levels[level], event, "detail", detail, NULL);
}

static size_t loop_count(const struct config *config)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    if (config->loops > 0)
        return (size_t)config->loops;
    return cores < 4 ? 1 : cores / 2 > LOOPS_MAX ? LOOPS_MAX : (size_t)(cores / 2);
}

static struct server *open_server(const struct config *config)
{
    struct server *server = calloc(1, sizeof(*server));
    struct db_settings settings = {.url = config->database,
                                   .connections = (unsigned)config->db_connections,
                                   .queue_max = (unsigned)config->db_queue,
                                   .batch_max = (unsigned)config->db_batch,
                                   .deadline_ms = (unsigned)config->db_deadline_ms,
                                   .log = log_db};

    if (server == NULL)
        return NULL;
    server->config = config;
    server->listener = -1;
    server->now = monotonic_us();
    randombytes_buf(&server->last_id, sizeof(server->last_id));
    server->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    server->db = db_open(&settings);
    server->tables = server->db == NULL ? NULL
                                        : tables_open(server, (size_t)config->cached_games,
                                                      2 * INT64_C(1000) * config->db_deadline_ms);
    server->waits = waits_open(server, (size_t)config->waits);
    server->quota = admission_open(config, loop_count(config));
    server->players = players_open();
    return server->stop < 0 || server->db == NULL || server->waits == NULL ||
                   server->quota == NULL || server->players == NULL
               ? NULL
               : server;
}

static bool start_http(struct server *server)
{
    server->http = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO, 0, NULL, NULL, on_request, server,
        MHD_OPTION_LISTEN_SOCKET, server->listener, MHD_OPTION_URI_LOG_CALLBACK, on_url, server,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, server, MHD_OPTION_NOTIFY_CONNECTION,
        on_connection, server, MHD_OPTION_CONNECTION_LIMIT, (unsigned)server->config->connections,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)server->config->idle_s,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_POOL, MHD_OPTION_END);
    return server->http != NULL;
}

/* Both libraries run until neither has made work for the other: what libmicrohttpd read goes to
 * PostgreSQL in the same turn, and what PostgreSQL answered goes out in the same turn. */
static void turn(struct server *server)
{
    server->now = monotonic_us();
    clients_cut(&server->clients, server->now - server->config->idle_s * 1000000, server->now);
    MHD_run(server->http);
    waits_run(server->waits);
    db_run(server->db);
    while (server->resumed) {
        server->resumed = false;
        server->now = monotonic_us(); /* what comes now came after what was asked before */
        MHD_run(server->http);
        db_run(server->db);
    }
    if (server->now - server->published >= PUBLISH_US || db_idle(server->db))
        server_publish(server);
}

static int http_fd(const struct server *server)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(server->http, MHD_DAEMON_INFO_EPOLL_FD);

    return info == NULL ? -1 : info->epoll_fd;
}

static int sleep_ms(const struct server *server)
{
    MHD_UNSIGNED_LONG_LONG http;
    int ms = db_timeout_ms(server->db), waits = waits_timeout_ms(server->waits);

    if (MHD_get_timeout(server->http, &http) == MHD_YES && (ms < 0 || http < (unsigned)ms))
        ms = (int)http;
    if (waits >= 0 && (ms < 0 || waits < ms))
        ms = waits;
    if (server->draining && (ms < 0 || ms > 50))
        ms = 50;
    return ms;
}

static void begin_drain(struct server *server)
{
    server->draining = true;
    MHD_quiesce_daemon(server->http);
    close(server->listener);
    waits_end(server->waits);
}

static void *run_loop(void *cls)
{
    struct server *server = cls;
    int64_t give_up = INT64_MAX;

    for (;;) {
        struct pollfd fds[] = {{http_fd(server), POLLIN, 0},
                               {db_fd(server->db), POLLIN, 0},
                               {server->draining ? -1 : server->stop, POLLIN, 0}};

        if (poll(fds, 3, sleep_ms(server)) < 0 && errno != EINTR)
            break;
        if (fds[2].revents != 0) {
            begin_drain(server);
            give_up = monotonic_us() + server->config->drain_s * 1000000;
        }
        turn(server);
        if (server->draining &&
            ((server->pending == 0 && db_idle(server->db)) || monotonic_us() > give_up))
            break;
    }
    db_close(server->db); /* answers whatever still waits */
    server->db = NULL;
    MHD_run(server->http); /* sends those answers, and may read further requests */
    MHD_stop_daemon(server->http);
    tables_close(server->tables);
    quota_close(server->quota);
    waits_close(server->waits);
    players_close(server->players);
    while (server->spares > 0) {
        struct request *request = server->spare[--server->spares];

        arena_free(&request->arena);
        free(request);
    }
    return NULL;
}

/* ---- the daemon ---- */

static bool open_loops(const struct config *config)
{
    for (nloops = 0; nloops < loop_count(config); nloops++) {
        loops[nloops] = open_server(config);
        if (loops[nloops] == NULL)
            return false;
    }
    return true;
}

static bool start_loops(void)
{
    for (size_t i = 0; i < nloops; i++)
        if (!start_http(loops[i]) ||
            pthread_create(&loops[i]->thread, NULL, run_loop, loops[i]) != 0)
            return false;
    return true;
}

static void stop_loops(void)
{
    for (size_t i = 0; i < nloops; i++) {
        uint64_t one = 1;

        if (write(loops[i]->stop, &one, sizeof(one)) < 0)
            log_event(LOG_ERROR, "stop-failed", NULL);
    }
    for (size_t i = 0; i < nloops; i++)
        pthread_join(loops[i]->thread, NULL);
    /* Not before: a loop that still drains counts in its metrics what the others did. */
    for (size_t i = 0; i < nloops; i++) {
        close(loops[i]->stop);
        free(loops[i]);
    }
    nloops = 0;
}

/* A connection is a descriptor, and the usual limit of 1,024 is only the soft one. */
static void raise_descriptor_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int server_main(const struct config *config)
{
    char address[80];
    sigset_t signals;
    int signal_number = 0;

    began = monotonic_us();
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    signal(SIGPIPE, SIG_IGN);
    raise_descriptor_limit();
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    if (!open_loops(config) || !listen_all(config, address)) {
        log_event(LOG_ERROR, "cannot-listen", "address", config->listen, "reason", strerror(errno),
                  NULL);
        return 1;
    }
    if (!start_loops()) {
        log_event(LOG_ERROR, "cannot-start", "reason", strerror(errno), NULL);
        return 1;
    }
    log_event(LOG_INFO, "listening", "address", address, NULL);
    /* SIGHUP has nothing to reload: settings come with the process. It is not taken for an end. */
    do
        sigwait(&signals, &signal_number);
    while (signal_number == SIGHUP);
    log_event(LOG_INFO, "draining", NULL);
    stop_loops();
    log_event(LOG_INFO, "stopped", NULL);
    return 0;
}
