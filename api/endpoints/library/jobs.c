/* jobs.c - jobs of a player: their list, their items, their end. */
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "api/duty/due.h"
#include "api/duty/tasks.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/library/jobs.h"
#include "api/game/ids.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/players.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/text/json.h"
#include "api/text/out.h"
#include "api/view/player.h"
#include "db/db.h"
#include "db/tasks.h"

/* Answers with a page of what a task has worked on. */
struct my_tasks_page {
    int32_t after; /* a number */
    int32_t limit;
    bool failed_only;
};

/* One request about a task. */
struct business {
    struct request *request;
    db_id id;
    void (*go_on)(struct business *business, const struct db_task *task); /* once it is known */
    const struct my_tasks_page *page;
    struct db_task task; /* to be written */
    struct db_due due;
    struct db_task_write write;
};

static void read_task(struct business *business);

/* ---- answers ---- */

static void answer_task(struct request *request, unsigned status, const struct db_task *task)
{
    struct json json;

    reply_private(request);
    if (request->form == FORM_TEXT) {
        reply_text(request, status, view_task_line(&request->arena, task));
        return;
    }
    json_init(&json, &request->arena);
    view_task(&json, task);
    out_add(&json.out, "\n");
    reply_json(request, status, &json);
}

/* ---- making ---- */

db_id my_tasks_id(const struct request *request, int kind, const char *key, const char *question)
{
    const db_id *player = &request->player->id;
    crypto_generichash_state state;
    char what[32];
    db_id id;

    if (key == NULL)
        return ids_new(db_now(db_of(request)));
    snprintf(what, sizeof(what), "plyd %s task", words_task_kind(kind));
    crypto_generichash_init(&state, (const unsigned char *)what, strlen(what), sizeof(id));
    crypto_generichash_update(&state, player->byte, sizeof(player->byte));
    crypto_generichash_update(&state, (const unsigned char *)key,
                              strlen(key) + (*question != '\0'));
    crypto_generichash_update(&state, (const unsigned char *)question, strlen(question));
    crypto_generichash_final(&state, id.byte, sizeof(id.byte));
    ids_set_key_time(&id, key);
    return id;
}

/* An analysis is a job because the client preferred one to a stream. */
static void accept_job(struct request *request, const struct db_task *task)
{
    if (task->kind == TASK_ANALYSIS)
        reply_header(request, "Preference-Applied", "respond-async");
    reply_header(request, "Location", view_task_url(&request->arena, task->id));
    answer_task(request, 202, task);
}

/* It may have been waiting since a repetition of this request that was faster. */
static void completed(void *context, const struct db_reply *reply)
{
    struct task_order *order = context;
    const struct db_due *due = &order->making.due;

    (void)reply;
    due_stored(order->request->loop, due, 1, due->at);
    accept_job(order->request, &order->making.task);
}

/* All parts are stored: the work may begin. */
static void complete_job(struct task_order *order)
{
    struct db *db = db_of(order->request);
    struct db_task *task = &order->making.task;

    task->state = TASK_WAITING;
    task->updated_at = db_now(db);
    order->making.due = (struct db_due){task->owner, DUE_TASKS, task->updated_at};
    order->write = (struct db_task_write){.task = task, .due = &order->making.due};
    db_set_task(db, &order->write, ASK_ALSO(done, order->request, ASK_CONFLICT, completed, order));
}

static void stored(void *context, const struct db_reply *reply)
{
    struct task_order *order = context;

    order->sent += order->part.len;
    if (reply->outcome == DB_NOT_FOUND)
        accept_job(order->request, &order->making.task); /* it is at work already */
    else if (order->sent < order->len)
        my_tasks_send(order);
    else
        complete_job(order);
}

enum { PART_BYTES = 256 << 10 };

void my_tasks_send(struct task_order *order)
{
    const struct db_task *task = &order->making.task;
    size_t rest = order->len - order->sent;

    order->part = (struct db_task_part){order->part.number + 1, order->file + order->sent,
                                        rest < PART_BYTES ? rest : PART_BYTES};
    db_put_task_part(db_of(order->request), task->owner, task->id, &order->part,
                     ASK_ALSO(done, order->request, ASK_MISSING, stored, order));
}

