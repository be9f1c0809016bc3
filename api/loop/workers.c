#include "api/loop/workers.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/part.h"
#include "api/loop/priority.h"
#include "api/loop/spare_stack.h"
#include "api/text/must.h"

/* A client that has works in a line, and what they have cost so far. */
struct share {
    uint64_t client;
    size_t waiting, running;
    int64_t us;
    struct work **next; /* the one of its works whose turn it is; for take_next() */
};

enum {
    THREADS_MAX = 65,
    SHARES = WORKERS_WAIT_MAX + THREADS_MAX,
    NICE = 10 /* what ordinary work in the background has: with less one would starve beside that */
};

/* Works that wait, in the order in which they came, and whose they are. */
struct line {
    struct work *first, **last;
    size_t waiting;
    struct share share[SHARES];
    size_t shares;

    /* What a client has had that was always there. One that comes anew starts with that, so that
     * nobody saves up turns while they are away, or has more turns by going away. */
    int64_t usual_us;
};

struct thread {
    struct workers *workers;
    pthread_t id;
};

struct workers {
    size_t under_way;     /* the loop's: works that were submitted, and are not done() */
    pthread_mutex_t lock; /* of everything below but the threads */
    pthread_cond_t more;
    struct line in_short, in_long;
    struct work *finished, **finished_last;
    bool closing;
    int fd; /* eventfd: readable while works are finished */

    /* The thread that is kept for short works. */
    bool keeps, keeper_is_busy;
    pthread_cond_t more_short;
    struct thread keeper;

    size_t threads; /* the others */
    struct thread thread[THREADS_MAX - 1];
};

/* ---- shares ---- */

static struct share *find_share(struct line *line, uint64_t client)
{
    for (size_t i = 0; i < line->shares; i++)
        if (line->share[i].client == client)
            return &line->share[i];
    return NULL;
}

/* There is always room: each share has a work that waits or a thread that runs one. */
static struct share *add_share(struct line *line, uint64_t client)
{
    struct share *share = &line->share[line->shares++];

    *share = (struct share){.client = client, .us = line->usual_us};
    return share;
}

static void charge_share(struct line *line, struct share *share, int64_t us)
{
    share->us += us;
    line->usual_us += us / (int64_t)line->shares;
}

static void drop_if_idle(struct line *line, struct share *share)
{
    if (share->waiting == 0 && share->running == 0)
        *share = line->share[--line->shares];
}

/* ---- a line ---- */

static struct line *line_of(struct workers *workers, bool is_short)
{
    return workers->keeps && is_short ? &workers->in_short : &workers->in_long;
}

static void append_work(struct line *line, struct work *work)
{
    work->next = NULL;
    *line->last = work;
    line->last = &work->next;
    line->waiting++;
}

static struct work *take_at(struct line *line, struct work **at)
{
    struct work *work = *at;

    *at = work->next;
    if (*at == NULL)
        line->last = at;
    assert(line->waiting > 0);
    line->waiting--;
    return work;
}

/* Whether a work goes before another one of the same client, which came before it. */
static bool goes_before(const struct work *a, const struct work *b)
{
    return a->doubted != b->doubted ? b->doubted : a->turn_us < b->turn_us;
}

/* Whether the next work of client `a` goes before that of client `b`, which came before it. */
static bool comes_before(const struct share *a, const struct share *b)
{
    const struct work *of_a = *a->next, *of_b = *b->next;

    if (of_a->doubted != of_b->doubted)
        return of_b->doubted;
    if (a->running != b->running)
        return a->running < b->running;
    return a->us + of_a->size_us < b->us + of_b->size_us;
}

static void find_next_of_each(struct line *line)
{
    for (size_t i = 0; i < line->shares; i++)
        line->share[i].next = NULL;
    for (struct work **at = &line->first; *at != NULL; at = &(*at)->next) {
        struct share *share = find_share(line, (*at)->client);

        if (share->next == NULL || goes_before(*at, *share->next))
            share->next = at;
    }
}

/* The work whose turn it is. The line is not empty. */
static struct work *take_next(struct line *line)
{
    const struct share *best = NULL;

    find_next_of_each(line);
    for (struct work **at = &line->first; *at != NULL; at = &(*at)->next) {
        const struct share *share = find_share(line, (*at)->client);

        if (share->next == at && (best == NULL || comes_before(share, best)))
            best = share;
    }
    return take_at(line, best->next);
}

