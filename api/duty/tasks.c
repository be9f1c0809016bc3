#include "api/duty/tasks.h"

#include <stdlib.h>
#include <string.h>

#include "api/duty/due.h"
#include "api/game/words.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/live/ask.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/text/must.h"
#include "db/tasks.h"

#define SECOND INT64_C(1000000)

/* For one owner, before it is the next one's turn: the lease of their promise (due.c) lasts longer;
 * until a file has come in; for which a task that is over is kept. */
#define SLICE_US    (5 * SECOND)
#define INCOMING_US (3600 * SECOND)
#define KEPT_US     (30 * 24 * 3600 * SECOND)

struct tasks {
    struct loop *loop;
    const struct task_kind *kinds;
    struct task_run *runs;
    unsigned turned_away;
};

struct tasks *tasks_open(struct loop *loop, const struct task_kind *kinds)
{
    struct tasks *tasks = calloc(1, sizeof(*tasks));

    if (tasks != NULL)
        *tasks = (struct tasks){.loop = loop, .kinds = kinds};
    return tasks;
}

/* ---- runs ---- */

static void free_run(struct task_run *run)
{
    if (run->memory != NULL)
        run->kind->leave(run);
    if (run->kind != NULL)
        metrics_sub(&run->tasks->loop->metrics.jobs, 1);
    *run->link = run->next;
    if (run->next != NULL)
        run->next->link = run->link;
    free(run->mark);
    free(run);
}

void tasks_close(struct loop *loop)
{
    struct tasks *tasks = tasks_of(loop);
    if (tasks == NULL)
        return;
    for (struct task_run *run = tasks->runs, *next; run != NULL; run = next) {
        next = run->next;
        free_run(run);
    }
    free(tasks);
}

static struct task_run *new_run(struct request *request, const struct db_due *due)
{
    struct tasks *tasks = tasks_of(request->loop);
    struct task_run *run = must_alloc(sizeof(*run));

    *run = (struct task_run){.tasks = tasks,
                             .keeping = request,
                             .promise = *due,
                             .since = tasks->loop->now,
                             .next = tasks->runs,
                             .link = &tasks->runs};
    if (run->next != NULL)
        run->next->link = &run->next;
    tasks->runs = run;
    return run;
}

static const struct task_kind *find_kind(const struct tasks *tasks, int number)
{
    const struct task_kind *kind = tasks->kinds;

    while (kind->number != 0 && kind->number != number)
        kind++;
    return kind->number != 0 ? kind : NULL;
}

static bool has_room(const struct tasks *tasks, const struct task_kind *kind)
{
    size_t count = 0;

    for (const struct task_run *run = tasks->runs; run != NULL; run = run->next)
        count += run->kind == kind;
    return count < kind->at_once;
}

/* Whether a task of any kind could be begun. */
static bool has_any_room(const struct tasks *tasks)
{
    for (const struct task_kind *kind = tasks->kinds; kind->number != 0; kind++)
        if (has_room(tasks, kind))
            return true;
    return false;
}

/* Those who find no room come back a little later, and not all at once. */
static int64_t later(struct tasks *tasks)
{
    return db_now(tasks->loop->db) + SECOND + SECOND / 10 * (tasks->turned_away++ % 64);
}

/* The promise is leased for some time yet, or was made anew with the last piece. */
static void end_run(struct task_run *run)
{
    struct request *keeping = run->keeping;

    free_run(run);
    reply_empty(keeping, 204);
}

/* ---- pieces ---- */

static void on_piece_over(void *context, struct request *request);

/* The workers have worked for this owner, and not for the daemon. */
static uint64_t client_of(const struct db_task *task)
{
    uint64_t client;

    memcpy(&client, &task->owner, sizeof(client));
    return client | 1;
}

static bool begin_piece(struct task_run *run)
{
    run->goes_on = false;
    run->request = due_request(run->keeping, on_piece_over, run);
    if (run->request == NULL)
        return false;
    run->request->client = client_of(&run->task);
    return true;
}

static void on_piece_over(void *context, struct request *request)
{
    struct task_run *run = context;

    (void)request;
    if (run->goes_on && begin_piece(run))
        run->kind->step(run);
    else
        end_run(run);
}

static void keep_mark(struct task_run *run)
{
    free(run->mark);
    run->mark = run->after.mark == NULL ? NULL : must_copy(run->after.mark);
    run->task = run->after;
    run->task.mark = run->mark;
    run->task.version++;
}

static void count(const struct task_run *run)
{
    struct metrics *metrics = &run->tasks->loop->metrics;

    for (size_t i = 0; i < run->write.count; i++)
        metrics_add(&metrics->op_items[run->write.items[i].failed], 1);
    if (run->task.state >= DB_TASK_OVER)
        metrics_add(&metrics->jobs_ended[run->task.state - DB_TASK_OVER], 1);
}

/* A conflict: the task was cancelled, or another daemon is at it. Then it is not ours any more. */
static void stored(void *context, const struct db_reply *reply)
{
    struct task_run *run = context;

    if (reply->outcome == DB_OK) {
        keep_mark(run);
        count(run);
    } else {
        run->goes_on = false;
    }
    reply_empty(run->request, 204);
}

