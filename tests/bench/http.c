/*
 * http.c - what plyd does over HTTP, beside what could be hoped for on the same machine in the same
 * run: pgbench that stores the same moves in the same tables, and a daemon of libmicrohttpd alone.
 *
 *     bench-http [--quick] [--games=N]
 *
 * N games are stored for the row that says so. What is compared is measured in turns, so that
 * whatever else the machine does affects both. Of several turns the best one counts.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/support/bare.h"
#include "tests/support/http.h"
#include "tests/support/load.h"
#include "tests/support/pg.h"
#include "tests/support/pgbench.h"
#include "tests/support/plyd.h"
#include "tests/support/ratios.h"
#include "tests/support/usage.h"

enum { FEW_GAMES = 1000, MANY_GAMES = 1000000, IDLE = 10000, TEXT = 64 };

/* Indexes of load_plan.watched. */
enum { DAEMON, SERVER };

static struct bench {
    double seconds; /* of one measurement */
    int turns;
    long games;
    char *url;        /* plyd's database */
    char *beside_url; /* pgbench's */
    pid_t server;
    struct plyd plyd;
} bench = {.seconds = 2, .turns = 2, .games = MANY_GAMES};

/* Starts the daemon with long deadlines: a slow disk should show in the figures and not end the
 * bench. */
static void start_daemon(struct plyd *plyd, const char *url)
{
    plyd_start(plyd, url, "--db-deadline-ms", "60000", NULL);
}

static void run_load(const struct plyd *plyd, struct load_plan plan, struct load_result *result)
{
    plan.port = plyd->port;
    plan.watched[DAEMON] = plyd->pid;
    plan.watched[SERVER] = bench.server;
    plan.warm_up = plan.prelude > 0 ? bench.seconds : bench.seconds / 4;
    plan.seconds = bench.seconds;
    plan.seed = 1;
    load_run(&plan, result);
    if (result->wrong > 0) {
        fprintf(stderr, "bench: %llu answers were wrong\n", (unsigned long long)result->wrong);
        exit(1);
    }
}

static struct load_result play(const struct plyd *plyd, unsigned connections)
{
    struct load_result result;

    run_load(plyd, (struct load_plan){.kind = LOAD_MOVES, .connections = connections}, &result);
    return result;
}

static struct pgbench_result play_beside(enum pgbench_move move, unsigned clients)
{
    struct pgbench_plan plan = {.url = bench.beside_url,
                                .server = bench.server,
                                .move = move,
                                .clients = clients,
                                .warm_up = bench.seconds / 4,
                                .seconds = bench.seconds};
    struct pgbench_result result;

    pgbench_run(&plan, &result);
    return result;
}

/* Keeps the faster one. */
static void keep_load(struct load_result *best, struct load_result result)
{
    if (result.per_second > best->per_second)
        *best = result;
}

static void keep_pgbench(struct pgbench_result *best, struct pgbench_result result)
{
    if (result.per_second > best->per_second)
        *best = result;
}

/* ---- moves ---- */

static const unsigned connections[] = {1, 8, 32, 64, 128, 256, 1024};
enum { STEPS = sizeof(connections) / sizeof(connections[0]), BESIDE_STEPS = 5, STEP_64 = 3 };

struct moves {
    struct load_result plyd[STEPS];
    struct pgbench_result beside[BESIDE_STEPS];
    int best, best_beside; /* steps */
};

static void measure_moves(struct moves *moves)
{
    for (int turn = 0; turn < bench.turns; turn++)
        for (int i = 0; i < STEPS; i++) {
            keep_load(&moves->plyd[i], play(&bench.plyd, connections[i]));
            if (i < BESIDE_STEPS)
                keep_pgbench(&moves->beside[i], play_beside(PGBENCH_TRANSACTION, connections[i]));
        }
    for (int i = 0; i < STEPS; i++)
        if (moves->plyd[i].per_second > moves->plyd[moves->best].per_second)
            moves->best = i;
    for (int i = 0; i < BESIDE_STEPS; i++)
        if (moves->beside[i].per_second > moves->beside[moves->best_beside].per_second)
            moves->best_beside = i;
}

