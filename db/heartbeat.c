/* heartbeat.c - the heartbeat of all programs together, and of each; outages and vacations. */
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

/* ---- outages and vacations ---- */

void db_get_outages(struct db *db, int32_t after, db_spans_callback *done, void *context)
{
    struct db_request *request =
        queue_new(db, KIND_OUTAGES, &(db_id){{0}}, TAKES(spans, done), context);

    request->after = after;
    request->rows = DB_OUTAGES_MAX;
    queue_submit(db, request);
}

void db_get_vacations(struct db *db, db_id player, int64_t since, db_spans_callback *done,
                      void *context)
{
    struct db_request *request =
        queue_new(db, KIND_VACATIONS, &player, TAKES(spans, done), context);

    request->since = since;
    request->rows = DB_VACATIONS_MAX;
    queue_submit(db, request);
}

/* ---- parameters ---- */

void spans_bind_outages(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        wire_row(params, 0);
        wire_put_int4(params, batch->members[i]->after);
    }
}

void spans_bind_vacations(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        wire_row(params, 0);
        wire_put_uuid(params, &batch->ids[i]);
        wire_put_time(params, batch->members[i]->since);
    }
}

/* ---- results ---- */

static void read_span(const struct pg_result *result, int row, struct db_span *span)
{
    span->from = wire_get_time(PQgetvalue(result, row, 1));
    span->to = wire_get_time(PQgetvalue(result, row, 2));
}

/* Rows: the member's number, and the ends of a span. */
void spans_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    batch_reply_list_of_spans(db, result, batch, read_span);
}
