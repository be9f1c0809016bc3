/*
 * soak.c - an hour's worth of requests of every kind, as fast as they go, from good and bad
 * clients. The daemon's memory and descriptors stay the same once it is warm, and its log has
 * nothing to complain of. Before that: how much slower it serves beside ten thousand idle
 * connections; and that the table of answers stays as it is over weeks, which are simulated.
 *
 *     bench-soak [REQUESTS]
 */
#include <dirent.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/die.h"
#include "tests/support/http.h"
#include "tests/support/load.h"
#include "tests/support/now.h"
#include "tests/support/pg.h"
#include "tests/support/pgbench.h"
#include "tests/support/plyd.h"
#include "tests/support/usage.h"

enum {
    REQUESTS = 360000, /* a hundred a second for an hour */
    WORKERS = 8,
    SAMPLES = 24,
    WARM = SAMPLES / 3, /* from this sample on, nothing may grow */
    IDLE = 10000,
    WEEKS = 12,
    WARM_WEEK = 4,
    WEEKS_GAMES = 600,
    MIB = 1 << 20
};

static int descriptors(pid_t pid)
{
    char path[32];
    DIR *dir;
    int count = -2; /* . and .. */

    snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
    dir = opendir(path);
    if (dir == NULL)
        die("the daemon is gone: %s", path);
    while (readdir(dir) != NULL)
        count++;
    closedir(dir);
    return count;
}

/* ---- a client ---- */

struct worker {
    int port, fd;
    atomic_long *done; /* of all workers */
    char id[32], auth[128];
};

/* Sends a request on the worker's connection; the answer must have this status. */
static void ask(struct worker *worker, int status, const char *method, const char *path,
                const char *body, struct http_reply *reply)
{
    char headers[256];

    snprintf(headers, sizeof(headers), "%s%s", worker->auth,
             body == NULL ? "" : "Content-Type: application/json\r\n");
    http_send(worker->fd, method, path, headers, body, body == NULL ? 0 : strlen(body));
    http_receive(worker->fd, method, reply);
    if (reply->status != status)
        die("%s: %s", path, reply->body == NULL ? "no answer" : reply->body);
    atomic_fetch_add(worker->done, 1);
}

static void ask_and_forget(struct worker *worker, int status, const char *method, const char *path,
                           const char *body)
{
    struct http_reply reply;

    ask(worker, status, method, path, body, &reply);
    http_free(&reply);
}

static void ask_of_game(struct worker *worker, int status, const char *method, const char *what,
                        const char *body)
{
    char path[128];

    snprintf(path, sizeof(path), "/v1/games/%s%s", worker->id, what);
    ask_and_forget(worker, status, method, path, body);
}

/* Copies the text member of an answer. */
static void take(const struct http_reply *reply, const char *name, char *value, size_t size)
{
    const char *at = strstr(reply->body, name);

    if (at == NULL)
        die("%s: %s", name, reply->body);
    snprintf(value, size, "%.*s", (int)strcspn(at + strlen(name), "\""), at + strlen(name));
}

static void begin_game(struct worker *worker)
{
    struct http_reply reply;
    char token[64];

    *worker->auth = '\0';
    ask(worker, 201, "POST", "/v1/games", "{\"variant\":\"jungle\",\"visibility\":\"public\"}",
        &reply);
    take(&reply, "\"id\":\"", worker->id, sizeof(worker->id));
    take(&reply, "\"token\":\"", token, sizeof(token));
    snprintf(worker->auth, sizeof(worker->auth), "Authorization: Bearer %s\r\n", token);
    http_free(&reply);
}

/* Breaks a connection off in the middle of a request, and another in the middle of its answer. */
static void break_off(struct worker *worker)
{
    static const char *const texts[] = {
        "POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n{\"variant\"",
        "GET /openapi.yaml HTTP/1.1\r\nHost: x\r\n\r\n"};
    struct linger now = {1, 0};

    for (int i = 0; i < 2; i++) {
        int fd = http_connect(worker->port);
        char bytes[100];

        send(fd, texts[i], strlen(texts[i]), MSG_NOSIGNAL);
        if (i == 1)
            recv(fd, bytes, sizeof(bytes), 0);
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
        close(fd);
        atomic_fetch_add(worker->done, 1);
    }
}

