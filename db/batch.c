/* batch.c - the requests that one statement carries. */
#include "batch.h"

#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "rows.h"

/* Rows that one statement reads or writes, and bytes that it sends, unless a single request wants
 * more: so no batch takes long, and none grows beyond what its members can wait for. */
enum { ROWS_MAX = 4096, BYTES_MAX = 256 << 10 };

enum { SCRATCH_KEPT = 256 << 10 };

bool batch_open(struct batch *batch, size_t most)
{
    batch->members = calloc(most, sizeof(batch->members[0]));
    batch->ids = calloc(most, sizeof(batch->ids[0]));
    return batch->members != NULL && batch->ids != NULL;
}

void batch_close(struct batch *batch)
{
    free(batch->members);
    free(batch->ids);
}

static bool same_id(const db_id *id, const void *other)
{
    return memcmp(id, other, sizeof(*id)) == 0;
}

/* ---- taking ---- */

/* Of one game the older request comes first, and of two writes it is the one that goes out. All
 * requests have the same time to wait, so the deadline tells which is older. */
static int by_id(const void *a, const void *b)
{
    const struct db_request *x = *(struct db_request *const *)a,
                            *y = *(struct db_request *const *)b;
    int order = memcmp(&x->id, &y->id, sizeof(x->id));
    return order != 0 ? order : (x->deadline > y->deadline) - (x->deadline < y->deadline);
}

/* Members from the front of the queue, all of the shard of the first that may be sent. The others
 * stay where they are, in their order. A request that does not fit ends the gathering, though
 * smaller ones may stand behind it: if they always went ahead, it would reach its deadline. The
 * large lane holds several kinds, but no request in it shares a batch. */
static void gather(struct db *db, const struct db_request *first, struct batch *batch)
{
    uint32_t shard = shards_of(&db->shards, &first->id);
    bool single = db->shards.count > 0 && db->kinds[first->kind].single;
    size_t most = single ? 1 : db->settings.batch_max, rows = 0;

    for (struct db_request **at = &db->queues[batch->lane].first; *at != NULL;) {
        const struct db_request *request = *at;
        if (request->rests_until > db->now || shards_of(&db->shards, &request->id) != shard) {
            at = &(*at)->next;
            continue;
        }
        /* A request that was set apart (exchange.c) bounds the batch that it is in. */
        if (request->share < most)
            most = request->share;
        rows += request->rows;
        if (batch->count >= most ||
            (batch->count > 0 && (rows > ROWS_MAX || batch->bytes + request->bytes > BYTES_MAX)))
            break;
        batch->bytes += request->bytes;
        batch->members[batch->count++] = queue_take(db, batch->lane, at);
    }
}

/* Puts back every write but the first of each game: of two only one can be right about the version,
 * and within one statement the server would not say which. It goes from the end, since each is put
 * to the front of the queue: so the older of two that go back stands before the younger. */
static void one_of_each_game(struct db *db, struct batch *batch)
{
    size_t kept = batch->count;

    for (size_t i = batch->count; i-- > 1;) {
        if (!same_id(&batch->members[i]->id, &batch->members[i - 1]->id))
            continue;
        queue_again(db, batch->members[i]);
        memmove(&batch->members[i], &batch->members[i + 1],
                (--kept - i) * sizeof(batch->members[0]));
    }
    batch->count = kept;
}

void batch_take(struct db *db, unsigned lane, struct batch *batch)
{
    const struct db_request *first = queue_next(db, lane);

    batch->lane = lane;
    batch->part = queue_worker(db, first);
    batch->kind = first->kind;
    batch->count = 0;
    batch->bytes = 0;
    batch->told = 0;
    gather(db, first, batch);
    qsort(batch->members, batch->count, sizeof(batch->members[0]), by_id);
    if (db->kinds[batch->kind].write)
        one_of_each_game(db, batch);
    /* Only the batch becomes that kind. The member keeps its own, by which it may share a batch if
     * it has to be tried again. */
    if (batch->count == 1 && db->kinds[batch->kind].alone != 0)
        batch->kind = db->kinds[batch->kind].alone;
    if (db->kinds[batch->kind].there != 0 && db->now < db->apart_until)
        batch->kind = db->kinds[batch->kind].there;
    for (size_t i = 0; i < batch->count; i++)
        batch->ids[i] = batch->members[i]->id;
}

int64_t batch_deadline(const struct batch *batch)
{
    int64_t deadline = INT64_MAX;

    for (size_t i = 0; i < batch->count; i++)
        if (batch->members[i] != NULL && batch->members[i]->deadline < deadline)
            deadline = batch->members[i]->deadline;
    return deadline;
}

/* ---- members ---- */

const struct db_request *batch_member(const struct batch *batch, size_t i)
{
    return i < batch->count ? batch->members[i] : NULL;
}

