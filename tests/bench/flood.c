/*
 * flood.c - 400 connections that import 1 MiB each, beside four players who move. The daemon's
 * memory stays within what it promises, and goes back afterwards.
 *
 * How the flood delays the players has two parts: the machine and PostgreSQL have more to do, and
 * the daemon itself may be held up. To tell them apart, the players are measured alone, while
 * another daemon on the same database is flooded, and while their own is.
 *
 * PostgreSQL has run for a while: it uses files of its log again. A file that it must make first
 * holds up every commit for some 14 ms, once in 16 MiB.
 *
 *     bench-flood [ROUNDS [RECORD]]
 *
 * RECORD is a file that is imported instead of the bench's own record.
 */
#include <libpq-fe.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/die.h"
#include "tests/support/files.h"
#include "tests/support/http.h"
#include "tests/support/now.h"
#include "tests/support/numbers.h"
#include "tests/support/pg.h"
#include "tests/support/plyd.h"
#include "tests/support/ratios.h"
#include "tests/support/shuffle.h"
#include "tests/support/usage.h"

enum {
    CONNECTIONS = 400,
    ROUNDS = 1,
    PLAYERS = 4,
    PLIES = 4000,
    MOVES_MAX = 1 << 20,
    PAUSE_US = 5000,
    ALONE_US = 15000000,
    LOG_FILES = 130,
    REST_US = 3000000,
    MIB = 1 << 20,
    ALLOWED = 64 * MIB + CONNECTIONS * (64 << 10)
};

/* ---- the record ---- */

/* ---- the flood ---- */

/* What came of the imports: shared with the process that makes them. */
struct flood {
    int port, rounds;
    const char *record;
    atomic_int done, refused, broken, left;
    _Atomic double last; /* when the last one was answered */
};

static void *import_again_and_again(void *context)
{
    struct flood *flood = context;
    size_t len = strlen(flood->record);

    for (int i = 0; i < flood->rounds; i++) {
        int fd = http_connect(flood->port);
        struct http_reply reply;

        http_send(fd, "POST", "/v1/games/import", "Content-Type: application/json\r\n",
                  flood->record, len);
        http_receive(fd, "POST", &reply);
        atomic_fetch_add(reply.status == 201   ? &flood->done
                         : reply.status == 503 ? &flood->refused
                                               : &flood->broken,
                         1);
        http_free(&reply);
        close(fd);
        atomic_fetch_sub(&flood->left, 1);
        atomic_store(&flood->last, seconds_now());
    }
    return NULL;
}

static pid_t start_flood(struct flood *flood)
{
    pthread_t thread[CONNECTIONS];
    pthread_attr_t small;
    pid_t pid = fork();

    if (pid != 0)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0}); /* a flood comes from elsewhere */
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 256 << 10);
    for (int i = 0; i < CONNECTIONS; i++)
        pthread_create(&thread[i], &small, import_again_and_again, flood);
    for (int i = 0; i < CONNECTIONS; i++)
        pthread_join(thread[i], NULL);
    exit(0);
}

/* ---- the players ---- */

/* Players in one process, each with a game and a connection of their own: a move, a pause, the next
 * move, until they are told to stop. */
struct player {
    struct players *all;
    int fd, ply;
    char path[64], headers[128];
};

struct players {
    int port;
    atomic_bool over;
    atomic_int moves, wrong;
    double ms[MOVES_MAX]; /* of each move, from the request to its answer */
};

static void take(const char *body, const char *name, char *value, size_t size)
{
    const char *at = body == NULL ? NULL : strstr(body, name);

    if (at == NULL)
        die("%s", body == NULL ? "no answer" : body);
    at += strlen(name);
    snprintf(value, size, "%.*s", (int)strcspn(at, "\""), at);
}

