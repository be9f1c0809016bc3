#include "api/server.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "api/endpoints/site/metrics_text.h"
#include "api/game/ids.h"
#include "api/hooks/mail_server.h"
#include "api/identity/keys.h"
#include "api/loop/admission.h"
#include "api/loop/config.h"
#include "api/loop/log.h"
#include "api/loop/loop.h"
#include "api/loop/metering.h"
#include "api/loop/part.h"
#include "api/loop/quota.h"
#include "api/loop/spare_stack.h"
#include "api/monitor.h"
#include "api/net/habits.h"
#include "api/net/listen.h"
#include "api/net/net.h"
#include "api/parts.h"
#include "api/routes.h"
#include "api/text/must.h"
#include "db/db.h"

enum { PUBLISH_US = 100000 }; /* how old a busy loop's numbers may be for others */

/* What net_wait() tells of: these, and behind them the descriptors of the parts. */
enum { WATCHED_STOP, WATCHED_DB, WATCHED_PARTS };

_Static_assert((int)WATCHED_PARTS + (int)PARTS <= (int)NET_WATCHED_MAX, "one bit for each");

/* A loop and the thread that runs it. The main thread makes them, and touches them again only after
 * the threads have ended, but for `stop`. */
struct server {
    struct loop loop;
    pthread_t thread;
    int listener;
    int stop;          /* eventfd: readable once the loop shall drain */
    int64_t published; /* when others could last see this loop's numbers */
};

static struct server *servers[LOOP_MAX];
static db_id daemon_id;
static _Atomic uint32_t timeline; /* of the database: db.h */
static size_t nservers;

/* ---- opening a loop ---- */

static void log_db(void *context, enum db_log_level level, const char *event, const char *detail)
{
    static const enum log_level levels[] = {LOG_INFO, LOG_WARN, LOG_ERROR};

    (void)context;
    log_event(levels[level], event, "detail", detail, NULL);
}

/* Opens what a loop owns, but for its socket and its HTTP side. NULL: the daemon cannot start; what
 * was opened ends with the process. */
static struct server *open_server(const struct config *config, const struct db_time *told,
                                  int due_fd)
{
    struct server *server = must_zero(sizeof(*server));
    struct db_settings settings = {.url = config->database,
                                   .connections = (unsigned)config->db_connections,
                                   .queue_max = (unsigned)config->db_queue,
                                   .batch_max = (unsigned)config->db_batch,
                                   .deadline_ms = (unsigned)config->db_deadline_ms,
                                   .timeline = &timeline,
                                   .time = *told,
                                   .log = log_db};
    struct loop *loop = &server->loop;

    loop->config = config;
    loop->daemon = daemon_id;
    loop->routes = routes_all;
    loop->parts = parts_all;
    loop->is_first = nservers == 0;
    loop->due_fd = due_fd;
    loop->now = loop_clock_us();
    loop->db = db_open(&settings);
    loop->quota = admission_open(config, config_loops(config));
    server->listener = -1;
    server->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return server->stop >= 0 && loop->db != NULL && parts_open(loop) ? server : NULL;
}

/* ---- running a loop ---- */

static void publish(struct server *server)
{
    server->published = server->loop.now;
    metrics_text_collect(&server->loop);
}

/* One pass. libmicrohttpd and db run until neither has made work for the other: what was read from
 * clients goes to PostgreSQL in the same pass, all of it together, and what PostgreSQL answered
 * goes out in the same pass. So nothing waits for the next net_wait(), and there are few of those.
 * The database is asked what came only if it was said to be readable: the kernel need not be asked
 * twice.
 *
 * When a loop is busy, other threads see its numbers a tenth of a second late; when it is about to
 * rest, they are brought up to date. */
