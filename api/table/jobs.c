#include "api/table/jobs.h"

#include <string.h>

#include "api/http/reply_problem.h"
#include "api/loop/log.h"
#include "api/loop/loop.h"
#include "api/table/idempotency.h"

static void run(struct table *table);

/* ---- loading and confirming ---- */

static void on_absent(void *context, const struct db_reply *reply)
{
    struct request *request = context;

    if (reply->outcome == DB_OK || reply->outcome == DB_NOT_FOUND)
        reply_problem(request, PROBLEM_NO_SUCH_GAME, NULL);
    else
        reply_problem_outcome(request, reply);
}

/* A private game is to strangers as if it were not there; so for a game that is not there, too, an
 * answer is looked up where a key came along, lest the time tells the two apart. */
static void refuse_absent(struct job *job, const struct db_reply *reply)
{
    if (reply->outcome == DB_NOT_FOUND && job->idempotency != NULL)
        db_get_answer(job->request->loop->db, job->table->row.id, job->idempotency->key, on_absent,
                      job->request);
    else
        reply_problem_outcome(job->request, reply);
}

static void fail_all(struct table *table, const struct db_reply *reply)
{
    while (table->head != NULL) {
        struct job *job = table->head;

        table->head = job->next;
        refuse_absent(job, reply);
    }
}

/* The jobs that wait for news get their turn with the next run(). */
static void tell_news(struct table *table)
{
    table->busy = true;
    table->tables->on_news(table);
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
            tables_forget(table); /* what is not there pushes nothing out of memory */
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
    table->asked = table->tables->loop->now;
}

static void load(struct table *table)
{
    ask(table);
    db_get_game(table->tables->loop->db, table->row.id, on_loaded, table);
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

void job_look(struct table *table)
{
    if (table->busy)
        return;
    ask(table);
    db_get_version(table->tables->loop->db, table->row.id, on_version, table);
}

enum step job_need_confirmed(struct job *job)
{
    struct table *table = job->table;

    if (table->confirmed >= job->request->arrived)
        return STEP_GO;
    ask(table);
    db_get_version(table->tables->loop->db, table->row.id, on_version, table);
    return STEP_LATER;
}

/* ---- answers that are kept ---- */

static void on_answer(void *context, const struct db_reply *reply)
{
    struct job *job = context;

    if (reply->outcome == DB_NOT_FOUND) {
        job->idempotency->checked = true;
        job_resume(job->table);
        return;
    }
    if (reply->outcome == DB_OK)
        idempotency_replay(job->request, job->idempotency, reply->answer);
    else
        reply_problem_outcome(job->request, reply);
    job_end(job);
}

/* Whether no answer is kept for the job's key. */
static enum step check_answer(struct job *job)
{
    if (job->idempotency == NULL || job->idempotency->checked)
        return STEP_GO;
    job_wait(job->table);
    db_get_answer(job->request->loop->db, job->table->row.id, job->idempotency->key, on_answer,
                  job);
    return STEP_LATER;
}

/* Another daemon wrote first, and it may have been this very request, repeated there. */
static void look_again_for_answer(struct job *job)
{
    if (job->idempotency != NULL)
        job->idempotency->checked = false;
}

/* ---- turns ---- */

/* Each thing that a job asks for has its own deadline; this is the bound of all of them together,
 * and of the wait for the jobs before it. A job that comes by here has done nothing yet. */
static bool is_late(const struct job *job)
{
    const struct tables *tables = job->table->tables;

    return tables->loop->now - job->request->arrived > tables->patience;
}

/* The first job of a table has its turn: it goes as far as it can. */
static enum step take_turn(struct job *job)
{
    if (is_late(job)) {
        reply_problem(job->request, PROBLEM_OVERLOADED,
                      "The game was busy for too long; nothing was done. Try again.");
        return STEP_OVER;
    }
    if (!job->table->loaded) {
        load(job->table);
        return STEP_LATER;
    }
    return check_answer(job) == STEP_GO ? job->step(job) : STEP_LATER;
}

static void leave(struct job *job)
{
    job->table->head = job->next;
}

static void run(struct table *table)
{
    while (!table->busy && table->head != NULL) {
        struct job *job = table->head;

        if (take_turn(job) == STEP_OVER)
            leave(job);
    }
}

struct job *job_new(struct request *request, enum step (*step)(struct job *job), void *args)
{
    struct job *job = arena_zero(&request->arena, sizeof(*job));

    job->request = request;
    job->step = step;
    job->args = args;
    return job;
}

void job_submit(struct job *job, db_id id)
{
    struct tables *tables = job->request->loop->tables;
    struct table *table = tables_find(tables, id);

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

void job_end(struct job *job)
{
    leave(job);
    job_resume(job->table);
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

    if (reply->outcome != DB_OK) {
        reply_problem_outcome(job->request, reply);
        job_end(job);
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
    job_resume(table);
}

enum step job_need_moves(struct job *job, int32_t line, int32_t from, int32_t to)
{
    struct line_moves *moves = &job->moves;

    if (job->has_moves && moves->line == line && moves->from == from && moves->to == to)
        return STEP_GO;
    moves->line = line;
    moves->from = from;
    moves->to = to;
    moves->count = 0;
    job->has_moves = from > to;
    if (job->has_moves)
        return STEP_GO;
    job->table->busy = true;
    db_get_moves(job->request->loop->db, job->table->row.id, line, from, to, on_moves, job);
    return STEP_LATER;
}

static void on_keys(void *context, const struct db_reply *reply)
{
    struct job *job = context;
    struct table *table = job->table;
    size_t have = table->nkeys, more = reply->count;

    if (reply->outcome != DB_OK) {
        reply_problem_outcome(job->request, reply);
        job_end(job);
        return;
    }
    for (size_t i = 0; i < more; i++)
        table_push_key(table, 0);
    memmove(table->keys + more, table->keys, have * sizeof(*table->keys));
    for (size_t i = 0; i < more; i++)
        table->keys[i] = (uint64_t)reply->keys[i];
    table->keys_from -= (int32_t)more;
    job_resume(table);
}

enum step job_need_keys(struct job *job, int32_t from)
{
    struct table *table = job->table;

    if (from >= table->keys_from)
        return STEP_GO;
    table->busy = true;
    db_get_keys(job->request->loop->db, table->row.id, table->row.line, from, table->keys_from - 1,
                on_keys, job);
    return STEP_LATER;
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
        leave(job);
        tell_news(table);
    } else {
        table->loaded = false;
        job->has_moves = false;
        look_again_for_answer(job);
        if (reply->outcome != DB_CONFLICT) {
            reply_problem_outcome(job->request, reply);
            leave(job);
        }
    }
    run(table);
}

enum step job_append(struct job *job)
{
    struct db *db = job->request->loop->db;
    struct table_write *write = &job->write;
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
    return STEP_LATER;
}
