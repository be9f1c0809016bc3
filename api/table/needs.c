#include "api/table/needs.h"
#include "api/table/reply_outcome.h"

#include <string.h>

#include "api/http/reply_problem.h"
#include "api/loop/account.h"
#include "api/loop/loop.h"

enum { KEYS_PAGE = 2048 }; /* keys; a longer answer would hold up the other requests of the loop */

/* ---- moves and keys ---- */

static void on_moves(void *context, const struct db_reply *reply, const struct db_events *events)
{
    struct job *job = context;
    struct table *table = job->table;
    struct arena *arena = &job->request->arena;
    struct db_event *moves;

    if (reply->outcome != DB_OK) {
        reply_outcome(job->request, reply);
        job_end(job);
        return;
    }
    /* The reply is db's and ends with this call. */
    account_begin(job->request->loop);
    moves = arena_alloc(arena, events->count * sizeof(*moves) + 1);
    for (size_t i = 0; i < events->count; i++) {
        const struct db_event *from = &events->items[i];

        moves[i] = *from;
        moves[i].move = from->move == NULL ? "" : arena_copy(arena, from->move, strlen(from->move));
        moves[i].position =
            from->position == NULL ? "" : arena_copy(arena, from->position, strlen(from->position));
        moves[i].data =
            from->data == NULL ? NULL : arena_copy(arena, from->data, strlen(from->data));
    }
    job->moves.moves = moves;
    job->moves.count = events->count;
    job->has_moves = true;
    account_end(job->request->loop, job->request);
    job_resume(table);
}

/* A step asks for moves with their positions or for those without, never for both. */
static enum step need_moves(struct job *job, int32_t line, int32_t from, int32_t to,
                            void (*get)(struct db *db, db_id id, int32_t line, int32_t from,
                                        int32_t to, db_events_callback *done, void *context))
{
    struct line_moves *moves = &job->moves;
    bool durable = get == db_get_durable_moves;

    if (job->has_moves && moves->line == line && moves->from == from && moves->to == to &&
        moves->durable >= durable)
        return STEP_GO;
    moves->durable = durable;
    moves->line = line;
    moves->from = from;
    moves->to = to;
    moves->count = 0;
    job->has_moves = from > to; /* none are asked for */
    if (job->has_moves)
        return STEP_GO;
    job_wait(job->table);
    get(db_of(job->request), job->table->row.id, line, from, to, on_moves, job);
    return STEP_LATER;
}

enum step needs_moves(struct job *job, int32_t line, int32_t from, int32_t to)
{
    return need_moves(job, line, from, to, db_get_moves);
}

enum step needs_played(struct job *job, int32_t line, int32_t from, int32_t to)
{
    return need_moves(job, line, from, to, db_get_played);
}

enum step needs_durable_moves(struct job *job, int32_t line, int32_t from, int32_t to)
{
    return need_moves(job, line, from, to, db_get_durable_moves);
}

static void on_keys(void *context, const struct db_reply *reply, const struct db_keys *keys)
{
    struct job *job = context;
    struct table *table = job->table;
    size_t have = table->nkeys, more = keys->count;

    if (reply->outcome != DB_OK) {
        reply_outcome(job->request, reply);
        job_end(job);
        return;
    }
    account_begin(job->request->loop);
    /* The older keys go before those that are there: the list grows, then it is moved up. */
    for (size_t i = 0; i < more; i++)
        table_push_key(table, 0);
    memmove(table->keys + more, table->keys, have * sizeof(*table->keys));
    for (size_t i = 0; i < more; i++)
        table->keys[i] = (uint64_t)keys->items[i];
    table->keys_from -= (int32_t)more;
    account_end(job->request->loop, job->request);
    job_resume(table);
}

/* The keys of a long game come in pages, the latest first. The step is called again after each. */
enum step needs_keys(struct job *job, int32_t from)
{
    struct table *table = job->table;
    int32_t page = table->keys_from - KEYS_PAGE;

    if (from >= table->keys_from)
        return STEP_GO;
    job_wait(table);
    db_get_keys(db_of(job->request), table->row.id, table->row.line, page > from ? page : from,
                table->keys_from - 1, on_keys, job);
    return STEP_LATER;
}

