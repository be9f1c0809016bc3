#include "api/table/tables.h"

#include <stdlib.h>
#include <string.h>

#include "api/loop/loop.h"
#include "api/text/must.h"

/* ---- finding and keeping tables ---- */

/* The place that points to the table of a game, or would. The second half of an id is
 * random, so it serves as a hash. */
static struct table **slot(struct tables *tables, db_id id)
{
    struct table **at;
    size_t hash;

    memcpy(&hash, id.byte + 8, sizeof(hash));
    at = &tables->bucket[hash & (tables->nbuckets - 1)];
    while (*at != NULL && memcmp((*at)->row.id.byte, id.byte, sizeof(id.byte)) != 0)
        at = &(*at)->chain;
    return at;
}

/* The tables are also linked in the order of their last use, so that the one that was not used for
 * longest is found at once when room is needed. */
static void unlink_use(struct tables *tables, struct table *table)
{
    *(table->newer != NULL ? &table->newer->older : &tables->newest) = table->older;
    *(table->older != NULL ? &table->older->newer : &tables->oldest) = table->newer;
    table->newer = table->older = NULL;
}

static void link_newest(struct tables *tables, struct table *table)
{
    table->older = tables->newest;
    *(tables->newest != NULL ? &tables->newest->newer : &tables->oldest) = table;
    tables->newest = table;
}

void tables_forget(struct table *table)
{
    struct tables *tables = table->tables;

    *slot(tables, table->row.id) = table->chain;
    unlink_use(tables, table);
    tables->count--;
    table_free(table);
}

/* Drops the tables that were not used for longest. One that is busy, or at which there is a job,
 * has to stay: that and db's callback point to it. If all are in use, there are more than the limit
 * for a while, which the bound of connections holds back. */
static void make_room(struct tables *tables)
{
    struct table *table = tables->oldest;

    while (tables->count >= tables->limit && table != NULL) {
        struct table *newer = table->newer;

        if (!table->busy && table->head == NULL)
            tables_forget(table);
        table = newer;
    }
}

struct table *tables_find(struct tables *tables, db_id id)
{
    struct table **at = slot(tables, id);
    struct table *table = *at;

    if (table == NULL) {
        make_room(tables);
        at = slot(tables, id); /* a table that was dropped may have pointed here */
        table = must_zero(sizeof(*table));
        table->tables = tables;
        table->row.id = id;
        table->confirmed = INT64_MIN;
        *at = table;
        tables->count++;
    } else {
        unlink_use(tables, table);
    }
    link_newest(tables, table);
    return table;
}

void tables_outdate(struct tables *tables, db_id id, int32_t version)
{
    struct table *table = *slot(tables, id);

    if (table != NULL && table->row.version < version)
        table->loaded = false;
}

size_t tables_count(const struct tables *tables)
{
    return tables->count;
}

struct tables *tables_open(struct loop *loop, size_t limit, int64_t patience,
                           tables_on_news *on_news, enum step (*settle)(struct job *job))
{
    struct tables *tables = calloc(1, sizeof(*tables));

    if (tables == NULL)
        return NULL;
    tables->loop = loop;
    tables->limit = limit;
    tables->patience = patience;
    tables->on_news = on_news;
    tables->settle = settle;
    for (tables->nbuckets = 64; tables->nbuckets < limit; tables->nbuckets *= 2)
        ;
    tables->bucket = must_zero(tables->nbuckets * sizeof(*tables->bucket));
    return tables;
}

void tables_close(struct tables *tables)
{
    while (tables->oldest != NULL)
        tables_forget(tables->oldest);
    free(tables->bucket);
    free(tables);
}
