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

#include "api/handle/metrics_text.h"
#include "api/http/admission.h"
#include "api/http/http.h"
#include "api/http/listen.h"
#include "api/loop/config.h"
#include "api/loop/log.h"
#include "api/loop/loop.h"
#include "api/loop/quota.h"
#include "api/routes.h"
#include "api/table/players.h"
#include "api/table/tables.h"
#include "api/table/waits.h"
#include "db/db.h"

enum { PUBLISH_US = 100000 }; /* how old a busy loop's numbers may be for others */

/* A loop and the thread that runs it. */
struct server {
    struct loop loop;
    pthread_t thread;
    int listener;
    int stop;          /* eventfd: readable once the loop shall drain */
    int64_t published; /* when others could last see this loop's numbers */
};

static struct server *servers[LOOP_MAX];
static size_t nservers;

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
    return cores < 4 ? 1 : cores / 2 > LOOP_MAX ? LOOP_MAX : (size_t)(cores / 2);
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
    server->loop.config = config;
    server->loop.routes = routes_all;
    server->listener = -1;
    server->loop.now = loop_clock_us();
    server->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    server->loop.db = db_open(&settings);
    server->loop.tables = server->loop.db == NULL
                              ? NULL
                              : tables_open(&server->loop, (size_t)config->cached_games,
                                            2 * INT64_C(1000) * config->db_deadline_ms, waits_wake);
    server->loop.waits = waits_open(&server->loop, (size_t)config->waits);
    server->loop.quota = admission_open(config, loop_count(config));
    server->loop.players = players_open();
    return server->stop < 0 || server->loop.db == NULL || server->loop.waits == NULL ||
                   server->loop.quota == NULL || server->loop.players == NULL
               ? NULL
               : server;
}

static void publish(struct server *server)
{
    server->published = server->loop.now;
    metrics_text_collect(&server->loop);
}

/* Both libraries run until neither has made work for the other: what libmicrohttpd read goes to
 * PostgreSQL in the same turn, and what PostgreSQL answered goes out in the same turn. */
static void turn(struct server *server)
{
    server->loop.now = loop_clock_us();
    http_cut_idle(server->loop.http);
    http_run(server->loop.http);
    waits_run(server->loop.waits);
    db_run(server->loop.db);
    while (http_has_answers(server->loop.http)) {
        server->loop.now = loop_clock_us(); /* what comes now came after what was asked before */
        http_run(server->loop.http);
        db_run(server->loop.db);
    }
    if (server->loop.now - server->published >= PUBLISH_US || db_idle(server->loop.db))
        publish(server);
}

/* Of two times in milliseconds; -1 is never. */
static int sooner(int a, int b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

static int sleep_ms(const struct server *server)
{
    int ms = sooner(db_timeout_ms(server->loop.db), waits_timeout_ms(server->loop.waits));

    return sooner(sooner(ms, http_timeout_ms(server->loop.http)), server->loop.draining ? 50 : -1);
}

static void begin_drain(struct server *server)
{
    server->loop.draining = true;
    http_quiesce(server->loop.http);
    close(server->listener);
    waits_end(server->loop.waits);
}

static void *run_loop(void *cls)
{
    struct server *server = cls;
    int64_t give_up = INT64_MAX;

    for (;;) {
        struct pollfd fds[] = {{http_fd(server->loop.http), POLLIN, 0},
                               {db_fd(server->loop.db), POLLIN, 0},
                               {server->loop.draining ? -1 : server->stop, POLLIN, 0}};

        if (poll(fds, 3, sleep_ms(server)) < 0 && errno != EINTR)
            break;
        if (fds[2].revents != 0) {
            begin_drain(server);
            give_up = loop_clock_us() + server->loop.config->drain_s * 1000000;
        }
        turn(server);
        if (server->loop.draining && ((http_idle(server->loop.http) && db_idle(server->loop.db)) ||
                                      loop_clock_us() > give_up))
            break;
    }
    db_close(server->loop.db); /* answers whatever still waits */
    server->loop.db = NULL;
    http_close(server->loop.http);
    tables_close(server->loop.tables);
    quota_close(server->loop.quota);
    waits_close(server->loop.waits);
    players_close(server->loop.players);
    return NULL;
}

/* ---- the daemon ---- */

static bool open_loops(const struct config *config)
{
    for (nservers = 0; nservers < loop_count(config); nservers++) {
        servers[nservers] = open_server(config);
        if (servers[nservers] == NULL)
            return false;
        loop_register(&servers[nservers]->loop);
    }
    return true;
}

static bool listen_loops(const struct config *config, char address[LISTEN_ADDRESS])
{
    int sockets[LOOP_MAX];

    if (!listen_all(config->listen, sockets, nservers, address))
        return false;
    for (size_t i = 0; i < nservers; i++)
        servers[i]->listener = sockets[i];
    return true;
}

static bool start_loop(struct server *server)
{
    static const struct http_service service = {routes_body_max, routes_dispatch};

    server->loop.http = http_open(&server->loop, server->listener, &service);
    return server->loop.http != NULL &&
           pthread_create(&server->thread, NULL, run_loop, server) == 0;
}

static bool start_loops(void)
{
    for (size_t i = 0; i < nservers; i++)
        if (!start_loop(servers[i]))
            return false;
    return true;
}

static void stop_loops(void)
{
    for (size_t i = 0; i < nservers; i++) {
        uint64_t one = 1;

        if (write(servers[i]->stop, &one, sizeof(one)) < 0)
            log_event(LOG_ERROR, "stop-failed", NULL);
    }
    for (size_t i = 0; i < nservers; i++)
        pthread_join(servers[i]->thread, NULL);
    /* Not before: a loop that still drains counts in its metrics what the others did. */
    for (size_t i = 0; i < nservers; i++) {
        close(servers[i]->stop);
        free(servers[i]);
    }
    nservers = 0;
    loop_forget_all();
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