static void print_moves_step(const struct moves *moves, int i)
{
    char what[TEXT], plyd[TEXT], beside[TEXT] = "";
    double ratio = 0;

    snprintf(what, sizeof(what), "  %u connection%s, moves/s", connections[i], i == 0 ? "" : "s");
    snprintf(plyd, sizeof(plyd), "%.0f", moves->plyd[i].per_second);
    if (i < BESIDE_STEPS) {
        snprintf(beside, sizeof(beside), "%.0f pgbench", moves->beside[i].per_second);
        ratio = moves->plyd[i].per_second / moves->beside[i].per_second;
    }
    ratios_row(what, plyd, beside, ratio);
}

static void print_moves_best(const struct moves *moves)
{
    const struct load_result *ours = &moves->plyd[moves->best];
    const struct pgbench_result *theirs = &moves->beside[moves->best_beside];
    char plyd[TEXT], beside[TEXT];

    snprintf(plyd, sizeof(plyd), "%.0f", ours->per_second);
    snprintf(beside, sizeof(beside), "%.0f pgbench", theirs->per_second);
    ratios_at_least("durable moves/s, the best of these", plyd, beside,
                    ours->per_second / theirs->per_second, 2);
    snprintf(plyd, sizeof(plyd), "%.1f us", ours->cpu_us[SERVER]);
    snprintf(beside, sizeof(beside), "%.1f us pgbench", theirs->cpu_us);
    ratios_at_most("PostgreSQL's CPU a move, there", plyd, beside,
                   ours->cpu_us[SERVER] / theirs->cpu_us, 0.12);
    snprintf(plyd, sizeof(plyd), "%.1f us", ours->cpu_us[DAEMON]);
    ratios_row("the daemon's CPU a move, there", plyd, "", 0);
}

static void print_moves_latency(const struct moves *moves)
{
    const struct load_result *ours = &moves->plyd[STEP_64];
    double theirs_us = 64 / moves->beside[STEP_64].per_second * 1e6;
    char plyd[TEXT], beside[TEXT];

    snprintf(plyd, sizeof(plyd), "p50 %.1f ms, p99 %.1f ms", ours->p50_us / 1e3,
             ours->p99_us / 1e3);
    snprintf(beside, sizeof(beside), "mean %.1f ms pgbench", theirs_us / 1e3);
    ratios_row("a move among 64", plyd, beside, ours->mean_us / theirs_us);
}

static void compare_moves(void)
{
    struct moves *moves = calloc(1, sizeof(*moves));

    if (moves == NULL)
        exit(1);
    measure_moves(moves);
    for (int i = 0; i < STEPS; i++)
        print_moves_step(moves, i);
    print_moves_best(moves);
    print_moves_latency(moves);
    free(moves);
}

/* Compares a lone move with the commit of one statement that does the same. */
static void compare_lone_move(void)
{
    struct load_result ours = {.per_second = 0};
    struct pgbench_result theirs = {.per_second = 0};
    char plyd[TEXT], beside[TEXT];

    for (int turn = 0; turn < bench.turns; turn++) {
        keep_load(&ours, play(&bench.plyd, 1));
        keep_pgbench(&theirs, play_beside(PGBENCH_STATEMENT, 1));
    }
    snprintf(plyd, sizeof(plyd), "mean %.0f us", ours.mean_us);
    snprintf(beside, sizeof(beside), "mean %.0f us pgbench", 1e6 / theirs.per_second);
    ratios_at_most("a lone move, beside one statement", plyd, beside,
                   ours.mean_us * theirs.per_second / 1e6, 1.5);
    snprintf(plyd, sizeof(plyd), "p50 %.0f us, p99 %.0f us", ours.p50_us, ours.p99_us);
    ratios_row("  how they spread", plyd, "", 0);
}

/* ---- reads ---- */

