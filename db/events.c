/* events.c - reading what happened in games, and stored answers. */
#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* ---- requests ---- */

static void submit_range(struct db *db, enum db_kind kind, db_id id, struct range range,
                         db_callback done, void *context)
{
    struct db_request *request = queue_new_request(db, kind, &id, done, context);
    request->range = range;
    queue_submit(db, request);
}

/* Versions have no gaps, so that a number of events is a range of versions. */
void db_get_events(struct db *db, db_id id, int32_t after, int32_t limit, db_callback done,
                   void *context)
{
    int64_t last = (int64_t)after + limit;
    struct range range = {.first = after < INT32_MAX ? after + 1 : after,
                          .last = last < INT32_MAX ? (int32_t)last : INT32_MAX};
    submit_range(db, KIND_EVENTS, id, range, done, context);
}

void db_get_moves(struct db *db, db_id id, int32_t line, int32_t from, int32_t to, db_callback done,
                  void *context)
{
    struct range range = {.line = line, .first = from, .last = to};
    submit_range(db, KIND_MOVES, id, range, done, context);
}

void db_get_keys(struct db *db, db_id id, int32_t line, int32_t from, int32_t to, db_callback done,
                 void *context)
{
    struct range range = {.line = line, .first = from, .last = to};
    submit_range(db, KIND_KEYS, id, range, done, context);
}

void db_get_answer(struct db *db, db_id id, const uint8_t key[DB_HASH_BYTES], db_callback done,
                   void *context)
{
    struct db_request *request = queue_new_request(db, KIND_ANSWER, &id, done, context);
    memcpy(request->key, key, sizeof(request->key));
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

void answers_bind(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        wire_row(params, 0);
        wire_put_uuid(params, &batch->ids[i]);
        wire_put_bytes(params, batch->members[i]->key, DB_HASH_BYTES);
    }
}

/* ---- results ---- */

size_t rows_member(const struct pg_result *result, int row)
{
    return (size_t)wire_get_int4(PQgetvalue(result, row, 0)) - 1;
}

int rows_end(const struct pg_result *result, int row)
{
    size_t member = rows_member(result, row);
    while (++row < PQntuples(result) && rows_member(result, row) == member) {
    }
    return row;
}

void *batch_scratch(struct db *db, size_t bytes)
{
    if (bytes <= db->scratch_size)
        return db->scratch;
    void *more = realloc(db->scratch, bytes);
    if (!more)
        return NULL;
    db->scratch = more;
    db->scratch_size = bytes;
    return more;
}

static const char *text_at(const struct pg_result *result, int row, int column)
{
    return PQgetisnull(result, row, column) ? NULL : PQgetvalue(result, row, column);
}

void rows_event(const struct pg_result *result, int row, struct db_event *event)
{
    event->version = wire_get_int4(PQgetvalue(result, row, 1));
    event->kind = wire_get_int2(PQgetvalue(result, row, 2));
    event->seat = wire_get_int2(PQgetvalue(result, row, 3));
    event->line = wire_get_int4(PQgetvalue(result, row, 4));
    event->ply = wire_get_int4(PQgetvalue(result, row, 5));
    event->key = wire_get_int8(PQgetvalue(result, row, 6));
    event->at = wire_get_time(PQgetvalue(result, row, 7));
    event->move = text_at(result, row, 8);
    event->position = text_at(result, row, 9);
    event->data = text_at(result, row, 10);
}

/* How many of the rows from `row` to `end` hold something: a game without any has a row of nulls.
 */
static size_t rows_filled(const struct pg_result *result, int row, int end)
{
    return PQgetisnull(result, row, 1) ? 0 : (size_t)(end - row);
}

static const struct db_error no_memory = {"", "memory is out"};

void events_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (int row = 0, end; row < PQntuples(result); row = end) {
        end = rows_end(result, row);
        size_t count = rows_filled(result, row, end), member = rows_member(result, row);
        struct db_event *events = batch_scratch(db, count * sizeof(*events));
        if (count && !events) {
            batch_end(db, batch, member, DB_UNAVAILABLE, &no_memory);
            continue;
        }
        for (size_t i = 0; i < count; i++)
            rows_event(result, row + (int)i, &events[i]);
        batch_reply(db, batch, member,
                    &(struct db_reply){.outcome = DB_OK, .events = events, .count = count});
    }
}

void events_decode_keys(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (int row = 0, end; row < PQntuples(result); row = end) {
        end = rows_end(result, row);
        size_t count = rows_filled(result, row, end), member = rows_member(result, row);
        int64_t *read = batch_scratch(db, count * sizeof(*read));
        if (count && !read) {
            batch_end(db, batch, member, DB_UNAVAILABLE, &no_memory);
            continue;
        }
        for (size_t i = 0; i < count; i++)
            read[i] = wire_get_int8(PQgetvalue(result, row + (int)i, 1));
        batch_reply(db, batch, member,
                    &(struct db_reply){.outcome = DB_OK, .keys = read, .count = count});
    }
}

/* Rows: the member, and its answer. */
void answers_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (int row = 0; row < PQntuples(result); row++) {
        size_t i = rows_member(result, row);
        if (i >= batch->count || !batch->members[i])
            continue;
        struct db_answer answer = {.status = wire_get_int2(PQgetvalue(result, row, 2)),
                                   .sealed = PQgetvalue(result, row, 3),
                                   .sealed_len = (size_t)PQgetlength(result, row, 3),
                                   .at = wire_get_time(PQgetvalue(result, row, 4))};
        memcpy(answer.key, batch->members[i]->key, sizeof(answer.key));
        if (PQgetlength(result, row, 1) == sizeof(answer.fingerprint))
            memcpy(answer.fingerprint, PQgetvalue(result, row, 1), sizeof(answer.fingerprint));
        batch_reply(db, batch, i, &(struct db_reply){.outcome = DB_OK, .answer = &answer});
    }
}
