#include "api/server.h"

#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "api/game/ids.h"
#include "api/game/words.h"
#include "api/handle/metrics_text.h"
#include "api/hooks/hooks.h"
#include "api/loop/account.h"
#include "api/loop/admission.h"
#include "api/loop/config.h"
#include "api/loop/log.h"
#include "api/loop/loop.h"
#include "api/loop/quota.h"
#include "api/loop/thinkers.h"
#include "api/loop/workers.h"
#include "api/monitor.h"
#include "api/net/habits.h"
#include "api/net/listen.h"
#include "api/net/net.h"
#include "api/net/stream.h"
#include "api/play/analysis_job.h"
#include "api/play/import_job.h"
#include "api/play/player_games.h"
#include "api/play/positions.h"
#include "api/play/settle.h"
#include "api/play/thinking.h"
#include "api/play/ticket.h"
#include "api/routes.h"
#include "api/table/due.h"
#include "api/table/expiry.h"
#include "api/table/feeds.h"
#include "api/table/news.h"
#include "api/table/peers.h"
#include "api/table/players.h"
#include "api/table/pulse.h"
#include "api/table/tables.h"
#include "api/table/tasks.h"
#include "api/table/waits.h"
#include "db/db.h"

enum { PUBLISH_US = 100000 }; /* how old a busy loop's numbers may be for others */

/* A loop and the thread that runs it. The main thread makes them, and touches them again only after
 * the threads have ended, but for `stop`. */
struct server {
    struct loop loop;
    pthread_t thread;
    int listener;
    int stop;          /* eventfd: readable once the loop shall drain */
    int hooks_fd;      /* -1: the loop has none */
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

/* Half of the cores, since PostgreSQL wants the others if it runs on the same machine. */
static size_t loop_count(const struct config *config)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    if (config->loops > 0)
        return (size_t)config->loops;
    return cores < 4 ? 1 : cores / 2 > LOOP_MAX ? LOOP_MAX : (size_t)(cores / 2);
}

/* A loop's workers: its share of the cores, less the one that the loop itself has use for. More of
 * them would take the processor from the loops and from PostgreSQL (HACKING.md has the figures). */
static size_t worker_count(const struct config *config)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t share = (cores < 1 ? 1 : (size_t)cores) / loop_count(config);

    return config->workers > 0 ? (size_t)config->workers : share < 2 ? 1 : share - 1;
}

static void on_news(struct table *table, int32_t version, const struct table_write *write)
{
    struct loop *loop = table->tables->loop;

    news_heard(loop->news, table, version, write);
    feeds_heard(loop->feeds, &table->row);
    if (write != NULL)
        peers_wrote(loop->peers);
    waits_wake(table);
    thinking_heard(loop, table, write != NULL);
    if (write != NULL)
        due_promised(loop, write->dues, write->ndues, table->row.updated_at);
    if (table->row.hooks != 0 && loop->due != NULL)
        due_soon(loop->due);
}

static struct streams *open_streams(struct loop *loop, const struct config *config)
{
    const struct streams_settings settings = {.limit = (size_t)config->streams,
                                              .beat_us = STREAMS_BEAT_US,
                                              .patience_us = STREAMS_PATIENCE_US,
                                              .now = &loop->now,
                                              .counts = &loop->metrics};

    return streams_open(&settings);
}

/* Opens what a loop owns, but for its socket and its HTTP side. A job may take twice the deadline
 * of a database call: a lost race takes further calls, and the client should not wait for ever.
 * NULL: the daemon cannot start; what was opened ends with the process. */
static struct server *open_server(const struct config *config)
{
    struct server *server = calloc(1, sizeof(*server));
    struct db_settings settings = {.url = config->database,
                                   .connections = (unsigned)config->db_connections,
                                   .queue_max = (unsigned)config->db_queue,
                                   .batch_max = (unsigned)config->db_batch,
                                   .deadline_ms = (unsigned)config->db_deadline_ms,
                                   .timeline = &timeline,
                                   .log = log_db};

