/* results.c - how players have done in their games. */
#include <libpq-fe.h>

#include "internal.h"
#include "operations.h"
#include "rows.h"

/* ---- requests ---- */

void db_get_results(struct db *db, const struct db_results_of *wanted, db_results_callback *done,
                    void *context)
{
    struct db_request *request =
        queue_new(db, KIND_RESULTS, &wanted->player, TAKES(results, done), context);

    request->results_of = *wanted;
    request->share = 1;
    queue_submit(db, request);
}

/* ---- parameters ---- */

static void put_or_null(struct wire_params *params, bool is, const db_id *id)
{
    if (is)
        wire_put_uuid(params, id);
    else
        wire_put_null(params);
}

/* A batch of one. */
void results_bind(struct wire_params *params, const struct batch *batch)
{
    const struct db_results_of *wanted = &batch->members[0]->results_of;

    wire_row(params, 0);
    wire_put_uuid(params, &wanted->player);
    put_or_null(params, wanted->has_against, &wanted->against);
    put_or_null(params, wanted->has_asker, &wanted->asker);
}

/* ---- results ---- */

static void read_tally(const struct pg_result *result, int row, struct db_result *of)
{
    of->variant = PQgetvalue(result, row, 1);
    of->won = wire_get_int4(PQgetvalue(result, row, 2));
    of->drawn = wire_get_int4(PQgetvalue(result, row, 3));
    of->lost = wire_get_int4(PQgetvalue(result, row, 4));
}

/* Rows: the member's number, a variant, and three numbers of games. */
void results_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    batch_reply_list_of_results(db, result, batch, read_tally);
}
