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

/* For one owner, while others wait; for which due work is leased, whose lease (due.c) lasts longer;
 * for a turn that has not come, before another daemon may have room; until a file has come in; for
 * which a task that is over is kept; until another look at one that only a newer program knows. */
#define TURN_US     (SECOND / 4)
#define HELD_US     (20 * SECOND)
#define WAIT_US     (5 * SECOND)
#define INCOMING_US (3600 * SECOND)
#define KEPT_US     (30 * 24 * 3600 * SECOND)
#define NEWER_US    (60 * SECOND)

enum {
    LINE_MAX = 64, /* owners who wait for a turn */
    TURNS = 16     /* that are remembered */
};

/* How long an owner's last turn was. */
struct turn {
    db_id owner;
    int64_t us;
};

struct tasks {
    struct loop *loop;
    const struct task_kind *const *kinds;
    struct task_run *runs;
    size_t waiting; /* of these: they stand in line */
    struct turn turn[TURNS];
    size_t next_turn; /* the one that is forgotten next */
    unsigned turned_away;
};

struct tasks *tasks_open(struct loop *loop, const struct task_kind *const *kinds)
{
    struct tasks *tasks = must_zero(sizeof(*tasks));

    *tasks = (struct tasks){.loop = loop, .kinds = kinds};
    return tasks;
}

/* ---- runs ---- */

static struct turn *find_turn(struct tasks *tasks, const db_id *owner)
{
    for (size_t i = 0; i < TURNS; i++)
        if (memcmp(&tasks->turn[i].owner, owner, sizeof(*owner)) == 0)
            return &tasks->turn[i];
    return NULL;
}

static void note_turn(const struct task_run *run)
{
    struct tasks *tasks = run->tasks;
    struct turn *turn = find_turn(tasks, &run->leased.id);

    if (turn == NULL)
        turn = &tasks->turn[tasks->next_turn++ % TURNS];
    *turn = (struct turn){run->leased.id, tasks->loop->now - run->begun};
}

static void set_stage(struct task_run *run, enum task_stage stage)
{
    struct tasks *tasks = run->tasks;
    struct metrics *metrics = &tasks->loop->metrics;

    if (run->stage == TASK_AT_WORK) {
        metrics_sub(&metrics->jobs, 1);
        note_turn(run);
    }
    if (stage == TASK_AT_WORK)
        metrics_add(&metrics->jobs, 1);
    tasks->waiting += (size_t)(stage == TASK_IN_LINE) - (size_t)(run->stage == TASK_IN_LINE);
    metrics_set(&metrics->jobs_waiting, tasks->waiting);
    run->stage = stage;
}

static void free_run(struct task_run *run)
{
    set_stage(run, TASK_LOOKED_FOR);
    if (run->memory != NULL)
        run->kind->leave(run);
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
                             .leased = *due,
                             .claimed = tasks->loop->now,
                             .waits_since = due->at,
                             .next = tasks->runs,
                             .link = &tasks->runs};
    if (run->next != NULL)
        run->next->link = &run->next;
    tasks->runs = run;
    return run;
}

static const struct task_kind *find_kind(const struct tasks *tasks, int number)
{
    const struct task_kind *const *kind = tasks->kinds;

    while (*kind != NULL && (*kind)->number != number)
        kind++;
    return *kind;
}

static bool has_task_room(const struct tasks *tasks, const struct task_kind *kind)
{
    size_t count = 0;

    for (const struct task_run *run = tasks->runs; run != NULL; run = run->next)
        count += run->kind == kind && run->stage == TASK_AT_WORK;
    return count < kind->at_once;
}

/* Of those who wait for a turn of a kind, the one that has waited longest. */
static struct task_run *first_in_line(const struct tasks *tasks, const struct task_kind *kind)
{
    struct task_run *first = NULL;