static void pass(struct server *server, bool db_has_answered)
{
    struct loop *loop = &server->loop;

    metering_pass(loop);
    net_cut_idle(loop->net);
    net_run(loop->net);
    parts_run(loop);
    if (db_has_answered)
        db_run(loop->db);
    else
        db_run_unread(loop->db);
    while (net_has_answers(loop->net)) {
        /* Requests that are read now came after the questions that were sent to the database
         * before, and must not take their answers for fresh ones (op.h). So the time moves on. */
        loop->now = loop_clock_us();
        net_run(loop->net);
        db_run_unread(loop->db);
    }
    parts_finish(loop);
    if (loop->now - server->published >= PUBLISH_US || db_idle(loop->db))
        publish(server);
    metering_rest(loop);
}

/* While the daemon drains, the end is looked for twenty times a second. */
static int sleep_ms(const struct loop *loop)
{
    int ms = parts_sooner(db_timeout_ms(loop->db), net_timeout_ms(loop->net));

    ms = parts_sooner(ms, parts_timeout_ms(loop));
    return parts_sooner(ms, loop->draining ? 50 : -1);
}

/* No new connections from now on; what has come is answered. Those who wait for news are sent home
 * with what there is, or a minute might pass before the last one goes. */
static void begin_drain(struct server *server)
{
    struct loop *loop = &server->loop;

    loop->draining = true;
    eventfd_read(server->stop, &(eventfd_t){0}); /* it is told once */
    net_quiesce(loop->net);
    close(server->listener);
    parts_drain(loop);
}

static bool is_drained(const struct loop *loop)
{
    return net_idle(loop->net) && db_idle(loop->db) && parts_are_idle(loop);
}

/* First the parts that have requests which the loop must answer; then the database, since its end
 * answers whatever still waits for it; then HTTP, which sends those answers; then what nobody
 * points to any more. A request that comes in between finds no database and is refused. */
static void close_loop(struct loop *loop)
{
    parts_stop(loop);
    db_close(loop->db);
    loop->db = NULL;
    loop->ending = true;
    net_close(loop->net);
    parts_close(loop);
    quota_close(loop->quota);
}

static void watch_loops(const struct server *server)
{
    const struct loop *loop = &server->loop;
    int fds[PARTS];
    size_t n = parts_fds(loop, fds);

    net_watch(loop->net, server->stop, WATCHED_STOP);
    net_watch(loop->net, db_fd(loop->db), WATCHED_DB);
    for (size_t i = 0; i < n; i++)
        net_watch(loop->net, fds[i], WATCHED_PARTS + (unsigned)i);
}

static void *run_loop(void *cls)
{
    struct server *server = cls;
    struct loop *loop = &server->loop;
    int64_t give_up = INT64_MAX;

    pthread_setname_np(pthread_self(), "loop"); /* as top and gdb show it */
    spare_stack_take();
    watch_loops(server);
    while (!loop->draining || (!is_drained(loop) && loop_clock_us() <= give_up)) {
        uint32_t readable = net_wait(loop->net, sleep_ms(loop));

        loop->now = loop_clock_us();
        if ((readable & 1 << WATCHED_STOP) != 0) {
            begin_drain(server);
            give_up = loop_clock_us() + loop->config->drain_s * 1000000;
        }
        parts_wake(loop, readable >> WATCHED_PARTS);
        pass(server, (readable & 1 << WATCHED_DB) != 0);
    }
    if (!is_drained(loop))
        log_event(LOG_WARN, "drain-cut", "reason", "--drain-s is over, and not all was answered",
                  NULL);
    close_loop(loop);
    return NULL;
}

/* ---- all loops ---- */

