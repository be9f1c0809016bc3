#include "api/table/tables.h"

#include <stdlib.h>
#include <string.h>

#include "api/http/reply.h"
#include "api/loop/log.h"
#include "api/server.h"
#include "api/table/idempotency.h"
#include "api/table/table.h"
#include "api/table/waits.h"

struct tables {
    struct server *server;
    struct table **bucket;
    size_t nbuckets; /* a power of two */
    size_t count, limit;
    int64_t patience;
    struct table *newest, *oldest;
    bool closing;
};

static void run(struct table *table);

/* ---- finding and keeping tables ---- */

static struct table **slot(struct tables *tables, db_id id)
{
    struct table **at;
    size_t hash;

    memcpy(&hash, id.byte + 8, sizeof(hash)); /* ids are random */
    at = &tables->bucket[hash & (tables->nbuckets - 1)];
    while (*at != NULL && memcmp((*at)->row.id.byte, id.byte, sizeof(id.byte)) != 0)
        at = &(*at)->chain;
    return at;
}

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

static void forget(struct tables *tables, struct table *table)
{
    *slot(tables, table->row.id) = table->chain;
    unlink_use(tables, table);
    tables->count--;
    table_free(table);
}

/* A table that somebody is at cannot be forgotten; the next oldest goes instead. */
static void make_room(struct tables *tables)
{
    struct table *table = tables->oldest;

    while (tables->count >= tables->limit && table != NULL) {
        struct table *newer = table->newer;

        if (!table->busy && table->head == NULL && table->waiting == NULL)
            forget(tables, table);
        table = newer;
    }
}

static struct table *table_of(struct tables *tables, db_id id)
{
    struct table **at = slot(tables, id);
    struct table *table = *at;