/* Reads the answer to GET of a game, which the bare daemon is to repeat. */
static void read_a_game(struct http_reply *game)
{
    struct http_reply created;
    char path[256];

    http_request(bench.plyd.port, &created, "POST", "/v1/games",
                 "Content-Type: application/json\r\n", "{\"variant\":\"shogi\"}");
    if (http_header(&created, "Location", path) == NULL) {
        fprintf(stderr, "bench: no game: %s\n", created.body);
        exit(1);
    }
    http_free(&created);
    http_request(bench.plyd.port, game, "GET", path, NULL, NULL);
}

static void compare_reads(void)
{
    static const unsigned readers[] = {8, 64, 256};
    struct load_result ours = {.per_second = 0}, theirs = {.per_second = 0}, result;
    struct http_reply game;
    struct bare bare;
    char plyd[TEXT], beside[TEXT];

    read_a_game(&game);
    bare_start(&bare, &game);
    for (int turn = 0; turn < bench.turns; turn++)
        for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
            run_load(&bench.plyd, (struct load_plan){.kind = LOAD_READS, .connections = readers[i]},
                     &result);
            keep_load(&ours, result);
            run_load(&(struct plyd){.pid = bare.pid, .port = bare.port},
                     (struct load_plan){.kind = LOAD_PATH,
                                        .connections = readers[i],
                                        .path = "/v1/games/00000000000000000000000000",
                                        .expect = "\"position\":\"lnsgkgsnl/"},
                     &result);
            keep_load(&theirs, result);
        }
    bare_stop(&bare);
    http_free(&game);
    snprintf(plyd, sizeof(plyd), "%.0f", ours.per_second);
    snprintf(beside, sizeof(beside), "%.0f bare libmicrohttpd", theirs.per_second);
    ratios_at_least("reads of a game/s, best of 8, 64, 256", plyd, beside,
                    ours.per_second / theirs.per_second, 0.6);
    snprintf(plyd, sizeof(plyd), "%.1f us + %.1f us", ours.cpu_us[DAEMON], ours.cpu_us[SERVER]);
    snprintf(beside, sizeof(beside), "%.1f us bare libmicrohttpd", theirs.cpu_us[DAEMON]);
    ratios_row("  CPU a read, daemon + PostgreSQL", plyd, beside, 0);
}

/* ---- what a move must not depend on ---- */

static double whole_cost(const struct load_result *result)
{
    return result->cpu_us[DAEMON] + result->cpu_us[SERVER];
}

/* Prints two rows: what a move costs in processor time, and how many there are a second. */
static void print_growth(const char *what, const struct load_result *large, const char *small_name,
                         const struct load_result *small, double goal)
{
    char row[TEXT], plyd[TEXT], beside[TEXT];

    snprintf(row, sizeof(row), "%s, CPU a move", what);
    snprintf(plyd, sizeof(plyd), "%.1f us", whole_cost(large));
    snprintf(beside, sizeof(beside), "%.1f us %s", whole_cost(small), small_name);
    ratios_at_most(row, plyd, beside, whole_cost(large) / whole_cost(small), goal);
    snprintf(row, sizeof(row), "%s, moves/s", what);
    snprintf(plyd, sizeof(plyd), "%.0f", large->per_second);
    snprintf(beside, sizeof(beside), "%.0f %s", small->per_second, small_name);
    ratios_at_most(row, plyd, beside, small->per_second / large->per_second, goal);
}

/* Plays in so many games that each is only a few dozen plies longer afterwards. Warming up takes
 * longer, since the server is still writing what was stored before. */
static struct load_result shuffle(unsigned from_ply)
{
    struct load_plan plan = {.kind = LOAD_SHUFFLE, .connections = 512, .prelude = from_ply};
    struct load_result result;

    run_load(&bench.plyd, plan, &result);
    return result;
}

static void compare_lengths(void)
{
    struct load_result early = {.per_second = 0}, late = {.per_second = 0};

    for (int turn = 0; turn < bench.turns; turn++) {
        keep_load(&early, shuffle(10));
        keep_load(&late, shuffle(1000));
    }
    print_growth("from ply 1000 on", &late, "from ply 10 on", &early, 1.1);
}

