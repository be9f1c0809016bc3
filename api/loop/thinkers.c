#include "api/loop/thinkers.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/loop/part.h"
#include "api/text/must.h"
#include "engine/engine.h"

enum {
    THINKERS_MAX = 64,
    TABLE_BYTES = 16 << 20, /* of a workspace, for positions */
    LOOK_US = 50000,        /* between looks at whether searches are still wanted */
    KEPT_US = 60000000      /* for which a workspace is kept that nobody uses */
};

/* A workspace of the engine that is not in use, and when it was last. */
struct spare {
    struct engine *engine;
    int64_t since;
};

struct thinkers {
    struct workers *workers; /* NULL: there are no threads */
    const int64_t *now;
    struct metrics *counts;
    int64_t looked; /* when it was last seen whether searches are wanted */
    size_t pending; /* thoughts that were submitted and have not ended */

    pthread_mutex_t lock; /* of everything below */
    LIST_HEAD(, thought) running;
    size_t nrunning;
    bool closing;
    size_t nspare;
    struct spare spare[THINKERS_MAX + 1]; /* the one that was used last stands last */
};

/* ---- on a thinker's thread ---- */

/* Memory that is given back goes to the system at once, since it is mapped alone (server.c). */
static struct engine *new_engine(void)
{
    size_t bytes = (engine_bytes(TABLE_BYTES) + ENGINE_ALIGN - 1) / ENGINE_ALIGN * ENGINE_ALIGN;
    void *memory = aligned_alloc(ENGINE_ALIGN, bytes);

    return memory == NULL ? NULL : engine_open(memory, bytes);
}

/* The lock is held. NULL: there is none to spare. */
static struct engine *take_spare(struct thinkers *thinkers)
{
    return thinkers->nspare == 0 ? NULL : thinkers->spare[--thinkers->nspare].engine;
}

static void begin_thought(struct thought *thought)
{
    struct thinkers *thinkers = thought->thinkers;

    pthread_mutex_lock(&thinkers->lock);
    pthread_getcpuclockid(pthread_self(), &thought->clock);
    LIST_INSERT_HEAD(&thinkers->running, thought, beside);
    thinkers->nrunning++;
    thought->engine = take_spare(thinkers);
    if (thinkers->closing)
        atomic_store(&thought->cancel, true);
    pthread_mutex_unlock(&thinkers->lock);
    if (thought->engine == NULL)
        thought->engine = new_engine();
}

/* The loop puts the time in (give_back()), since its clock is not for this thread. */
static void end_thought(struct thought *thought)
{
    struct thinkers *thinkers = thought->thinkers;

    pthread_mutex_lock(&thinkers->lock);
    LIST_REMOVE(thought, beside);
    assert(thinkers->nrunning > 0);
    thinkers->nrunning--;
    if (thought->engine != NULL)
        thinkers->spare[thinkers->nspare++] = (struct spare){thought->engine, 0};
    pthread_mutex_unlock(&thinkers->lock);
}

static void run_thought(void *context)
{
    struct thought *thought = context;

    begin_thought(thought);
    if (thought->engine != NULL)
        thought->think(thought->context, thought);
    end_thought(thought);
}

static enum work_use use_of_thought(const void *context)
{
    const struct thought *thought = context;

    return thought->use(thought->context);
}

/* ---- on the loop's thread ---- */

static void publish(struct thinkers *thinkers)
{
    size_t running;

    pthread_mutex_lock(&thinkers->lock);
    running = thinkers->nrunning;
    pthread_mutex_unlock(&thinkers->lock);
    metrics_set(&thinkers->counts->thoughts_running, running);
    metrics_set(&thinkers->counts->thoughts_waiting,
                thinkers->pending > running ? thinkers->pending - running : 0);
}

static void thought_done(void *context, bool ran, int64_t us)
{
    struct thought *thought = context;
    struct metrics *counts = thought->thinkers->counts;

    assert(thought->thinkers->pending > 0);
    thought->thinkers->pending--;
    publish(thought->thinkers);
    metrics_add(&counts->thoughts, 1);
    metrics_add(&counts->thoughts_cancelled, !ran || atomic_load(&thought->cancel));
    metrics_add(&counts->thought_nodes, thought->nodes);
    metrics_add(&counts->thought_us, (uint64_t)us);
    thought->done(thought->context, ran && thought->engine != NULL, us);
}

struct thinkers *thinkers_open(size_t threads, const int64_t *now, struct metrics *counts)
{
    struct thinkers *thinkers = must_zero(sizeof(*thinkers));

    thinkers->now = now;
    thinkers->counts = counts;
    pthread_mutex_init(&thinkers->lock, NULL);
    if (threads == 0)
        return thinkers;
    thinkers->workers = workers_open(threads < THINKERS_MAX ? threads : THINKERS_MAX);
    if (thinkers->workers != NULL && workers_keep(thinkers->workers))
        return thinkers;
    thinkers_close(thinkers);
    return NULL;
}

static void cancel_all(struct thinkers *thinkers)
{
    struct thought *thought;

    pthread_mutex_lock(&thinkers->lock);
    thinkers->closing = true;
    LIST_FOREACH(thought, &thinkers->running, beside)
    atomic_store(&thought->cancel, true);
    pthread_mutex_unlock(&thinkers->lock);
}

