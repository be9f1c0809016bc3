/* hooks.c - webhooks, where they stand in the games, and what became of their deliveries. */
#include <libpq-fe.h>
#include <string.h>

#include "db/hooks.h"
#include "internal.h"
#include "operations.h"
#include "rows.h"

/* ---- requests ---- */

void db_mark_game(struct db *db, db_id game, int16_t sets, int16_t clears, const struct db_due *due,
                  db_done_callback *done, void *context)
{
    struct db_request *request = queue_new(db, KIND_MARK_GAME, &game, TAKES(done, done), context);

    request->mark = (struct mark){sets, clears, due};
    queue_submit(db, request);
}

static void submit_write(struct db *db, enum db_kind kind, const struct db_hook_write *write,
                         db_done_callback *done, void *context)
{
    struct db_request *request = queue_new(db, kind, &write->player, TAKES(done, done), context);

    request->hook_write = *write;
    request->bytes += strlen(write->hook->url);
    if (write->answer != NULL)
        request->bytes += write->answer->sealed_len;
    queue_submit(db, request);
}

void db_create_hook(struct db *db, const struct db_hook_write *write, db_done_callback *done,
                    void *context)
{
    submit_write(db, KIND_CREATE_HOOK, write, done, context);
}

void db_set_hook(struct db *db, const struct db_hook_write *write, db_done_callback *done,
                 void *context)
{
    submit_write(db, KIND_SET_HOOK, write, done, context);
}

void db_subscribe(struct db *db, const struct db_hook_write *write, db_done_callback *done,
                  void *context)
{
    submit_write(db, KIND_SUBSCRIBE, write, done, context);
}

void db_confirm_hook(struct db *db, const struct db_confirmation *confirmation,
                     db_done_callback *done, void *context)
{
    struct db_request *request =
        queue_new(db, KIND_CONFIRM_HOOK, &confirmation->player, TAKES(done, done), context);

    request->confirmation = *confirmation;
    queue_submit(db, request);
}

void db_delete_hook(struct db *db, const struct db_hook_end *end, db_done_callback *done,
                    void *context)
{
    struct db_request *request =
        queue_new(db, KIND_DELETE_HOOK, &end->player, TAKES(done, done), context);

    request->hook_end = *end;
    queue_submit(db, request);
}

void db_get_deliveries(struct db *db, db_id player, db_id hook, db_deliveries_callback *done,
                       void *context)
{
    struct db_request *request =
        queue_new(db, KIND_DELIVERIES, &player, TAKES(deliveries, done), context);

    request->hook = hook;
    request->rows = DB_DELIVERIES_MAX;
    queue_submit(db, request);
}

void db_get_hooks(struct db *db, db_id player, db_hooks_callback *done, void *context)
{
    struct db_request *request = queue_new(db, KIND_HOOKS, &player, TAKES(hooks, done), context);

    request->rows = DB_RECEIVERS_MAX;
    queue_submit(db, request);
}

void db_get_hook_news(struct db *db, db_id player, db_news_callback *done, void *context)
{
    struct db_request *request = queue_new(db, KIND_HOOK_NEWS, &player, TAKES(news, done), context);

    request->rows = DB_RECEIVERS_MAX * DB_HOOK_NEWS_MAX;
    queue_submit(db, request);
}

void db_announce(struct db *db, const struct db_announcement *announcement, db_done_callback *done,
                 void *context)
{
    struct db_request *request =
        queue_new(db, KIND_ANNOUNCE, &announcement->player, TAKES(done, done), context);

    request->announcement = *announcement;
    queue_submit(db, request);
}

void db_note_delivered(struct db *db, const struct db_delivered *delivered, db_done_callback *done,
                       void *context)
{
    struct db_request *request =
        queue_new(db, KIND_DELIVERED, &delivered->player, TAKES(done, done), context);

    request->delivered = *delivered;
    queue_submit(db, request);
}

void db_get_push_key(struct db *db, const struct db_push_key *made, db_push_key_callback *done,
                     void *context)
{
    struct db_request *request =
        queue_new(db, KIND_PUSH_KEY, &(db_id){{0}}, TAKES(push_key, done), context);

    request->push_key = *made;
    queue_submit(db, request);
}

void db_get_version_before(struct db *db, db_id game, int64_t at, db_version_callback *done,
                           void *context)
{
    struct db_request *request =
        queue_new(db, KIND_VERSION_BEFORE, &game, TAKES(version, done), context);

    request->since = at;
    queue_submit(db, request);
}

/* ---- parameters: an answer comes first, then a promise, then what is written ---- */

