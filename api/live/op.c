#include "api/live/op.h"
#include "api/live/ask.h"
#include "api/live/reply_outcome.h"

#include <string.h>

#include "api/game/plans.h"
#include "api/http/reply_problem.h"
#include "api/live/auth.h"
#include "api/live/idempotency.h"
#include "api/live/peers.h"
#include "api/loop/log.h"
#include "api/loop/loop.h"
#include "api/loop/metering.h"
#include "api/net/offload.h"

static void run(struct table *table);

void job_refuse(struct job *job, const struct db_reply *reply)
{
    struct request *request = job->request;

    account_begin(request->loop);
    reply_outcome(request, reply);
    account_end(request->loop, request);
}

/* ---- a game that is not there ---- */

/* What was looked up does not matter, only that it took as long. */
static void absent(void *context, const struct db_reply *reply, const struct db_answer *answer)
{
    (void)reply;
    (void)answer;
    reply_problem(context, PROBLEM_NO_SUCH_GAME, NULL);
}

/* A private game must look to strangers like one that is not there. With a key, a request to a game
 * that is there takes one look-up more, for the stored answer (check_answer). So it takes one here
 * too: otherwise the time would tell the two apart. */
static void refuse_absent(struct job *job, const struct db_reply *reply)
{
    struct request *request = job->request;

    if (reply->outcome == DB_NOT_FOUND && job->idempotency != NULL)
        db_get_answer(db_of(request), job->table->row.id, job->idempotency->key,
                      ASK_ALSO(answer, request, ASK_MISSING, absent, request));
    else
        job_refuse(job, reply);
}

/* Answers all jobs of a table that could not be read. */
static void fail_all(struct table *table, const struct db_reply *reply)
{
    while (table->head != NULL) {
        struct job *job = table->head;

        table->head = job->next;
        refuse_absent(job, reply);
    }
}

/* ---- reading the row and its version ---- */

/* Those who wait for news of the table submit their jobs anew. The table is busy meanwhile, so that
 * these only line up: their turns come with the run() of whoever calls this. */
static void tell_news(struct table *table, int32_t version, const struct table_write *write)
{
    table->busy = true;
    table->tables->on_news(table, version, write);
    table->busy = false;
}

/* The job whose turn it is may have looked for an answer before, and the game has moved on since:
 * it may have been this very request that moved it, which the client repeated at another daemon. A
 * write is only guarded against what comes after the row was read. */
static void look_again_for_answer(struct table *table)
{
    if (table->head != NULL && table->head->idempotency != NULL)
        table->head->idempotency->checked = false;
}

static void on_loaded(void *context, const struct db_reply *reply, const struct db_game *game)
{
    struct table *table = context;

    table->busy = false;
    if (reply->outcome != DB_OK) {
        fail_all(table, reply);
        if (reply->outcome == DB_NOT_FOUND)
            tables_forget(table); /* or made-up ids would push real games out of memory */
        return;
    }
    if (game->version != table->row.version)
        tell_news(table, game->version, NULL);
    if (!table_take(table, game)) {
        struct db_reply broken = {.outcome = DB_REFUSED};

        log_event(LOG_ERROR, "game-unreadable", "variant", table->row.variant, "position",
                  table->row.position, NULL);
        fail_all(table, &broken);
        return;
    }
    table->loaded = true;
    table->confirmed = table->read = table->asked;
    look_again_for_answer(table);
    run(table);
}

/* A table is busy from a question to the database until its answer comes, and no job has a turn in
 * between. Otherwise two jobs could prepare writes from the same version, and one of them would
 * lose the race to its neighbour. Jobs at other tables go on meanwhile, and share the statement.
 *
 * The time of the question is kept, because an answer tells no more than what was so when it was
 * asked for. */
static void ask(struct table *table)
{
    table->busy = true;
    table->asked = table->tables->loop->now;
}

static void load(struct table *table)
{
    ask(table);
    table->timeline = db_timeline(table->tables->loop->db);
    db_get_game(table->tables->loop->db, table->row.id, on_loaded, table);
}

static void on_version(void *context, const struct db_reply *reply,
                       const struct db_version *version)
{
    struct table *table = context;

    table->busy = false;
    if (reply->outcome != DB_OK) {
        fail_all(table, reply);
        return;
    }
    if (version->version == table->row.version) {
        table->confirmed = table->asked;
    } else {
        table->loaded = false; /* another daemon or loop wrote; the next turn reads the row */
        tell_news(table, version->version, NULL);
    }
    run(table);
}

static void ask_version(struct table *table)
{
    ask(table);
    db_get_version(table->tables->loop->db, table->row.id, on_version, table);
}

/* A client that has read something and asks again must not see an older state, whichever daemon
 * answers. So the copy counts only if the database was asked for its version after the request had
 * come. One question serves all jobs that came before it was asked. */
enum step job_need_confirmed(struct job *job)
{
    struct table *table = job->table;

    if (table->confirmed >= job->request->arrived)
        return STEP_GO;
    ask_version(table);
    return STEP_LATER;
}

enum step job_need_row(struct job *job)
{
    struct table *table = job->table;

