/* priority.c - threads that give way. This system call's own header goes with neither <pthread.h>
 * nor <sched.h>. */
#include "api/loop/priority.h"

#include <linux/sched.h>
#include <linux/sched/types.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LONGEST_SLICE_NS = 100000000 };

void priority_give_way(int nice)
{
    struct sched_attr less = {.size = sizeof(less),
                              .sched_policy = SCHED_NORMAL,
                              .sched_nice = nice,
                              .sched_runtime = LONGEST_SLICE_NS};

    syscall(SYS_sched_setattr, 0, &less, 0);
}
