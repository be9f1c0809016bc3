#include "api/live/fetch.h"

#include <string.h>

#include "api/http/reply_problem.h"
#include "api/loop/loop.h"

enum { KEYS_PAGE = 2048 }; /* keys; a longer answer would hold up the other requests of the loop */

struct need *needs_find(struct job *job, enum need_kind kind, int32_t a, int32_t b, int32_t c)
{
    const int32_t key[NEED_KEY] = {a, b, c};
    struct need *need = job->needs;

    while (need != NULL && (need->kind != kind || memcmp(need->key, key, sizeof(key)) != 0))
        need = need->next;
    if (need != NULL)
        return need;
    need = arena_zero(&job->request->arena, sizeof(*need));
    need->kind = kind;
    memcpy(need->key, key, sizeof(key));
    need->arena = &job->request->arena;
    need->next = job->needs;
    job->needs = need;
    return need;
}

/* ---- moves and keys ---- */

/* The reply is db's and ends with this call. */
static void know_moves(void *context, const struct db_events *events)
{
    struct need *need = context;
    struct arena *arena = need->arena;
    struct db_event *moves = arena_alloc(arena, events->count * sizeof(*moves) + 1);

    for (size_t i = 0; i < events->count; i++) {
        const struct db_event *from = &events->items[i];

        moves[i] = *from;
        moves[i].move = from->move == NULL ? "" : arena_copy(arena, from->move, strlen(from->move));
        moves[i].position =
            from->position == NULL ? "" : arena_copy(arena, from->position, strlen(from->position));
        moves[i].data =
            from->data == NULL ? NULL : arena_copy(arena, from->data, strlen(from->data));
    }
    need->moves = (struct line_moves){moves, events->count};
    need->there = true;
}

static enum step need_moves(struct job *job, enum need_kind kind, int32_t line, int32_t from,
                            int32_t to,
                            void (*get)(struct db *db, db_id id, int32_t line, int32_t from,
                                        int32_t to, db_events_callback *done, void *context))
{
    struct need *need = needs_find(job, kind, line, from, to);

    need->there |= from > to; /* none are asked for */
    if (!need->there) {
        get(db_of(job->request), job->table->row.id, line, from, to,
            ASK_STEP(events, job, know_moves, need));
        return STEP_LATER;
    }
    job->moves = need->moves;
    return STEP_GO;
}

enum step needs_moves(struct job *job, int32_t line, int32_t from, int32_t to)
{
    return need_moves(job, NEED_MOVES, line, from, to, db_get_moves);
}

enum step needs_played(struct job *job, int32_t line, int32_t from, int32_t to)
{
    return need_moves(job, NEED_PLAYED, line, from, to, db_get_played);
}

enum step needs_durable_moves(struct job *job, int32_t line, int32_t from, int32_t to)
{
    return need_moves(job, NEED_DURABLE_MOVES, line, from, to, db_get_durable_moves);
}

static void know_keys(void *context, const struct db_keys *keys)
{
    struct table *table = context;
    size_t have = table->nkeys, more = keys->count;

    /* The older keys go before those that are there: the list grows, then it is moved up. */
    for (size_t i = 0; i < more; i++)
        table_push_key(table, 0);
    memmove(table->keys + more, table->keys, have * sizeof(*table->keys));
    for (size_t i = 0; i < more; i++)
        table->keys[i] = (uint64_t)keys->items[i];
    table->keys_from -= (int32_t)more;
}

/* The keys of a long game come in pages, the latest first. The step is called again after each. */
enum step needs_keys(struct job *job, int32_t from)
{
    struct table *table = job->table;
    int32_t page = table->keys_from - KEYS_PAGE;

    if (from >= table->keys_from)
        return STEP_GO;
    db_get_keys(db_of(job->request), table->row.id, table->row.line, page > from ? page : from,
                table->keys_from - 1, ASK_STEP(keys, job, know_keys, table));
    return STEP_LATER;
}

/* A line that has fewer keys than plies has no more. */
static void know_keys_ahead(void *context, const struct db_keys *keys)
{
    struct need *need = context;
    struct line_keys *ahead = &need->keys;
    int32_t from = need->key[1], to = need->key[2];

    for (size_t i = 0; i < keys->count; i++)
        ahead->keys[ahead->count++] = (uint64_t)keys->items[i];
    need->there = keys->count == 0 || from + (int32_t)ahead->count > to;
}

enum step needs_keys_ahead(struct job *job, int32_t to)
{
    const struct db_game *row = &job->table->row;
    int32_t from = row->ply + 1, first, last;
    struct need *need = needs_find(job, NEED_KEYS_AHEAD, row->line, from, to);

    if (need->there) {
        job->ahead = need->keys;
        return STEP_GO;
    }
    if (need->keys.keys == NULL)
        need->keys.keys =
            arena_alloc(need->arena, (size_t)(to - row->ply) * sizeof(*need->keys.keys) + 1);
    first = from + (int32_t)need->keys.count;
    last = to - first < KEYS_PAGE ? to : first + KEYS_PAGE - 1;
    db_get_keys(db_of(job->request), row->id, row->line, first, last,
                ASK_STEP(keys, job, know_keys_ahead, need));
    return STEP_LATER;
}

/* ---- the end of a line ---- */

static void know_line_end(void *context, const struct db_line_end *end)
{
    struct need *need = context;

    need->ply = end->ply;
    need->there = true;
}

enum step needs_line_end(struct job *job, int32_t line, int32_t *end)
{
    struct need *need = needs_find(job, NEED_LINE_END, line, 0, 0);

    *end = need->ply;
    if (need->there)
        return STEP_GO;
    db_get_line_end(db_of(job->request), job->table->row.id, line,
                    ASK_STEP(line_end, job, know_line_end, need));
    return STEP_LATER;
}

/* ---- vacations ---- */

static void know_vacations(void *context, const struct db_spans *spans)
{
    struct need *need = context;

    if (spans->count > 0)
        need->vacation = spans->items[spans->count - 1];
    need->there = true;
}

enum step needs_vacation(struct job *job, int seat, const struct db_span **vacation)
{
    const struct db_game *row = &job->table->row;
    struct need *need = needs_find(job, NEED_VACATION, seat, 0, 0);

    *vacation = need->vacation.to == 0 ? NULL : &need->vacation;
    if (need->there)
        return STEP_GO;
    db_get_vacations(db_of(job->request), row->seat[seat - 1].player, row->last_at,
                     ASK_STEP(spans, job, know_vacations, need));
    return STEP_LATER;
}

/* ---- plans ---- */

static void know_plan(void *context, const struct db_reply *reply, const struct db_plan *plan)
{
    struct need *need = context;

    need->there = true;
    if (reply->outcome == DB_NOT_FOUND)
        return;
    need->plan = *plan;
    need->plan.tree = arena_copy(need->arena, plan->tree, strlen(plan->tree));
}

/* Another plan may be set while the job waits for something else. Then row.plans is another one by
 * the time that the job writes, or asks again. */
enum step needs_plan(struct job *job, int seat, const struct db_plan **plan)
{
    const struct db_game *row = &job->table->row;
    struct need *need = needs_find(job, NEED_PLAN, seat, row->plans, 0);

    *plan = need->plan.tree == NULL ? NULL : &need->plan;
    if (need->there)
        return STEP_GO;
    db_get_plan(db_of(job->request), row->id, (int16_t)seat,
                ASK_STEP_ALSO(plan, job, ASK_MISSING, know_plan, need));
    return STEP_LATER;
}