static void on_keys_ahead(void *context, const struct db_reply *reply, const struct db_keys *keys)
{
    struct job *job = context;
    struct line_keys *ahead = &job->ahead;

    if (reply->outcome != DB_OK) {
        reply_outcome(job->request, reply);
        job_end(job);
        return;
    }
    account_begin(job->request->loop);
    for (size_t i = 0; i < keys->count; i++)
        ahead->keys[ahead->count++] = (uint64_t)keys->items[i];
    ahead->all = keys->count == 0 || ahead->from + (int32_t)ahead->count > ahead->to;
    account_end(job->request->loop, job->request);
    job_resume(job->table);
}

enum step needs_keys_ahead(struct job *job, int32_t to)
{
    const struct db_game *row = &job->table->row;
    struct line_keys *ahead = &job->ahead;
    int32_t first;

    if (ahead->line != row->line || ahead->from != row->ply + 1 || ahead->to != to) {
        *ahead = (struct line_keys){.line = row->line, .from = row->ply + 1, .to = to};
        ahead->keys =
            arena_alloc(&job->request->arena, (size_t)(to - row->ply) * sizeof(*ahead->keys) + 1);
    }
    if (ahead->all)
        return STEP_GO;
    first = ahead->from + (int32_t)ahead->count;
    job_wait(job->table);
    db_get_keys(db_of(job->request), row->id, row->line, first,
                to - first < KEYS_PAGE ? to : first + KEYS_PAGE - 1, on_keys_ahead, job);
    return STEP_LATER;
}

/* ---- the end of a line ---- */

static void on_line_end(void *context, const struct db_reply *reply, const struct db_line_end *end)
{
    struct job *job = context;

    if (reply->outcome != DB_OK) {
        reply_outcome(job->request, reply);
        job_end(job);
        return;
    }
    job->line_end = end->ply;
    job_resume(job->table);
}

enum step needs_line_end(struct job *job, int32_t line, int32_t *end)
{
    if (job->ended_line == line) {
        *end = job->line_end;
        return STEP_GO;
    }
    job->ended_line = line;
    job_wait(job->table);
    db_get_line_end(db_of(job->request), job->table->row.id, line, on_line_end, job);
    return STEP_LATER;
}

/* ---- vacations ---- */

static void on_vacations(void *context, const struct db_reply *reply, const struct db_spans *spans)
{
    struct job *job = context;

    if (reply->outcome != DB_OK) {
        reply_outcome(job->request, reply);
        job_end(job);
        return;
    }
    job->has_vacation = true;
    if (spans->count > 0)
        job->vacation = spans->items[spans->count - 1];
    job_resume(job->table);
}

enum step needs_vacation(struct job *job, db_id player, const struct db_span **vacation)
{
    if (!job->has_vacation) {
        job_wait(job->table);
        db_get_vacations(db_of(job->request), player, job->table->row.last_at, on_vacations, job);
        return STEP_LATER;
    }
    *vacation = job->vacation.to == 0 ? NULL : &job->vacation;
    return STEP_GO;
}

/* ---- plans ---- */

static void on_plan(void *context, const struct db_reply *reply, const struct db_plan *plan)
{
    struct job *job = context;
    struct arena *arena = &job->request->arena;

    if (reply->outcome == DB_OK) {
        struct seat_plan *kept = &job->plan[plan->seat - 1];

        account_begin(job->request->loop);
        kept->plan = *plan;
        kept->plan.tree = arena_copy(arena, plan->tree, strlen(plan->tree));
        account_end(job->request->loop, job->request);
    } else if (reply->outcome != DB_NOT_FOUND) {
        reply_outcome(job->request, reply);
        job_end(job);
        return;
    }
    job_resume(job->table);
}

/* Another plan may be set while the job waits for something else. Then row.plans is another one by
 * the time that the job writes, or asks again. */
enum step needs_plan(struct job *job, int seat, const struct db_plan **plan)
{
    const struct db_game *row = &job->table->row;
    struct seat_plan *kept = &job->plan[seat - 1];

    if (kept->known && kept->plans == row->plans) {
        *plan = kept->plan.tree == NULL ? NULL : &kept->plan;
        return STEP_GO;
    }
    *kept = (struct seat_plan){.known = true, .plans = row->plans};
    job_wait(job->table);
    db_get_plan(db_of(job->request), row->id, (int16_t)seat, on_plan, job);
    return STEP_LATER;
}
