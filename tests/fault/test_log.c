/* test_log.c - a daemon whose log nobody reads. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/http.h"
#include "tests/support/pg.h"
#include "tests/support/plyd.h"

enum {
    REQUESTS = 2000,
    PATH_BYTES = 600
}; /* each a line of a kilobyte: more than the queue holds */

/* Reads lines up to the one that has this text, and returns what follows the text. */
static const char *read_up_to(FILE *log, const char *text, char line[1100])
{
    const char *at;

    do
        cr_assert_not_null(fgets(line, 1100, log), "no %s in the log", text);
    while ((at = strstr(line, text)) == NULL);
    return at + strlen(text);
}

static void request_many(int port)
{
    char path[PATH_BYTES + 1];
    struct http_reply reply;
    int fd = http_connect(port);

    memset(path, 'x', PATH_BYTES);
    path[0] = '/';
    path[PATH_BYTES] = '\0';
    for (int i = 0; i < REQUESTS; i++) {
        http_send(fd, "GET", path, NULL, NULL, 0);
        http_receive(fd, "GET", &reply);
        cr_assert_eq(reply.status, 404);
        http_free(&reply);
    }
    close(fd);
}

struct logging {
    pid_t pid;
    FILE *log; /* the end of the pipe that is read */
    char *database;
};

/* Starts a daemon that logs into a pipe that holds little, and returns its port. */
static int start_at(struct logging *daemon, const char *level)
{
    const char *program = plyd_program();
    char line[1100];
    int fd[2];

    daemon->database = pg_test_database();
    plyd_migrate(daemon->database);
    cr_assert_eq(pipe(fd), 0);
    cr_assert_gt(fcntl(fd[1], F_SETPIPE_SZ, 4096), 0);
    daemon->pid = fork();
    if (daemon->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(fd[1], STDERR_FILENO);
        close(fd[0]);
        execl(program, program, "serve", "--database", daemon->database, "--listen", "127.0.0.1:0",
              "--log-level", level, NULL);
        _exit(127);
    }
    close(fd[1]);
    daemon->log = fdopen(fd[0], "r");
    return atoi(read_up_to(daemon->log, "\"listening\",\"address\":\"127.0.0.1:", line));
}

/* Makes it log more than the pipe holds while nobody reads. */
static void start(struct logging *daemon)
{
    request_many(start_at(daemon, "debug"));
}

static void assert_ends_well(struct logging *daemon)
{
    int status;

    waitpid(daemon->pid, &status, 0);
    cr_assert_eq(status, 0);
    fclose(daemon->log);
    pg_test_drop(daemon->database);
}

Test(log, a_daemon_whose_log_nobody_reads_goes_on_and_tells_afterwards)
{
    struct logging daemon;
    char line[1100];

    start(&daemon);
    cr_assert_gt(atoi(read_up_to(daemon.log, "\"log-lines-dropped\",\"count\":\"", line)), 0);
    kill(daemon.pid, SIGTERM);
    read_up_to(daemon.log, "\"stopped\"", line);
    assert_ends_well(&daemon);
}

Test(log, a_daemon_whose_log_nobody_reads_ends_on_sigterm)
{
    struct logging daemon;

    start(&daemon);
    kill(daemon.pid, SIGTERM);
    assert_ends_well(&daemon);
}

static void request(int port, const char *method, const char *path, int status)
{
    struct http_reply reply;

    http_request(port, &reply, method, path, NULL, NULL);
    cr_assert_eq(reply.status, status, "%s", reply.body);
    http_free(&reply);
}

Test(log, sigusr1_has_a_daemon_tell_more_until_the_next_one)
{
    struct logging daemon;
    char line[1100];
    int port = start_at(&daemon, "info");

    kill(daemon.pid, SIGUSR1);
    read_up_to(daemon.log, "\"log-level\",\"log_level\":\"debug\"", line);
    request(port, "GET", "/v1/games/01h29w534hg22jm1wmvtcz0vyr", 404);
    read_up_to(daemon.log, "\"event\":\"request\"", line);
    kill(daemon.pid, SIGUSR1);
    read_up_to(daemon.log, "\"log-level\",\"log_level\":\"info\"", line);
    request(port, "GET", "/healthz", 200);
    kill(daemon.pid, SIGTERM);
    while (fgets(line, sizeof(line), daemon.log) != NULL)
        cr_expect_null(strstr(line, "\"request\""), "%s", line);
    assert_ends_well(&daemon);
}
