/* due.c - promises to look at a game or player again: who looks, and when it is done. */
#include <libpq-fe.h>
#include <string.h>

#include "db/due.h"
#include "internal.h"
#include "operations.h"
#include "rows.h"

/* ---- requests ---- */

void db_claim_due(struct db *db, const struct db_claim *claim, db_claimed_callback *done,
                  void *context)
{
    struct db_request *request =
        queue_new(db, KIND_CLAIM_DUE, &claim->daemon, TAKES(claimed, done), context);

    request->claim = (struct claim){db_now(db), *claim};
    request->share = 1;
    queue_submit(db, request);
}

void db_settle_due(struct db *db, const struct db_due *due, int64_t claimed_at,
                   db_done_callback *done, void *context)
{
    struct db_request *request =
        queue_new(db, KIND_SETTLE_DUE, &due->id, TAKES(done, done), context);

    request->settlement = (struct settlement){due, claimed_at};
    queue_submit(db, request);
}

static void submit_due(struct db *db, enum db_kind kind, const struct db_due *due,
                       db_done_callback *done, void *context)
{
    struct db_request *request = queue_new(db, kind, &due->id, TAKES(done, done), context);

    request->due = *due;
    queue_submit(db, request);
}

void db_promise(struct db *db, const struct db_due *due, db_done_callback *done, void *context)
{
    submit_due(db, KIND_PROMISE, due, done, context);
}

void db_take_due(struct db *db, const struct db_due *due, db_done_callback *done, void *context)
{
    submit_due(db, KIND_TAKE_DUE, due, done, context);
}

void db_look_due(struct db *db, const struct db_due *due, db_done_callback *done, void *context)
{
    submit_due(db, KIND_LOOK_DUE, due, done, context);
}

/* ---- parameters ---- */

void due_put(struct wire_params *params, int first, const struct db_due *due)
{
    wire_row(params, first);
    wire_put_uuid(params, &due->id);
    wire_put_int2(params, due->kind);
    wire_put_moment(params, due->at);
}

void due_bind(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        due_put(params, 0, &batch->members[i]->due);
}

void due_bind_claim(struct wire_params *params, const struct batch *batch)
{
    const struct claim *claim = &batch->members[0]->claim;

    wire_row(params, 0);
    wire_put_time(params, claim->now);
    wire_put_time(params, claim->wanted.lease);
    wire_put_time(params, claim->wanted.silent);
    wire_put_uuid(params, &claim->wanted.daemon);
    wire_put_int4(params, claim->wanted.kinds);
    wire_put_moment(params, claim->wanted.unheard);
}

void due_bind_settle(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct settlement *settlement = &batch->members[i]->settlement;

        due_put(params, 0, settlement->due);
        wire_put_time(params, settlement->claimed_at);
    }
}

/* ---- results ---- */

/* Rows: the number of a member whose promise is there. */
void due_decode_looked(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (struct rows rows = {.end = 0}; rows_next(result, &rows);)
        batch_end(db, batch, rows.member, DB_OK, NULL);
}

/* Rows: the id, kind and time of a promise that is ours now. */
void due_decode_claim(struct db *db, const struct pg_result *result, struct batch *batch)
{
    struct db_due due[DB_DUE_MAX];
    size_t count = (size_t)PQntuples(result);

    if (count > DB_DUE_MAX)
        count = DB_DUE_MAX;
    for (size_t i = 0; i < count; i++) {
        memcpy(&due[i].id, PQgetvalue(result, (int)i, 0), sizeof(due[i].id));
        due[i].kind = wire_get_int2(PQgetvalue(result, (int)i, 1));
        due[i].at = wire_get_time(PQgetvalue(result, (int)i, 2));
    }
    batch_reply(db, batch, 0, TELLS(claimed, &(struct db_claimed){due, count}));
}
