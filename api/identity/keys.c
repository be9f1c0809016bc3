#include "api/identity/keys.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "api/identity/key_source.h"
#include "api/loop/log.h"
#include "api/loop/loop.h"
#include "api/text/must.h"

#define SECOND INT64_C(1000000)

/* A set and those who hold it; `keys` is one of them while it is the present one. */
struct keys_shared {
    struct key_set *set;
    atomic_uint holders;
};

static struct {
    bool started;
    pthread_t thread;
    const char *source;
    atomic_bool closing;
    _Atomic uint64_t version;

    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t news;
    struct keys_shared *shared; /* NULL: there were no keys yet */
    char *text;                 /* of which it was read */
    size_t len;
    bool wanted;    /* they are to be read now; */
    bool missed;    /* or soon, since a token names a key that is not among them */
    bool under_way; /* they are being read */
    bool failed;    /* the last time was in vain */
    int64_t began_at, next_at, read_at; /* the last reading, the next one, the end of the last good
                                         * one, on loop_clock_us(); 0: never, */
    int64_t as_of;                      /* and its beginning: the keys are those of that time */
    int64_t pause_s;
    uint64_t reads, failures;
    int listener[KEYS_LISTENERS_MAX];
    size_t listeners;
} keys;

/* ---- holding ---- */

static void let_keys_go(struct keys_shared *shared)
{
    if (shared == NULL || atomic_fetch_sub(&shared->holders, 1) != 1)
        return;
    key_set_free(shared->set);
    free(shared);
}

void keys_hold(struct keys_held *held)
{
    pthread_mutex_lock(&keys.lock);
    *held = (struct keys_held){.version = atomic_load(&keys.version), .shared = keys.shared};
    if (held->shared != NULL) {
        atomic_fetch_add(&held->shared->holders, 1);
        held->set = held->shared->set;
    }
    pthread_mutex_unlock(&keys.lock);
}

void keys_let_go(const struct keys_held *held)
{
    let_keys_go(held->shared);
}

uint64_t keys_version(void)
{
    return atomic_load(&keys.version);
}

bool keys_have(uint64_t print)
{
    bool have;

    pthread_mutex_lock(&keys.lock);
    have = keys.shared != NULL && key_set_has(keys.shared->set, print);
    pthread_mutex_unlock(&keys.lock);
    return have;
}

/* ---- reading ---- */

/* The present set gives way to another one. */
static void replace_keys(struct key_set *set, char *text, size_t len)
{
    struct keys_shared *fresh = must_zero(sizeof(*fresh)), *old = keys.shared;

    fresh->set = set;
    atomic_init(&fresh->holders, 1);
    keys.shared = fresh;
    free(keys.text);
    keys.text = text;
    keys.len = len;
    atomic_fetch_add(&keys.version, 1);
    let_keys_go(old);
}

static void tell_count(size_t count)
{
    char text[24];

    snprintf(text, sizeof(text), "%zu", count);
    log_event(count == 0 ? LOG_WARN : LOG_INFO, "jwt-keys", "source", keys.source, "keys", text,
              NULL);
}

/* Takes a text that was read, which may be NULL, and says why not. True: it is a set of keys. */
static bool take_read_keys(char *text, size_t len, const char *why)
{
    const char *fault = why;
    struct key_set *set;
    size_t count;
    bool is_same;

    pthread_mutex_lock(&keys.lock);
    is_same =
        text != NULL && keys.text != NULL && len == keys.len && memcmp(text, keys.text, len) == 0;
    pthread_mutex_unlock(&keys.lock);
    set = text == NULL || is_same ? NULL : key_set_read(text, len, &fault);
    if (set == NULL) {
        free(text);
        if (!is_same)
            log_event(LOG_WARN, "jwt-keys-not-read", "source", keys.source, "reason", fault, NULL);
        return is_same;
    }
    count = key_set_count(set);
    pthread_mutex_lock(&keys.lock);
    replace_keys(set, text, len);
    pthread_mutex_unlock(&keys.lock);
    tell_count(count); /* whoever reads it finds that the keys before are no longer honoured */
    return true;
}

static void tell_listeners(void)
{
    uint64_t one = 1;

    for (size_t i = 0; i < keys.listeners; i++)
        if (write(keys.listener[i], &one, sizeof(one)) < 0)
            abort(); /* a counter of 64 bits is not full */
}

static void begin_reading(void)
{
    keys.wanted = keys.missed = false;
    keys.under_way = true;
    keys.began_at = loop_clock_us();
}

/* Decides when the keys are read the next time. */
static void end_reading(bool good)
{
    int64_t now = loop_clock_us();

    keys.reads += good;
    keys.failures += !good;
    keys.failed = !good;
    if (good) {
        keys.read_at = now;
        keys.as_of = keys.began_at;
    }
    if (keys.shared != NULL)
        keys.next_at = now + (good ? KEYS_RENEW_S : KEYS_PAUSE_S) * SECOND;
    else
        keys.next_at = now + keys.pause_s * SECOND;
    keys.pause_s = 2 * keys.pause_s > KEYS_PAUSE_S ? KEYS_PAUSE_S : 2 * keys.pause_s;
    keys.under_way = false;
    tell_listeners();
}

