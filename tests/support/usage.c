#include "usage.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What /proc says of a process. Times are in ticks; those of children are only of the ones that
 * ended. */
struct process {
    int parent;
    unsigned long user, kernel;
    long children_user, children_kernel, pages;
};

/* Reads it. False: there is no such process, or not any more. */
static bool look_up(const char *pid, struct process *process)
{
    char path[300], stat[1024];
    const char *after_name;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%s/stat", pid);
    file = fopen(path, "r");
    if (file == NULL)
        return false;
    after_name = fgets(stat, sizeof(stat), file) == NULL ? NULL : strrchr(stat, ')');
    fclose(file);
    return after_name != NULL &&
           sscanf(after_name,
                  ") %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld"
                  " %*d %*d %*d %*d %*u %*u %ld",
                  &process->parent, &process->user, &process->kernel, &process->children_user,
                  &process->children_kernel, &process->pages) == 6;
}

static struct process process_of(pid_t pid)
{
    struct process process;
    char name[16];

    snprintf(name, sizeof(name), "%d", (int)pid);
    if (!look_up(name, &process)) {
        fprintf(stderr, "usage: there is no process %s\n", name);
        exit(1);
    }
    return process;
}

double usage_cpu(pid_t pid)
{
    struct process process = process_of(pid);
    unsigned long ticks = process.user + process.kernel +
                          (unsigned long)(process.children_user + process.children_kernel);
    DIR *proc = opendir("/proc");

    if (proc == NULL)
        return 0;
    for (struct dirent *entry; (entry = readdir(proc)) != NULL;)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
            look_up(entry->d_name, &process) && process.parent == pid)
            ticks += process.user + process.kernel;
    closedir(proc);
    return (double)ticks / (double)sysconf(_SC_CLK_TCK);
}

double usage_memory(pid_t pid)
{
    return (double)process_of(pid).pages * (double)sysconf(_SC_PAGESIZE);
}

pid_t usage_parent(pid_t pid)
{
    return process_of(pid).parent;
}
