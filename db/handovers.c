/* handovers.c - which players codes are for, by which another device becomes them. */
#include <libpq-fe.h>
#include <string.h>

#include "internal.h"
#include "operations.h"

/* ---- requests ---- */

void db_get_handover(struct db *db, db_id id, db_handover_callback *done, void *context)
{
    queue_submit(db, queue_new(db, KIND_HANDOVER, &id, TAKES(handover, done), context));
}

void db_create_handover(struct db *db, const struct db_handover *handover, int16_t kind,
                        db_done_callback *done, void *context)
{
    struct db_request *request =
        queue_new(db, KIND_CREATE_HANDOVER, &handover->id, TAKES(done, done), context);

    request->handover = (struct handover_write){handover, kind};
    queue_submit(db, request);
}

void db_delete_handover(struct db *db, db_id id, db_done_callback *done, void *context)
{
    queue_submit(db, queue_new(db, KIND_DELETE_HANDOVER, &id, TAKES(done, done), context));
}

/* ---- parameters: the promise comes first ---- */

void handovers_bind(struct wire_params *params, const struct batch *batch)
{
    enum { PROMISE_AT = 0, HANDOVER_AT = 3 };

    for (size_t i = 0; i < batch->count; i++) {
        const struct handover_write *write = &batch->members[i]->handover;
        const struct db_handover *handover = write->handover;

        due_put(params, PROMISE_AT, &(struct db_due){handover->id, write->kind, handover->until});
        wire_row(params, HANDOVER_AT);
        wire_put_uuid(params, &handover->id);
        wire_put_uuid(params, &handover->player);
        wire_put_time(params, handover->until);
    }
}

/* ---- results ---- */

/* Rows: id, player, until when. */
void handovers_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (int row = 0; row < PQntuples(result); row++) {
        struct db_handover handover = {.until = wire_get_time(PQgetvalue(result, row, 2))};

        memcpy(&handover.id, PQgetvalue(result, row, 0), sizeof(handover.id));
        memcpy(&handover.player, PQgetvalue(result, row, 1), sizeof(handover.player));
        batch_reply_all(db, batch, &handover.id, TELLS(handover, &handover));
    }
}