static char *new_database(long games)
{
    char *url = pg_test_database();

    plyd_migrate(url);
    pgbench_fill(url, games);
    return url;
}

static void compare_stores(void)
{
    struct load_result in_few = {.per_second = 0}, in_many = {.per_second = 0};
    char *few_url = new_database(FEW_GAMES), *many_url = new_database(bench.games);
    struct plyd few, many;
    char what[TEXT], beside[TEXT];

    start_daemon(&few, few_url);
    start_daemon(&many, many_url);
    for (int turn = 0; turn < bench.turns; turn++) {
        keep_load(&in_few, play(&few, 256));
        keep_load(&in_many, play(&many, 256));
    }
    plyd_stop(&few);
    plyd_stop(&many);
    pg_test_drop(few_url);
    pg_test_drop(many_url);
    snprintf(what, sizeof(what), "%ld games stored", bench.games);
    snprintf(beside, sizeof(beside), "%d stored", FEW_GAMES);
    print_growth(what, &in_many, beside, &in_few, 1.2);
}

/* ---- memory ---- */

static void print_memory(const char *what, double bytes, double rest)
{
    char plyd[TEXT];

    if (rest > 0)
        snprintf(plyd, sizeof(plyd), "%.1f MB (%.0f bytes each)", bytes / 1e6,
                 (bytes - rest) / IDLE);
    else
        snprintf(plyd, sizeof(plyd), "%.1f MB", bytes / 1e6);
    ratios_row(what, plyd, "", 0);
}

/* Measures the memory of connections that have asked once. */
static void measure_memory(void)
{
    int *idle = calloc(IDLE, sizeof(*idle));
    struct http_reply reply;
    struct plyd plyd;
    double rest;

    if (idle == NULL)
        exit(1);
    start_daemon(&plyd, bench.url);
    rest = usage_memory(plyd.pid);
    print_memory("the daemon's memory at rest", rest, 0);
    for (int i = 0; i < IDLE; i++) {
        idle[i] = http_connect(plyd.port);
        http_send(idle[i], "GET", "/healthz", NULL, NULL, 0);
        http_receive(idle[i], "GET", &reply);
        http_free(&reply);
    }
    print_memory("  with 10000 idle connections", usage_memory(plyd.pid), rest);
    for (int i = 0; i < IDLE; i++)
        close(idle[i]);
    http_request(plyd.port, &reply, "GET", "/healthz", NULL, NULL);
    http_free(&reply);
    print_memory("  after them", usage_memory(plyd.pid), 0);
    plyd_stop(&plyd);
    free(idle);
}

/* ---- all of it ---- */

static void read_arguments(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            bench.seconds = 0.5;
            bench.turns = 1;
            bench.games = 50000;
        } else if (sscanf(argv[i], "--games=%ld", &bench.games) != 1 || bench.games < 1) {
            fprintf(stderr, "usage: %s [--quick] [--games=N]\n", argv[0]);
            exit(2);
        }
    }
}

/* Each idle connection takes a descriptor here and one in the daemon. */
static void allow_descriptors(void)
{
    struct rlimit limit = {.rlim_cur = IDLE + 1000, .rlim_max = IDLE + 1000};

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < IDLE + 100) {
        fprintf(stderr, "bench: %d descriptors are needed (ulimit -Hn says %llu)\n", IDLE + 100,
                (unsigned long long)limit.rlim_cur);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    read_arguments(argc, argv);
    allow_descriptors();
    bench.server = pgbench_server(pg_test_url());
    bench.url = new_database(FEW_GAMES);
    bench.beside_url = new_database(FEW_GAMES);
    start_daemon(&bench.plyd, bench.url);
    ratios_head();
    compare_moves();
    compare_lone_move();
    compare_reads();
    compare_lengths();
    plyd_stop(&bench.plyd);
    compare_stores();
    measure_memory();
    pg_test_drop(bench.url);
    pg_test_drop(bench.beside_url);
    return 0;
}
