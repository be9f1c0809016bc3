#include "tests/bench/worst_imports.h"
#include "tests/support/die.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/archive.h"
#include "tests/support/http.h"
#include "tests/support/now.h"

enum { GAMES = 20000, PLIES = 156, OTHERS = 80, POLL_US = 2000, PATIENCE_S = 120 };

struct job {
    char headers[160], path[64];
};

/* What the client is at, shared with its process. */
static struct client {
    int port;
    struct job job;
} * client;

static pid_t client_pid;

/* ---- jobs ---- */

static void ask_for(int port, const char *path, const char *headers, const char *body, size_t len,
                    const char *member, char *value, size_t size)
{
    int fd = http_connect(port);
    struct http_reply reply;

    http_send(fd, "POST", path, headers, body, len);
    http_receive(fd, "POST", &reply);
    if (reply.status / 100 != 2 || !http_copy_member(reply.body, member, value, size))
        die("%s: %s", path, reply.body);
    http_free(&reply);
    close(fd);
}

/* A new player's. */
static void begin_job(int port, struct job *job, const char *bytes, size_t len)
{
    static const char player[] = "{\"name\":\"importer\"}";
    char token[96], id[32];

    ask_for(port, "/v1/players", "Content-Type: application/json\r\n", player, strlen(player),
            "token", token, sizeof(token));
    snprintf(job->headers, sizeof(job->headers), "Authorization: Bearer %s\r\n", token);
    ask_for(port, "/v1/me/imports?variant=shogi&options.repetition=1000000", job->headers, bytes,
            len, "id", id, sizeof(id));
    snprintf(job->path, sizeof(job->path), "/v1/jobs/%s", id);
}

static bool is_in_state(int port, const struct job *job, const char *states)
{
    struct http_reply reply;
    char state[32];
    bool is;

    http_request(port, &reply, "GET", job->path, job->headers, NULL);
    if (!http_copy_member(reply.body, "state", state, sizeof(state)))
        die("%s: %s", job->path, reply.body);
    is = strstr(states, state) != NULL;
    http_free(&reply);
    return is;
}

static void await_state(int port, const struct job *job, const char *states)
{
    double begun = seconds_now();

    while (!is_in_state(port, job, states)) {
        if (seconds_now() - begun > PATIENCE_S)
            die("a job is never over: %s", states);
        usleep(POLL_US);
    }
}

/* ---- the client ---- */

static struct archive_file long_file(void)
{
    static const char *const shuffle[] = {" 2h3h", " 8b7b", " 3h2h", " 7b8b"};
    char *bytes = malloc((size_t)GAMES * (PLIES * 5 + 16) + 1), *at = bytes;

    for (int i = 0; i < GAMES; i++) {
        at = stpcpy(at, "startpos moves");
        for (int ply = 0; ply < PLIES; ply++)
            at = stpcpy(at, shuffle[ply % 4]);
        at = stpcpy(at, "\n");
    }
    return (struct archive_file){.bytes = bytes, .len = (size_t)(at - bytes)};
}

static struct archive_file vain_file(void)
{
    struct archive_file archive = {0};

    archive_add_zeros(&archive, "vain.kif", 9 << 20);
    for (int i = 1; i < GAMES; i++)
        archive_add_again(&archive);
    archive_end(&archive);
    return archive;
}

static void import_again_and_again(enum worst_file file)
{
    struct archive_file sent = file == WORST_FILE_LONG ? long_file() : vain_file();

    for (;;) {
        struct job job;

        begin_job(client->port, &job, sent.bytes, sent.len);
        client->job = job;
        await_state(client->port, &job, "done failed cancelled");
    }
}

void worst_imports_begin(int port, enum worst_file file)
{
    if (client == NULL)
        client =
            mmap(NULL, sizeof(*client), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *client = (struct client){.port = port};
    client_pid = fork();
    if (client_pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        import_again_and_again(file);
    }
    while (client->job.path[0] == '\0')
        usleep(POLL_US);
    await_state(port, &client->job, "running done failed");
}

static bool is_at_work(void)
{
    struct http_reply reply;
    bool none;

    http_request(client->port, &reply, "GET", "/metrics", NULL, NULL);
    none = reply.body != NULL && strstr(reply.body, "\nplyd_jobs 0\n") != NULL;
    http_free(&reply);
    return !none;
}

void worst_imports_end(void)
{
    struct http_reply reply;

    kill(client_pid, SIGKILL);
    waitpid(client_pid, NULL, 0);
    http_request(client->port, &reply, "DELETE", client->job.path, client->job.headers, NULL);
    http_free(&reply);
    while (is_at_work())
        usleep(POLL_US);
}

/* ---- another player ---- */

double worst_imports_other(int port)
{
    char file[OTHERS * 20 + 1], *at = file;
    struct job job;
    double begun;

    for (int i = 0; i < OTHERS; i++)
        at = stpcpy(at, "startpos moves 7g7f\n");
    begun = seconds_now();
    begin_job(port, &job, file, (size_t)(at - file));
    await_state(port, &job, "done");
    return seconds_now() - begun;
}
