#include "hung.h"

#include <criterion/criterion.h>
#include <execinfo.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DAEMONS = 4, FIRST_PORT = 3, FRAMES = 60 };

/* What runs the script, ready for a signal's handler: it must not allocate. */
static char name[256], database_url[512], ports[DAEMONS][8];
static char *command[FIRST_PORT + DAEMONS + 1] = {(char *)(uintptr_t) "tests/support/hung.sh", name,
                                                  database_url};
static int daemons;

/* Weak: benches and drills start daemons and are no tests. */
extern const struct criterion_test *running_test __attribute__((weak));

/* The script reads where the test stands. */
static void tell(int signal)
{
    void *frames[FRAMES];
    int count = backtrace(frames, FRAMES), ends[2] = {-1, -1};
    bool piped = pipe(ends) == 0;
    pid_t child = fork();

    if (child == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO);
        dup2(ends[0], STDIN_FILENO);
        close(ends[1]);
        execv(command[0], command);
        _exit(127);
    }
    if (piped)
        backtrace_symbols_fd(frames, count, ends[1]);
    close(ends[1]);
    waitpid(child, NULL, 0);
    raise(signal); /* which ends the process now */
}

void hung_watch(const char *database, int port)
{
    struct sigaction once = {.sa_handler = tell, .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
    char *text = ports[daemons % DAEMONS];

    if (&running_test == NULL || running_test == NULL)
        return;
    snprintf(name, sizeof(name), "%s::%s", running_test->category, running_test->name);
    snprintf(database_url, sizeof(database_url), "%s", database);
    snprintf(text, sizeof(ports[0]), "%d", port);
    command[FIRST_PORT + daemons++ % DAEMONS] = text;
    backtrace((void *[1]){NULL}, 1); /* which loads what it needs, while memory may be allocated */
    sigaction(SIGPROF, &once, NULL);
}