    if (table->read >= job->request->arrived)
        return STEP_GO;
    load(table);
    return STEP_LATER;
}

/* ---- answers that are stored ---- */

/* The key belongs to another request. Somebody who plays no seat learns that last (job_append):
 * before, the step refuses them as if the key were new, and a private game does not exist. */
static void refuse_reused(struct job *job)
{
    if (auth_seats(job->request, &job->table->row) == 0)
        job->idempotency->reused = true;
    else
        reply_problem(job->request, PROBLEM_IDEMPOTENCY_KEY_REUSED, NULL);
}

/* The same request has left its mark. The table may be older than that: then it is read anew. */
static void tell_again(struct job *job, const struct db_answer *mark)
{
    job->told = *mark;
    if (job->table->row.version < mark->version)
        job->table->loaded = false;
}

static void know_answer(void *context, const struct db_reply *reply, const struct db_answer *answer)
{
    struct job *job = context;

    job->idempotency->checked = true;
    if (reply->outcome == DB_NOT_FOUND)
        return;
    if (!idempotency_is_same(job->idempotency, answer))
        refuse_reused(job);
    else if (answer->sealed == NULL)
        tell_again(job, answer);
    else
        idempotency_replay(job->request, job->idempotency, answer);
}

/* Part of a turn: it is known whether something is stored for the job's key. If it is an answer,
 * the request is answered with it, and the step is not called at all. */
static enum step check_answer(struct job *job)
{
    if (job->idempotency == NULL || job->idempotency->checked)
        return STEP_GO;
    db_get_answer(db_of(job->request), job->table->row.id, job->idempotency->key,
                  ASK_STEP_ALSO(answer, job, ASK_MISSING, know_answer, job));
    return STEP_LATER;
}

/* ---- turns ---- */

/* Each question to the database has a deadline of its own. This is the bound of all of them
 * together and of the wait for the jobs before. A job that begins a turn has written nothing yet,
 * so it can be refused without leaving the client in doubt. */
static bool is_late(const struct job *job)
{
    const struct tables *tables = job->table->tables;

    return tables->loop->now - job->request->arrived > tables->patience;
}

static void know_time(struct job *job)
{
    const struct loop *loop = job->request->loop;

    job->now = db_now(loop->db);
    job->gaps = (struct clock_gaps){loop->outages, loop->outages_count};
}

/* The first job of a table has its turn, which goes as far as it can. Each turn begins here and
 * from the start of the step, since anything may have changed since the last one: the row may be
 * another after a lost race or a look at the version, and so the seats, the ply and what is legal.
 * To judge all of it anew is cheap; to find out what still holds would be a second way to do
 * everything. */
static enum step take_turn(struct job *job)
{
    if (is_late(job)) {
        reply_problem(job->request, PROBLEM_OVERLOADED,
                      "The game was busy for too long; nothing was done. Try again.");
        return STEP_OVER;
    }
    if (!job->table->loaded || job->table->timeline < db_timeline(db_of(job->request))) {
        load(job->table);
        return STEP_LATER;
    }
    if (check_answer(job) != STEP_GO)
        return STEP_LATER;
    know_time(job);
    if (job->table->row.deadline_at <= job->now) {
        enum step step = job->table->tables->settle(job);

        if (step != STEP_GO)
            return step;
    }
    return job->told.version != 0 && job->again != NULL ? job->again(job) : job->step(job);
}

/* The job has its turn at the table, and ends it. An offloaded one has another table by now. */
static void leave(struct table *table, const struct job *job)
{
    table->head = job->next;
}

/* Gives turns until somebody asks the database for something, or no job is left. */
static void run(struct table *table)
{
    while (!table->busy && table->head != NULL) {
        struct loop *loop = table->tables->loop;
        struct job *job = table->head;
        enum step step;

        account_begin(loop);
        step = take_turn(job);
        account_end(loop, job->request);
        if (step == STEP_OVER)
            leave(table, job);
    }
}

struct job *job_new(struct request *request, enum step (*step)(struct job *job), void *args)
{
    struct job *job = arena_zero(&request->arena, sizeof(*job));

    job->request = request;
    job->step = step;
    job->args = args;
    return job;
}

void job_submit(struct job *job, db_id id)
{
    struct tables *tables = tables_of(job->request->loop);
    struct table *table = tables_find(tables, id);

    job->table = table;
    job->next = NULL;
    if (table->head == NULL)
        table->head = job;
    else
        table->tail->next = job;
    table->tail = job;
    if (table->head == job)
        run(table);
}

/* ---- asking ---- */

void job_end(struct job *job)
{
    leave(job->table, job);
    job_resume(job->table);
}

void job_wait(struct table *table)
{
    table->busy = true;
}

void job_resume(struct table *table)
{
    table->busy = false;
    run(table);
}

static void go_on(void *context)
{
    struct job *job = context;

    if (job->request->reply.status != 0)
        job_end(job);
    else
        job_resume(job->table);
}

struct ask *job_ask(struct job *job, unsigned takes, union ask_then then, void *context)
{
    job_wait(job->table);
    return ask_before(ask_new(job->request, takes, then, context), go_on, job);
}

