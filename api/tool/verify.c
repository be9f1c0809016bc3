#include "api/tool/verify.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "api/game/ids.h"
#include "db/db.h"
#include "rules/rules.h"

enum { THREADS_MAX = 64, FAILED = 1, BAD_USAGE = 2 };

static const char usage[] =
    "usage: plyd verify [--database URL] [--variant V] [--sample N]\n"
    "\n"
    "Replays every stored game with the rules of this program and compares every move, position\n"
    "and outcome with what is stored, and so the clocks and the offers. Prints the first\n"
    "difference of each game. The exit code is 1 if there is one.\n"
    "\n"
    "  --database URL  the database [DATABASE_URL]\n"
    "  --variant V     only games of this variant\n"
    "  --sample N      only about N games, chosen at random by their ids\n";

struct order {
    const char *url, *variant;
    long sample; /* 0: all */
    unsigned threads;
};

struct worker {
    const struct order *order;
    unsigned part;
    pthread_t thread;
    bool failed; /* the database could not be read */
    _Atomic uint64_t games, events, bad;
    atomic_bool done;
};

static void report(const struct db_scan_game *stored, const char *what)
{
    char id[IDS_TEXT];

    ids_text(stored->game->id, id);
    printf("%s %s: %s\n", stored->game->variant, id, what);
}

/* Verifies one part of the games, over a connection of its own. */
static void *work(void *cls)
{
    struct worker *worker = cls;
    const struct order *order = worker->order;
    int64_t limit = (order->sample + order->threads - 1) / order->threads;
    enum db_scan_result result = DB_SCAN_FAILED;
    struct db_error error = {"", ""};
    struct db_scan_game stored;
    char what[1024];
    struct db_scan *scan =
        db_scan_open(order->url, order->variant, worker->part, order->threads, limit, &error);

    while (scan != NULL && (result = db_scan_next(scan, &stored, &error)) == DB_SCAN_GAME) {
        if (!verify_game(&stored, what, sizeof(what))) {
            report(&stored, what);
            worker->bad++;
        }
        worker->games++;
        worker->events += stored.count;
    }
    if (result == DB_SCAN_FAILED) {
        if (worker->part == 0) /* they all go to the same server */
            fprintf(stderr, "plyd: cannot read the games: %s\n", error.text);
        worker->failed = true;
    }
    if (scan != NULL)
        db_scan_close(scan);
    worker->done = true;
    return NULL;
}

static double seconds_since(const struct timespec *begin)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begin->tv_sec) + (double)(now.tv_nsec - begin->tv_nsec) / 1e9;
}

/* Says once a second how far it is, until all workers are done. */
static void watch(struct worker *workers, unsigned n, const struct timespec *begin)
{
    const struct timespec pause = {0, 20000000};
    double told = 0;

    for (;;) {
        uint64_t games = 0;
        bool done = true;

        for (unsigned i = 0; i < n; i++) {
            games += workers[i].games;
            done &= workers[i].done;
        }
        if (done)
            return;
        if (seconds_since(begin) >= told + 1) {
            told = seconds_since(begin);
            fprintf(stderr, "%llu games, %.0f games/s\n", (unsigned long long)games,
                    (double)games / told);
        }
        nanosleep(&pause, NULL);
    }
}

static int verify(const struct order *order)
{
    struct worker *workers = calloc(order->threads, sizeof(*workers));
    uint64_t games = 0, events = 0, bad = 0;
    struct timespec begin;
    bool failed = false;
    double took;

    if (workers == NULL)
        return FAILED;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (unsigned i = 0; i < order->threads; i++) {
        workers[i].order = order;
        workers[i].part = i;
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
            abort();
    }
    watch(workers, order->threads, &begin);
    for (unsigned i = 0; i < order->threads; i++) {
        pthread_join(workers[i].thread, NULL);
        games += workers[i].games;
        events += workers[i].events;
        bad += workers[i].bad;
        failed |= workers[i].failed;
    }
    free(workers);
    if (failed)
        return FAILED;
    took = seconds_since(&begin);
    printf(
        "%llu games with %llu events, %llu of them differ; %.1f s, %.0f games/s, %.0f events/s\n",
        (unsigned long long)games, (unsigned long long)events, (unsigned long long)bad, took,
        (double)games / took, (double)events / took);
    return bad > 0 ? FAILED : 0;
}

static bool refuse_usage(const char *what, const char *word)
{
    fprintf(stderr, "plyd: verify: %s '%s'; --help shows the usage\n", what, word);
    return false;
}

static bool read_order(struct order *order, int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        char none[] = "", *end = none;

        if (value != NULL && strcmp(argv[i], "--database") == 0)
            order->url = value;
        else if (value != NULL && strcmp(argv[i], "--variant") == 0)
            order->variant = value;
        else if (value != NULL && strcmp(argv[i], "--sample") == 0)
            order->sample = strtol(value, &end, 10);
        else
            return refuse_usage(value == NULL ? "no value for" : "no such setting:", argv[i]);
        if (*end != '\0' || order->sample < 0)
            return refuse_usage("not a number of games:", value);
    }
    if (order->variant != NULL && rules_find(order->variant) == NULL)
        return refuse_usage("no such variant:", order->variant);
    return true;
}

int verify_main(int argc, char **argv)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct order order = {.url = getenv("DATABASE_URL"),
                          .threads = cores < 1             ? 1
                                     : cores > THREADS_MAX ? THREADS_MAX
                                                           : (unsigned)cores};

    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (!read_order(&order, argc, argv))
        return BAD_USAGE;
    if (order.url == NULL) {
        fprintf(stderr, "plyd: no database: give --database or DATABASE_URL\n");
        return BAD_USAGE;
    }
    return verify(&order);
}