    if (server == NULL)
        return NULL;
    server->loop.config = config;
    server->loop.daemon = daemon_id;
    server->loop.routes = routes_all;
    server->listener = server->hooks_fd = -1;
    server->loop.now = loop_clock_us();
    server->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    server->loop.db = db_open(&settings);
    server->loop.tables =
        tables_open(&server->loop, (size_t)config->cached_games,
                    2 * INT64_C(1000) * config->db_deadline_ms, on_news, settle_due);
    server->loop.waits = waits_open(&server->loop, (size_t)config->waits);
    server->loop.streams = open_streams(&server->loop, config);
    server->loop.news = news_open(&server->loop, (size_t)config->streams);
    server->loop.feeds = feeds_open(&server->loop, (size_t)config->streams);
    server->loop.quota = admission_open(config, loop_count(config));
    server->loop.players = players_open();
    server->loop.workers = workers_open(worker_count(config), WORKERS_NICE);
    server->loop.thinkers =
        thinkers_open((size_t)config->thinkers, &server->loop.now, &server->loop.metrics);
    server->loop.pulse = pulse_open(&server->loop, nservers == 0);
    server->loop.peers = peers_open(&server->loop);
    if (server->stop < 0 || server->loop.db == NULL || server->loop.tables == NULL ||
        server->loop.waits == NULL || server->loop.streams == NULL || server->loop.news == NULL ||
        server->loop.feeds == NULL || server->loop.quota == NULL || server->loop.players == NULL ||
        server->loop.workers == NULL || server->loop.thinkers == NULL ||
        server->loop.pulse == NULL || server->loop.peers == NULL)
        return NULL;
    return server;
}

/* ---- running a loop ---- */

static void publish(struct server *server)
{
    server->published = server->loop.now;
    metrics_text_collect(&server->loop);
}

/* One turn. libmicrohttpd and db run until neither has made work for the other: what was read from
 * clients goes to PostgreSQL in the same turn, all of it together, and what PostgreSQL answered
 * goes out in the same turn. So nothing waits for the next poll(), and there are few of those.
 *
 * When a loop is busy, other threads see its numbers a tenth of a second late; when it is about to
 * rest, they are brought up to date. */
static void turn(struct server *server)
{
    server->loop.now = loop_clock_us();
    account_turn(&server->loop);
    net_cut_idle(server->loop.net);
    net_run(server->loop.net);
    workers_run(server->loop.workers);
    thinkers_run(server->loop.thinkers);
    waits_run(server->loop.waits);
    pulse_run(server->loop.pulse);
    peers_run(server->loop.peers);
    if (server->loop.expiry != NULL)
        expiry_run(server->loop.expiry);
    if (server->loop.due != NULL)
        due_run(server->loop.due);
    if (server->loop.hooks != NULL)
        hooks_run(server->loop.hooks);
    streams_run(server->loop.streams);
    news_run(server->loop.news);
    feeds_run(server->loop.feeds);
    db_run(server->loop.db);
    while (net_has_answers(server->loop.net)) {
        /* Requests that are read now came after the questions that were sent to the database
         * before, and must not take their answers for fresh ones (jobs.h). So the time moves on. */
        server->loop.now = loop_clock_us();
        net_run(server->loop.net);
        db_run(server->loop.db);
    }
    news_tell(server->loop.news);
    if (server->loop.now - server->published >= PUBLISH_US || db_idle(server->loop.db))
        publish(server);
}

