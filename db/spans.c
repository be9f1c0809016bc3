/* spans.c - reading times from one moment to another: outages, vacations. */
#include <libpq-fe.h>

#include "internal.h"
#include "operations.h"
#include "rows.h"

/* ---- requests ---- */

void db_get_outages(struct db *db, int32_t after, db_callback done, void *context)
{
    struct db_request *request = queue_new_request(db, KIND_OUTAGES, &(db_id){{0}}, done, context);

    request->after = after;
    request->rows = DB_OUTAGES_MAX;
    queue_submit(db, request);
}

void db_get_vacations(struct db *db, db_id player, int64_t since, db_callback done, void *context)
{
    struct db_request *request = queue_new_request(db, KIND_VACATIONS, &player, done, context);

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

/* Rows: the member's number, and the ends of a span. */
void spans_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (struct rows rows = {.end = 0}; rows_next(result, &rows);) {
        size_t count = (size_t)(rows.end - rows.first);
        struct db_span *spans = batch_scratch(db, batch, rows.member, count * sizeof(*spans));

        if (spans == NULL)
            continue;
        for (size_t i = 0; i < count; i++) {
            int row = rows.first + (int)i;

            spans[i].from = wire_get_time(PQgetvalue(result, row, 1));
            spans[i].to = wire_get_time(PQgetvalue(result, row, 2));
        }
        batch_reply(db, batch, rows.member,
                    &(struct db_reply){.outcome = DB_OK, .spans = spans, .count = count});
    }
}