void tasks_store(struct task_run *run, const struct task_piece *piece)
{
    struct loop *loop = run->tasks->loop;
    int64_t now = db_now(loop->db);

    run->goes_on = piece->state == 0 && loop->now - run->since < SLICE_US && !loop->draining;
    run->after = run->task;
    run->after.state = piece->state == 0 ? TASK_RUNNING : piece->state;
    run->after.updated_at = now;
    run->after.size = piece->size;
    run->after.place = piece->place;
    run->after.mark = piece->mark;
    run->after.result = piece->result;
    for (size_t i = 0; i < piece->count; i++)
        *(piece->items[i].failed ? &run->after.failed : &run->after.done) += 1;
    run->due = (struct db_due){run->task.owner, DUE_TASKS, now};
    run->write = (struct db_task_write){&run->after, piece->items, piece->count,
                                        run->goes_on ? NULL : &run->due};
    db_set_task(loop->db, &run->write, ASK_ALSO(done, run->request, ASK_ALL, stored, run));
}

void tasks_give_up(struct task_run *run)
{
    run->goes_on = false;
    reply_problem(run->request, PROBLEM_OVERLOADED, NULL);
}

/* ---- choosing a task ---- */

/* What is to be done for an owner. */
struct choice {
    const struct db_task *task;    /* to go on with; NULL: none */
    const struct db_task *lost;    /* its file did not come in time */
    const struct db_task *expired; /* it has been over for long */
    bool crowded;                  /* there is one, but no room for its kind */
    int64_t next;                  /* when there will be something; or DB_NEVER */
};

static void sooner(int64_t *next, int64_t at)
{
    if (at < *next)
        *next = at;
}

static void consider(const struct tasks *tasks, const struct db_task *task, int64_t now,
                     struct choice *choice)
{
    const struct task_kind *kind = find_kind(tasks, task->kind);

    if (task->state >= DB_TASK_OVER) {
        sooner(&choice->next, task->updated_at + KEPT_US);
        if (task->updated_at + KEPT_US <= now)
            choice->expired = task;
    } else if (task->state == DB_TASK_INCOMING) {
        sooner(&choice->next, task->created_at + INCOMING_US);
        if (task->created_at + INCOMING_US <= now)
            choice->lost = task;
    } else if (kind != NULL && choice->task == NULL) {
        if (has_room(tasks, kind))
            choice->task = task;
        else
            choice->crowded = true;
    }
}

static struct choice choose(const struct tasks *tasks, const struct db_tasks *list)
{
    struct choice choice = {.next = DB_NEVER};

    for (size_t i = 0; i < list->count; i++)
        consider(tasks, &list->items[i], db_now(tasks->loop->db), &choice);
    return choice;
}

static const char *keep_text(struct task_run *run, const char *text)
{
    return text == NULL ? NULL : arena_copy(&run->keeping->arena, text, strlen(text));
}

static bool take(struct task_run *run, const struct db_task *task)
{
    run->task = *task;
    run->task.params = keep_text(run, task->params);
    run->task.mark = keep_text(run, task->mark);
    run->task.result = keep_text(run, task->result);
    run->kind = find_kind(run->tasks, task->kind);
    metrics_add(&run->tasks->loop->metrics.jobs, 1);
    return begin_piece(run);
}

static void give_up_file(struct task_run *run)
{
    tasks_store(run, &(struct task_piece){.state = TASK_FAILED,
                                          .size = run->task.size,
                                          .place = run->task.place,
                                          .result = "{\"detail\":\"The file did not come in.\"}"});
}

static void settle(struct task_run *run, int64_t at)
{
    struct request *keeping = run->keeping;
    struct db_due promise = run->promise;

    free_run(run);
    due_settle(keeping, &promise, at);
}

static void on_deleted(void *context, const struct db_reply *reply)
{
    struct task_run *run = context;

    (void)reply;
    settle(run, db_now(run->tasks->loop->db));
}

static void on_tasks(void *context, const struct db_reply *reply, const struct db_tasks *tasks)
{
    struct task_run *run = context;
    struct loop *loop = run->tasks->loop;
    struct choice choice;

    if (reply->outcome != DB_OK) {
        end_run(run);
        return;
    }
    choice = choose(run->tasks, tasks);
    if (choice.lost != NULL && take(run, choice.lost))
        give_up_file(run);
    else if (choice.lost == NULL && choice.task != NULL && take(run, choice.task))
        run->kind->step(run);
    else if (choice.expired != NULL)
        db_delete_task(loop->db, run->promise.id, choice.expired->id, on_deleted, run);
    else
        settle(run, choice.crowded ? later(run->tasks) : choice.next);
}

void tasks_keep(struct request *request, const struct db_due *due)
{
    struct tasks *tasks = tasks_of(request->loop);

    if (!has_any_room(tasks))
        due_settle(request, due, later(tasks));
    else
        db_get_tasks(db_of(request), due->id, NULL, on_tasks, new_run(request, due));
}

/* ---- making one ---- */

void tasks_make(struct loop *loop, struct task_making *making, db_done_callback *done,
                void *context)
{
    struct db_task *task = &making->task;
    int64_t now = db_now(loop->db);

    task->created_at = task->updated_at = now;
    task->version = 1;
    making->due = (struct db_due){task->owner, DUE_TASKS,
                                  now + (task->state == DB_TASK_INCOMING ? INCOMING_US : 0)};
    db_create_task(loop->db, task, &making->due, done, context);
}
