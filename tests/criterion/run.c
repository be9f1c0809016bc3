/* run.c - the program of a suite: runs its tests, so many at a time, each in a fork (runner.h). */
#include <criterion/parameterized.h>
#include <fnmatch.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "outcome.h"
#include "runner.h"
#include "tests/support/now.h"

enum { JOBS_MAX = 64, LAST_WORDS_S = 30, NAME_BYTES = 256 };

/* The linker makes these lists of what Criterion's macros put into the sections. */
extern struct criterion_test *const __start_cr_tst[], *const __stop_cr_tst[];
extern struct criterion_suite *const __start_cr_sts[] __attribute__((weak)), *const __stop_cr_sts[]
    __attribute__((weak));

static struct {
    const char *filter, *tap;
    size_t jobs;
    double timeout;
    int fail_fast, list, verbose;
} options = {.filter = "*", .jobs = 1};

double tests_patience = 1;

__attribute__((weak)) void tests_begin(void)
{
}

__attribute__((weak)) void tests_end(void)
{
}

/* ---- which tests ---- */

/* A test, with one value if it has a parameter. */
struct run {
    const struct criterion_test *test;
    void *param;
};

static struct run *runs;
static size_t nruns;

static bool is_chosen(const struct criterion_test *test)
{
    char name[NAME_BYTES];

    snprintf(name, sizeof(name), "%s/%s", test->category, test->name);
    return fnmatch(options.filter, name, FNM_EXTMATCH) == 0;
}

static void add_run(const struct criterion_test *test, void *param)
{
    runs = reallocarray(runs, nruns + 1, sizeof(*runs));
    if (runs == NULL)
        abort();
    runs[nruns++] = (struct run){test, param};
}

static void add_runs(const struct criterion_test *test)
{
    struct criterion_test_params params;

    if (test->data->param_ == NULL) {
        add_run(test, NULL);
        return;
    }
    params = test->data->param_();
    for (size_t i = 0; i < params.length; i++)
        add_run(test, (char *)params.params + i * params.size);
}

/* Backwards, since those that take longest are called `year`, `webhooks` and `walk`. */
static int compare(const void *a, const void *b)
{
    const struct criterion_test *x = *(const struct criterion_test *const *)a,
                                *y = *(const struct criterion_test *const *)b;
    int suites = strcmp(y->category, x->category);

    return suites != 0 ? suites : strcmp(x->name, y->name);
}

static void choose(void)
{
    size_t count = (size_t)(__stop_cr_tst - __start_cr_tst);
    const struct criterion_test **tests = calloc(count, sizeof(const struct criterion_test *));

    if (tests == NULL)
        abort();
    memcpy(tests, __start_cr_tst, count * sizeof(*tests));
    qsort(tests, count, sizeof(*tests), compare);
    for (size_t i = 0; i < count; i++)
        if (is_chosen(tests[i]))
            add_runs(tests[i]);
    free(tests);
}

static void list(void)
{
    const char *suite = "";

    for (size_t i = 0; i < nruns; i++) {
        const struct criterion_test *test = runs[i].test;

        if (strcmp(test->category, suite) != 0)
            printf("%s:\n", test->category);
        suite = test->category;
        printf("    %s\n", test->name);
    }
}

static const struct criterion_test_extra_data *suite_of(const struct criterion_test *test)
{
    static const struct criterion_test_extra_data none;
    struct criterion_suite *const *suite = __start_cr_sts;

    for (; suite < __stop_cr_sts; suite++)
        if (strcmp((*suite)->name, test->category) == 0)
            return (*suite)->data;
    return &none;
}

static double timeout_of(const struct criterion_test *test)
{
    double own = test->data->timeout, suite = suite_of(test)->timeout;

    return (own > 0 ? own : suite > 0 ? suite : options.timeout) * tests_patience;
}

/* ---- what is told ---- */

static FILE *tap;
static size_t passed, failed, crashed, skipped;

