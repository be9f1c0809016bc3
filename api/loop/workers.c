#include "api/loop/workers.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "api/loop/priority.h"

/* A client that has works here, and what they have cost so far. A client that comes anew starts
 * with the least that any other has, so that nobody saves up turns while they are away. */
struct share {
    uint64_t client;
    size_t waiting, running;
    int64_t us;
};

enum { THREADS_MAX = 64, SHARES = WORKERS_WAIT_MAX + THREADS_MAX };

struct workers {
    size_t under_way;     /* the loop's: works that were submitted, and are not done() */
    pthread_mutex_t lock; /* of everything below but the threads */
    pthread_cond_t more;
    struct work *first, **last; /* those that wait, in the order in which they came */
    size_t waiting;
    struct share share[SHARES];
    size_t shares;
    struct work *finished, **finished_last;
    bool closing;
    int nice;
    int fd; /* eventfd: readable while works are finished */
    size_t threads;
    pthread_t thread[THREADS_MAX];
};

/* ---- shares ---- */

static struct share *find_share(struct workers *workers, uint64_t client)
{
    for (size_t i = 0; i < workers->shares; i++)
        if (workers->share[i].client == client)
            return &workers->share[i];
    return NULL;
}

/* There is always room: each share has a work that waits or a thread that runs one. */
static struct share *add_share(struct workers *workers, uint64_t client)
{
    struct share *share = &workers->share[workers->shares];

    *share = (struct share){.client = client};
    for (size_t i = 0; i < workers->shares; i++)
        if (i == 0 || workers->share[i].us < share->us)
            share->us = workers->share[i].us;
    workers->shares++;
    return share;
}

static void drop_if_idle(struct workers *workers, struct share *share)
{
    if (share->waiting == 0 && share->running == 0)
        *share = workers->share[--workers->shares];
}

/* Whether client `a` comes before client `b`, who was there first. */
static bool comes_before(const struct share *a, const struct share *b)
{
    return a->running != b->running ? a->running < b->running : a->us < b->us;
}

/* ---- the list of those that wait ---- */

static void append(struct workers *workers, struct work *work)
{
    work->next = NULL;
    *workers->last = work;
    workers->last = &work->next;
    workers->waiting++;
}

static struct work *take_at(struct workers *workers, struct work **at)
{
    struct work *work = *at;

    *at = work->next;
    if (*at == NULL)
        workers->last = at;
    workers->waiting--;
    return work;
}

/* The work whose turn it is. The list is not empty. */
static struct work *take_next(struct workers *workers)
{
    struct work **best = &workers->first;
    const struct share *of_best = find_share(workers, (*best)->client);

    for (struct work **at = &(*best)->next; *at != NULL; at = &(*at)->next) {
        const struct share *share = find_share(workers, (*at)->client);

        if ((*best)->doubted == (*at)->doubted ? comes_before(share, of_best) : (*best)->doubted) {
            best = at;
            of_best = share;
        }
    }
    return take_at(workers, best);
}

/* ---- a thread ---- */

static int64_t cpu_us(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static void run(struct work *work)
{
    int64_t began = cpu_us();

    work->run(work->context);
    work->us = cpu_us() - began;
    work->ran = true;
}

/* Puts a work where the loop finds it. True: the loop does not know yet that there is one. */
static bool finish(struct workers *workers, struct work *work)
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

/* Takes a work and does it, or puts it back once if it may be in vain. The lock is held before and
 * after, but not while the work is looked at and done. */
static void take_turn(struct workers *workers)
{
    struct work *work = take_next(workers);
    struct share *share = find_share(workers, work->client);
    bool others = workers->waiting > 0, back, first;
    enum work_use use;

    share->waiting--;
    share->running++;
    pthread_mutex_unlock(&workers->lock);
    use = work->use(work->context);
    back = use == WORK_DOUBTED && others && !work->doubted;
    if (use != WORK_VAIN && !back)
        run(work);
    pthread_mutex_lock(&workers->lock);
    share = find_share(workers, work->client); /* it may have moved meanwhile */
    share->running--;
    share->us += work->us;
    if (back && !workers->closing) { /* nobody would take it out of the list again */
        work->doubted = true;
        share->waiting++;
        append(workers, work);
    } else {
        drop_if_idle(workers, share);
        first = finish(workers, work);
        pthread_mutex_unlock(&workers->lock); /* the loop wakes at once, and wants it */
        if (first)
            tell_loop(workers);
        pthread_mutex_lock(&workers->lock);
    }
}

static void *work_on(void *cls)
{
    struct workers *workers = cls;

    priority_give_way(workers->nice);
    pthread_mutex_lock(&workers->lock);
    while (!workers->closing) {
        if (workers->first != NULL)
            take_turn(workers);
        else
            pthread_cond_wait(&workers->more, &workers->lock);
    }
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

/* ---- the loop's side ---- */

struct workers *workers_open(size_t threads, int nice)
{
    struct workers *workers = calloc(1, sizeof(*workers));

    if (workers == NULL)
        return NULL;
    pthread_mutex_init(&workers->lock, NULL);
    pthread_cond_init(&workers->more, NULL);
    workers->nice = nice;
    workers->last = &workers->first;
    workers->finished_last = &workers->finished;
    workers->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    while (workers->fd >= 0 && workers->threads < threads && workers->threads < THREADS_MAX &&
           pthread_create(&workers->thread[workers->threads], NULL, work_on, workers) == 0)
        workers->threads++;
    if (workers->threads > 0)
        return workers;
    workers_close(workers);
    return NULL;
}

void workers_close(struct workers *workers)
{
    if (workers == NULL)
        return;
    pthread_mutex_lock(&workers->lock);
    workers->closing = true;
    while (workers->first != NULL)
        finish(workers, take_at(workers, &workers->first));
    pthread_cond_broadcast(&workers->more);
    pthread_mutex_unlock(&workers->lock);
    for (size_t i = 0; i < workers->threads; i++)
        pthread_join(workers->thread[i], NULL);
    if (workers->fd >= 0) {
        tell_loop(workers);
        workers_run(workers);
        close(workers->fd);
    }
    pthread_cond_destroy(&workers->more);
    pthread_mutex_destroy(&workers->lock);
    free(workers);
}

/* `share`: that of the client, or NULL. The lock is held. */
static bool has_room(const struct workers *workers, const struct share *share)
{
    return workers->waiting < WORKERS_WAIT_MAX &&
           (share == NULL || share->waiting < WORKERS_WAIT_MAX / 4) && !workers->closing;
}

bool workers_have_room(struct workers *workers, uint64_t client)
{
    bool room;

    pthread_mutex_lock(&workers->lock);
    room = has_room(workers, find_share(workers, client));
    pthread_mutex_unlock(&workers->lock);
    return room;
}

bool workers_submit(struct workers *workers, struct work *work)
{
    struct share *share;
    bool room;

    work->ran = work->doubted = false;
    work->us = 0;
    pthread_mutex_lock(&workers->lock);
    share = find_share(workers, work->client);
    room = has_room(workers, share);
    if (room) {
        if (share == NULL)
            share = add_share(workers, work->client);
        share->waiting++;
        append(workers, work);
    }
    pthread_mutex_unlock(&workers->lock);
    if (room) {
        workers->under_way++;
        pthread_cond_signal(&workers->more);
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
        workers->under_way--;
        work->done(work->context, work->ran, work->us);
    }
}

size_t workers_waiting(struct workers *workers)
{
    size_t waiting;

    pthread_mutex_lock(&workers->lock);
    waiting = workers->waiting;
    pthread_mutex_unlock(&workers->lock);
    return waiting;
}
