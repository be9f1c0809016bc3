/*
 * faults MICROSECONDS COMMAND... - runs a command whose page faults take at least so long, as on
 * machines where memory is dear; its forks become dear with them. tests/slow.sh uses it.
 *
 * The kernel itself spends the time: each fault is a sample of so many counters as are needed, in
 * this process and in all that descend from it. Nobody reads the samples. The counters end with
 * this process.
 */
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COUNTERS_MAX = 200, CPUS_MAX = 64, PAGE = 4096, PAGES = 100, TRIES = 50, SAMPLE_PAGES = 8 };

/* Samples of all counters of a processor go to the memory of its first. */
static int firsts[CPUS_MAX];

static double now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* What a fault takes here when nothing else disturbs. */
static double fault_us(void)
{
    double best = 1e9;

    for (int try = 0; try < TRIES; try++) {
        volatile char *memory =
            mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        double begin = now_us(), took;

        if (memory == MAP_FAILED)
            return best;
        for (int i = 0; i < PAGES; i++)
            memory[i * PAGE] = 1;
        took = (now_us() - begin) / PAGES;
        best = took < best ? took : best;
        munmap((void *)memory, PAGES * PAGE);
    }
    return best;
}

static int counter_open(int cpu)
{
    struct perf_event_attr counter = {
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof counter,
        .config = PERF_COUNT_SW_PAGE_FAULTS,
        .sample_period = 1,
        .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN,
        .inherit = 1,
        .write_backward = 1,
        .exclude_kernel = geteuid() != 0,
    };

    return (int)syscall(SYS_perf_event_open, &counter, 0, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* One more counter on each processor. */
static int add_counters(long cpus)
{
    for (int cpu = 0; cpu < cpus; cpu++) {
        int counter = counter_open(cpu);

        if (counter < 0)
            return -1;
        if (firsts[cpu] != 0) {
            if (ioctl(counter, PERF_EVENT_IOC_SET_OUTPUT, firsts[cpu]) != 0)
                return -1;
            continue;
        }
        firsts[cpu] = counter;
        if (mmap(NULL, (SAMPLE_PAGES + 1) * PAGE, PROT_READ, MAP_SHARED, counter, 0) == MAP_FAILED)
            return -1;
    }
    return 0;
}

static void make_dear(double wanted_us)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    double before = fault_us(), after = before;
    int counters = 0;

    while (after < wanted_us && counters < COUNTERS_MAX && cpus <= CPUS_MAX) {
        if (add_counters(cpus) != 0) {
            perror("plyd: page faults cannot be made dearer here");
            break;
        }
        counters++;
        after = fault_us();
    }
    fprintf(stderr, "plyd: a page fault takes %.1f us instead of %.1f\n", after, before);
}

int main(int argc, char **argv)
{
    pid_t child;
    int status;

    if (argc < 3)
        return 2;
    make_dear(atof(argv[1]));
    child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    /* Whoever ends the group of processes waits for the command. */
    signal(SIGTERM, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