    for (struct task_run *run = tasks->runs; run != NULL; run = run->next)
        if (run->stage == TASK_IN_LINE && run->kind == kind &&
            (first == NULL || run->waits_since < first->waits_since))
            first = run;
    return first;
}

/* Those who find no room in the line come back a little later, and not all at once. */
static int64_t later(struct tasks *tasks)
{
    return db_now(tasks->loop->db) + SECOND + SECOND / 10 * (tasks->turned_away++ % 64);
}

/* The due work is leased for some time yet, or was stored anew with the last piece. */
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

static void begin_task_piece(struct task_run *run)
{
    run->then = TASK_LEFT;
    run->request = due_request(run->keeping, on_piece_over, run);
    run->request->client = client_of(&run->task);
}

static void do_piece(struct task_run *run)
{
    begin_task_piece(run);
    run->kind->step(run);
}

/* It goes to the end of the line. */
static void give_way(struct task_run *run)
{
    run->request = NULL;
    run->waits_since = db_now(run->tasks->loop->db);
    set_stage(run, TASK_IN_LINE);
}

static void on_piece_over(void *context, struct request *request)
{
    struct task_run *run = context;

    (void)request;
    if (run->then == TASK_GOES_ON)
        do_piece(run);
    else if (run->then == TASK_GIVES_WAY)
        give_way(run);
    else
        end_run(run);
}

/* What a run has read is kept while it waits, but for a few only: each may be a whole file. */
static bool may_wait_with_memory(const struct task_run *run)
{
    size_t count = 0;

    for (const struct task_run *other = run->tasks->runs; other != NULL; other = other->next)
        count += other->kind == run->kind && other->stage == TASK_IN_LINE && other->memory != NULL;
    return count < run->kind->kept;
}

/* A run that had to read its file first works for as long as that took at least: else it might do
 * little but read. */
static void begin_turn_after_reading(struct task_run *run)
{
    int64_t now = run->tasks->loop->now, took = now - run->begun;

    if (run->has_read)
        return;
    run->has_read = true;
    run->begun = now;
    run->turn_us = took > TURN_US ? took : TURN_US;
}

/* Whoever works a moment at a time, as for a file of one game, need not wait longer than for a
 * piece each time: nobody's turn is longer than the last one of the owner who waits. */
static bool turn_is_over(const struct task_run *run)
{
    const struct task_run *first = first_in_line(run->tasks, run->kind);
    int64_t took = run->tasks->loop->now - run->begun;
    const struct turn *turn;

    if (first == NULL || took >= run->turn_us)
        return first != NULL;
    turn = find_turn(run->tasks, &first->leased.id);
    return turn == NULL || took >= turn->us;
}

/* Alone, a run goes on until the lease of its due work needs to be a new one. */
static enum task_then choose_then(struct task_run *run, bool is_over)
{
    const struct tasks *tasks = run->tasks;
    int64_t now = tasks->loop->now;

    begin_turn_after_reading(run);
    if (is_over || run->has_overdrawn || tasks->loop->draining || now - run->claimed >= HELD_US)
        return TASK_LEFT;
    if (!turn_is_over(run))
        return TASK_GOES_ON;
    return may_wait_with_memory(run) ? TASK_GIVES_WAY : TASK_LEFT;
}

static void keep_mark(struct task_run *run)
{
    free(run->mark);
    run->mark = run->after.mark == NULL ? NULL : must_copy(run->after.mark);
    run->task = run->after;
    run->task.mark = run->mark;
    run->task.version++;
}

static void count_task_run(const struct task_run *run)
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
        count_task_run(run);
        if (run->then == TASK_LEFT)
            due_stored(run->tasks->loop, &run->due, 1, run->after.updated_at);
    } else {
        run->then = TASK_LEFT;
    }
    reply_empty(run->request, 204);
}