static void tell_failed(const char *name, const char *how, double seconds, const char *why)
{
    fprintf(stderr, "%s[FAIL] %s: (%.2fs)\n", why, name, seconds);
    fprintf(tap, "not ok - %s%s (%.2fs)\n", name, how, seconds);
    if (*why != '\0')
        fprintf(tap, "  ---\n  failures:\n%s  ...\n", why);
    failed++;
}

static void tell_crashed(const struct run *run, const char *name, const struct outcome *outcome,
                         int signal)
{
    const struct criterion_test_extra_data *where = run->test->data;

    fprintf(stderr, "%s[CRASH] %s: %s\n", outcome->text, name, strsignal(signal));
    fprintf(tap, "not ok - %s unexpected signal after %s:%u\n", name, where->file_, where->line_);
    failed++;
    crashed++;
}

static void tell_ended(const struct run *run, const char *name, double seconds,
                       const struct outcome *outcome, int status)
{
    const struct criterion_test_extra_data *where = run->test->data;
    char why[NAME_BYTES];

    snprintf(why, sizeof(why), "  - %s:%u: |+\n      The process of the test ended with %d.\n",
             where->file_, where->line_, WEXITSTATUS(status));
    tell_failed(name, " ", seconds, outcome->failed ? outcome->text : why);
}

static void tell(const struct run *run, const struct outcome *outcome, double seconds, bool hung,
                 int status)
{
    char name[NAME_BYTES];
    int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

    snprintf(name, sizeof(name), "%s::%s", run->test->category, run->test->name);
    if (hung) {
        tell_failed(name, " timed out", seconds, outcome->text);
    } else if (signal != 0 && signal != run->test->data->signal) {
        tell_crashed(run, name, outcome, signal);
    } else if (outcome->failed || (signal == 0 && (status != 0 || !outcome->complete)) ||
               signal != run->test->data->signal) {
        tell_ended(run, name, seconds, outcome, status);
    } else if (outcome->skipped) {
        fprintf(stderr, "[SKIP] %s: %s\n", name, outcome->text);
        fprintf(tap, "ok - %s  # SKIP %s\n", name, outcome->text);
        skipped++;
    } else {
        if (options.verbose)
            fprintf(stderr, "[PASS] %s: (%.2fs)\n", name, seconds);
        fprintf(tap, "ok - %s  (%.2fs)\n", name, seconds);
        passed++;
    }
}

/* ---- running ---- */

static struct slot {
    pid_t pid; /* 0: it is free */
    const struct run *run;
    double begun, deadline; /* 0: there is none */
    int hung;               /* the signal that was sent, or 0 */
    struct outcome *outcome;
} slots[JOBS_MAX];

/* The end of a child wakes the parent, and is no business of the child's. */
static sigset_t children, before;

static _Noreturn void be_child(const struct run *run, struct outcome *outcome, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    setsid(); /* among sessions the kernel divides the processors */
    sigprocmask(SIG_SETMASK, &before, NULL);
    outcome_of(run->test, suite_of(run->test), run->param, outcome);
    exit(0);
}

static void begin(struct slot *slot, const struct run *run)
{
    double timeout = timeout_of(run->test);
    pid_t parent = getpid();

    memset(slot->outcome, 0, sizeof(*slot->outcome));
    if (options.verbose)
        fprintf(stderr, "[RUN ] %s::%s\n", run->test->category, run->test->name);
    fflush(NULL); /* else the child prints what waits here once more */
    slot->run = run;
    slot->hung = 0;
    slot->begun = seconds_now();
    slot->deadline = timeout > 0 ? slot->begun + timeout : 0;
    slot->pid = fork();
    if (slot->pid < 0)
        perror("fork"), exit(1);
    if (slot->pid == 0)
        be_child(run, slot->outcome, parent);
}

/* Tells of what has ended. False: it still runs. */
static bool reap(struct slot *slot)
{
    int status;

    if (waitpid(slot->pid, &status, WNOHANG) != slot->pid)
        return false;
    slot->pid = 0;
    tell(slot->run, slot->outcome, seconds_now() - slot->begun, slot->hung != 0, status);
    return true;
}

