#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "die.h"
#include "plyd.h"

enum { ARGS_MAX = 24, PATIENCE_MS = 30000 };

void session_init(struct session *session, const char *name)
{
    memset(session, 0, sizeof(*session));
    session->locale = "C.UTF-8";
    session->patience_ms = PATIENCE_MS;
    if (mkdir("build/terminal", 0755) != 0 && errno != EEXIST)
        die("build/terminal: %m");
    snprintf(session->folder, sizeof(session->folder), "build/terminal/%s-XXXXXX", name);
    if (mkdtemp(session->folder) == NULL)
        die("%s: %m", session->folder);
}

void session_close(struct session *session)
{
    char command[256];

    snprintf(command, sizeof(command), "rm -r %s", session->folder);
    if (system(command) != 0)
        die("%s: %m", session->folder);
    free(session->shown);
    free(session->before);
}

/* Becomes the program, in the session's folder. */
static void become(const struct session *session, const char *command, const char *term)
{
    char *program = realpath(plyd_program(), NULL), *line = strdup(command), *save = NULL;
    char *args[ARGS_MAX] = {program};
    size_t n = 1;

    for (char *word = strtok_r(line, " ", &save); word != NULL && n + 1 < ARGS_MAX;
         word = strtok_r(NULL, " ", &save))
        args[n++] = word;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (chdir(session->folder) != 0)
        _exit(126);
    unsetenv("NO_COLOR");
    setenv("LC_ALL", session->locale, 1);
    setenv("TERM", term, 1);
    setenv("HOME", "/nowhere", 1);
    setenv("XDG_STATE_HOME", getcwd(NULL, 0), 1);
    execv(program, args);
    _exit(127);
}

/* Forgets what the process before has shown. */
static void begin(struct session *session, const char *command)
{
    snprintf(session->command, sizeof(session->command), "%s", command);
    free(session->shown);
    session->shown = calloc(1, 1);
    session->len = 0;
    session->size = 1;
}

void session_open(struct session *session, const char *command)
{
    int in[2], out[2];

    begin(session, command);
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
        die("pipe: %m");
    fflush(NULL);
    session->pid = fork();
    if (session->pid < 0)
        die("fork: %m");
    if (session->pid == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        dup2(out[1], STDERR_FILENO);
        become(session, command, "dumb");
    }
    close(in[0]);
    close(out[1]);
    session->in = in[1];
    session->out = out[0];
}

void session_open_terminal(struct session *session, const char *command, const char *term,
                           unsigned short columns, unsigned short rows)
{
    struct winsize size = {.ws_col = columns, .ws_row = rows};

    begin(session, command);
    fflush(NULL);
    session->pid = forkpty(&session->in, NULL, NULL, &size);
    if (session->pid < 0)
        die("forkpty: %m");
    if (session->pid == 0)
        become(session, command, term);
    session->out = session->in;
}

void session_type(struct session *session, const char *text)
{
    size_t len = strlen(text);

    while (len > 0) {
        ssize_t n = write(session->in, text, len);

        if (n <= 0)
            return; /* the program has ended, and what it showed says why */
        text += n;
        len -= (size_t)n;
    }
}

/* Takes what is there; waits for it. False: there will be no more. */
static int take(struct session *session, int ms)
{
    struct pollfd ready = {session->out, POLLIN, 0};
    char part[4096];
    ssize_t n;

    if (poll(&ready, 1, ms) <= 0)
        return 0;
    n = read(session->out, part, sizeof(part));
    if (n <= 0)
        return 0;
    session->size += (size_t)n;
    session->shown = realloc(session->shown, session->size);
    if (session->shown == NULL)
        die("memory: %m");
    memcpy(session->shown + session->len, part, (size_t)n);
    session->len += (size_t)n;
    session->shown[session->len] = '\0';
    return 1;
}

void session_await(struct session *session, const char *text)
{
    char *found;

    while ((found = strstr(session->shown, text)) == NULL)
        if (!take(session, session->patience_ms)) {
            fprintf(stderr, "'%s' was never shown, but:\n%s\n", text, session->shown);
            abort();
        }
    free(session->before);
    session->before = strndup(session->shown, (size_t)(found - session->shown));
    session->len -= (size_t)(found - session->shown) + strlen(text);
    memmove(session->shown, found + strlen(text), session->len + 1);
}