static bool open_loops(const struct config *config, const struct db_time *told)
{
    int due_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

    daemon_id = ids_new((int64_t)time(NULL) * 1000000);
    if (due_fd <= 0)
        return false;
    for (nservers = 0; nservers < config_loops(config); nservers++) {
        servers[nservers] = open_server(config, told, due_fd);
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
    static const struct net_service service = {routes_body_max, routes_welcome, routes_dispatch};

    server->loop.net = net_open(&server->loop, server->listener, &service);
    return server->loop.net != NULL && pthread_create(&server->thread, NULL, run_loop, server) == 0;
}

static bool start_loops(void)
{
    for (size_t i = 0; i < nservers; i++)
        if (!start_loop(servers[i]))
            return false;
    return true;
}

/* Tells all loops to stop before it waits for any: they drain side by side. */
static void stop_loops(void)
{
    for (size_t i = 0; i < nservers; i++) {
        uint64_t one = 1;

        if (write(servers[i]->stop, &one, sizeof(one)) < 0)
            log_event(LOG_ERROR, "stop-failed", NULL);
    }
    for (size_t i = 0; i < nservers; i++)
        pthread_join(servers[i]->thread, NULL);
    /* Only now: a loop that still drains may be asked for /metrics, and adds up those of all. So
     * does the monitor. */
    monitor_stop();
    close(servers[0]->loop.due_fd);
    for (size_t i = 0; i < nservers; i++) {
        close(servers[i]->stop);
        free(servers[i]);
    }
    nservers = 0;
    loop_forget_all();
}

/* Each connection takes a descriptor. The usual limit of 1,024 is the soft one; a process
 * may raise it up to the hard one, which is usually far higher. */
static void raise_descriptor_limit(const struct config *config)
{
    char places[24];
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    snprintf(places, sizeof(places), "%zu", net_places(config));
    if (net_places(config) < (size_t)config->connections)
        log_event(LOG_WARN, "few-descriptors", "connections", places, NULL);
}

/* Pieces from this size on come from the system one by one and go back when they are freed. By
 * itself malloc() would raise that bound with the first large piece, and keep what follows. */
static void give_back_large_pieces(void)
{
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
}

/* ---- signals ---- */

/* Threads inherit what is blocked, so that only await_stop() sees these. A write to a client that
 * has gone fails, and need not kill the process to say so. */
static void block_signals(sigset_t *signals)
{
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(signals);
    sigaddset(signals, SIGTERM);
    sigaddset(signals, SIGINT);
    sigaddset(signals, SIGHUP);
    sigaddset(signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, signals, NULL);
}

/* Somebody looks for what is wrong in a daemon that must not be started anew for it. Whatever the
 * level of the settings is, both changes are logged. */
static void change_log_level(const struct config *config)
{
    static bool is_debug;

    is_debug = !is_debug;
    log_set_level(LOG_DEBUG);
    log_event(LOG_WARN, "log-level", "log_level", is_debug ? "debug" : config->log_level, NULL);
    if (!is_debug)
        log_set_level(log_level_of(config->log_level));
}

/* False: the signal means the end. SIGHUP would mean to read the settings anew, but they come with
 * the process. What is read anew are the keys of the identity provider. */
static bool goes_on_after(int number, const struct config *config)
{
    if (number == SIGHUP)
        keys_reload();
    else if (number == SIGUSR1)
        change_log_level(config);
    return number == SIGHUP || number == SIGUSR1;
}

static void await_stop(const sigset_t *signals, const struct config *config)
{
    int number = 0;

    while (sigwait(signals, &number) == 0 && goes_on_after(number, config))
        continue;
}

/* Goes on serving for a while, so that every balancer has seen that the daemon is not ready before
 * it takes no more connections. Another signal cuts that short. */
static void take_leave(const sigset_t *signals, const struct config *config)
{
    int64_t end = loop_clock_us() + config->leave_s * INT64_C(1000000);
    int64_t left;
    int number;

    for (size_t i = 0; i < nservers; i++)
        servers[i]->loop.leaving = true;
    log_event(LOG_INFO, "leaving", NULL);
    do {
        left = end - loop_clock_us();
        number = left <= 0
                     ? 0
                     : sigtimedwait(signals, NULL,
                                    &(struct timespec){left / 1000000, left % 1000000 * 1000});
    } while (goes_on_after(number, config));
}

/* ---- the whole ---- */

/* Tells a person something, in one piece: the log is written to the same place meanwhile. */
__attribute__((format(printf, 1, 2))) static void tell(const char *format, ...)
{
    char text[512];
    va_list values;
    int len;

    va_start(values, format);
    len = vsnprintf(text, sizeof(text), format, values);
    va_end(values);
    if (len > 0 && write(STDERR_FILENO, text, strnlen(text, sizeof(text))) < 0)
        return; /* there is nobody to be told */
}

/* Tells a person at a terminal what the log tells programs. A browser is given a name that it knows
 * in place of "any address". */
static void greet(const char *address)
{
    const char *port = strrchr(address, ':');
    bool is_any = strncmp(address, "0.0.0.0:", 8) == 0 || strncmp(address, "[::]:", 5) == 0 ||
                  strncmp(address, "127.0.0.1:", 10) == 0;

    if (isatty(STDERR_FILENO) && port != NULL)
        tell("\nplyd serves games on %s.\n"
             "Open http://%s%s in a browser, or follow the README with curl.\n"
             "Ctrl-C stops it.\n\n",
             address, is_any ? "localhost" : "", is_any ? port : address);
}

/* What helps if the address cannot be had. */
static void advise(const char *address, int reason)
{
    if (isatty(STDERR_FILENO) && reason == EADDRINUSE)
        tell("\nAnother program listens on %s, perhaps another plyd. Take another port:\n"
             "    plyd --listen 127.0.0.1:8081\n"
             "    make run ARGS=\"--listen 127.0.0.1:8081\"\n\n",
             address);
}

/* The keys of the identity provider, if there is one. */
static bool start_keys(const struct config *config)
{
    const char *why;

    if (config->jwks == NULL || keys_start(config->jwks, &why))
        return true;
    log_event(LOG_ERROR, "jwks-unfit", "source", config->jwks, "reason", why, NULL);
    tell("plyd: --jwks %s: %s\n", config->jwks, why);
    return false;
}

/* The server for mails, if there is one. */
static bool start_mail(const struct config *config)
{
    const char *why;

    if (mail_server_start(config, &why))
        return true;
    log_event(LOG_ERROR, "smtp-unfit", "reason", why, NULL);
    tell("plyd: --smtp %s: %s\n", config->smtp, why);
    return false;
}

/* The port is taken before any loop runs, so that a daemon that cannot have it serves nothing. And
 * every loop is open and registered before the first one runs, because each may be asked for the
 * metrics of all. */
/* A library that works in another way would be found out by requests that are lost. */
static bool has_habits(const struct config *config)
{
    const struct habit *missing;

    log_set_level(LOG_ERROR); /* the requests of the probes are nobody's */
    missing = habits_missing();
    log_set_level(log_level_of(config->log_level));
    if (missing == NULL)
        return true;
    log_event(LOG_ERROR, "library-unfit", "library", "libmicrohttpd", "version", habits_version(),
              "habit", missing->name, NULL);
    tell("plyd: libmicrohttpd %s %s. plyd cannot work with it.\n", habits_version(), missing->what);
    return false;
}

static bool start_all(const struct config *config, const struct db_time *told)
{
    char address[LISTEN_ADDRESS];

    if (!has_habits(config) || !start_keys(config) || !start_mail(config))
        return false;
    if (!open_loops(config, told) || !listen_loops(config, address)) {
        int reason = errno;

        log_event(LOG_ERROR, "cannot-listen", "address", config->listen, "reason", strerror(reason),
                  NULL);
        advise(config->listen, reason);
        return false;
    }
    if (!monitor_start(config))
        return false;
    if (!start_loops()) {
        log_event(LOG_ERROR, "cannot-start", "reason", strerror(errno), NULL);
        return false;
    }
    log_event(LOG_INFO, "listening", "address", address, NULL);
    greet(address);
    return true;
}

static void serve_until_stopped(const struct config *config, const sigset_t *signals)
{
    await_stop(signals, config);
    if (config->leave_s > 0)
        take_leave(signals, config);
    log_event(LOG_INFO, "draining", NULL);
    stop_loops();
    log_event(LOG_INFO, "stopped", NULL);
}

int server_main(const struct config *config, const struct db_time *told)
{
    sigset_t signals;
    bool started;

    give_back_large_pieces();
    block_signals(&signals);
    if (!log_start())
        return 1;
    raise_descriptor_limit(config);
    started = start_all(config, told);
    if (started)
        serve_until_stopped(config, &signals);
    keys_stop();
    log_stop();
    return started ? 0 : 1;
}