enum {
    ANSWER_AT = 0,
    PROMISE_AT = 6,
    HOOK_AT = 9,
    MARK_PROMISE_AT = 0,
    MARK_AT = 3,
    SUBSCRIBE_PROMISE_AT = 0,
    SUBSCRIBE_AT = 3
};

void hooks_bind_mark(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct mark *mark = &batch->members[i]->mark;

        if (mark->due != NULL)
            due_put(params, MARK_PROMISE_AT, mark->due);
        wire_row(params, MARK_AT);
        wire_put_uuid(params, &batch->ids[i]);
        wire_put_int2(params, mark->sets);
        wire_put_int2(params, mark->clears);
    }
}

void hooks_bind_before(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        wire_row(params, 0);
        wire_put_uuid(params, &batch->ids[i]);
        wire_put_time(params, batch->members[i]->since);
    }
}

static void put_beside(struct wire_params *params, const struct db_hook_write *write)
{
    if (write->answer != NULL)
        answers_put(params, ANSWER_AT, &write->player, write->answer);
    if (write->due != NULL)
        due_put(params, PROMISE_AT, write->due);
    wire_row(params, HOOK_AT);
    wire_put_uuid(params, &write->player);
    wire_put_uuid(params, &write->hook->id);
}

static void put_what(struct wire_params *params, const struct db_hook *hook)
{
    wire_put_text(params, hook->url);
    wire_put_int8(params, hook->events);
    wire_put_bytes(params, hook->secret, sizeof(hook->secret));
}

static void put_maker(struct wire_params *params, const struct db_hook_write *write)
{
    if (write->made_by != NULL)
        wire_put_bytes(params, write->made_by, DB_HASH_BYTES);
    else
        wire_put_null(params);
}

void hooks_bind_create(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct db_hook_write *write = &batch->members[i]->hook_write;

        put_beside(params, write);
        wire_put_time(params, write->hook->created_at);
        put_what(params, write->hook);
        wire_put_bytes(params, write->token, DB_HASH_BYTES);
        put_maker(params, write);
    }
}

static void put_minutes(struct wire_params *params, bool there, int16_t minutes)
{
    if (there)
        wire_put_int2(params, minutes);
    else
        wire_put_null(params);
}

static void put_quiet(struct wire_params *params, const struct db_hook *hook)
{
    const int16_t minutes[] = {hook->quiet_from, hook->quiet_to, hook->quiet_offset};

    for (size_t i = 0; i < sizeof(minutes) / sizeof(minutes[0]); i++)
        put_minutes(params, hook->quiet_from >= 0, minutes[i]);
}

static void put_digest(struct wire_params *params, const struct db_hook *hook)
{
    put_minutes(params, hook->digest_minute >= 0, hook->digest_minute);
    put_minutes(params, hook->digest_minute >= 0, hook->digest_offset);
    wire_put_moment(params, hook->digest_at);
}

void hooks_bind_subscribe(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct db_hook_write *write = &batch->members[i]->hook_write;
        const struct db_hook *hook = write->hook;

        if (write->due != NULL)
            due_put(params, SUBSCRIBE_PROMISE_AT, write->due);
        if (write->also != NULL)
            due_put(params, SUBSCRIBE_PROMISE_AT, write->also);
        wire_row(params, SUBSCRIBE_AT);
        wire_put_uuid(params, &write->player);
        wire_put_uuid(params, &hook->id);
        wire_put_time(params, hook->created_at);
        wire_put_text(params, hook->url);
        wire_put_int8(params, hook->events);
        wire_put_int2(params, hook->kind);
        wire_put_bytes(params, hook->p256dh, sizeof(hook->p256dh));
        wire_put_bytes(params, hook->auth, sizeof(hook->auth));
        wire_put_text(params, hook->lang);
        put_quiet(params, hook);
        wire_put_bytes(params, write->token, DB_HASH_BYTES);
        wire_put_bytes(params, hook->secret, sizeof(hook->secret));
        wire_put_moment(params, hook->test_at);
        put_maker(params, write);
        put_digest(params, hook);
    }
}

enum { CONFIRM_PROMISE_AT = 0, CONFIRM_AT = 3 };

void hooks_bind_confirm(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct db_confirmation *confirmation = &batch->members[i]->confirmation;

        due_put(params, CONFIRM_PROMISE_AT, confirmation->due);
        wire_row(params, CONFIRM_AT);
        wire_put_uuid(params, &confirmation->player);
        wire_put_uuid(params, &confirmation->hook);
        wire_put_bytes(params, confirmation->secret, DB_SECRET_BYTES);
        wire_put_time(params, confirmation->at);
    }
}

