/* events.c - reading what happened in games: events, the moves of a line, their positions' keys. */
#include <libpq-fe.h>

#include "internal.h"
#include "operations.h"
#include "rows.h"

/* ---- requests ---- */

static void submit_range(struct db *db, enum db_kind kind, db_id id, struct range range,
                         db_callback done, void *context)
{
    struct db_request *request = queue_new_request(db, kind, &id, done, context);

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
                   db_callback done, void *context)
{
    submit_range(db, KIND_EVENTS, id, versions(kind, after, limit), done, context);
}

void db_get_log(struct db *db, db_id id, int32_t after, int32_t limit, db_callback done,
                void *context)
{
    submit_range(db, KIND_LOG, id, versions(0, after, limit), done, context);
}

void db_get_moves(struct db *db, db_id id, int32_t line, int32_t from, int32_t to, db_callback done,
                  void *context)
{
    struct range range = {.line = line, .first = from, .last = to};
    submit_range(db, KIND_MOVES, id, range, done, context);
}

void db_get_played(struct db *db, db_id id, int32_t line, int32_t from, int32_t to,
                   db_callback done, void *context)
{
    struct range range = {.line = line, .first = from, .last = to};
    submit_range(db, KIND_PLAYED, id, range, done, context);
}

void db_get_durable_moves(struct db *db, db_id id, int32_t line, int32_t from, int32_t to,
                          db_callback done, void *context)
{
    struct range range = {.line = line, .first = from, .last = to};
    submit_range(db, KIND_MOVES_DURABLE, id, range, done, context);
}

void db_get_keys(struct db *db, db_id id, int32_t line, int32_t from, int32_t to, db_callback done,
                 void *context)
{
    struct range range = {.line = line, .first = from, .last = to};
    submit_range(db, KIND_KEYS, id, range, done, context);
}

void db_get_line_end(struct db *db, db_id id, int32_t line, db_callback done, void *context)
{
    struct db_request *request = queue_new_request(db, KIND_LINE_END, &id, done, context);

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
    for (struct rows rows = {.end = 0}; rows_next(result, &rows);) {
        size_t count = rows_filled(result, &rows);
        struct db_event *events = batch_scratch(db, batch, rows.member, count * sizeof(*events));

        if (events == NULL)
            continue;
        for (size_t i = 0; i < count; i++)
            rows_event(result, rows.first + (int)i, &events[i]);
        batch_reply(db, batch, rows.member,
                    &(struct db_reply){.outcome = DB_OK, .events = events, .count = count});
    }
}

/* Rows: the member's number, and a key. */
void events_decode_keys(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (struct rows rows = {.end = 0}; rows_next(result, &rows);) {
        size_t count = rows_filled(result, &rows);
        int64_t *keys = batch_scratch(db, batch, rows.member, count * sizeof(*keys));

        if (keys == NULL)
            continue;
        for (size_t i = 0; i < count; i++)
            keys[i] = wire_get_int8(PQgetvalue(result, rows.first + (int)i, 1));
        batch_reply(db, batch, rows.member,
                    &(struct db_reply){.outcome = DB_OK, .keys = keys, .count = count});
    }
}

/* Rows: the member's number, and a ply; it is null if the game has no such line. */
void events_decode_line_ends(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (struct rows rows = {.end = 0}; rows_next(result, &rows);) {
        struct db_reply reply = {.outcome = DB_OK};

        if (!PQgetisnull(result, rows.first, 1))
            reply.ply = wire_get_int4(PQgetvalue(result, rows.first, 1));
        batch_reply(db, batch, rows.member, &reply);
    }
}
