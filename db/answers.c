/* answers.c - the stored answers to requests with an idempotency key. */
#include <libpq-fe.h>
#include <string.h>

#include "internal.h"
#include "operations.h"
#include "rows.h"

void db_get_answer(struct db *db, db_id id, const uint8_t key[DB_HASH_BYTES],
                   db_answer_callback *done, void *context)
{
    struct db_request *request = queue_new(db, KIND_ANSWER, &id, TAKES(answer, done), context);
    memcpy(request->key, key, sizeof(request->key));
    queue_submit(db, request);
}

void db_keep_answer(struct db *db, db_id id, const struct db_answer *answer, db_done_callback *done,
                    void *context)
{
    struct db_request *request = queue_new(db, KIND_KEEP_ANSWER, &id, TAKES(done, done), context);

    request->kept = answer;
    request->bytes += answer->sealed_len;
    queue_submit(db, request);
}

void db_forget_answers(struct db *db, int64_t before, db_forgotten_callback *done, void *context)
{
    struct db_request *request =
        queue_new(db, KIND_FORGET, &(db_id){{0}}, TAKES(forgotten, done), context);
    request->before = before;
    request->share = 1;
    queue_submit(db, request);
}

void answers_put(struct wire_params *params, int first, const db_id *id,
                 const struct db_answer *answer)
{
    wire_row(params, first);
    wire_put_uuid(params, id);
    wire_put_bytes(params, answer->key, sizeof(answer->key));
    wire_put_bytes(params, answer->fingerprint, sizeof(answer->fingerprint));
    wire_put_int2(params, answer->status);
    wire_put_bytes(params, answer->sealed, answer->sealed_len);
    wire_put_time(params, answer->at);
}

void answers_bind_keep(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        answers_put(params, 0, &batch->ids[i], batch->members[i]->kept);
}

void answers_put_mark(struct wire_params *params, const struct db_answer *answer)
{
    if (answer == NULL || answer->sealed != NULL) {
        wire_put_null(params);
        wire_put_null(params);
        return;
    }
    wire_put_int8(params, wire_get_int8(answer->key));
    wire_put_int8(params, wire_get_int8(answer->fingerprint));
}

void answers_bind(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        wire_row(params, 0);
        wire_put_uuid(params, &batch->ids[i]);
        wire_put_bytes(params, batch->members[i]->key, DB_HASH_BYTES);
        wire_put_int8(params, wire_get_int8(batch->members[i]->key));
    }
}

/* A whole answer, which begins at column 1. */
static void read_sealed(const struct pg_result *result, int row, struct db_answer *answer)
{
    if (PQgetlength(result, row, 1) == sizeof(answer->fingerprint))
        memcpy(answer->fingerprint, PQgetvalue(result, row, 1), sizeof(answer->fingerprint));
    answer->status = wire_get_int2(PQgetvalue(result, row, 2));
    answer->sealed = PQgetvalue(result, row, 3);
    answer->sealed_len = (size_t)PQgetlength(result, row, 3);
    answer->at = wire_get_time(PQgetvalue(result, row, 4));
}

/* A mark and its event, which begin at column 5. */
static void read_answer_mark(const struct pg_result *result, int row, struct db_answer *answer)
{
    memcpy(answer->fingerprint, PQgetvalue(result, row, 5), DB_MARK_BYTES);
    answer->version = wire_get_int4(PQgetvalue(result, row, 6));
    answer->kind = wire_get_int2(PQgetvalue(result, row, 7));
    answer->seat = wire_get_int2(PQgetvalue(result, row, 8));
    answer->line = wire_get_int4(PQgetvalue(result, row, 9));
    answer->ply = wire_get_int4(PQgetvalue(result, row, 10));
}

/* Most keys are new. What is there is read once more before it is told: telling it says that it is
 * durable. */
void answers_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (struct rows rows = {.end = 0}; rows_next(result, &rows);)
        batch_again_as(db, batch, rows.member, KIND_ANSWER_DURABLE);
}

/* Rows: the member's number, and its answer without the key, which the member knows. */
void answers_decode_durable(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (struct rows rows = {.end = 0}; rows_next(result, &rows);) {
        const struct db_request *request = batch_member(batch, rows.member);
        struct db_answer answer = {.sealed = NULL};

        if (request == NULL)
            continue;
        memcpy(answer.key, request->key, sizeof(answer.key));
        if (PQgetisnull(result, rows.first, 2))
            read_answer_mark(result, rows.first, &answer);
        else
            read_sealed(result, rows.first, &answer);
        batch_reply(db, batch, rows.member, TELLS(answer, &answer));
    }
}

/* ---- forgetting ---- */

void answers_bind_forget(struct wire_params *params, const struct batch *batch)
{
    wire_row(params, 0);
    wire_put_time(params, batch->members[0]->before);
}

/* One row: how many there were. */
void answers_decode_forget(struct db *db, const struct pg_result *result, struct batch *batch)
{
    struct db_forgotten forgotten = {(size_t)wire_get_int4(PQgetvalue(result, 0, 0))};

    batch_reply(db, batch, 0, TELLS(forgotten, &forgotten));
}
