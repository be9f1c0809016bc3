/*
 * shards.h - on which shard of the database a game or player lives.
 *
 * On Citus, what belongs to an id lies on the shard whose range has the id's hash. A statement
 * whose ids are all of one shard runs there alone; one with ids of several runs on each, and
 * commits in two phases. So a batch holds the ids of one shard (batch.h). Plain PostgreSQL is one
 * shard.
 *
 * Each shard is on a worker. One that stands still, and does not even refuse, keeps whoever asks it
 * waiting. So queue.c leaves connections to the others.
 *
 * This is about speed alone: with ranges that are outdated, every statement still does the same.
 */
#ifndef PLYD_DB_SHARDS_H
#define PLYD_DB_SHARDS_H

#include "db.h"

/* Further shards count as part of the last one. */
enum { SHARDS_MAX = 1024, SHARDS_WORKERS = 64 };

struct shards {
    size_t count;               /* 0: the database is not sharded */
    int32_t first[SHARDS_MAX];  /* the least hash of each, in ascending order */
    uint8_t worker[SHARDS_MAX]; /* that each is on: 1 to SHARDS_WORKERS, which further ones share */
};

/* Reads the least hashes and the workers, two arrays as the server writes them: "{-2147483648,0}",
 * "{1,2}". NULL: not sharded. */
void shards_read(struct shards *shards, const char *bounds, const char *workers);

/* The number of the shard, from 0 on. */
uint32_t shards_of(const struct shards *shards, const db_id *id);

/* The worker on which it is; 0: not sharded. */
unsigned shards_worker(const struct shards *shards, const db_id *id);

/* The hash of an id, as the server's uuid_hash() computes it. */
int32_t shards_hash(const db_id *id);

#endif
