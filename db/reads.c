/* reads.c - how far players have read their games, and what is new to them there. */
#include <libpq-fe.h>
#include <string.h>

#include "internal.h"
#include "operations.h"
#include "rows.h"

/* ---- requests ---- */

void db_set_read(struct db *db, db_id game, db_id player, int32_t version, db_done_callback *done,
                 void *context)
{
    struct db_request *request = queue_new(db, KIND_SET_READ, &game, TAKES(done, done), context);

    request->read_mark = (struct read_mark){player, version};
    queue_submit(db, request);
}

void db_count_unread(struct db *db, db_id player, const struct db_unread_from *from, size_t count,
                     db_unread_callback *done, void *context)
{
    struct db_request *request = queue_new(db, KIND_UNREAD, &player, TAKES(unread, done), context);

    request->unread = (struct unread){from, count};
    request->rows = count;
    request->bytes += count * sizeof(*from);
    request->share = 1;
    queue_submit(db, request);
}

/* ---- parameters ---- */

void reads_bind_set(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct read_mark *mark = &batch->members[i]->read_mark;

        wire_row(params, 0);
        wire_put_uuid(params, &batch->ids[i]);
        wire_put_uuid(params, &mark->player);
        wire_put_int4(params, mark->version);
    }
}

/* A batch of one. */
void reads_bind_unread(struct wire_params *params, const struct batch *batch)
{
    const struct unread *unread = &batch->members[0]->unread;

    for (size_t i = 0; i < unread->count; i++) {
        wire_row(params, 0);
        wire_put_uuid(params, &unread->from[i].game);
        wire_put_int4(params, unread->from[i].version);
        wire_put_int2(params, unread->from[i].own_seats);
    }
}

/* ---- results ---- */

static void read_unread(const struct pg_result *result, int row, struct db_unread_of *unread)
{
    memcpy(&unread->game, PQgetvalue(result, row, 1), sizeof(unread->game));
    unread->events = wire_get_int4(PQgetvalue(result, row, 2));
}

/* Rows: the member's number, a game, a number of events. */
void reads_decode_unread(struct db *db, const struct pg_result *result, struct batch *batch)
{
    batch_reply_list_of_unread(db, result, batch, read_unread);
}
