#include "confine.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "die.h"

enum { CALLS_MAX = 1000 };

bool confine_can(void)
{
    return system("systemd-analyze syscall-filter @default >/dev/null 2>&1") == 0;
}

static FILE *list_allowed(const char *unit)
{
    char command[256];
    FILE *list;

    snprintf(command, sizeof(command), "tests/support/allowed.sh '%s'", unit);
    list = popen(command, "r");
    if (list == NULL)
        die("%s: %m", command);
    return list;
}

void confine(const char *unit)
{
    struct sock_filter filter[2 * CALLS_MAX + 2];
    struct sock_fprog program = {.filter = filter};
    FILE *list = list_allowed(unit);
    unsigned call;

    filter[program.len++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    while (program.len < 2 * CALLS_MAX && fscanf(list, "%u", &call) == 1) {
        filter[program.len++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
        filter[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    filter[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    if (pclose(list) != 0)
        die("tests/support/allowed.sh: %m");
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        die("seccomp: %m");
}
