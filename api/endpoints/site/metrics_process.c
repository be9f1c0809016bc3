/* metrics_process.c - figures of the process for /metrics. */
#include "api/endpoints/site/metrics_text.h"

#include <dirent.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "api/identity/keys.h"

/* Of /proc/self/stat, in ticks and pages. */
struct usage {
    unsigned long user, system, virtual_bytes;
    unsigned long long started; /* since the machine's start */
    long resident;
};

static const char descriptors[] = "/proc/self/fd";

/* The second field is a name in brackets that may hold anything, so the others are counted from its
 * end. The first of them is the third. */
static bool read_usage(struct usage *usage)
{
    FILE *file = fopen("/proc/self/stat", "re");
    char text[1024] = "";
    const char *end;
    size_t len;

    if (file == NULL)
        return false;
    len = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    text[len] = '\0';
    end = strrchr(text, ')');
    return end != NULL &&
           sscanf(end + 1,
                  " %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lu %lu %*s %*s %*s %*s %*s %*s"
                  " %llu %lu %ld",
                  &usage->user, &usage->system, &usage->started, &usage->virtual_bytes,
                  &usage->resident) == 5;
}

/* ---- the start ---- */

static double started_at;

/* Computed once: two looks at two clocks would give another time each time. */
static void find_start(void)
{
    struct timespec now, up;
    struct usage usage;

    if (!read_usage(&usage) || clock_gettime(CLOCK_BOOTTIME, &up) != 0)
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    started_at = (double)(now.tv_sec - up.tv_sec) + (double)(now.tv_nsec - up.tv_nsec) / 1e9 +
                 (double)usage.started / (double)sysconf(_SC_CLK_TCK);
}

/* ---- descriptors ---- */

static size_t count_entries(const char *path)
{
    DIR *folder = opendir(path);
    size_t count = 0;

    if (folder == NULL)
        return 0;
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count < 3 ? 0 : count - 3; /* ".", ".." and the descriptor of the folder itself */
}

/* Linux tells the number as the size of the folder from 6.2 on. To count thousands of them takes
 * milliseconds. */
static size_t open_descriptors(void)
{
    struct stat folder;

    if (stat(descriptors, &folder) == 0 && folder.st_size > 0)
        return (size_t)folder.st_size;
    return count_entries(descriptors);
}

/* ---- the text ---- */

static void show_process_metric(struct out *out, const char *name, const char *type,
                                const char *help, double value)
{
    out_format(out, "# HELP %s %s\n# TYPE %s %s\n%s %.15g\n", name, help, name, type, name, value);
}

static void show_usage(struct out *out, const struct usage *usage)
{
    double ticks = (double)sysconf(_SC_CLK_TCK), page = (double)sysconf(_SC_PAGESIZE);

    show_process_metric(out, "process_cpu_seconds_total", "counter",
                        "Total user and system CPU time spent in seconds.",
                        (double)(usage->user + usage->system) / ticks);
    show_process_metric(out, "process_resident_memory_bytes", "gauge",
                        "Resident memory size in bytes.", (double)usage->resident * page);
    show_process_metric(out, "process_virtual_memory_bytes", "gauge",
                        "Virtual memory size in bytes.", (double)usage->virtual_bytes);
}

static void show_keys(struct out *out)
{
    struct keys_report report;

    if (!keys_report(&report))
        return;
    show_process_metric(out, "plyd_jwt_keys", "gauge",
                        "Keys of the identity provider that are known.", (double)report.keys);
    show_process_metric(out, "plyd_jwt_keys_age_seconds", "gauge",
                        "Seconds since these keys were read the last time; -1: they never were.",
                        (double)report.age_s);
    show_process_metric(out, "plyd_jwt_key_reads_total", "counter", "Readings of these keys.",
                        (double)report.reads);
    show_process_metric(out, "plyd_jwt_key_failures_total", "counter", "Readings that have failed.",
                        (double)report.failures);
}

void metrics_process_write(struct out *out)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct rlimit most;
    struct usage usage;
    size_t open;

    pthread_once(&once, find_start);
    show_keys(out);
    open = open_descriptors();
    if (started_at > 0)
        show_process_metric(out, "process_start_time_seconds", "gauge",
                            "Start time of the process since unix epoch in seconds.", started_at);
    if (read_usage(&usage))
        show_usage(out, &usage);
    if (open > 0)
        show_process_metric(out, "process_open_fds", "gauge", "Number of open file descriptors.",
                            (double)open);
    if (getrlimit(RLIMIT_NOFILE, &most) == 0)
        show_process_metric(out, "process_max_fds", "gauge",
                            "Maximum number of open file descriptors.", (double)most.rlim_cur);
}
