/* accounts.c - which players the accounts of an identity provider are. */
#include <libpq-fe.h>
#include <string.h>

#include "internal.h"
#include "operations.h"

/* ---- requests ---- */

void db_get_account(struct db *db, db_id id, db_account_callback *done, void *context)
{
    queue_submit(db, queue_new(db, KIND_ACCOUNT, &id, TAKES(account, done), context));
}

void db_create_account(struct db *db, const struct db_account *account, int64_t at,
                       db_done_callback *done, void *context)
{
    struct db_request *request =
        queue_new(db, KIND_CREATE_ACCOUNT, &account->id, TAKES(done, done), context);

    request->account = (struct account_write){.player = account->player, .at = at};
    queue_submit(db, request);
}

void db_set_account(struct db *db, const struct db_account *account, db_id expected,
                    db_done_callback *done, void *context)
{
    struct db_request *request =
        queue_new(db, KIND_SET_ACCOUNT, &account->id, TAKES(done, done), context);

    request->account = (struct account_write){.player = account->player, .expected = expected};
    queue_submit(db, request);
}

/* ---- parameters ---- */

void accounts_bind(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct account_write *account = &batch->members[i]->account;

        wire_row(params, 0);
        wire_put_uuid(params, &batch->ids[i]);
        wire_put_uuid(params, &account->player);
        wire_put_time(params, account->at);
    }
}

void accounts_bind_change(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct account_write *account = &batch->members[i]->account;

        wire_row(params, 0);
        wire_put_uuid(params, &batch->ids[i]);
        wire_put_uuid(params, &account->player);
        wire_put_uuid(params, &account->expected);
    }
}

/* ---- results ---- */

/* Rows: id, player. */
void accounts_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (int row = 0; row < PQntuples(result); row++) {
        struct db_account account;

        memcpy(&account.id, PQgetvalue(result, row, 0), sizeof(account.id));
        memcpy(&account.player, PQgetvalue(result, row, 1), sizeof(account.player));
        batch_reply_all(db, batch, &account.id, TELLS(account, &account));
    }
}
