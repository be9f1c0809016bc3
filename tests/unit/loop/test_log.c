/* test_log.c - the log: what a line looks like, and a reader that does not keep up. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/loop/log.h"

enum {
    MANY = 20000, /* lines: more than the queue and a pipe hold */
    THREADS = 4,
    EACH = 2000
};

/* Makes standard error a pipe that holds little. Returns the end to read from. */
static FILE *open_pipe(void)
{
    int fd[2];

    cr_assert_eq(pipe(fd), 0);
    cr_assert_gt(fcntl(fd[1], F_SETPIPE_SZ, 4096), 0);
    cr_assert_geq(dup2(fd[1], STDERR_FILENO), 0);
    close(fd[1]);
    return fdopen(fd[0], "r");
}

static void log_numbered(int number)
{
    char text[16];

    snprintf(text, sizeof(text), "%d", number);
    log_event(LOG_INFO, "numbered", "number", text, NULL);
}

/* The value of a field whose value is a number; -1 if the line has no such field, or is not whole.
 */
static long field(const char *line, const char *name)
{
    const char *at = strstr(line, name);
    size_t len = strlen(line);

    cr_assert_eq(strncmp(line, "{\"at\":\"20", 9), 0, "%s", line);
    cr_assert(len > 2 && strcmp(line + len - 2, "}\n") == 0, "%s", line);
    cr_assert_eq(strstr(line + 1, "{"), NULL, "%s", line);
    return at == NULL ? -1 : atol(at + strlen(name));
}

Test(log, a_line_without_a_writer_is_written_at_once)
{
    FILE *reader = open_pipe();
    char line[1100];

    log_event(LOG_WARN, "event", "field", "a \"quoted\"\nvalue", NULL);
    cr_assert_not_null(fgets(line, sizeof(line), reader));
    cr_assert_not_null(
        strstr(line,
               "\"level\":\"warn\",\"event\":\"event\",\"field\":\"a \\\"quoted\\\" value\"}\n"),
        "%s", line);
}

/* No machine has room for the stack of this thread. */
Test(log, a_writer_that_cannot_be_started_is_told)
{
    FILE *reader = open_pipe();
    pthread_attr_t endless;
    char line[1100];

    cr_assert_eq(pthread_attr_init(&endless), 0);
    cr_assert_eq(pthread_attr_setstacksize(&endless, SIZE_MAX / 4), 0);
    cr_assert_eq(pthread_setattr_default_np(&endless), 0);
    cr_assert_not(log_start());
    close(STDERR_FILENO);
    cr_assert_not_null(fgets(line, sizeof(line), reader));
    cr_assert_not_null(strstr(line, "\"level\":\"error\",\"event\":\"cannot-start\",\"reason\":"),
                       "%s", line);
}

/* Reads lines until `wanted` are accounted for. Returns how many of them were dropped. */
static long read_numbered(FILE *reader, long wanted, bool in_order)
{
    long seen = 0, lost = 0;
    char line[1100];

    while (seen < wanted) {
        long dropped;

        cr_assert_not_null(fgets(line, sizeof(line), reader));
        dropped = field(line, "\"event\":\"log-lines-dropped\",\"count\":\"");
        if (dropped < 0 && in_order)
            cr_assert_eq(field(line, "\"number\":\""), seen, "%ld: %s", seen, line);
        lost += dropped < 0 ? 0 : dropped;
        seen += dropped < 0 ? 1 : dropped;
    }
    cr_assert_eq(seen, wanted);
    return lost;
}

Test(log, a_reader_that_stops_holds_up_nobody_and_is_told_what_was_dropped)
{
    FILE *reader = open_pipe();
    char line[1100];

    cr_assert(log_start());
    for (int i = 0; i < MANY; i++)
        log_numbered(i);
    cr_assert_gt(read_numbered(reader, MANY, true), 0);
    log_numbered(MANY);
    cr_assert_not_null(fgets(line, sizeof(line), reader));
    cr_assert_eq(field(line, "\"number\":\""), MANY);
    log_stop();
}

static void *log_many(void *unused)
{
    for (int i = 0; i < EACH; i++)
        log_numbered(i);
    return unused;
}

Test(log, lines_of_several_threads_do_not_mix)
{
    FILE *reader = open_pipe();
    pthread_t threads[THREADS];

    cr_assert(log_start());
    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, log_many, NULL), 0);
    read_numbered(reader, THREADS * EACH, false);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    log_stop();
}

static void *read_all(void *reader)
{
    long lines = 0;
    char line[1100];

    while (fgets(line, sizeof(line), reader) != NULL)
        lines++;
    return (void *)lines;
}

Test(log, stopping_writes_what_is_queued)
{
    enum { QUEUED = 1000 };
    FILE *reader = open_pipe();
    pthread_t thread;
    void *lines;

    cr_assert(log_start());
    for (int i = 0; i < QUEUED; i++)
        log_numbered(i);
    cr_assert_eq(pthread_create(&thread, NULL, read_all, reader), 0);
    log_stop();
    close(STDERR_FILENO);
    pthread_join(thread, &lines);
    cr_assert_eq((long)lines, QUEUED);
}

Test(log, stopping_does_not_wait_for_a_reader_that_has_stopped)
{
    open_pipe();
    cr_assert(log_start());
    for (int i = 0; i < MANY; i++)
        log_numbered(i);
    log_stop();
}
