/* verify.c - the subcommand `plyd verify`, which replays every stored game with this program. */
#include "api/tool/commands.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "api/game/ids.h"
#include "api/loop/spare_stack.h"
#include "db/db.h"
#include "rules/rules.h"

enum { THREADS_MAX = 64, FAILED = 1, BAD_USAGE = 2 };

static const char usage[] =
    "usage: plyd verify [--database URL] [--variant V] [--sample N] [--after GAME] [--threads N]\n"
    "\n"
    "Replays every stored game with the rules of this program and compares every move, position\n"
    "and outcome with what is stored, and so the clocks and the offers. Prints the first\n"
    "difference of each game. The exit code is 1 if there is one. Games that have something that\n"
    "only a newer program knows, or whose rules are not loaded (--game), are named and counted,\n"
    "and not compared.\n"
    "\n"
    "It reads some hundred games at a time, keeps no snapshot in between, and writes nothing, so "
    "it\n"
    "may run beside the daemons or on a standby. Once a second it says how far it is.\n"
    "\n"
    "  --database URL  the database [DATABASE_URL]\n"
    "  --variant V     only games of this variant\n"
    "  --sample N      only N games, drawn by a hash of their ids\n"
    "  --after GAME    only games whose ids come after this one: goes on where another run ended\n"
    "  --threads N     so many at a time [the number of processors]\n";

struct order {
    struct db_scan_settings scan;
    db_id after;
    unsigned threads;
};

struct worker {
    struct db_scan *scan;
    pthread_t thread;
    struct db_scan_reader *reader;
    struct db_error error;
    bool failed; /* the database could not be read */
    _Atomic uint64_t games, events, bad, newer, not_loaded;
    atomic_bool done;
};

static void report(const struct db_scan_game *stored, const char *what)
{
    char id[IDS_TEXT];

    ids_text(stored->game->id, id);
    printf("%s %s: %s\n", stored->game->variant, id, what);
}

/* Verifies games that no other worker has taken, over a connection of its own. */
static void *work(void *cls)
{
    struct worker *worker = cls;
    enum db_scan_result result = DB_SCAN_FAILED;
    struct db_scan_game stored;
    enum verdict verdict;
    char what[1024];

    spare_stack_take();
    worker->reader = db_scan_reader_open(worker->scan, &worker->error);
    while (worker->reader != NULL &&
           (result = db_scan_next(worker->reader, &stored, &worker->error)) == DB_SCAN_GAME) {
        verdict = verify_game(&stored, what, sizeof(what));
        if (verdict != VERDICT_SAME)
            report(&stored, what);
        worker->bad += verdict == VERDICT_DIFFERS;
        worker->newer += verdict == VERDICT_NEWER;
        worker->not_loaded += verdict == VERDICT_NOT_LOADED;
        worker->games++;
        worker->events += stored.count;
    }
    worker->failed = result == DB_SCAN_FAILED;
    worker->done = true;
    return NULL;
}

static double seconds_since(const struct timespec *begin)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begin->tv_sec) + (double)(now.tv_nsec - begin->tv_nsec) / 1e9;
}

static void say_progress(struct db_scan *scan, uint64_t games, double seconds)
{
    char through[IDS_TEXT] = "the first one";
    db_id id;

    if (db_scan_reached(scan, &id))
        ids_text(id, through);
    fprintf(stderr, "%llu games, %.0f games/s, through %s\n", (unsigned long long)games,
            (double)games / seconds, through);
}

/* Says once a second how far it is, until all workers are done. */
static void watch_workers(struct worker *workers, unsigned n, const struct timespec *begin)
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
            say_progress(workers->scan, games, told);
        }
        nanosleep(&pause, NULL);
    }
}

struct total {
    uint64_t games, events, bad, newer, not_loaded;
    const struct db_error *failure; /* NULL: all games were read */
};

static void add_up(struct total *total, const struct worker *workers, unsigned n)
{
    for (const struct worker *worker = workers; worker < workers + n; worker++) {
        total->games += worker->games;
        total->events += worker->events;
        total->bad += worker->bad;
        total->newer += worker->newer;
        total->not_loaded += worker->not_loaded;
        if (worker->failed)
            total->failure = &worker->error;
    }
}

