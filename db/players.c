/* players.c - making, changing and reading players, and their vacations. */
#include <libpq-fe.h>
#include <string.h>

#include "internal.h"
#include "operations.h"
#include "rows.h"

/* ---- requests ---- */

void db_create_player(struct db *db, const struct db_create_player *create, db_done_callback *done,
                      void *context)
{
    struct db_request *request =
        queue_new(db, KIND_CREATE_PLAYER, &create->player->id, TAKES(done, done), context);

    request->player = *create;
    if (create->answer != NULL)
        request->bytes += create->answer->sealed_len;
    queue_submit(db, request);
}

void db_get_player(struct db *db, db_id id, db_player_callback *done, void *context)
{
    queue_submit(db, queue_new(db, KIND_PLAYER, &id, TAKES(player, done), context));
}

/* They are about no player, so all have the same id. */
void db_find_players(struct db *db, const char *beginning, int32_t limit, db_found_callback *done,
                     void *context)
{
    static const db_id nobodys = {{0}};
    struct db_request *request =
        queue_new(db, KIND_FIND_PLAYERS, &nobodys, TAKES(found, done), context);

    request->finding = (struct finding){beginning, limit};
    request->rows = (size_t)limit;
    request->share = 1;
    queue_submit(db, request);
}

void db_set_player(struct db *db, const struct db_player_change *change, db_done_callback *done,
                   void *context)
{
    struct db_request *request =
        queue_new(db, KIND_SET_PLAYER, &change->player->id, TAKES(done, done), context);

    request->player_change = *change;
    queue_submit(db, request);
}

void db_set_vacation(struct db *db, db_id player, const struct db_span *span,
                     const struct db_due *due, db_done_callback *done, void *context)
{
    struct db_request *request =
        queue_new(db, KIND_SET_VACATION, &player, TAKES(done, done), context);

    request->vacation = (struct vacation){span, due};
    queue_submit(db, request);
}

/* ---- parameters: an answer or a promise comes first, and then the player ---- */

enum { ANSWER_AT = 0, PLAYER_AT = 6, PROMISE_AT = 0, CHANGE_AT = 3 };

void players_bind(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct db_create_player *create = &batch->members[i]->player;
        const struct db_player *player = create->player;

        if (create->answer != NULL)
            answers_put(params, ANSWER_AT, &player->id, create->answer);
        wire_row(params, PLAYER_AT);
        wire_put_uuid(params, &player->id);
        wire_put_text(params, player->name);
        wire_put_bytes(params, player->token, sizeof(player->token));
        wire_put_time(params, player->created_at);
    }
}

/* NULL where there are none, as in rows of those who never had any. */
static void put_tokens(struct wire_params *params, const struct db_player *player)
{
    if (player->ntokens > 0)
        wire_put_bytes(params, player->tokens, player->ntokens * DB_HASH_BYTES);
    else
        wire_put_null(params);
    wire_put_text(params, player->tokens_about);
}

static void put_account(struct wire_params *params, const struct db_joined *joined)
{
    if (joined->has_account)
        wire_put_uuid(params, &joined->account);
    else
        wire_put_null(params);
    wire_put_moment(params, joined->at);
}

static void put_joined(struct wire_params *params, const struct db_joined *joined)
{
    put_account(params, joined);
    wire_put_int2(params, joined->is);
    if (joined->has_account)
        wire_put_bytes(params, joined->secret, sizeof(joined->secret));
    else
        wire_put_null(params);
    wire_put_text(params, joined->has_account ? joined->origin : NULL);
}

static void put_handover(struct wire_params *params, const struct db_player *player)
{
    if (player->has_handover)
        wire_put_uuid(params, &player->handover);
    else
        wire_put_null(params);
}

static void put_changed(struct wire_params *params, const struct db_player *player)
{
    wire_put_uuid(params, &player->id);
    wire_put_text(params, player->name);
    wire_put_bytes(params, player->token, sizeof(player->token));
    wire_put_moment(params, player->left_at);
    put_joined(params, &player->joined);
    put_tokens(params, player);
    put_handover(params, player);
}

/* What was read of all that is set, but for what follows from the token. */
static void put_had(struct wire_params *params, const struct db_player *had)
{
    wire_put_text(params, had->name);
    wire_put_bytes(params, had->token, sizeof(had->token));
    put_account(params, &had->joined);
    put_tokens(params, had);
    put_handover(params, had);
}

static void put_hash(struct wire_params *params, const uint8_t *hash)
{
    if (hash != NULL)
        wire_put_bytes(params, hash, DB_HASH_BYTES);
    else
        wire_put_null(params);
}

