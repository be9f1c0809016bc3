/* shards.c - on which shard of the database a game or player lives. */
#include "shards.h"

#include <stdlib.h>

/* Returns how many there are. */
static size_t read_numbers(const char *array, int32_t numbers[SHARDS_MAX])
{
    size_t count = 0;
    char *end;

    for (const char *at = array; at != NULL && *at != '}' && count < SHARDS_MAX; at = end)
        numbers[count++] = (int32_t)strtol(at + 1, &end, 10);
    return count;
}

void shards_read(struct shards *shards, const char *bounds, const char *workers)
{
    int32_t worker[SHARDS_MAX];
    size_t known = read_numbers(workers, worker);

    shards->count = read_numbers(bounds, shards->first);
    for (size_t i = 0; i < shards->count; i++) {
        int32_t number = i < known && worker[i] > 0 ? worker[i] : 1;
        shards->worker[i] = (uint8_t)(number < SHARDS_WORKERS ? number : SHARDS_WORKERS);
    }
}

uint32_t shards_of(const struct shards *shards, const db_id *id)
{
    if (shards->count == 0)
        return 0;
    int32_t hash = shards_hash(id);
    size_t low = 0, high = shards->count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (shards->first[middle] <= hash)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

unsigned shards_worker(const struct shards *shards, const db_id *id)
{
    return shards->count > 0 ? shards->worker[shards_of(shards, id)] : 0;
}

/* ---- Bob Jenkins's hash lookup3, for 16 bytes, as PostgreSQL seeds it on little-endian machines
 * ---- */

static uint32_t turn(uint32_t word, int by)
{
    return word << by | word >> (32 - by);
}

static uint32_t word_at(const db_id *id, size_t i)
{
    return (uint32_t)id->byte[i] | (uint32_t)id->byte[i + 1] << 8 |
           (uint32_t)id->byte[i + 2] << 16 | (uint32_t)id->byte[i + 3] << 24;
}

/* The three words take turns in the three roles, here and below. */
static void mix(uint32_t w[3])
{
    static const int turns[] = {4, 6, 8, 16, 19, 4};

    for (size_t i = 0; i < 6; i++) {
        uint32_t *a = &w[i % 3], *b = &w[(i + 1) % 3], *c = &w[(i + 2) % 3];
        *a = (*a - *c) ^ turn(*c, turns[i]);
        *c += *b;
    }
}

static void finish_hash(uint32_t w[3])
{
    static const int turns[] = {14, 11, 25, 16, 4, 14, 24};

    for (size_t i = 0; i < 7; i++) {
        uint32_t *c = &w[(i + 2) % 3];
        const uint32_t *b = &w[(i + 1) % 3];
        *c = (*c ^ *b) - turn(*b, turns[i]);
    }
}

int32_t shards_hash(const db_id *id)
{
    const uint32_t seed = 0x9e3779b9U + (uint32_t)sizeof(id->byte) + 3923095U;
    uint32_t w[3] = {seed + word_at(id, 0), seed + word_at(id, 4), seed + word_at(id, 8)};

    mix(w);
    w[0] += word_at(id, 12);
    finish_hash(w);
    return (int32_t)w[2];
}