void session_await_stop(struct session *session)
{
    int status;

    if (waitpid(session->pid, &status, WUNTRACED) != session->pid || !WIFSTOPPED(status))
        die("not stopped: %m");
}

/* Whether the process has ended; waits for it. */
static int has_left(const struct session *session)
{
    struct pollfd ready = {pidfd_open(session->pid, 0), POLLIN, 0};
    int n = poll(&ready, 1, session->patience_ms);

    close(ready.fd);
    return n > 0;
}

static int wait_for(struct session *session)
{
    int status;

    while (take(session, session->patience_ms))
        continue;
    if (!has_left(session)) {
        fprintf(stderr, "'%s' did not leave. It showed:\n%s\n", session->command, session->shown);
        abort();
    }
    if (waitpid(session->pid, &status, 0) < 0)
        die("waitpid: %m");
    close(session->out);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int session_end(struct session *session)
{
    if (session->in != session->out)
        close(session->in);
    return wait_for(session);
}

int session_kill(struct session *session, int number)
{
    int code;

    kill(session->pid, number);
    code = wait_for(session);
    if (session->in != session->out)
        close(session->in);
    return code;
}

const char *session_run(struct session *session, const char *command, const char *input, int code)
{
    int ended;

    session_open(session, command);
    session_type(session, input);
    ended = session_end(session);
    if (ended != code) {
        fprintf(stderr, "'%s' ended with %d, not %d:\n%s\n", command, ended, code, session->shown);
        abort();
    }
    return session->shown;
}

/* ---- kills at system calls ---- */

static pid_t open_traced(const struct session *session, const char *command, const char *input)
{
    int in[2], out = open("/dev/null", O_WRONLY | O_CLOEXEC);
    pid_t pid;

    if (pipe2(in, O_CLOEXEC) != 0 || write(in[1], input, strlen(input)) < 0)
        die("pipe: %m");
    close(in[1]);
    fflush(NULL);
    pid = fork();
    if (pid < 0)
        die("fork: %m");
    if (pid == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out, STDOUT_FILENO);
        dup2(out, STDERR_FILENO);
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        become(session, command, "dumb");
    }
    close(in[0]);
    close(out);
    return pid;
}

/* The number of the system call that the process is about to make; -1: it comes out of one. */
static long call_of(pid_t pid)
{
    struct __ptrace_syscall_info call;

    if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(call), &call) < 0)
        die("ptrace: %m");
    return call.op == PTRACE_SYSCALL_INFO_ENTRY ? (long)call.entry.nr : -1;
}

static int is_unlink(long call)
{
#ifdef SYS_unlink
    if (call == SYS_unlink)
        return 1;
#endif
    return call == SYS_unlinkat;
}

/* The process stands before its first instruction. */
static int stop_at(pid_t pid, int n)
{
    int status, signal = 0, seen = -1;

    ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
    for (;;) {
        long call;

        ptrace(PTRACE_SYSCALL, pid, NULL, signal);
        if (waitpid(pid, &status, 0) < 0)
            die("waitpid: %m");
        if (!WIFSTOPPED(status))
            return 0;
        signal = WSTOPSIG(status);
        if (signal != (SIGTRAP | 0x80))
            continue;
        signal = 0;
        call = call_of(pid);
        if (call >= 0 && (seen >= 0 || is_unlink(call)) && ++seen == n)
            return 1;
    }
}

int session_kill_at(struct session *session, const char *command, const char *input, int n)
{
    pid_t pid = open_traced(session, command, input);
    int status;

    if (waitpid(pid, &status, 0) < 0 || !WIFSTOPPED(status))
        die("not traced: %m");
    if (!stop_at(pid, n))
        return 0;
    kill(pid, SIGKILL);
    return waitpid(pid, &status, 0) == pid;
}

int session_kept(const struct session *session, const char *file, const char *text)
{
    char path[256], bytes[65536];
    FILE *opened;
    size_t n;

    snprintf(path, sizeof(path), "%s/%s", session->folder, file);
    opened = fopen(path, "r");
    if (opened == NULL)
        return 0;
    n = fread(bytes, 1, sizeof(bytes) - 1, opened);
    bytes[n] = '\0';
    fclose(opened);
    return strstr(bytes, text) != NULL;
}