void thinkers_close(struct thinkers *thinkers)
{
    if (thinkers == NULL)
        return;
    cancel_all(thinkers);
    workers_close(thinkers->workers);
    for (size_t i = 0; i < thinkers->nspare; i++)
        free(thinkers->spare[i].engine);
    pthread_mutex_destroy(&thinkers->lock);
    free(thinkers);
}

bool thinkers_any(const struct thinkers *thinkers)
{
    return thinkers->workers != NULL;
}

bool thinkers_anywhere(void)
{
    return loop_at(0) != NULL && loop_at(0)->config->thinkers > 0;
}

static bool is_short(uint64_t nodes)
{
    return nodes <= THINKERS_SHORT_NODES;
}

bool thinkers_have_room(struct thinkers *thinkers, uint64_t client, uint64_t nodes)
{
    return thinkers_any(thinkers) && workers_have_room(thinkers->workers, client, is_short(nodes));
}

bool thinkers_submit(struct thinkers *thinkers, struct thought *thought)
{
    thought->thinkers = thinkers;
    thought->engine = NULL;
    thought->nodes = 0;
    atomic_store(&thought->cancel, false);
    atomic_store(&thought->until, 0);
    thought->work = (struct work){.run = run_thought,
                                  .use = use_of_thought,
                                  .done = thought_done,
                                  .context = thought,
                                  .client = thought->client,
                                  .size_us = (int64_t)thought->nodes_max * THINKERS_NODE_US,
                                  .is_short = is_short(thought->nodes_max)};
    if (!thinkers_any(thinkers) || !workers_submit(thinkers->workers, &thought->work))
        return false;
    thinkers->pending++;
    return true;
}

int thinkers_fd(const struct thinkers *thinkers)
{
    return thinkers_any(thinkers) ? workers_fd(thinkers->workers) : -1;
}

/* Whether it has taken as much of a processor as it may. Its thread is there, since it runs. */
static bool has_spent_all(const struct thought *thought)
{
    int64_t until = atomic_load(&thought->until);
    struct timespec time;

    return until != 0 && clock_gettime(thought->clock, &time) == 0 &&
           (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000 >= until;
}

/* A client that has shut down its side may still wait for the answer: it gets what was found until
 * now, and a client that has gone holds up nobody. */
static void look_at(struct thought *thought)
{
    if (use_of_thought(thought) != WORK_WANTED || has_spent_all(thought))
        atomic_store(&thought->cancel, true);
    if (thought->look != NULL)
        thought->look(thought->context);
}

/* The first of the spare ones has been out of use for longest. */
static void give_back(struct thinkers *thinkers)
{
    struct spare *spare = thinkers->spare;

    for (size_t i = 0; i < thinkers->nspare; i++)
        if (spare[i].since == 0)
            spare[i].since = *thinkers->now;
    if (thinkers->nspare == 0 || *thinkers->now - spare[0].since < KEPT_US)
        return;
    free(spare[0].engine);
    for (size_t i = 1; i < thinkers->nspare; i++)
        spare[i - 1] = spare[i];
    assert(thinkers->nspare > 0);
    thinkers->nspare--;
}

void thinkers_run(struct thinkers *thinkers)
{
    struct thought *thought;

    if (!thinkers_any(thinkers))
        return;
    workers_run(thinkers->workers);
    if (*thinkers->now - thinkers->looked < LOOK_US)
        return;
    thinkers->looked = *thinkers->now;
    publish(thinkers);
    pthread_mutex_lock(&thinkers->lock);
    LIST_FOREACH(thought, &thinkers->running, beside)
    look_at(thought);
    give_back(thinkers);
    pthread_mutex_unlock(&thinkers->lock);
}

int thinkers_timeout_ms(struct thinkers *thinkers)
{
    size_t spare;

    pthread_mutex_lock(&thinkers->lock);
    spare = thinkers->nspare;
    pthread_mutex_unlock(&thinkers->lock);
    return thinkers->pending > 0 ? LOOK_US / 1000 : spare > 0 ? KEPT_US / 1000 : -1;
}

/* ---- a part of a loop ---- */

static void open_thinkers(struct loop *loop)
{
    loop->own[PART_thinkers] =
        thinkers_open((size_t)loop->config->thinkers, &loop->now, &loop->metrics);
}

static int fd_of_thinkers(const struct loop *loop)
{
    return thinkers_fd(thinkers_of(loop));
}

static void run_thinkers(struct loop *loop)
{
    thinkers_run(thinkers_of(loop));
}

static int timeout_of_thinkers(const struct loop *loop)
{
    return thinkers_timeout_ms(thinkers_of(loop));
}

static void stop_thinkers(struct loop *loop)
{
    thinkers_close(thinkers_of(loop));
}

const struct part thinkers_part = {.open = open_thinkers,
                                   .fd = fd_of_thinkers,
                                   .run = run_thinkers,
                                   .timeout_ms = timeout_of_thinkers,
                                   .stop = stop_thinkers};