static void end_if_late(struct slot *slot)
{
    if (slot->pid == 0 || slot->deadline == 0 || seconds_now() < slot->deadline)
        return;
    slot->hung = slot->hung == 0 ? SIGPROF : SIGKILL;
    slot->deadline = seconds_now() + LAST_WORDS_S;
    kill(slot->pid, slot->hung);
}

/* Waits until a test ends, or may be late. */
static void wait_for_one(void)
{
    struct timespec tick = {0, 200000000};
    bool ended = false;

    while (!ended) {
        for (size_t i = 0; i < options.jobs; i++)
            ended |= slots[i].pid != 0 && reap(&slots[i]);
        if (ended)
            return;
        sigtimedwait(&children, NULL, &tick);
        for (size_t i = 0; i < options.jobs; i++)
            end_if_late(&slots[i]);
    }
}

static struct slot *free_slot(void)
{
    for (;; wait_for_one())
        for (size_t i = 0; i < options.jobs; i++)
            if (slots[i].pid == 0)
                return &slots[i];
}

static bool is_busy(void)
{
    for (size_t i = 0; i < options.jobs; i++)
        if (slots[i].pid != 0)
            return true;
    return false;
}

static void run_all(void)
{
    struct outcome *outcomes = mmap(NULL, options.jobs * sizeof(*outcomes), PROT_READ | PROT_WRITE,
                                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (outcomes == MAP_FAILED)
        abort();
    for (size_t i = 0; i < options.jobs; i++)
        slots[i].outcome = &outcomes[i];
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    tests_begin();
    sigprocmask(SIG_BLOCK, &children, &before);
    for (size_t i = 0; i < nruns; i++) {
        struct slot *slot = free_slot();

        if (options.fail_fast && failed > 0)
            break;
        begin(slot, &runs[i]);
    }
    while (is_busy())
        wait_for_one();
    sigprocmask(SIG_SETMASK, &before, NULL);
    tests_end();
}

/* ---- the program ---- */

static void read_options(int argc, char *argv[])
{
    static const struct option known[] = {{"filter", required_argument, NULL, 'f'},
                                          {"jobs", required_argument, NULL, 'j'},
                                          {"timeout", required_argument, NULL, 't'},
                                          {"tap", required_argument, NULL, 'o'},
                                          {"fail-fast", no_argument, &options.fail_fast, 1},
                                          {"list", no_argument, &options.list, 1},
                                          {NULL, 0, NULL, 0}};
    const char *level = getenv("CRITERION_VERBOSITY_LEVEL");
    int option;

    options.jobs = (size_t)sysconf(_SC_NPROCESSORS_ONLN);
    options.verbose = level != NULL && atoi(level) > 0;
    options.tap = "/dev/null";
    while ((option = getopt_long(argc, argv, "j:", known, NULL)) != -1) {
        switch (option) {
        case 'f':
            options.filter = optarg;
            break;
        case 'j':
            options.jobs = strtoul(optarg, NULL, 10);
            break;
        case 't':
            options.timeout = strtod(optarg, NULL);
            break;
        case 'o':
            options.tap = optarg;
            break;
        case 0:
            break;
        default:
            exit(2);
        }
    }
    if (options.jobs < 1 || options.jobs > JOBS_MAX)
        options.jobs = JOBS_MAX;
}

int main(int argc, char *argv[])
{
    read_options(argc, argv);
    choose();
    if (options.list) {
        list();
        return 0;
    }
    tap = fopen(options.tap, "w");
    if (tap == NULL)
        perror(options.tap), exit(2);
    fprintf(tap, "TAP version 13\n1..%zu\n", nruns);
    run_all();
    fclose(tap);
    fprintf(stderr, "[====] Synthesis: Tested: %zu | Passing: %zu | Failing: %zu | Crashing: %zu\n",
            passed + failed, passed, failed, crashed);
    free(runs);
    return failed > 0;
}
