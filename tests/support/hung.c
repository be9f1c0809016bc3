#include "hung.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DAEMONS = 4, FIRST_PORT = 3 };

/* What runs the script, ready for a signal's handler: it must not allocate. */
static char name[256], database_url[512], ports[DAEMONS][8];
static char *command[FIRST_PORT + DAEMONS + 1] = {(char *)(uintptr_t) "tests/support/hung.sh", name,
                                                  database_url};
static int daemons;

/* Weak: benches and drills start daemons and are no tests. */
extern const struct criterion_test *running_test __attribute__((weak));

static void tell(int signal)
{
    pid_t child = fork();

    if (child == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO);
        execv(command[0], command);
        _exit(127);
    }
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
    sigaction(SIGPROF, &once, NULL);
}
