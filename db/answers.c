/* answers.c - the stored answers to requests with an idempotency key. */
#include <libpq-fe.h>
#include <string.h>

#include "internal.h"
#include "operations.h"
#include "rows.h"

void db_get_answer(struct db *db, db_id id, const uint8_t key[DB_HASH_BYTES], db_callback done,
                   void *context)
{
    struct db_request *request = queue_new_request(db, KIND_ANSWER, &id, done, context);
    memcpy(request->key, key, sizeof(request->key));
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

void answers_bind(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        wire_row(params, 0);
        wire_put_uuid(params, &batch->ids[i]);
        wire_put_bytes(params, batch->members[i]->key, DB_HASH_BYTES);
    }
}

/* Rows: the member's number, and its answer without the key, which the member knows. */
void answers_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (struct rows rows = {.end = 0}; rows_next(result, &rows);) {
        const struct db_request *request = batch_member(batch, rows.member);
        int row = rows.first;

        if (request == NULL)
            continue;
        struct db_answer answer = {.status = wire_get_int2(PQgetvalue(result, row, 2)),
                                   .sealed = PQgetvalue(result, row, 3),
                                   .sealed_len = (size_t)PQgetlength(result, row, 3),
                                   .at = wire_get_time(PQgetvalue(result, row, 4))};
        memcpy(answer.key, request->key, sizeof(answer.key));
        if (PQgetlength(result, row, 1) == sizeof(answer.fingerprint))
            memcpy(answer.fingerprint, PQgetvalue(result, row, 1), sizeof(answer.fingerprint));
        batch_reply(db, batch, rows.member,
                    &(struct db_reply){.outcome = DB_OK, .answer = &answer});
    }
}
