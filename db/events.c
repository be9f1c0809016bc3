/* events.c - reading what happened in games: events, the moves of a line, their positions' keys. */
#include <libpq-fe.h>

#include "internal.h"
#include "operations.h"
#include "rows.h"

/* ---- requests ---- */

static void submit_range(struct db *db, struct db_request *request, struct range range)
{
    request->range = range;
    request->rows = (size_t)((int64_t)range.last - range.first + 1);
    queue_submit(db, request);
}

/* Versions have no gaps, so a number of events is a range of versions. */
static struct range versions(int32_t kind, int32_t after, int32_t limit)
{
    int64_t last = (int64_t)after + limit;

    return (struct range){.line = kind, /* its place is free */
                          .first = after < INT32_MAX ? after + 1 : after,
                          .last = last < INT32_MAX ? (int32_t)last : INT32_MAX};
}

void db_get_events(struct db *db, db_id id, int16_t kind, int32_t after, int32_t limit,
                   db_events_callback *done, void *context)
{
    submit_range(db, queue_new(db, KIND_EVENTS, &id, TAKES(events, done), context),
                 versions(kind, after, limit));
}

void db_get_log(struct db *db, db_id id, int32_t after, int32_t limit, db_events_callback *done,
                void *context)
{
    submit_range(db, queue_new(db, KIND_LOG, &id, TAKES(events, done), context),
                 versions(0, after, limit));
}

void db_get_moves(struct db *db, db_id id, int32_t line, int32_t from, int32_t to,
                  db_events_callback *done, void *context)
{
    struct range range = {.line = line, .first = from, .last = to};
    submit_range(db, queue_new(db, KIND_MOVES, &id, TAKES(events, done), context), range);
}

void db_get_played(struct db *db, db_id id, int32_t line, int32_t from, int32_t to,
                   db_events_callback *done, void *context)
{
    struct range range = {.line = line, .first = from, .last = to};
    submit_range(db, queue_new(db, KIND_PLAYED, &id, TAKES(events, done), context), range);
}

void db_get_durable_moves(struct db *db, db_id id, int32_t line, int32_t from, int32_t to,
                          db_events_callback *done, void *context)
{
    struct range range = {.line = line, .first = from, .last = to};
    submit_range(db, queue_new(db, KIND_MOVES_DURABLE, &id, TAKES(events, done), context), range);
}

void db_get_keys(struct db *db, db_id id, int32_t line, int32_t from, int32_t to,
                 db_keys_callback *done, void *context)
{
    struct range range = {.line = line, .first = from, .last = to};
    submit_range(db, queue_new(db, KIND_KEYS, &id, TAKES(keys, done), context), range);
}

void db_get_line_end(struct db *db, db_id id, int32_t line, db_line_end_callback *done,
                     void *context)
{
    struct db_request *request = queue_new(db, KIND_LINE_END, &id, TAKES(line_end, done), context);

    request->range.line = line;
    queue_submit(db, request);
}

/* ---- parameters ---- */

void events_bind(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct range *range = &batch->members[i]->range;
        wire_row(params, 0);
        wire_put_uuid(params, &batch->ids[i]);
        wire_put_int4(params, range->line);
        wire_put_int4(params, range->first);
        wire_put_int4(params, range->last);
    }
}

void events_bind_lines(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        wire_row(params, 0);
        wire_put_uuid(params, &batch->ids[i]);
        wire_put_int4(params, batch->members[i]->range.line);
    }
}

/* ---- results ---- */

/* Rows: the member's number, and an event. */
void events_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    batch_reply_list_of_events(db, result, batch, rows_event);
}

static void read_event_key(const struct pg_result *result, int row, int64_t *key)
{
    *key = wire_get_int8(PQgetvalue(result, row, 1));
}

/* Rows: the member's number, and a key. */
void events_decode_keys(struct db *db, const struct pg_result *result, struct batch *batch)
{
    batch_reply_list_of_keys(db, result, batch, read_event_key);
}

/* Rows: the member's number, and a ply; it is null if the game has no such line. */
void events_decode_line_ends(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (struct rows rows = {.end = 0}; rows_next(result, &rows);) {
        struct db_line_end end = {.ply = 0};

        if (rows_filled(result, &rows) > 0)
            end.ply = wire_get_int4(PQgetvalue(result, rows.first, 1));
        batch_reply(db, batch, rows.member, TELLS(line_end, &end));
    }
}