void hooks_bind_push_key(struct wire_params *params, const struct batch *batch)
{
    const struct db_push_key *made = &batch->members[0]->push_key;

    wire_row(params, 0);
    wire_put_bytes(params, made->secret, sizeof(made->secret));
}

void hooks_bind_set(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct db_hook_write *write = &batch->members[i]->hook_write;
        const struct db_hook *hook = write->hook;

        put_beside(params, write);
        wire_put_bytes(params, write->expected, DB_SECRET_BYTES);
        put_what(params, hook);
        if (hook->old_until == DB_NEVER)
            wire_put_null(params);
        else
            wire_put_bytes(params, hook->old_secret, sizeof(hook->old_secret));
        wire_put_moment(params, hook->old_until);
        wire_put_int2(params, hook->disabled);
        wire_put_moment(params, hook->test_at);
        wire_put_int2(params, write->afresh);
        wire_put_bytes(params, write->token, DB_HASH_BYTES);
        put_maker(params, write);
    }
}

void hooks_bind_one(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        wire_row(params, 0);
        wire_put_uuid(params, &batch->ids[i]);
        wire_put_uuid(params, &batch->members[i]->hook);
    }
}

enum { DELETED_AT = 3 };

void hooks_bind_delete(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct db_hook_end *end = &batch->members[i]->hook_end;

        due_put(params, 0, &end->due);
        wire_row(params, DELETED_AT);
        wire_put_uuid(params, &end->player);
        wire_put_uuid(params, &end->hook);
        wire_put_int2(params, end->kind);
        if (end->url != NULL)
            wire_put_text(params, end->url);
        else
            wire_put_null(params);
        if (end->token != NULL)
            wire_put_bytes(params, end->token, DB_HASH_BYTES);
        else
            wire_put_null(params);
    }
}

/* Each member has a row of its own, also if two ask for one player. */
void hooks_bind(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        wire_row(params, 0);
        wire_put_uuid(params, &batch->ids[i]);
    }
}

void hooks_bind_announce(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct db_announcement *announcement = &batch->members[i]->announcement;

        wire_row(params, 0);
        wire_put_uuid(params, &announcement->player);
        wire_put_uuid(params, &announcement->game);
        wire_put_int4(params, announcement->version);
        wire_put_time(params, announcement->at);
        wire_put_time(params, announcement->since);
    }
}

void hooks_bind_delivered(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct db_delivered *delivered = &batch->members[i]->delivered;
        const struct db_delivery *delivery = delivered->delivery;

        wire_row(params, 0);
        wire_put_uuid(params, &delivered->player);
        wire_put_uuid(params, &delivered->hook);
        wire_put_int2(params, delivered->counts);
        if (delivery->has_game)
            wire_put_uuid(params, &delivery->game);
        else
            wire_put_null(params);
        wire_put_int4(params, delivered->sent);
        wire_put_int4(params, delivery->version);
        wire_put_int2(params, delivery->kind);
        wire_put_time(params, delivery->at);
        wire_put_int4(params, delivery->took_ms);
        wire_put_int2(params, delivery->status);
        wire_put_int2(params, delivery->failure);
        wire_put_int4(params, delivered->failures);
        wire_put_moment(params, delivery->retry_at);
        wire_put_int2(params, delivered->disabled);
        wire_put_int2(params, delivered->tests_again);
        wire_put_int2(params, delivered->waits);
        wire_put_moment(params, delivered->digest_at == 0 ? DB_NEVER : delivered->digest_at);
        wire_put_text(params, delivered->url);
    }
}

/* ---- results ---- */

/* Rows: the member's number, and a version. */
void hooks_decode_before(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (struct rows rows = {.end = 0}; rows_next(result, &rows);) {
        struct db_version version = {wire_get_int4(PQgetvalue(result, rows.first, 1))};

        batch_reply(db, batch, rows.member, TELLS(version, &version));
    }
}

/* Bytes of a known length; nothing is copied from a null. */
static void get_bytes(const struct pg_result *result, int row, int column, void *bytes, size_t size)
{
    if ((size_t)PQgetlength(result, row, column) == size)
        memcpy(bytes, PQgetvalue(result, row, column), size);
}

static int16_t get_small(const struct pg_result *result, int row, int column, int16_t none)
{
    return PQgetisnull(result, row, column) ? none : wire_get_int2(PQgetvalue(result, row, column));
}

