/* here.c - which seats have their game before them. */
#include <libpq-fe.h>

#include "internal.h"
#include "operations.h"
#include "rows.h"

/* ---- requests ---- */

void db_set_here(struct db *db, db_id game, unsigned seats, int64_t at, db_here_callback *done,
                 void *context)
{
    struct db_request *request = queue_new(db, KIND_SET_HERE, &game, TAKES(here, done), context);

    request->seats_here = (struct seats_here){(int16_t)seats, at};
    queue_submit(db, request);
}

/* ---- parameters ---- */

void here_bind(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct seats_here *here = &batch->members[i]->seats_here;

        wire_row(params, 0);
        wire_put_uuid(params, &batch->ids[i]);
        wire_put_int2(params, here->seats);
        if (here->at == 0)
            wire_put_null(params);
        else
            wire_put_time(params, here->at);
    }
}

/* ---- results ---- */

/* Rows: a game, and when the players of its seats have said that they are there. */
void here_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (int row = 0; row < PQntuples(result); row++) {
        struct db_here here = {{0}};

        for (int i = 0; i < DB_SEATS; i++)
            if (!PQgetisnull(result, row, 1 + i))
                here.at[i] = wire_get_time(PQgetvalue(result, row, 1 + i));
        batch_reply_all(db, batch, PQgetvalue(result, row, 0), TELLS(here, &here));
    }
}