/* Does one of everything. */
static void play_round(struct worker *worker)
{
    begin_game(worker);
    ask_of_game(worker, 200, "GET", "", NULL);
    ask_of_game(worker, 200, "GET", "/legal-moves", NULL);
    ask_of_game(worker, 201, "POST", "/moves", "{\"move\":\"g3g4\"}");
    ask_of_game(worker, 422, "POST", "/moves", "{\"move\":\"g3g4\"}");
    ask_of_game(worker, 201, "PUT", "/moves/2", "{\"move\":\"a7a6\"}");
    ask_of_game(worker, 200, "PUT", "/moves/2", "{\"move\":\"a7a6\"}");
    ask_of_game(worker, 200, "POST", "/undo", "{}");
    ask_of_game(worker, 200, "POST", "/redo", "{}");
    ask_of_game(worker, 409, "POST", "/redo", "{}");
    ask_of_game(worker, 200, "GET", "/events", NULL);
    ask_of_game(worker, 200, "GET", "/moves", NULL);
    ask_of_game(worker, 200, "GET", "/positions/1", NULL);
    ask_of_game(worker, 200, "GET", "/board.txt", NULL);
    ask_of_game(worker, 404, "GET", "/positions/9", NULL);
    ask_and_forget(worker, 200, "GET", "/v1/games?limit=5", NULL);
    ask_and_forget(worker, 400, "POST", "/v1/games", "{\"variant\":");
    ask_and_forget(worker, 422, "POST", "/v1/games", "{\"variant\":\"jungle\",\"sise\":8}");
    ask_and_forget(worker, 404, "GET", "/v1/games/00000000000000000000000000", NULL);
    ask_and_forget(worker, 404, "GET", "/nothing", NULL);
    ask_and_forget(worker, 200, "GET", "/metrics", NULL);
    ask_of_game(worker, 200, "POST", "/resign", "{}");
    break_off(worker);
}