static void sit_down(struct player *player)
{
    static const char body[] = "{\"variant\":\"shogi\",\"options\":{\"repetition\":1000000}}";
    struct http_reply reply;
    char id[32], token[64];

    player->fd = http_connect(player->all->port);
    setsockopt(player->fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    http_send(player->fd, "POST", "/v1/games", "Content-Type: application/json\r\n", body,
              strlen(body));
    http_receive(player->fd, "POST", &reply);
    take(reply.body, "\"id\":\"", id, sizeof(id));
    take(reply.body, "\"token\":\"", token, sizeof(token));
    http_free(&reply);
    snprintf(player->path, sizeof(player->path), "/v1/games/%s/moves", id);
    snprintf(player->headers, sizeof(player->headers),
             "Content-Type: text/plain\r\nAuthorization: Bearer %s\r\n", token);
}

static bool move(struct player *player)
{
    struct http_reply reply;
    char path[96];
    bool done;

    snprintf(path, sizeof(path), "%s/%d", player->path, player->ply + 1);
    http_send(player->fd, "PUT", path, player->headers, shuffle_move(player->ply), 4);
    http_receive(player->fd, "PUT", &reply);
    done = reply.status == 201 || reply.status == 200;
    http_free(&reply);
    player->ply += done;
    return done;
}

static void *play(void *context)
{
    struct player *player = context;
    struct players *all = player->all;

    sit_down(player);
    while (!atomic_load(&all->over)) {
        double begun = seconds_now();
        bool done = move(player);
        int n = atomic_fetch_add(&all->moves, 1);

        all->ms[n % MOVES_MAX] = (seconds_now() - begun) * 1e3;
        atomic_fetch_add(&all->wrong, !done);
        usleep(PAUSE_US);
    }
    close(player->fd);
    return NULL;
}

/* Prints how the players fared, and returns the p99 of their moves. */
static double print_players(const char *when, struct players *all)
{
    size_t n = (size_t)all->moves;
    double p99;

    numbers_sort(all->ms, n);
    p99 = all->ms[n * 99 / 100];
    printf("%-24s %6zu moves, %d failed, p50 %.2f ms, p99 %.2f ms, worst %.0f ms\n", when, n,
           all->wrong, all->ms[n / 2], p99, all->ms[n - 1]);
    fflush(stdout);
    return p99;
}

/* Lets them play until the flood is over, or for some seconds where there is none. Returns the p99
 * of their moves. */
static double play_beside(const char *when, int port, const struct flood *flood)
{
    struct players *all = calloc(1, sizeof(*all));
    struct player player[PLAYERS] = {{.all = all}};
    pthread_t thread[PLAYERS];
    double p99;

    all->port = port;
    for (int i = 0; i < PLAYERS; i++) {
        player[i].all = all;
        pthread_create(&thread[i], NULL, play, &player[i]);
    }
    if (flood == NULL)
        usleep(ALONE_US);
    while (flood != NULL && atomic_load(&flood->left) > 0)
        usleep(20000);
    atomic_store(&all->over, true);
    for (int i = 0; i < PLAYERS; i++)
        pthread_join(thread[i], NULL);
    p99 = print_players(when, all);
    free(all);
    return p99;
}

/* ---- memory ---- */

struct watch {
    const struct plyd *plyd;
    atomic_bool over;
    double peak;
};

static void *watch_memory(void *context)
{
    struct watch *watch = context;

    while (!atomic_load(&watch->over)) {
        double now = usage_memory(watch->plyd->pid);

        watch->peak = now > watch->peak ? now : watch->peak;
        usleep(5000);
    }
    return NULL;
}

/* ---- PostgreSQL ---- */

/* Fills as many files of the log as the flood will, and has them used again. */
static void make_log_files(const char *url)
{
    PGconn *pg = PQconnectdb(url);

    PQclear(PQexec(pg, "create table filler (n integer)"));
    for (int i = 0; i < LOG_FILES; i++) {
        PQclear(PQexec(pg, "insert into filler values (1)"));
        PQclear(PQexec(pg, "select pg_switch_wal()"));
    }
    PQclear(PQexec(pg, "drop table filler"));
    PQclear(PQexec(pg, "checkpoint"));
    if (PQstatus(pg) != CONNECTION_OK)
        die("%s", PQerrorMessage(pg));
    PQfinish(pg);
}

/* ---- the bench ---- */

/* Players at one daemon while another one, or the same, is flooded. Returns the memory at its peak,
 * and the p99 of their moves in *p99. */
static double measure(const char *when, const struct plyd *players, const struct plyd *flooded,
                      struct flood *flood, double *p99)
{
    struct watch watch = {.plyd = flooded};
    double begun = seconds_now();
    pthread_t watcher;
    pid_t flooding;

    fflush(stdout); /* or the process that floods says it again */
    flood->port = flooded->port;
    flood->done = flood->refused = flood->broken = 0;
    atomic_store(&flood->left, flood->rounds * CONNECTIONS);
    pthread_create(&watcher, NULL, watch_memory, &watch);
    flooding = start_flood(flood);
    *p99 = play_beside(when, players->port, flood);
    waitpid(flooding, NULL, 0);
    printf("  %d imports done, %d refused, %d broken, in %.1f s\n", flood->done, flood->refused,
           flood->broken, atomic_load(&flood->last) - begun);
    usleep(REST_US);
    atomic_store(&watch.over, true);
    pthread_join(watcher, NULL);
    return watch.peak;
}

static void compare(const char *what, double beside, double alone)
{
    char with[32], without[32];

    snprintf(with, sizeof(with), "p99 %.2f ms", beside);
    snprintf(without, sizeof(without), "p99 %.2f ms alone", alone);
    ratios_at_most(what, with, without, beside / alone, 2.0);
}

static void start_without_quotas(struct plyd *plyd, const char *database)
{
    plyd_start(plyd, database, "--quota-address", "0", "--quota-token", "0", "--anonymous-plies",
               "0", NULL);
}

int main(int argc, char **argv)
{
    struct flood *flood =
        mmap(NULL, sizeof(*flood), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct plyd plyd, other;
    struct pg_cluster cluster;
    double before, peak, alone, beside_other, beside;

    pg_cluster_start(&cluster, "min_wal_size=2GB", "max_wal_size=4GB", NULL);
    make_log_files(cluster.url);
    plyd_migrate(cluster.url);
    start_without_quotas(&plyd, cluster.url);
    start_without_quotas(&other, cluster.url);
    flood->rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;
    flood->record = argc > 2 ? file_read("%s", argv[2]) : shuffle_record(PLIES, MIB / PLIES - 36);
    alone = play_beside("alone", plyd.port, NULL);
    measure("flood of another daemon", &plyd, &other, flood, &beside_other);
    before = usage_memory(plyd.pid);
    peak = measure("flood of this daemon", &plyd, &plyd, flood, &beside);
    ratios_head();
    compare("moves beside a flood of another daemon", beside_other, alone);
    compare("moves beside a flood of this daemon", beside, alone);
    printf("memory: %.1f MiB before, %.1f MiB at its peak, %.1f MiB after, %.1f MiB allowed\n",
           before / MIB, peak / MIB, usage_memory(plyd.pid) / MIB, (double)ALLOWED / MIB);
    plyd_close(&plyd);
    plyd_close(&other);
    pg_cluster_remove(&cluster);
    if (peak > ALLOWED)
        die("the daemon took more memory than it may");
    return 0;
}
