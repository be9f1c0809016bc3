/* calls.c - the loop is traced, by a thread of the test's own (calls.h). */
#include "calls.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "backoff.h"
#include "die.h"

enum { SYSCALL_STOP = SIGTRAP | 0x80 };

static bool is_loop(pid_t daemon, pid_t thread)
{
    char path[64], name[32] = "";
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", (int)daemon, (int)thread);
    file = fopen(path, "r");
    if (file == NULL || fgets(name, sizeof(name), file) == NULL)
        name[0] = '\0';
    if (file != NULL)
        fclose(file);
    return strcmp(name, "loop\n") == 0;
}

/* Threads are numbered upwards, and a daemon has few. */
static pid_t loop_of(pid_t daemon)
{
    enum { AHEAD = 1000 };

    for (int looks = 0; looks < 20; looks++) {
        for (pid_t thread = daemon; thread < daemon + AHEAD; thread++)
            if (is_loop(daemon, thread))
                return thread;
        back_off(looks);
    }
    errno = ESRCH;
    die("the loop: %m");
    return 0;
}

/* Which call it is about to make. */
static uint64_t next_call(pid_t thread)
{
    struct __ptrace_syscall_info info;

    if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof(info), &info) <= 0 ||
        info.op != PTRACE_SYSCALL_INFO_ENTRY)
        die("PTRACE_GET_SYSCALL_INFO: %m");
    return info.entry.nr;
}

static void keep(struct calls *calls)
{
    calls->held = true;
    for (int looks = 0; calls->holds; looks++)
        back_off(looks);
    calls->held = false;
}

static void begin_call(struct calls *calls)
{
    uint64_t call = next_call(calls->thread);

    if (call != SYS_clock_gettime)
        calls->count++;
    if (calls->holds && (call == SYS_epoll_wait || call == SYS_epoll_pwait))
        keep(calls);
}

/* Each system call stops it twice, at its beginning and at its end. */
static void *trace(void *args)
{
    struct calls *calls = args;
    bool is_inside = false;
    int status;

    if (ptrace(PTRACE_SEIZE, calls->thread, NULL, PTRACE_O_TRACESYSGOOD) < 0 ||
        ptrace(PTRACE_INTERRUPT, calls->thread, NULL, NULL) < 0)
        die("ptrace: %m");
    while (waitpid(calls->thread, &status, __WALL) == calls->thread && WIFSTOPPED(status)) {
        bool is_call = WSTOPSIG(status) == SYSCALL_STOP;
        bool is_signal = !is_call && status >> 16 == 0;

        is_inside = is_call ? !is_inside : is_inside;
        if (is_call && is_inside)
            begin_call(calls);
        if (calls->over) {
            ptrace(PTRACE_DETACH, calls->thread, NULL, NULL);
            break;
        }
        ptrace(PTRACE_SYSCALL, calls->thread, NULL, is_signal ? (long)WSTOPSIG(status) : 0L);
        calls->begun = true;
    }
    return NULL;
}

void calls_begin(struct calls *calls, pid_t daemon)
{
    *calls = (struct calls){.thread = loop_of(daemon)};
    if (pthread_create(&calls->tracer, NULL, trace, calls) != 0)
        die("pthread_create: %m");
    for (int looks = 0; !calls->begun; looks++)
        back_off(looks);
}

/* The next call of the loop, which is its heartbeat if nothing else comes, ends it. */
void calls_end(struct calls *calls)
{
    calls->over = true;
    pthread_join(calls->tracer, NULL);
}

int calls_so_far(const struct calls *calls)
{
    return calls->count;
}

void calls_hold(struct calls *calls)
{
    calls->holds = true;
}

void calls_await_hold(struct calls *calls)
{
    for (int looks = 0; !calls->held; looks++)
        back_off(looks);
}

void calls_let_go(struct calls *calls)
{
    calls->holds = false;
}