/* It searches `ids` and not `members`, which are NULL once they were answered. */
size_t batch_find(const struct batch *batch, const void *id)
{
    size_t low = 0, high = batch->count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (memcmp(&batch->ids[middle], id, sizeof(db_id)) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < batch->count && same_id(&batch->ids[low], id) ? low : batch->count;
}

/* The member that is about to have its reply, or NULL. It is taken out before its callback runs, so
 * that it has one reply, whatever comes after. */
static struct db_request *let_batch_go(struct batch *batch, size_t i)
{
    if (i >= batch->count)
        return NULL;
    struct db_request *request = batch->members[i];
    batch->members[i] = NULL;
    return request;
}

void batch_reply(struct db *db, struct batch *batch, size_t i, const struct tells *what)
{
    struct db_request *request = let_batch_go(batch, i);
    if (request != NULL)
        queue_reply(db, request, what);
}

void batch_end(struct db *db, struct batch *batch, size_t i, enum db_outcome outcome,
               const struct db_error *error)
{
    struct db_request *request = let_batch_go(batch, i);
    if (request != NULL)
        queue_end(db, request, outcome, error);
}

void batch_reply_all(struct db *db, struct batch *batch, const void *id, const struct tells *what)
{
    size_t first = batch_find(batch, id);
    for (size_t i = first; i < batch->count && same_id(&batch->ids[i], id); i++)
        batch_reply(db, batch, i, what);
}

void batch_end_all(struct db *db, struct batch *batch, enum db_outcome outcome,
                   const struct db_error *error)
{
    for (size_t i = 0; i < batch->count; i++)
        batch_end(db, batch, i, outcome, error);
}

/* From the last one on, since each goes to the front. */
void batch_again_all(struct db *db, struct batch *batch)
{
    for (size_t i = batch->count; i-- > 0;) {
        struct db_request *request = let_batch_go(batch, i);
        if (request != NULL)
            queue_again(db, request);
    }
}

/* The time is set while the members are still here: once they are back, nothing tells them from
 * others in the queue. */
void batch_rest_all(struct db *db, struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        if (batch->members[i] != NULL)
            queue_rest_request(batch->members[i]);
    batch_again_all(db, batch);
}

void batch_again_as(struct db *db, struct batch *batch, size_t i, enum db_kind kind)
{
    struct db_request *request = let_batch_go(batch, i);
    if (request != NULL)
        queue_again_as(db, request, kind);
}

void batch_again_all_as(struct db *db, struct batch *batch, enum db_kind kind)
{
    for (size_t i = batch->count; i-- > 0;)
        batch_again_as(db, batch, i, kind);
}

/* The buffer serves every reply of the loop: a reply ends with its callback. */
void *batch_scratch(struct db *db, struct batch *batch, size_t i, size_t bytes)
{
    if (bytes <= db->scratch_size && db->scratch != NULL)
        return db->scratch;
    void *more = realloc(db->scratch, bytes > 0 ? bytes : 1);
    /* Only this member fails. The others may need less. */
    if (more == NULL) {
        batch_end(db, batch, i, DB_UNAVAILABLE, &db_no_memory);
        return NULL;
    }
    db->scratch = more;
    db->scratch_size = bytes;
    return more;
}

/* Otherwise the longest answer that there ever was would stay in memory. */
void batch_scratch_rest(struct db *db)
{
    if (db->scratch_size <= SCRATCH_KEPT)
        return;
    free(db->scratch);
    db->scratch = NULL;
    db->scratch_size = 0;
}

/* ---- lists ---- */

#define DB_REPLY(name, type)
#define DB_REPLY_LIST(name, item)                                                                \
    void batch_reply_list_of_##name(struct db *db, const struct pg_result *result,               \
                                    struct batch *batch,                                         \
                                    void (*read)(const struct pg_result *, int row, item *into)) \
    {                                                                                            \
        for (struct rows rows = {.end = 0}; rows_next(result, &rows);) {                         \
            size_t count = rows_filled(result, &rows);                                           \
            item *items = batch_scratch(db, batch, rows.member, count * sizeof(item));           \
                                                                                                 \
            if (items == NULL)                                                                   \
                continue;                                                                        \
            for (size_t i = 0; i < count; i++)                                                   \
                read(result, rows.first + (int)i, &items[i]);                                    \
            batch_reply(db, batch, rows.member, TELLS(name, &(struct db_##name){items, count})); \
        }                                                                                        \
    }
#include "replies.def"

/* ---- ids ---- */

void batch_bind_ids(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        /* Members of one id are neighbours, and are all answered by its one row. */
        if (i > 0 && same_id(&batch->ids[i], &batch->ids[i - 1]))
            continue;
        wire_row(params, 0);
        wire_put_uuid(params, &batch->ids[i]);
    }
}

void batch_decode_ids(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (int row = 0; row < PQntuples(result); row++)
        batch_end(db, batch, batch_find(batch, PQgetvalue(result, row, 0)), DB_OK, NULL);
}