void tasks_store(struct task_run *run, const struct task_piece *piece)
{
    struct loop *loop = run->tasks->loop;
    int64_t now = db_now(loop->db);

    run->then = choose_then(run, piece->state != 0);
    run->after = run->task;
    run->after.state = piece->state == 0 ? TASK_RUNNING : piece->state;
    run->after.updated_at = now;
    run->after.size = piece->size;
    run->after.place = piece->place;
    run->after.mark = piece->mark;
    run->after.result = piece->result;
    for (size_t i = 0; i < piece->count; i++)
        *(piece->items[i].failed ? &run->after.failed : &run->after.done) += 1;
    run->due = (struct db_due){run->task.owner, DUE_TASKS,
                               now + (run->has_overdrawn ? run->toll.wait_s * SECOND : 0)};
    run->write = (struct db_task_write){&run->after, piece->items, piece->count,
                                        run->then == TASK_LEFT ? &run->due : NULL};
    db_set_task(loop->db, &run->write, ASK_ALSO(done, run->request, ASK_ALL, stored, run));
}

void tasks_charge(struct task_run *run, size_t bytes)
{
    if (!admission_pay(run->tasks->loop, &run->toll, bytes))
        run->has_overdrawn = true;
}

void tasks_give_up(struct task_run *run)
{
    run->then = TASK_LEFT;
    reply_problem(run->request, PROBLEM_OVERLOADED, NULL);
}

/* ---- choosing a task ---- */

/* What is to be done for an owner. */
struct choice {
    const struct db_task *task;      /* to go on with; NULL: none */
    const struct db_task *lost;      /* its file did not come in time */
    const struct db_task *expired;   /* it has been over for long */
    const struct task_kind *crowded; /* there is one, but no room for this kind; or NULL */
    int64_t next;                    /* when there will be something; or DB_NEVER */
};

static void sooner(int64_t *next, int64_t at)
{
    if (at < *next)
        *next = at;
}

/* Nobody goes before those who wait. A run whose turn has come has a place already. */
static bool may_begin(const struct task_run *run, const struct task_kind *kind)
{
    return run->kind == kind ||
           (has_task_room(run->tasks, kind) && first_in_line(run->tasks, kind) == NULL);
}

static void consider(const struct task_run *run, const struct db_task *task, int64_t now,
                     struct choice *choice)
{
    const struct task_kind *kind = find_kind(run->tasks, task->kind);

    if (kind == NULL || task->state >= TASK_STATES) {
        sooner(&choice->next, now + NEWER_US);
    } else if (task->state >= DB_TASK_OVER) {
        sooner(&choice->next, task->updated_at + KEPT_US);
        if (task->updated_at + KEPT_US <= now)
            choice->expired = task;
    } else if (task->state == DB_TASK_INCOMING) {
        sooner(&choice->next, task->created_at + INCOMING_US);
        if (task->created_at + INCOMING_US <= now)
            choice->lost = task;
    } else if (choice->task == NULL) {
        if (may_begin(run, kind))
            choice->task = task;
        else if (choice->crowded == NULL)
            choice->crowded = kind;
    }
}

static struct choice choose_task(const struct task_run *run, const struct db_tasks *list)
{
    struct choice choice = {.next = DB_NEVER};

    for (size_t i = 0; i < list->count; i++)
        consider(run, &list->items[i], db_now(run->tasks->loop->db), &choice);
    return choice;
}

static const char *keep_text(struct task_run *run, const char *text)
{
    return text == NULL ? NULL : arena_copy(&run->keeping->arena, text, strlen(text));
}

static void take_next_task(struct task_run *run, const struct db_task *task)
{
    run->task = *task;
    run->task.params = keep_text(run, task->params);
    run->task.mark = keep_text(run, task->mark);
    run->task.result = keep_text(run, task->result);
    run->kind = find_kind(run->tasks, task->kind);
    run->begun = run->tasks->loop->now;
    admission_toll_of_owner(run->tasks->loop, task->owner, &run->toll);
    set_stage(run, TASK_AT_WORK);
    begin_task_piece(run);
}