/* ---- a thread ---- */

int64_t workers_cpu_us(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static void run_given_work(struct work *work)
{
    int64_t began = workers_cpu_us();

    work->run(work->context);
    work->us = workers_cpu_us() - began;
    work->ran = true;
}

/* Puts a work where the loop finds it. True: the loop does not know yet that there is one. */
static bool finish_work(struct workers *workers, struct work *work)
{
    work->next = NULL;
    *workers->finished_last = work;
    workers->finished_last = &work->next;
    return workers->finished == work;
}

static void tell_loop(const struct workers *workers)
{
    uint64_t one = 1;

    if (write(workers->fd, &one, sizeof(one)) < 0)
        abort(); /* a counter of 64 bits is not full */
}

/* Takes a work of a line and does it, or puts it back once if it may be in vain. The lock is held
 * before and after, but not while the work is looked at and done. */
static void take_turn(struct workers *workers, struct line *line)
{
    struct work *work = take_next(line);
    struct share *share = find_share(line, work->client);
    bool others = line->waiting > 0, back, first;
    enum work_use use;

    assert(share->waiting > 0);
    share->waiting--;
    share->running++;
    pthread_mutex_unlock(&workers->lock);
    use = work->use(work->context);
    back = use == WORK_DOUBTED && others && !work->doubted;
    if (use != WORK_VAIN && !back)
        run_given_work(work);
    pthread_mutex_lock(&workers->lock);
    share = find_share(line, work->client); /* it may have moved meanwhile */
    assert(share->running > 0);
    share->running--;
    charge_share(line, share, work->us);
    if (back && !workers->closing) { /* nobody would take it out of the line again */
        work->doubted = true;
        share->waiting++;
        append_work(line, work);
    } else {
        drop_if_idle(line, share);
        first = finish_work(workers, work);
        pthread_mutex_unlock(&workers->lock); /* the loop wakes at once, and wants it */
        if (first)
            tell_loop(workers);
        pthread_mutex_lock(&workers->lock);
    }
}

/* The line from which one of the threads for all works takes the next. NULL: there is nothing for
 * it to do. */
static struct line *line_for_all(struct workers *workers)
{
    if (workers->in_long.first != NULL)
        return &workers->in_long;
    return workers->in_short.first != NULL && workers->keeper_is_busy ? &workers->in_short : NULL;
}

/* The same for the keeper. While it is busy, the others may help. */
static struct line *line_for_keeper(struct workers *workers)
{
    workers->keeper_is_busy = workers->in_short.first != NULL;
    if (workers->in_short.waiting > 1)
        pthread_cond_broadcast(&workers->more);
    return workers->keeper_is_busy ? &workers->in_short : NULL;
}

static void *work_on(void *cls)
{
    const struct thread *thread = cls;
    struct workers *workers = thread->workers;
    bool keeps = thread == &workers->keeper;

    spare_stack_take();
    priority_give_way(NICE);
    pthread_mutex_lock(&workers->lock);
    while (!workers->closing) {
        struct line *line = keeps ? line_for_keeper(workers) : line_for_all(workers);

        if (line != NULL)
            take_turn(workers, line);
        else
            pthread_cond_wait(keeps ? &workers->more_short : &workers->more, &workers->lock);
    }
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

/* ---- the loop's side ---- */

static bool begin_worker(struct workers *workers, struct thread *thread)
{
    *thread = (struct thread){.workers = workers};
    return pthread_create(&thread->id, NULL, work_on, thread) == 0;
}

struct workers *workers_open(size_t threads)
{
    struct workers *workers = must_zero(sizeof(*workers));

    pthread_mutex_init(&workers->lock, NULL);
    pthread_cond_init(&workers->more, NULL);
    pthread_cond_init(&workers->more_short, NULL);
    workers->in_short.last = &workers->in_short.first;
    workers->in_long.last = &workers->in_long.first;
    workers->finished_last = &workers->finished;
    workers->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    while (workers->fd >= 0 && workers->threads < threads && workers->threads < THREADS_MAX - 1 &&
           begin_worker(workers, &workers->thread[workers->threads]))
        workers->threads++;
    if (workers->threads > 0)
        return workers;
    workers_close(workers);
    return NULL;
}

bool workers_keep(struct workers *workers)
{
    pthread_mutex_lock(&workers->lock);
    workers->keeps = begin_worker(workers, &workers->keeper);
    pthread_mutex_unlock(&workers->lock);
    return workers->keeps;
}

static void finish_all(struct workers *workers, struct line *line)
{
    while (line->first != NULL)
        finish_work(workers, take_at(line, &line->first));
}

void workers_close(struct workers *workers)
{
    if (workers == NULL)
        return;
    pthread_mutex_lock(&workers->lock);
    workers->closing = true;
    finish_all(workers, &workers->in_short);
    finish_all(workers, &workers->in_long);
    pthread_cond_broadcast(&workers->more);
    pthread_cond_broadcast(&workers->more_short);
    pthread_mutex_unlock(&workers->lock);
    for (size_t i = 0; i < workers->threads; i++)
        pthread_join(workers->thread[i].id, NULL);
    if (workers->keeps)
        pthread_join(workers->keeper.id, NULL);
    if (workers->fd >= 0) {
        tell_loop(workers);
        workers_run(workers);
        close(workers->fd);
    }
    pthread_cond_destroy(&workers->more);
    pthread_cond_destroy(&workers->more_short);
    pthread_mutex_destroy(&workers->lock);
    free(workers);
}

/* `share`: that of the client, or NULL. The lock is held. */
static bool has_work_room(const struct workers *workers, const struct line *line,
                          const struct share *share)
{
    size_t mine = share == NULL ? 0 : share->waiting;

    return mine < WORKERS_WAIT_MAX / 4 && mine < WORKERS_WAIT_MAX - line->waiting &&
           !workers->closing;
}

bool workers_have_room(struct workers *workers, uint64_t client, bool is_short)
{
    struct line *line = line_of(workers, is_short);
    bool room;

    pthread_mutex_lock(&workers->lock);
    room = has_work_room(workers, line, find_share(line, client));
    pthread_mutex_unlock(&workers->lock);
    return room;
}

/* Puts a work into a line. False: there is no room. The lock is held. */
static bool line_up(struct workers *workers, struct line *line, struct work *work)
{
    struct share *share = find_share(line, work->client);

    if (!has_work_room(workers, line, share))
        return false;
    if (share == NULL)
        share = add_share(line, work->client);
    share->waiting++;
    work->turn_us = share->us + work->size_us;
    append_work(line, work);
    return true;
}

bool workers_submit(struct workers *workers, struct work *work)
{
    struct line *line = line_of(workers, work->is_short);
    bool for_keeper, room;

    work->ran = work->doubted = false;
    work->us = 0;
    pthread_mutex_lock(&workers->lock);
    room = line_up(workers, line, work);
    for_keeper = line == &workers->in_short && !workers->keeper_is_busy;
    pthread_mutex_unlock(&workers->lock);
    if (room) {
        workers->under_way++;
        pthread_cond_signal(for_keeper ? &workers->more_short : &workers->more);
    }
    return room;
}

int workers_fd(const struct workers *workers)
{
    return workers->fd;
}

/* The list is taken first: done() may submit the next work. */
void workers_run(struct workers *workers)
{
    struct work *work, *next;
    uint64_t count;

    if (workers->under_way == 0 || read(workers->fd, &count, sizeof(count)) < 0)
        return; /* nothing was finished since the last time */
    pthread_mutex_lock(&workers->lock);
    work = workers->finished;
    workers->finished = NULL;
    workers->finished_last = &workers->finished;
    pthread_mutex_unlock(&workers->lock);
    for (; work != NULL; work = next) {
        next = work->next;
        assert(workers->under_way > 0);
        workers->under_way--;
        work->done(work->context, work->ran, work->us);
    }
}

size_t workers_waiting(struct workers *workers)
{
    size_t waiting;

    pthread_mutex_lock(&workers->lock);
    waiting = workers->in_short.waiting + workers->in_long.waiting;
    pthread_mutex_unlock(&workers->lock);
    return waiting;
}

/* ---- a part of a loop ---- */

static void open_workers(struct loop *loop)
{
    loop->own[PART_workers] = workers_open(config_workers(loop->config));
}

static int fd_of_workers(const struct loop *loop)
{
    return workers_fd(workers_of(loop));
}

static void wake_workers(struct loop *loop)
{
    workers_run(workers_of(loop));
}

static void stop_workers(struct loop *loop)
{
    workers_close(workers_of(loop));
}

const struct part workers_part = {
    .open = open_workers, .fd = fd_of_workers, .wake = wake_workers, .stop = stop_workers};