/* ---- writing ---- */

/* DB_CONFLICT: the game is not as the write was made for, so nothing was written. The job keeps its
 * turn and is tried again from the start. After any other failure the table may or may not be what
 * the database has, and so it is read anew too; but the client is told, for nobody else can decide
 * whether to repeat what may have been done. */
static void not_written(struct job *job, const struct db_reply *reply)
{
    job->table->loaded = false;
    job->needs = NULL;
    job->goes_on = false;
    if (reply->outcome == DB_UNKNOWN)
        peers_doubt(peers_of(job->request->loop));
    if (reply->outcome != DB_CONFLICT) {
        job_refuse(job, reply);
        leave(job->table, job);
    }
}

static void on_appended(void *context, const struct db_reply *reply)
{
    struct job *job = context;
    struct table *table = job->table;

    table->busy = false;
    if (reply->outcome == DB_OK) {
        account_begin(job->request->loop);
        table_apply(table, &job->write);
        table->confirmed = table->read = table->asked;
        job->request->stored += reply->stored;
        if (!job->goes_on)
            job->written(job);
        account_end(job->request->loop, job->request);
        if (!job->goes_on)
            leave(table, job);
        job->goes_on = false;
        tell_news(table, table->row.version, &job->write);
    } else {
        not_written(job, reply);
    }
    run(table);
}

enum step job_append(struct job *job)
{
    struct db *db = db_of(job->request);
    struct table_write *write = &job->write;
    struct db_append *append = arena_zero(&job->request->arena, sizeof(*append));

    if (job->idempotency != NULL && job->idempotency->reused && !job->goes_on) {
        reply_problem(job->request, PROBLEM_IDEMPOTENCY_KEY_REUSED, NULL);
        return STEP_OVER;
    }
    *append = (struct db_append){.after = &write->after,
                                 .expected = job->table->row.version,
                                 .expected_plans = job->table->row.plans,
                                 .dues = write->dues,
                                 .ndues = write->ndues,
                                 .events = write->events,
                                 .count = write->count,
                                 .answer = write->answer};
    ask(job->table);
    if (write->joins)
        db_join(db, append, on_appended, job);
    else
        db_append(db, append, on_appended, job);
    return STEP_LATER;
}

/* ---- setting plans ---- */

static void on_plan_set(void *context, const struct db_reply *reply)
{
    struct job *job = context;
    struct table *table = job->table;

    table->busy = false;
    if (reply->outcome == DB_OK) {
        account_begin(job->request->loop);
        table->row.plans = job->write.after.plans;
        table->confirmed = table->read = table->asked;
        job->request->stored += reply->stored;
        job->written(job);
        account_end(job->request->loop, job->request);
        leave(table, job);
    } else {
        not_written(job, reply);
    }
    run(table);
}

enum step job_set_plan(struct job *job, const struct db_plan *plan)
{
    const struct db_game *row = &job->table->row;
    struct db_set_plan *set = arena_zero(&job->request->arena, sizeof(*set));

    job->write.after.plans = plans_changed(row->plans, plan->seat, plan->tree != NULL);
    *set = (struct db_set_plan){.game = row->id,
                                .version = row->version,
                                .expected_plans = row->plans,
                                .plans = job->write.after.plans,
                                .plan = plan};
    ask(job->table);
    db_set_plan(db_of(job->request), set, on_plan_set, job);
    return STEP_LATER;
}

/* ---- long work ---- */

static void run_work(struct request *request, void *args)
{
    struct job *job = args;

    (void)request;
    job->work(job);
}

/* The outages that are known may be others by then. Those of a game without a clock matter to
 * nobody. */
static void copy_gaps(struct job *job)
{
    size_t size = job->gaps.count * sizeof(*job->gaps.gap);
    struct db_span *gaps;

    if (job->table->row.clock == NULL)
        job->gaps.count = 0;
    if (job->gaps.count == 0)
        return;
    gaps = arena_alloc(&job->request->arena, size);
    memcpy(gaps, job->gaps.gap, size);
    job->gaps.gap = gaps;
}

/* The job stays in its line until the step returns, but its table is the copy from now on. */
static enum step hand_over(struct job *job, void (*work)(struct job *job),
                           void (*then)(struct request *request, void *args))
{
    job->work = work;
    copy_gaps(job);
    job->table = table_snapshot(job->table, &job->request->arena);
    offload(job->request, run_work, then, job);
    return STEP_OVER;
}

enum step job_offload(struct job *job, void (*answer)(struct job *job))
{
    return hand_over(job, answer, NULL);
}

/* While the job was away from its line, the same request may have been done for a client that has
 * sent it again. */
static void submit_again(struct request *request, void *args)
{
    struct job *job = args;

    if (request->reply.status != 0)
        return; /* it was refused */
    if (job->idempotency != NULL)
        job->idempotency->checked = false;
    job_submit(job, job->table->row.id);
}

enum step job_offload_part(struct job *job, void (*work)(struct job *job))
{
    return hand_over(job, work, submit_again);
}
