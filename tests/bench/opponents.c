/*
 * opponents.c - how soon computer opponents answer: each level alone, and beside 10 and 100 games
 * of others in which one of level 8 thinks all the time.
 *
 *     bench-opponents [--quick] [VARIANT]
 *
 * Each game comes from an address of its own. One thinker and one loop, as a daemon on two cores
 * has them. A time is that from the request that makes it the opponent's turn until its move is
 * told. Where an answer does not come in time, the next ones are not waited for.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/engine.h"
#include "tests/support/http.h"
#include "tests/support/now.h"
#include "tests/support/numbers.h"
#include "tests/support/opponent_game.h"
#include "tests/support/pg.h"
#include "tests/support/plyd.h"

enum { OTHERS_MAX = 100, SAMPLES_MAX = 200 };

static const int crowds[] = {0, 10, OTHERS_MAX};
enum { CROWDS = sizeof(crowds) / sizeof(crowds[0]) };

static struct bench {
    struct plyd plyd;
    const char *variant;
    double cell_s, patience_s; /* for a number of the table, and for one answer */
    pid_t other[OTHERS_MAX];
    int others;
} bench = {.variant = "shogi", .cell_s = 20, .patience_s = 400};

static void bring_others(int others)
{
    for (; bench.others < others; bench.others++) {
        char address[32];

        snprintf(address, sizeof(address), "198.51.100.%d", bench.others + 1);
        bench.other[bench.others] = opponent_game_start(bench.plyd.port, bench.variant, 8, address);
    }
    sleep(3); /* until all of them have begun */
}

static void send_others_away(void)
{
    while (bench.others > 0) {
        pid_t pid = bench.other[--bench.others];

        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
    }
}

/* A game is begun for each answer: a new one is judged anew, and has no line to redo. */
static bool answer(int level, double *seconds)
{
    struct opponent_game game;
    double begun = seconds_now();
    bool answered;

    opponent_game_begin(&game, bench.plyd.port, bench.variant, level, "203.0.113.1");
    answered = opponent_game_await(&game, bench.patience_s);
    *seconds = seconds_now() - begun;
    opponent_game_end(&game);
    return answered;
}

static void print_ms(double seconds)
{
    if (seconds < 10)
        printf(" %8.0f ms", seconds * 1e3);
    else
        printf(" %9.0f s", seconds);
}

/* Seconds of a processor that searches have taken so far. */
static double searched(void)
{
    static const char name[] = "\nplyd_search_seconds_total ";
    struct http_reply reply;
    const char *at;
    double seconds = 0;

    http_request(bench.plyd.port, &reply, "GET", "/metrics", NULL, NULL);
    at = reply.body == NULL ? NULL : strstr(reply.body, name);
    if (at != NULL)
        seconds = strtod(at + strlen(name), NULL);
    http_free(&reply);
    return seconds;
}

/* What a search takes of a processor is known where there is no other. */
static void measure(int level)
{
    double sample[SAMPLES_MAX], end = seconds_now() + bench.cell_s, before = searched();
    size_t n = 0;
    bool answered = true;

    while (answered && n < SAMPLES_MAX && (n == 0 || seconds_now() < end))
        answered = answer(level, &sample[n++]);
    numbers_sort(sample, n);
    printf("%9d %7d", level, bench.others);
    print_ms(sample[n * 50 / 100]);
    print_ms(sample[n * 99 / 100]);
    if (bench.others == 0)
        print_ms((searched() - before) / (double)n);
    else
        printf(" %11s", "");
    printf(" %5zu%s\n", n, answered ? "" : " (not answered)");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    char *database = pg_test_database();

    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--quick") == 0) {
            bench.cell_s = 3;
            bench.patience_s = 60;
        } else {
            bench.variant = argv[i];
        }
    plyd_migrate(database);
    plyd_start(&bench.plyd, database, "--loops", "1", "--trusted-proxies", "1", "--quota-address",
               "0", "--quota-address-games", "0", "--quota-token", "0", NULL);
    printf("%9s %7s %11s %11s %11s %5s\n", "level", "others", "p50", "p99", "processor", "of");
    for (size_t i = 0; i < CROWDS; i++) {
        bring_others(crowds[i]);
        for (int level = 1; level <= ENGINE_LEVELS; level++)
            measure(level);
    }
    send_others_away();
    plyd_stop(&bench.plyd);
    pg_test_drop(database);
    return 0;
}