/* The task is there already, or the player has too many. */
static void know_other(void *context, const struct db_tasks *tasks)
{
    const struct task_order *order = context;
    struct request *request = order->request;

    if (tasks->count == 0)
        reply_problem(request, PROBLEM_TOO_MANY_JOBS, NULL);
    else if (order->by_key && strcmp(tasks->items[0].params, order->making.task.params) != 0)
        reply_problem(request, PROBLEM_IDEMPOTENCY_KEY_REUSED, NULL);
    else if (tasks->items[0].state == TASK_INCOMING)
        order->begin(order->context);
    else
        accept_job(request, &tasks->items[0]);
}

static void job_made(void *context, const struct db_reply *reply)
{
    struct task_order *order = context;
    struct request *request = order->request;
    const struct db_task *task = &order->making.task;

    request->made = reply->outcome == DB_OK;
    if (request->made)
        order->begin(order->context);
    else
        db_get_tasks(db_of(request), task->owner, &task->id,
                     ASK(tasks, request, know_other, order));
}

void my_tasks_make(struct task_order *order)
{
    struct request *request = order->request;
    struct db_task *task = &order->making.task;

    task->owner = request->player->id;
    task->state = TASK_INCOMING;
    tasks_make(request->loop, &order->making,
               ASK_ALSO(done, request, ASK_CONFLICT, job_made, order));
}

/* ---- looking ---- */

static void know_task(void *context, const struct db_tasks *tasks)
{
    struct business *business = context;

    if (tasks->count == 0 && business->request->method == METHOD_DELETE)
        reply_empty(business->request,
                    204); /* perhaps by this very request, of which no answer came */
    else if (tasks->count == 0)
        reply_problem(business->request, PROBLEM_NO_SUCH_JOB, NULL);
    else
        business->go_on(business, tasks->items);
}

static void read_task(struct business *business)
{
    struct request *request = business->request;

    db_get_tasks(db_of(request), request->player->id, &business->id,
                 ASK(tasks, request, know_task, business));
}

static void begin_with_job(struct request *request, db_id id,
                           void (*go_on)(struct business *business, const struct db_task *task),
                           const struct my_tasks_page *page)
{
    struct business *business = arena_zero(&request->arena, sizeof(*business));

    *business = (struct business){.request = request, .id = id, .go_on = go_on, .page = page};
    if (auth_require_player(request))
        read_task(business);
}

static void show_job(struct business *business, const struct db_task *task)
{
    answer_task(business->request, 200, task);
}

static void my_tasks_show(struct request *request, db_id id)
{
    begin_with_job(request, id, show_job, NULL);
}

static void show_job_list(void *context, const struct db_tasks *tasks)
{
    struct request *request = context;
    struct json json;
    struct out out;

    reply_private(request);
    json_init(&json, &request->arena);
    out_init(&out, &request->arena);
    reply_list_open(&json);
    for (size_t i = 0; i < tasks->count; i++) {
        view_task(&json, &tasks->items[i]);
        out_add(&out, view_task_line(&request->arena, &tasks->items[i]));
    }
    if (request->form == FORM_TEXT)
        reply_text(request, 200, out.text);
    else
        reply_list_send(request, &json, NULL);
}

/* Answers with all tasks of the player who asks, the oldest first; or with one. */
static void my_tasks_list(struct request *request)
{
    if (auth_require_player(request))
        db_get_tasks(db_of(request), request->player->id, NULL,
                     ASK(tasks, request, show_job_list, request));
}

/* ---- items ---- */

static const char *next_page(const struct business *business, int32_t after)
{
    struct arena *arena = &business->request->arena;

    return arena_format(arena, "%s/items?limit=%d%s&cursor=%d", view_task_url(arena, business->id),
                        business->page->limit, business->page->failed_only ? "&failed=true" : "",
                        after);
}

