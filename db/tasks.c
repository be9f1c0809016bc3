/* tasks.c - long work for players and games: how far it is, its file, what came of it. */
#include <libpq-fe.h>
#include <string.h>

#include "db/tasks.h"
#include "internal.h"
#include "operations.h"
#include "rows.h"

/* ---- requests ---- */

void db_create_task(struct db *db, const struct db_task *task, const struct db_due *due,
                    db_done_callback *done, void *context)
{
    struct db_request *request =
        queue_new(db, KIND_CREATE_TASK, &task->owner, TAKES(done, done), context);

    request->new_task = (struct new_task){task, due};
    request->bytes += strlen(task->params);
    queue_submit(db, request);
}

void db_put_task_part(struct db *db, db_id owner, db_id task, const struct db_task_part *part,
                      db_done_callback *done, void *context)
{
    struct db_request *request =
        queue_new(db, KIND_PUT_TASK_PART, &owner, TAKES(done, done), context);

    request->task_part = (struct task_part){.task = task, .part = part};
    request->bytes += part->len;
    queue_submit(db, request);
}

void db_set_task(struct db *db, const struct db_task_write *write, db_done_callback *done,
                 void *context)
{
    struct db_request *request =
        queue_new(db, KIND_SET_TASK, &write->task->owner, TAKES(done, done), context);

    request->task_write = *write;
    request->rows += write->count;
    for (size_t i = 0; i < write->count; i++)
        request->bytes += strlen(write->items[i].data);
    queue_submit(db, request);
}

void db_delete_task(struct db *db, db_id owner, db_id task, db_done_callback *done, void *context)
{
    struct db_request *request =
        queue_new(db, KIND_DELETE_TASK, &owner, TAKES(done, done), context);

    request->task_part = (struct task_part){.task = task};
    queue_submit(db, request);
}

void db_get_tasks(struct db *db, db_id owner, const db_id *task, db_tasks_callback *done,
                  void *context)
{
    struct db_request *request = queue_new(db, KIND_TASKS, &owner, TAKES(tasks, done), context);

    request->task_part =
        (struct task_part){.task = task == NULL ? owner : *task, .any = task == NULL};
    request->rows = task == NULL ? DB_TASKS_MAX : 1;
    queue_submit(db, request);
}

void db_get_task_items(struct db *db, db_id owner, db_id task, bool failed_only, int32_t after,
                       int32_t limit, db_task_items_callback *done, void *context)
{
    struct db_request *request =
        queue_new(db, KIND_TASK_ITEMS, &owner, TAKES(task_items, done), context);

    request->task_part = (struct task_part){
        .task = task, .failed_only = failed_only, .after = after, .limit = limit};
    request->rows = (size_t)limit;
    queue_submit(db, request);
}

void db_get_task_parts(struct db *db, db_id owner, db_id task, int32_t after,
                       db_task_parts_callback *done, void *context)
{
    struct db_request *request =
        queue_new(db, KIND_TASK_PARTS, &owner, TAKES(task_parts, done), context);

    request->task_part = (struct task_part){.task = task, .after = after};
    request->share = 1;
    queue_submit(db, request);
}

/* ---- parameters: a promise comes first ---- */

enum { PROMISE_AT = 0, TASK_AT = 3, ITEMS_AT = 14 };

void tasks_bind_create(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct new_task *new = &batch->members[i]->new_task;
        const struct db_task *task = new->task;

        if (new->due != NULL)
            due_put(params, PROMISE_AT, new->due);
        wire_row(params, TASK_AT);
        wire_put_uuid(params, &task->owner);
        wire_put_uuid(params, &task->id);
        wire_put_int2(params, task->kind);
        wire_put_int2(params, task->state);
        wire_put_time(params, task->created_at);
        wire_put_int8(params, task->size);
        wire_put_int8(params, task->place);
        wire_put_text(params, task->params);
    }
}

void tasks_bind_part(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct task_part *stored = &batch->members[i]->task_part;

        wire_row(params, 0);
        wire_put_uuid(params, &batch->ids[i]);
        wire_put_uuid(params, &stored->task);
        wire_put_int4(params, stored->part->number);
        wire_put_bytes(params, stored->part->bytes, stored->part->len);
    }
}

