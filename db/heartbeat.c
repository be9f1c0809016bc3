/* heartbeat.c - the heartbeat of all programs together, and of each. */
#include <libpq-fe.h>

#include "db/due.h"
#include "internal.h"
#include "operations.h"
#include "rows.h"

void db_beat(struct db *db, db_id daemon, int64_t gap, db_beat_callback *done, void *context)
{
    struct db_request *request = queue_new(db, KIND_PULSE, &daemon, TAKES(beat, done), context);
    int64_t now = db_now(db);

    request->span = (struct db_span){now - gap, now};
    request->share = 1;
    queue_submit(db, request);
}

void db_get_daemons(struct db *db, db_id daemon, int64_t since, db_daemons_callback *done,
                    void *context)
{
    struct db_request *request =
        queue_new(db, KIND_DAEMONS, &daemon, TAKES(daemons, done), context);

    request->since = since;
    queue_submit(db, request);
}

void pulse_bind(struct wire_params *params, const struct batch *batch)
{
    wire_row(params, 0);
    wire_put_time(params, batch->members[0]->span.to);
    wire_put_time(params, batch->members[0]->span.from);
    wire_put_uuid(params, &batch->ids[0]);
}

void pulse_bind_daemons(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        wire_row(params, 0);
        wire_put_uuid(params, &batch->ids[i]);
        wire_put_time(params, batch->members[i]->since);
    }
}

/* One row: how many outages there were. */
void pulse_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    batch_reply(db, batch, 0,
                TELLS(beat, &(struct db_beat){wire_get_int4(PQgetvalue(result, 0, 0))}));
}

/* Rows: the member's number, and how many others there are. */
void pulse_decode_daemons(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (struct rows rows = {.end = 0}; rows_next(result, &rows);) {
        struct db_daemons daemons = {(size_t)wire_get_int4(PQgetvalue(result, rows.first, 1))};

        batch_reply(db, batch, rows.member, TELLS(daemons, &daemons));
    }
}