static int conclude(struct db_scan *scan, const struct total *total, double took)
{
    char through[IDS_TEXT];
    db_id id;

    if (total->failure != NULL) {
        fprintf(stderr, "plyd: cannot read the games: %s\n", total->failure->text);
        if (db_scan_reached(scan, &id)) {
            ids_text(id, through);
            fprintf(stderr, "plyd: to go on where this run ended: --after %s\n", through);
        }
        return FAILED;
    }
    printf(
        "%llu games with %llu events, %llu of them differ; %.1f s, %.0f games/s, %.0f events/s\n",
        (unsigned long long)total->games, (unsigned long long)total->events,
        (unsigned long long)total->bad, took, (double)total->games / took,
        (double)total->events / took);
    if (total->newer > 0)
        printf("%llu games were not compared, since a newer program has written them\n",
               (unsigned long long)total->newer);
    if (total->not_loaded > 0)
        printf("%llu games were not compared, since their rules are not loaded (--game, --games)\n",
               (unsigned long long)total->not_loaded);
    return total->bad > 0 ? FAILED : 0;
}

static int verify(const struct order *order)
{
    struct worker *workers = calloc(order->threads, sizeof(*workers));
    struct db_scan *scan = db_scan_open(&order->scan);
    struct total total = {.failure = NULL};
    struct timespec begin;
    int code;

    if (workers == NULL || scan == NULL)
        abort();
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (unsigned i = 0; i < order->threads; i++) {
        workers[i].scan = scan;
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
            abort();
    }
    watch_workers(workers, order->threads, &begin);
    for (unsigned i = 0; i < order->threads; i++)
        pthread_join(workers[i].thread, NULL);
    add_up(&total, workers, order->threads);
    code = conclude(scan, &total, seconds_since(&begin));
    for (unsigned i = 0; i < order->threads; i++)
        if (workers[i].reader != NULL)
            db_scan_reader_close(workers[i].reader);
    db_scan_close(scan);
    free(workers);
    return code;
}

static bool refuse_usage(const char *what, const char *word)
{
    fprintf(stderr, "plyd: verify: %s '%s'; --help shows the usage\n", what, word);
    return false;
}

static bool read_verify_number(const char *text, long max, long *number)
{
    char *end;

    *number = strtol(text, &end, 10);
    return *text != '\0' && *end == '\0' && *number >= 0 && *number <= max;
}

static bool read_order(struct order *order, int argc, char **argv)
{
    long number;

    for (int i = 1; i < argc; i += 2) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;

        if (value == NULL)
            return refuse_usage("no value for", name);
        if (strcmp(name, "--database") == 0) {
            order->scan.url = value;
        } else if (strcmp(name, "--variant") == 0) {
            order->scan.variant = value;
        } else if (strcmp(name, "--sample") == 0) {
            if (!read_verify_number(value, INT32_MAX, &number))
                return refuse_usage("not a number of games:", value);
            order->scan.sample = number;
        } else if (strcmp(name, "--after") == 0) {
            if (!ids_read(value, &order->after))
                return refuse_usage("not the id of a game:", value);
            order->scan.after = &order->after;
        } else if (strcmp(name, "--threads") == 0) {
            if (!read_verify_number(value, THREADS_MAX, &number) || number == 0)
                return refuse_usage("not a number of threads, 1 to 64:", value);
            order->threads = (unsigned)number;
        } else {
            return refuse_usage("no such setting:", name);
        }
    }
    if (order->scan.variant != NULL && rules_find(order->scan.variant) == NULL)
        return refuse_usage("no such variant:", order->scan.variant);
    return true;
}

int verify_main(int argc, char **argv)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct order order = {.scan.url = getenv("DATABASE_URL"),
                          .threads = cores < 1             ? 1
                                     : cores > THREADS_MAX ? THREADS_MAX
                                                           : (unsigned)cores};

    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (!read_order(&order, argc, argv))
        return BAD_USAGE;
    if (order.scan.url == NULL) {
        fprintf(stderr, "plyd: no database: give --database or DATABASE_URL\n");
        return BAD_USAGE;
    }
    return verify(&order);
}