static void show_items(void *context, const struct db_task_items *items)
{
    struct business *business = context;
    struct request *request = business->request;
    const char *next = NULL;
    struct json json;
    struct out out;

    if (items->count == (size_t)business->page->limit)
        next = next_page(business, items->items[items->count - 1].number);
    reply_private(request);
    reply_next(request, next);
    json_init(&json, &request->arena);
    out_init(&out, &request->arena);
    reply_list_open(&json);
    for (size_t i = 0; i < items->count; i++) {
        json_raw(&json, items->items[i].data);
        out_format(&out, "%s\n", items->items[i].data);
    }
    if (request->form == FORM_TEXT)
        reply_text(request, 200, out.text);
    else
        reply_list_send(request, &json, next);
}

static void read_items(struct business *business, const struct db_task *task)
{
    const struct my_tasks_page *page = business->page;

    db_get_task_items(db_of(business->request), task->owner, task->id, page->failed_only,
                      page->after, page->limit,
                      ASK(task_items, business->request, show_items, business));
}

static void my_tasks_items(struct request *request, db_id id, const struct my_tasks_page *page)
{
    begin_with_job(request, id, read_items, page);
}

/* ---- ending ---- */

static void ended(void *context, const struct db_reply *reply)
{
    struct business *business = context;
    struct request *request = business->request;

    if (reply->outcome == DB_CONFLICT) {
        read_task(business); /* another piece was done meanwhile */
        return;
    }
    if (reply->outcome == DB_OK && business->task.state == TASK_CANCELLED)
        metrics_add(&request->loop->metrics.jobs_ended[TASK_CANCELLED - TASK_DONE], 1);
    due_stored(request->loop, &business->due, business->due.kind != 0, db_now(db_of(request)));
    reply_empty(request, 204);
}

static const char *keep_text(struct request *request, const char *text)
{
    return text == NULL ? NULL : arena_copy(&request->arena, text, strlen(text));
}

/* The owner's next task may begin at once. */
static void end_task(struct business *business, const struct db_task *task)
{
    struct request *request = business->request;
    struct db *db = db_of(request);

    if (task->state >= DB_TASK_OVER) {
        db_delete_task(db, task->owner, task->id,
                       ASK_ALSO(done, request, ASK_CONFLICT | ASK_MISSING, ended, business));
        return;
    }
    business->task = *task;
    business->task.state = TASK_CANCELLED;
    business->task.updated_at = db_now(db);
    business->task.mark = NULL;
    business->task.result = keep_text(request, task->result);
    business->due = (struct db_due){task->owner, DUE_TASKS, business->task.updated_at};
    business->write = (struct db_task_write){.task = &business->task, .due = &business->due};
    db_set_task(db, &business->write,
                ASK_ALSO(done, request, ASK_CONFLICT | ASK_MISSING, ended, business));
}

/* Cancels a task. One that is over is forgotten. */
static void my_tasks_end(struct request *request, db_id id)
{
    begin_with_job(request, id, end_task, NULL);
}

/* ---- requests ---- */

/* The place of the address. Other texts name no job. */
static bool read_id(struct request *request, db_id *id)
{
    if (!auth_require_player(request))
        return false;
    if (ids_read(request->param[0], id))
        return true;
    reply_problem(request, PROBLEM_NO_SUCH_JOB, NULL);
    return false;
}

void handle_jobs(struct request *request)
{
    if (input_no_query(request))
        my_tasks_list(request);
}

void handle_job(struct request *request)
{
    db_id id;

    if (input_no_query(request) && read_id(request, &id))
        my_tasks_show(request, id);
}

void handle_job_items(struct request *request)
{
    static const char *const known[] = {"failed", "cursor", "limit", NULL};
    struct my_tasks_page *page = arena_zero(&request->arena, sizeof(*page));
    int64_t after, limit;
    db_id id;

    if (!query_ok(request, known) || !query_bool(request, "failed", &page->failed_only) ||
        !query_int(request, "cursor", 0, INT32_MAX, 0, &after) || !query_limit(request, &limit) ||
        !read_id(request, &id))
        return;
    page->after = (int32_t)after;
    page->limit = (int32_t)limit;
    my_tasks_items(request, id, page);
}

void handle_end_job(struct request *request)
{
    db_id id;

    if (input_no_query(request) && read_id(request, &id))
        my_tasks_end(request, id);
}
