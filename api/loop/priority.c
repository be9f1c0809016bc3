/* priority.c - threads that give way. Neither <pthread.h> nor <sched.h> goes with this system call's
 * own header. */
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
