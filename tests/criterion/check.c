/* check.c - a test's own process. The macros of Criterion call these functions, which here take the
 * place of the library's: those tell its runner of a check by a socket, these by memory that both
 * processes share. */
#include <criterion/abort.h>
#include <criterion/event.h>
#include <criterion/internal/test.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "outcome.h"
#include "runner.h"

static struct outcome unseen; /* of checks that no test makes */
static struct outcome *own = &unseen;
static const struct criterion_test_extra_data *suite;
static void *value;
static pid_t owner;
static jmp_buf end;
const struct criterion_test *running_test;

/* ---- failures ---- */

__attribute__((format(printf, 1, 0))) static void add(const char *format, va_list values)
{
    size_t room = sizeof(own->text) - own->len;
    int len = vsnprintf(own->text + own->len, room, format, values);

    own->len += (size_t)len < room ? (size_t)len : room - 1;
}

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    va_list values;

    va_start(values, format);
    add(format, values);
    va_end(values);
}

/* A message that has lines is told in lines of this form, too. */
static void note(const char *file, unsigned line, const char *message)
{
    char *copy = strdup(message), *rest = copy, *part;

    own->failed = true;
    put("  - %s:%u: |+\n      Assertion failed:\n", file, line);
    while ((part = strsep(&rest, "\n")) != NULL)
        put("      %s\n", part);
    free(copy);
}

void criterion_send_assert(struct criterion_assert_stats *stats)
{
    if (!stats->passed)
        note(stats->file, stats->line, stats->message);
}

/* Only the thread that the test began with can go back to where it began. */
void criterion_abort_test(void)
{
    if (getpid() == owner && syscall(SYS_gettid) == owner)
        longjmp(end, 1);
    _exit(1);
}

void criterion_continue_test(void)
{
}

void criterion_skip_test(const char *format, ...)
{
    va_list values;

    va_start(values, format);
    own->skipped = true;
    own->len = 0;
    add(format, values);
    va_end(values);
    criterion_abort_test();
}

/* ---- running ---- */

static void call(void (*fixture)(void))
{
    if (fixture != NULL && setjmp(end) == 0)
        fixture();
}

void criterion_internal_test_setup(void)
{
    call(suite->init);
    call(running_test->data->init);
}

void criterion_internal_test_main(void (*test)(void))
{
    void (*with_value)(void *) = (void (*)(void *))test;

    if (own->failed || own->skipped || setjmp(end) != 0)
        return;
    if (running_test->data->param_ == NULL)
        test();
    else
        with_value(value);
}

void criterion_internal_test_teardown(void)
{
    call(running_test->data->fini);
    call(suite->fini);
    own->complete = true;
}

void outcome_of(const struct criterion_test *test, const struct criterion_test_extra_data *of_suite,
                void *param, struct outcome *outcome)
{
    running_test = test;
    suite = of_suite;
    value = param;
    own = outcome;
    owner = getpid();
    test->test();
}
