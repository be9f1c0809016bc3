/* plans.c - what a seat plays if its opponent plays this or that. */
#include <libpq-fe.h>
#include <string.h>

#include "internal.h"
#include "operations.h"
#include "rows.h"

/* ---- requests ---- */

void db_set_plan(struct db *db, const struct db_set_plan *set, db_done_callback *done,
                 void *context)
{
    struct db_request *request =
        queue_new(db, KIND_SET_PLAN, &set->game, TAKES(done, done), context);

    request->set_plan = *set;
    if (set->plan->tree != NULL)
        request->bytes += strlen(set->plan->tree);
    queue_submit(db, request);
}

void db_get_plan(struct db *db, db_id game, int16_t seat, db_plan_callback *done, void *context)
{
    struct db_request *request = queue_new(db, KIND_PLAN, &game, TAKES(plan, done), context);

    request->seat = seat;
    queue_submit(db, request);
}

/* ---- parameters ---- */

void plans_bind_set(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct db_set_plan *set = &batch->members[i]->set_plan;

        wire_row(params, 0);
        wire_put_uuid(params, &set->game);
        wire_put_int4(params, set->version);
        wire_put_int4(params, set->expected_plans);
        wire_put_int4(params, set->plans);
        wire_put_int2(params, set->plan->seat);
        wire_put_int4(params, set->plan->line);
        wire_put_int4(params, set->plan->ply);
        wire_put_text(params, set->plan->tree);
    }
}

void plans_bind(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        wire_row(params, 0);
        wire_put_uuid(params, &batch->ids[i]);
        wire_put_int2(params, batch->members[i]->seat);
    }
}

/* ---- results ---- */

/* Rows: the member's number, and a plan without its seat, which the member knows. */
void plans_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (struct rows rows = {.end = 0}; rows_next(result, &rows);) {
        const struct db_request *request = batch_member(batch, rows.member);
        struct db_plan plan;

        if (request == NULL)
            continue;
        plan = (struct db_plan){.seat = request->seat,
                                .line = wire_get_int4(PQgetvalue(result, rows.first, 1)),
                                .ply = wire_get_int4(PQgetvalue(result, rows.first, 2)),
                                .tree = PQgetvalue(result, rows.first, 3)};
        batch_reply(db, batch, rows.member, TELLS(plan, &plan));
    }
}
