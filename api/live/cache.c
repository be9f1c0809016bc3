#include "api/live/cache.h"

#include <stdlib.h>
#include <string.h>

#include "api/loop/loop.h"
#include "api/text/must.h"

/* ---- finding and keeping tables ---- */

void tables_forget(struct table *table)
{
    struct tables *tables = table->tables;

    map_take(&tables->by_id, &table->link);
    TAILQ_REMOVE(&tables->used, table, use);
    table_free(table);
}

/* Drops the tables that were not used for longest. One that is busy, or at which there is a job,
 * has to stay: that and db's callback point to it. If all are in use, there are more than the limit
 * for a while, which the bound of connections holds back. */
static void make_room(struct tables *tables)
{
    struct table *table, *newer;

    for (table = TAILQ_FIRST(&tables->used); table != NULL && tables->by_id.count >= tables->limit;
         table = newer) {
        newer = TAILQ_NEXT(table, use);
        if (!table->busy && table->head == NULL)
            tables_forget(table);
    }
}

struct table *tables_find(struct tables *tables, db_id id)
{
    struct table *table = map_find(&tables->by_id, &id);

    if (table == NULL) {
        make_room(tables);
        table = must_zero(sizeof(*table));
        table->tables = tables;
        table->row.id = id;
        table->confirmed = INT64_MIN;
        map_put(&tables->by_id, &table->link, &table->row.id, table);
    } else {
        TAILQ_REMOVE(&tables->used, table, use);
    }
    TAILQ_INSERT_TAIL(&tables->used, table, use);
    return table;
}

void tables_outdate(struct tables *tables, db_id id, int32_t version)
{
    struct table *table = map_find(&tables->by_id, &id);

    if (table != NULL && table->row.version < version)
        table->loaded = false;
}

size_t tables_count(const struct tables *tables)
{
    return tables->by_id.count;
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
    TAILQ_INIT(&tables->used);
    map_open(&tables->by_id, sizeof(db_id), limit);
    return tables;
}

void tables_close(struct tables *tables)
{
    while (!TAILQ_EMPTY(&tables->used))
        tables_forget(TAILQ_FIRST(&tables->used));
    map_close(&tables->by_id);
    free(tables);
}
