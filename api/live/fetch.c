#include "api/live/fetch.h"

#include <string.h>

#include "api/loop/loop.h"

enum { KEYS_PAGE = 2048 }; /* keys; a longer answer would hold up the other requests of the loop */

struct need *fetch_need(struct op *op, enum need_kind kind, int32_t a, int32_t b, int32_t c)
{
    const int32_t key[NEED_KEY] = {a, b, c};
    struct need *need = op->needs;

    while (need != NULL && (need->kind != kind || memcmp(need->key, key, sizeof(key)) != 0))
        need = need->next;
    if (need != NULL)
        return need;
    need = arena_zero(&op->request->arena, sizeof(*need));
    need->kind = kind;
    memcpy(need->key, key, sizeof(key));
    need->arena = &op->request->arena;
    need->next = op->needs;
    op->needs = need;
    return need;
}

/* ---- moves and keys ---- */

/* The reply is db's and ends with this call, so the texts are copied. One byte more is taken, since
 * no event may have come. */
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

static enum step need_moves(struct op *op, enum need_kind kind, int32_t line, int32_t from,
                            int32_t to,
                            void (*get)(struct db *db, db_id id, int32_t line, int32_t from,
                                        int32_t to, db_events_callback *done, void *context))
{
    struct need *need = fetch_need(op, kind, line, from, to);

    need->there |= from > to; /* none are asked for */
    if (!need->there) {
        get(db_of(op->request), op->live->row.id, line, from, to,
            ASK_STEP(events, op, know_moves, need));
        return STEP_LATER;
    }
    /* Set in each run, since a step may have fetched other moves in between. */
    op->moves = need->moves;
    return STEP_GO;
}

enum step fetch_moves(struct op *op, int32_t line, int32_t from, int32_t to)
{
    return need_moves(op, NEED_MOVES, line, from, to, db_get_moves);
}

enum step fetch_played(struct op *op, int32_t line, int32_t from, int32_t to)
{
    return need_moves(op, NEED_PLAYED, line, from, to, db_get_played);
}

enum step fetch_durable_moves(struct op *op, int32_t line, int32_t from, int32_t to)
{
    return need_moves(op, NEED_DURABLE_MOVES, line, from, to, db_get_durable_moves);
}

/* The context is the live game, not the op: keys stay with it for the ops that follow. Between the
 * question and this call no other op ran (op_ask()), and a row is only read in a run, so
 * the keys are those for which the question was made. */
static void know_keys(void *context, const struct db_keys *keys)
{
    struct live_game *live = context;
    size_t have = live->nkeys, more = keys->count;

    /* The older keys go before those that are there: the list grows, then it is moved up. */
    for (size_t i = 0; i < more; i++)
        live_push_key(live, 0);
    memmove(live->keys + more, live->keys, have * sizeof(*live->keys));
    for (size_t i = 0; i < more; i++)
        live->keys[i] = (uint64_t)keys->items[i];
    live->keys_from -= (int32_t)more;
}

/* The keys of a long game come in pages, the latest first, so that those that are there never have
 * a gap. The step is called again after each. Other requests of the loop have their time in
 * between. */
enum step fetch_keys(struct op *op, int32_t from)
{
    struct live_game *live = op->live;
    int32_t page = live->keys_from - KEYS_PAGE;

    if (from >= live->keys_from)
        return STEP_GO;
    db_get_keys(db_of(op->request), live->row.id, live->row.line, page > from ? page : from,
                live->keys_from - 1, ASK_STEP(keys, op, know_keys, live));
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

/* Here the pages go upwards, and the keys stay with the op: the live game keeps only those up to
 * the present ply. */
enum step fetch_keys_ahead(struct op *op, int32_t to)
{
    const struct db_game *row = &op->live->row;
    int32_t from = row->ply + 1, first, last;
    struct need *need = fetch_need(op, NEED_KEYS_AHEAD, row->line, from, to);

    if (need->there) {
        op->ahead = need->keys;
        return STEP_GO;
    }
    if (need->keys.keys == NULL)
        need->keys.keys =
            arena_alloc(need->arena, (size_t)(to - row->ply) * sizeof(*need->keys.keys) + 1);
    first = from + (int32_t)need->keys.count;
    last = to - first < KEYS_PAGE ? to : first + KEYS_PAGE - 1;
    db_get_keys(db_of(op->request), row->id, row->line, first, last,
                ASK_STEP(keys, op, know_keys_ahead, need));
    return STEP_LATER;
}

/* ---- the end of a line ---- */

static void know_line_end(void *context, const struct db_line_end *end)
{
    struct need *need = context;

    need->ply = end->ply;
    need->there = true;
}

/* It may be remembered, because a line that was left gets no further ply. */
enum step fetch_line_end(struct op *op, int32_t line, int32_t *end)
{
    struct need *need = fetch_need(op, NEED_LINE_END, line, 0, 0);

    *end = need->ply;
    if (need->there)
        return STEP_GO;
    db_get_line_end(db_of(op->request), op->live->row.id, line,
                    ASK_STEP(line_end, op, know_line_end, need));
    return STEP_LATER;
}

/* ---- vacations ---- */

static void know_fetched_vacations(void *context, const struct db_spans *spans)
{
    struct need *need = context;

    if (spans->count > 0)
        need->vacation = spans->items[spans->count - 1];
    need->there = true;
}

enum step fetch_vacation(struct op *op, int seat, const struct db_span **vacation)
{
    const struct db_game *row = &op->live->row;
    struct need *need = fetch_need(op, NEED_VACATION, seat, 0, 0);

    *vacation = need->vacation.to == 0 ? NULL : &need->vacation;
    if (need->there)
        return STEP_GO;
    db_get_vacations(db_of(op->request), row->seat[seat - 1].player, row->last_at,
                     ASK_STEP(spans, op, know_fetched_vacations, need));
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

/* row.plans counts how often a plan was set, and is part of the key. Another plan may be set while
 * the op waits for something else: then the count is another one when the op asks again, or its
 * write does not match (expected_plans). */
enum step fetch_plan(struct op *op, int seat, const struct db_plan **plan)
{
    const struct db_game *row = &op->live->row;
    struct need *need = fetch_need(op, NEED_PLAN, seat, row->plans, 0);

    *plan = need->plan.tree == NULL ? NULL : &need->plan;
    if (need->there)
        return STEP_GO;
    db_get_plan(db_of(op->request), row->id, (int16_t)seat,
                ASK_STEP_ALSO(plan, op, ASK_MISSING, know_plan, need));
    return STEP_LATER;
}
