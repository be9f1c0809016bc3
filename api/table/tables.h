/*
 * tables.h - the games that a loop holds in memory, by their ids.
 */
#ifndef PLYD_API_TABLE_TABLES_H
#define PLYD_API_TABLE_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/table/table.h"

struct loop;

struct tables {
    struct loop *loop;
    int64_t patience;                     /* how long a job may take in all, microseconds */
    void (*on_news)(struct table *table); /* the table is at another version than before */

    /* Private to tables.c. */
    struct table **bucket;
    size_t nbuckets; /* a power of two */
    size_t count, limit;
    struct table *newest, *oldest;
};

/* At most `limit` games stay in memory, the most recently used ones. */
struct tables *tables_open(struct loop *loop, size_t limit, int64_t patience,
                           void (*on_news)(struct table *table));
void tables_close(struct tables *tables);

/* How many games are in memory. */
size_t tables_count(const struct tables *tables);

/* The table of a game, which becomes the most recently used one. It is made if it is not there, and
 * then its row has nothing but the id. */
struct table *tables_find(struct tables *tables, db_id id);

/* Drops a table that nobody is at. */
void tables_forget(struct table *table);

#endif
