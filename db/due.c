/* due.c - promises to look at a game or player again. */
#include "internal.h"
#include "operations.h"

/* ---- parameters ---- */

void due_put(struct wire_params *params, int first, const struct db_due *due)
{
    wire_row(params, first);
    wire_put_uuid(params, &due->id);
    wire_put_int2(params, due->kind);
    wire_put_moment(params, due->at);
}
