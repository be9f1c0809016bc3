/* pulse.c - the heartbeat of all programs together. */
#include <libpq-fe.h>

#include "internal.h"
#include "operations.h"

void db_pulse(struct db *db, int64_t gap, db_callback done, void *context)
{
    struct db_request *request = queue_new_request(db, KIND_PULSE, &(db_id){{0}}, done, context);
    int64_t now = db_now(db);

    request->span = (struct db_span){now - gap, now};
    request->share = 1;
    queue_submit(db, request);
}

void pulse_bind(struct wire_params *params, const struct batch *batch)
{
    wire_row(params, 0);
    wire_put_time(params, batch->members[0]->span.to);
    wire_put_time(params, batch->members[0]->span.from);
}

/* One row: how many outages there were. */
void pulse_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    struct db_reply reply = {.outcome = DB_OK, .outages = wire_get_int4(PQgetvalue(result, 0, 0))};
    batch_reply(db, batch, 0, &reply);
}