/* Starts a process that plays rounds until all requests were made. */
static pid_t start_worker(int port, atomic_long *done, long requests)
{
    pid_t pid = fork();

    if (pid != 0)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (struct worker worker = {.port = port, .done = done}; atomic_load(done) < requests;) {
        worker.fd = http_connect(port);
        setsockopt(worker.fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
        for (int i = 0; i < 20 && atomic_load(done) < requests; i++)
            play_round(&worker);
        close(worker.fd);
    }
    exit(0);
}

/* ---- the soak ---- */

struct sample {
    double memory;
    int descriptors;
};

static struct sample look(const struct plyd *plyd, long done, double since)
{
    struct sample sample = {usage_memory(plyd->pid), descriptors(plyd->pid)};

    printf("%8ld requests  %6.0f a second  %6.1f MiB  %3d descriptors\n", done,
           (double)done / (seconds_now() - since), sample.memory / MIB, sample.descriptors);
    fflush(stdout);
    return sample;
}

/* Asserts that the daemon has the memory that it had when it was warm, and a little more by
 * accident. */
static void judge(const struct plyd *plyd, struct sample before, struct sample warm,
                  struct sample end)
{
    if (end.memory > warm.memory * 1.05 + 4 * MIB)
        die("memory: it grew after the daemon was warm");
    if (end.descriptors > before.descriptors)
        die("descriptors: some were left behind");
    if (plyd_logged(plyd, "\"level\":\"error\"") || plyd_logged(plyd, "\"level\":\"warn\""))
        die("the log complains: %s", plyd->log);
    printf("flat: %.1f MiB when warm, %.1f MiB at the end; nothing in the log\n", warm.memory / MIB,
           end.memory / MIB);
}

static void soak(const char *database, long requests)
{
    atomic_long *done =
        mmap(NULL, sizeof(*done), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct sample before, warm = {0, 0}, last;
    pid_t worker[WORKERS];
    struct plyd plyd;
    double since;

    /* The cache is small, so it is full early: what grows after that is a leak. */
    plyd_start(&plyd, database, "--cached-games", "500", NULL);
    before = look(&plyd, 0, seconds_now() - 1);
    since = seconds_now();
    for (int i = 0; i < WORKERS; i++)
        worker[i] = start_worker(plyd.port, done, requests);
    for (int i = 1; i <= SAMPLES; i++) {
        while (atomic_load(done) < requests * i / SAMPLES) {
            int status;

            if (waitpid(-1, &status, WNOHANG) > 0 && status != 0)
                die("a client: it got an answer that it did not expect");
            usleep(20000);
        }
        last = look(&plyd, atomic_load(done), since);
        if (i == WARM)
            warm = last;
    }
    for (int i = 0; i < WORKERS; i++)
        waitpid(worker[i], NULL, 0);
    for (int i = 0; i < 500 && descriptors(plyd.pid) > before.descriptors; i++)
        usleep(20000);
    last = look(&plyd, atomic_load(done), since);
    judge(&plyd, before, warm, last);
    plyd_close(&plyd);
}

/* ---- beside idle connections ---- */

static double rate(int port)
{
    struct load_plan plan = {.port = port,
                             .kind = LOAD_READS,
                             .connections = 32,
                             .warm_up = 0.5,
                             .seconds = 3,
                             .variant = "jungle",
                             .seed = 1};
    struct load_result result;

    load_run(&plan, &result);
    if (result.wrong > 0)
        die("reads: some were answered wrongly");
    return result.per_second;
}

static void measure_idle(const char *database)
{
    struct rlimit limit;
    struct plyd plyd;
    double alone, beside;
    static int fd[IDLE];
    int count;

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    count = limit.rlim_cur < IDLE + 200 ? (int)limit.rlim_cur - 200 : IDLE;
    plyd_start(&plyd, database, NULL);
    alone = rate(plyd.port);
    for (int i = 0; i < count; i++)
        fd[i] = http_connect(plyd.port);
    beside = rate(plyd.port);
    printf("%d idle connections: %.0f reads a second, %.0f without them (%.2f), %.1f MiB\n", count,
           beside, alone, beside / alone, usage_memory(plyd.pid) / MIB);
    for (int i = 0; i < count; i++)
        close(fd[i]);
    plyd_close(&plyd);
}

/* ---- weeks ---- */

/* A week's games, each made with a key; and in each a move with a key, which leaves no answer. */
static void live_a_week(const struct plyd *plyd, int week)
{
    for (int i = 0; i < WEEKS_GAMES; i++) {
        struct worker worker = {.port = plyd->port};
        struct http_reply reply;
        char headers[256], path[64], token[64];

        snprintf(headers, sizeof(headers),
                 "Content-Type: application/json\r\nIdempotency-Key: game %3d of week %2d\r\n", i,
                 week);
        http_request(plyd->port, &reply, "POST", "/v1/games", headers, "{\"variant\":\"jungle\"}");
        take(&reply, "\"id\":\"", worker.id, sizeof(worker.id));
        take(&reply, "\"token\":\"", token, sizeof(token));
        http_free(&reply);
        snprintf(headers, sizeof(headers),
                 "Authorization: Bearer %s\r\nContent-Type: text/plain\r\nIdempotency-Key: 1\r\n",
                 token);
        snprintf(path, sizeof(path), "/v1/games/%s/moves", worker.id);
        http_request(plyd->port, &reply, "POST", path, headers, "a3a4");
        if (reply.status != 201)
            die("%s: %s", path, reply.body);
        http_free(&reply);
    }
}

/* A week goes by: all answers grow older by it. A daemon that starts forgets old ones at once. */
static void soak_answers(const char *database)
{
    double rows = 0, bytes = 0, warm = 0;

    for (int week = 1; week <= WEEKS; week++) {
        struct plyd plyd;

        pgbench_number(database, "update answers set at = at - interval '7 days'");
        plyd_start(&plyd, database, NULL);
        live_a_week(&plyd, week);
        for (int i = 0; i < 500; i++) {
            rows = pgbench_number(database, "select count(*) from answers");
            if (rows <= WEEKS_GAMES)
                break;
            usleep(20000);
        }
        plyd_close(&plyd);
        pgbench_number(database, "vacuum answers");
        bytes = pgbench_number(database, "select pg_total_relation_size('answers')");
        if (rows > WEEKS_GAMES)
            die("answers: a week that is over was not forgotten");
        if (week == WARM_WEEK)
            warm = bytes;
    }
    printf(
        "%d weeks of %d games with keys: %.0f answers at the end, %.2f MiB (%.2f MiB in week %d)\n",
        WEEKS, WEEKS_GAMES, rows, bytes / MIB, warm / MIB, WARM_WEEK);
    if (bytes > warm * 1.1)
        die("answers: the table grows");
}

int main(int argc, char **argv)
{
    char *database = pg_test_database();
    long requests = argc > 1 ? strtol(argv[1], NULL, 10) : REQUESTS;

    setvbuf(stdout, NULL, _IOLBF, 0); /* or each worker would print again what waits in it */
    plyd_migrate(database);
    soak_answers(database);
    measure_idle(database);
    soak(database, requests);
    pg_test_drop(database);
    return 0;
}