    if (table == NULL) {
        make_room(tables);
        at = slot(tables, id); /* who went may have stood before it */
        table = calloc(1, sizeof(*table));
        if (table == NULL)
            abort();
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

size_t tables_count(const struct tables *tables)
{
    return tables->count;
}

struct tables *tables_open(struct server *server, size_t limit, int64_t patience)
{
    struct tables *tables = calloc(1, sizeof(*tables));

    if (tables == NULL)
        return NULL;
    tables->server = server;
    tables->limit = limit;
    tables->patience = patience;
    for (tables->nbuckets = 64; tables->nbuckets < limit; tables->nbuckets *= 2)
        ;
    tables->bucket = calloc(tables->nbuckets, sizeof(*tables->bucket));
    if (tables->bucket == NULL)
        abort();
    return tables;
}

void tables_close(struct tables *tables)
{
    while (tables->oldest != NULL)
        forget(tables, tables->oldest);
    free(tables->bucket);
    free(tables);
}

/* ---- loading and confirming ---- */

static void on_absent(void *context, const struct db_reply *reply)
{
    struct request *request = context;

    if (reply->outcome == DB_OK || reply->outcome == DB_NOT_FOUND)
        reply_problem(request, "no-such-game", NULL);
    else
        reply_outcome(request, reply);
}

/* A private game is to strangers as if it were not there; so for a game that is not there, too, an
 * answer is looked up where a key came along, lest the time tells the two apart. */
static void refuse_absent(struct job *job, const struct db_reply *reply)
{
    if (reply->outcome == DB_NOT_FOUND && job->idempotency != NULL)
        db_get_answer(server_db(job->request->server), job->table->row.id, job->idempotency->key,
                      on_absent, job->request);
    else
        reply_outcome(job->request, reply);
}

static void fail_all(struct table *table, const struct db_reply *reply)
{
    while (table->head != NULL) {
        struct job *job = table->head;

        table->head = job->next;
        refuse_absent(job, reply);
    }
}

/* Wakes who waits for news; their turn comes with the next run(). */
static void tell_news(struct table *table)
{
    table->busy = true;
    waits_wake(table);
    table->busy = false;
}

static void on_loaded(void *context, const struct db_reply *reply)
{
    struct table *table = context;

    table->busy = false;
    if (reply->outcome != DB_OK || reply->version != table->row.version)
        tell_news(table);
    if (reply->outcome != DB_OK) {
        fail_all(table, reply);
        if (reply->outcome == DB_NOT_FOUND)
            forget(table->tables, table); /* what is not there pushes nothing out of memory */
        return;
    }
    if (!table_take(table, reply->game)) {
        struct db_reply broken = {.outcome = DB_REFUSED};

        log_event(LOG_ERROR, "game-unreadable", "variant", table->row.variant, "position",
                  table->row.position, NULL);
        fail_all(table, &broken);
        return;
    }
    table->loaded = true;
    table->confirmed = table->asked;
    run(table);
}

static void ask(struct table *table)
{
    table->busy = true;
    table->asked = server_now(table->tables->server);
}

static void load(struct table *table)
{
    ask(table);
    db_get_game(server_db(table->tables->server), table->row.id, on_loaded, table);
}

static void on_version(void *context, const struct db_reply *reply)
{
    struct table *table = context;

    table->busy = false;
    if (reply->outcome != DB_OK) {
        fail_all(table, reply);
        return;
    }
    if (reply->version == table->row.version) {
        table->confirmed = table->asked;
    } else {
        table->loaded = false;
        tell_news(table);
    }
    run(table);
}

void table_look(struct table *table)
{
    if (table->busy)
        return;
    ask(table);
    db_get_version(server_db(table->tables->server), table->row.id, on_version, table);
}

bool job_confirmed(struct job *job)
{
    struct table *table = job->table;

    if (table->confirmed >= job->request->arrived)
        return true;
    ask(table);
    db_get_version(server_db(table->tables->server), table->row.id, on_version, table);
    return false;
}

/* ---- turns ---- */

/* Each thing that a job asks for has its own deadline; this is the bound of all of them together,
 * and of the wait for the jobs before it. A job that comes by here has done nothing yet. */
static bool is_late(const struct job *job)
{
    const struct tables *tables = job->table->tables;

    return server_now(tables->server) - job->request->arrived > tables->patience;
}

static void run(struct table *table)
{
    while (!table->busy && table->head != NULL) {
        struct job *job = table->head;

        if (is_late(job)) {
            reply_problem(job->request, "overloaded",
                          "The game was busy for too long; nothing was done. Try again.");
            job_done(job);
            continue;
        }
        if (!table->loaded) {
            load(table);
            return;
        }
        if (job->idempotency != NULL && !answers_check(job))
            continue;
        job->step(job);
    }
}

struct job *job_new(struct request *request, void (*step)(struct job *job), void *args)
{
    struct job *job = arena_zero(&request->arena, sizeof(*job));

    job->request = request;
    job->step = step;
    job->args = args;
    return job;
}

void job_submit(struct job *job, db_id id)
{
    struct tables *tables = server_tables(job->request->server);
    struct table *table = table_of(tables, id);

    job->table = table;
    job->next = NULL;
    if (table->head == NULL)
        table->head = job;
    else
        table->tail->next = job;
    table->tail = job;
    if (table->head == job)
        run(table);
}

void job_done(struct job *job)
{
    job->table->head = job->next;
}

void job_wait(struct table *table)
{
    table->busy = true;
}

void job_resume(struct table *table)
{
    table->busy = false;
    run(table);
}

/* ---- what jobs ask for ---- */

static void on_moves(void *context, const struct db_reply *reply)
{
    struct job *job = context;
    struct table *table = job->table;
    struct arena *arena = &job->request->arena;
    struct db_event *moves;

    table->busy = false;
    if (reply->outcome != DB_OK) {
        reply_outcome(job->request, reply);
        job_done(job);
        run(table);
        return;
    }
    moves = arena_alloc(arena, reply->count * sizeof(*moves) + 1);
    for (size_t i = 0; i < reply->count; i++) {
        const struct db_event *from = &reply->events[i];

        moves[i] = *from;
        moves[i].move = from->move == NULL ? "" : arena_copy(arena, from->move, strlen(from->move));
        moves[i].position =
            from->position == NULL ? "" : arena_copy(arena, from->position, strlen(from->position));
        moves[i].data = NULL;
    }
    job->moves.moves = moves;
    job->moves.count = reply->count;
    job->has_moves = true;
    run(table);
}

bool job_need_moves(struct job *job, int32_t line, int32_t from, int32_t to)
{
    struct line_moves *moves = &job->moves;

    if (job->has_moves && moves->line == line && moves->from == from && moves->to == to)
        return true;
    moves->line = line;
    moves->from = from;
    moves->to = to;
    moves->count = 0;
    job->has_moves = from > to;
    if (job->has_moves)
        return true;
    job->table->busy = true;
    db_get_moves(server_db(job->request->server), job->table->row.id, line, from, to, on_moves,
                 job);
    return false;
}

static void on_keys(void *context, const struct db_reply *reply)
{
    struct job *job = context;
    struct table *table = job->table;
    size_t have = table->nkeys, more = reply->count;

    table->busy = false;
    if (reply->outcome != DB_OK) {
        reply_outcome(job->request, reply);
        job_done(job);
        run(table);
        return;
    }
    for (size_t i = 0; i < more; i++)
        table_push_key(table, 0);
    memmove(table->keys + more, table->keys, have * sizeof(*table->keys));
    for (size_t i = 0; i < more; i++)
        table->keys[i] = (uint64_t)reply->keys[i];
    table->keys_from -= (int32_t)more;
    run(table);
}

bool job_need_keys(struct job *job, int32_t from)
{
    struct table *table = job->table;

    if (from >= table->keys_from)
        return true;
    table->busy = true;
    db_get_keys(server_db(job->request->server), table->row.id, table->row.line, from,
                table->keys_from - 1, on_keys, job);
    return false;
}

/* ---- writing ---- */

static void on_appended(void *context, const struct db_reply *reply)
{
    struct job *job = context;
    struct table *table = job->table;

    table->busy = false;
    if (reply->outcome == DB_OK) {
        table_apply(table, &job->write);
        table->confirmed = table->asked;
        job->written(job);
        tell_news(table);
    } else {
        table->loaded = false;
        job->has_moves = false;
        answers_forget(job->idempotency);
        if (reply->outcome != DB_CONFLICT) {
            reply_outcome(job->request, reply);
            job_done(job);
        }
    }
    run(table);
}

void job_append(struct job *job)
{
    struct db *db = server_db(job->request->server);
    struct job_write *write = &job->write;
    struct db_append *append = arena_zero(&job->request->arena, sizeof(*append));

    *append = (struct db_append){.after = &write->after,
                                 .expected = job->table->row.version,
                                 .events = write->events,
                                 .count = write->count,
                                 .answer = write->answer};
    ask(job->table);
    if (write->joins)
        db_join(db, append, on_appended, job);
    else
        db_append(db, append, on_appended, job);
}

/* ---- outcomes ---- */

void reply_outcome(struct request *request, const struct db_reply *reply)
{
    switch (reply->outcome) {
    case DB_NOT_FOUND:
        reply_problem(request, "no-such-game", NULL);
        return;
    case DB_UNAVAILABLE:
        if (strcmp(reply->error.sqlstate, DB_SQLSTATE_FULL) == 0)
            reply_problem(request, "overloaded", NULL);
        else
            reply_problem(request, "database-down",
                          "The database does not answer; nothing was done. Try again.");
        return;
    case DB_UNKNOWN:
        reply_problem(request, "database-down",
                      "The connection to the database broke before its answer came: it is not "
                      "known whether this was done. Repeat it with the same Idempotency-Key, or "
                      "as the same PUT; it will not be done twice.");
        return;
    case DB_CONFLICT:
        reply_problem(request, "overloaded", "The game changes too fast. Try again.");
        return;
    case DB_OK:
    case DB_REFUSED:
        break;
    }
    log_event(LOG_ERROR, "database-refused", "request_id", request->id, "sqlstate",
              reply->error.sqlstate, "text", reply->error.text, NULL);
    reply_problem(request, "internal", NULL);
}