/* What only receivers have that are no webhooks. */
static void read_subscription(const struct pg_result *result, int row, struct db_hook *hook)
{
    int len = PQgetlength(result, row, 18);

    get_bytes(result, row, 16, hook->p256dh, sizeof(hook->p256dh));
    get_bytes(result, row, 17, hook->auth, sizeof(hook->auth));
    if (len < DB_LANG_TEXT)
        memcpy(hook->lang, PQgetvalue(result, row, 18), (size_t)len);
    hook->quiet_from = get_small(result, row, 19, -1);
    hook->quiet_to = get_small(result, row, 20, -1);
    hook->quiet_offset = get_small(result, row, 21, 0);
    hook->confirmed_at = rows_moment(result, row, 22);
    hook->waiting = wire_get_int4(PQgetvalue(result, row, 23));
    hook->digest_minute = get_small(result, row, 24, -1);
    hook->digest_offset = get_small(result, row, 25, 0);
    hook->digest_at = rows_moment(result, row, 26);
    get_bytes(result, row, 27, hook->made_by, sizeof(hook->made_by));
    hook->failure = get_small(result, row, 28, 0);
    hook->status = get_small(result, row, 29, 0);
}

static void read_hook(const struct pg_result *result, int row, struct db_hook *hook)
{
    *hook = (struct db_hook){.created_at = wire_get_time(PQgetvalue(result, row, 2)),
                             .url = PQgetvalue(result, row, 3),
                             .events = wire_get_int8(PQgetvalue(result, row, 4)),
                             .old_until = rows_moment(result, row, 7),
                             .disabled = wire_get_int2(PQgetvalue(result, row, 8)),
                             .failures = wire_get_int4(PQgetvalue(result, row, 9)),
                             .failing_since = rows_moment(result, row, 10),
                             .retry_at = rows_moment(result, row, 11),
                             .test_at = rows_moment(result, row, 12),
                             .attempts = wire_get_int4(PQgetvalue(result, row, 13)),
                             .took_ms = wire_get_int4(PQgetvalue(result, row, 14)),
                             .kind = wire_get_int2(PQgetvalue(result, row, 15))};
    read_subscription(result, row, hook);
    get_bytes(result, row, 1, &hook->id, sizeof(hook->id));
    get_bytes(result, row, 5, hook->secret, sizeof(hook->secret));
    get_bytes(result, row, 6, hook->old_secret, sizeof(hook->old_secret));
}

/* Rows: the member's number, and a webhook. */
void hooks_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    batch_reply_list_of_hooks(db, result, batch, read_hook);
}

/* One row: the key. */
void hooks_decode_push_key(struct db *db, const struct pg_result *result, struct batch *batch)
{
    struct db_push_key key = {{0}};

    get_bytes(result, 0, 0, key.secret, sizeof(key.secret));
    batch_reply(db, batch, 0, TELLS(push_key, &key));
}

static void read_news(const struct pg_result *result, int row, struct db_hook_news *news)
{
    *news = (struct db_hook_news){.sent = wire_get_int4(PQgetvalue(result, row, 3)),
                                  .known = wire_get_int4(PQgetvalue(result, row, 4)),
                                  .since = wire_get_time(PQgetvalue(result, row, 5)),
                                  .waits = wire_get_int2(PQgetvalue(result, row, 6)) != 0};
    get_bytes(result, row, 1, &news->hook, sizeof(news->hook));
    get_bytes(result, row, 2, &news->game, sizeof(news->game));
}

/* Rows: the member's number, and a game of a webhook. */
void hooks_decode_news(struct db *db, const struct pg_result *result, struct batch *batch)
{
    batch_reply_list_of_news(db, result, batch, read_news);
}

static void read_delivery(const struct pg_result *result, int row, struct db_delivery *delivery)
{
    *delivery = (struct db_delivery){.number = wire_get_int4(PQgetvalue(result, row, 1)),
                                     .has_game = !PQgetisnull(result, row, 2),
                                     .version = wire_get_int4(PQgetvalue(result, row, 3)),
                                     .kind = wire_get_int2(PQgetvalue(result, row, 4)),
                                     .at = wire_get_time(PQgetvalue(result, row, 5)),
                                     .took_ms = wire_get_int4(PQgetvalue(result, row, 6)),
                                     .status = wire_get_int2(PQgetvalue(result, row, 7)),
                                     .failure = wire_get_int2(PQgetvalue(result, row, 8)),
                                     .retry_at = rows_moment(result, row, 9)};
    get_bytes(result, row, 2, &delivery->game, sizeof(delivery->game));
}

/* Rows: the member's number, and an attempt. */
void hooks_decode_deliveries(struct db *db, const struct pg_result *result, struct batch *batch)
{
    batch_reply_list_of_deliveries(db, result, batch, read_delivery);
}
