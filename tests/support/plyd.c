#include "plyd.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backoff.h"
#include "confine.h"
#include "die.h"
#include "http.h"
#include "hung.h"

enum { ARGS_MAX = 24 };

const char *plyd_program(void)
{
    const char *path = getenv("PLYD_PROGRAM");

    return path == NULL ? "build/release/plyd" : path;
}

static char *read_log(const struct plyd *plyd)
{
    FILE *file = fopen(plyd->log, "r");
    char *text = calloc(1, 1 << 20);

    if (file == NULL || text == NULL)
        die("log: %m");
    if (fread(text, 1, (1 << 20) - 1, file) == 0)
        text[0] = '\0';
    fclose(file);
    return text;
}

int plyd_logged(const struct plyd *plyd, const char *wanted)
{
    char *text = read_log(plyd);
    int found = strstr(text, wanted) != NULL;

    free(text);
    return found;
}

int plyd_logged_port(const struct plyd *plyd, const char *event)
{
    char *text = read_log(plyd);
    char *line = strstr(text, event);
    char *colon = line == NULL ? NULL : strstr(line, "127.0.0.1:");
    int port = colon == NULL ? 0 : atoi(colon + strlen("127.0.0.1:"));

    free(text);
    return port;
}

static pid_t spawn(const char *log, char *const args[])
{
    const char *unit = getenv("PLYD_TEST_UNIT");
    pid_t parent = getpid(), pid;

    fflush(NULL); /* else the child prints what waits here once more */
    pid = fork();
    if (pid < 0)
        die("fork: %m");
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(1);
        if (freopen(log, "a", stderr) == NULL || freopen(log, "a", stdout) == NULL)
            _exit(1);
        setenv("PLYD_LISTEN", "127.0.0.1:0", 1);
        setenv("PLYD_DB_WAIT_S", "3600", 0); /* the test's time limit ends what never comes */
        if (unit != NULL)
            confine(unit);
        execv(args[0], args);
        _exit(127);
    }
    return pid;
}

static int wait_for(pid_t pid)
{
    int status;

    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            die("waitpid: %m");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void new_log(struct plyd *plyd)
{
    int fd;

    if (mkdir("build", 0755) != 0 && errno != EEXIST)
        die("build: %m");
    snprintf(plyd->log, sizeof(plyd->log), "build/plyd-test-XXXXXX");
    fd = mkstemp(plyd->log);
    if (fd < 0)
        die("%s: %m", plyd->log);
    close(fd);
}

/* Runs a subcommand on a database to its end. Its log is kept if it fails. */
static int run(const char *command, const char *database)
{
    struct plyd plyd;
    int code;

    plyd_run(&plyd, command, database, NULL);
    code = plyd_wait(&plyd);
    if (code == 0)
        unlink(plyd.log);
    else
        fprintf(stderr, "plyd %s: exit %d, see %s\n", command, code, plyd.log);
    return code;
}

void plyd_migrate(const char *database)
{
    if (run("migrate", database) != 0)
        exit(1);
}

int plyd_verified(const char *database)
{
    return run("verify", database) == 0;
}

static void start(struct plyd *plyd, const char *command, const char *database, va_list more)
{
    char *args[ARGS_MAX] = {(char *)(uintptr_t)plyd_program(), (char *)(uintptr_t)command,
                            "--database", (char *)(uintptr_t)database};
    int n = 4;

    while (n < ARGS_MAX - 1 && (args[n] = va_arg(more, char *)) != NULL)
        n++;
    args[n] = NULL;
    new_log(plyd);
    plyd->pid = spawn(plyd->log, args);
    plyd->port = 0;
}

void plyd_run(struct plyd *plyd, const char *command, const char *database, ...)
{
    va_list more;

    va_start(more, database);
    start(plyd, command, database, more);
    va_end(more);
}

void plyd_await(struct plyd *plyd, const char *wanted)
{
    for (int looks = 0; !plyd_logged(plyd, wanted); looks++) {
        int status = 0;

        if (waitpid(plyd->pid, &status, WNOHANG) != 0) {
            char *text = read_log(plyd);

            fprintf(stderr, "plyd did not log '%s' (status %x):\n%s\n", wanted, status, text);
            exit(1);
        }
        back_off(looks);
    }
    plyd->port = plyd_logged_port(plyd, "\"listening\"");
}

static void await_ready(const struct plyd *plyd)
{
    struct http_reply reply;
    int status = 0;

    for (int looks = 0; status != 200; looks++) {
        back_off(looks);
        http_request(plyd->port, &reply, "GET", "/readyz", NULL, NULL);
        status = reply.status;
        http_free(&reply);
    }
}

void plyd_start(struct plyd *plyd, const char *database, ...)
{
    va_list more;

    va_start(more, database);
    start(plyd, "serve", database, more);
    va_end(more);
    plyd_await(plyd, "\"listening\"");
    hung_watch(database, plyd->port);
    await_ready(plyd);
}

int plyd_wait(struct plyd *plyd)
{
    int code = wait_for(plyd->pid);

    plyd->pid = 0;
    return code;
}

void plyd_forget(struct plyd *plyd)
{
    unlink(plyd->log);
}

int plyd_stop(struct plyd *plyd)
{
    int code;

    kill(plyd->pid, SIGTERM);
    code = plyd_wait(plyd);
    unlink(plyd->log);
    return code;
}

void plyd_close(struct plyd *plyd)
{
    char *text;
    int code;

    kill(plyd->pid, SIGTERM);
    code = plyd_wait(plyd);
    if (code != 0) {
        text = read_log(plyd);
        fprintf(stderr, "plyd ended with %d:\n%s\n", code, text);
        abort();
    }
    unlink(plyd->log);
}

void plyd_kill9(struct plyd *plyd)
{
    kill(plyd->pid, SIGKILL);
    plyd_wait(plyd);
    unlink(plyd->log);
}

void plyd_await_log(struct plyd *plyd)
{
    kill(plyd->pid, SIGUSR1);
    plyd_await(plyd, "\"log-level\"");
}
