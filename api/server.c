#include "api/server.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "api/http/admission.h"
#include "api/http/http.h"
#include "api/http/listen.h"
#include "api/loop/log.h"
#include "api/table/players.h"
#include "api/table/tables.h"
#include "api/table/waits.h"
#include "db/db.h"

enum {
    LOOPS_MAX = 64,
    PUBLISH_US = 100000 /* how old a busy loop's numbers may be for others */
};

struct server {
    struct http *http;
    struct db *db;
    struct tables *tables;
    struct waits *waits;
    struct quota *quota;
    struct players *players;
    struct metrics metrics;
    const struct config *config;
    pthread_t thread;
    int listener;
    int stop; /* eventfd: readable once the loop shall drain */
    int64_t now;
    int64_t published; /* when others could last see this loop's numbers */
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

struct http *server_http(const struct server *server)
{
    return server->http;
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

int64_t server_clock_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void server_publish(struct server *server)
{
    server->published = server->now;
    metrics_publish(&server->metrics, server->db, tables_count(server->tables),
                    http_connections(server->http));
}

uint64_t server_uptime_s(void)
{
    return (uint64_t)(server_clock_us() - began) / 1000000;
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
    server->now = server_clock_us();
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

/* Both libraries run until neither has made work for the other: what libmicrohttpd read goes to
 * PostgreSQL in the same turn, and what PostgreSQL answered goes out in the same turn. */
static void turn(struct server *server)
{
    server->now = server_clock_us();
    http_cut_idle(server->http);
    http_run(server->http);
    waits_run(server->waits);
    db_run(server->db);
    while (http_has_answers(server->http)) {
        server->now = server_clock_us(); /* what comes now came after what was asked before */
        http_run(server->http);
        db_run(server->db);
    }
    if (server->now - server->published >= PUBLISH_US || db_idle(server->db))
        server_publish(server);
}

/* Of two times in milliseconds; -1 is never. */
static int sooner(int a, int b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

static int sleep_ms(const struct server *server)
{
    int ms = sooner(db_timeout_ms(server->db), waits_timeout_ms(server->waits));

    return sooner(sooner(ms, http_timeout_ms(server->http)), server->draining ? 50 : -1);
}

static void begin_drain(struct server *server)
{
    server->draining = true;
    http_quiesce(server->http);
    close(server->listener);
    waits_end(server->waits);
}

static void *run_loop(void *cls)
{
    struct server *server = cls;
    int64_t give_up = INT64_MAX;

    for (;;) {
        struct pollfd fds[] = {{http_fd(server->http), POLLIN, 0},
                               {db_fd(server->db), POLLIN, 0},
                               {server->draining ? -1 : server->stop, POLLIN, 0}};

        if (poll(fds, 3, sleep_ms(server)) < 0 && errno != EINTR)
            break;
        if (fds[2].revents != 0) {
            begin_drain(server);
            give_up = server_clock_us() + server->config->drain_s * 1000000;
        }
        turn(server);
        if (server->draining &&
            ((http_idle(server->http) && db_idle(server->db)) || server_clock_us() > give_up))
            break;
    }
    db_close(server->db); /* answers whatever still waits */
    server->db = NULL;
    http_close(server->http);
    tables_close(server->tables);
    quota_close(server->quota);
    waits_close(server->waits);
    players_close(server->players);
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

static bool listen_loops(const struct config *config, char address[LISTEN_ADDRESS])
{
    int sockets[LOOPS_MAX];

    if (!listen_all(config->listen, sockets, nloops, address))
        return false;
    for (size_t i = 0; i < nloops; i++)
        loops[i]->listener = sockets[i];
    return true;
}

static bool start_loop(struct server *server)
{
    server->http = http_open(server, server->listener, server->config);
    return server->http != NULL && pthread_create(&server->thread, NULL, run_loop, server) == 0;
}

static bool start_loops(void)
{
    for (size_t i = 0; i < nloops; i++)
        if (!start_loop(loops[i]))
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
    char address[LISTEN_ADDRESS];
    sigset_t signals;
    int signal_number = 0;

    began = server_clock_us();
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    signal(SIGPIPE, SIG_IGN);
    raise_descriptor_limit();
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    if (!open_loops(config) || !listen_loops(config, address)) {
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
