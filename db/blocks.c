/* blocks.c - whom players have blocked. */
#include <libpq-fe.h>
#include <string.h>

#include "internal.h"
#include "operations.h"
#include "rows.h"

/* ---- requests ---- */

static struct db_request *about_block(struct db *db, enum db_kind kind, db_id player,
                                      const struct blocking *blocking, struct takes done,
                                      void *context)
{
    struct db_request *request = queue_new(db, kind, &player, done, context);

    request->blocking = *blocking;
    return request;
}

void db_set_block(struct db *db, db_id player, db_id blocked, int64_t at, db_done_callback *done,
                  void *context)
{
    struct blocking blocking = {.blocked = blocked, .at = at};

    queue_submit(db,
                 about_block(db, KIND_SET_BLOCK, player, &blocking, TAKES(done, done), context));
}

void db_delete_block(struct db *db, db_id player, db_id blocked, db_done_callback *done,
                     void *context)
{
    struct blocking blocking = {.blocked = blocked};

    queue_submit(db,
                 about_block(db, KIND_DELETE_BLOCK, player, &blocking, TAKES(done, done), context));
}

void db_get_block(struct db *db, db_id player, db_id blocked, db_blocks_callback *done,
                  void *context)
{
    struct blocking blocking = {.blocked = blocked};

    queue_submit(db, about_block(db, KIND_BLOCK, player, &blocking, TAKES(blocks, done), context));
}

void db_get_blocks(struct db *db, db_id player, db_id after, int32_t limit,
                   db_blocks_callback *done, void *context)
{
    struct blocking blocking = {.blocked = after, .limit = limit};
    struct db_request *request =
        about_block(db, KIND_BLOCKS, player, &blocking, TAKES(blocks, done), context);

    request->rows = (size_t)limit;
    request->share = 1;
    queue_submit(db, request);
}

/* ---- parameters ---- */

static const struct blocking *put_block(struct wire_params *params, const struct batch *batch,
                                        size_t i)
{
    const struct blocking *blocking = &batch->members[i]->blocking;

    wire_row(params, 0);
    wire_put_uuid(params, &batch->ids[i]);
    wire_put_uuid(params, &blocking->blocked);
    return blocking;
}

void blocks_bind(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        put_block(params, batch, i);
}

void blocks_bind_set(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        wire_put_time(params, put_block(params, batch, i)->at);
}

/* A batch of one. */
void blocks_bind_page(struct wire_params *params, const struct batch *batch)
{
    wire_put_int4(params, put_block(params, batch, 0)->limit);
}

/* ---- results ---- */

static void read_block(const struct pg_result *result, int row, struct db_block *block)
{
    memcpy(&block->player, PQgetvalue(result, row, 1), sizeof(block->player));
    block->at = wire_get_time(PQgetvalue(result, row, 2));
    block->name = PQgetisnull(result, row, 3) ? NULL : PQgetvalue(result, row, 3);
}

/* Rows: the member's number, and a player who is blocked. */
void blocks_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    batch_reply_list_of_blocks(db, result, batch, read_block);
}