static void give_up_file(struct task_run *run)
{
    tasks_store(run, &(struct task_piece){.state = TASK_FAILED,
                                          .size = run->task.size,
                                          .place = run->task.place,
                                          .result = "{\"detail\":\"The file did not come in.\"}"});
}

static void settle_task(struct task_run *run, int64_t at)
{
    struct request *keeping = run->keeping;
    struct db_due leased = run->leased;

    free_run(run);
    due_settle(keeping, &leased, at);
}

static void on_deleted(void *context, const struct db_reply *reply)
{
    struct task_run *run = context;

    (void)reply;
    settle_task(run, db_now(run->tasks->loop->db));
}

/* Whoever finds no room waits for a turn of that kind. */
static void stand_in_line(struct task_run *run, const struct task_kind *kind)
{
    if (run->tasks->waiting == LINE_MAX) {
        settle_task(run, later(run->tasks));
        return;
    }
    run->kind = kind;
    set_stage(run, TASK_IN_LINE);
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
    choice = choose_task(run, tasks);
    if (choice.lost != NULL) {
        take_next_task(run, choice.lost);
        give_up_file(run);
    } else if (choice.task != NULL) {
        take_next_task(run, choice.task);
        run->kind->step(run);
    } else if (choice.expired != NULL) {
        db_delete_task(loop->db, run->leased.id, choice.expired->id, on_deleted, run);
    } else if (choice.crowded != NULL) {
        stand_in_line(run, choice.crowded);
    } else {
        settle_task(run, choice.next);
    }
}

static void look_for_task(struct task_run *run)
{
    db_get_tasks(db_of(run->keeping), run->leased.id, NULL, on_tasks, run);
}

void tasks_keep(struct request *request, const struct db_due *due)
{
    struct tasks *tasks = tasks_of(request->loop);

    if (tasks->waiting == LINE_MAX)
        due_settle(request, due, later(tasks));
    else
        look_for_task(new_run(request, due));
}

/* ---- the line ---- */

/* The tasks of one that has not begun may be others by now. */
static void begin_task_turn(struct task_run *run)
{
    run->begun = run->tasks->loop->now;
    run->turn_us = TURN_US;
    set_stage(run, TASK_AT_WORK);
    if (run->memory != NULL)
        do_piece(run);
    else
        look_for_task(run);
}

static void begin_turns(struct tasks *tasks, const struct task_kind *kind)
{
    struct task_run *run;

    while (has_task_room(tasks, kind) && (run = first_in_line(tasks, kind)) != NULL)
        begin_task_turn(run);
}

/* When a run that waits gives its due work back. It is due since as long as the run has waited, so
 * whichever daemon claims it, it keeps its place among all others. */
static int64_t end_of_wait(const struct task_run *run)
{
    if (run->tasks->loop->draining)
        return run->tasks->loop->now;
    return run->claimed + (run->memory == NULL ? WAIT_US : HELD_US);
}

static void give_back(struct tasks *tasks)
{
    for (struct task_run *run = tasks->runs, *next; run != NULL; run = next) {
        next = run->next;
        if (run->stage == TASK_IN_LINE && end_of_wait(run) <= tasks->loop->now)
            settle_task(run, run->waits_since);
    }
}

void tasks_run(struct loop *loop)
{
    struct tasks *tasks = tasks_of(loop);

    if (tasks->waiting == 0)
        return;
    give_back(tasks);
    for (const struct task_kind *const *kind = tasks->kinds; *kind != NULL; kind++)
        begin_turns(tasks, *kind);
}

int tasks_timeout_ms(const struct loop *loop)
{
    const struct tasks *tasks = tasks_of(loop);
    int64_t next = INT64_MAX;

    for (const struct task_run *run = tasks->runs; run != NULL; run = run->next)
        if (run->stage == TASK_IN_LINE && end_of_wait(run) < next)
            next = end_of_wait(run);
    return tasks->waiting == 0 ? -1 : loop_ms_until(loop, next);
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