/* Of two times in milliseconds; -1 is never. */
static int sooner(int a, int b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* While the daemon drains, the end is looked for twenty times a second. */
static int sleep_ms(const struct server *server)
{
    int ms = sooner(db_timeout_ms(server->loop.db), waits_timeout_ms(server->loop.waits));

    if (server->loop.expiry != NULL)
        ms = sooner(ms, expiry_timeout_ms(server->loop.expiry));
    if (server->loop.due != NULL)
        ms = sooner(ms, due_timeout_ms(server->loop.due));
    if (server->loop.hooks != NULL)
        ms = sooner(ms, hooks_timeout_ms(server->loop.hooks));
    ms = sooner(ms, pulse_timeout_ms(server->loop.pulse));
    ms = sooner(ms, peers_timeout_ms(server->loop.peers));
    ms = sooner(ms, streams_timeout_ms(server->loop.streams));
    ms = sooner(ms, news_timeout_ms(server->loop.news));
    ms = sooner(ms, feeds_timeout_ms(server->loop.feeds));
    ms = sooner(ms, thinkers_timeout_ms(server->loop.thinkers));
    return sooner(sooner(ms, net_timeout_ms(server->loop.net)), server->loop.draining ? 50 : -1);
}

/* No new connections from now on; what has come is answered. Those who wait for news are sent home
 * with what there is, or a minute might pass before the last one goes. */
static void begin_drain(struct server *server)
{
    server->loop.now = loop_clock_us();
    server->loop.draining = true;
    net_quiesce(server->loop.net);
    close(server->listener);
    waits_end(server->loop.waits);
    streams_stop(server->loop.streams);
    thinking_stop(&server->loop);
}

/* First the workers and thinkers, who have requests that the loop must answer, and requests to
 * receivers; then the database, since its end answers whatever still waits for it; then HTTP, which
 * sends those answers; then what nobody points to any more. A request that comes in between finds
 * no database and is refused. */
static void close_loop(struct loop *loop)
{
    workers_close(loop->workers);
    thinkers_close(loop->thinkers);
    hooks_stop(loop->hooks);
    db_close(loop->db);
    loop->db = NULL;
    loop->ending = true;
    net_close(loop->net);
    streams_close(loop->streams);
    news_close(loop->news);
    feeds_close(loop->feeds);
    tables_close(loop->tables);
    quota_close(loop->quota);
    waits_close(loop->waits);
    expiry_close(loop->expiry);
    hooks_close(loop->hooks);
    due_close(loop->due);
    tasks_close(loop->tasks);
    pulse_close(loop->pulse);
    peers_close(loop->peers);
    players_close(loop->players);
}

static void *run_loop(void *cls)
{
    struct server *server = cls;
    int64_t give_up = INT64_MAX;

    for (;;) {
        struct pollfd fds[] = {{net_fd(server->loop.net), POLLIN, 0},
                               {db_fd(server->loop.db), POLLIN, 0},
                               {server->loop.draining ? -1 : server->stop, POLLIN, 0},
                               {workers_fd(server->loop.workers), POLLIN, 0},
                               {net_outside_fd(server->loop.net), POLLIN, 0},
                               {streams_fd(server->loop.streams), POLLIN, 0},
                               {server->hooks_fd, POLLIN, 0},
                               {thinkers_fd(server->loop.thinkers), POLLIN, 0},
                               {server->loop.due != NULL ? server->loop.due_fd : -1, POLLIN, 0}};

        if (poll(fds, 9, sleep_ms(server)) < 0 && errno != EINTR)
            break;
        if (fds[2].revents != 0) {
            begin_drain(server);
            give_up = loop_clock_us() + server->loop.config->drain_s * 1000000;
        }
        if (fds[4].revents != 0)
            net_run_outside(server->loop.net);
        if (fds[8].revents != 0)
            due_told(server->loop.due);
        turn(server);
        if (server->loop.draining && ((net_idle(server->loop.net) && db_idle(server->loop.db) &&
                                       thinking_idle(&server->loop)) ||
                                      loop_clock_us() > give_up))
            break;
    }
    close_loop(&server->loop);
    return NULL;
}

/* ---- all loops ---- */

static const struct task_kind task_kinds[] = {
    {TASK_IMPORT, 1, import_job_step, import_job_leave},
    {TASK_ANALYSIS, 4, analysis_job_step, analysis_job_leave},
    {0, 0, NULL, NULL},
};

static const struct due_keeper keepers[] = {{DUE_CLOCK, settle_keep, false},
                                            {DUE_PLAYER, player_games_keep, false},
                                            {DUE_VACATION, player_games_keep, false},
                                            {DUE_TICKET, ticket_keep, false},
                                            {DUE_NEWS, hooks_keep_news, false},
                                            {DUE_HOOKS, hooks_keep_visit, true},
                                            {DUE_MARKS, hooks_keep_marks, false},
                                            {DUE_OPPONENT, thinking_keep, true},
                                            {DUE_TASKS, tasks_keep, true},
                                            {DUE_POSITIONS, positions_keep, false},
                                            {DUE_POSITIONS_BEFORE, positions_keep, false},
                                            {0, NULL, false}};

/* What one loop of a daemon does for all. */
static bool open_first(struct server *server)
{
    struct loop *loop = &server->loop;
    bool thinks = thinkers_any(loop->thinkers);

    loop->expiry = expiry_open(loop);
    loop->due = due_open(loop, keepers, thinks ? 0 : DUE_OPPONENT);
    loop->tasks = tasks_open(loop, task_kinds);
    loop->hooks = hooks_open(loop, loop->config->webhooks_private == 1);
    if (loop->expiry == NULL || loop->due == NULL || loop->hooks == NULL || loop->tasks == NULL)
        return false;
    server->hooks_fd = hooks_fd(loop->hooks);
    return true;
}

static bool open_loops(const struct config *config)
{
    int due_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

    daemon_id = ids_new((int64_t)time(NULL) * 1000000);
    for (nservers = 0; nservers < loop_count(config); nservers++) {
        servers[nservers] = open_server(config);
        if (servers[nservers] == NULL)
            return false;
        servers[nservers]->loop.due_fd = due_fd;
        loop_register(&servers[nservers]->loop);
    }
    return due_fd > 0 && open_first(servers[0]);
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
    static const struct net_service service = {routes_body_max, routes_dispatch};

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
static void raise_descriptor_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
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
    pthread_sigmask(SIG_BLOCK, signals, NULL);
}

/* SIGHUP would mean to read the settings anew, but they come with the process. It is ignored, and
 * not taken for an end as it would be by default. */
static void await_stop(const sigset_t *signals)
{
    int number = SIGHUP;

    while (number == SIGHUP)
        sigwait(signals, &number);
}

/* Goes on serving for a while, so that every balancer has seen that the daemon is not ready before
 * it takes no more connections. Another signal cuts that short. */
static void take_leave(const sigset_t *signals, long seconds)
{
    int64_t end = loop_clock_us() + seconds * 1000000;
    int64_t left;
    int number = SIGHUP;

    for (size_t i = 0; i < nservers; i++)
        servers[i]->loop.leaving = true;
    log_event(LOG_INFO, "leaving", NULL);
    while (number == SIGHUP && (left = end - loop_clock_us()) > 0)
        number =
            sigtimedwait(signals, NULL, &(struct timespec){left / 1000000, left % 1000000 * 1000});
}

/* ---- the whole ---- */

/* Tells a person at a terminal what the log tells programs. A browser is given a name that it knows
 * in place of "any address". */
static void greet(const char *address)
{
    const char *port = strrchr(address, ':');
    bool is_any = strncmp(address, "0.0.0.0:", 8) == 0 || strncmp(address, "[::]:", 5) == 0 ||
                  strncmp(address, "127.0.0.1:", 10) == 0;

    if (isatty(STDERR_FILENO) && port != NULL)
        fprintf(stderr,
                "\nplyd serves games on %s.\n"
                "Open http://%s%s in a browser, or follow the README with curl.\n"
                "Ctrl-C stops it.\n\n",
                address, is_any ? "localhost" : "", is_any ? port : address);
}

/* What helps if the address cannot be had. */
static void advise(const char *address, int reason)
{
    if (isatty(STDERR_FILENO) && reason == EADDRINUSE)
        fprintf(stderr,
                "\nAnother program listens on %s, perhaps another plyd. Take another port:\n"
                "    plyd --listen 127.0.0.1:8081\n"
                "    make run ARGS=\"--listen 127.0.0.1:8081\"\n\n",
                address);
}

/* The port is taken before any loop runs, so that a daemon that cannot have it serves nothing. And
 * every loop is open and registered before the first one runs, because each may be asked for the
 * metrics of all. */
/* A library that works in another way would be found out by requests that are lost. */
static bool has_habits(void)
{
    const struct habit *missing = habits_missing();

    if (missing == NULL)
        return true;
    log_event(LOG_ERROR, "library-unfit", "library", "libmicrohttpd", "version", habits_version(),
              "habit", missing->name, NULL);
    fprintf(stderr, "plyd: libmicrohttpd %s %s. plyd cannot work with it.\n", habits_version(),
            missing->what);
    return false;
}

static bool start_all(const struct config *config)
{
    char address[LISTEN_ADDRESS];

    if (!has_habits())
        return false;
    if (!open_loops(config) || !listen_loops(config, address)) {
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
    await_stop(signals);
    if (config->leave_s > 0)
        take_leave(signals, config->leave_s);
    log_event(LOG_INFO, "draining", NULL);
    stop_loops();
    log_event(LOG_INFO, "stopped", NULL);
}

int server_main(const struct config *config)
{
    sigset_t signals;
    bool started;

    raise_descriptor_limit();
    give_back_large_pieces();
    block_signals(&signals);
    if (!log_start())
        return 1;
    started = start_all(config);
    if (started)
        serve_until_stopped(config, &signals);
    log_stop();
    return started ? 0 : 1;
}
