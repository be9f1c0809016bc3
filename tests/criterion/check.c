/* check.c - a test's own process: what it checks, prints and leaves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "outcome.h"

static struct outcome unseen; /* of checks that no test makes */
static struct outcome *own = &unseen;
static pid_t owner;
static jmp_buf end;
const struct criterion_test *criterion_current_test;

/* ---- failures ---- */

void criterion_at(const char *file, int line)
{
    own->file = file;
    own->line = line;
}

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

/* A text that has lines is told in lines of this form, too. */
static void indent(size_t from)
{
    char *copy = strdup(own->text + from), *rest = copy, *line;

    own->len = from;
    while ((line = strsep(&rest, "\n")) != NULL)
        put("      %s\n", line);
    free(copy);
}

static void note(const char *file, int line, const char *what, const char *format, va_list values)
{
    size_t from;

    own->failed = true;
    put("  - %s:%d: |+\n", file, line);
    from = own->len;
    put("Assertion failed: %s", what);
    if (strcmp(format, " ") != 0) {
        put("\n");
        add(format + 1, values);
    }
    indent(from);
}

void criterion_note(const char *file, int line, const char *what, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    note(file, line, what, format, values);
    va_end(values);
}

/* Only the thread that the test began with can go back to where it began. */
static _Noreturn void leave(void)
{
    if (getpid() == owner && syscall(SYS_gettid) == owner)
        longjmp(end, 1);
    _exit(1);
}

_Noreturn void criterion_fail(const char *file, int line, const char *what, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    note(file, line, what, format, values);
    va_end(values);
    leave();
}

_Noreturn void criterion_skip(const char *format, ...)
{
    va_list values;

    va_start(values, format);
    own->skipped = true;
    own->len = 0;
    add(format + 1, values);
    va_end(values);
    leave();
}

/* ---- running ---- */

static void call(void (*fixture)(void))
{
    if (fixture != NULL && setjmp(end) == 0)
        fixture();
}

void outcome_of(const struct criterion_test *test, const struct criterion_options *suite,
                void *param, struct outcome *outcome)
{
    criterion_current_test = test;
    own = outcome;
    owner = getpid();
    call(suite->init);
    call(test->options.init);
    if (!own->failed && !own->skipped && setjmp(end) == 0)
        test->run(param);
    call(test->options.fini);
    call(suite->fini);
    own->complete = true;
}

/* ---- what is printed ---- */

static FILE *redirected[3];

/* The stream is read by a descriptor of its own, which has another place in the file. */
static void redirect(FILE *stream)
{
    char path[32];
    int to = fileno(stream), file = memfd_create("printed", MFD_CLOEXEC);

    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    fflush(stream);
    redirected[to] = fopen(path, "r");
    if (redirected[to] == NULL || dup2(file, to) < 0)
        abort();
    close(file);
}

void cr_redirect_stdout(void)
{
    redirect(stdout);
}

void cr_redirect_stderr(void)
{
    redirect(stderr);
}

FILE *cr_get_redirected_stdout(void)
{
    fflush(stdout);
    return redirected[STDOUT_FILENO];
}

FILE *cr_get_redirected_stderr(void)
{
    fflush(stderr);
    return redirected[STDERR_FILENO];
}

bool criterion_printed(FILE *printed, const char *expected)
{
    size_t size = strlen(expected) + 2, len;
    char *text = malloc(size);
    bool same;

    len = fread(text, 1, size - 1, printed);
    text[len] = '\0';
    same = strcmp(text, expected) == 0;
    free(text);
    return same;
}