static void put_items(struct wire_params *params, const struct db_task_write *write)
{
    for (size_t i = 0; i < write->count; i++) {
        wire_row(params, ITEMS_AT);
        wire_put_uuid(params, &write->task->owner);
        wire_put_uuid(params, &write->task->id);
        wire_put_int4(params, write->items[i].number);
        wire_put_int2(params, write->items[i].failed);
        wire_put_text(params, write->items[i].data);
    }
}

void tasks_bind_set(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct db_task_write *write = &batch->members[i]->task_write;
        const struct db_task *task = write->task;

        if (write->due != NULL)
            due_put(params, PROMISE_AT, write->due);
        wire_row(params, TASK_AT);
        wire_put_uuid(params, &task->owner);
        wire_put_uuid(params, &task->id);
        wire_put_int4(params, task->version);
        wire_put_int2(params, task->state);
        wire_put_time(params, task->updated_at);
        wire_put_int8(params, task->size);
        wire_put_int8(params, task->place);
        wire_put_int4(params, task->done);
        wire_put_int4(params, task->failed);
        wire_put_text(params, task->mark);
        wire_put_text(params, task->result);
        put_items(params, write);
    }
}

/* Owner and task, which all that follow begin with. */
static const struct task_part *put_place(struct wire_params *params, const struct batch *batch,
                                         size_t i)
{
    const struct task_part *part = &batch->members[i]->task_part;

    wire_row(params, 0);
    wire_put_uuid(params, &batch->ids[i]);
    wire_put_uuid(params, &part->task);
    return part;
}

void tasks_bind_delete(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        put_place(params, batch, i);
}

void tasks_bind(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        wire_put_int2(params, put_place(params, batch, i)->any);
}

void tasks_bind_items(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct task_part *page = put_place(params, batch, i);

        wire_put_int2(params, page->failed_only);
        wire_put_int4(params, page->after);
        wire_put_int4(params, page->limit);
    }
}

void tasks_bind_parts(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        wire_put_int4(params, put_place(params, batch, i)->after);
}

/* ---- results ---- */

static const char *text_or_null(const struct pg_result *result, int row, int column)
{
    return PQgetisnull(result, row, column) ? NULL : PQgetvalue(result, row, column);
}

static void read_task(const struct pg_result *result, int row, struct db_task *task)
{
    *task = (struct db_task){.kind = wire_get_int2(PQgetvalue(result, row, 3)),
                             .state = wire_get_int2(PQgetvalue(result, row, 4)),
                             .version = wire_get_int4(PQgetvalue(result, row, 5)),
                             .created_at = wire_get_time(PQgetvalue(result, row, 6)),
                             .updated_at = wire_get_time(PQgetvalue(result, row, 7)),
                             .size = wire_get_int8(PQgetvalue(result, row, 8)),
                             .place = wire_get_int8(PQgetvalue(result, row, 9)),
                             .done = wire_get_int4(PQgetvalue(result, row, 10)),
                             .failed = wire_get_int4(PQgetvalue(result, row, 11)),
                             .params = PQgetvalue(result, row, 12),
                             .mark = text_or_null(result, row, 13),
                             .result = text_or_null(result, row, 14)};
    memcpy(&task->owner, PQgetvalue(result, row, 1), sizeof(task->owner));
    memcpy(&task->id, PQgetvalue(result, row, 2), sizeof(task->id));
}

/* Rows: the member's number, and a task. */
void tasks_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    batch_reply_list_of_tasks(db, result, batch, read_task);
}

static void read_item(const struct pg_result *result, int row, struct db_task_item *item)
{
    *item = (struct db_task_item){wire_get_int4(PQgetvalue(result, row, 1)),
                                  wire_get_int2(PQgetvalue(result, row, 2)) != 0,
                                  PQgetvalue(result, row, 3)};
}

/* Rows: the member's number, and an item. */
void tasks_decode_items(struct db *db, const struct pg_result *result, struct batch *batch)
{
    batch_reply_list_of_task_items(db, result, batch, read_item);
}

static void read_part(const struct pg_result *result, int row, struct db_task_part *part)
{
    *part = (struct db_task_part){wire_get_int4(PQgetvalue(result, row, 1)),
                                  PQgetvalue(result, row, 2), (size_t)PQgetlength(result, row, 2)};
}

/* Rows: the member's number, and a part. */
void tasks_decode_parts(struct db *db, const struct pg_result *result, struct batch *batch)
{
    batch_reply_list_of_task_parts(db, result, batch, read_part);
}