/* Called without the lock. */
static bool read_once(void)
{
    char why[SOURCE_WHY] = "";
    size_t len = 0;
    char *text = key_source_read(keys.source, &keys.closing, &len, why);

    return take_read_keys(text, len, why);
}

/* When they are read the next time, as far as is known by now. */
static int64_t due_at(void)
{
    int64_t soon = keys.began_at + KEYS_MISS_S * SECOND;

    if (keys.wanted)
        return 0;
    return keys.missed && soon < keys.next_at ? soon : keys.next_at;
}

static void wait_until(int64_t when)
{
    struct timespec at = {when / SECOND, when % SECOND * 1000};

    pthread_cond_timedwait(&keys.news, &keys.lock, &at);
}

static void *run_key_thread(void *unused)
{
    pthread_mutex_lock(&keys.lock);
    while (!atomic_load(&keys.closing)) {
        bool good;

        if (loop_clock_us() < due_at()) {
            wait_until(due_at());
            continue;
        }
        begin_reading();
        pthread_mutex_unlock(&keys.lock);
        good = read_once();
        pthread_mutex_lock(&keys.lock);
        end_reading(good);
    }
    pthread_mutex_unlock(&keys.lock);
    return unused;
}

/* ---- starting and ending ---- */

static void init(const char *source)
{
    pthread_condattr_t attributes;

    memset(&keys, 0, sizeof(keys));
    keys.source = source;
    keys.pause_s = 1;
    pthread_mutex_init(&keys.lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC); /* that of loop_clock_us() */
    pthread_cond_init(&keys.news, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void forget(void)
{
    let_keys_go(keys.shared);
    keys.shared = NULL;
    free(keys.text);
    keys.text = NULL;
}

bool keys_start(const char *source, const char **why)
{
    *why = key_source_fault(source);
    if (*why != NULL)
        return false;
    init(source);
    if (!key_source_is_url(source)) {
        *why = "the file cannot be read, or has no key of use; the log says more";
        begin_reading();
        if (!read_once() || key_set_count(keys.shared->set) == 0) {
            forget();
            return false;
        }
        end_reading(true);
    }
    keys.started = pthread_create(&keys.thread, NULL, run_key_thread, NULL) == 0;
    *why = "its thread cannot start";
    return keys.started;
}

void keys_stop(void)
{
    if (!keys.started)
        return;
    pthread_mutex_lock(&keys.lock);
    atomic_store(&keys.closing, true);
    pthread_cond_signal(&keys.news);
    pthread_mutex_unlock(&keys.lock);
    pthread_join(keys.thread, NULL);
    forget();
    keys.started = false;
}

void keys_reload(void)
{
    if (!keys.started)
        return;
    pthread_mutex_lock(&keys.lock);
    keys.wanted = true;
    pthread_cond_signal(&keys.news);
    pthread_mutex_unlock(&keys.lock);
}

/* ---- missing a key ---- */

/* Another version than the held one means that the listeners are being told of it, or will be. */
static enum keys_miss judge_miss(const struct keys_held *held, int64_t came_at)
{
    if (atomic_load(&keys.version) != held->version)
        return KEYS_COMING;
    if (keys.as_of >= came_at)
        return KEYS_LATEST;
    return keys.failed ? KEYS_AWAY : KEYS_COMING;
}

enum keys_miss keys_miss(const struct keys_held *held, int64_t came_at)
{
    enum keys_miss miss;

    pthread_mutex_lock(&keys.lock);
    miss = judge_miss(held, came_at);
    if (!keys.missed) {
        keys.missed = true;
        pthread_cond_signal(&keys.news);
    }
    pthread_mutex_unlock(&keys.lock);
    return miss;
}

unsigned keys_next_s(void)
{
    int64_t left;

    pthread_mutex_lock(&keys.lock);
    left = keys.under_way ? 0 : due_at() - loop_clock_us();
    pthread_mutex_unlock(&keys.lock);
    return left < SECOND ? 1 : (unsigned)((left + SECOND - 1) / SECOND);
}

void keys_listen(int fd)
{
    pthread_mutex_lock(&keys.lock);
    if (keys.listeners < KEYS_LISTENERS_MAX)
        keys.listener[keys.listeners++] = fd;
    pthread_mutex_unlock(&keys.lock);
}

void keys_listen_no_more(int fd)
{
    pthread_mutex_lock(&keys.lock);
    for (size_t i = 0; i < keys.listeners; i++)
        if (keys.listener[i] == fd)
            keys.listener[i--] = keys.listener[--keys.listeners];
    pthread_mutex_unlock(&keys.lock);
}

bool keys_report(struct keys_report *report)
{
    if (!keys.started)
        return false;
    pthread_mutex_lock(&keys.lock);
    *report = (struct keys_report){
        .keys = keys.shared == NULL ? 0 : key_set_count(keys.shared->set),
        .reads = keys.reads,
        .failures = keys.failures,
        .age_s = keys.read_at == 0 ? -1 : (loop_clock_us() - keys.read_at) / SECOND};
    pthread_mutex_unlock(&keys.lock);
    return true;
}