void players_bind_change(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct db_player_change *change = &batch->members[i]->player_change;

        if (change->due != NULL)
            due_put(params, PROMISE_AT, change->due);
        wire_row(params, CHANGE_AT);
        put_changed(params, change->player);
        wire_put_int2(params, change->ends_hooks);
        put_had(params, change->had);
        put_hash(params, change->ended);
        put_hash(params, change->become);
        wire_put_int2(params, change->player->unfound);
        wire_put_int2(params, change->had->unfound);
        wire_put_text(params, change->player->about);
        wire_put_text(params, change->player->picture);
        wire_put_text(params, change->had->about);
        wire_put_text(params, change->had->picture);
    }
}

/* A batch of one. */
void players_bind_find(struct wire_params *params, const struct batch *batch)
{
    const struct finding *finding = &batch->members[0]->finding;

    wire_row(params, 0);
    wire_put_text(params, finding->beginning);
    wire_put_int4(params, finding->limit);
}

void players_bind_vacation(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct vacation *vacation = &batch->members[i]->vacation;

        if (vacation->due != NULL)
            due_put(params, PROMISE_AT, vacation->due);
        wire_row(params, CHANGE_AT);
        wire_put_uuid(params, &batch->ids[i]);
        wire_put_time(params, vacation->span->from);
        wire_put_time(params, vacation->span->to);
    }
}

/* ---- results ---- */

static const char *text_or_null(const struct pg_result *result, int row, int column)
{
    return PQgetisnull(result, row, column) ? NULL : PQgetvalue(result, row, column);
}

/* From column 7 on: the account, its time, whether it acts, its secret, where it came from. */
static void read_joined(const struct pg_result *result, int row, struct db_joined *joined)
{
    joined->at = rows_moment(result, row, 8);
    joined->has_account = !PQgetisnull(result, row, 7);
    if (!joined->has_account || PQgetlength(result, row, 10) != sizeof(joined->secret))
        return;
    memcpy(&joined->account, PQgetvalue(result, row, 7), sizeof(joined->account));
    joined->is = *PQgetvalue(result, row, 9) != 0;
    memcpy(joined->secret, PQgetvalue(result, row, 10), sizeof(joined->secret));
    joined->origin = text_or_null(result, row, 11);
}

/* From column 12 on: the tokens, what is known of them, the handover. */
static void read_tokens(const struct pg_result *result, int row, struct db_player *player)
{
    size_t bytes = (size_t)PQgetlength(result, row, 12);

    if (bytes <= sizeof(player->tokens)) {
        player->ntokens = bytes / DB_HASH_BYTES;
        memcpy(player->tokens, PQgetvalue(result, row, 12), player->ntokens * DB_HASH_BYTES);
    }
    player->tokens_about = text_or_null(result, row, 13);
    player->has_handover = !PQgetisnull(result, row, 14);
    if (player->has_handover)
        memcpy(&player->handover, PQgetvalue(result, row, 14), sizeof(player->handover));
}

/* Rows: id, name, token, when it was made, when they left, whether they had webhooks, when they got
 * the token, what is joined, what else acts, whether they are not found, and what they show of
 * themselves. */
void players_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (int row = 0; row < PQntuples(result); row++) {
        struct db_player player = {.name = PQgetvalue(result, row, 1),
                                   .created_at = wire_get_time(PQgetvalue(result, row, 3)),
                                   .left_at = rows_moment(result, row, 4),
                                   .hooks = *PQgetvalue(result, row, 5) != 0,
                                   .token_at = rows_moment(result, row, 6)};

        memcpy(&player.id, PQgetvalue(result, row, 0), sizeof(player.id));
        if (PQgetlength(result, row, 2) == sizeof(player.token))
            memcpy(player.token, PQgetvalue(result, row, 2), sizeof(player.token));
        read_joined(result, row, &player.joined);
        read_tokens(result, row, &player);
        player.unfound = *PQgetvalue(result, row, 15) != 0;
        player.about = text_or_null(result, row, 16);
        player.picture = text_or_null(result, row, 17);
        batch_reply_all(db, batch, &player.id, TELLS(player, &player));
    }
}

static void read_found(const struct pg_result *result, int row, struct db_found_player *found)
{
    memcpy(&found->id, PQgetvalue(result, row, 1), sizeof(found->id));
    found->name = PQgetvalue(result, row, 2);
    found->created_at = wire_get_time(PQgetvalue(result, row, 3));
    found->about = text_or_null(result, row, 4);
    found->picture = text_or_null(result, row, 5);
}

/* Rows: the member's number, and a player. */
void players_decode_found(struct db *db, const struct pg_result *result, struct batch *batch)
{
    batch_reply_list_of_found(db, result, batch, read_found);
}

/* ---- the accounts of an identity provider ---- */

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
