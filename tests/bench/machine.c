/*
 * machine.c - what the machine charges for what every server does: printed above the other benches,
 * whose ratios depend on it.
 *
 *     bench-machine
 *
 * Each is the median of many.
 */
#include <libpq-fe.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/now.h"
#include "tests/support/numbers.h"
#include "tests/support/pg.h"

enum { TURNS = 201, AT_A_TIME = 100 };

static double turn[TURNS];

/* In microseconds. */
static double median_of(unsigned count, void (*work)(void *args), void *args)
{
    for (unsigned i = 0; i < count; i++) {
        double begin = seconds_now();

        work(args);
        turn[i] = seconds_now() - begin;
    }
    numbers_sort(turn, count);
    return turn[count / 2] * 1e6;
}

static void call(void *args)
{
    (void)args;
    for (int i = 0; i < AT_A_TIME; i++)
        syscall(SYS_getppid);
}

static void fault(void *args)
{
    long page = sysconf(_SC_PAGESIZE);
    size_t size = (size_t)page * AT_A_TIME;
    char *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    (void)args;
    if (bytes == MAP_FAILED)
        abort();
    for (size_t at = 0; at < size; at += (size_t)page)
        bytes[at] = 1;
    munmap(bytes, size);
}

static void begin_process(void *args)
{
    pid_t child = fork();

    (void)args;
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
}

/* ---- two threads that wake each other ---- */

struct pipes {
    int there[2], back[2];
};

static void *echo(void *args)
{
    const struct pipes *pipes = args;
    char byte;

    while (read(pipes->there[0], &byte, 1) == 1)
        if (write(pipes->back[1], &byte, 1) != 1)
            break;
    return NULL;
}

static void wake_twice(void *args)
{
    const struct pipes *pipes = args;
    char byte = 0;

    if (write(pipes->there[1], &byte, 1) != 1 || read(pipes->back[0], &byte, 1) != 1)
        abort();
}

static double wake_us(void)
{
    struct pipes pipes;
    pthread_t echoing;
    double us;

    if (pipe(pipes.there) != 0 || pipe(pipes.back) != 0 ||
        pthread_create(&echoing, NULL, echo, &pipes) != 0)
        abort();
    us = median_of(TURNS, wake_twice, &pipes) / 2;
    close(pipes.there[1]);
    pthread_join(echoing, NULL);
    return us;
}

/* ---- a commit ---- */

static void ask(PGconn *pg, const char *sql)
{
    PGresult *result = PQexec(pg, sql);

    if (PQresultStatus(result) != PGRES_COMMAND_OK) {
        fprintf(stderr, "machine: %s: %s", sql, PQerrorMessage(pg));
        exit(1);
    }
    PQclear(result);
}

static void commit(void *args)
{
    ask(args, "insert into commits values (1)");
}

static double commit_us(void)
{
    char *database = pg_test_database();
    PGconn *pg = PQconnectdb(database);
    double us;

    ask(pg, "create table commits (i int)");
    us = median_of(TURNS, commit, pg);
    PQfinish(pg);
    pg_test_drop(database);
    return us;
}

int main(void)
{
    printf("machine: a system call %.2f us", median_of(TURNS, call, NULL) / AT_A_TIME);
    printf(", a page fault %.2f", median_of(TURNS, fault, NULL) / AT_A_TIME);
    printf(", a wake-up %.0f", wake_us());
    printf(", a process %.0f", median_of(TURNS, begin_process, NULL));
    printf(", a commit %.0f\n", commit_us());
    return 0;
}
