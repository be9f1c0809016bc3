#include "api/loop/metrics.h"

#include <string.h>

/* The first counts all statuses that are not listed. */
static const unsigned statuses[] = {0,   200, 201, 202, 204, 304, 400, 401, 403, 404, 405, 406, 408,
                                    409, 412, 413, 414, 415, 417, 422, 429, 431, 500, 501, 503};

enum { STATUSES = sizeof(statuses) / sizeof(statuses[0]) };

_Static_assert((int)STATUSES <= (int)METRICS_STATUSES, "every status has its counter");

const unsigned *metrics_status(size_t i)
{
    return i < STATUSES ? &statuses[i] : NULL;
}

void metrics_set(_Atomic uint64_t *number, uint64_t value)
{
    atomic_store_explicit(number, value, memory_order_relaxed);
}

void metrics_add(_Atomic uint64_t *counter, uint64_t n)
{
    /* Only one thread writes, so a load and a store will do: an atomic addition would cost a locked
     * instruction each time. Readers see the old number or the new one, never half of each. */
    metrics_set(counter, atomic_load_explicit(counter, memory_order_relaxed) + n);
}

void metrics_sub(_Atomic uint64_t *counter, uint64_t n)
{
    metrics_set(counter, atomic_load_explicit(counter, memory_order_relaxed) - n);
}

/* The counter of a status. The search goes downwards, so what is not found ends at 0, the first. */
static size_t slot_of_status(unsigned status)
{
    size_t slot = STATUSES - 1;

    while (slot > 0 && statuses[slot] != status)
        slot--;
    return slot;
}

static size_t bucket_of(uint64_t us)
{
    size_t bucket = 0;

    while (bucket < METRICS_BUCKETS - 1 && us > (uint64_t)100 << bucket)
        bucket++;
    return bucket;
}

void metrics_time(_Atomic uint64_t *times, uint64_t us)
{
    metrics_add(&times[bucket_of(us)], 1);
    metrics_add(&times[METRICS_BUCKETS], us);
}

void metrics_request(struct metrics *metrics, size_t route, unsigned status, uint64_t us)
{
    metrics_add(&metrics->requests[route][slot_of_status(status)], 1);
    metrics_time(metrics->latency[route], us);
}

void metrics_publish(struct metrics *metrics, const struct db *db, size_t games, size_t connections,
                     size_t workers_waiting)
{
    struct db_stats stats;
    uint64_t numbers[METRICS_DB_NUMBERS];

    db_stats(db, &stats);
    /* struct db_stats is nothing but 64-bit numbers, so it is published as an array of them: what
     * db counts anew needs no line here. */
    memcpy(numbers, &stats, sizeof(numbers));
    for (size_t i = 0; i < METRICS_DB_NUMBERS; i++)
        metrics_set(&metrics->db[i], numbers[i]);
    metrics_set(&metrics->games, games);
    metrics_set(&metrics->connections, connections);
    metrics_set(&metrics->workers_waiting, workers_waiting);
}
